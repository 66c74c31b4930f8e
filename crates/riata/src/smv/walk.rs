//! One run of a synchronous model, step by step.

use super::tell::{Said, Telling};
use super::view::View;
use super::{Source, Specs};
use crate::error::Error;
use crate::how::How;
use crate::sets::{self, manager};
use crate::subject::{Walk, Walker};
use riata_automata::random::Rng;
use riata_report::run::Run;
use riata_report::trace::Step;
use riata_smv::ast::Logic;
use riata_smv::check::{Trace, Walk as Steps, Walker as Ready, Way};
use riata_smv::evaluate;
use riata_smv::machine::Layout;
use riata_symbolic::Bdd;

/// Ways that are shown to choose from.
const MOST: usize = 20;

/// Gives `walker` a run that has not begun.
pub fn walk(source: &Source, how: &How, walker: &mut Walker) -> Result<(), Error> {
    let (walked, _) = sets::work(how, || {
        let bdd = manager(how, source.bits());
        let layout = Layout::new(&bdd, &source.model, &source.types, 0, &[]);
        let ready = Ready::new(&bdd, &source.model, &layout).map_err(|f| source.failed(f))?;
        let mut walking =
            Walking { source, steps: ready.walk(), next: Vec::new(), ended: false, asked: None };
        walker(&mut walking)
    });
    walked
}

struct Walking<'s, 'a, B: Bdd> {
    source: &'s Source,
    steps: Steps<'s, 'a, B>,
    /// What was offered last.
    next: Vec<Way>,
    ended: bool,
    /// The condition that was asked last, and the model with it.
    asked: Option<(String, Source)>,
}

impl<B: Bdd> Walk for Walking<'_, '_, B> {
    fn choices(&mut self) -> Result<(Vec<Step>, bool), Error> {
        let (ways, more) = self.steps.ways(MOST).map_err(|f| self.source.failed(f))?;
        let view = View { model: &self.source.model };
        let step = |way: &Way| Step {
            statement: way.before.as_ref().map_or(String::new(), |s| view.inputs(s)),
            cells: vec![view.state_changes(self.steps.last(), &way.state)],
            ..Step::default()
        };
        let steps = ways.iter().map(step).collect();
        self.next = ways;
        Ok((steps, more))
    }

    fn take(&mut self, choice: Option<usize>, random: &mut Rng) -> Result<bool, Error> {
        let failed = |f| self.source.failed(f);
        let taken = match choice {
            None => self.steps.go(&mut |p| random.chance(p)).map_err(failed)?,
            Some(i) => match self.next.get(i) {
                Some(way) => {
                    self.steps.follow(way).map_err(failed)?;
                    true
                }
                None => false,
            },
        };
        self.ended = !taken;
        Ok(taken)
    }

    fn forward(&mut self, random: &mut Rng) -> Result<bool, Error> {
        // Nothing need be listed to go on by chance.
        self.take(None, random)
    }

    fn back(&mut self) -> bool {
        self.ended = false;
        self.steps.back()
    }

    fn steps(&self) -> Option<usize> {
        self.steps.so_far().len().checked_sub(1)
    }

    fn state(&self) -> Vec<String> {
        let view = View { model: &self.source.model };
        self.steps.last().map(|s| view.state_changes(None, s)).into_iter().collect()
    }

    fn holds(&mut self, condition: &str) -> Result<bool, Error> {
        if self.asked.as_ref().is_none_or(|(text, _)| text != condition) {
            let formulas = [(Logic::Ltl, condition.to_string())];
            let names = (&*self.source.given, &*self.source.file);
            if self.source.circuit.is_some() {
                return Err(Error::usage("conditions are not for circuits"));
            }
            let read = Source::read(names, self.source.text.as_bytes(), false, Specs::Given(&formulas))?;
            self.asked = Some((condition.into(), read));
        }
        let (Some((_, with)), Some(s)) = (&self.asked, self.steps.last()) else { return Ok(false) };
        if with.model.vars.len() != s.len() {
            return Err(Error::usage("a condition speaks of one state: no `next`, no temporal operators"));
        }
        let step = evaluate::Step { now: s, then: None };
        Ok(with.model.specs.first().is_some_and(|spec| evaluate::holds(&with.model, step, spec.formula)))
    }

    fn run(&self, title: &str) -> Run {
        let trace = Trace { stem: self.steps.so_far().to_vec(), cycle: Vec::new() };
        let lines = if self.ended { vec!["this state has no successor".into()] } else { Vec::new() };
        Telling { source: self.source, trace: &trace, said: &Said { lines, ..Said::default() } }.tell(title)
    }
}
