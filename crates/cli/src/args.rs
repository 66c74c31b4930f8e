//! The arguments, as in the contract.

use clap::{Parser, Subcommand, ValueEnum};
use riata::options::{
    Algorithms, Deciding, Engine, Forms, Hashing, Limits, Reading, Reducing, Spreading, Store, Symbolic,
    Threads,
};
use riata::report::run::Form;
use riata::{Kind, Options};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Riata: a model checker for infinite behaviours.
#[derive(Debug, Parser)]
#[command(name = "riata", version, max_term_width = 100, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 all properties hold (the language is empty), 1 one is violated (an accepting \
run exists), 2 bad input or usage, 3 inconclusive."
)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Flags of every command.
    #[command(flatten)]
    pub common: Common,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decides properties of a model; without a choice, everything that the model states
    Check(Box<CheckArgs>),
    /// Counts the states of a model, and finds deadlocks, violated assertions and run-time errors
    Explore(ExploreArgs),
    /// Follows one run of a model, by chance or by hand
    Simulate(SimulateArgs),
    /// Confirms that a saved trace is a run of a model
    Replay(ReplayArgs),
    /// Compares algorithms on models: what each needs to decide the same properties
    Compare(CompareArgs),
    /// Is one of several processes that divide the states of a model among them
    Worker(WorkerArgs),
    /// Makes a page of what `check --json` printed: all verdicts, and each run step by step
    Report(ReportArgs),
    /// Translates temporal formulas to automata
    Ltl(crate::ltl::LtlArgs),
    /// Decides whether an automaton has an accepting run, and shows one
    Empty(EmptyArgs),
    /// Lists the strongly connected components of an automaton
    Scc(SccArgs),
    /// Writes random automata in HOA
    Random(RandomArgs),
    /// Writes the manual pages
    Man(ManArgs),
    /// Writes a script that completes commands and options in a shell
    Completions(CompletionsArgs),
    /// Draws the states of a small model or automaton, or the product that a check would search
    Graph(crate::draw::GraphArgs),
    /// Shows an algorithm at work on a small automaton or model, step by step, as a page for a browser
    Animate(crate::draw::AnimateArgs),
}

impl Command {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Command::Check(_) => "check",
            Command::Explore(_) => "explore",
            Command::Simulate(_) => "simulate",
            Command::Replay(_) => "replay",
            Command::Compare(_) => "compare",
            Command::Worker(_) => "worker",
            Command::Report(_) => "report",
            Command::Ltl(_) => "ltl",
            Command::Empty(_) => "empty",
            Command::Scc(_) => "scc",
            Command::Random(_) => "random",
            Command::Man(_) => "man",
            Command::Completions(_) => "completions",
            Command::Graph(_) => "graph",
            Command::Animate(_) => "animate",
        }
    }
}

/// Arguments of `riata explore`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata explore model.pml                       states, transitions, deadlocks, violations
  riata explore model.pml --coverage            and the statements that no run reaches
  riata explore model.smv --time 5m             reachable states as decision diagrams
  riata explore model.pml --serve               a local page to walk the model by hand
  riata explore model.dve --engine symbolic --json
  riata explore model.pml --processes 4         the states divided among four processes
  riata explore model.pml --checkpoint kept     and later: --resume kept")]
pub struct ExploreArgs {
    /// Model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Kind of model, if its name does not tell
    #[arg(long, value_name = "KIND", value_enum)]
    pub input: Option<Kind>,
    /// Store of states: exact or tree [default: exact]
    #[arg(short, long, value_name = "STORE", value_enum)]
    pub store: Option<Store>,
    /// Tell which statements no run reaches (Promela, DVE; walks through all states once more)
    #[arg(long)]
    pub coverage: bool,
    /// Tell where the time of the search goes: successors, store, product, the search itself (explicit engine, one thread)
    #[arg(long)]
    pub stats: bool,
    /// Write what the search would run on, instead of searching (DVE, Promela)
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with_all = ["coverage", "stats", "engine", "store",
        "memory", "threads", "order", "write_order", "reorder", "no_reorder", "monolithic", "only", "columns", "quiet",
        "verbose", "processes", "hosts", "token", "listen", "checkpoint", "resume",
        "commit_every"])]
    pub print: Option<Printed>,
    /// Tell for each location why steps from there can be taken without those of others, or not (DVE, Promela; looks at
    /// the first states that a search meets)
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with_all = ["print", "coverage", "stats", "engine", "store",
        "memory", "threads", "order", "write_order", "reorder", "no_reorder", "monolithic", "only", "columns", "quiet",
        "verbose", "processes", "hosts", "token", "listen", "checkpoint", "resume",
        "commit_every", "por", "no_jit", "jit_after"])]
    pub explain: Option<Explained>,
    /// Serve a page to walk the model by hand, until Ctrl-C: only to this machine, and only at the address that is told
    #[arg(long, conflicts_with_all = ["print", "explain", "coverage", "stats", "engine", "store", "memory", "time", "threads", "order",
        "write_order", "reorder", "no_reorder", "monolithic", "only", "columns", "json", "quiet", "verbose", "processes", "hosts", "token", "listen", "checkpoint", "resume",
        "commit_every"])]
    pub serve: bool,
    /// Serve at this port, instead of a free one
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Limits of the search.
    #[command(flatten)]
    pub limits: Limits,
    /// How the model is read.
    #[command(flatten)]
    pub reading: Reading,
    /// What is left out.
    #[command(flatten)]
    pub reducing: Reducing,
    /// Flags of the symbolic engine.
    #[command(flatten)]
    pub symbolic: Symbolic,
    /// Several processes, and checkpoints.
    #[command(flatten)]
    pub spreading: Spreading,
    /// How much of a run is shown.
    #[command(flatten)]
    pub look: Look,
}

/// Arguments of `riata worker`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The first process prints the answers; the others print what is wrong with them. All must have the same \
version, model and options, and the same token: in a file (--token) or in the variable RIATA_TOKEN.

Examples:
  riata explore m.pml --hosts hosts --token secret                     on the first host
  riata worker --number 1 -- explore m.pml --hosts hosts --token secret    on the second
  riata worker --number 2 -- explore m.pml --hosts hosts --token secret    on the third"
)]
pub struct WorkerArgs {
    /// Which of the processes this is: the line of --hosts, from 0
    #[arg(long, value_name = "N")]
    pub number: usize,
    /// Listen at this address, instead of the one that --hosts tells
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<String>,
    /// The command of the first process: check or explore, with its arguments
    #[arg(value_name = "COMMAND", last = true, required = true)]
    pub command: Vec<OsString>,
}

/// One of several processes, but not the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its number.
    pub number: usize,
    /// Where it listens, if that is not where it is expected.
    pub listen: Option<String>,
}

/// Arguments of `riata report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata check model.pml --json > model.json; riata report model.json -o model.html
  riata report nightly/*.json > nightly.html    one page for several calls")]
pub struct ReportArgs {
    /// What `riata check --json` printed, or `explore` or `empty`; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// File to write; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Arguments of `riata check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata check model.pml                         everything that the model states
  riata check model.pml --ltl '[] (req -> <> ack)'
  riata check model.pml --html verdicts.html    a page: all verdicts, runs step by step
  riata check model.dve --ltl 'G F P.critical' --fairness weak -a all
  riata check model.smv --ctl 'AG (req -> AF ack)'
  riata check a.pml b.smv c.aag --format junit > verdicts.xml")]
pub struct CheckArgs {
    /// Models
    #[arg(value_name = "MODEL", required = true)]
    pub models: Vec<PathBuf>,
    /// Kind of model, if its name does not tell
    #[arg(long, value_name = "KIND", value_enum)]
    pub input: Option<Kind>,
    /// Check this formula; its propositions are expressions of the model, such as `P.busy` and `x == 3`
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// Check this formula of CTL, with fairness, in the notation of SMV, such as `AG (req -> AF ack)` (SMV)
    #[arg(long, value_name = "FORMULA", conflicts_with = "exists")]
    pub ctl: Vec<String>,
    /// Look for a run that satisfies the formula, instead of one that violates it
    #[arg(long, requires = "ltl")]
    pub exists: bool,
    /// Check only this property of the model: its own name, or assertions, deadlock, property (DVE's property
    /// process), claim, … or by its number, such as b0 and j0 (AIGER)
    #[arg(short, long, value_name = "NAME")]
    pub property: Vec<String>,
    /// How properties are decided.
    #[command(flatten)]
    pub deciding: Deciding,
    /// Store of states [default: exact]
    #[arg(short, long, value_name = "STORE", value_enum)]
    pub store: Option<Store>,
    /// Write the first counterexample to this file, in the Informal Trace Format
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Write the answers and stimuli to this file, in the format of AIGER 1.9 for witnesses (AIGER)
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// Tell which statements no run reaches (Promela, DVE; walks through all states once more)
    #[arg(long)]
    pub coverage: bool,
    /// Tell where the time of the search goes: successors, store, product, the search itself (explicit engine, one thread)
    #[arg(long)]
    pub stats: bool,
    /// Form of the answers: text, or reports for continuous integration
    #[arg(long, value_name = "FORM", value_enum, conflicts_with = "json")]
    pub format: Option<CheckFormat>,
    /// Limits of the whole call.
    #[command(flatten)]
    pub limits: Limits,
    /// Parameters of lossy stores.
    #[command(flatten)]
    pub hashing: Hashing,
    /// Further forms of the run.
    #[command(flatten)]
    pub pictures: Pictures,
    /// How much of a run is shown.
    #[command(flatten)]
    pub look: Look,
    /// How the model is read.
    #[command(flatten)]
    pub reading: Reading,
    /// What is left out.
    #[command(flatten)]
    pub reducing: Reducing,
    /// Flags of the symbolic engine.
    #[command(flatten)]
    pub symbolic: Symbolic,
    /// Several processes, and checkpoints.
    #[command(flatten)]
    pub spreading: Spreading,
}

/// Forms of the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people
    Text,
    /// JUnit XML
    Junit,
    /// SARIF 2.1.0
    Sarif,
}

/// What can be written of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Printed {
    /// The program: variables, channels and control graphs, optimised unless --no-optimise says otherwise
    Program,
}

/// What can be explained of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Explained {
    /// Partial-order reduction
    Por,
}

/// How much of a run is shown.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Runs")]
pub struct Look {
    /// Show only these processes and variables of a run, such as P,x; steps that change none of them are folded
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', conflicts_with_all = ["json", "quiet"])]
    pub only: Vec<String>,
    /// Show so many columns of processes side by side, the others below (Promela, DVE)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..),
        conflicts_with_all = ["json", "quiet"])]
    pub columns: Option<u16>,
}

/// Arguments of `riata compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata compare model.pml --algorithms se05,hpy96,couvreur99 --automaton ba --product
  riata compare a.dve b.dve --ltl 'G F P.critical' --repeat 5 --format markdown
  riata compare *.pml --plot scatter.svg --against se05 --resume rows.jsonl
  riata compare model.smv --algorithms el,owcty --format csv > rows.csv

Exit codes: 0 compared, whatever the verdicts are, 1 verdicts disagree, which is a bug, 2 bad input or usage,
3 something was not decided within the limits.")]
pub struct CompareArgs {
    /// Models
    #[arg(value_name = "MODEL", required = true)]
    pub models: Vec<PathBuf>,
    /// Kind of model, if the names do not tell
    #[arg(long, value_name = "KIND", value_enum)]
    pub input: Option<Kind>,
    /// Decide this formula; otherwise everything that the models state
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// Decide this formula of CTL (SMV)
    #[arg(long, value_name = "FORMULA")]
    pub ctl: Vec<String>,
    /// Decide only this property of the models
    #[arg(short, long, value_name = "NAME")]
    pub property: Vec<String>,
    /// Algorithms, such as se05,couvreur99; those on sets of states bring their engine along [default: all]
    #[arg(short, long, value_name = "NAME,…", value_delimiter = ',')]
    pub algorithms: Vec<Algorithms>,
    /// Stores of states [default: exact]
    #[arg(short, long, value_name = "STORE,…", value_delimiter = ',', value_enum)]
    pub stores: Vec<Store>,
    /// Repeat each check so often, to know how its time varies
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = count)]
    pub repeat: usize,
    /// Count the whole product of the model and the automaton of a formula, too
    #[arg(long)]
    pub product: bool,
    /// Look for runs that satisfy the formulas, instead of ones that violate them
    #[arg(long, requires = "ltl")]
    pub exists: bool,
    /// What becomes of runs that end [default: stutter]
    #[arg(long, value_name = "HOW", value_enum)]
    pub deadlocks: Option<riata::options::EndOfRuns>,
    /// Which runs count (Promela, DVE) [default: none]
    #[arg(long, value_name = "WHICH", value_enum)]
    pub fairness: Option<riata::options::Fairness>,
    /// Automaton of a formula: the smaller one with acceptance on edges, or the same for all checks, with one acceptance
    /// set on states [default: what the check can take]
    #[arg(long, value_name = "KIND", value_enum)]
    pub automaton: Option<riata::options::Automaton>,
    /// Form of the table
    #[arg(long, value_name = "FORM", value_enum)]
    pub format: Option<CompareForm>,
    /// Draw a picture to this file (SVG): how many properties each decides within which cost, or with --against a
    /// point for each property
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Plot the others against this algorithm
    #[arg(long, value_name = "NAME", requires = "plot")]
    pub against: Option<String>,
    /// What is plotted [default: seconds]
    #[arg(long, value_name = "WHAT", value_enum, requires = "plot")]
    pub measure: Option<Measured>,
    /// Keep the rows in this file, and do not measure again what is in it
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Limits of each check.
    #[command(flatten)]
    pub limits: Limits,
    /// How the model is read.
    #[command(flatten)]
    pub reading: Reading,
}

/// Reads how often.
fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n @ 1..=10_000) => Ok(n),
        _ => Err("write a number from 1 to 10000".into()),
    }
}

/// Forms of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompareForm {
    /// For a terminal
    Text,
    /// A table in Markdown
    Markdown,
    /// Comma-separated values, with all columns
    Csv,
}

/// What is plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Measured {
    /// CPU seconds
    Seconds,
    /// States visited
    States,
    /// Transitions generated
    Transitions,
    /// Bytes of the store
    Bytes,
}

impl CompareArgs {
    /// What the library is asked.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        options.reading = self.reading.clone();
        options.limits = self.limits;
        options.deciding.deadlocks = self.deadlocks;
        options.deciding.fairness = self.fairness;
        options.deciding.automaton = self.automaton;
        options.exists = self.exists;
        options.product = self.product;
        options.ltl.clone_from(&self.ltl);
        options.ctl.clone_from(&self.ctl);
        options.property.clone_from(&self.property);
        options
    }
}

/// Arguments of `riata simulate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata simulate model.pml -n 20 --seed 3       twenty steps by chance
  riata simulate model.pml -i                   step by step; `help` tells the commands
  riata simulate model.pml --guide model.pml.trail --msc")]
pub struct SimulateArgs {
    /// Model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Kind of model, if its name does not tell
    #[arg(long, value_name = "KIND", value_enum)]
    pub input: Option<Kind>,
    /// Stop after so many steps: 50, or all that --guide tells
    #[arg(short = 'n', long, value_name = "N")]
    pub steps: Option<usize>,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Choose each step by hand
    #[arg(short, long, conflicts_with_all = ["json", "quiet"])]
    pub interactive: bool,
    /// Follow the run in this file: a trace as `check --trace` writes it, or a trail of Spin's (Promela)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["interactive", "seed"])]
    pub guide: Option<PathBuf>,
    /// Write the run to this file, in the Informal Trace Format
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Further forms of the run.
    #[command(flatten)]
    pub pictures: Pictures,
    /// How much of a run is shown.
    #[command(flatten)]
    pub look: Look,
    /// How the model is read.
    #[command(flatten)]
    pub reading: Reading,
}

/// Arguments of `riata replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata check model.pml --trace run.itf.json; riata replay run.itf.json model.pml -v
  riata replay model.pml.trail model.pml        a trail of Spin's")]
pub struct ReplayArgs {
    /// Trace: in the Informal Trace Format, as `check --trace` writes it; what `check --json` printed; a trail of
    /// Spin's, for a Promela model; or an AIGER witness, for a circuit
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Kind of model, if its name does not tell
    #[arg(long, value_name = "KIND", value_enum)]
    pub input: Option<Kind>,
    /// Further forms of the run.
    #[command(flatten)]
    pub pictures: Pictures,
    /// How much of a run is shown.
    #[command(flatten)]
    pub look: Look,
    /// How the model is read.
    #[command(flatten)]
    pub reading: Reading,
}

/// Further forms of a run.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Forms of the run")]
pub struct Pictures {
    /// Show the messages of the run as a message sequence chart, too (Promela, DVE)
    #[arg(long, conflicts_with = "quiet")]
    pub msc: bool,
    /// Write a picture of the run to this file: the message sequence chart (Promela, DVE), or a waveform (SMV, AIGER)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write a page to this file: verdicts, and runs step by step with states, messages and source
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the run to this file as a trail, for `spin -t` (Promela)
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
    /// Write the run to this file as a value change dump, for GTKWave; a cycle is there twice (SMV, AIGER)
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
}

impl Look {
    /// The options that were given.
    pub fn given(&self) -> Vec<&'static str> {
        let all = [("--only", !self.only.is_empty()), ("--columns", self.columns.is_some())];
        all.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect()
    }

    /// As the terminal has room, if there is one.
    pub fn fit(&self) -> riata::report::trace::Look {
        let terminal = std::io::stdout().is_terminal();
        let width = terminal.then(|| terminal_size().map(|(w, _)| w)).flatten();
        riata::report::trace::Look { width, only: self.only.clone(), columns: self.columns.map(usize::from) }
    }
}

/// The size of the terminal: columns and lines.
pub fn terminal_size() -> Option<(usize, usize)> {
    let (lines, columns) = console::Term::stdout().size_checked()?;
    Some((usize::from(columns), usize::from(lines)))
}

impl Pictures {
    /// The files that are asked for.
    pub fn files(&self) -> Vec<(Form, &PathBuf)> {
        let all = [
            (Form::Svg, &self.svg),
            (Form::Html, &self.html),
            (Form::Trail, &self.trail),
            (Form::Vcd, &self.vcd),
        ];
        all.into_iter().filter_map(|(form, file)| Some((form, file.as_ref()?))).collect()
    }

    /// What has to be made for them; `states` for programs, `text` for people.
    pub fn forms(&self, states: bool, text: bool) -> Forms {
        let mut forms = Forms::default();
        forms.states = states || self.html.is_some();
        forms.text = text;
        forms.automaton = forms.states;
        // What is kept as JSON can be made a page later.
        forms.chart = self.msc || self.svg.is_some() || forms.states;
        forms.messages = self.msc;
        forms.picture = self.svg.is_some();
        forms.wave = self.vcd.is_some();
        forms.trail = self.trail.is_some();
        forms
    }
}

impl EmptyArgs {
    /// What cannot be had together.
    pub fn refused(&self) -> Option<String> {
        let symbolic = self.engine == Some(Engine::Symbolic);
        let h = &self.hashing;
        let lossy = self.store.is_some_and(Store::is_lossy);
        let [bitstate, either] =
            ["it is for the store bitstate", "it is for the stores bitstate and compact"];
        let refused = [
            ("--engine gpu", self.engine == Some(Engine::Gpu), "it is for Promela and DVE models"),
            (
                "--store",
                symbolic && self.store.is_some(),
                "the symbolic engine has no store of states; leave it out",
            ),
            (
                "--threads",
                symbolic && self.limits.threads.is_some_and(Threads::are_several),
                "the symbolic engine works with one thread",
            ),
            ("--hashes", h.hashes.is_some() && self.store != Some(Store::Bitstate), bitstate),
            ("--runs", h.runs.is_some() && !lossy, either),
            ("--seed", h.seed.is_some() && !lossy, either),
        ];
        refused.iter().find(|(_, wrong, _)| *wrong).map(|(option, _, why)| format!("{option}: {why}"))
    }
}

impl CheckArgs {
    /// What cannot be had together: reports for machines, and what is about text for people.
    pub fn refused(&self, common: &Common) -> Option<String> {
        let form = match self.format? {
            CheckFormat::Text => return None,
            CheckFormat::Junit => "--format junit",
            CheckFormat::Sarif => "--format sarif",
        };
        let mut given = self.look.given();
        given.extend(self.pictures.msc.then_some("--msc"));
        given.extend(common.verbose.then_some("--verbose"));
        given.extend(self.stats.then_some("--stats"));
        given.first().map(|option| format!("{option} is about text for people, which {form} is not"))
    }

    /// What the library is asked.
    pub fn options(&self, json: bool, quiet: bool) -> Options {
        let text = !json && !quiet || self.format.is_some();
        let mut options = Options::default();
        options.forms = self.pictures.forms(json || self.trace.is_some(), text);
        options.forms.witness = self.witness.is_some();
        options.forms.columns = self.look.columns.is_some();
        options.reading = self.reading.clone();
        options.deciding = self.deciding.clone();
        options.store = self.store;
        options.hashing = self.hashing;
        options.limits = self.limits;
        options.reducing = self.reducing;
        options.symbolic = self.symbolic.clone();
        options.spreading = self.spreading.clone();
        options.exists = self.exists;
        options.coverage = self.coverage;
        options.stats = self.stats;
        options.ltl.clone_from(&self.ltl);
        options.ctl.clone_from(&self.ctl);
        options.property.clone_from(&self.property);
        options
    }
}

impl ExploreArgs {
    /// What the library is asked.
    pub fn options(&self, json: bool, quiet: bool) -> Options {
        let mut options = Options::default();
        options.forms = Pictures::default().forms(json, !json && !quiet);
        options.forms.columns = self.look.columns.is_some();
        options.reading = self.reading.clone();
        options.store = self.store;
        options.limits = self.limits;
        options.reducing = self.reducing;
        options.symbolic = self.symbolic.clone();
        options.spreading = self.spreading.clone();
        options.coverage = self.coverage;
        options.stats = self.stats;
        options
    }
}

/// Flags of every command.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Print one JSON object and nothing else on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Print no results and no warnings; the exit code tells
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print more; JSON has everything anyway
    #[arg(short, long, global = true, conflicts_with = "json")]
    pub verbose: bool,
    /// When to use colours, in verdicts and messages
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_enum)]
    pub color: Colour,
    /// The subcommand, for JSON.
    #[arg(skip)]
    pub command: String,
    /// Which of several processes this is, if it is not the first.
    #[arg(skip)]
    pub member: Option<Member>,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

/// Arguments of `riata empty`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata empty automaton.hoa --shortest
  riata random -n 1000 -a 2 | riata empty - -a all      every check side by side
  riata empty automaton.hoa --engine symbolic -a all    FFKVY01's table")]
pub struct EmptyArgs {
    /// HOA file, `-` for standard input; each automaton of a stream is checked
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Emptiness check: a citation key, `auto` for the papers' advice, `all` to compare
    #[arg(short, long, value_name = "NAME", default_value = "auto")]
    pub algorithm: Algorithms,
    /// Store of states [default: dense]
    #[arg(short, long, value_name = "STORE", value_enum)]
    pub store: Option<Store>,
    /// Engine: explicit states, or sets of states as decision diagrams, with FFKVY01's algorithms
    #[arg(long, value_name = "ENGINE", value_enum)]
    pub engine: Option<Engine>,
    /// Show a lasso of minimal total length
    #[arg(long)]
    pub shortest: bool,
    /// Limits of each check.
    #[command(flatten)]
    pub limits: Limits,
    /// Parameters of lossy stores.
    #[command(flatten)]
    pub hashing: Hashing,
}

/// Arguments of `riata scc`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata scc automaton.hoa
  riata scc automaton.hoa --format dot | dot -Tsvg > components.svg")]
pub struct SccArgs {
    /// HOA file, `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Decomposition: Tarjan's, or Couvreur's as in SE05 section 4.4
    #[arg(short, long, value_name = "NAME", default_value = "tarjan", value_enum)]
    pub algorithm: Decomposition,
    /// Form of the output
    #[arg(long, value_name = "FORM", default_value = "text", value_enum)]
    pub format: SccFormat,
    /// Limits of the search.
    #[command(flatten)]
    pub limits: Limits,
}

/// How to decompose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum Decomposition {
    Tarjan,
    Se05,
}

/// How to show components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum SccFormat {
    Text,
    /// The component graph for Graphviz
    Dot,
}

/// Arguments of `riata random`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata random -n 100 -d 2.5 -a 3 --seed 7
  riata random -n 50 --weak --count 20 -o weak.hoa")]
pub struct RandomArgs {
    /// Number of states
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    pub states: u32,
    /// Edges per state: round(D·N) edges in all, by Karp's model different ones
    #[arg(short, long, value_name = "D", default_value_t = 2.0)]
    pub density: f64,
    /// Number of acceptance sets
    #[arg(short = 'a', long, value_name = "K", default_value_t = 1)]
    pub sets: u32,
    /// How likely an edge (or state) belongs to a set
    #[arg(short = 'p', long, value_name = "P", default_value_t = 0.1)]
    pub marks: f64,
    /// Exact number of states in each set, or a share of all states such as 0.1n; implies --state-acc
    #[arg(long, value_name = "SIZE", conflicts_with = "marks")]
    pub fair: Option<String>,
    /// Acceptance on states instead of edges
    #[arg(long)]
    pub state_acc: bool,
    /// Cut the states into so many blocks, with edges inside a block and to later ones only
    #[arg(long, value_name = "B", default_value_t = 1)]
    pub blocks: u32,
    /// Make the automaton weak: each block carries all marks, or one of them nowhere
    #[arg(long, conflicts_with = "terminal")]
    pub weak: bool,
    /// Make the automaton terminal: only the last block accepts
    #[arg(long, conflicts_with = "marks")]
    pub terminal: bool,
    /// Take one mark from each accepting component, so that the language is empty
    #[arg(long)]
    pub empty: bool,
    /// Number of atomic propositions in the labels
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub aps: u32,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// How many automata, with this seed and the following ones
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub count: u64,
    /// File to write; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Arguments of `riata man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata man check | man -l -                    read the page of `riata check`
  riata man --output ~/.local/share/man/man1    write all pages, for `man riata-check`")]
pub struct ManArgs {
    /// Command whose page is written; without one, the page of `riata` itself
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub page: Option<String>,
    /// Write all pages into this folder
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

/// Arguments of `riata completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata completions bash > ~/.local/share/bash-completion/completions/riata
  riata completions zsh > ~/.zfunc/_riata
  riata completions fish > ~/.config/fish/completions/riata.fish")]
pub struct CompletionsArgs {
    /// Shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: clap_complete::Shell,
}
