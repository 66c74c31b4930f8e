//! One run of a program, step by step.

use super::Loaded;
use super::replay::ends;
use super::tell::Telling;
use super::view::Viewer;
use crate::error::Error;
use crate::how::How;
use crate::subject::Walk;
use riata_automata::random::Rng;
use riata_ltl::Ltl;
use riata_program::{Execution, Interpreter, Options, Taken};
use riata_report::run::Run;
use riata_report::trace::Step;
use riata_system::System;

/// A run that grows.
pub struct Walking<'a> {
    loaded: &'a mut Loaded,
    how: &'a How<'a>,
    interpreter: Interpreter,
    run: Execution,
    /// What was offered last.
    next: Vec<Taken>,
    /// The condition that was asked last, with a program that knows its propositions.
    asked: Option<(String, Ltl, Interpreter)>,
}

impl<'a> Walking<'a> {
    /// A run that is in its first state.
    pub fn new(loaded: &'a mut Loaded, how: &'a How<'a>) -> Result<Self, Error> {
        let interpreter = loaded.sound(Interpreter::new(loaded.program(), Options::default()))?;
        let run = Execution::start(&interpreter);
        Ok(Walking { loaded, how, interpreter, run, next: Vec::new(), asked: None })
    }

    fn ask(&mut self, condition: &str) -> Result<(), Error> {
        if self.asked.as_ref().is_none_or(|(text, ..)| text != condition) {
            let ltl = self.loaded.formula(self.how, condition)?;
            self.loaded.too_many()?;
            let knowing = Interpreter::new(self.loaded.program(), Options::default());
            self.asked = Some((condition.into(), ltl, self.loaded.sound(knowing)?));
        }
        Ok(())
    }
}

impl Walk for Walking<'_> {
    fn choices(&mut self) -> Result<(Vec<Step>, bool), Error> {
        let s = self.run.last();
        self.next = self.interpreter.steps(s);
        let viewer = Viewer::new(self.loaded, &self.interpreter);
        let columns = viewer.processes(s) as usize + 2;
        let step = |taken: &Taken| viewer.step(columns, s, (Some(taken.step), taken.failure), &taken.to);
        Ok((self.next.iter().map(step).collect(), false))
    }

    fn take(&mut self, choice: Option<usize>, random: &mut Rng) -> Result<bool, Error> {
        if self.next.is_empty() {
            return Ok(false);
        }
        let i = choice.unwrap_or_else(|| random.below(self.next.len() as u64) as usize);
        let Some(taken) = self.next.get(i) else { return Ok(false) };
        self.run.push(taken);
        Ok(true)
    }

    fn back(&mut self) -> bool {
        let n = self.run.states.len();
        self.run.truncate((n - 1).max(1));
        n > 1
    }

    fn steps(&self) -> Option<usize> {
        Some(self.run.states.len() - 1)
    }

    fn state(&self) -> Vec<String> {
        let (viewer, s) = (Viewer::new(self.loaded, &self.interpreter), self.run.last());
        let cells = viewer.whole(viewer.processes(s) as usize + 1, s);
        let line = |(i, cell): (usize, String)| match i.checked_sub(1) {
            None => format!("shared  {cell}"),
            Some(pid) => format!("{}  {cell}", viewer.process(s, pid as u32)),
        };
        cells.into_iter().enumerate().filter(|(_, c)| !c.is_empty()).map(line).collect()
    }

    fn holds(&mut self, condition: &str) -> Result<bool, Error> {
        self.ask(condition)?;
        let Some((_, ltl, knowing)) = &self.asked else { return Ok(false) };
        // The two number the shapes of states in their own ways.
        let portable = self.interpreter.export(self.run.last());
        let Some(s) = knowing.import(&portable) else { return Ok(false) };
        if knowing.is_fault(&s) {
            return Ok(false);
        }
        let v = knowing.valuation(&s).0;
        let program = knowing.program();
        let known = |ap: &String| program.propositions.iter().position(|p| p.name == *ap);
        let letter = ltl.arena.aps().iter().map(|ap| known(ap).is_some_and(|i| v >> i & 1 == 1)).collect();
        let word = riata_ltl::Word { stem: Vec::new(), cycle: vec![letter] };
        Ok(riata_ltl::evaluate(&ltl.arena, ltl.root, &word))
    }

    fn run(&self, title: &str) -> Run {
        let (loaded, interpreter, taken) = (&*self.loaded, &self.interpreter, &self.run);
        let end = ends(loaded, interpreter, taken);
        let telling = Telling { loaded, interpreter, written: true, taken, end, beside: None };
        telling.tell(title, self.how.options.forms)
    }
}
