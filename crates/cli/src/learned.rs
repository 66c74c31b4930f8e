//! `--engine symbolic` for programs: the transition relation is learned from the interpreter.

use crate::args::{Common, StoreKind, Symbolic};
use crate::check::Answer;
use crate::output::{Exit, complain};
use crate::symbolic::{reordering, table};
use crate::watch::Pulses;
use riata_report::json::Entry;
use riata_symbolic::Oxi;
use riata_symbolic::learn::Sampling;
use riata_symbolic::learn::session::{At, Setup};
use riata_symbolic::relation::Shape;
use riata_system::{Choice, Lasso, Limits, Path, ReplayError};

/// Flags that make no sense here.
pub fn refuse(symbolic: &Symbolic, store: StoreKind) -> Result<(), Exit> {
    if symbolic.order.is_some() || symbolic.write_order.is_some() {
        return Err(complain("order files are for SMV and AIGER models"));
    }
    if store != StoreKind::Exact {
        return Err(complain("the symbolic engine has no store of states"));
    }
    Ok(())
}

/// How to make a session.
pub fn setup(symbolic: &Symbolic, fresh: u32) -> Setup {
    let shape = if symbolic.monolithic { Shape::Monolithic } else { Shape::default() };
    Setup { fresh, shape, sampling: Sampling::default() }
}

/// A manager for so many bits.
pub fn manager<'l>(symbolic: &Symbolic, common: &Common, limits: Limits<'l>, bits: u32) -> Oxi<'l> {
    Oxi::for_bits(limits, bits).reordering(reordering(symbolic)).listen(Pulses::of(common))
}

/// States as a path.
fn path(states: &[Vec<u32>]) -> Path {
    states.iter().map(Vec::as_slice).collect()
}

/// FFKVY01's table for each property that was checked by several algorithms, a line for each other one.
pub fn tables(answers: &[Answer]) -> String {
    let mut text = String::new();
    for group in answers.chunk_by(|a, b| a.entry.property == b.entry.property) {
        let name = group[0].entry.property.as_deref().unwrap_or_default();
        let entries: Vec<&Entry> = group.iter().map(|a| &a.entry).collect();
        text += &format!("{name}\n{}", table(&entries));
    }
    text
}

/// A lasso is shown only if it could be replayed.
pub fn confirmed(replayed: Result<Vec<Choice>, ReplayError>) -> Vec<Choice> {
    match replayed {
        Ok(choices) => choices,
        Err(e) => panic!("internal error: the lasso is no accepting run: {e}"),
    }
}

/// A lasso of the product, its states as `words` has them.
pub fn lasso((stem, cycle): &(Vec<At>, Vec<At>), words: impl Fn(&At) -> Vec<u32>) -> Lasso {
    let states = |list: &[At]| path(&list.iter().map(&words).collect::<Vec<_>>());
    let marks = (1..=cycle.len()).map(|i| cycle[i % cycle.len()].marks).collect();
    Lasso { stem: states(stem), cycle: states(cycle), marks, choices: Vec::new() }.shortened()
}
