//! `--engine symbolic` for programs: the transition relation is learned from the interpreter.

mod check;
mod explore;

pub use check::{Job, confirmed, lasso, run as check, tables};
pub use explore::run as explore;

use crate::args::{Common, StoreKind, Symbolic};
use crate::output::{Exit, complain};
use crate::symbolic::reordering;
use crate::watch::Pulses;
use riata_symbolic::Oxi;
use riata_symbolic::learn::Sampling;
use riata_symbolic::learn::session::Setup;
use riata_symbolic::relation::Shape;
use riata_system::{Limits, Path};

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
