//! The arguments of `riata graph` and `riata animate`.

use crate::args::Decomposition;
use clap::ValueEnum;
use riata::options::{Algorithms, EndOfRuns, Fairness, Limits, Reading};
use riata::{Kind, Options, animate};
use riata_automata::translate::Construction;
use riata_ltl::Dialect;
use std::path::PathBuf;

/// What is drawn, and where it goes.
#[derive(Clone, Debug, clap::Args)]
pub struct Drawn {
    /// Kind of model, if its name does not tell
    #[arg(long, value_name = "KIND", value_enum)]
    pub input: Option<Kind>,
    /// The product with the automaton of this formula, as `riata check --ltl` searches it
    #[arg(long, value_name = "FORMULA", conflicts_with = "property")]
    pub ltl: Vec<String>,
    /// The product with the automaton of this property of the model
    #[arg(short, long, value_name = "NAME")]
    pub property: Option<String>,
    /// The automaton of the formula itself, instead of that of its negation
    #[arg(long, requires = "ltl")]
    pub exists: bool,
    /// What becomes of runs that end, in products [default: stutter]
    #[arg(long, value_name = "HOW", value_enum)]
    pub deadlocks: Option<EndOfRuns>,
    /// Which runs count, in products of Promela and DVE models: none or weak [default: none]
    #[arg(long, value_name = "WHICH", value_enum)]
    pub fairness: Option<Fairness>,
    /// Notation of formulas: auto, spot, spin, smv or unicode [default: auto]
    #[arg(long, value_name = "NAME", value_parser = dialect)]
    pub dialect: Option<Dialect>,
    /// Draw so many states at most [default: 300]
    #[arg(long, value_name = "N")]
    pub max_states: Option<usize>,
    /// File to write; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Limits of the whole call.
    #[command(flatten)]
    pub limits: Limits,
    /// How the model is read.
    #[command(flatten)]
    pub reading: Reading,
}

fn dialect(name: &str) -> Result<Dialect, String> {
    Dialect::from_name(name).ok_or_else(|| "there are auto, spot, spin, smv and unicode".into())
}

fn construction(name: &str) -> Result<Construction, String> {
    match Construction::from_name(name) {
        Some(c @ (Construction::Closure | Construction::Gpvw96)) => Ok(c),
        _ => Err("there are films of closure and gpvw96".into()),
    }
}

impl Drawn {
    /// With how many states at most.
    pub fn most(&self) -> usize {
        self.max_states.unwrap_or(animate::MOST)
    }

    /// What the library is asked.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        options.reading = self.reading.clone();
        options.limits = self.limits;
        options.deciding.deadlocks = self.deadlocks;
        options.deciding.fairness = self.fairness;
        options.deciding.dialect = self.dialect;
        options.exists = self.exists;
        options.ltl.clone_from(&self.ltl);
        options.property.extend(self.property.clone());
        options
    }
}

/// Forms of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// A picture
    Svg,
    /// For Graphviz
    Dot,
    /// An automaton in the Hanoi Omega-Automata format; the names of its states are the states of the model
    Hoa,
}

/// Arguments of `riata graph`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata graph model.pml -o states.svg           the state space, components in colours
  riata graph model.smv --format dot | dot -Tpdf > states.pdf
  riata graph model.dve --ltl 'G F P.critical' -o product.svg
  riata graph automaton.hoa --format svg > automaton.svg
  riata graph model.pml --format hoa | riata scc -")]
pub struct GraphArgs {
    /// Model, or automaton in HOA
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Form of the graph
    #[arg(long, value_name = "FORM", default_value = "svg", value_enum)]
    pub format: GraphFormat,
    /// What is drawn.
    #[command(flatten)]
    pub drawn: Drawn,
}

/// Arguments of `riata animate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata animate automaton.hoa -a se05 -o se05.html       a nested search, colour by colour
  riata animate automaton.hoa --scc tarjan -o scc.html   its components
  riata animate model.pml --ltl '[]<> x == 1' -a ascc -o ascc.html
  riata animate model.smv --ltl 'G F ready' -a el -o el.html   a fixpoint, set by set
  riata animate --formula 'p U (q U r)' --construction gpvw96 -o tableau.html

The page needs nothing but a browser. Space plays, the arrow keys step.")]
pub struct AnimateArgs {
    /// Automaton in HOA, or model
    #[arg(value_name = "MODEL", required_unless_present = "formula", conflicts_with = "formula")]
    pub model: Option<PathBuf>,
    /// Emptiness check or fixpoint: a citation key, or a name of FFKVY01, such as el and owcty; `auto` for the papers'
    /// advice
    #[arg(short, long, value_name = "NAME", default_value = "auto")]
    pub algorithm: Algorithms,
    /// The components of the automaton or state space: by Tarjan's algorithm, or Couvreur's as in SE05 section 4.4
    #[arg(long, value_name = "NAME", value_enum, conflicts_with = "algorithm")]
    pub scc: Option<Decomposition>,
    /// The translation of this formula to an automaton
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["algorithm", "scc", "ltl", "property", "exists",
        "deadlocks", "fairness", "input", "define", "undefine", "include", "cpp", "no_optimise"])]
    pub formula: Option<String>,
    /// Its construction: closure or gpvw96 [default: gpvw96]
    #[arg(long, value_name = "NAME", requires = "formula", value_parser = construction)]
    pub construction: Option<Construction>,
    /// What is drawn.
    #[command(flatten)]
    pub drawn: Drawn,
}
