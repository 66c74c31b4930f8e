//! `riata ltl`: from formulas to automata.

use crate::args::Common;
use crate::explain::explain;
use crate::input::Input;
use crate::output::{Exit, complain, eprint, print};
use clap::ValueEnum;
use cpu_time::ThreadTime;
use riata_automata::classify::{class, is_deterministic, is_stutter_invariant};
use riata_automata::draw::dot::dot;
use riata_automata::hoa::{self, Automaton};
use riata_automata::reduce::degeneralise;
use riata_automata::translate::{Budget, Construction, Options, Output, TranslateError, translate};
use riata_automata::{Tgba, never, strength};
use riata_ltl::simplify::Rules;
use riata_ltl::{Dialect, Ltl, parse, print as print_formula};
use riata_report::answer::{Document, Problem};
use riata_source::line_column;
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Arguments of `riata ltl`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  riata ltl 'G (req -> F ack)'
  riata ltl '[]<> p' --negate --format never     a never claim for Spin
  riata ltl 'p U q' --explain                    closure, legal sets, automaton
  riata ltl --file formulas.txt --stats")]
pub struct LtlArgs {
    /// Formula
    #[arg(value_name = "FORMULA", required_unless_present = "file", conflicts_with = "file")]
    pub formula: Option<String>,
    /// File of formulas, one a line, or `tag<TAB>formula`; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Notation: auto, spot, spin, smv or unicode
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = dialect)]
    pub dialect: Dialect,
    /// Construction: couvreur99, go01, gpvw96 or closure
    #[arg(long, value_name = "NAME", default_value = "couvreur99", value_parser = construction)]
    pub construction: Construction,
    /// Transition-based generalised Büchi automaton (the default)
    #[arg(long, conflicts_with = "ba")]
    pub tgba: bool,
    /// Büchi automaton: one acceptance set, on states
    #[arg(long)]
    pub ba: bool,
    /// Form of the automaton
    #[arg(long, value_name = "FORM", value_enum)]
    pub format: Option<Format>,
    /// Print sizes and classes instead of the automaton; with -v also, on standard error
    #[arg(long, conflicts_with = "format")]
    pub stats: bool,
    /// Show the closure, the legal sets and the automaton, as the lecture does
    #[arg(long, conflicts_with_all = ["file", "stats", "format", "json", "tgba", "verbose"])]
    pub explain: bool,
    /// Translate the negation, as model checking does
    #[arg(long)]
    pub negate: bool,
    /// Leave out a stage; may be repeated
    #[arg(long, value_name = "STAGE", value_enum)]
    pub without: Vec<Stage>,
    /// Give up a formula after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub budget: f64,
    /// Rewrite the formula by comparing the languages of its parts, too; slow, sometimes smaller
    #[arg(long)]
    pub containment: bool,
    /// Give up a formula when its automaton has so many states before reduction
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub max_states: usize,
}

/// How to show an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The Hanoi Omega-Automata format
    Hoa,
    /// A never claim for Spin
    Never,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}

/// The stages that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// Rewriting of the formula
    Rewriting,
    /// Removal of dead states and useless marks
    Trim,
    /// Direct and reverse simulation
    Simulation,
    /// Replacement of states by later ones
    Downward,
    /// Minimal weak automata for obligations
    Wdba,
    /// Levels per component and orders of sets in degeneralisation
    Levels,
    /// Simulation on the Büchi automaton
    BaSimulation,
}

fn dialect(name: &str) -> Result<Dialect, String> {
    Dialect::from_name(name).ok_or_else(|| "there are auto, spot, spin, smv and unicode".into())
}

fn construction(name: &str) -> Result<Construction, String> {
    Construction::from_name(name).ok_or_else(|| "there are couvreur99, go01, gpvw96 and closure".into())
}

/// One formula in the JSON of the contract.
#[derive(Debug, Default, Serialize)]
struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    formula: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(flatten)]
    automaton: Option<Facts>,
}

/// What is told of an automaton.
#[derive(Debug, Serialize)]
struct Facts {
    construction: &'static str,
    states: usize,
    edges: usize,
    acceptance_sets: u32,
    deterministic: bool,
    strength: &'static str,
    inherently_weak: bool,
    class: Option<&'static str>,
    stutter_invariant: Option<bool>,
    cpu_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    hoa: Option<String>,
}

impl LtlArgs {
    /// What cannot be had together.
    fn refused(&self, json: bool) -> Option<&'static str> {
        let never = self.format == Some(Format::Never);
        let of_ba = |s: &Stage| matches!(s, Stage::Levels | Stage::BaSimulation);
        if json && !matches!(self.format, None | Some(Format::Hoa)) {
            return Some("--format: JSON has the automaton in HOA only (--format hoa)");
        }
        if never && self.tgba {
            return Some("--tgba: a never claim is a Büchi automaton");
        }
        let ba = self.ba || never || self.explain;
        (!ba && self.without.iter().any(of_ba))
            .then_some("--without levels and ba-simulation are about Büchi automata (--ba)")
    }

    fn options(&self) -> Options {
        let with = |s: Stage| !self.without.contains(&s);
        let levels = with(Stage::Levels);
        let seconds = if self.budget.is_finite() { self.budget.clamp(0.0, 1e9) } else { 1e9 };
        Options {
            construction: self.construction,
            output: if self.ba || self.format == Some(Format::Never) { Output::Ba } else { Output::Tgba },
            rules: if with(Stage::Rewriting) { Rules::ALL } else { Rules::NONE },
            containment: self.containment,
            trim: with(Stage::Trim),
            simulation: with(Stage::Simulation),
            downward: with(Stage::Downward),
            wdba: with(Stage::Wdba),
            degeneralise: degeneralise::Options { components: levels, orders: levels, common: levels },
            ba_simulation: with(Stage::BaSimulation),
            budget: Budget {
                states: self.max_states,
                deadline: Instant::now().checked_add(Duration::from_secs_f64(seconds)),
                ..Budget::default()
            },
            ..Options::default()
        }
    }
}

/// Runs the command.
pub fn run(args: &LtlArgs, common: &Common) -> Exit {
    if let Some(why) = args.refused(common.json) {
        return complain(common, why);
    }
    let (name, lines) = match (&args.formula, &args.file) {
        (Some(text), _) => ("formula".to_owned(), vec![(1, None, text.clone())]),
        (None, Some(path)) => {
            match Input::read(path).and_then(|input| Ok((formulas(&input)?, input.given))) {
                Ok((lines, given)) => (given, lines),
                Err(message) => return complain(common, &message),
            }
        }
        (None, None) => return complain(common, "give a formula or --file"),
    };
    let mut doc: Document<Entry> = Document::new("ltl", name);
    let mut exit = Exit::Holds;
    for (number, tag, text) in lines {
        let (entry, shown, outcome) = one(args, common, tag, &text, (number, &mut doc.errors));
        exit = exit.and(outcome);
        if common.json {
            doc.results.push(entry);
        } else if !common.quiet {
            print(&shown);
        }
    }
    if common.json {
        print(&doc.to_text());
    }
    exit
}

/// The number of the line, the tag, and the formula.
type Tagged = (usize, Option<String>, String);

fn formulas(input: &Input) -> Result<Vec<Tagged>, String> {
    let Ok(text) = std::str::from_utf8(&input.bytes) else {
        return Err(format!("{} is not UTF-8", input.given));
    };
    let tagged = |(i, line): (usize, &str)| match line.split_once('\t') {
        Some((tag, formula)) => (i + 1, Some(tag.to_owned()), formula.to_owned()),
        None => (i + 1, None, line.to_owned()),
    };
    Ok(text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()).map(tagged).collect())
}

/// One formula: its entry, what is printed of it, and how it went.
fn one(
    args: &LtlArgs,
    common: &Common,
    tag: Option<String>,
    text: &str,
    (number, problems): (usize, &mut Vec<Problem>),
) -> (Entry, String, Exit) {
    let mut entry = Entry { tag, formula: text.to_owned(), ..Entry::default() };
    let f = match parse(text, args.dialect) {
        Ok(f) if args.negate => f.negated(),
        Ok(f) => f,
        Err(d) => {
            common.diagnose(
                entry.tag.as_deref().unwrap_or("formula"),
                text.as_bytes(),
                std::slice::from_ref(&d),
            );
            let (line, column) = line_column(text, d.span.start);
            entry.error = Some(d.message.clone());
            entry.column = Some(column);
            problems.push(Problem {
                file: args.file.as_ref().map(|f| f.to_string_lossy().into_owned()),
                line: Some(if args.file.is_some() { number } else { line }),
                column: Some(column),
                message: d.message,
                help: d.help,
            });
            return (entry, String::new(), Exit::Bad);
        }
    };
    let result =
        if args.explain { explain(&f, &args.options()).map(|s| (None, s)) } else { build(args, common, &f) };
    match result {
        Ok((facts, shown)) => {
            entry.automaton = facts;
            (entry, shown, Exit::Holds)
        }
        Err(e) => {
            if !common.json {
                eprint(&format!("error: {text}: {e}\n"));
            }
            entry.error = Some(e.to_string());
            (entry, String::new(), Exit::Inconclusive)
        }
    }
}

fn build(args: &LtlArgs, common: &Common, f: &Ltl) -> Result<(Option<Facts>, String), TranslateError> {
    let options = args.options();
    let start = ThreadTime::now();
    let a = translate(f, &options)?;
    let cpu_seconds = start.elapsed().as_secs_f64();
    let wanted = common.json || args.stats || common.verbose;
    let facts = wanted.then(|| facts(args, f, &a, &options, cpu_seconds));
    let name = print_formula(&f.arena, f.root, Dialect::Auto);
    if let (Some(facts), true) = (&facts, common.verbose && !args.stats && !common.json) {
        eprint(&line(&name, facts));
    }
    let shown = match (&facts, args.format) {
        (_, Some(Format::Never)) => never::write(&a, &name),
        (_, Some(Format::Dot)) => dot(&a, &name),
        (_, Some(Format::Svg)) => riata::written::picture(&a, &name).svg(),
        (Some(facts), _) if args.stats => line(&name, facts),
        _ if common.json => String::new(),
        _ => hoa_text(a, name),
    };
    Ok((facts, shown))
}

fn hoa_text(a: Tgba, name: String) -> String {
    hoa::to_string(&Automaton { name: Some(name), ..Automaton::from(a) })
}

fn facts(args: &LtlArgs, f: &Ltl, a: &Tgba, options: &Options, cpu_seconds: f64) -> Facts {
    let name = print_formula(&f.arena, f.root, Dialect::Auto);
    Facts {
        construction: args.construction.name(),
        states: a.states(),
        edges: a.edge_count(),
        acceptance_sets: a.sets,
        deterministic: is_deterministic(a),
        strength: strength::of_property(a).name(),
        inherently_weak: strength::is_inherently_weak(a),
        class: class(f, options).ok().map(|c| c.name()),
        stutter_invariant: is_stutter_invariant(f, options),
        cpu_seconds,
        hoa: (args.format == Some(Format::Hoa)).then(|| hoa_text(a.clone(), name)),
    }
}

fn line(name: &str, f: &Facts) -> String {
    let stutter = match f.stutter_invariant {
        Some(true) => ", stutter invariant",
        _ => "",
    };
    format!(
        "{name}: {} states, {} edges, {} acceptance sets, {}deterministic, {}, {}{stutter}\n",
        f.states,
        f.edges,
        f.acceptance_sets,
        if f.deterministic { "" } else { "non" },
        f.strength,
        f.class.unwrap_or("class not known"),
    )
}
