//! Random expressions, places and receives.

use crate::program::Maker;
use riata_program::{Binary, ExprId, LocId, ProcId, Unary};
use riata_program::{Expr, Pattern, Place, Query, Receive, Var, Variable};
use riata_source::Span;

/// What an expression may look at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Everything.
    Any,
    /// What decides whether an edge can be taken: not who else is enabled, which would ask back.
    Guard,
    /// What is sent, and where: as guards, and not where processes are or who moved last.
    Message,
}

impl Maker<'_> {
    pub fn add(&mut self, expr: Expr) -> ExprId {
        self.program.exprs.add(expr, Span::default())
    }

    pub fn constant(&mut self, k: i32) -> ExprId {
        self.add(Expr::Const(k))
    }

    /// A variable that can be stored to, which is no role's.
    fn chosen(&mut self, me: Option<ProcId>) -> Var {
        let locals = me.map_or(0, |p| self.program.processes[p.index()].locals.len());
        match self.tape.below(self.plain + locals) {
            v if v < self.plain => Var::Shared(v as u32),
            v => Var::Local((v - self.plain) as u32),
        }
    }

    fn index(&mut self, of: &Variable, me: Option<ProcId>, depth: usize, what: Use) -> Option<ExprId> {
        let len = of.len? as usize;
        match self.tape.below(16) {
            0 | 1 => None,
            15 => Some(self.expr(me, depth, what)),
            14 => {
                let e = self.expr(me, depth, what);
                Some(self.add(Expr::Bounded(e, len as u32)))
            }
            _ => {
                let k = self.tape.below(len) as i32;
                Some(self.constant(k))
            }
        }
    }

    /// A place to store to.
    pub fn place(&mut self, me: Option<ProcId>, depth: usize, what: Use) -> Place {
        let var = self.chosen(me);
        let of = self.program.variable(me, var).expect("it was chosen among those that exist").clone();
        Place { var, index: self.index(&of, me, depth, what) }
    }

    pub fn read(&mut self, me: Option<ProcId>, depth: usize, what: Use) -> Expr {
        if self.tape.once_in(8) && what != Use::Message {
            // Roles' variables can be read.
            let v = self.tape.below(self.program.shared.len()) as u32;
            let of = self.program.shared[v as usize].clone();
            return Expr::Read(Place { var: Var::Shared(v), index: self.index(&of, me, depth, what) });
        }
        if self.tape.once_in(if self.quiet { 24 } else { 6 }) {
            let p = self.tape.below(self.program.processes.len());
            let locals = self.program.processes[p].locals.clone();
            if !locals.is_empty() {
                let v = self.tape.below(locals.len());
                let pid = if self.flat { self.known_pid(p) } else { self.pid(me, depth, what) };
                let index = self.index(&locals[v], me, depth, what);
                return Expr::Read(Place { var: Var::Remote(ProcId::new(p), v as u32, pid), index });
            }
        }
        Expr::Read(self.place(me, depth, what))
    }

    /// The pid of the one process of a type.
    fn known_pid(&mut self, p: usize) -> ExprId {
        let k = if self.tape.once_in(2) { p as i32 } else { -1 };
        self.constant(k)
    }

    fn pid(&mut self, me: Option<ProcId>, depth: usize, what: Use) -> ExprId {
        if self.tape.once_in(4) {
            return self.expr(me, depth, what);
        }
        let k = self.tape.below(5) as i32 - 1;
        self.constant(k)
    }

    /// An expression that mostly names a channel.
    pub fn channel(&mut self, me: Option<ProcId>, depth: usize, what: Use) -> ExprId {
        match self.tape.below(24) {
            18..23 => {
                let v = self.tape.below(self.program.opens.len());
                let open = self.program.opens[v];
                let array = self.program.shared[open.var as usize].len.is_some();
                let index = array.then(|| self.constant(open.element as i32));
                self.add(Expr::Read(Place { var: Var::Shared(open.var), index }))
            }
            23 => self.expr(me, depth, what),
            _ => {
                let k = self.tape.below(self.program.opens.len()) as i32 + 1;
                self.constant(k)
            }
        }
    }

    /// A new receive. Who looks on binds nothing.
    pub fn receive(&mut self, me: Option<ProcId>, depth: usize, any: bool, keeps: bool) -> u32 {
        let channel = self.channel(me, depth, Use::Message);
        let known = self.program.exprs.constant(channel);
        let wanted = known.and_then(|k| self.program.opens.get(usize::try_from(k - 1).ok()?));
        let wanted = wanted.map(|open| self.program.channels[open.channel as usize].fields.len());
        let count = if self.tape.once_in(25) { self.tape.below(3) } else { wanted.unwrap_or(1) };
        let mut patterns = Vec::new();
        for at in 0..count {
            patterns.push(match self.tape.below(6) {
                1 | 4 if me.is_some() => Pattern::Bind(self.place(me, depth, Use::Guard)),
                // What is matched beyond a message is not settled.
                2 if wanted.is_some_and(|n| at < n) => {
                    let e = if self.tape.once_in(3) {
                        self.expr(me, depth, Use::Guard)
                    } else {
                        let k = self.tape.below(3) as i32;
                        self.constant(k)
                    };
                    Pattern::Match(e)
                }
                _ => Pattern::Any,
            });
        }
        self.program.receives.push(Receive { channel, any, keeps, patterns, span: Span::default() });
        self.program.receives.len() as u32 - 1
    }

    /// An expression for `me`, nested at most so deep.
    pub fn expr(&mut self, me: Option<ProcId>, depth: usize, what: Use) -> ExprId {
        use Binary::*;
        let next = depth.saturating_sub(1);
        let kinds = match (depth, what) {
            (0, _) => 3,
            (_, Use::Message) if self.flat => 7,
            _ if self.flat => 8,
            (_, Use::Message) => 10,
            (_, Use::Guard) => 15,
            (_, Use::Any) => 16,
        };
        let expr = match self.tape.below(kinds) {
            0 => Expr::Const(self.tape.below(6) as i32 - 1),
            1 | 2 => self.read(me, next, what),
            3 | 4 => {
                let op = match self.tape.once_in(8) {
                    false => self.tape.pick(&[
                        Ne, Eq, Ge, Le, Lt, Gt, Or, And, Imply, Add, Sub, Mul, BitAnd, BitOr, BitXor,
                    ]),
                    true => self.tape.pick(&[Div, Rem, Shl, Shr]),
                };
                let a = self.expr(me, next, what);
                Expr::Binary(op, a, self.expr(me, next, what))
            }
            5 => {
                let op = self.tape.pick(&[Unary::Not, Unary::Neg, Unary::Complement]);
                Expr::Unary(op, self.expr(me, next, what))
            }
            6 => {
                let c = self.expr(me, next, what);
                let a = self.expr(me, next, what);
                Expr::If(c, a, self.expr(me, next, what))
            }
            7 if self.flat => {
                let p = self.tape.below(self.program.processes.len());
                let l = self.tape.below(self.program.processes[p].locations.len());
                Expr::At(ProcId::new(p), self.known_pid(p), LocId::new(l))
            }
            7 if self.timeless => Expr::Processes,
            7 => self.tape.pick(&[Expr::Pid, Expr::Processes, Expr::Timeout]),
            8 => {
                let q =
                    self.tape.pick(&[Query::Len, Query::Empty, Query::NonEmpty, Query::Full, Query::NonFull]);
                Expr::Channel(q, self.channel(me, next, what))
            }
            9 => match self.tape.below(3) {
                0 => {
                    let e = self.expr(me, next, what);
                    Expr::Bounded(e, 3)
                }
                1 => Expr::PriorityOf(self.pid(me, next, what)),
                _ if what == Use::Message => Expr::Const(1),
                _ => {
                    let (any, keeps) = (self.tape.once_in(2), self.tape.once_in(2));
                    Expr::Poll(self.receive(me, next.min(1), any, keeps))
                }
            },
            10 => self.tape.pick(&[Expr::NonProgress, Expr::Accepting]),
            11 => Expr::LocationOf(self.pid(me, next, what)),
            12..15 => {
                let p = self.tape.below(self.program.processes.len());
                let l = self.tape.below(self.program.processes[p].locations.len());
                Expr::At(ProcId::new(p), self.pid(me, next, what), LocId::new(l))
            }
            // Who looks on has no pid, and -1 stands for nobody: what it is told of that is not settled.
            _ if me.is_none() => {
                let k = self.tape.below(4) as i32;
                Expr::Enabled(self.constant(k))
            }
            _ => Expr::Enabled(self.pid(me, next, what)),
        };
        let expr = match expr {
            Expr::Enabled(_) | Expr::LocationOf(_) | Expr::PriorityOf(_) if self.quiet => Expr::Const(1),
            Expr::At(..) if self.quiet && self.tape.once_in(2) => Expr::Pid,
            expr => expr,
        };
        self.add(expr)
    }
}
