//! A fixpoint algorithm with somebody who watches: the same code, in a space that listens.
//!
//! An algorithm tells its space each set that it has computed, with the line of its text that did it ([`Space::watch`]).
//! Only [`Watched`] listens: a graph that is written down, for pictures.

use crate::bits::{BitSet, Bits};
use crate::{Algorithm, Counters, Engine, Problem, Space};
use riata_system::Stop;
use std::cell::RefCell;

/// What was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A line of the algorithm's text, and what it assigned.
    Line(&'static str),
    /// EX of something.
    Ex,
    /// EY of something.
    Ey,
    /// What EU or ES has reached so far.
    Reached,
    /// The approximation at the end of an external iteration, or a component.
    Iterated,
}

/// A set that was computed, and what was counted until then.
#[derive(Debug)]
pub struct Told<'a, T> {
    /// What it is.
    pub what: What,
    /// The set.
    pub set: &'a T,
    /// The counters.
    pub counters: &'a Counters,
}

/// One of them, kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What it is.
    pub what: What,
    /// The set.
    pub set: BitSet,
    /// The counters, without the list of sizes.
    pub counters: Counters,
}

/// A graph that is written down, and what was computed in it.
pub struct Watched<'a> {
    bits: &'a Bits,
    events: RefCell<Vec<Event>>,
}

/// The states with a fair path, what was counted, and all that was computed on the way.
///
/// # Errors
/// Those of the algorithm.
pub fn fair_states(
    algorithm: Algorithm,
    graph: &Bits,
    problem: &Problem<BitSet>,
) -> Result<(BitSet, Counters, Vec<Event>), Stop> {
    let space = Watched { bits: graph, events: RefCell::default() };
    let mut engine = Engine::new(&space);
    let fair = algorithm.fair_states(&mut engine, problem)?;
    let counters = engine.counters;
    Ok((fair, counters, space.events.into_inner()))
}

/// The text of an algorithm, from the documentation of its module.
pub fn text(algorithm: Algorithm) -> Vec<String> {
    let source = match algorithm {
        Algorithm::El => include_str!("algorithms/el.rs"),
        Algorithm::ElSmv => include_str!("algorithms/elsmv.rs"),
        Algorithm::Cty => include_str!("algorithms/cty.rs"),
        Algorithm::CtyPlus => include_str!("algorithms/ctyplus.rs"),
        Algorithm::Owcty | Algorithm::OwctyInner => include_str!("algorithms/owcty.rs"),
        Algorithm::El2 => include_str!("algorithms/el2.rs"),
        Algorithm::Brs => include_str!("algorithms/brs.rs"),
        Algorithm::Lockstep => include_str!("algorithms/lockstep.rs"),
        Algorithm::Chain => include_str!("algorithms/chain.rs"),
    };
    let doc = source.lines().map_while(|l| l.strip_prefix("//!")).map(|l| l.strip_prefix(' ').unwrap_or(l));
    let block = doc.skip_while(|l| *l != "```text").skip(1).take_while(|l| *l != "```");
    block.map(str::to_string).collect()
}

impl Space for Watched<'_> {
    type Set = BitSet;

    fn none(&self) -> BitSet {
        self.bits.none()
    }
    fn all(&self) -> BitSet {
        self.bits.all()
    }
    fn and(&self, a: &BitSet, b: &BitSet) -> Result<BitSet, Stop> {
        self.bits.and(a, b)
    }
    fn or(&self, a: &BitSet, b: &BitSet) -> Result<BitSet, Stop> {
        self.bits.or(a, b)
    }
    fn minus(&self, a: &BitSet, b: &BitSet) -> Result<BitSet, Stop> {
        self.bits.minus(a, b)
    }
    fn pre(&self, a: &BitSet) -> Result<BitSet, Stop> {
        self.bits.pre(a)
    }
    fn post(&self, a: &BitSet) -> Result<BitSet, Stop> {
        self.bits.post(a)
    }
    fn pick(&self, a: &BitSet) -> Result<BitSet, Stop> {
        self.bits.pick(a)
    }
    fn size(&self, a: &BitSet) -> usize {
        self.bits.size(a)
    }
    fn settle(&self) -> Result<(), Stop> {
        Ok(())
    }
    fn watch(&self, told: Told<BitSet>) {
        let counters = Counters { sizes: Vec::new(), ..told.counters.clone() };
        self.events.borrow_mut().push(Event { what: told.what, set: told.set.clone(), counters });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Strength;

    /// A cycle that is fair, a way to it, and one away from it.
    fn graph() -> (Bits, BitSet) {
        let graph = Bits::new(6, &[(0, 1), (1, 2), (2, 1), (2, 3), (3, 4), (4, 4), (5, 0)]);
        let mut fair = graph.none();
        fair.insert(2);
        fair.insert(3);
        (graph, fair)
    }

    #[test]
    fn the_last_set_is_the_answer_and_lines_are_in_the_text() {
        let (graph, fair) = graph();
        for algorithm in Algorithm::ALL {
            let problem =
                Problem { invariant: graph.all(), fair: vec![fair.clone()], strength: Strength::General };
            let mut engine = Engine::new(&graph);
            let plain = algorithm.fair_states(&mut engine, &problem).unwrap();
            let (found, counters, events) = fair_states(algorithm, &graph, &problem).unwrap();
            assert_eq!((&found, &counters), (&plain, &engine.counters), "{}", algorithm.name());
            let last = events.last().expect("something was computed");
            assert_eq!(Counters { sizes: Vec::new(), ..counters }, last.counters, "{}", algorithm.name());
            // What the general case of BRS does is OWCTY's.
            let text = match algorithm {
                Algorithm::Brs => text(Algorithm::Owcty),
                // Its second part is OWCTY, too.
                Algorithm::El2 => [text(Algorithm::El2), text(Algorithm::Owcty)].concat(),
                _ => text(algorithm),
            };
            for event in &events {
                let What::Line(line) = event.what else { continue };
                assert!(text.iter().any(|l| l.contains(line)), "{}: {line}\n{text:#?}", algorithm.name());
            }
        }
    }
}
