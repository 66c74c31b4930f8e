//! From expressions and statements to bytecode, for one instance at a time.
//!
//! Instances that exist from the start have fixed frames, so every field has an absolute place in the state and code
//! needs no base register. Nothing recurses: a stack of work stands for what is still to be emitted.

use crate::expr::{Binary, Expr, Owner, Place, Unary};
use crate::ids::{ExprId, InstanceId};
use crate::layout::{ArrayField, Field, Layout, Slot};
use crate::machine::{DEEPEST, Instr, Op, forms};
use crate::program::{Domain, Pattern, Program, StoreRule};
use riata_source::Span;

/// An expression that nests too deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep {
    /// Where it is.
    pub span: Span,
}

/// Grows the code of a whole program.
pub(crate) struct Generator<'a> {
    program: &'a Program,
    layout: &'a Layout,
    pub code: Vec<Instr>,
    /// Where each instruction comes from.
    pub spans: Vec<Span>,
    /// The deepest value stack.
    pub depth: usize,
}

enum Work {
    Eval(ExprId),
    Emit(Instr, Span),
    Push,
    Pop(Instr, Span),
    Fork(Op),
    Join,
}

impl<'a> Generator<'a> {
    pub fn new(program: &'a Program, layout: &'a Layout) -> Self {
        Generator { program, layout, code: Vec::new(), spans: Vec::new(), depth: 0 }
    }

    /// Where the next instruction will be.
    pub fn here(&self) -> u32 {
        self.code.len() as u32
    }

    fn emit(&mut self, instr: Instr, span: Span) {
        self.code.push(instr);
        self.spans.push(span);
    }

    /// Ends a piece of code.
    pub fn finish(&mut self) {
        self.emit(instr(Op::Return), Span::default());
    }

    /// Code that leaves the value of `root` in the accumulator.
    pub fn expr(&mut self, me: InstanceId, root: ExprId) -> Result<(), TooDeep> {
        let mut work = vec![Work::Eval(root)];
        let mut forks: Vec<usize> = Vec::new();
        // One slot is kept for the value of an assignment to an array.
        let mut depth = 1;
        while let Some(next) = work.pop() {
            match next {
                Work::Emit(i, span) => self.emit(i, span),
                Work::Push => {
                    depth += 1;
                    self.depth = self.depth.max(depth);
                    if depth > DEEPEST {
                        return Err(TooDeep { span: self.program.exprs.span(root) });
                    }
                    self.emit(instr(Op::Push), Span::default());
                }
                Work::Pop(i, span) => {
                    depth -= 1;
                    self.emit(i, span);
                }
                Work::Fork(op) => {
                    forks.push(self.code.len());
                    self.emit(instr(op), Span::default());
                }
                Work::Join => {
                    let fork = forks.pop().expect("a fork for every join");
                    self.code[fork].mask = self.here();
                }
                Work::Eval(e) => self.eval(me, e, &mut work),
            }
        }
        self.depth = self.depth.max(depth);
        Ok(())
    }

    fn eval(&self, me: InstanceId, e: ExprId, work: &mut Vec<Work>) {
        let exprs = &self.program.exprs;
        let span = exprs.span(e);
        match exprs.get(e) {
            Expr::Const(k) => work.push(Work::Emit(Instr { k, ..instr(Op::Const) }, span)),
            Expr::Read(place) => match (self.slot(me, place), place.index) {
                (Slot::One(f), _) => work.push(Work::Emit(field(Op::Load, f), span)),
                (Slot::Many(a), Some(index)) => {
                    if let Some(f) = self.constant_element(a, index) {
                        work.push(Work::Emit(field(Op::Load, f), span));
                    } else {
                        work.push(Work::Emit(array(Op::LoadElement, a), span));
                        work.push(Work::Eval(index));
                    }
                }
                (Slot::Many(_), None) => debug_assert!(false, "verified: an array has an index"),
            },
            Expr::At(i, loc) => {
                let f = self.layout.location(i);
                work.push(Work::Emit(Instr { k: loc.0 as i32, ..field(Op::At, f) }, span));
            }
            Expr::Len(c) => match self.layout.channel(c) {
                Some(layout) => work.push(Work::Emit(field(Op::Load, layout.count), span)),
                None => work.push(Work::Emit(instr(Op::Const), span)),
            },
            Expr::Unary(op, a) => {
                let op = match op {
                    Unary::Neg => Op::Neg,
                    Unary::Complement => Op::Complement,
                    Unary::Not => Op::Not,
                };
                work.push(Work::Emit(instr(op), span));
                work.push(Work::Eval(a));
            }
            Expr::Binary(op, a, b) => self.binary(me, op, (a, b), span, work),
        }
    }

    fn binary(&self, me: InstanceId, op: Binary, (a, b): (ExprId, ExprId), span: Span, work: &mut Vec<Work>) {
        let exprs = &self.program.exprs;
        let Some(forms) = forms(op) else {
            let fork = match op {
                Binary::And => Op::AndJump,
                Binary::Or => Op::OrJump,
                _ => Op::ImplyJump,
            };
            work.push(Work::Join);
            if !exprs.is_truth(b) {
                work.push(Work::Emit(instr(Op::Bool), span));
            }
            work.push(Work::Eval(b));
            work.push(Work::Fork(fork));
            work.push(Work::Eval(a));
            return;
        };
        // `1 + x` is `x + 1`, which is shorter; a constant cannot fault, so the order cannot be seen.
        let commutes = matches!(op, Binary::Add | Binary::Mul | Binary::Eq | Binary::Ne);
        let (a, b) = if commutes && exprs.constant(a).is_some() { (b, a) } else { (a, b) };
        if let Some(k) = exprs.constant(b)
            && op.apply(1, k).is_some()
        {
            work.push(Work::Emit(Instr { k, ..instr(forms.constant) }, span));
            work.push(Work::Eval(a));
            return;
        }
        if let (Some(form), Some(f)) = (forms.field, self.leaf(me, b)) {
            work.push(Work::Emit(field(form, f), span));
            work.push(Work::Eval(a));
            return;
        }
        work.push(Work::Pop(instr(forms.pop), span));
        work.push(Work::Eval(b));
        work.push(Work::Push);
        work.push(Work::Eval(a));
    }

    /// The field that `e` reads, if that is all it does.
    fn leaf(&self, me: InstanceId, e: ExprId) -> Option<Field> {
        let Expr::Read(place) = self.program.exprs.get(e) else { return None };
        match (self.slot(me, place), place.index) {
            (Slot::One(f), _) => Some(f),
            (Slot::Many(a), Some(index)) => self.constant_element(a, index),
            (Slot::Many(_), None) => None,
        }
    }

    fn constant_element(&self, a: ArrayField, index: ExprId) -> Option<Field> {
        let index = u32::try_from(self.program.exprs.constant(index)?).ok()?;
        (index < a.len).then(|| a.element(index))
    }

    fn slot(&self, me: InstanceId, place: Place) -> Slot {
        let owner = match place.owner {
            Owner::Own => me,
            Owner::Of(i) => i,
        };
        self.layout.slot(place.var, owner)
    }

    /// Code for `place := value`.
    pub fn assign(&mut self, me: InstanceId, place: Place, value: ExprId) -> Result<(), TooDeep> {
        let var = &self.program.vars[place.var.index()];
        let span = self.program.exprs.span(value);
        if let (Some(f), Some(k)) = (self.scalar(me, place), self.program.exprs.constant(value))
            && (var.rule == StoreRule::Wrap || var.domain.contains(k))
        {
            self.emit(Instr { k: k.wrapping_sub(f.min), ..field(Op::Set, f) }, span);
            return Ok(());
        }
        self.expr(me, value)?;
        self.store(me, place, span)
    }

    /// Code that does with value `i` of a message what `pattern` says.
    pub fn receive(&mut self, me: InstanceId, i: usize, pattern: Pattern, span: Span) -> Result<(), TooDeep> {
        let Pattern::Bind(place) = pattern else { return Ok(()) };
        self.emit(Instr { first: i as u16, ..instr(Op::FromMessage) }, span);
        self.store(me, place, span)
    }

    /// Code that makes the accumulator value `i` of a message.
    pub fn send(&mut self, me: InstanceId, i: usize, domain: Domain, value: ExprId) -> Result<(), TooDeep> {
        self.expr(me, value)?;
        let span = self.program.exprs.span(value);
        let wrap = Instr { first: i as u16, mask: domain.extent(), k: domain.min, ..instr(Op::ToMessage) };
        self.emit(wrap, span);
        Ok(())
    }

    /// Code that sets the location.
    pub fn go(&mut self, me: InstanceId, to: u32, span: Span) {
        let f = self.layout.location(me);
        self.emit(Instr { k: to as i32, ..field(Op::Set, f) }, span);
    }

    fn scalar(&self, me: InstanceId, place: Place) -> Option<Field> {
        match (self.slot(me, place), place.index) {
            (Slot::One(f), _) => Some(f),
            (Slot::Many(a), Some(index)) => self.constant_element(a, index),
            (Slot::Many(_), None) => None,
        }
    }

    /// Stores the accumulator.
    fn store(&mut self, me: InstanceId, place: Place, span: Span) -> Result<(), TooDeep> {
        let var = &self.program.vars[place.var.index()];
        let (rule, domain) = (var.rule, var.domain);
        let check = Instr { mask: domain.extent(), k: domain.min, ..instr(Op::Check) };
        if let Some(f) = self.scalar(me, place) {
            match rule {
                StoreRule::Wrap => self.emit(field(Op::StoreWrap, f), span),
                StoreRule::Fault if f.mask == domain.extent() => self.emit(field(Op::StoreFault, f), span),
                StoreRule::Fault => {
                    self.emit(check, span);
                    self.emit(field(Op::StoreWrap, f), span);
                }
            }
            return Ok(());
        }
        let (Slot::Many(a), Some(index)) = (self.slot(me, place), place.index) else { return Ok(()) };
        self.emit(instr(Op::Push), span);
        self.expr(me, index)?;
        let index_span = self.program.exprs.span(index);
        match rule {
            // An element has more bits than a wrapped value may use, if its domain is not a power of a power of two.
            StoreRule::Wrap if a.mask() == domain.extent() => {
                self.emit(array(Op::StoreElementWrap, a), index_span)
            }
            StoreRule::Fault if a.mask() == domain.extent() => {
                self.emit(array(Op::StoreElementFault, a), index_span);
            }
            StoreRule::Fault => {
                self.emit(Instr { op: Op::CheckPushed, ..check }, span);
                self.emit(array(Op::StoreElementWrap, a), index_span);
            }
            StoreRule::Wrap => {
                self.emit(Instr { op: Op::WrapPushed, ..check }, span);
                self.emit(array(Op::StoreElementWrap, a), index_span);
            }
        }
        Ok(())
    }
}

pub(crate) fn instr(op: Op) -> Instr {
    Instr { op, shift: 0, first: 0, word: 0, mask: 0, k: 0 }
}

pub(crate) fn field(op: Op, f: Field) -> Instr {
    Instr { op, shift: f.shift, first: 0, word: f.word, mask: f.mask, k: f.min }
}

pub(crate) fn array(op: Op, a: ArrayField) -> Instr {
    Instr { op, shift: a.log, first: a.first, word: a.word, mask: a.len, k: a.min }
}
