//! A run that was found, in all its forms, and what is to be said of it.

use super::Source;
use super::reading::{self, Reading};
use super::view::View;
use crate::beside::{self, Places, Told};
use crate::reasons::{Asked, Why};
use riata_ltl::{Dialect, Word};
use riata_report::run::Run;
use riata_report::trace::{Step as Line, Trace as Lines};
use riata_smv::ast::Logic;
use riata_smv::check::{Automaton, Trace};
use riata_smv::evaluate::{self, State, Step};
use riata_smv::model::{E, Spec};

/// What is said of a run, and where it goes wrong.
#[derive(Default)]
pub struct Said {
    /// A line each, without margins.
    pub lines: Vec<String>,
    /// The state that is wrong, if one is.
    pub wrong: Option<usize>,
    /// Why it violates a formula.
    pub why: Option<Why>,
}

/// A run to be told.
pub struct Telling<'a> {
    /// The model.
    pub source: &'a Source,
    /// The run.
    pub trace: &'a Trace,
    /// What is said of it.
    pub said: &'a Said,
}

/// What is to be said of a run that decides a specification.
pub fn say(source: &Source, spec: &Spec, automaton: Option<&Automaton>, trace: &Trace) -> Said {
    let mut said = Said::default();
    let model = &source.model;
    let formula = source.excerpt(spec.formula);
    match (spec.logic, automaton) {
        (Logic::Invariant, _) if trace.cycle.is_empty() => {
            let last = trace.stem.len().saturating_sub(1);
            said.wrong = Some(last);
            // What is said of steps, a hidden variable of the state after them tells.
            let of_step = reading::is_memory(model, spec.formula);
            said.lines.push(match formula.as_str() {
                "" => format!("state {last} is bad"),
                formula if of_step => format!("the step to state {last} violates the invariant `{formula}`"),
                formula => format!("state {last} violates the invariant `{formula}`"),
            });
        }
        // The formulas of a circuit are made by us, and nobody has seen them.
        (Logic::Ltl | Logic::Psl, Some(automaton)) if !automaton.exists && !formula.is_empty() => {
            said.why = why(source, reading::of_steps(model, &automaton.linear), trace);
        }
        (Logic::Ctl, _) => {
            said.why = reading::linear(model, &source.types, spec.formula)
                .filter(|_| !trace.cycle.is_empty())
                .and_then(|reading| why(source, reading, trace));
        }
        _ => {}
    }
    if let (Some(last), first) = (trace.cycle.len().checked_sub(1), trace.stem.len()) {
        said.lines.insert(
            0,
            match last {
                0 => format!("state {first} repeats for ever"),
                _ => format!(
                    "the cycle begins with state {first}, which comes again after state {}",
                    first + last
                ),
            },
        );
    }
    if let Some(why) = &said.why {
        said.lines.extend(why.to_text(|i| format!("state {i}")).lines().map(|l| l.trim().to_string()));
    }
    said
}

/// Why a run violates a formula; nothing if it does not.
fn why(source: &Source, reading: Reading, trace: &Trace) -> Option<Why> {
    if trace.cycle.is_empty() {
        return None;
    }
    let Reading { mut ltl, atoms } = reading;
    for (i, atom) in (0u32..).zip(&atoms) {
        ltl.arena.call(i, &source.excerpt(*atom));
    }
    let states: Vec<&State> = trace.stem.iter().chain(&trace.cycle).collect();
    // What is remembered of a step is seen in the state after it.
    let holds = |i: usize, atom: E| {
        let memory = reading::is_memory(&source.model, atom);
        let at = if memory { states.get(i + 1).unwrap_or(&states[trace.stem.len()]) } else { states[i] };
        evaluate::holds(&source.model, Step { now: at, then: None }, atom)
    };
    let letters = |range: std::ops::Range<usize>| -> Vec<_> {
        range.map(|i| atoms.iter().map(|&a| holds(i, a)).collect()).collect()
    };
    let word = Word { stem: letters(0..trace.stem.len()), cycle: letters(trace.stem.len()..states.len()) };
    let violated = !riata_ltl::evaluate(&ltl.arena, ltl.root, &word);
    violated.then(|| Asked { ltl, dialect: Dialect::Smv }.why_not(&word))
}

/// The automaton of a formula along a run. The formulas of a circuit are made by us, and so are their automata.
pub fn beside(source: &Source, of: &Automaton, trace: &Trace) -> Option<riata_report::answer::Automaton> {
    let automaton = of.tgba.as_ref().filter(|_| source.circuit.is_none() && !trace.cycle.is_empty())?;
    let atoms = &of.linear.atoms;
    let letter = |s: &State| {
        let now = Step { now: s, then: None };
        atoms.iter().map(|&a| evaluate::holds(&source.model, now, a)).collect()
    };
    let letters = |states: &[State]| states.iter().map(letter).collect();
    let word = Word { stem: letters(&trace.stem), cycle: letters(&trace.cycle) };
    let names: Vec<String> = (0..atoms.len()).map(|i| format!("p{i}")).collect();
    let name = |p: &str| {
        let atom = names.iter().position(|n| n == p).map(|i| source.excerpt(atoms[i]));
        beside::bracketed(&atom.unwrap_or_else(|| p.to_string()))
    };
    let all: Vec<usize> = (0..trace.stem.len() + trace.cycle.len()).collect();
    let places = Places { of: &all, length: all.len(), back: trace.stem.len() };
    let of = if of.exists { "that satisfy the formula" } else { "that violate the formula" };
    beside::along(&Told { automaton, of, name: &name }, (&word, &names), &places)
}

impl Source {
    /// The text of the model with its name, if it is a text: a circuit may be in the binary format.
    pub fn files(&self) -> Vec<(String, String)> {
        let text = !self.text.contains('\u{fffd}') && !self.text.contains('\0');
        if text { vec![(self.given.clone(), self.text.clone())] } else { Vec::new() }
    }

    /// An expression as it is written, on one line.
    pub fn excerpt(&self, e: E) -> String {
        let span = self.model.node(e).span;
        balanced(&self.text, span.start, span.end).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The text between two places, with the brackets around its first and last operand, which are no part of their places.
fn balanced(text: &str, mut start: usize, mut end: usize) -> &str {
    let Some(inner) = text.get(start..end) else { return "" };
    let (mut depth, mut lowest) = (0i32, 0);
    for c in inner.bytes() {
        depth += i32::from(c == b'(') - i32::from(c == b')');
        lowest = lowest.min(depth);
    }
    let (mut before, mut behind) = (-lowest, depth - lowest);
    while behind > 0 {
        let rest = text[end..].trim_start();
        if !rest.starts_with(')') {
            break;
        }
        end = text.len() - rest.len() + 1;
        behind -= 1;
    }
    while before > 0 {
        let rest = text[..start].trim_end();
        if !rest.ends_with('(') {
            break;
        }
        start = rest.len() - 1;
        before -= 1;
    }
    &text[start..end]
}

impl Telling<'_> {
    /// All forms of the run.
    pub fn tell(&self, title: &str) -> Run {
        let view = View { model: &self.source.model };
        let (stem, cycle) = (&self.trace.stem, &self.trace.cycle);
        let back = (!cycle.is_empty()).then_some(stem.len());
        let mut before: Option<&State> = None;
        let mut steps = Vec::new();
        for (i, s) in stem.iter().chain(cycle).enumerate() {
            // No step leaves the last state of a run that was cut off.
            let cut_off = cycle.is_empty() && i + 1 == stem.len();
            let new = if cut_off { view.state_changes(before, s) } else { view.changes(before, s) };
            steps.push(Line { cells: vec![new], ..Line::default() });
            before = Some(s);
        }
        let end = self.said.lines.join("\n  ");
        Run {
            title: format!("{}: {title}", self.source.given),
            trace: Lines {
                steps,
                back: back.map(|to| (to, Line::default())),
                end,
                plain: true,
                ..Lines::default()
            },
            states: stem.iter().chain(cycle).map(|s| view.json(s)).collect(),
            back,
            wave: Some(view.wave(self.trace, self.said.wrong)),
            inputs: view.input_names(),
            sources: self.source.files(),
            ..Run::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::balanced;

    #[test]
    fn an_excerpt_has_the_brackets_of_its_operands() {
        let text = "G (!(a & b )) & ((a) | (b) )";
        let of = |part: &str| text.find(part).map(|at| balanced(text, at, at + part.len()));
        assert_eq!(of("!(a & b"), Some("!(a & b )"));
        assert_eq!(of("a) | (b"), Some("(a) | (b)"));
        assert_eq!(of("a & b"), Some("a & b"));
    }
}
