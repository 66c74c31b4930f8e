//! What an edge touches, writes, needs and offers, read with what is known of the process.

use super::cells::{Bits, Cells, FRESH, actions};
use super::footprint::Row;
use super::values::{Constants, Known, Values, Vars};
use super::{Forgets, Proviso};
use crate::form::{Action, Edge, Expr, Guard, Offer, Pattern, Place, Program, Var, Work};
use crate::ids::{ExprId, ProcId};
use std::collections::BTreeSet;

pub(super) struct Reader<'a> {
    pub program: &'a Program,
    pub cells: &'a Cells,
    pub constants: &'a Constants,
    /// The cells that the property looks at.
    pub seen: &'a Bits,
    /// For each process type, its sticky edges.
    pub sticky: &'a [Vec<bool>],
    pub proviso: Proviso,
    /// The offers that depend on more than where a process is.
    pub guarded: &'a Bits,
    pub forgets: Forgets,
}

/// What an edge is read with.
pub(super) struct Env<'k> {
    pub p: ProcId,
    pub known: &'k Known,
    pub unknown: Vars,
}

impl Reader<'_> {
    fn blank(&self) -> Row {
        let none = || self.cells.none();
        Row {
            touches: none(),
            writes: none(),
            needs: none(),
            parts: Vec::new(),
            besides: none(),
            fills: none(),
            empties: none(),
            partners: none(),
            offers: none(),
            exits: false,
            runs: false,
            parts_read: Vec::new(),
            reads: 0,
            stores: 0,
            meets: None,
            sure: false,
            closes: false,
            visible: false,
            may_be_alone: false,
            all: Box::default(),
            children: BTreeSet::new(),
        }
    }

    pub fn edge(&self, p: ProcId, known: &Known, e: usize, edge: &Edge) -> Row {
        let mut row = self.blank();
        let process = &self.program.processes[p.index()];
        let env = self.env(p, known, edge);
        for (action, first) in actions(self.program, &edge.work) {
            self.action(&env, action, first, &mut row);
        }
        if let Work::Block(b, _) = edge.work
            && self.program.blocks[b as usize].nodes[0].len() > 1
        {
            // The first that can be taken is: what makes one possible keeps those after it from being taken.
            row.touches.join(&row.needs.clone());
        }
        let (from, to) = (&process.locations[edge.from.index()], &process.locations[edge.to.index()]);
        if self.program.processes.iter().any(|p| p.locations.iter().any(|l| l.committed)) {
            row.touches.set(self.cells.control);
            row.needs.set(self.cells.control);
            if from.committed || to.committed {
                row.writes.set(self.cells.control);
            }
        }
        let watched = |l| self.cells.is_watched(p, l);
        if row.exits || edge.from != edge.to && (watched(edge.from) || watched(edge.to)) {
            row.writes.set(self.cells.location(p));
        }
        if row.exits && from.progress || !row.exits && from.progress != to.progress {
            row.writes.set(self.cells.progress);
        }
        if row.exits && from.accepting || !row.exits && from.accepting != to.accepting {
            row.writes.set(self.cells.accepting);
        }
        row.stores = super::values::stores(self.program, &edge.work).mask();
        if let Work::Action(action) = &edge.work
            && self.only_meets(&env, action)
        {
            row.meets = Some(row.partners.clone());
        }
        row.closes = self.sticky.get(p.index()).is_none_or(|edges| edges[e]);
        self.forget(&mut row);
        row
    }

    /// Can an action do nothing but meet another process, at a channel that is always there?
    fn only_meets(&self, env: &Env, action: &Action) -> bool {
        let program = self.program;
        let fails = |e: ExprId| program.mentions(e, Expr::may_fail);
        let channel_is = |e: ExprId, length: usize| {
            let Some(values) = self.values(env, e) else { return false };
            let meets = |k: &i32| {
                let open = usize::try_from(k.wrapping_sub(1)).ok().and_then(|k| program.opens.get(k));
                open.map(|o| &program.channels[o.channel as usize])
                    .is_some_and(|c| c.capacity == 0 && c.fields.len() == length)
            };
            !values.is_empty() && values.iter().all(meets)
        };
        let guard = match action.guard {
            Guard::Always => true,
            Guard::When(e) => !fails(e),
            Guard::Else => false,
        };
        guard
            && match &action.offer {
                Offer::None => false,
                Offer::Send { channel, values, .. } => {
                    channel_is(*channel, values.len()) && !values.iter().any(|&e| fails(e))
                }
                Offer::Receive(r) => {
                    let receive = &program.receives[*r as usize];
                    !receive.keeps && channel_is(receive.channel, receive.patterns.len())
                }
            }
    }

    /// The own variables that an expression looks at.
    pub fn own(&self, e: ExprId) -> u64 {
        let mut read = 0;
        self.program.walk(e, &mut |expr| {
            if let Expr::Read(Place { var: Var::Local(v), .. }) = expr {
                read |= mask([v]);
            }
        });
        read
    }

    /// The offers that depend on more than where a process is.
    pub fn guarded(&self) -> Bits {
        let mut guarded = self.cells.none();
        for p in 0..self.program.processes.len() {
            for edge in &self.program.processes[p].edges {
                let fixed = |p: &Pattern| match p {
                    Pattern::Match(e) => self.program.exprs.constant(*e).is_some(),
                    _ => true,
                };
                let plain = match &edge.work {
                    Work::Action(Action { guard: Guard::Always, offer, .. }) => match offer {
                        Offer::Receive(r) => self.program.receives[*r as usize].patterns.iter().all(fixed),
                        _ => true,
                    },
                    _ => false,
                };
                if !plain {
                    let known = self.unknown(p);
                    guarded.join(&self.edge(ProcId::new(p), &known, 0, edge).offers);
                }
            }
        }
        guarded
    }

    pub fn env<'k>(&self, p: ProcId, known: &'k Known, edge: &Edge) -> Env<'k> {
        let mut unknown = self.constants.changed[p.index()][edge.from.index()].clone();
        unknown.join(&super::values::stores(self.program, &edge.work));
        Env { p, known, unknown }
    }

    /// What is known of a process that does not exist yet.
    pub fn newborn(&self, p: ProcId, arguments: Vec<Values>) -> Known {
        let process = &self.program.processes[p.index()];
        let mut locals: Vec<Values> = vec![None; process.locals.len()];
        for ((local, variable), values) in locals.iter_mut().zip(&process.locals).zip(arguments) {
            let fits = |v: &i32| *v == FRESH || variable.domain.contains(*v);
            *local = values.filter(|values| values.iter().all(fits));
        }
        for open in &process.opens {
            if process.locals[open.var as usize].len.is_none() {
                locals[open.var as usize] = Some(vec![FRESH]);
            }
        }
        for (place, _) in &process.initialisers {
            if let Var::Local(v) = place.var {
                locals[v as usize] = None;
            }
        }
        Known { pid: None, locals }
    }

    /// Nothing is known of a process of this type.
    pub fn unknown(&self, p: usize) -> Known {
        Known { pid: None, locals: vec![None; self.program.processes[p].locals.len()] }
    }

    pub fn values(&self, env: &Env, e: ExprId) -> Values {
        self.constants.values(self.program, env.known, &env.unknown, e)
    }
}

/// Own variables as bits; the last is for all others.
pub(super) fn mask(variables: impl IntoIterator<Item = u32>) -> u64 {
    variables.into_iter().fold(0, |bits, v| bits | 1 << v.min(63))
}
