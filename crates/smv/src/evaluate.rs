//! The meaning of a model on states that are written down: every trace is walked by it before it is shown.
//!
//! Independent of the encoding: no bits, no diagrams.

use crate::ast::{Binary, Function, Kind, Sort, Unary, When};
use crate::model::{Domain, E, Model, Op, Value};
use std::collections::HashMap;
use std::rc::Rc;

/// A value of any variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Concrete {
    /// Not a word.
    Value(Value),
    /// A word: width, signed, bits.
    Word(u32, bool, u64),
}

impl Concrete {
    fn truth(self) -> bool {
        self == Concrete::Value(Value::Bool(true))
    }

    /// The number that a word stands for.
    fn number(self) -> i128 {
        match self {
            Concrete::Word(w, true, x) if x >> (w - 1) & 1 == 1 => i128::from(x) - (1i128 << w),
            Concrete::Word(_, _, x) => i128::from(x),
            Concrete::Value(Value::Int(n)) => i128::from(n),
            Concrete::Value(Value::Bool(b)) => i128::from(b),
            Concrete::Value(Value::Symbol(_)) => 0,
        }
    }
}

fn boolean(b: bool) -> Concrete {
    Concrete::Value(Value::Bool(b))
}

fn word(width: u32, signed: bool, value: i128) -> Concrete {
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    Concrete::Word(width, signed, value as u64 & mask)
}

/// The values of all variables; those of inputs belong to the step that leaves the state.
pub type State = Vec<Concrete>;

/// A state, and the next one if there is one.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// Now, and the inputs of the step.
    pub now: &'a [Concrete],
    /// Then.
    pub then: Option<&'a [Concrete]>,
}

type Memo = HashMap<(E, bool), Rc<Vec<Concrete>>>;

/// All values that an expression may have; nothing where it has none (a division by zero).
pub fn values(model: &Model, step: Step, e: E) -> Vec<Concrete> {
    let mut memo: Memo = HashMap::new();
    let mut stack = vec![(e, false)];
    while let Some(&(e, next)) = stack.last() {
        if memo.contains_key(&(e, next)) {
            stack.pop();
            continue;
        }
        let node = model.node(e);
        let needs: Vec<(E, bool)> = match &node.op {
            Op::Define(d) => vec![(model.defines[*d as usize].body, next)],
            Op::Apply(Kind::Next) => vec![(node.kids[0], true)],
            _ => node.kids.iter().map(|&k| (k, next)).collect(),
        };
        let before = stack.len();
        stack.extend(needs.iter().filter(|n| !memo.contains_key(n)));
        if stack.len() > before {
            continue;
        }
        let kids: Vec<Rc<Vec<Concrete>>> = needs.iter().map(|n| memo[n].clone()).collect();
        let mut found = match &node.op {
            Op::Define(_) | Op::Apply(Kind::Next) => kids[0].to_vec(),
            Op::Const(v) => vec![Concrete::Value(*v)],
            Op::Bits(w, s, x) => vec![Concrete::Word(*w, *s, *x)],
            Op::Var(v) => {
                let frozen = model.vars[*v as usize].sort == Sort::Frozen;
                let state = if next && !frozen { step.then } else { Some(step.now) };
                state.map(|s| s[*v as usize]).into_iter().collect()
            }
            Op::Apply(kind) => apply(kind, &kids),
        };
        found.sort_unstable();
        found.dedup();
        memo.insert((e, next), Rc::new(found));
        stack.pop();
    }
    memo.remove(&(e, false)).map_or_else(Vec::new, |v| v.to_vec())
}

/// Does the condition hold?
pub fn holds(model: &Model, step: Step, e: E) -> bool {
    values(model, step, e) == [boolean(true)]
}

fn apply(kind: &Kind, kids: &[Rc<Vec<Concrete>>]) -> Vec<Concrete> {
    let lazy = matches!(kind, Kind::Case | Kind::Index | Kind::Ite)
        || matches!(kind, Kind::Binary(Binary::And | Binary::Or | Binary::Implies));
    if !lazy && kids.iter().any(|k| k.is_empty()) {
        return Vec::new();
    }
    match kind {
        Kind::Set => kids.iter().flat_map(|k| k.iter().copied()).collect(),
        Kind::Binary(Binary::Union) => kids.iter().flat_map(|k| k.iter().copied()).collect(),
        Kind::Range => match (kids[0].as_slice(), kids[1].as_slice()) {
            ([a], [b]) => (a.number()..=b.number()).map(|n| Concrete::Value(Value::Int(n as i64))).collect(),
            _ => Vec::new(),
        },
        Kind::Binary(Binary::In) => vec![boolean(kids[0].iter().all(|x| kids[1].contains(x)))],
        // Only single values are equal or not; the types see to that.
        Kind::Binary(op @ (Binary::Equal | Binary::NotEqual)) => {
            match (kids[0].as_slice(), kids[1].as_slice()) {
                ([a], [b]) => vec![boolean((a == b) == (*op == Binary::Equal))],
                _ => Vec::new(),
            }
        }
        // One operand may decide alone, and then the other needs no value.
        Kind::Binary(op @ (Binary::And | Binary::Or | Binary::Implies))
            if kids.iter().any(|k| k.is_empty()) =>
        {
            let is = |i: usize, what: bool| *kids[i] == [boolean(what)];
            let decided = match op {
                Binary::And => is(0, false) || is(1, false),
                Binary::Or => is(0, true) || is(1, true),
                _ => is(0, false) || is(1, true),
            };
            if decided { vec![boolean(*op != Binary::And)] } else { Vec::new() }
        }
        Kind::Case | Kind::Index => {
            // A condition without a value is the end.
            let branch = kids.chunks(2).find(|pair| pair[0].is_empty() || pair[0].iter().any(|c| c.truth()));
            branch.filter(|pair| !pair[0].is_empty()).map_or_else(Vec::new, |pair| pair[1].to_vec())
        }
        Kind::Ite if kids[0].is_empty() => Vec::new(),
        Kind::Ite => kids[if kids[0].iter().any(|c| c.truth()) { 1 } else { 2 }].to_vec(),
        _ => {
            let mut rows: Vec<Vec<Concrete>> = vec![Vec::new()];
            for k in kids {
                rows = rows
                    .iter()
                    .flat_map(|row| {
                        k.iter().map(move |x| {
                            let mut row = row.clone();
                            row.push(*x);
                            row
                        })
                    })
                    .collect();
            }
            rows.iter().filter_map(|row| single(kind, row)).collect()
        }
    }
}

/// An operator on single values.
fn single(kind: &Kind, x: &[Concrete]) -> Option<Concrete> {
    use Binary::*;
    let int = |n: i128| i64::try_from(n).ok().map(|n| Concrete::Value(Value::Int(n)));
    Some(match (kind, x) {
        (Kind::Unary(Unary::Not), [Concrete::Word(w, s, x)]) => word(*w, *s, !i128::from(*x)),
        (Kind::Unary(Unary::Not), [p]) => boolean(!p.truth()),
        (Kind::Unary(Unary::Minus), [Concrete::Word(w, s, x)]) => word(*w, *s, -i128::from(*x)),
        (Kind::Unary(Unary::Minus), [p]) => int(-p.number())?,
        (Kind::Binary(op), [p @ Concrete::Word(w, s, a), q]) => {
            let (m, n) = (p.number(), q.number());
            match (op, q) {
                (And, Concrete::Word(_, _, b)) => Concrete::Word(*w, *s, a & b),
                (Or, Concrete::Word(_, _, b)) => Concrete::Word(*w, *s, a | b),
                (Xor, Concrete::Word(_, _, b)) => Concrete::Word(*w, *s, a ^ b),
                (Xnor | Iff, Concrete::Word(_, _, b)) => word(*w, *s, !i128::from(a ^ b)),
                (Implies, Concrete::Word(_, _, b)) => word(*w, *s, !i128::from(*a) | i128::from(*b)),
                (Concat, Concrete::Word(v, _, b)) => word(w + v, false, i128::from(*a) << v | i128::from(*b)),
                (Plus, _) => word(*w, *s, m + n),
                (Minus, _) => word(*w, *s, m - n),
                (Times, _) => word(*w, *s, m.wrapping_mul(n)),
                (Divide, _) => word(*w, *s, m.checked_div(n)?),
                (Mod, _) => word(*w, *s, m.checked_rem(n)?),
                (ShiftLeft | ShiftRight, _) if !(0..=i128::from(*w)).contains(&n) => return None,
                (ShiftLeft, _) => word(*w, *s, m << n),
                (ShiftRight, _) => word(*w, *s, m >> n),
                _ => compare(*op, m, n)?,
            }
        }
        (Kind::Binary(op), [p, q]) => {
            let (a, b) = (p.truth(), q.truth());
            let (m, n) = (p.number(), q.number());
            match op {
                And => boolean(a && b),
                Or => boolean(a || b),
                Xor => boolean(a != b),
                Xnor | Iff => boolean(a == b),
                Implies => boolean(!a || b),
                Plus => int(m + n)?,
                Minus => int(m - n)?,
                Times => int(m * n)?,
                Divide => int(m.checked_div(n)?)?,
                Mod => int(m.checked_rem(n)?)?,
                _ => compare(*op, m, n)?,
            }
        }
        (Kind::Slice, [Concrete::Word(_, _, x), high, low]) => {
            let (high, low) = (high.number(), low.number());
            word((high - low + 1) as u32, false, i128::from(*x) >> low)
        }
        (Kind::Call(f), _) => return call(*f, x),
        _ => return None,
    })
}

fn compare(op: Binary, m: i128, n: i128) -> Option<Concrete> {
    Some(boolean(match op {
        Binary::Less => m < n,
        Binary::Greater => m > n,
        Binary::LessEqual => m <= n,
        Binary::GreaterEqual => m >= n,
        _ => return None,
    }))
}

fn call(f: Function, x: &[Concrete]) -> Option<Concrete> {
    let int = |n: i128| i64::try_from(n).ok().map(|n| Concrete::Value(Value::Int(n)));
    let n = x[0].number();
    Some(match (f, x) {
        (Function::Bool, [Concrete::Word(_, _, w)]) => boolean(w & 1 == 1),
        (Function::Bool, _) => boolean(n != 0),
        (Function::SizeOf, [Concrete::Word(w, ..)]) => int(i128::from(*w))?,
        (Function::Word1, _) => Concrete::Word(1, false, u64::from(x[0].truth())),
        (Function::ToInt, _) => int(n)?,
        (Function::Signed, [Concrete::Word(w, _, b)]) => Concrete::Word(*w, true, *b),
        (Function::Unsigned, [Concrete::Word(w, _, b)]) => Concrete::Word(*w, false, *b),
        (Function::Extend, [Concrete::Word(w, s, _), by]) => word(*w + by.number() as u32, *s, n),
        (Function::Resize, [Concrete::Word(w, s, b), to]) => {
            let to = to.number() as u32;
            match word(to, *s, n) {
                Concrete::Word(_, true, low) if to < *w => {
                    Concrete::Word(to, true, low & !(1 << (to - 1)) | (b >> (w - 1) & 1) << (to - 1))
                }
                other => other,
            }
        }
        (Function::UnsignedConst, [_, w]) => word(w.number() as u32, false, n),
        (Function::SignedConst, [_, w]) => word(w.number() as u32, true, n),
        (Function::Count, _) => int(x.iter().filter(|c| c.truth()).count() as i128)?,
        (Function::Abs, _) => int(n.abs())?,
        (Function::Min | Function::Max, [a @ Concrete::Word(..), b]) => {
            let first = (n < b.number()) == (f == Function::Min);
            if first { *a } else { *b }
        }
        (Function::Min, [_, m]) => int(n.min(m.number()))?,
        (Function::Max, [_, m]) => int(n.max(m.number()))?,
        _ => return None,
    })
}

/// Is it an initial state? Tells why not.
pub fn initial(model: &Model, s: &State) -> Result<(), String> {
    let start = Step { now: s, then: None };
    for a in model.assigns.iter().filter(|a| a.when == When::Init) {
        if !values(model, start, a.value).contains(&s[a.var as usize]) {
            let name = &model.vars[a.var as usize].name;
            return Err(format!("the initial value of `{name}` is not what is assigned"));
        }
    }
    if model.init.iter().all(|&e| holds(model, start, e)) { Ok(()) } else { Err("INIT does not hold".into()) }
}

/// Walks a run: the stem, then the cycle for ever; a cycle that is empty is a run that was cut off. Tells what is wrong
/// with it.
pub fn replay(model: &Model, stem: &[State], cycle: &[State], fair: bool) -> Result<(), String> {
    let states: Vec<&State> = stem.iter().chain(cycle).collect();
    let Some(first) = states.first() else { return Err("the run is empty".into()) };
    initial(model, first)?;
    for (i, s) in states.iter().enumerate() {
        let back = (!cycle.is_empty()).then(|| states[stem.len()]);
        let then = states.get(i + 1).copied().or(back);
        let step = Step { now: s, then: then.map(Vec::as_slice) };
        state(model, step).map_err(|e| format!("state {i}: {e}"))?;
        if let Some(then) = then {
            transition(model, step, then).map_err(|e| format!("step {i}: {e}"))?;
        }
    }
    match unfair(model, cycle).filter(|_| fair) {
        Some(Unfair::Justice(_)) => Err("the cycle misses a fairness constraint".into()),
        Some(Unfair::Compassion(..)) => Err("the cycle violates a compassion constraint".into()),
        None => Ok(()),
    }
}

/// A constraint that a cycle violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfair {
    /// It never holds.
    Justice(E),
    /// The first holds, and the second never does.
    Compassion(E, E),
}

/// The first fairness constraint that a cycle violates; an empty one, which is none, violates nothing.
pub fn unfair(model: &Model, cycle: &[State]) -> Option<Unfair> {
    if cycle.is_empty() {
        return None;
    }
    let just = |j: E| {
        (0..cycle.len()).any(|i| {
            let then = Some(cycle[(i + 1) % cycle.len()].as_slice());
            holds(model, Step { now: &cycle[i], then }, j)
        })
    };
    let visits = |e| cycle.iter().any(|s| holds(model, Step { now: s, then: None }, e));
    let justice = model.justice.iter().find(|&&j| !just(j)).map(|&j| Unfair::Justice(j));
    justice.or_else(|| {
        let pair = model.compassion.iter().find(|(p, q)| visits(*p) && !visits(*q));
        pair.map(|&(p, q)| Unfair::Compassion(p, q))
    })
}

/// Is `now` a state of the model? Tells why not.
pub fn state(model: &Model, step: Step) -> Result<(), String> {
    for (variable, value) in model.vars.iter().zip(step.now) {
        let fits = match (&variable.domain, value) {
            (Domain::Bool, Concrete::Value(Value::Bool(_))) => true,
            (Domain::Values(all), Concrete::Value(v)) => all.contains(v),
            (Domain::Word { signed, width }, Concrete::Word(w, s, _)) => signed == s && width == w,
            _ => false,
        };
        if !fits {
            return Err(format!("`{}` is outside its domain", variable.name));
        }
    }
    for a in model.assigns.iter().filter(|a| a.when == When::Always) {
        if !values(model, step, a.value).contains(&step.now[a.var as usize]) {
            return Err(format!("`{}` is not what is assigned", model.vars[a.var as usize].name));
        }
    }
    if model.invar.iter().all(|&e| holds(model, step, e)) {
        Ok(())
    } else {
        Err("INVAR does not hold".into())
    }
}

/// Is it a step of the model, with the inputs of `now`? Tells why not.
pub fn transition(model: &Model, step: Step, then: &[Concrete]) -> Result<(), String> {
    let mut assigned: HashMap<u32, bool> = HashMap::new();
    for a in model.assigns.iter().filter(|a| a.when == When::Next) {
        let runs = a.running.is_none_or(|r| holds(model, step, r));
        *assigned.entry(a.var).or_insert(false) |= runs;
        if runs && !values(model, step, a.value).contains(&then[a.var as usize]) {
            return Err(format!("the next `{}` is not what is assigned", model.vars[a.var as usize].name));
        }
    }
    let frozen = (0u32..).zip(&model.vars).filter(|(_, x)| x.sort == Sort::Frozen).map(|(v, _)| v);
    for v in assigned.iter().filter(|(_, runs)| !**runs).map(|(v, _)| *v).chain(frozen) {
        if then[v as usize] != step.now[v as usize] {
            return Err(format!("`{}` changes", model.vars[v as usize].name));
        }
    }
    if model.trans.iter().all(|&e| holds(model, step, e)) {
        Ok(())
    } else {
        Err("TRANS does not hold".into())
    }
}
