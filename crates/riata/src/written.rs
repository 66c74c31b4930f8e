//! Graphs that are written down: a state space, an automaton, or the product that a check walks; small enough to be
//! shown, with the texts of their states and steps.

use crate::error::Error;
use crate::how::How;
use crate::infinite::Question;
use riata_automata::draw::letters;
use riata_automata::hoa::{self, Automaton};
use riata_automata::{Edge, Marks, Strength, Tgba};
use riata_explore::{Whole, scc};
use riata_picture::{Node, Picture};
use riata_store::{Dense, Row};
use riata_system::{
    Choice, Degeneralised, DegeneralisedStates, Explicit, FAILED, Graph, OnStates, Run, Strength as Of,
    System,
};
use std::collections::HashMap;

/// What is to be written down.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The product with the automaton of this property; the state space if there is none.
    pub property: Option<String>,
    /// Is it for a check that needs one acceptance set, on states?
    pub one_set: bool,
    /// With how many states at most.
    pub most: usize,
}

/// A graph that is written down.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its states, edges and marks.
    pub automaton: Tgba,
    /// Its strength, as far as a check would know it.
    pub strength: Strength,
    /// What each state is: a line for each part.
    pub states: Vec<Vec<String>>,
    /// What each edge is, in the order of the automaton.
    pub steps: Vec<String>,
    /// Was it degeneralised for the check?
    pub degeneralised: bool,
}

/// Tells what a step is: where it leaves, which it is, and where it leads.
pub type TellStep<'a> = dyn Fn(&[u32], Choice, &[u32]) -> String + 'a;

/// How states and steps of a system look.
pub struct Look<'a> {
    /// A state: a line for each part.
    pub state: &'a dyn Fn(&[u32]) -> Vec<String>,
    /// A step.
    pub step: &'a TellStep<'a>,
}

/// The graph has more states than are shown.
fn large(most: usize) -> Error {
    Error::Large(most)
}

/// The state space of a system.
pub fn space<S: System>(how: &How, system: &S, most: usize, look: &Look) -> Result<Written, Error> {
    let graph = Space(system);
    let mut choices = Vec::new();
    let whole = Whole::of(&graph, &mut Run::new(how.limits()), most, &mut |c| choices.push(c))?;
    let whole = whole.ok_or_else(|| large(most))?;
    Ok(told(whole, &choices, look, |s, _| (s.len(), Vec::new())))
}

/// The graph that a check of `q` walks.
pub fn product<S: System>(
    how: &How,
    system: &S,
    q: &Question,
    wish: &Wish,
    look: &Look,
) -> Result<Written, Error> {
    let mut choices = Vec::new();
    let mut each = |c| choices.push(c);
    let mut run = Run::new(how.limits());
    let on_edges = q.product(system, q.automaton)?;
    let on_states = match q.ba.filter(|_| wish.one_set) {
        Some(ba) => q.product(system, ba)?.on_states().ok(),
        None => None,
    };
    let (whole, strength) = match &on_states {
        Some(g) => (Whole::on_states(g, &mut run, wish.most, &mut each)?, g.strength()),
        None => (Whole::of(&on_edges, &mut run, wish.most, &mut each)?, on_edges.strength()),
    };
    let whole = whole.ok_or_else(|| large(wish.most))?;
    let automaton = if on_states.is_some() { q.ba.unwrap_or(q.automaton) } else { q.automaton };
    let several = automaton.0.states() > 1;
    let mut written = told(whole, &choices, look, |s, _| {
        let own = s.len() - 1;
        let place = match s[own] {
            FAILED => vec!["after a run-time error".into()],
            q if several => vec![format!("automaton: {q}")],
            _ => Vec::new(),
        };
        (own, place)
    });
    written.strength = strength;
    if wish.one_set {
        written.degeneralised = q.automaton.0.sets > 1 && on_states.is_some();
        written = written.with_one_set(wish.most)?;
    }
    Ok(written)
}

/// The texts of what was written down; `split` tells how many words of a state are the system's, and what else it is.
fn told(
    whole: Whole,
    choices: &[Choice],
    look: &Look,
    split: impl Fn(&[u32], usize) -> (usize, Vec<String>),
) -> Written {
    let (a, states) = (whole.automaton, whole.states);
    let load = |i: u32| {
        let mut state = Vec::new();
        states.load(i, &mut state);
        state
    };
    let words: Vec<Vec<u32>> = (0..a.states() as u32).map(load).collect();
    let text = |(i, s): (usize, &Vec<u32>)| {
        let (own, more) = split(s, i);
        let mut lines = (look.state)(&s[..own]);
        lines.extend(more);
        lines
    };
    let texts = words.iter().enumerate().map(text).collect();
    let mut steps = Vec::with_capacity(choices.len());
    for s in 0..a.states() {
        for e in a.edges(s as u32) {
            let (src, dst) = (&words[s], &words[e.to as usize]);
            let (from, to) = (split(src, s).0, split(dst, e.to as usize).0);
            steps.push((look.step)(&src[..from], choices[steps.len()], &dst[..to]));
        }
    }
    Written { automaton: a, strength: Strength::General, states: texts, steps, degeneralised: false }
}

impl Written {
    /// An automaton as it is written in a file.
    pub fn automaton(a: &Automaton, most: usize) -> Result<Written, Error> {
        if a.tgba.states() > most {
            return Err(large(most));
        }
        let name = |s: usize| a.state_names.get(s).cloned().flatten().into_iter().collect();
        let steps = (0..a.tgba.states() as u32).flat_map(|s| a.tgba.edges(s)).map(|e| letters(&a.tgba, e));
        Ok(Written {
            strength: riata_automata::strength::of_graph(&a.tgba),
            states: (0..a.tgba.states()).map(name).collect(),
            steps: steps.collect(),
            automaton: a.tgba.clone(),
            degeneralised: false,
        })
    }

    /// The same for a check that needs one acceptance set, on states: degeneralised, if it has not that.
    pub fn with_one_set(self, most: usize) -> Result<Written, Error> {
        if self.automaton.state_marks.is_some() && self.automaton.sets <= 1 {
            return Ok(self);
        }
        let mut run = Run::new(Default::default());
        let g = Explicit::with_strength(&self.automaton, self.strength);
        let mut choices = Vec::new();
        let mut each = |c| choices.push(c);
        let (whole, strength) = match OnStates::new(g) {
            Some(g) => {
                let d = DegeneralisedStates::new(&g);
                (Whole::on_states(&d, &mut run, most, &mut each)?, d.strength())
            }
            None => {
                let d = Degeneralised::new(&g);
                (Whole::on_states(&d, &mut run, most, &mut each)?, d.strength())
            }
        };
        let whole = whole.ok_or_else(|| large(most))?;
        let begins = self.begins();
        let look = Look {
            state: &|s| {
                let mut lines = vec![format!("{} on level {}", s[0], s[1])];
                lines.extend(self.states[s[0] as usize].clone());
                lines
            },
            step: &|s, choice, _| self.steps[begins[s[0] as usize] + choice.0 as usize].clone(),
        };
        let written = told(whole, &choices, &look, |s, _| (s.len(), Vec::new()));
        Ok(Written { strength, degeneralised: true, ..written })
    }

    /// The same with its marks on states: a state remembers the marks of the edge that led to it, as the symbolic engine
    /// has it.
    pub fn with_sets_on_states(self, most: usize) -> Result<Written, Error> {
        if self.automaton.state_marks.is_some() || self.automaton.sets == 0 {
            return Ok(self);
        }
        let a = &self.automaton;
        let begins = self.begins();
        let mut number: HashMap<(u32, Marks), u32> = HashMap::new();
        let mut all: Vec<(u32, Marks)> = Vec::new();
        let mut of = |s: (u32, Marks), all: &mut Vec<(u32, Marks)>| {
            *number.entry(s).or_insert_with(|| {
                all.push(s);
                all.len() as u32 - 1
            })
        };
        let initial = a.initial.iter().map(|&s| of((s, Marks::NONE), &mut all)).collect();
        let (mut edges, mut steps, mut at) = (Vec::new(), Vec::new(), 0);
        while at < all.len() {
            let (s, marks) = all[at];
            for (k, e) in a.edges(s).iter().enumerate() {
                let to = of((e.to, e.marks & a.all()), &mut all);
                edges.push((at as u32, Edge { to, label: e.label, marks }));
                steps.push(self.steps[begins[s as usize] + k].clone());
            }
            at += 1;
            if all.len() > most {
                return Err(large(most));
            }
        }
        let mut entered = Tgba::default();
        (entered.initial, entered.sets) = (initial, a.sets);
        (entered.aps, entered.labels) = (a.aps.clone(), a.labels.clone());
        entered.set_edges(all.len(), &edges);
        entered.state_marks = Some(all.iter().map(|(_, m)| *m).collect());
        let text = |(s, m): &(u32, Marks)| {
            let mut lines = vec![if m.is_empty() { s.to_string() } else { format!("{s} by {m}") }];
            lines.extend(self.states[*s as usize].clone());
            lines
        };
        let states = all.iter().map(text).collect();
        Ok(Written { automaton: entered, states, steps, ..self })
    }

    /// Where the edges of each state begin.
    fn begins(&self) -> Vec<usize> {
        (0..self.automaton.states() as u32).map(|s| self.automaton.range(s).start as usize).collect()
    }

    /// Is a state in every acceptance set?
    pub fn accepting(&self, s: usize) -> bool {
        let a = &self.automaton;
        a.state_marks.as_ref().is_some_and(|m| m[s].contains(a.all()))
    }

    /// What is written beside edge `i`, which is `e`.
    fn edge(&self, i: usize, e: &Edge) -> String {
        let marks = if self.automaton.state_marks.is_some() { Marks::NONE } else { e.marks };
        match (self.steps[i].is_empty(), marks.is_empty()) {
            (_, true) => self.steps[i].clone(),
            (true, false) => marks.to_string(),
            (false, false) => format!("{} {marks}", self.steps[i]),
        }
    }

    /// As a picture: states with their texts, components in colours.
    pub fn picture(&self, title: &str) -> Picture {
        let a = &self.automaton;
        let components = scc::tarjan(&Explicit::new(a), &mut Dense, &mut Run::new(Default::default()));
        let components = components.unwrap_or_default();
        let mut picture = self.nodes(title, &|s| {
            let mut lines = vec![s.to_string()];
            lines.extend(self.states[s].iter().cloned());
            lines
        });
        for (s, node) in picture.nodes.iter_mut().enumerate() {
            let c = components.of.get(s).copied().unwrap_or(scc::Components::NONE);
            node.colour = components.all.get(c as usize).filter(|c| !c.trivial).map(|_| c as usize);
        }
        self.arcs(&mut picture, true);
        picture
    }

    /// As a picture for films: states by their numbers, with room for a note.
    pub fn stage(&self) -> Picture {
        let mut picture = self.nodes("", &|s| vec![s.to_string()]);
        for (s, node) in picture.nodes.iter_mut().enumerate() {
            node.note = true;
            node.more = self.states[s].join("\n");
        }
        self.arcs(&mut picture, self.steps.iter().all(|s| s.chars().count() <= 12));
        picture
    }

    fn nodes(&self, title: &str, lines: &dyn Fn(usize) -> Vec<String>) -> Picture {
        let a = &self.automaton;
        let mut picture = Picture::new(title);
        for s in 0..a.states() {
            let mut lines = lines(s);
            let marks = a.state_marks.as_ref().filter(|_| a.sets > 1).map(|m| m[s] & a.all());
            if let Some(marks) = marks.filter(|m| !m.is_empty()) {
                lines[0] = format!("{} {marks}", lines[0]);
            }
            picture.nodes.push(Node {
                lines,
                initial: a.initial.contains(&(s as u32)),
                accepting: self.accepting(s),
                ..Node::default()
            });
        }
        picture
    }

    fn arcs(&self, picture: &mut Picture, labels: bool) {
        let mut i = 0;
        for s in 0..self.automaton.states() as u32 {
            for e in self.automaton.edges(s) {
                let text = if labels {
                    self.edge(i, e)
                } else if self.automaton.state_marks.is_none() && !e.marks.is_empty() {
                    e.marks.to_string()
                } else {
                    String::new()
                };
                picture.arc(s as usize, e.to as usize, text);
                i += 1;
            }
        }
    }

    /// As an automaton in HOA; the texts of the states are their names.
    pub fn hoa(&self, title: &str) -> String {
        let name = |lines: &Vec<String>| (!lines.is_empty()).then(|| lines.join("; "));
        let automaton = Automaton {
            name: Some(title.into()),
            state_names: self.states.iter().map(name).collect(),
            ..Automaton::from(self.automaton.clone())
        };
        hoa::to_string(&automaton)
    }
}

/// An automaton as a picture: states by their numbers, on each arrow the labels and marks of the edges between its states.
pub fn picture(a: &Tgba, title: &str) -> Picture {
    let states = vec![Vec::new(); a.states()];
    let steps = (0..a.states() as u32).flat_map(|s| a.edges(s)).map(|e| letters(a, e)).collect();
    let written =
        Written { automaton: a.clone(), strength: Strength::General, states, steps, degeneralised: false };
    let mut picture = written.nodes(title, &|s| vec![s.to_string()]);
    written.arcs(&mut picture, true);
    picture
}

/// A system as a graph: its own steps, and the marks of its own fairness.
struct Space<'a, S>(&'a S);

/// The cursor of [`Space`], and how many successors were told.
#[derive(Default)]
struct SpaceCursor<C> {
    own: C,
    told: u32,
}

impl<S: System> Graph for Space<'_, S> {
    type Cursor = SpaceCursor<S::Cursor>;

    fn words(&self) -> usize {
        self.0.words()
    }
    fn len(&self, s: &[u32]) -> usize {
        self.0.len(s)
    }
    fn all(&self) -> Marks {
        Marks::first(self.0.fair_sets())
    }
    fn initial(&self, at: &mut Self::Cursor, dst: &mut [u32]) -> bool {
        self.0.initial(&mut at.own, dst)
    }
    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<Marks> {
        let action = self.0.next(src, &mut at.own, dst)?;
        at.told += 1;
        let fair =
            if self.0.fair_sets() > 0 { self.0.fairness(src, &at.own, Some(action)) } else { Marks::NONE };
        Some(fair)
    }
    fn choice(&self, at: &Self::Cursor) -> Choice {
        Choice(at.told - 1)
    }
    fn strength(&self) -> Of {
        Of::General
    }
}
