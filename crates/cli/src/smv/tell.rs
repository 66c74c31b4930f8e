//! A run that was found: what is to be said of it, and the files that were asked for.

use super::Source;
use super::reading::{self, Reading};
use super::view::View;
use crate::args::Pictures;
use crate::check::Files;
use crate::reasons::{Asked, Why};
use riata_ltl::{Dialect, Word};
use riata_report::{html, wave};
use riata_smv::ast::Logic;
use riata_smv::check::{Automaton, Trace};
use riata_smv::evaluate::{self, State, Step};
use riata_smv::model::{E, Spec};
use std::path::Path;

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

/// A run to be shown.
pub struct Run<'a> {
    /// The model.
    pub source: &'a Source,
    /// The property, or another name.
    pub name: &'a str,
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

impl Source {
    /// An expression as it is written, on one line.
    pub fn excerpt(&self, e: E) -> String {
        let span = self.model.node(e).span;
        let text = self.text.get(span.start..span.end).unwrap_or("");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl Run<'_> {
    /// The run for people.
    pub fn text(&self) -> String {
        let mut text = View { model: &self.source.model }.text(self.trace);
        self.said.lines.iter().for_each(|line| text += &format!("  {line}\n"));
        text
    }

    /// The files that were asked for.
    pub fn files(&self, pictures: &Pictures, itf: Option<&Path>) -> Files {
        let view = View { model: &self.source.model };
        let title = format!("{}: {}", self.source.given, self.name);
        let wave = view.wave(self.trace, self.said.wrong);
        let mut files = Files::new();
        if let Some(file) = itf {
            let itf = view.itf(&self.source.given, self.name, self.trace);
            files.push((file.into(), Ok(itf.to_string() + "\n")));
        }
        if let Some(file) = &pictures.svg {
            files.push((file.clone(), Ok(wave::svg(&wave, &title))));
        }
        if let Some(file) = &pictures.html {
            let page = html::wave_page(
                &title,
                &self.said.lines.join("\n"),
                &wave::svg(&wave, ""),
                &view.text(self.trace),
                (self.source.given.clone(), self.source.text.clone()),
            );
            files.push((file.clone(), Ok(page)));
        }
        if let Some(file) = &pictures.vcd {
            files.push((file.clone(), Ok(wave::vcd(&wave, &title))));
        }
        files
    }
}
