//! The value of an expression, straight from the form.
//!
//! Searches run compiled code. What people are shown needs values that no search computes (the arguments of `printf`,
//! the values of a message), in few states, so they are read from the form itself; nothing is compiled for them.

use super::form::{Expr, Exprs, Pattern, Place, Receive, Var};
use super::frame::Queue;
use super::interp::Interpreter;
use crate::Binary;
use crate::ids::{ExprId, ProcId};
use crate::layout::{Field, Slot};

/// A state as one of its processes sees it.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a, 's> {
    pub interpreter: &'a Interpreter<'a>,
    pub s: &'s [u32],
    pub me: u32,
    /// Can nothing else move?
    pub timeout: bool,
}

/// What is still to be done, the last first.
enum Task {
    Value(ExprId),
    /// The operands are on the stack.
    Apply(ExprId),
    /// The first operand is on the stack, and decides what else is looked at.
    Decide(ExprId),
    /// Any value but zero becomes one.
    Truth,
}

impl<'a> Sight<'a, '_> {
    /// The value of an expression; none where it is a fault.
    pub fn value(self, e: ExprId) -> Option<i32> {
        let exprs = &self.interpreter.program.exprs;
        let mut todo = vec![Task::Value(e)];
        let mut values: Vec<i32> = Vec::new();
        while let Some(task) = todo.pop() {
            match task {
                Task::Value(e) => match exprs.get(e) {
                    Expr::Const(k) => values.push(k),
                    Expr::Binary(Binary::And | Binary::Or | Binary::Imply, a, _) | Expr::If(a, ..) => {
                        todo.push(Task::Decide(e));
                        todo.push(Task::Value(a));
                    }
                    expr => {
                        todo.push(Task::Apply(e));
                        let operands: Vec<ExprId> = Exprs::operands(expr).collect();
                        todo.extend(operands.into_iter().rev().map(Task::Value));
                    }
                },
                Task::Truth => {
                    let v = values.pop()?;
                    values.push(i32::from(v != 0));
                }
                Task::Decide(e) => {
                    let first = values.pop()?;
                    match exprs.get(e) {
                        Expr::If(_, a, b) => todo.push(Task::Value(if first != 0 { a } else { b })),
                        Expr::Binary(Binary::And, ..) if first == 0 => values.push(0),
                        Expr::Binary(Binary::Or, ..) if first != 0 => values.push(1),
                        Expr::Binary(Binary::Imply, ..) if first == 0 => values.push(1),
                        Expr::Binary(_, _, b) => {
                            todo.push(Task::Truth);
                            todo.push(Task::Value(b));
                        }
                        _ => return None,
                    }
                }
                Task::Apply(e) => {
                    let value = self.apply(exprs.get(e), &mut values)?;
                    values.push(value);
                }
            }
        }
        values.pop()
    }

    /// An operator whose operands are the last of `values`.
    fn apply(self, expr: Expr, values: &mut Vec<i32>) -> Option<i32> {
        let i = self.interpreter;
        Some(match expr {
            Expr::Const(k) => k,
            Expr::Read(place) => {
                let pid = if matches!(place.var, Var::Remote(..)) { Some(values.pop()?) } else { None };
                let index = if place.index.is_some() { Some(values.pop()?) } else { None };
                return self.read(place, index, pid);
            }
            Expr::Unary(op, _) => op.apply(values.pop()?),
            Expr::Binary(op, ..) => {
                let b = values.pop()?;
                op.apply(values.pop()?, b)?
            }
            Expr::If(..) => return None,
            Expr::Bounded(_, n) => values.pop().filter(|&v| (v as u32) < n)?,
            Expr::Pid => self.me as i32,
            Expr::Processes => i.processes(self.s) as i32,
            Expr::Timeout => i32::from(self.timeout),
            Expr::NonProgress => i32::from(!i.is_progress(self.s)),
            Expr::Accepting => i32::from(i.is_accepting(self.s)),
            Expr::Enabled(_) => {
                let pid = u32::try_from(values.pop()?).ok().filter(|&p| p < i.processes(self.s));
                i32::from(pid.is_some_and(|p| i.enabled(self.s, p, self.timeout)))
            }
            Expr::LocationOf(_) | Expr::PriorityOf(_) => {
                let pid = usize::try_from(values.pop()?).ok();
                let Some(&(of, base)) = pid.and_then(|p| i.shape(self.s).processes.get(p)) else {
                    return Some(0);
                };
                let frame = &i.frames.types[of as usize];
                match expr {
                    Expr::LocationOf(_) => {
                        let at = frame.location.raw(&self.s[base as usize..]);
                        i.program.processes[of as usize].locations[at as usize].number
                    }
                    _ => frame.priority.load(&self.s[base as usize..]),
                }
            }
            Expr::Channel(query, _) => {
                let (queue, at) = self.queue(values.pop()?)?;
                query.answer(count(queue, self.s, at), queue.capacity)
            }
            Expr::Poll(r) => {
                let receive = &i.program.receives[r as usize];
                let (queue, at) = self.queue(self.value(receive.channel)?)?;
                i32::from(queue.capacity > 0 && self.find(receive, queue, at)?.is_some())
            }
            Expr::At(of, _, location) => {
                let pid = self.process(of, values.pop()?);
                i32::from(pid.is_some_and(|p| i.location(self.s, p) == Some(location)))
            }
        })
    }

    fn read(self, place: Place, index: Option<i32>, pid: Option<i32>) -> Option<i32> {
        match place.var {
            Var::Remote(of, v, _) => {
                let Some(pid) = self.process(of, pid?) else { return Some(0) };
                Sight { me: pid, ..self }.field(Var::Local(v), index).map(|(f, b)| f.load(&self.s[b..]))
            }
            var => self.field(var, index).map(|(f, b)| f.load(&self.s[b..])),
        }
    }

    /// Where a variable is: a field, and the word from which it is counted.
    pub fn field(self, var: Var, index: Option<i32>) -> Option<(Field, usize)> {
        let i = self.interpreter;
        let (slot, base) = match var {
            Var::Shared(v) => (i.frames.shared.get(v as usize)?, 0),
            Var::Local(v) => {
                let &(of, base) = i.shape(self.s).processes.get(self.me as usize)?;
                (i.frames.types[of as usize].locals.get(v as usize)?, base as usize)
            }
            Var::Remote(..) => return None,
        };
        match (*slot, index.unwrap_or(0)) {
            (Slot::One(f), _) => Some((f, base)),
            (Slot::Many(a), index) => {
                (0..a.len as i32).contains(&index).then(|| (a.element(index as u32), base))
            }
        }
    }

    /// The pid of the process of type `of` that `pid` means; -1 is the first of the type.
    fn process(self, of: ProcId, pid: i32) -> Option<u32> {
        let i = self.interpreter;
        if pid == -1 {
            return (0..i.processes(self.s)).find(|&p| i.type_of(self.s, p) == Some(of));
        }
        u32::try_from(pid).ok().filter(|&p| i.type_of(self.s, p) == Some(of))
    }

    /// The kind of a channel and its first word.
    pub fn queue(self, id: i32) -> Option<(&'a Queue, u32)> {
        let i = self.interpreter;
        let &(kind, at) = i.shape(self.s).channels.get(usize::try_from(id.checked_sub(1)?).ok()?)?;
        Some((&i.frames.queues[kind as usize], at))
    }

    /// The message in a slot of a queue.
    pub fn message(self, queue: &Queue, at: u32, slot: u32) -> Vec<i32> {
        queue.fields.iter().map(|f| f.element(slot).load(&self.s[at as usize..])).collect()
    }

    /// Does a message fit a receive?
    pub fn fits(self, receive: &Receive, message: &[i32]) -> Option<bool> {
        for (pattern, &value) in receive.patterns.iter().zip(message) {
            if let Pattern::Match(e) = pattern
                && self.value(*e)? != value
            {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The slot of the message that a receive takes from a queue.
    pub fn find(self, receive: &Receive, queue: &Queue, at: u32) -> Option<Option<u32>> {
        let count = count(queue, self.s, at);
        for slot in 0..if receive.any { count } else { count.min(1) } {
            if self.fits(receive, &self.message(queue, at, slot))? {
                return Some(Some(slot));
            }
        }
        Some(None)
    }
}

/// How many messages there are in a queue.
pub(crate) fn count(queue: &Queue, s: &[u32], at: u32) -> u32 {
    if queue.capacity == 0 { 0 } else { queue.count.raw(&s[at as usize..]) }
}
