//! Variables that nobody reads: what is stored to them does not matter, so nothing is.
//!
//! A variable counts as read if an expression other than the value of an assignment to itself speaks of it; so a counter
//! that is only counted is not read. Stores to such a variable become stores of its initial value: an index that is
//! outside of the array is still a fault. A value that may be a fault itself is left alone, and reads what it speaks of,
//! the variable itself included: whether `x = a[x]` is a fault depends on x.
//!
//! **Condition.** No process, no proposition and no monitor reads the variable, and it is no channel. Then the program is
//! bisimilar to the original one: fairness, steps and all propositions are the same.

use super::Condition;
use crate::form::{
    Action, Expr, Exprs, Guard, Offer, Pattern, Place, Program, Receive, Shown, Statement, Var, Variable,
    Work,
};
use crate::ids::{ExprId, ProcId};
use crate::{Binary, StoreRule, Unary};
use riata_source::Span;
use std::collections::HashSet;

/// A variable: of a process type, or shared.
type Key = (Option<ProcId>, u32);

fn key(me: Option<ProcId>, var: Var) -> Key {
    match var {
        Var::Shared(v) => (None, v),
        Var::Local(v) => (me, v),
        Var::Remote(p, v, _) => (Some(p), v),
    }
}

struct Reads<'a> {
    program: &'a Program,
    /// Does it matter whether a value is a fault?
    faults: bool,
    keys: HashSet<Key>,
}

impl Reads<'_> {
    /// Everything below `root` is read, but for the variable `but`.
    fn expr(&mut self, me: Option<ProcId>, root: ExprId, but: Option<Key>) {
        let mut todo = vec![root];
        while let Some(e) = todo.pop() {
            let expr = self.program.exprs.get(e);
            if let Expr::Read(place) = expr {
                let key = key(me, place.var);
                if Some(key) != but {
                    self.keys.insert(key);
                }
            }
            if let Expr::Poll(r) = expr {
                self.receive(me, &self.program.receives[r as usize]);
            }
            todo.extend(Exprs::operands(expr));
        }
    }

    fn place(&mut self, me: Option<ProcId>, place: Place) {
        place.index.into_iter().for_each(|i| self.expr(me, i, None));
        if let Var::Remote(_, _, pid) = place.var {
            self.expr(me, pid, None);
        }
    }

    fn receive(&mut self, me: Option<ProcId>, receive: &Receive) {
        self.expr(me, receive.channel, None);
        for pattern in &receive.patterns {
            match pattern {
                Pattern::Match(e) => self.expr(me, *e, None),
                Pattern::Bind(place) => self.place(me, *place),
                Pattern::Any => {}
            }
        }
    }

    fn action(&mut self, me: ProcId, action: &Action) {
        let me = Some(me);
        if let Guard::When(e) = action.guard {
            self.expr(me, e, None);
        }
        match &action.offer {
            Offer::None => {}
            Offer::Send { channel, values, .. } => {
                values.iter().chain([channel]).for_each(|&e| self.expr(me, e, None));
            }
            Offer::Receive(r) => self.receive(me, &self.program.receives[*r as usize]),
        }
        for statement in &action.effect {
            match statement {
                Statement::Assign(place, value) => {
                    self.place(me, *place);
                    let own = !self.faults || harmless(self.program, *value, *place);
                    self.expr(me, *value, own.then(|| key(me, place.var)));
                }
                Statement::Assert(e) => self.expr(me, *e, None),
                Statement::Run { arguments, priority, pid, .. } => {
                    arguments.iter().chain(priority).for_each(|&e| self.expr(me, e, None));
                    pid.iter().for_each(|&place| self.place(me, place));
                }
                Statement::Print(p) => {
                    let arguments = &self.program.prints[*p as usize].arguments;
                    arguments.iter().for_each(|&e| self.expr(me, e, None));
                }
                Statement::SetPriority(a, b) => [a, b].into_iter().for_each(|&e| self.expr(me, e, None)),
                Statement::Exit => {}
            }
        }
    }
}

/// What is read anywhere.
fn reads(program: &Program, propositions: bool, faults: bool) -> HashSet<Key> {
    let mut reads = Reads { program, faults, keys: HashSet::new() };
    for (p, process) in program.processes.iter().enumerate() {
        let p = ProcId::new(p);
        actions(program, p).iter().for_each(|a| reads.action(p, a));
        process.provided.into_iter().for_each(|e| reads.expr(Some(p), e, None));
        for &(place, value) in &process.initialisers {
            reads.place(Some(p), place);
            reads.expr(Some(p), value, None);
        }
    }
    let looks = program.propositions.iter().filter(|_| propositions);
    looks.for_each(|p| reads.expr(None, p.expr, None));
    reads.keys
}

fn actions(program: &Program, p: ProcId) -> Vec<&Action> {
    let mut all = Vec::new();
    for edge in &program.processes[p.index()].edges {
        match &edge.work {
            Work::Action(a) => all.push(a),
            Work::Block(b, _) => {
                all.extend(program.blocks[*b as usize].nodes.iter().flatten().map(|(a, _)| a));
            }
        }
    }
    all
}

/// Can the value of an expression always be told? Elements of `own`, at the same index, can.
fn harmless(program: &Program, root: ExprId, own: Place) -> bool {
    let mut todo = vec![root];
    while let Some(e) = todo.pop() {
        let expr = program.exprs.get(e);
        let fine = match expr {
            Expr::Read(place) if place == own => continue,
            Expr::Read(place) => place.index.is_none() && !matches!(place.var, Var::Remote(..)),
            Expr::Const(_) | Expr::Pid => true,
            Expr::Unary(op, _) => matches!(op, Unary::Neg | Unary::Not | Unary::Complement),
            Expr::Binary(op, ..) => !matches!(op, Binary::Div | Binary::Rem | Binary::Shl | Binary::Shr),
            _ => false,
        };
        if !fine {
            return false;
        }
        todo.extend(Exprs::operands(expr));
    }
    true
}

/// Stores nothing to variables that nobody reads.
pub(super) fn forget_unread(program: &mut Program, asks: &dyn Fn(Condition) -> bool) {
    let read = reads(program, asks(Condition::Propositions), asks(Condition::Faults));
    // One value for all elements, to be stored instead.
    let instead = |program: &Program, me: ProcId, var: Var| -> Option<i32> {
        let variable: &Variable = program.variable(Some(me), var)?;
        let first = *variable.initial.first()?;
        let last = matches!(var, Var::Shared(v) if program.last == Some(v));
        // A value outside of the domain would be a fault.
        let wraps = variable.rule == StoreRule::Wrap;
        let plain = variable.shown != Shown::Channel && !last && variable.initial.iter().all(|&v| v == first);
        let plain = plain && wraps;
        (plain && !read.contains(&key(Some(me), var))).then_some(first)
    };
    for p in (0..program.processes.len()).map(ProcId::new) {
        let mut stores = Vec::new();
        for action in actions(program, p) {
            for statement in &action.effect {
                if let Statement::Assign(place, value) = *statement
                    && matches!(place.var, Var::Shared(_) | Var::Local(_))
                    && let Some(first) = instead(program, p, place.var)
                    && (harmless(program, value, place) || !asks(Condition::Faults))
                {
                    stores.push((place, value, first));
                }
            }
        }
        for (place, value, first) in stores {
            let constant = program.exprs.add(Expr::Const(first), Span::default());
            let replace = |action: &mut Action| {
                for statement in &mut action.effect {
                    if *statement == Statement::Assign(place, value) {
                        *statement = Statement::Assign(place, constant);
                    }
                }
            };
            let Program { processes, blocks, .. } = program;
            for edge in &mut processes[p.index()].edges {
                match &mut edge.work {
                    Work::Action(a) => replace(a),
                    Work::Block(b, _) => {
                        blocks[*b as usize].nodes.iter_mut().flatten().for_each(|(a, _)| replace(a));
                    }
                }
            }
        }
    }
}
