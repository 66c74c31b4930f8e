//! Pictures of small graphs: states as boxes, steps as arrows, in layers; as SVG, and as text for Graphviz.
//!
//! The layout is Sugiyama's, in layers. Labels of arrows have places of their own in it, so nothing is printed over them.
//! It is written by hand: on graphs of 300 states with 600 to 1,150 arrows and their labels, dagre (a port of dagre.js)
//! took 15 to 84 seconds, rust-sugiyama 2 to 10 seconds and it tells no ways of arrows, layout-rs 16 seconds for 100
//! states (on a busy machine; this one takes a few hundredths of a second there).
//!
//! Knows nothing of automata, models or searches.
//!
//! # References
//! K. Sugiyama, S. Tagawa, M. Toda, *Methods for visual understanding of hierarchical system structures*, IEEE Trans.
//! SMC 11(2), 1981; R. E. Barlow, D. J. Bartholomew, J. M. Bremner, H. D. Brunk, *Statistical inference under order
//! restrictions*, 1972 (pooling of adjacent violators).

mod dot;
mod layout;
mod svg;

pub use layout::{Placed, Route, place};
pub use svg::{escape, figure};

use std::collections::BTreeMap;

/// A graph to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The heading; may be empty.
    pub title: String,
    /// The states.
    pub nodes: Vec<Node>,
    /// The steps; those between the same two states are joined by [`Picture::arc`].
    pub arcs: Vec<Arc>,
    /// Where each pair of states has its arc.
    pairs: BTreeMap<(usize, usize), usize>,
}

/// A state.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// What is written into it.
    pub lines: Vec<String>,
    /// What there is to say beyond that.
    pub more: String,
    /// Is there an arrow from nowhere?
    pub initial: bool,
    /// Has it a double border?
    pub accepting: bool,
    /// The colour of its component, if it has one.
    pub colour: Option<usize>,
    /// Is there a line below for what changes?
    pub note: bool,
}

/// The steps from one state to another.
#[derive(Clone, Debug, Default)]
pub struct Arc {
    /// The state where they begin.
    pub from: usize,
    /// The state where they end.
    pub to: usize,
    /// What is written beside, a line for each step.
    pub lines: Vec<String>,
}

/// A longer line is cut.
const LONGEST: usize = 48;
/// More lines than this are left out.
const MOST: usize = 12;

impl Picture {
    /// A picture without states.
    pub fn new(title: impl Into<String>) -> Picture {
        Picture { title: title.into(), ..Picture::default() }
    }

    /// Adds a step, and tells the number of its arc. An empty label is no line, and the same label twice is one.
    pub fn arc(&mut self, from: usize, to: usize, label: String) -> usize {
        let at = *self.pairs.entry((from, to)).or_insert_with(|| {
            self.arcs.push(Arc { from, to, lines: Vec::new() });
            self.arcs.len() - 1
        });
        let lines = &mut self.arcs[at].lines;
        if !label.is_empty() && !lines.contains(&label) {
            lines.push(label);
        }
        at
    }

    /// The arc between two states, if there is one.
    pub fn between(&self, from: usize, to: usize) -> Option<usize> {
        self.pairs.get(&(from, to)).copied()
    }

    /// As a document of its own.
    pub fn svg(&self) -> String {
        svg::document(self)
    }

    /// For Graphviz.
    pub fn dot(&self) -> String {
        dot::dot(self)
    }
}

/// The lines as they are shown: not too many, none too long.
fn shown(lines: &[String]) -> Vec<String> {
    let cut = |line: &String| match line.chars().count() {
        0..=LONGEST => line.clone(),
        _ => line.chars().take(LONGEST - 1).chain(['…']).collect(),
    };
    let mut all: Vec<String> = lines.iter().take(MOST).map(cut).collect();
    if lines.len() > MOST {
        all.push(format!("… {} more", lines.len() - MOST));
    }
    all
}
