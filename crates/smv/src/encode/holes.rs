//! Where an expression has no value, and when that does no harm.
//!
//! `x / y` has no value where `y` is zero, and a `case` none where no condition holds. An operator has none where an
//! operand has none, but for these, as NuSMV has it:
//!
//! * a branch that is not taken may be without a value;
//! * `p & q` is FALSE where one of them is, `p | q` is TRUE where one of them is, and `p -> q` is `!p | q`. So
//!   `y != 0 -> x / y < 4` is a condition of every state.

use super::{Encoder, Fail, Val, wrong};
use crate::ast::{Binary, Kind};
use crate::model::Op;
use riata_source::{Diagnostic, Span};
use riata_symbolic::Bdd;
use riata_system::Stop;
use std::rc::Rc;

impl<B: Bdd> Encoder<'_, '_, B> {
    /// A hole that an operator makes, if it can be met at all; `why` tells the user.
    pub(super) fn own_hole(&self, hole: B::F, why: impl FnOnce() -> Diagnostic) -> Result<B::F, Stop> {
        if !self.feasible(&hole)? {
            return Ok(self.bdd.constant(false));
        }
        self.causes.borrow_mut().push((hole.clone(), why()));
        Ok(hole)
    }

    /// Refuses an expression with a hole.
    pub(super) fn filled(&self, hole: &B::F, span: Span) -> Result<(), Fail> {
        if !self.feasible(hole)? {
            return Ok(());
        }
        for (cause, why) in self.causes.borrow().iter() {
            if self.feasible(&self.bdd.and(cause, hole)?)? {
                return Err(Fail::Wrong(Box::new(why.clone())));
            }
        }
        wrong(span, "this has no value in some states")
    }

    /// The hole of a node: `own` is what its operator adds to those of the operands.
    pub(super) fn hole(
        &self,
        op: &Op,
        kids: &[Rc<Val<B::F>>],
        holes: &[B::F],
        own: B::F,
    ) -> Result<B::F, Fail> {
        let b = self.bdd;
        let none = b.constant(false);
        if holes.iter().all(|h| *h == none) {
            return Ok(own);
        }
        let all = holes.iter().try_fold(own.clone(), |all, h| b.or(&all, h))?;
        Ok(match (op, kids) {
            (Op::Apply(Kind::Case | Kind::Index), _) => self.branches(kids, holes, own)?,
            (Op::Apply(Kind::Ite), [c, ..]) => {
                let Val::Bool(c) = &**c else { return Ok(all) };
                let taken = b.ite(c, &holes[1], &holes[2])?;
                b.or(&holes[0], &taken)?
            }
            (Op::Apply(Kind::Binary(op)), [p, q]) => {
                let (Val::Bool(p), Val::Bool(q)) = (&**p, &**q) else { return Ok(all) };
                // Where an operand alone decides.
                let (left, right) = match op {
                    Binary::And => (b.not(p), b.not(q)),
                    Binary::Or => (p.clone(), q.clone()),
                    Binary::Implies => (b.not(p), q.clone()),
                    _ => return Ok(all),
                };
                let left = b.minus(&left, &holes[0])?;
                let right = b.minus(&right, &holes[1])?;
                b.minus(&b.minus(&all, &left)?, &right)?
            }
            _ => all,
        })
    }

    fn branches(&self, kids: &[Rc<Val<B::F>>], holes: &[B::F], own: B::F) -> Result<B::F, Stop> {
        let b = self.bdd;
        let (mut rest, mut all) = (b.constant(true), own);
        for (pair, holes) in kids.chunks(2).zip(holes.chunks(2)) {
            let Val::Bool(c) = &*pair[0] else { continue };
            all = b.or(&all, &b.and(&rest, &holes[0])?)?;
            let taken = b.and(&rest, c)?;
            all = b.or(&all, &b.and(&taken, &holes[1])?)?;
            rest = b.minus(&rest, c)?;
        }
        Ok(all)
    }
}
