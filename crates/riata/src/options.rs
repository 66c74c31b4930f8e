//! What can be asked for. Every option is empty unless somebody gave it, so that what was given can be told from what is
//! so anyway; [`table`](crate::table) says for which kinds of models each means something.

use riata_explore::Algorithm;
use riata_ltl::Dialect;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The kinds of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Kind {
    /// DVE, the language of DiVinE
    Dve,
    /// Kripke structure in HOA: a label on every state
    Hoa,
    /// Promela, the language of Spin
    Promela,
    /// SMV, the language of NuSMV
    Smv,
    /// AIGER circuit, ascii or binary
    Aiger,
    /// A Rust type that implements [`rust::Model`](crate::rust::Model)
    #[cfg_attr(feature = "clap", value(skip))]
    Rust,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 6] = [Kind::Promela, Kind::Dve, Kind::Hoa, Kind::Smv, Kind::Aiger, Kind::Rust];

    /// What such a model is called.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Dve => "DVE models",
            Kind::Hoa => "Kripke structures (HOA)",
            Kind::Promela => "Promela models",
            Kind::Smv => "SMV models",
            Kind::Aiger => "AIGER circuits",
            Kind::Rust => "models in Rust",
        }
    }

    /// The kind that the name of a file tells.
    pub fn of(path: &std::path::Path) -> Option<Kind> {
        match path.extension()?.to_str()? {
            "dve" => Some(Kind::Dve),
            "hoa" => Some(Kind::Hoa),
            "pml" | "promela" | "prom" | "pm" => Some(Kind::Promela),
            "smv" => Some(Kind::Smv),
            "aag" | "aig" => Some(Kind::Aiger),
            _ => None,
        }
    }

    /// Is the symbolic engine the only one there is?
    pub fn is_synchronous(self) -> bool {
        matches!(self, Kind::Smv | Kind::Aiger)
    }
}

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Engine {
    /// States one by one
    Explicit,
    /// Sets of states as decision diagrams
    Symbolic,
    /// States one by one, on a graphics processor
    Gpu,
}

/// The stores of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Store {
    /// The number of a state is its place: only for automata that are written down
    Dense,
    /// Hash table with all states
    #[default]
    Exact,
    /// Hash table with compressed states
    Tree,
    /// Bitstate hashing: small, never certain that the language is empty
    Bitstate,
    /// Hash compaction: 64 bits a state, never certain that the language is empty
    Compact,
}

impl Store {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Store::Dense => "dense",
            Store::Exact => "exact",
            Store::Tree => "tree",
            Store::Bitstate => "bitstate",
            Store::Compact => "compact",
        }
    }

    /// May it leave out states?
    pub fn is_lossy(self) -> bool {
        matches!(self, Store::Bitstate | Store::Compact)
    }
}

/// Which checks to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Algorithms {
    /// The papers' advice.
    #[default]
    Auto,
    /// Every check that applies.
    All,
    /// This one.
    One(Algorithm),
    /// This one, of the symbolic engine.
    Symbolic(riata_symbolic::Algorithm),
}

impl FromStr for Algorithms {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "auto" => Ok(Algorithms::Auto),
            "all" => Ok(Algorithms::All),
            _ => match riata_symbolic::Algorithm::from_name(name) {
                Some(algorithm) => Ok(Algorithms::Symbolic(algorithm)),
                None => name.parse().map(Algorithms::One),
            },
        }
    }
}

/// What becomes of a run that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum EndOfRuns {
    /// Its last state is repeated for ever
    #[default]
    Stutter,
    /// It does not count
    Ignore,
}

impl From<EndOfRuns> for riata_system::Deadlocks {
    fn from(ends: EndOfRuns) -> Self {
        match ends {
            EndOfRuns::Stutter => riata_system::Deadlocks::Stutter,
            EndOfRuns::Ignore => riata_system::Deadlocks::Ignore,
        }
    }
}

/// Which runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Fairness {
    /// All
    #[default]
    None,
    /// Weakly fair runs: a process that is enabled from some point on moves infinitely often
    Weak,
    /// Strongly fair runs: a process that is enabled infinitely often moves infinitely often
    Strong,
}

/// Automata of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Automaton {
    /// Generalised Büchi, with acceptance on edges: the smaller one
    Tgba,
    /// Büchi, with one acceptance set on states
    Ba,
}

/// A pass that makes a program smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Pass {
    /// Every pass
    All,
    /// Forgetting what is stored to variables that nobody reads
    Unread,
    /// Joining statements that concern nobody else
    Merge,
    /// Resetting variables that are not read again
    Dead,
}

/// How a model is read.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Promela"))]
#[non_exhaustive]
pub struct Reading {
    /// Define a macro, as in NAME or NAME=VALUE
    #[cfg_attr(feature = "clap", arg(short = 'D', long, value_name = "MACRO"))]
    pub define: Vec<String>,
    /// Do not define a macro
    #[cfg_attr(feature = "clap", arg(short = 'U', long, value_name = "NAME"))]
    pub undefine: Vec<String>,
    /// Look for included files here, too
    #[cfg_attr(feature = "clap", arg(short = 'I', long, value_name = "DIR"))]
    pub include: Vec<String>,
    /// Let this command preprocess the model, instead of Riata itself
    #[cfg_attr(feature = "clap", arg(long, value_name = "COMMAND"))]
    pub cpp: Option<String>,
    /// Leave the program as it is written, or leave out some passes only
    #[cfg_attr(feature = "clap", arg(long, value_name = "PASS,…", num_args = 0..=1, require_equals = true,
        value_delimiter = ',', default_missing_value = "all"))]
    pub no_optimise: Vec<Pass>,
}

/// Partial-order reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Por {
    /// Where it keeps the answer and leaves something out
    Auto,
    /// Where it keeps the answer, even if it leaves out hardly anything
    On,
    /// Never
    Off,
}

/// What a search is spared.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[non_exhaustive]
pub struct Reducing {
    /// Partial-order reduction of Promela and DVE models: of steps whose order makes no difference one order is tried
    /// [default: auto for check, off for explore, which counts]
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHEN", value_enum))]
    pub por: Option<Por>,
    /// Run Promela and DVE models by the interpreter alone, not by native code
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "jit_after"))]
    pub no_jit: bool,
    /// Make native code after so many states, 0 for at once [default: 128 for each edge, as small models are done before it is made]
    #[cfg_attr(feature = "clap", arg(long, value_name = "STATES"))]
    pub jit_after: Option<u32>,
}

/// How properties are decided.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[non_exhaustive]
pub struct Deciding {
    /// Emptiness check: a citation key, `auto` for the papers' advice, `all` to compare [default: auto]
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "NAME"))]
    pub algorithm: Option<Algorithms>,
    /// What becomes of runs that end, in properties of infinite runs [default: stutter]
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOW", value_enum))]
    pub deadlocks: Option<EndOfRuns>,
    /// Which runs count, in properties of infinite runs of Promela and DVE models [default: none]
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHICH", value_enum))]
    pub fairness: Option<Fairness>,
    /// Show a lasso of minimal total length
    #[cfg_attr(feature = "clap", arg(long))]
    pub shortest: bool,
    /// Automaton of a formula: generalised, with acceptance on edges, or with one acceptance set on states, as all checks
    /// can take it, to compare them [default: what the check can take]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KIND", value_enum))]
    pub automaton: Option<Automaton>,
    /// Notation of formulas: auto, spot, spin, smv or unicode [default: auto]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", value_parser = dialect))]
    pub dialect: Option<Dialect>,
}

/// Reads the name of a notation.
#[cfg(feature = "clap")]
fn dialect(name: &str) -> Result<Dialect, String> {
    Dialect::from_name(name).ok_or_else(|| "there are auto, spot, spin, smv and unicode".into())
}

/// Parameters of lossy stores.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Lossy stores"))]
#[non_exhaustive]
pub struct Hashing {
    /// Bitstate: bits set for each state [default: 3]
    #[cfg_attr(feature = "clap", arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=64)))]
    pub hashes: Option<u32>,
    /// Repeat with other hash functions until something is found, at most so often [default: 1; of searches for assertions and
    /// deadlocks as many as there are threads]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..)))]
    pub runs: Option<u32>,
    /// Seed of the hash functions [default: 0]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub seed: Option<u64>,
}

impl Hashing {
    /// Bits set for each state.
    pub fn bits(&self) -> u32 {
        self.hashes.unwrap_or(3)
    }
}

/// What a call may use.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Limits"))]
#[non_exhaustive]
pub struct Limits {
    /// Stop when a search holds so much memory, e.g. 2GiB; also the size of the bitstate store [default: most of what
    /// the machine and the control group have left]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE", value_parser = crate::size::bytes))]
    pub memory: Option<usize>,
    /// Stop after so long: seconds, or with a unit, e.g. 90s or 5m; the whole call has this time
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME", value_parser = crate::size::time))]
    pub time: Option<Duration>,
    /// Number of threads of the explicit engine, or `auto`: all cores, for searches that gain by it [default: breadth-first searches
    /// without reduction that are large by all cores, others by 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub threads: Option<Threads>,
    /// Where nobody says how many threads: the states after which all cores begin again [default: 524288]. Not an option of the
    /// command line; tests set it.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub alone: Option<usize>,
}

/// How many threads a search has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// One for each core, if the search gains by it.
    Auto,
    /// So many.
    Just(usize),
}

impl Threads {
    /// The most that there can be.
    pub const MOST: usize = 48;

    /// How many there are: one, unless more were asked for.
    pub fn number(asked: Option<Threads>) -> usize {
        match asked {
            None => 1,
            Some(Threads::Just(n)) => n,
            Some(Threads::Auto) => cores().min(Self::MOST),
        }
    }

    /// Were several asked for?
    pub fn are_several(self) -> bool {
        matches!(self, Threads::Just(n) if n > 1)
    }
}

/// How many cores the machine gives this process.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

impl FromStr for Threads {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(n) if (1..=Self::MOST).contains(&n) => Ok(Threads::Just(n)),
            _ if text == "auto" => Ok(Threads::Auto),
            _ => Err(format!("write a number from 1 to {}, or auto", Self::MOST)),
        }
    }
}

/// Several processes, and searches that are written down.
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "Several processes, checkpoints")
)]
#[non_exhaustive]
pub struct Spreading {
    /// Divide the states among so many processes, which are started on this machine (Promela, DVE)
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256)))]
    pub processes: Option<u16>,
    /// Divide the states among the processes of this file, a line `host:port` each: the first is this one, the others are
    /// started there with `riata worker` (Promela, DVE)
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub hosts: Option<PathBuf>,
    /// File with the token that the processes of --hosts share [default: the variable RIATA_TOKEN]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub token: Option<PathBuf>,
    /// Listen at this address, instead of the one that --hosts tells
    #[cfg_attr(feature = "clap", arg(long, value_name = "ADDRESS"))]
    pub listen: Option<String>,
    /// Write the search down in this directory, level by level, so that it can go on later (Promela, DVE)
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR"))]
    pub checkpoint: Option<PathBuf>,
    /// Go on with the search that is written down in this directory (Promela, DVE)
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR"))]
    pub resume: Option<PathBuf>,
    /// Commit a level if the last commit is so long ago [default: 1s]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME", value_parser = crate::size::time))]
    pub commit_every: Option<Duration>,
}

impl Spreading {
    /// Are there several processes, or is the search written down?
    pub fn is_given(&self) -> bool {
        self.processes.is_some() || self.hosts.is_some() || self.is_kept()
    }

    /// Is it written down?
    pub fn is_kept(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }
}

/// Flags of the symbolic engine.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Symbolic engine"))]
#[non_exhaustive]
pub struct Symbolic {
    /// Engine: explicit states, sets of states as decision diagrams (the only one for SMV and AIGER), or explicit states
    /// on a graphics processor (Promela, DVE: explore, assertions and deadlocks)
    #[cfg_attr(feature = "clap", arg(long, value_name = "ENGINE", value_enum))]
    pub engine: Option<Engine>,
    /// Order of the variables: a file with a name a line, the top first; `x.0` is the lowest bit of `x` (SMV, AIGER)
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub order: Option<PathBuf>,
    /// Write the order of the variables to this file, bit by bit, as it is at the end (SMV, AIGER)
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub write_order: Option<PathBuf>,
    /// Change the order early, as soon as there are a few thousand nodes (group sifting); otherwise when there are many
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "no_reorder"))]
    pub reorder: bool,
    /// Never change the order
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_reorder: bool,
    /// One relation instead of clusters
    #[cfg_attr(feature = "clap", arg(long))]
    pub monolithic: bool,
}

/// Forms of runs that cost something to make.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Forms {
    /// The states as objects, for JSON and the Informal Trace Format.
    pub states: bool,
    /// The text for people.
    pub text: bool,
    /// The messages, as a chart.
    pub chart: bool,
    /// The messages, shown with the run.
    pub messages: bool,
    /// A picture: messages, or a waveform.
    pub picture: bool,
    /// A waveform.
    pub wave: bool,
    /// The trail for Spin.
    pub trail: bool,
    /// The AIGER witness.
    pub witness: bool,
    /// The automaton of the property, and its states along the run.
    pub automaton: bool,
    /// Columns of processes, so many side by side.
    pub columns: bool,
}

impl Default for Forms {
    fn default() -> Self {
        Forms {
            states: true,
            text: true,
            chart: false,
            messages: false,
            picture: false,
            wave: false,
            trail: false,
            witness: false,
            automaton: false,
            columns: false,
        }
    }
}

/// Everything that can be asked for.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// How the model is read.
    pub reading: Reading,
    /// How properties are decided.
    pub deciding: Deciding,
    /// What is left out.
    pub reducing: Reducing,
    /// The store of states.
    pub store: Option<Store>,
    /// Parameters of lossy stores.
    pub hashing: Hashing,
    /// What the call may use.
    pub limits: Limits,
    /// Flags of the symbolic engine.
    pub symbolic: Symbolic,
    /// Several processes, and checkpoints.
    pub spreading: Spreading,
    /// Is a run wanted that satisfies the formula?
    pub exists: bool,
    /// Which statements does no run reach?
    pub coverage: bool,
    /// Where does the time of the search go?
    pub stats: bool,
    /// How large is the whole product of the model and the automaton of a formula?
    pub product: bool,
    /// Forms of runs.
    pub forms: Forms,
    /// Formulas in LTL, in the order in which they were given.
    pub ltl: Vec<String>,
    /// Formulas in CTL.
    pub ctl: Vec<String>,
    /// The properties of the model that are chosen; all of them if there is none, and no formula.
    pub property: Vec<String>,
}
