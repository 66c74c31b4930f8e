//! A run that was found, in all its forms.
//!
//! A search runs the optimised program. What it finds is turned into a run of the program as it is written
//! ([`riata_program::Prepared`]), so that every statement is seen and every variable has its value.

use super::Loaded;
use super::chart::chart;
use super::trail;
use super::view::Viewer;
use crate::options::Forms;
use riata_program::{Execution, Interpreter};
use riata_report::run::Run;
use riata_report::trace::Trace;

/// A run to be told.
pub struct Telling<'a> {
    /// The model.
    pub loaded: &'a Loaded,
    /// What runs it.
    pub interpreter: &'a Interpreter,
    /// Is it one of the program as it is written, not of what was made of it?
    pub written: bool,
    /// Its states and steps.
    pub taken: &'a Execution,
    /// What is to be said of it.
    pub end: String,
    /// The property process beside it, if that is shown: its name, and where it is in each state.
    pub beside: Option<(String, Vec<String>)>,
}

impl Telling<'_> {
    /// All forms that somebody will see.
    pub fn tell(&self, title: &str, forms: Forms) -> Run {
        let viewer = Viewer::new(self.loaded, self.interpreter);
        let mut run = Run {
            title: format!("{}: {title}", self.loaded.given),
            back: self.taken.back,
            steps: viewer.steps(self.taken),
            sources: self.loaded.files(),
            ..Run::default()
        };
        if forms.states {
            run.states = viewer.states(&self.taken.states);
        }
        if forms.text {
            run.trace = self.trace(&viewer);
        }
        run.trace.end.clone_from(&self.end);
        run.chart = forms.chart.then(|| chart(&viewer, self.taken));
        run.trail = forms.trail.then(|| trail::write(self));
        run
    }

    fn trace(&self, viewer: &Viewer) -> Trace {
        let mut trace = viewer.trace(self.taken);
        if let Some((name, places)) = &self.beside {
            trace.columns.push(name.clone());
            let cell = |i: usize, to: usize| {
                if i > 0 && places[i - 1] == places[to] { String::new() } else { places[to].clone() }
            };
            for (i, step) in trace.steps.iter_mut().enumerate() {
                step.cells.push(cell(i, i));
            }
            if let Some((to, step)) = &mut trace.back {
                step.cells.push(cell(places.len(), *to));
            }
        }
        trace
    }
}
