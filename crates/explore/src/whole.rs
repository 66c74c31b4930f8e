//! The reachable part of a graph, written down.

use crate::outcome::full;
use riata_automata::{Edge, Label, Tgba};
use riata_store::{Exact, Row, Store};
use riata_system::{Choice, Graph, Run, StateMarked, Stop};

/// A graph that is written down. States are numbered by their distance from the initial ones; edges are in the order of
/// the graph.
pub struct Whole {
    /// The states.
    pub states: Exact,
    /// The edges and their marks, without labels.
    pub automaton: Tgba,
    /// How far each state is from the initial ones.
    pub distance: Vec<u32>,
    /// For each state one that leads to it on a shortest path; an initial state is its own.
    pub parent: Vec<u32>,
}

impl Whole {
    /// Writes the reachable part of `g` down, and tells `each` the step of every edge in order; `None` if there are more
    /// than `most` states.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn of<G: Graph>(
        g: &G,
        run: &mut Run,
        most: usize,
        each: &mut dyn FnMut(Choice),
    ) -> Result<Option<Whole>, Stop> {
        let mut states = Exact::new(run.limits.memory.unwrap_or(usize::MAX));
        let (mut distance, mut parent) = (Vec::new(), Vec::new());
        let mut slot = vec![0; g.words()];
        let mut edges = Vec::new();
        let mut initial = G::Cursor::default();
        let mut roots = Vec::new();
        while g.initial(&mut initial, &mut slot) {
            let s = states.intern(&slot[..g.len(&slot)]).map_err(full)?;
            if s as usize == distance.len() {
                distance.push(0);
                parent.push(s);
                roots.push(s);
            }
        }
        let (mut at, mut state) = (0u32, Vec::new());
        while (at as usize) < states.len() {
            states.load(at, &mut state);
            run.counters.states += 1;
            run.counters.post_calls += 1;
            let mut cursor = G::Cursor::default();
            if states.len() > most {
                return Ok(None);
            }
            while let Some(marks) = g.next(&state, &mut cursor, &mut slot) {
                run.transition();
                each(g.choice(&cursor));
                run.breathe(0, || states.bytes() + edges.capacity() * 24 + distance.capacity() * 8)?;
                let t = states.intern(&slot[..g.len(&slot)]).map_err(full)?;
                if t as usize == distance.len() {
                    distance.push(distance[at as usize] + 1);
                    parent.push(at);
                }
                edges.push((at, Edge { to: t, label: Label::TRUE, marks }));
            }
            at += 1;
        }
        if edges.len() >= u32::MAX as usize {
            return Err(Stop::States);
        }
        let mut automaton = Tgba::default();
        automaton.sets = g.all().len();
        automaton.initial = roots;
        automaton.set_edges(states.len(), &edges);
        run.counters.bytes = (states.bytes() + edges.capacity() * 24 + distance.capacity() * 8) as u64;
        Ok(Some(Whole { states, automaton, distance, parent }))
    }

    /// As [`Whole::of`], for a graph whose marks sit on states: so they do in the automaton.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn on_states<G: StateMarked>(
        g: &G,
        run: &mut Run,
        most: usize,
        each: &mut dyn FnMut(Choice),
    ) -> Result<Option<Whole>, Stop> {
        let Some(mut whole) = Whole::of(g, run, most, each)? else { return Ok(None) };
        let mut state = Vec::new();
        let marks = (0..whole.states.len() as u32).map(|i| {
            whole.states.load(i, &mut state);
            g.marks(&state) & g.all()
        });
        whole.automaton.state_marks = Some(marks.collect());
        Ok(Some(whole))
    }
}
