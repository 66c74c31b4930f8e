//! How long it takes from one set of states to another, at least and at most.
//!
//! Of the reachable states only those on a fair path count.
//!
//! ```text
//! MIN [p, q]:  R := p;  i := 0                          MAX [p, q]:  R := ¬q;  i := 0
//!   until R ∩ q ≠ ∅:                                      until R ∩ p = ∅:
//!     R := R ∪ EY R;  i := i + 1                            R := ¬q ∩ EX R;  i := i + 1
//!     if R has not grown: infinity                          if R has not shrunk: infinity
//!   i                                                     i
//! ```
//!
//! A longest path counts the steps until `q` is reached; without a state in `p` or in `q` it is undefined.
//!
//! # References
//!
//! S. V. Campos, E. M. Clarke, W. Marrero, M. Minea, H. Hiraishi, *Computing quantitative characteristics of finite-state
//! real-time systems*, RTSS 1994.

use crate::algorithms::Algorithm;
use crate::bdd::Bdd;
use crate::ctl::{Arena, Ctl, Id};
use crate::engine::{Counters, Engine};
use crate::graph::Symbolic;
use crate::prepared::Prepared;
use riata_system::Stop;

/// The length of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many steps.
    Steps(u64),
    /// There is no shortest path, or no longest one.
    Infinite,
    /// There is no state to begin in, or to end in.
    Undefined,
}

impl std::fmt::Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Length::Steps(n) => write!(f, "{n}"),
            Length::Infinite => f.write_str("infinity"),
            Length::Undefined => f.write_str("undefined"),
        }
    }
}

/// A length, and how it was found.
pub struct Measured {
    /// The length.
    pub length: Length,
    /// What was counted.
    pub counters: Counters,
    /// The algorithm for fair cycles.
    pub algorithm: Algorithm,
    /// Why it was chosen, if it was not asked for.
    pub why: Option<&'static str>,
}

impl<B: Bdd> Prepared<'_, B> {
    /// The length of a shortest path from `p` to `q`, or of a longest one.
    pub fn length(
        &self,
        mut arena: Arena<B::F>,
        (p, q): (Id, Id),
        shortest: bool,
        algorithm: Option<Algorithm>,
    ) -> Result<Measured, Stop> {
        let (algorithm, why) = self.chosen(algorithm);
        let truth = arena.push(Ctl::Atom(self.graph.bdd.constant(true)));
        let fair = arena.push(Ctl::Eg(truth));
        let mut e = self.graph.engine();
        let mut checker = self.checker(algorithm)?;
        checker.evaluate(&mut e, &arena)?;
        let fair = checker.of(fair);
        let (p, q) = (e.and(checker.of(p), fair)?, e.and(checker.of(q), fair)?);
        let length =
            if shortest { shortest_path(&mut e, p, &q, fair)? } else { longest_path(&mut e, &p, &q, fair)? };
        Ok(Measured { length, counters: e.counters, algorithm, why })
    }
}

/// The length of a shortest path from `p` to `q` through `fair`.
fn shortest_path<B: Bdd>(
    e: &mut Engine<Symbolic<B>>,
    p: B::F,
    q: &B::F,
    fair: &B::F,
) -> Result<Length, Stop> {
    let (mut reached, mut front) = (p.clone(), p);
    for steps in 0.. {
        if !e.is_empty(&e.and(&front, q)?) {
            return Ok(Length::Steps(steps));
        }
        let more = e.ey(&front)?;
        let more = e.and(&more, fair)?;
        front = e.minus(&more, &reached)?;
        if e.is_empty(&front) {
            break;
        }
        reached = e.or(&reached, &front)?;
    }
    Ok(Length::Infinite)
}

/// The length of a longest path from `p` to `q` through `fair`.
fn longest_path<B: Bdd>(
    e: &mut Engine<Symbolic<B>>,
    p: &B::F,
    q: &B::F,
    fair: &B::F,
) -> Result<Length, Stop> {
    if e.is_empty(p) || e.is_empty(q) {
        return Ok(Length::Undefined);
    }
    let outside = e.minus(fair, q)?;
    let mut paths = outside.clone();
    for steps in 0.. {
        if e.is_empty(&e.and(&paths, p)?) {
            return Ok(Length::Steps(steps));
        }
        let before = e.ex(&paths)?;
        let fewer = e.and(&outside, &before)?;
        if fewer == paths {
            break;
        }
        paths = fewer;
    }
    Ok(Length::Infinite)
}
