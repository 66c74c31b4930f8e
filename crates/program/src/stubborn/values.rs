//! What is known of the value of an expression without a state: which values an index or the name of a channel can have,
//! for a process of which some variables are known because nobody stores to them.

use super::cells::{FRESH, actions, stored};
use crate::Binary;
use crate::form::{Expr, Offer, Pattern, Place, Process, Program, Statement, Var};
use crate::ids::{ExprId, ProcId};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// The values that something can have; nothing if it may be any.
pub(super) type Values = Option<Vec<i32>>;

/// So many are told one by one.
const MOST: usize = 64;
/// And expressions are looked into so deep.
const DEEPEST: u32 = 16;

/// Some variables of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Vars(SmallVec<[u64; 2]>);

impl Vars {
    pub fn insert(&mut self, v: u32) {
        let word = v as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (v % 64);
    }

    pub fn contains(&self, v: u32) -> bool {
        self.0.get(v as usize / 64).is_some_and(|bits| bits >> (v % 64) & 1 != 0)
    }

    /// Adds others; tells whether there was something new.
    pub fn join(&mut self, other: &Vars) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut new = false;
        for (to, bits) in self.0.iter_mut().zip(&other.0) {
            new |= bits & !*to != 0;
            *to |= bits;
        }
        new
    }

    /// The first ones as bits; the last is for all others.
    pub fn mask(&self) -> u64 {
        let first = self.0.first().copied().unwrap_or(0);
        let others = self.0.iter().skip(1).any(|&bits| bits != 0);
        first | u64::from(others) << 63
    }
}

/// What is known of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Known {
    pub pid: Option<i32>,
    /// Its variables, as they were when it was created.
    pub locals: Vec<Values>,
}

/// What never changes in a program.
#[derive(Debug)]
pub(super) struct Constants {
    /// The shared variables that nobody stores to: their values.
    shared: Vec<Option<Vec<i32>>>,
    /// For each process type and location, the variables that may have been stored to on the way there.
    pub changed: Vec<Vec<Vars>>,
    /// For each process type the scalars that tell an index, a channel or an argument.
    pub telling: Vec<Vec<u32>>,
}

/// The variables of its own that a process stores to in an edge.
pub(super) fn stores(program: &Program, work: &crate::form::Work) -> Vars {
    let mut out = Vars::default();
    let mut store = |place: &Place| {
        if let Var::Local(v) = place.var {
            out.insert(v);
        }
    };
    for (action, _) in actions(program, work) {
        if let Offer::Receive(r) = action.offer {
            program.receives[r as usize].patterns.iter().for_each(|p| {
                if let Pattern::Bind(place) = p {
                    store(place);
                }
            });
        }
        for statement in &action.effect {
            match statement {
                Statement::Assign(place, _) | Statement::Run { pid: Some(place), .. } => store(place),
                _ => {}
            }
        }
    }
    out
}

/// For each location what may have been stored to on the way there.
fn changed(program: &Program, process: &Process) -> Vec<Vars> {
    let mut changed = vec![Vars::default(); process.locations.len()];
    let stores: Vec<Vars> = process.edges.iter().map(|e| stores(program, &e.work)).collect();
    let mut again = true;
    while std::mem::take(&mut again) {
        for (edge, stores) in process.edges.iter().zip(&stores) {
            let before = changed[edge.from.index()].clone();
            let to = &mut changed[edge.to.index()];
            again |= to.join(&before) | to.join(stores);
        }
    }
    changed
}

/// The own scalars below an expression.
fn scalars(program: &Program, e: ExprId, out: &mut BTreeSet<u32>) {
    program.walk(e, &mut |expr| {
        if let Expr::Read(Place { var: Var::Local(v), index: None }) = expr {
            out.insert(v);
        }
    });
}

/// The scalars of a process that tell an index, a channel or an argument.
fn telling(program: &Program, p: ProcId) -> Vec<u32> {
    let process = &program.processes[p.index()];
    let mut out = BTreeSet::new();
    let index = |e: ExprId, out: &mut BTreeSet<u32>| {
        program.walk(e, &mut |expr| match expr {
            Expr::Read(place) => place.exprs().for_each(|i| scalars(program, i, out)),
            Expr::Channel(_, c) => scalars(program, c, out),
            Expr::Poll(r) => scalars(program, program.receives[r as usize].channel, out),
            _ => {}
        });
    };
    for (action, _) in process.edges.iter().flat_map(|e| actions(program, &e.work)) {
        if let crate::form::Guard::When(e) = action.guard {
            index(e, &mut out);
        }
        match &action.offer {
            Offer::None => {}
            Offer::Send { channel, values, .. } => {
                scalars(program, *channel, &mut out);
                values.iter().for_each(|&e| index(e, &mut out));
            }
            Offer::Receive(r) => {
                let receive = &program.receives[*r as usize];
                scalars(program, receive.channel, &mut out);
                for pattern in &receive.patterns {
                    match pattern {
                        Pattern::Bind(place) => place.exprs().for_each(|i| scalars(program, i, &mut out)),
                        Pattern::Match(e) => index(*e, &mut out),
                        Pattern::Any => {}
                    }
                }
            }
        }
        for statement in &action.effect {
            match statement {
                Statement::Assign(place, e) => {
                    place.exprs().for_each(|i| scalars(program, i, &mut out));
                    index(*e, &mut out);
                }
                Statement::Assert(e) => index(*e, &mut out),
                Statement::Run { arguments, .. } => {
                    arguments.iter().for_each(|&e| scalars(program, e, &mut out));
                }
                Statement::Print(_) | Statement::SetPriority(..) | Statement::Exit => {}
            }
        }
    }
    out.into_iter().collect()
}

impl Constants {
    pub fn new(program: &Program) -> Constants {
        let stored = stored(program);
        let values = |(v, variable): (usize, &crate::form::Variable)| {
            if stored.contains(&(v as u32)) {
                return None;
            }
            let mut values = variable.initial.clone();
            for (number, open) in program.opens.iter().enumerate().filter(|(_, o)| o.var as usize == v) {
                if let Some(value) = values.get_mut(open.element as usize) {
                    *value = number as i32 + 1;
                }
            }
            Some(values)
        };
        Constants {
            shared: program.shared.iter().enumerate().map(values).collect(),
            changed: program.processes.iter().map(|p| changed(program, p)).collect(),
            telling: (0..program.processes.len()).map(|p| telling(program, ProcId::new(p))).collect(),
        }
    }

    /// What an expression can be for a process of which `known` is known, but for the variables in `unknown`.
    pub fn values(&self, program: &Program, known: &Known, unknown: &Vars, e: ExprId) -> Values {
        self.shallow(program, (known, unknown), e, DEEPEST)
    }

    /// Looks at so many levels of an expression.
    fn shallow(
        &self,
        program: &Program,
        (known, unknown): (&Known, &Vars),
        e: ExprId,
        levels: u32,
    ) -> Values {
        let levels = levels.checked_sub(1)?;
        let of = |e: ExprId| self.shallow(program, (known, unknown), e, levels);
        let some = |values: BTreeSet<i32>| (values.len() <= MOST).then(|| values.into_iter().collect());
        match program.exprs.get(e) {
            Expr::Const(k) => Some(vec![k]),
            Expr::Pid => known.pid.map(|pid| vec![pid]),
            Expr::Read(Place { var: Var::Local(v), index: None }) if !unknown.contains(v) => {
                known.locals.get(v as usize).cloned().flatten()
            }
            Expr::Read(Place { var: Var::Shared(v), index }) => {
                let values = self.shared[v as usize].as_ref()?;
                match index.map(of) {
                    None => values.first().map(|&k| vec![k]),
                    Some(None) => some(values.iter().copied().collect()),
                    Some(Some(elements)) => {
                        let at = |&i: &i32| usize::try_from(i).ok().and_then(|i| values.get(i)).copied();
                        some(elements.iter().filter_map(at).collect())
                    }
                }
            }
            Expr::Unary(op, a) => {
                let a = of(a)?;
                if a.contains(&FRESH) { None } else { some(a.into_iter().map(|a| op.apply(a)).collect()) }
            }
            Expr::Binary(op, a, b) if !matches!(op, Binary::And | Binary::Or) => {
                let (a, b) = (of(a)?, of(b)?);
                if a.len() * b.len() > MOST || a.contains(&FRESH) || b.contains(&FRESH) {
                    return None;
                }
                let pairs = a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b)));
                some(pairs.filter_map(|(a, b)| op.apply(a, b)).collect())
            }
            Expr::If(_, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                some(a.into_iter().chain(b).collect())
            }
            Expr::Bounded(a, n) => Some(of(a)?.into_iter().filter(|&a| (a as u32) < n).collect()),
            _ => None,
        }
    }
}
