//! A film of an algorithm at work: one page that needs nothing but itself, with a picture of the graph, the paper's
//! text, stacks and counters, step by step.
//!
//! A [`Film`] knows no algorithm. It is a picture whose parts have names, lines of text, and for each step what changes;
//! the page adds the changes up, forward from the beginning, so that a step has one meaning from wherever one comes.

mod page;

pub use page::page;

use serde::Serialize;
use serde_json::{Value, json};

/// Everything that the page shows.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Film {
    /// The heading.
    pub title: String,
    /// What is shown: a line each.
    pub about: Vec<String>,
    /// The picture, as `riata-picture` draws it for pages.
    #[serde(skip)]
    pub picture: String,
    /// The text of the algorithm.
    pub code: Vec<String>,
    /// For each state of the picture what there is to say of it.
    pub states: Vec<String>,
    /// The names of the stacks and lists.
    pub lists: Vec<String>,
    /// The names of the counters.
    pub counters: Vec<String>,
    /// What the colours mean.
    pub legend: Vec<(Paint, String)>,
    /// The colour of every state before the first step.
    pub ground: Paint,
    /// Is an arrow there only from the step on that paints it?
    pub grows: bool,
    /// What happens.
    pub shots: Vec<Shot>,
}

/// One step.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Shot {
    /// The line of the text that is done.
    #[serde(rename = "l", skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What is done, in words.
    #[serde(rename = "s")]
    pub says: String,
    /// The arrow that is looked at.
    #[serde(rename = "a", skip_serializing_if = "Option::is_none")]
    pub arc: Option<usize>,
    /// The states that are looked at.
    #[serde(rename = "f", skip_serializing_if = "Vec::is_empty")]
    pub focus: Vec<usize>,
    /// What is different after it.
    #[serde(rename = "c", skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// The colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Paint {
    #[default]
    White,
    Cyan,
    Blue,
    Red,
    Black,
    /// Both blue and red.
    Purple,
    /// On *Current*, on *Active*, in the approximation.
    Green,
    /// No longer.
    Grey,
    /// On the lasso.
    Gold,
    /// Not there yet.
    Hidden,
}

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "Value")]
pub enum Change {
    /// A state gets a colour.
    Paint(usize, Paint),
    /// What is written below a state.
    Note(usize, String),
    /// An arrow gets a colour.
    Draw(usize, Paint),
    /// A list gets one more entry.
    Push(usize, String),
    /// A list loses so many of its last entries.
    Pop(usize, usize),
    /// The last entry of a list is another.
    Top(usize, String),
    /// The entry of a list that begins with this word is another, or is new.
    Entry(usize, String, String),
    /// A counter has this value.
    Count(usize, u64),
}

impl From<Change> for Value {
    fn from(change: Change) -> Value {
        match change {
            Change::Paint(node, paint) => json!(["p", node, paint]),
            Change::Note(node, text) => json!(["n", node, text]),
            Change::Draw(arc, paint) => json!(["d", arc, paint]),
            Change::Push(list, text) => json!(["+", list, text]),
            Change::Pop(list, n) => json!(["-", list, n]),
            Change::Top(list, text) => json!(["=", list, text]),
            Change::Entry(list, key, text) => json!(["e", list, key, text]),
            Change::Count(counter, n) => json!(["c", counter, n]),
        }
    }
}

/// What the page shows after so many steps: the meaning of [`Change`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Scene {
    /// The colours of the states.
    pub paint: Vec<Paint>,
    /// What is written below them.
    pub notes: Vec<String>,
    /// The arrows that have a colour, with it, in order.
    pub arcs: std::collections::BTreeMap<usize, Paint>,
    /// The lists.
    pub lists: Vec<Vec<String>>,
    /// The counters.
    pub counts: Vec<u64>,
}

impl Film {
    /// What is seen after the first `n` steps.
    pub fn scene(&self, n: usize) -> Scene {
        let mut scene = Scene {
            paint: vec![self.ground; self.states.len()],
            notes: vec![String::new(); self.states.len()],
            arcs: Default::default(),
            lists: vec![Vec::new(); self.lists.len()],
            counts: vec![0; self.counters.len()],
        };
        self.shots.iter().take(n).flat_map(|shot| &shot.changes).for_each(|change| scene.apply(change));
        scene
    }
}

impl Scene {
    fn apply(&mut self, change: &Change) {
        match change {
            Change::Paint(node, paint) => self.paint[*node] = *paint,
            Change::Note(node, text) => self.notes[*node].clone_from(text),
            Change::Draw(arc, paint) => {
                self.arcs.insert(*arc, *paint);
            }
            Change::Push(list, text) => self.lists[*list].push(text.clone()),
            Change::Pop(list, n) => {
                let list = &mut self.lists[*list];
                list.truncate(list.len().saturating_sub(*n));
            }
            Change::Top(list, text) => {
                if let Some(last) = self.lists[*list].last_mut() {
                    last.clone_from(text);
                }
            }
            Change::Entry(list, key, text) => {
                let entry = format!("{key} {text}");
                let list = &mut self.lists[*list];
                match list.iter_mut().find(|e| e.split(' ').next() == Some(key)) {
                    Some(old) => *old = entry,
                    None => list.push(entry),
                }
            }
            Change::Count(counter, n) => self.counts[*counter] = *n,
        }
    }
}
