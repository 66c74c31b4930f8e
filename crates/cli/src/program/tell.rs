//! A run that was found, in all the forms that somebody asked for.
//!
//! A search runs the optimised program. What it finds is turned into a run of the program as it is written
//! ([`riata_program::Lift`]), so that every statement is seen and every variable has its value.

use super::Loaded;
use super::chart::chart;
use super::trail;
use super::view::Viewer;
use crate::args::Pictures;
use crate::check::Files;
use riata_program::{Execution, Interpreter};
use riata_report::html::{Page, page};
use riata_report::{chart as picture, trace::Trace};
use serde_json::{Map, Value};

/// Tells runs of one model.
pub struct Teller<'a> {
    /// The model.
    pub loaded: &'a Loaded,
    /// What else is wanted.
    pub pictures: &'a Pictures,
}

/// A run.
pub struct Run<'a> {
    /// What runs it.
    pub interpreter: &'a Interpreter,
    /// Is it one of the program as it is written, not of what was made of it?
    pub written: bool,
    /// Its states and steps.
    pub taken: &'a Execution,
    /// The property, or another name.
    pub name: &'a str,
    /// What is to be said of it.
    pub end: String,
    /// The property process that watches it, if that is shown: its name, and where it is in each state.
    pub watcher: Option<(String, Vec<String>)>,
}

/// The forms of a run.
#[derive(Default)]
pub struct Told {
    /// For people.
    pub shown: String,
    /// For programs: more fields.
    pub more: Map<String, Value>,
    /// Files that were asked for.
    pub files: Files,
}

impl<'a> Teller<'a> {
    /// All forms of a run that somebody will see; the text only if `for_people`.
    pub fn tell(&self, run: &Run, for_people: bool) -> Told {
        let viewer = Viewer::new(self.loaded, run.interpreter);
        let mut told = Told::default();
        told.more.insert("steps".into(), viewer.steps(run.taken).into());
        let Pictures { msc, svg, html, trail, .. } = self.pictures;
        if for_people {
            told.shown = self.trace(&viewer, run).to_text();
        }
        if *msc || svg.is_some() || html.is_some() {
            let chart = chart(&viewer, run.taken);
            if *msc {
                if for_people {
                    told.shown += &picture::text(&chart);
                }
                told.more.insert("messages".into(), chart.to_json());
            }
            let title = format!("{}: {}", self.loaded.given, run.name);
            if let Some(file) = svg {
                told.files.push((file.clone(), Ok(picture::svg(&chart, &title))));
            }
            if let Some(file) = html {
                let sources = self.loaded.files();
                let trace = self.trace(&viewer, run);
                let summary = &run.end;
                let page = page(&Page {
                    title: &title,
                    summary,
                    trace: &trace,
                    chart: Some(&chart),
                    sources: &sources,
                });
                told.files.push((file.clone(), Ok(page)));
            }
        }
        if let Some(file) = trail {
            told.files.push((file.clone(), trail::write(self.loaded, run)));
        }
        told
    }

    fn trace(&self, viewer: &Viewer, run: &Run) -> Trace {
        let mut trace = viewer.trace(run.taken);
        trace.end = run.end.clone();
        if let Some((name, places)) = &run.watcher {
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
