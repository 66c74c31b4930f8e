//! Expressions as functions: what the value of an expression is, by the values of the variables' bits.
//!
//! A condition is one function. A scalar expression is a list of values, each with the condition under which the
//! expression may have it; for a set the conditions overlap, and operators work on all combinations. A word is a vector
//! of functions.
//!
//! An expression may have no value in some states: after a division by zero, or where a `case` has no branch. The set of
//! these states is its hole ([`holes`]). What is asked for in the end must have none.

mod holes;
mod operators;

use crate::ast::{Kind, Sort, Unary};
use crate::evaluate::Concrete;
use crate::model::{Domain, E, Model, Op, Value};
use crate::words;
use riata_source::{Diagnostic, Span};
use riata_symbolic::{Bdd, Var};
use riata_system::Stop;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Why there is no function.
pub enum Fail {
    /// A limit was reached.
    Stop(Stop),
    /// The model is wrong.
    Wrong(Box<Diagnostic>),
}

impl From<Stop> for Fail {
    fn from(stop: Stop) -> Self {
        Fail::Stop(stop)
    }
}

fn wrong<T>(span: Span, message: impl Into<String>) -> Result<T, Fail> {
    Err(Fail::Wrong(Box::new(Diagnostic::error(span, message))))
}

/// What an expression is.
#[derive(Clone)]
pub(crate) enum Val<F> {
    /// A condition.
    Bool(F),
    /// Values with their conditions.
    Map(Vec<(Value, F)>),
    /// A word: signed, bits from the lowest.
    Word(bool, Vec<F>),
}

/// What an expression is, and where it has no value.
type Known<F> = (Rc<Val<F>>, F);

/// What an operator makes, and where it makes nothing of operands that have values.
type Partial<F> = (Val<F>, F);

/// Variables as values, in this state or the next.
type Variables<F> = HashMap<(u32, bool), Val<F>>;

/// The bits of a variable, the highest first.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    /// In this state.
    pub current: Vec<Var>,
    /// In the next; empty for inputs.
    pub next: Vec<Var>,
    /// What the variable is, if it has no bits because it is a function of others in every state.
    pub body: Option<E>,
}

/// Turns expressions into functions.
pub(crate) struct Encoder<'m, 'b, B: Bdd> {
    pub model: &'m Model,
    pub bdd: &'b B,
    pub bits: &'m [Bits],
    memo: HashMap<(E, bool), Known<B::F>>,
    /// Why there are holes.
    causes: RefCell<Vec<(B::F, Diagnostic)>>,
    /// Variables as values, in this state and the next.
    variables: RefCell<Variables<B::F>>,
    /// The owner of each variable of the diagrams.
    owner: HashMap<Var, (u32, bool)>,
}

impl<'m, 'b, B: Bdd> Encoder<'m, 'b, B> {
    pub fn new(model: &'m Model, bdd: &'b B, bits: &'m [Bits]) -> Self {
        let mut owner = HashMap::new();
        for (v, b) in (0..).zip(bits) {
            owner.extend(b.current.iter().map(|&x| (x, (v, false))));
            owner.extend(b.next.iter().map(|&x| (x, (v, true))));
        }
        let causes = RefCell::default();
        Encoder { model, bdd, bits, memo: HashMap::new(), causes, variables: RefCell::default(), owner }
    }

    /// Forgets what is known of expressions, so that their nodes can be collected.
    pub fn forget(&mut self) {
        self.memo.clear();
        self.causes.borrow_mut().clear();
        self.variables.borrow_mut().clear();
    }

    /// The condition `e`.
    pub fn condition(&mut self, e: E) -> Result<B::F, Fail> {
        let value = self.value(e, false)?;
        self.truth(&value, self.model.node(e).span)
    }

    pub(crate) fn truth(&self, value: &Val<B::F>, span: Span) -> Result<B::F, Fail> {
        match value {
            Val::Bool(f) => Ok(f.clone()),
            _ => wrong(span, "a condition has one value, this is a set"),
        }
    }

    /// The value of `e` in this state or the next, which it must have.
    pub fn value(&mut self, e: E, next: bool) -> Result<Rc<Val<B::F>>, Fail> {
        let (value, hole) = self.known(e, next)?;
        self.filled(&hole, self.model.node(e).span)?;
        Ok(value)
    }

    /// What `e` is in this state or the next. A stack takes the place of recursion.
    fn known(&mut self, e: E, next: bool) -> Result<Known<B::F>, Fail> {
        let mut stack = vec![(e, next)];
        while let Some(&(e, next)) = stack.last() {
            if self.memo.contains_key(&(e, next)) {
                stack.pop();
                continue;
            }
            let node = self.model.node(e);
            let needs: Vec<(E, bool)> = match &node.op {
                Op::Define(d) => vec![(self.model.defines[*d as usize].body, next)],
                Op::Var(v) => self.bits[*v as usize].body.iter().map(|&e| (e, next)).collect(),
                Op::Apply(Kind::Next) => vec![(node.kids[0], true)],
                _ => node.kids.iter().map(|&k| (k, next)).collect(),
            };
            let before = stack.len();
            stack.extend(needs.iter().filter(|n| !self.memo.contains_key(n)));
            if stack.len() == before {
                let known = match &node.op {
                    Op::Define(_) | Op::Apply(Kind::Next) => self.memo[&needs[0]].clone(),
                    Op::Var(_) if !needs.is_empty() => self.memo[&needs[0]].clone(),
                    _ => {
                        let (kids, holes): (Vec<_>, Vec<_>) =
                            needs.iter().map(|n| self.memo[n].clone()).unzip();
                        let (value, own) = self.step(e, next, &kids)?;
                        (Rc::new(value), self.hole(&node.op, &kids, &holes, own)?)
                    }
                };
                self.memo.insert((e, next), known);
                stack.pop();
            }
        }
        Ok(self.memo[&(e, next)].clone())
    }

    /// The variable `v` as a value.
    pub fn variable(&self, v: u32, next: bool) -> Result<Val<B::F>, Stop> {
        if let Some(value) = self.variables.borrow().get(&(v, next)) {
            return Ok(value.clone());
        }
        // A frozen variable has the same value in the next state.
        let next = next && self.model.vars[v as usize].sort != Sort::Frozen;
        let bits = if next { &self.bits[v as usize].next } else { &self.bits[v as usize].current };
        let vars: Vec<B::F> = bits.iter().map(|&x| self.bdd.var(x)).collect::<Result<_, _>>()?;
        let value = match &self.model.vars[v as usize].domain {
            Domain::Bool => Val::Bool(vars[0].clone()),
            Domain::Word { signed, .. } => Val::Word(*signed, vars.into_iter().rev().collect()),
            Domain::Values(values) => {
                let mut map = Vec::new();
                for (i, &value) in values.iter().enumerate() {
                    map.push((value, self.code(&vars, i)?));
                }
                map.sort_by_key(|(v, _)| *v);
                Val::Map(map)
            }
        };
        self.variables.borrow_mut().insert((v, next), value.clone());
        Ok(value)
    }

    fn code(&self, vars: &[B::F], i: usize) -> Result<B::F, Stop> {
        let mut cube = self.bdd.constant(true);
        for (k, x) in vars.iter().rev().enumerate() {
            cube = self.bdd.and(&cube, &if i >> k & 1 == 1 { x.clone() } else { self.bdd.not(x) })?;
        }
        Ok(cube)
    }

    /// The codes of variable `v` that stand for a value.
    pub fn mask(&self, v: u32, next: bool) -> Result<B::F, Stop> {
        match self.variable(v, next)? {
            Val::Map(map) => {
                map.iter().try_fold(self.bdd.constant(false), |all, (_, f)| self.bdd.or(&all, f))
            }
            _ => Ok(self.bdd.constant(true)),
        }
    }

    /// Can the condition hold, when all variables have values of their domains?
    fn feasible(&self, f: &B::F) -> Result<bool, Stop> {
        let never = self.bdd.constant(false);
        let mut f = f.clone();
        let mut owners: Vec<(u32, bool)> =
            self.bdd.support(&f).iter().filter_map(|x| self.owner.get(x)).copied().collect();
        owners.dedup();
        for (v, next) in owners {
            if f == never {
                break;
            }
            if let Domain::Values(values) = &self.model.vars[v as usize].domain
                && !values.len().is_power_of_two()
            {
                f = self.bdd.and(&f, &self.mask(v, next)?)?;
            }
        }
        Ok(f != never)
    }

    /// The condition that variable `v` has (one of) the values of `e`.
    pub fn assigned(&mut self, v: u32, next: bool, e: E, e_next: bool) -> Result<B::F, Fail> {
        let value = self.fitting(v, e, e_next)?;
        let variable = self.variable(v, next)?;
        self.same(&variable, &value, self.model.node(e).span)
    }

    /// The value of `e`, which must be one that variable `v` can have.
    pub fn fitting(&mut self, v: u32, e: E, e_next: bool) -> Result<Rc<Val<B::F>>, Fail> {
        let value = self.value(e, e_next)?;
        let span = self.model.node(e).span;
        if let Val::Map(map) = &*value {
            let allowed = |x: &Value| match &self.model.vars[v as usize].domain {
                Domain::Values(values) => values.contains(x),
                Domain::Bool => matches!(x, Value::Bool(_)),
                Domain::Word { .. } => false,
            };
            for (x, f) in map.iter().filter(|(x, _)| !allowed(x)) {
                if self.feasible(f)? {
                    let (x, name) = (self.model.show(*x), &self.model.vars[v as usize].name);
                    return wrong(
                        span,
                        format!("`{name}` cannot have the value {x}, which it is assigned here"),
                    );
                }
            }
        }
        Ok(value)
    }

    /// The value of `e` where `value` tells the bits; `None` if it has none.
    pub fn at(&mut self, e: E, value: &dyn Fn(Var) -> bool) -> Result<Option<Concrete>, Fail> {
        let holds = |f: &B::F| self.bdd.eval(f, value);
        Ok(match &*self.known(e, false)?.0 {
            Val::Bool(f) => Some(Concrete::Value(Value::Bool(holds(f)))),
            Val::Map(map) => map.iter().find(|(_, f)| holds(f)).map(|(x, _)| Concrete::Value(*x)),
            Val::Word(signed, bits) => {
                let code = bits.iter().rev().fold(0u64, |code, f| code << 1 | u64::from(holds(f)));
                Some(Concrete::Word(bits.len() as u32, *signed, code))
            }
        })
    }

    fn as_map(&self, value: &Val<B::F>) -> Option<Vec<(Value, B::F)>> {
        match value {
            Val::Bool(f) => Some(vec![(Value::Bool(false), self.bdd.not(f)), (Value::Bool(true), f.clone())]),
            Val::Map(map) => Some(map.clone()),
            Val::Word(..) => None,
        }
    }

    /// The condition that two values have a member in common.
    fn same(&self, a: &Val<B::F>, b: &Val<B::F>, span: Span) -> Result<B::F, Fail> {
        match (a, b) {
            (Val::Bool(f), Val::Bool(g)) => Ok(self.bdd.iff(f, g)?),
            (Val::Word(_, x), Val::Word(_, y)) => Ok(words::equal(self.bdd, x, y)?),
            _ => {
                let (Some(a), Some(b)) = (self.as_map(a), self.as_map(b)) else {
                    return wrong(span, "words and other values do not compare");
                };
                let mut all = self.bdd.constant(false);
                for (x, f) in &a {
                    if let Ok(i) = b.binary_search_by_key(x, |(y, _)| *y) {
                        all = self.bdd.or(&all, &self.bdd.and(f, &b[i].1)?)?;
                    }
                }
                Ok(all)
            }
        }
    }

    fn gather(&self, pairs: impl IntoIterator<Item = (Value, B::F)>) -> Result<Vec<(Value, B::F)>, Stop> {
        let mut map: BTreeMap<Value, B::F> = BTreeMap::new();
        let never = self.bdd.constant(false);
        for (x, f) in pairs {
            if f == never {
                continue;
            }
            let sum = match map.get(&x) {
                Some(g) => self.bdd.or(g, &f)?,
                None => f,
            };
            map.insert(x, sum);
        }
        Ok(map.into_iter().collect())
    }

    /// The value of a node whose operands are known, and where it has none although they have.
    fn step(&mut self, e: E, next: bool, kids: &[Rc<Val<B::F>>]) -> Result<Partial<B::F>, Fail> {
        let node = self.model.node(e);
        let span = node.span;
        let b = self.bdd;
        let value = match &node.op {
            Op::Const(Value::Bool(x)) => Val::Bool(b.constant(*x)),
            Op::Const(x) => Val::Map(vec![(*x, b.constant(true))]),
            Op::Bits(w, signed, x) => Val::Word(*signed, words::constant(b, *w, *x)),
            Op::Var(v) => self.variable(*v, next)?,
            Op::Define(_) => return wrong(span, "this is a definition"),
            Op::Apply(kind) => match kind {
                Kind::Set => self.union(kids, span)?,
                Kind::Range => {
                    let (Some(low), Some(high)) = (self.fixed(&kids[0]), self.fixed(&kids[1])) else {
                        return wrong(span, "a range has constant bounds");
                    };
                    if low > high {
                        return wrong(span, format!("the range {low}..{high} is empty"));
                    }
                    if high.checked_sub(low).is_none_or(|n| n > 1 << 16) {
                        return wrong(span, "this range is too large");
                    }
                    Val::Map((low..=high).map(|i| (Value::Int(i), b.constant(true))).collect())
                }
                Kind::Unary(Unary::Not) => match &*kids[0] {
                    Val::Bool(f) => Val::Bool(b.not(f)),
                    Val::Word(s, x) => Val::Word(*s, x.iter().map(|p| b.not(p)).collect()),
                    Val::Map(map) => {
                        let flipped = map.iter().map(|(x, f)| match x {
                            Value::Bool(x) => (Value::Bool(!x), f.clone()),
                            x => (*x, f.clone()),
                        });
                        Val::Map(self.gather(flipped.collect::<Vec<_>>())?)
                    }
                },
                Kind::Unary(Unary::Minus) => match &*kids[0] {
                    Val::Word(s, x) => Val::Word(*s, words::neg(b, x)?),
                    v => return self.numbers(&[Rc::new(v.clone())], span, |x| x[0].checked_neg()),
                },
                Kind::Binary(op) => return self.binary(*op, &kids[0], &kids[1], span),
                Kind::Ite => {
                    let truth = Rc::new(Val::Bool(b.constant(true)));
                    let kids = [kids[0].clone(), kids[1].clone(), truth, kids[2].clone()];
                    return self.cases(&kids, "", span);
                }
                Kind::Case => {
                    return self.cases(kids, "the conditions of this case do not cover everything", span);
                }
                Kind::Index => {
                    return self.cases(kids, "the index is outside of the array in some states", span);
                }
                Kind::Slice => {
                    let (Val::Word(_, x), Some(high), Some(low)) =
                        (&*kids[0], self.fixed(&kids[1]), self.fixed(&kids[2]))
                    else {
                        return wrong(span, "only words have bits");
                    };
                    Val::Word(false, x[low as usize..=high as usize].to_vec())
                }
                Kind::Call(f) => return self.call(*f, kids, span),
                _ => return wrong(span, "temporal operators belong into specifications"),
            },
        };
        Ok((value, b.constant(false)))
    }

    fn union(&self, kids: &[Rc<Val<B::F>>], span: Span) -> Result<Val<B::F>, Fail> {
        if let [only] = kids {
            return Ok((**only).clone());
        }
        let mut all = Vec::new();
        for k in kids {
            let Some(map) = self.as_map(k) else { return wrong(span, "there are no sets of words") };
            all.extend(map);
        }
        Ok(Val::Map(self.gather(all)?))
    }

    /// The first branch whose condition holds; `otherwise` is said where there is none.
    fn cases(&self, kids: &[Rc<Val<B::F>>], otherwise: &str, span: Span) -> Result<Partial<B::F>, Fail> {
        let b = self.bdd;
        let mut rest = b.constant(true);
        let mut guarded = Vec::new();
        for pair in kids.chunks(2) {
            let c = self.truth(&pair[0], span)?;
            guarded.push((b.and(&rest, &c)?, &pair[1]));
            rest = b.minus(&rest, &c)?;
        }
        let own = self.own_hole(rest, || {
            let mut d = Diagnostic::error(span, otherwise);
            if otherwise.contains("case") {
                d = d.help("a last branch `TRUE : …;` covers what is left");
            }
            d
        })?;
        if guarded.iter().all(|(_, v)| matches!(***v, Val::Bool(_))) {
            let mut all = b.constant(false);
            for (g, v) in &guarded {
                all = b.or(&all, &b.and(g, &self.truth(v, span)?)?)?;
            }
            return Ok((Val::Bool(all), own));
        }
        if let Val::Word(signed, first) = &**guarded[0].1 {
            let mut all = words::constant(b, first.len() as u32, 0);
            for (g, v) in &guarded {
                let Val::Word(_, x) = &***v else { return wrong(span, "words and other values do not mix") };
                all = words::choose(b, g, x, &all)?;
            }
            return Ok((Val::Word(*signed, all), own));
        }
        let mut pairs = Vec::new();
        for (g, v) in &guarded {
            let Some(map) = self.as_map(v) else {
                return wrong(span, "words and other values do not mix");
            };
            for (x, f) in map {
                pairs.push((x, b.and(g, &f)?));
            }
        }
        Ok((Val::Map(self.gather(pairs)?), own))
    }

    /// An operation on numbers, for all combinations; nothing where it is not defined.
    fn numbers(
        &self,
        kids: &[Rc<Val<B::F>>],
        span: Span,
        op: impl Fn(&[i64]) -> Option<i64>,
    ) -> Result<Partial<B::F>, Fail> {
        let b = self.bdd;
        let mut rows = vec![(Vec::new(), b.constant(true))];
        for k in kids {
            let Val::Map(map) = &**k else { return wrong(span, "expected numbers") };
            let mut longer = Vec::new();
            for (row, f) in &rows {
                for (x, g) in map {
                    let Value::Int(x) = x else { return wrong(span, "expected numbers") };
                    let both = b.and(f, g)?;
                    if both != b.constant(false) {
                        let mut row: Vec<i64> = row.clone();
                        row.push(*x);
                        longer.push((row, both));
                    }
                }
            }
            if longer.len() > 1 << 20 {
                return wrong(span, "this operation has more than a million combinations of values");
            }
            rows = longer;
        }
        let (mut pairs, mut undefined) = (Vec::new(), b.constant(false));
        let mut zero = true;
        for (row, f) in rows {
            match op(&row) {
                Some(x) => pairs.push((Value::Int(x), f)),
                None => {
                    zero &= row.last() == Some(&0);
                    undefined = b.or(&undefined, &f)?;
                }
            }
        }
        let own = self.own_hole(undefined, || {
            let what = if zero { "a division by zero" } else { "a number that is too large" };
            Diagnostic::error(span, format!("{what} is possible here"))
        })?;
        Ok((Val::Map(self.gather(pairs)?), own))
    }

    /// The number that a value is, if it is the same everywhere.
    fn fixed(&self, value: &Val<B::F>) -> Option<i64> {
        match value {
            Val::Map(map) => match map.as_slice() {
                [(Value::Int(n), _)] => Some(*n),
                _ => None,
            },
            Val::Word(false, bits) => bits.iter().rev().try_fold(0i64, |n, f| {
                let bit = [false, true].into_iter().find(|&b| *f == self.bdd.constant(b))?;
                n.checked_mul(2)?.checked_add(i64::from(bit))
            }),
            _ => None,
        }
    }
}
