//! Which option means something for which kind of model, in one table. What it does not allow is refused, with a message
//! that says for which kinds the option is; nothing is dropped in silence.

use crate::options::{Algorithms, Engine, Fairness, Kind, Options, Por, Store, Threads};
use Kind::{Aiger, Dve, Hoa, Promela, Rust, Smv};

/// A command on models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Decides properties.
    Check,
    /// Counts states.
    Explore,
    /// Follows one run.
    Simulate,
    /// Confirms a trace.
    Replay,
    /// Draws a graph, or a film of it.
    Draw,
}

/// For which kinds of models an option is.
pub struct Rule {
    /// The option as it is written.
    pub option: &'static str,
    /// Was it given?
    pub given: fn(&Options) -> bool,
    /// The kinds that it is for.
    pub kinds: &'static [Kind],
    /// What to do for the others, beyond leaving it out.
    pub instead: fn(Kind) -> Option<&'static str>,
}

const fn rule(option: &'static str, given: fn(&Options) -> bool, kinds: &'static [Kind]) -> Rule {
    Rule { option, given, kinds, instead: |_| None }
}

/// For programs, whose states every process can read.
const fn programs_alone(option: &'static str, given: fn(&Options) -> bool) -> Rule {
    Rule { instead: |_| Some("its states are searched by one process"), ..rule(option, given, PROGRAMS) }
}

/// Programs: models with processes.
const PROGRAMS: &[Kind] = &[Promela, Dve];
/// Models with the symbolic engine only.
const SYNCHRONOUS: &[Kind] = &[Smv, Aiger];
/// Models with an explicit engine.
const EXPLICIT: &[Kind] = &[Promela, Dve, Hoa, Rust];

/// The table.
pub const TABLE: &[Rule] = &[
    Rule {
        instead: |_| Some("a circuit has properties of its own"),
        ..rule("--ltl", |o| !o.ltl.is_empty(), &[Promela, Dve, Hoa, Smv, Rust])
    },
    Rule {
        instead: |k| (k != Aiger).then_some("write the property in LTL, with --ltl"),
        ..rule("--ctl", |o| !o.ctl.is_empty(), &[Smv])
    },
    Rule {
        instead: |_| Some("give formulas with --ltl"),
        ..rule("--property", |o| !o.property.is_empty(), &[Promela, Dve, Smv, Aiger])
    },
    rule("--exists", |o| o.exists, &[Promela, Dve, Hoa, Smv, Rust]),
    Rule {
        instead: |k| if k == Smv { Some("its formulas are in SMV's own notation") } else { None },
        ..rule("--dialect", |o| o.deciding.dialect.is_some(), EXPLICIT)
    },
    rule("--store", |o| o.store.is_some(), EXPLICIT),
    rule("--hashes", |o| o.hashing.hashes.is_some(), EXPLICIT),
    rule("--runs", |o| o.hashing.runs.is_some(), EXPLICIT),
    rule("--seed", |o| o.hashing.seed.is_some(), EXPLICIT),
    Rule {
        instead: |_| Some("every run of such a model is infinite"),
        ..rule("--deadlocks", |o| o.deciding.deadlocks.is_some(), EXPLICIT)
    },
    Rule {
        instead: |k| match k {
            Smv => Some("write FAIRNESS, JUSTICE or COMPASSION in the model"),
            Aiger => Some("a circuit has fairness constraints and justice properties of its own"),
            Hoa => Some("the acceptance condition of the structure is its fairness"),
            _ => Some("there are no processes; say in the formula which runs are fair"),
        },
        ..rule("--fairness", |o| o.deciding.fairness.is_some(), PROGRAMS)
    },
    rule("--shortest", |o| o.deciding.shortest, EXPLICIT),
    rule("--product", |o| o.product, EXPLICIT),
    rule("--automaton", |o| o.deciding.automaton.is_some(), EXPLICIT),
    rule("--coverage", |o| o.coverage, PROGRAMS),
    rule("--stats", |o| o.stats, EXPLICIT),
    Rule {
        instead: |_| Some("there are no processes whose steps could be told apart"),
        ..rule("--por", |o| o.reducing.por.is_some(), PROGRAMS)
    },
    Rule {
        instead: |_| Some("there are no programs that could be compiled"),
        ..rule("--no-jit", |o| o.reducing.no_jit, PROGRAMS)
    },
    Rule {
        instead: |_| Some("there are no programs that could be compiled"),
        ..rule("--jit-after", |o| o.reducing.jit_after.is_some(), PROGRAMS)
    },
    programs_alone("--processes", |o| o.spreading.processes.is_some()),
    programs_alone("--hosts", |o| o.spreading.hosts.is_some()),
    programs_alone("--token", |o| o.spreading.token.is_some()),
    programs_alone("--listen", |o| o.spreading.listen.is_some()),
    programs_alone("--checkpoint", |o| o.spreading.checkpoint.is_some()),
    programs_alone("--resume", |o| o.spreading.resume.is_some()),
    programs_alone("--commit-every", |o| o.spreading.commit_every.is_some()),
    rule("-D", |o| !o.reading.define.is_empty(), &[Promela]),
    rule("-U", |o| !o.reading.undefine.is_empty(), &[Promela]),
    rule("-I", |o| !o.reading.include.is_empty(), &[Promela]),
    rule("--cpp", |o| o.reading.cpp.is_some(), &[Promela]),
    Rule {
        instead: |k| (k == Dve).then_some("a DVE model is run as it is written"),
        ..rule("--no-optimise", |o| !o.reading.no_optimise.is_empty(), &[Promela])
    },
    Rule {
        instead: |k| (k == Hoa).then_some("`riata empty --engine symbolic` decides automata in HOA by sets"),
        ..rule(
            "--engine symbolic",
            |o| o.symbolic.engine == Some(Engine::Symbolic),
            &[Promela, Dve, Smv, Aiger],
        )
    },
    rule("--engine explicit", |o| o.symbolic.engine == Some(Engine::Explicit), EXPLICIT),
    Rule {
        instead: |_| Some("there are no programs of which kernels could be made"),
        ..rule("--engine gpu", is_gpu, PROGRAMS)
    },
    rule("--order", |o| o.symbolic.order.is_some(), SYNCHRONOUS),
    rule("--write-order", |o| o.symbolic.write_order.is_some(), SYNCHRONOUS),
    rule("--reorder", |o| o.symbolic.reorder, &[Promela, Dve, Smv, Aiger]),
    rule("--no-reorder", |o| o.symbolic.no_reorder, &[Promela, Dve, Smv, Aiger]),
    rule("--monolithic", |o| o.symbolic.monolithic, &[Promela, Dve, Smv, Aiger]),
    rule("--msc", |o| o.forms.messages, PROGRAMS),
    rule("--svg", |o| o.forms.picture, &[Promela, Dve, Smv, Aiger]),
    Rule {
        instead: |_| Some("there are no processes to show side by side"),
        ..rule("--columns", |o| o.forms.columns, PROGRAMS)
    },
    rule("--trail", |o| o.forms.trail, &[Promela]),
    rule("--vcd", |o| o.forms.wave, SYNCHRONOUS),
    rule("--witness", |o| o.forms.witness, &[Aiger]),
];

/// What an option needs besides the kind of the model.
struct Need {
    option: &'static str,
    given: fn(&Options) -> bool,
    met: fn(&Options, Kind) -> bool,
    message: &'static str,
}

/// Is a model of this kind checked by the symbolic engine?
pub fn is_symbolic(o: &Options, kind: Kind) -> bool {
    o.symbolic.engine.map_or(kind.is_synchronous(), |e| e == Engine::Symbolic)
}

/// Is a model searched on a graphics processor?
fn is_gpu(o: &Options) -> bool {
    o.symbolic.engine == Some(Engine::Gpu)
}

/// Needs of searches by several processes, or with a checkpoint: what is given is not to be there.
const fn not_apart(option: &'static str, given: fn(&Options) -> bool) -> Need {
    Need {
        option,
        given,
        met: |o, _| !o.spreading.is_given(),
        message: "it is not for several processes, and not for checkpoints",
    }
}

/// Needs of the explicit engine: what is given is not for a graphics processor.
const fn not_on_device(option: &'static str, given: fn(&Options) -> bool) -> Need {
    Need { option, given, met: |o, _| !is_gpu(o), message: "it is for the explicit engine" }
}

const NEEDS: &[Need] = &[
    not_apart("--threads", |o| o.limits.threads.is_some_and(|t| t != Threads::Just(1))),
    not_apart("--engine gpu", is_gpu),
    not_apart("--engine symbolic", |o| o.symbolic.engine == Some(Engine::Symbolic)),
    not_apart("--store", |o| o.store.is_some_and(Store::is_lossy)),
    not_apart("--por", |o| matches!(o.reducing.por, Some(Por::Auto | Por::On))),
    not_apart("--coverage", |o| o.coverage),
    not_apart("--stats", |o| o.stats),
    not_apart("--fairness", |o| o.deciding.fairness.is_some_and(|f| f != Fairness::None)),
    not_apart("--shortest", |o| o.deciding.shortest),
    not_apart("--product", |o| o.product),
    not_apart("--algorithm", |o| o.deciding.algorithm.is_some_and(|a| a != Algorithms::Auto)),
    Need {
        option: "--processes",
        given: |o| o.spreading.processes.is_some(),
        met: |o, _| o.spreading.hosts.is_none(),
        message: "--hosts tells the processes",
    },
    Need {
        option: "--token",
        given: |o| o.spreading.token.is_some(),
        met: |o, _| o.spreading.hosts.is_some(),
        message: "it is for --hosts; processes on this machine have one of their own",
    },
    Need {
        option: "--listen",
        given: |o| o.spreading.listen.is_some(),
        met: |o, _| o.spreading.hosts.is_some(),
        message: "it is for --hosts",
    },
    Need {
        option: "--resume",
        given: |o| o.spreading.resume.is_some(),
        met: |o, _| o.spreading.checkpoint.is_none(),
        message: "what is resumed is written down where it was; leave out --checkpoint",
    },
    Need {
        option: "--commit-every",
        given: |o| o.spreading.commit_every.is_some(),
        met: |o, _| o.spreading.is_kept(),
        message: "it is for --checkpoint and --resume",
    },
    Need {
        option: "--threads",
        given: |o| o.limits.threads.is_some_and(Threads::are_several),
        met: |o, _| !is_gpu(o),
        message: "--engine gpu has threads of its own",
    },
    Need {
        option: "--threads",
        given: |o| o.limits.threads.is_some_and(Threads::are_several),
        met: |o, k| !is_symbolic(o, k),
        message: "the symbolic engine works with one thread",
    },
    Need {
        option: "--store",
        given: |o| o.store.is_some(),
        met: |o, _| !is_gpu(o),
        message: "--engine gpu has a table of its own",
    },
    Need {
        option: "--por",
        given: |o| matches!(o.reducing.por, Some(Por::Auto | Por::On)),
        met: |o, _| !is_gpu(o),
        message: "--engine gpu takes all steps",
    },
    not_on_device("--fairness", |o| o.deciding.fairness.is_some_and(|f| f != Fairness::None)),
    not_on_device("--shortest", |o| o.deciding.shortest),
    not_on_device("--product", |o| o.product),
    Need {
        option: "--algorithm",
        given: |o| o.deciding.algorithm.is_some_and(|a| a != Algorithms::Auto),
        met: |o, _| !is_gpu(o),
        message: "--engine gpu decides by OWCTY",
    },
    Need {
        option: "--coverage",
        given: |o| o.coverage,
        met: |o, _| !is_gpu(o),
        message: "it is for the explicit engine",
    },
    Need {
        option: "--stats",
        given: |o| o.stats,
        met: |o, k| !is_gpu(o) && !is_symbolic(o, k),
        message: "it is for the explicit engine",
    },
    Need {
        option: "--stats",
        given: |o| o.stats,
        met: |o, _| o.limits.threads.is_none_or(|t| t == Threads::Just(1)),
        message: "it is for one thread",
    },
    Need {
        option: "--por",
        given: |o| o.reducing.por.is_some(),
        met: |o, k| !is_symbolic(o, k),
        message: "the symbolic engine takes all steps at once",
    },
    Need {
        option: "--no-jit",
        given: |o| o.reducing.no_jit,
        met: |o, k| !is_symbolic(o, k),
        message: "the symbolic engine watches the interpreter anyway",
    },
    Need {
        option: "--jit-after",
        given: |o| o.reducing.jit_after.is_some(),
        met: |o, k| !is_symbolic(o, k),
        message: "the symbolic engine watches the interpreter",
    },
    Need {
        option: "--store",
        given: |o| o.store.is_some(),
        met: |o, k| !is_symbolic(o, k),
        message: "the symbolic engine has no store of states",
    },
    Need {
        option: "--store dense",
        given: |o| o.store == Some(Store::Dense),
        met: |_, _| false,
        message: "it is for automata, whose states are numbers; take exact or tree",
    },
    Need {
        option: "--hashes",
        given: |o| o.hashing.hashes.is_some(),
        met: |o, _| o.store == Some(Store::Bitstate),
        message: "it is for the store bitstate",
    },
    Need {
        option: "--runs",
        given: |o| o.hashing.runs.is_some(),
        met: |o, _| o.store.is_some_and(Store::is_lossy),
        message: "it is for the stores bitstate and compact",
    },
    Need {
        option: "--seed",
        given: |o| o.hashing.seed.is_some(),
        met: |o, _| o.store.is_some_and(Store::is_lossy),
        message: "it is for the stores bitstate and compact",
    },
    Need {
        option: "--reorder",
        given: |o| o.symbolic.reorder,
        met: is_symbolic,
        message: "it is for the symbolic engine (--engine symbolic)",
    },
    Need {
        option: "--no-reorder",
        given: |o| o.symbolic.no_reorder,
        met: is_symbolic,
        message: "it is for the symbolic engine (--engine symbolic)",
    },
    Need {
        option: "--monolithic",
        given: |o| o.symbolic.monolithic,
        met: is_symbolic,
        message: "it is for the symbolic engine (--engine symbolic)",
    },
    Need {
        option: "--coverage",
        given: |o| o.coverage,
        met: |o, k| !is_symbolic(o, k),
        message: "it is for the explicit engine",
    },
    Need {
        option: "--shortest",
        given: |o| o.deciding.shortest,
        met: |o, k| !is_symbolic(o, k),
        message: "it is for the explicit engine",
    },
    Need {
        option: "--product",
        given: |o| o.product,
        met: |o, k| !is_symbolic(o, k),
        message: "it is for the explicit engine",
    },
    Need {
        option: "--automaton",
        given: |o| o.deciding.automaton.is_some(),
        met: |o, k| !is_symbolic(o, k),
        message: "it is for the explicit engine",
    },
    Need {
        option: "--dialect",
        given: |o| o.deciding.dialect.is_some(),
        met: |o, _| !o.ltl.is_empty(),
        message: "it is about formulas given with --ltl",
    },
    Need {
        option: "--exists",
        given: |o| o.exists,
        met: |o, _| !o.ltl.is_empty() && o.ctl.is_empty() && o.property.is_empty(),
        message: "it is about formulas given with --ltl, and about nothing else",
    },
    Need {
        option: "--property",
        given: |o| !o.property.is_empty(),
        met: |o, k| k != Smv || o.ltl.is_empty() && o.ctl.is_empty(),
        message: "formulas replace the specifications of an SMV model; give one or the other",
    },
];

/// The refusal of a symbolic algorithm by the explicit engine.
pub fn only_symbolic(algorithm: riata_symbolic::Algorithm) -> String {
    format!("{} is an algorithm of the symbolic engine (--engine symbolic)", algorithm.name())
}

/// Why what was asked for cannot be had of a model of this kind; nothing if it can.
///
/// ```
/// use riata::{Kind, Options, options::Fairness, table::{Command, refused}};
/// let mut options = Options::default();
/// options.deciding.fairness = Some(Fairness::Strong);
/// assert_eq!(refused(&options, Kind::Dve, Command::Check), None);
/// let why = refused(&options, Kind::Smv, Command::Check).expect("SMV has its own fairness");
/// assert!(why.contains("COMPASSION"));
/// ```
pub fn refused(options: &Options, kind: Kind, command: Command) -> Option<String> {
    if let Some(rule) = TABLE.iter().find(|r| (r.given)(options) && !r.kinds.contains(&kind)) {
        let kinds: Vec<&str> = rule.kinds.iter().filter(|k| **k != Rust).map(|k| k.name()).collect();
        let instead = (rule.instead)(kind).map_or(String::new(), |i| format!("; {i}"));
        return Some(format!("{} is for {}, not for {}{instead}", rule.option, joined(&kinds), kind.name()));
    }
    if let Some(need) = NEEDS.iter().find(|n| (n.given)(options) && !(n.met)(options, kind)) {
        return Some(format!("{}: {}", need.option, need.message));
    }
    match options.deciding.algorithm {
        Some(Algorithms::Symbolic(a)) if !is_symbolic(options, kind) => Some(only_symbolic(a)),
        Some(Algorithms::One(a)) if is_symbolic(options, kind) => Some(format!(
            "{} is an algorithm of the explicit engine; this is checked by the symbolic one",
            a.name()
        )),
        _ if matches!(command, Command::Simulate | Command::Replay)
            && !options.reading.no_optimise.is_empty() =>
        {
            Some(
                "--no-optimise is for check and explore: one run is followed in the program as it is written"
                    .into(),
            )
        }
        _ if command == Command::Draw && options.limits.threads.is_some_and(Threads::are_several) => {
            Some("--threads: what is drawn is small; one thread does it".into())
        }
        _ => match (command, options.store) {
            (Command::Explore, Some(store @ (Store::Bitstate | Store::Compact))) => {
                Some(format!("explore needs the store exact or tree, not {}", store.name()))
            }
            _ => None,
        },
    }
}

/// `a, b and c`.
fn joined(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).into(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
