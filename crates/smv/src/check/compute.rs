//! COMPUTE: how long it takes from one set of states to another, at least and at most.
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

use super::{Answer, Session};
use crate::ast::{Kind, Modal2};
use crate::encode::Fail;
use crate::formula::branching;
use crate::model::{Op, Spec};
use riata_source::Diagnostic;
use riata_symbolic::ctl::{Arena, Ctl};
use riata_symbolic::{Algorithm, Bdd, Engine, Strength, Symbolic};
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

impl<B: Bdd> Session<'_, B> {
    /// The length that a COMPUTE specification asks for.
    pub(super) fn check_compute(&self, spec: &Spec, algorithm: Option<Algorithm>) -> Result<Answer, Fail> {
        let node = self.model.node(spec.formula);
        let (shortest, kids) = match (&node.op, node.kids.as_slice()) {
            (Op::Apply(Kind::Modal2(op @ (Modal2::Shortest | Modal2::Longest))), [p, q]) => {
                (*op == Modal2::Shortest, [*p, *q])
            }
            _ => {
                let d = Diagnostic::error(spec.span, "COMPUTE takes `MIN [p, q]` or `MAX [p, q]`");
                return Err(Fail::Wrong(Box::new(d)));
            }
        };
        let (chosen, why) = Algorithm::choose(Strength::General, self.fsm.justice.len());
        let (algorithm, why) = algorithm.map_or((chosen, Some(why)), |a| (a, None));
        let mut arena = Arena(Vec::new());
        let mut encoder = self.encoder();
        let [p, q] = [
            branching(&mut encoder, self.types, &mut arena, kids[0])?,
            branching(&mut encoder, self.types, &mut arena, kids[1])?,
        ];
        drop(encoder);
        let truth = arena.push(Ctl::Atom(self.graph.bdd.constant(true)));
        let fair = arena.push(Ctl::Eg(truth));
        let mut e = self.graph.engine();
        let mut checker = self.checker(algorithm)?;
        checker.evaluate(&mut e, &arena)?;
        let fair = checker.of(fair);
        let (p, q) = (e.and(checker.of(p), fair)?, e.and(checker.of(q), fair)?);
        let length =
            if shortest { shortest_path(&mut e, p, &q, fair)? } else { longest_path(&mut e, &p, &q, fair)? };
        Ok(Answer {
            holds: true,
            value: Some(length),
            unfair: false,
            trace: None,
            counters: e.counters,
            algorithm,
            why,
            strength: None,
        })
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
