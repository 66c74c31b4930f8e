//! The value of an expression, straight from the form.
//!
//! Searches run compiled code. What people are shown needs values that no search computes (the arguments of `printf`,
//! the values of a message), in few states, so they are read from the form itself; nothing is compiled for them. The
//! [second reading](crate::reading) of the whole semantics is built on it.

use crate::Binary;
use crate::form::{Expr, Exprs, Pattern, Place, Receive, Var};
use crate::frame::Queue;
use crate::ids::{ExprId, ProcId};
use crate::interp::{Interpreter, NOBODY};
use crate::layout::{Field, Slot};
use crate::machine::Fault;

/// A state as one of its processes sees it.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a, 's> {
    pub interpreter: &'a Interpreter,
    pub s: &'s [u32],
    pub me: u32,
    /// Can nothing else move?
    pub timeout: bool,
    /// Is this about whether a process can move, because another asks?
    pub asked: bool,
}

/// What is still to be done, the last first.
enum Task {
    Value(ExprId),
    /// The operands are on the stack.
    Apply(ExprId),
    /// The first operand is on the stack, and decides what else is looked at.
    Decide(ExprId),
    /// The pid is on the stack: whose variable is meant.
    Whose(ProcId, Place),
    /// The index is on the stack: an element of a variable of this process.
    Element(u32, Var),
    /// Any value but zero becomes one.
    Truth,
}

impl<'a> Sight<'a, '_> {
    /// The value of an expression, or the fault that it is to evaluate it.
    pub fn value(self, e: ExprId) -> Result<i32, Fault> {
        let exprs = &self.interpreter.program.exprs;
        let mut todo = vec![Task::Value(e)];
        let mut values = Values(Vec::new());
        while let Some(task) = todo.pop() {
            match task {
                Task::Value(e) => match exprs.get(e) {
                    Expr::Const(k) => values.0.push(k),
                    Expr::Binary(Binary::And | Binary::Or | Binary::Imply, a, _) | Expr::If(a, ..) => {
                        todo.extend([Task::Decide(e), Task::Value(a)]);
                    }
                    Expr::Read(place) => match (place.var, place.index) {
                        (Var::Remote(of, _, pid), _) => {
                            todo.extend([Task::Whose(of, place), Task::Value(pid)]);
                        }
                        (var, Some(index)) => todo.extend([Task::Element(self.me, var), Task::Value(index)]),
                        (var, None) => values.0.push(self.read(var, 0)?),
                    },
                    expr => {
                        todo.push(Task::Apply(e));
                        let operands: Vec<ExprId> = Exprs::operands(expr).collect();
                        todo.extend(operands.into_iter().rev().map(Task::Value));
                    }
                },
                Task::Whose(of, place) => {
                    let Var::Remote(_, v, _) = place.var else { continue };
                    match (self.process(of, values.pop()), place.index) {
                        // Of a process that is not there, all variables are zero.
                        (None, _) => values.0.push(0),
                        (Some(pid), Some(index)) => {
                            todo.extend([Task::Element(pid, Var::Local(v)), Task::Value(index)]);
                        }
                        (Some(pid), None) => {
                            values.0.push(Sight { me: pid, ..self }.read(Var::Local(v), 0)?);
                        }
                    }
                }
                Task::Element(me, var) => {
                    let index = values.pop();
                    values.0.push(Sight { me, ..self }.read(var, index)?);
                }
                Task::Truth => {
                    let v = values.pop();
                    values.0.push(i32::from(v != 0));
                }
                Task::Decide(e) => {
                    let first = values.pop();
                    match exprs.get(e) {
                        Expr::If(_, a, b) => todo.push(Task::Value(if first != 0 { a } else { b })),
                        Expr::Binary(Binary::And, ..) if first == 0 => values.0.push(0),
                        Expr::Binary(Binary::Or, ..) if first != 0 => values.0.push(1),
                        Expr::Binary(Binary::Imply, ..) if first == 0 => values.0.push(1),
                        Expr::Binary(_, _, b) => todo.extend([Task::Truth, Task::Value(b)]),
                        _ => {}
                    }
                }
                Task::Apply(e) => {
                    let value = self.apply(exprs.get(e), &mut values)?;
                    values.0.push(value);
                }
            }
        }
        Ok(values.pop())
    }

    /// An operator whose operands are the last of `values`.
    fn apply(self, expr: Expr, values: &mut Values) -> Result<i32, Fault> {
        let i = self.interpreter;
        Ok(match expr {
            Expr::Const(k) => k,
            // These were looked at before.
            Expr::Read(_) | Expr::If(..) => values.pop(),
            Expr::Unary(op, _) => op.apply(values.pop()),
            Expr::Binary(op, ..) => {
                let b = values.pop();
                op.apply(values.pop(), b).ok_or(match op {
                    Binary::Shl | Binary::Shr => Fault::ShiftOutOfRange { count: b },
                    _ => Fault::DivisionByZero,
                })?
            }
            Expr::Bounded(_, len) => match values.pop() {
                index if (index as u32) < len => index,
                index => return Err(Fault::IndexOutOfRange { index, len }),
            },
            Expr::Pid if self.me == NOBODY => 0,
            Expr::Pid => self.me as i32,
            Expr::Processes => i.processes(self.s) as i32,
            Expr::Timeout => i32::from(self.timeout),
            Expr::NonProgress => i32::from(!i.is_progress(self.s)),
            Expr::Accepting => i32::from(i.is_accepting(self.s)),
            Expr::Enabled(_) => {
                let pid = u32::try_from(values.pop()).ok().filter(|&p| p < i.processes(self.s));
                if self.asked || pid == Some(self.me) {
                    return Err(Fault::OwnEnabledness);
                }
                i32::from(pid.is_some_and(|p| Sight { me: p, asked: true, ..self }.enabled()))
            }
            Expr::LocationOf(_) => {
                let at = u32::try_from(values.pop()).ok().and_then(|pid| self.at(pid));
                at.map_or(0, |location| location.number)
            }
            Expr::PriorityOf(_) => {
                u32::try_from(values.pop()).ok().and_then(|pid| self.priority(pid)).unwrap_or(0)
            }
            Expr::Channel(query, _) => {
                let (queue, at) = self.queue(values.pop())?;
                query.answer(count(queue, self.s, at), queue.capacity)
            }
            Expr::Poll(r) => {
                let receive = &i.program.receives[r as usize];
                let (queue, at) = self.queue(self.value(receive.channel)?)?;
                if queue.capacity == 0 {
                    return Err(Fault::PollsRendezvous);
                }
                i32::from(self.find(receive, queue, at)?.is_some())
            }
            Expr::At(of, _, location) => {
                let pid = self.process(of, values.pop());
                i32::from(pid.is_some_and(|p| i.location(self.s, p) == Some(location)))
            }
        })
    }

    fn read(self, var: Var, index: i32) -> Result<i32, Fault> {
        self.field(var, index).map(|(f, base)| f.load(&self.s[base..]))
    }

    /// Where a variable is: a field, and the word from which it is counted.
    pub fn field(self, var: Var, index: i32) -> Result<(Field, usize), Fault> {
        let i = self.interpreter;
        let found = match var {
            Var::Shared(v) => i.frames.shared.get(v as usize).map(|slot| (slot, 0)),
            Var::Local(v) => i.shape(self.s).processes.get(self.me as usize).and_then(|&(of, base)| {
                Some((i.frames.types[of as usize].locals.get(v as usize)?, base as usize))
            }),
            Var::Remote(..) => None,
        };
        match found {
            Some((Slot::One(f), base)) => Ok((*f, base)),
            Some((Slot::Many(a), base)) if (index as u32) < a.len => Ok((a.element(index as u32), base)),
            Some((Slot::Many(a), _)) => Err(Fault::IndexOutOfRange { index, len: a.len }),
            None => Err(Fault::NoSuchProcess { pid: self.me as i32 }),
        }
    }

    /// The pid of the process of type `of` that `pid` means; -1 is the first of the type.
    fn process(self, of: ProcId, pid: i32) -> Option<u32> {
        let i = self.interpreter;
        if pid == -1 {
            return (0..i.processes(self.s)).find(|&p| i.type_of(self.s, p) == Some(of));
        }
        u32::try_from(pid).ok().filter(|&p| p < i.processes(self.s) && i.type_of(self.s, p) == Some(of))
    }

    /// The kind of a channel and its first word.
    pub fn queue(self, id: i32) -> Result<(&'a Queue, u32), Fault> {
        let i = self.interpreter;
        let at = id.checked_sub(1).and_then(|at| usize::try_from(at).ok());
        let known = at.and_then(|at| i.shape(self.s).channels.get(at));
        let &(kind, at) = known.ok_or(Fault::NoSuchChannel { channel: id })?;
        Ok((&i.frames.queues[kind as usize], at))
    }

    /// The message in a slot of a queue.
    pub fn message(self, queue: &Queue, at: u32, slot: u32) -> Vec<i32> {
        queue.fields.iter().map(|f| f.element(slot).load(&self.s[at as usize..])).collect()
    }

    /// Does a message fit a receive?
    pub fn fits(self, receive: &Receive, message: &[i32]) -> Result<bool, Fault> {
        for (pattern, &value) in receive.patterns.iter().zip(message) {
            if let Pattern::Match(e) = pattern
                && self.value(*e)? != value
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The slot of the message that a receive takes from a queue.
    pub fn find(self, receive: &Receive, queue: &Queue, at: u32) -> Result<Option<u32>, Fault> {
        let count = count(queue, self.s, at);
        for slot in 0..if receive.any { count } else { count.min(1) } {
            if self.fits(receive, &self.message(queue, at, slot))? {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }
}

/// A stack of operands. Where one is missing, which cannot be, it is 0.
struct Values(Vec<i32>);

impl Values {
    fn pop(&mut self) -> i32 {
        debug_assert!(!self.0.is_empty(), "an operand for every operator");
        self.0.pop().unwrap_or(0)
    }
}

/// How many messages there are in a queue.
pub(crate) fn count(queue: &Queue, s: &[u32], at: u32) -> u32 {
    if queue.capacity == 0 { 0 } else { queue.count.raw(&s[at as usize..]) }
}
