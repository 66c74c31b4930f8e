//! The arguments, as in the contract.

use crate::size;
use clap::{Parser, Subcommand, ValueEnum};
use riata_explore::Algorithm;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

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
    Check(CheckArgs),
    /// Counts the states of a model, and finds deadlocks, violated assertions and run-time errors
    Explore(ExploreArgs),
    /// Follows one run of a model, by chance or by hand
    Simulate(SimulateArgs),
    /// Confirms that a saved trace is a run of a model
    Replay(ReplayArgs),
    /// Translates temporal formulas to automata
    Ltl(crate::ltl::LtlArgs),
    /// Decides whether an automaton has an accepting run, and shows one
    Empty(EmptyArgs),
    /// Lists the strongly connected components of an automaton
    Scc(SccArgs),
    /// Writes random automata in HOA
    Random(RandomArgs),
}

/// Arguments of `riata explore`.
#[derive(Debug, clap::Args)]
pub struct ExploreArgs {
    /// Model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Kind of model, if its name does not tell
    #[arg(long, value_name = "KIND", value_enum)]
    pub input: Option<ModelKind>,
    /// Store of states: exact or tree
    #[arg(short, long, value_name = "STORE", default_value = "exact", value_enum)]
    pub store: StoreKind,
    /// Tell which statements no run reaches (Promela; walks through all states once more)
    #[arg(long)]
    pub coverage: bool,
    /// Write what the search would run on, instead of searching (DVE, Promela)
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with_all = ["coverage", "engine"])]
    pub print: Option<Printed>,
    /// Limits of the search.
    #[command(flatten)]
    pub limits: Limits,
    /// What the preprocessor is told.
    #[command(flatten)]
    pub pre: Preprocessing,
    /// Flags of the symbolic engine.
    #[command(flatten)]
    pub symbolic: Symbolic,
}

/// Arguments of `riata check`.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Kind of model, if its name does not tell
    #[arg(long, value_name = "KIND", value_enum)]
    pub input: Option<ModelKind>,
    /// Check this formula; its propositions are expressions of the model, such as `P.busy` and `x == 3`
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// Check this formula of CTL, with fairness, in the notation of SMV, such as `AG (req -> AF ack)` (SMV)
    #[arg(long, value_name = "FORMULA", conflicts_with = "exists")]
    pub ctl: Vec<String>,
    /// Notation of formulas: auto, spot, spin, smv or unicode
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = dialect)]
    pub dialect: riata_ltl::Dialect,
    /// Look for a run that satisfies the formula, instead of one that violates it
    #[arg(long, requires = "ltl")]
    pub exists: bool,
    /// Check only this property of the model: its own name, or assertions, deadlock, property (DVE's property
    /// process), claim, … or by its number, such as b0 and j0 (AIGER)
    #[arg(short, long, value_name = "NAME")]
    pub property: Vec<String>,
    /// Emptiness check: a citation key, `auto` for the papers' advice, `all` to compare
    #[arg(short, long, value_name = "NAME", default_value = "auto")]
    pub algorithm: Algorithms,
    /// Store of states
    #[arg(short, long, value_name = "STORE", default_value = "exact", value_enum)]
    pub store: StoreKind,
    /// What becomes of runs that end, in properties of infinite runs
    #[arg(long, value_name = "HOW", default_value = "stutter", value_enum)]
    pub deadlocks: EndOfRuns,
    /// Which runs count, in properties of infinite runs of Promela models
    #[arg(long, value_name = "WHICH", default_value = "none", value_enum)]
    pub fairness: Fairness,
    /// Write the first counterexample to this file, in the Informal Trace Format
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Write the answers and stimuli to this file, in the format of AIGER 1.9 for witnesses (AIGER)
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// Tell which statements no run reaches (Promela; walks through all states once more)
    #[arg(long)]
    pub coverage: bool,
    /// Limits of each search.
    #[command(flatten)]
    pub limits: Limits,
    /// Parameters of lossy stores.
    #[command(flatten)]
    pub hashing: Hashing,
    /// Further forms of the run.
    #[command(flatten)]
    pub pictures: Pictures,
    /// What the preprocessor is told.
    #[command(flatten)]
    pub pre: Preprocessing,
    /// Flags of the symbolic engine.
    #[command(flatten)]
    pub symbolic: Symbolic,
}

impl CheckArgs {
    /// What is asked for and cannot be had for a model of this kind.
    pub fn refused(&self, kind: Option<ModelKind>) -> Option<&'static str> {
        let asked = [
            (
                self.coverage && !matches!(kind, Some(ModelKind::Promela | ModelKind::Dve)),
                "--coverage is for Promela and DVE models",
            ),
            (!self.ctl.is_empty() && kind != Some(ModelKind::Smv), "--ctl is for SMV models"),
            (
                !self.ltl.is_empty() && kind == Some(ModelKind::Aiger),
                "a circuit has properties of its own; --ltl is for other models",
            ),
            (self.witness.is_some() && kind != Some(ModelKind::Aiger), "--witness is for AIGER circuits"),
        ];
        asked.iter().find(|(wrong, _)| *wrong).map(|(_, why)| *why)
    }
}

/// Flags of the symbolic engine.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Symbolic engine")]
pub struct Symbolic {
    /// Engine: explicit states, or sets of states as decision diagrams (the only one for SMV and AIGER)
    #[arg(long, value_name = "ENGINE", value_enum)]
    pub engine: Option<EngineKind>,
    /// Order of the variables: a file with a name a line, the top first; `x.0` is the lowest bit of `x`
    #[arg(long, value_name = "FILE")]
    pub order: Option<PathBuf>,
    /// Write the order of the variables to this file, bit by bit, as it is at the end
    #[arg(long, value_name = "FILE")]
    pub write_order: Option<PathBuf>,
    /// Change the order early, as soon as there are a few thousand nodes (group sifting); otherwise when there are many
    #[arg(long, conflicts_with = "no_reorder")]
    pub reorder: bool,
    /// Never change the order
    #[arg(long)]
    pub no_reorder: bool,
    /// One relation instead of clusters
    #[arg(long)]
    pub monolithic: bool,
}

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineKind {
    /// States one by one
    Explicit,
    /// Sets of states as decision diagrams
    Symbolic,
}

/// What can be written of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Printed {
    /// The program: variables, channels and control graphs, optimised unless --no-optimise says otherwise
    Program,
}

/// Arguments of `riata simulate`.
#[derive(Debug, clap::Args)]
pub struct SimulateArgs {
    /// Model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Kind of model, if its name does not tell
    #[arg(long, value_name = "KIND", value_enum)]
    pub input: Option<ModelKind>,
    /// Stop after so many steps: 50, or all that --guide tells
    #[arg(short = 'n', long, value_name = "N")]
    pub steps: Option<usize>,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Choose each step by hand
    #[arg(short, long)]
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
    /// What the preprocessor is told.
    #[command(flatten)]
    pub pre: Preprocessing,
}

/// Arguments of `riata replay`.
#[derive(Debug, clap::Args)]
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
    pub input: Option<ModelKind>,
    /// Further forms of the run.
    #[command(flatten)]
    pub pictures: Pictures,
    /// What the preprocessor is told.
    #[command(flatten)]
    pub pre: Preprocessing,
}

/// Further forms of a run of a Promela or SMV model, or of a circuit.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Forms of the run (Promela, SMV, AIGER)")]
pub struct Pictures {
    /// Show the messages of the run as a message sequence chart, too (Promela)
    #[arg(long)]
    pub msc: bool,
    /// Write a picture of the run to this file: the message sequence chart (Promela), or a waveform
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write a page about the run to this file: steps, picture and source
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the run to this file as a trail, for `spin -t` (Promela)
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
    /// Write the run to this file as a value change dump, for GTKWave; a cycle is there twice (SMV, AIGER)
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
}

impl Pictures {
    /// Why they cannot be had for a model of this kind.
    pub fn refused(&self, kind: Option<ModelKind>) -> Option<&'static str> {
        let drawn = self.svg.is_some() || self.html.is_some();
        let messages = self.msc || self.trail.is_some();
        match kind {
            Some(ModelKind::Dve) if self.trail.is_some() => Some("--trail is for Promela models"),
            Some(ModelKind::Promela | ModelKind::Dve) => {
                self.vcd.is_some().then_some("--vcd is for SMV models and AIGER circuits")
            }
            Some(ModelKind::Smv | ModelKind::Aiger) => {
                messages.then_some("--msc is for Promela and DVE models, --trail for Promela models")
            }
            _ if messages => Some("--msc is for Promela and DVE models, --trail for Promela models"),
            _ if drawn => Some("--svg and --html are not for Kripke structures"),
            _ => self.vcd.is_some().then_some("--vcd is for SMV models and AIGER circuits"),
        }
    }
}

/// What becomes of a run that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EndOfRuns {
    /// Its last state is repeated for ever
    Stutter,
    /// It does not count
    Ignore,
}

fn dialect(name: &str) -> Result<riata_ltl::Dialect, String> {
    riata_ltl::Dialect::from_name(name).ok_or_else(|| "there are auto, spot, spin, smv and unicode".into())
}

impl From<EndOfRuns> for riata_system::Deadlocks {
    fn from(ends: EndOfRuns) -> Self {
        match ends {
            EndOfRuns::Stutter => riata_system::Deadlocks::Stutter,
            EndOfRuns::Ignore => riata_system::Deadlocks::Ignore,
        }
    }
}

/// The languages of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelKind {
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
}

/// Which runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fairness {
    /// All
    None,
    /// Those in which a process that can move for ever moves again and again
    Weak,
    /// Those in which a process that can move again and again moves again and again
    Strong,
}

/// What the preprocessor is told.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Promela")]
pub struct Preprocessing {
    /// Define a macro, as in NAME or NAME=VALUE
    #[arg(short = 'D', long, value_name = "MACRO")]
    pub define: Vec<String>,
    /// Do not define a macro
    #[arg(short = 'U', long, value_name = "NAME")]
    pub undefine: Vec<String>,
    /// Look for included files here, too
    #[arg(short = 'I', long, value_name = "DIR")]
    pub include: Vec<String>,
    /// Let this command preprocess the model, instead of Riata itself
    #[arg(long, value_name = "COMMAND")]
    pub cpp: Option<String>,
    /// Leave the program as it is written, or leave out some passes only
    #[arg(long, value_name = "PASS,…", num_args = 0..=1, require_equals = true, value_delimiter = ',',
        default_missing_value = "all")]
    pub no_optimise: Vec<Pass>,
}

/// A pass that makes a program smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
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
    /// Print more
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_enum)]
    pub color: Colour,
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
pub struct EmptyArgs {
    /// HOA file, `-` for standard input; each automaton of a stream is checked
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Emptiness check: a citation key, `auto` for the papers' advice, `all` to compare
    #[arg(short, long, value_name = "NAME", default_value = "auto")]
    pub algorithm: Algorithms,
    /// Store of states
    #[arg(short, long, value_name = "STORE", default_value = "dense", value_enum)]
    pub store: StoreKind,
    /// Engine: explicit states, or sets of states as decision diagrams, with FFKVY01's algorithms
    #[arg(long, value_name = "ENGINE", value_enum)]
    pub engine: Option<EngineKind>,
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

/// The stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StoreKind {
    /// The number of a state is its place: only for automata that are written down
    Dense,
    /// Hash table with all states
    Exact,
    /// Hash table with states compressed as trees
    Tree,
    /// Bitstate hashing: small, never certain that the language is empty
    Bitstate,
    /// Hash compaction: 64 bits a state, never certain that the language is empty
    Compact,
}

/// Which checks to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithms {
    /// The papers' advice.
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

/// Parameters of lossy stores.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Lossy stores")]
pub struct Hashing {
    /// Bitstate: bits set for each state
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub hashes: u32,
    /// Repeat with other hash functions until an accepting run is found, at most so often
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Seed of the hash functions
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// Arguments of `riata random`.
#[derive(Debug, clap::Args)]
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
    #[arg(long)]
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

/// What a search may use.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Stop when the search holds so much memory, e.g. 2GiB; also the size of the bitstate store
    #[arg(long, value_name = "SIZE", value_parser = size::bytes)]
    pub memory: Option<usize>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = size::seconds)]
    pub time: Option<Duration>,
    /// Number of threads; only 1 is possible so far
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = one_thread)]
    pub threads: u32,
}

impl Limits {
    /// When something that begins now must stop.
    pub fn deadline(&self) -> Option<Instant> {
        self.time.and_then(|t| Instant::now().checked_add(t))
    }
}

fn one_thread(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(1) => Ok(1),
        Ok(_) => Err("searches with several threads are not built yet; only 1 is possible".into()),
        Err(_) => Err("write a number of threads".into()),
    }
}
