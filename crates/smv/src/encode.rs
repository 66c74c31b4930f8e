//! Expressions as functions: what the value of an expression is, by the values of the variables' bits.
//!
//! A condition is one function. A scalar expression is a list of values, each with the condition under which the
//! expression may have it; for a set the conditions overlap, and operators work on all combinations. A word is a vector
//! of functions.

use crate::ast::{Binary, Function, Kind, Unary};
use crate::model::{Domain, E, Model, Op, Value};
use crate::words;
use riata_source::{Diagnostic, Span};
use riata_symbolic::{Bdd, Var};
use riata_system::Stop;
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
    /// Values with their conditions, and the condition under which there is none: a division by zero.
    Map(Vec<(Value, F)>, F),
    /// A word: signed, bits from the lowest.
    Word(bool, Vec<F>),
}

/// The bits of a variable, the highest first.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    /// In this state.
    pub current: Vec<Var>,
    /// In the next; empty for inputs.
    pub next: Vec<Var>,
}

/// Turns expressions into functions.
pub(crate) struct Encoder<'m, 'b, B: Bdd> {
    pub model: &'m Model,
    pub bdd: &'b B,
    pub bits: &'m [Bits],
    memo: HashMap<(E, bool), Rc<Val<B::F>>>,
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
        Encoder { model, bdd, bits, memo: HashMap::new(), owner }
    }

    /// Forgets what is known of expressions, so that their nodes can be collected.
    pub fn forget(&mut self) {
        self.memo.clear();
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

    /// The value of `e` in this state or the next. A stack takes the place of recursion.
    pub fn value(&mut self, e: E, next: bool) -> Result<Rc<Val<B::F>>, Fail> {
        let mut stack = vec![(e, next)];
        while let Some(&(e, next)) = stack.last() {
            if self.memo.contains_key(&(e, next)) {
                stack.pop();
                continue;
            }
            let node = self.model.node(e);
            let needs: Vec<(E, bool)> = match &node.op {
                Op::Define(d) => vec![(self.model.defines[*d as usize].body, next)],
                Op::Apply(Kind::Next) => vec![(node.kids[0], true)],
                _ => node.kids.iter().map(|&k| (k, next)).collect(),
            };
            let before = stack.len();
            stack.extend(needs.iter().filter(|n| !self.memo.contains_key(n)));
            if stack.len() == before {
                let kids: Vec<Rc<Val<B::F>>> = needs.iter().map(|n| self.memo[n].clone()).collect();
                let value = match &node.op {
                    Op::Define(_) | Op::Apply(Kind::Next) => kids[0].clone(),
                    _ => Rc::new(self.step(e, next, &kids)?),
                };
                self.memo.insert((e, next), value);
                stack.pop();
            }
        }
        Ok(self.memo[&(e, next)].clone())
    }

    /// The variable `v` as a value.
    pub fn variable(&self, v: u32, next: bool) -> Result<Val<B::F>, Stop> {
        let bits = if next { &self.bits[v as usize].next } else { &self.bits[v as usize].current };
        let vars: Vec<B::F> = bits.iter().map(|&x| self.bdd.var(x)).collect::<Result<_, _>>()?;
        Ok(match &self.model.vars[v as usize].domain {
            Domain::Bool => Val::Bool(vars[0].clone()),
            Domain::Word { signed, .. } => Val::Word(*signed, vars.into_iter().rev().collect()),
            Domain::Values(values) => {
                let mut map = Vec::new();
                for (i, &value) in values.iter().enumerate() {
                    map.push((value, self.code(&vars, i)?));
                }
                map.sort_by_key(|(v, _)| *v);
                Val::Map(map, self.bdd.constant(false))
            }
        })
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
            Val::Map(map, _) => {
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
        let value = self.value(e, e_next)?;
        let span = self.model.node(e).span;
        let variable = self.variable(v, next)?;
        if let Val::Map(map, undefined) = &*value {
            self.defined(undefined, span)?;
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
        self.same(&variable, &value, span)
    }

    fn defined(&self, undefined: &B::F, span: Span) -> Result<(), Fail> {
        if self.feasible(undefined)? { wrong(span, "a division by zero is possible here") } else { Ok(()) }
    }

    fn as_map(&self, value: &Val<B::F>) -> Option<(Vec<(Value, B::F)>, B::F)> {
        match value {
            Val::Bool(f) => {
                let map = vec![(Value::Bool(false), self.bdd.not(f)), (Value::Bool(true), f.clone())];
                Some((map, self.bdd.constant(false)))
            }
            Val::Map(map, undefined) => Some((map.clone(), undefined.clone())),
            Val::Word(..) => None,
        }
    }

    /// The condition that two values have a member in common.
    fn same(&self, a: &Val<B::F>, b: &Val<B::F>, span: Span) -> Result<B::F, Fail> {
        match (a, b) {
            (Val::Bool(f), Val::Bool(g)) => Ok(self.bdd.iff(f, g)?),
            (Val::Word(_, x), Val::Word(_, y)) => Ok(words::equal(self.bdd, x, y)?),
            _ => {
                let (Some((a, ua)), Some((b, ub))) = (self.as_map(a), self.as_map(b)) else {
                    return wrong(span, "words and other values do not compare");
                };
                self.defined(&ua, span)?;
                self.defined(&ub, span)?;
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

    /// The value of a node whose operands are known.
    fn step(&mut self, e: E, next: bool, kids: &[Rc<Val<B::F>>]) -> Result<Val<B::F>, Fail> {
        let node = self.model.node(e);
        let span = node.span;
        let b = self.bdd;
        let none = b.constant(false);
        match &node.op {
            Op::Const(Value::Bool(x)) => Ok(Val::Bool(b.constant(*x))),
            Op::Const(x) => Ok(Val::Map(vec![(*x, b.constant(true))], none)),
            Op::Bits(w, signed, x) => Ok(Val::Word(*signed, words::constant(b, *w, *x))),
            Op::Var(v) => Ok(self.variable(*v, next)?),
            Op::Define(_) => wrong(span, "this is a definition"),
            Op::Apply(kind) => match kind {
                Kind::Set => self.union(kids, span),
                Kind::Range => {
                    let (Some(low), Some(high)) = (single(&kids[0]), single(&kids[1])) else {
                        return wrong(span, "a range has constant bounds");
                    };
                    if high - low > 1 << 16 {
                        return wrong(span, "this range is too large");
                    }
                    Ok(Val::Map((low..=high).map(|i| (Value::Int(i), b.constant(true))).collect(), none))
                }
                Kind::Unary(Unary::Not) => match &*kids[0] {
                    Val::Bool(f) => Ok(Val::Bool(b.not(f))),
                    Val::Word(s, x) => Ok(Val::Word(*s, x.iter().map(|p| b.not(p)).collect())),
                    Val::Map(map, u) => {
                        let flipped = map.iter().map(|(x, f)| match x {
                            Value::Bool(x) => (Value::Bool(!x), f.clone()),
                            x => (*x, f.clone()),
                        });
                        Ok(Val::Map(self.gather(flipped.collect::<Vec<_>>())?, u.clone()))
                    }
                },
                Kind::Unary(Unary::Minus) => match &*kids[0] {
                    Val::Word(s, x) => Ok(Val::Word(*s, words::neg(b, x)?)),
                    v => self.numbers(&[Rc::new(v.clone())], span, |x| x[0].checked_neg()),
                },
                Kind::Binary(op) => self.binary(*op, &kids[0], &kids[1], span),
                Kind::Ite => self.cases(
                    &[
                        kids[0].clone(),
                        kids[1].clone(),
                        Rc::new(Val::Bool(b.constant(true))),
                        kids[2].clone(),
                    ],
                    span,
                ),
                Kind::Case => self.cases(kids, span),
                Kind::Slice => {
                    let (Val::Word(_, x), Some(high), Some(low)) =
                        (&*kids[0], single(&kids[1]), single(&kids[2]))
                    else {
                        return wrong(span, "only words have bits");
                    };
                    Ok(Val::Word(false, x[low as usize..=high as usize].to_vec()))
                }
                Kind::Call(f) => self.call(*f, kids, span),
                _ => wrong(span, "temporal operators belong into specifications"),
            },
        }
    }

    fn union(&self, kids: &[Rc<Val<B::F>>], span: Span) -> Result<Val<B::F>, Fail> {
        if let [only] = kids {
            return Ok((**only).clone());
        }
        let (mut all, mut undefined) = (Vec::new(), self.bdd.constant(false));
        for k in kids {
            let Some((map, u)) = self.as_map(k) else { return wrong(span, "there are no sets of words") };
            all.extend(map);
            undefined = self.bdd.or(&undefined, &u)?;
        }
        Ok(Val::Map(self.gather(all)?, undefined))
    }

    /// The first branch whose condition holds.
    fn cases(&self, kids: &[Rc<Val<B::F>>], span: Span) -> Result<Val<B::F>, Fail> {
        let b = self.bdd;
        let mut rest = b.constant(true);
        let mut guarded = Vec::new();
        for pair in kids.chunks(2) {
            let c = self.truth(&pair[0], span)?;
            guarded.push((b.and(&rest, &c)?, &pair[1]));
            rest = b.minus(&rest, &c)?;
        }
        if self.feasible(&rest)? {
            let help = "a last branch `TRUE : …;` covers what is left";
            let d = Diagnostic::error(span, "the conditions of this case do not cover everything").help(help);
            return Err(Fail::Wrong(Box::new(d)));
        }
        if guarded.iter().all(|(_, v)| matches!(***v, Val::Bool(_))) {
            let mut all = b.constant(false);
            for (g, v) in &guarded {
                all = b.or(&all, &b.and(g, &self.truth(v, span)?)?)?;
            }
            return Ok(Val::Bool(all));
        }
        if let Val::Word(signed, first) = &**guarded[0].1 {
            let mut all = words::constant(b, first.len() as u32, 0);
            for (g, v) in &guarded {
                let Val::Word(_, x) = &***v else { return wrong(span, "words and other values do not mix") };
                all = words::choose(b, g, x, &all)?;
            }
            return Ok(Val::Word(*signed, all));
        }
        let (mut pairs, mut undefined) = (Vec::new(), b.constant(false));
        for (g, v) in &guarded {
            let Some((map, u)) = self.as_map(v) else {
                return wrong(span, "words and other values do not mix");
            };
            for (x, f) in map {
                pairs.push((x, b.and(g, &f)?));
            }
            undefined = b.or(&undefined, &b.and(g, &u)?)?;
        }
        Ok(Val::Map(self.gather(pairs)?, undefined))
    }

    /// An operation on numbers, for all combinations; nothing where it is not defined.
    fn numbers(
        &self,
        kids: &[Rc<Val<B::F>>],
        span: Span,
        op: impl Fn(&[i64]) -> Option<i64>,
    ) -> Result<Val<B::F>, Fail> {
        let b = self.bdd;
        let (mut rows, mut undefined) = (vec![(Vec::new(), b.constant(true))], b.constant(false));
        for k in kids {
            let Val::Map(map, u) = &**k else { return wrong(span, "expected numbers") };
            undefined = b.or(&undefined, u)?;
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
        let mut pairs = Vec::new();
        for (row, f) in rows {
            match op(&row) {
                Some(x) => pairs.push((Value::Int(x), f)),
                None => undefined = b.or(&undefined, &f)?,
            }
        }
        Ok(Val::Map(self.gather(pairs)?, undefined))
    }

    fn compare(
        &self,
        x: &Rc<Val<B::F>>,
        y: &Rc<Val<B::F>>,
        span: Span,
        op: impl Fn(i64, i64) -> bool,
    ) -> Result<Val<B::F>, Fail> {
        let result = self.numbers(&[x.clone(), y.clone()], span, |v| Some(i64::from(op(v[0], v[1]))))?;
        let Val::Map(map, undefined) = result else { return wrong(span, "expected numbers") };
        self.defined(&undefined, span)?;
        let holds = map.iter().find(|(x, _)| *x == Value::Int(1)).map(|(_, f)| f.clone());
        Ok(Val::Bool(holds.unwrap_or_else(|| self.bdd.constant(false))))
    }

    fn binary(
        &self,
        op: Binary,
        x: &Rc<Val<B::F>>,
        y: &Rc<Val<B::F>>,
        span: Span,
    ) -> Result<Val<B::F>, Fail> {
        use Binary::*;
        let b = self.bdd;
        let logic = |f: &B::F, g: &B::F| match op {
            And => b.and(f, g),
            Or => b.or(f, g),
            Xor => b.xor(f, g),
            Implies => b.or(&b.not(f), g),
            _ => b.iff(f, g),
        };
        match (op, &**x, &**y) {
            (And | Or | Xor | Xnor | Implies | Iff, Val::Bool(f), Val::Bool(g)) => {
                Ok(Val::Bool(logic(f, g)?))
            }
            (And | Or | Xor | Xnor | Iff, Val::Word(s, f), Val::Word(_, g)) => {
                Ok(Val::Word(*s, words::zip::<B>(f, g, logic)?))
            }
            (And | Or | Xor | Xnor | Implies | Iff, ..) => {
                let (Some((f, u)), Some((g, w))) = (self.as_map(x), self.as_map(y)) else {
                    return wrong(span, "expected conditions");
                };
                let mut pairs = Vec::new();
                for (p, f) in &f {
                    for (q, g) in &g {
                        let (Value::Bool(p), Value::Bool(q)) = (p, q) else {
                            return wrong(span, "expected conditions");
                        };
                        let r = match op {
                            And => *p && *q,
                            Or => *p || *q,
                            Xor => p != q,
                            Implies => !p || *q,
                            _ => p == q,
                        };
                        pairs.push((Value::Bool(r), b.and(f, g)?));
                    }
                }
                Ok(Val::Map(self.gather(pairs)?, b.or(&u, &w)?))
            }
            (Equal | In, ..) => Ok(Val::Bool(self.same(x, y, span)?)),
            (NotEqual, ..) => Ok(Val::Bool(b.not(&self.same(x, y, span)?))),
            (Union, ..) => self.union(&[x.clone(), y.clone()], span),
            (_, Val::Word(s, f), _) => self.words(op, *s, f, y, span),
            (Less, ..) => self.compare(x, y, span, |p, q| p < q),
            (Greater, ..) => self.compare(x, y, span, |p, q| p > q),
            (LessEqual, ..) => self.compare(x, y, span, |p, q| p <= q),
            (GreaterEqual, ..) => self.compare(x, y, span, |p, q| p >= q),
            _ => self.numbers(&[x.clone(), y.clone()], span, |v| match op {
                Plus => v[0].checked_add(v[1]),
                Minus => v[0].checked_sub(v[1]),
                Times => v[0].checked_mul(v[1]),
                Divide => v[0].checked_div(v[1]),
                // As C, and NuSMV: the sign is that of the dividend.
                _ => v[0].checked_rem(v[1]),
            }),
        }
    }

    fn words(
        &self,
        op: Binary,
        signed: bool,
        x: &[B::F],
        y: &Rc<Val<B::F>>,
        span: Span,
    ) -> Result<Val<B::F>, Fail> {
        use Binary::*;
        let b = self.bdd;
        if matches!(op, ShiftLeft | ShiftRight) {
            return self.shift(op == ShiftLeft, signed, x, y, span);
        }
        let Val::Word(_, y) = &**y else { return wrong(span, "words and other values do not mix") };
        if matches!(op, Divide | Mod) {
            let zero = words::equal(b, y, &words::constant(b, y.len() as u32, 0))?;
            self.defined(&zero, span)?;
        }
        Ok(match op {
            Plus => Val::Word(signed, words::add(b, x, y)?),
            Minus => Val::Word(signed, words::sub(b, x, y)?),
            Times => Val::Word(signed, words::mul(b, x, y)?),
            Divide => Val::Word(signed, words::divide(b, signed, x, y)?.0),
            Mod => Val::Word(signed, words::divide(b, signed, x, y)?.1),
            Less => Val::Bool(words::less(b, signed, x, y)?),
            Greater => Val::Bool(words::less(b, signed, y, x)?),
            LessEqual => Val::Bool(b.not(&words::less(b, signed, y, x)?)),
            GreaterEqual => Val::Bool(b.not(&words::less(b, signed, x, y)?)),
            Concat => Val::Word(false, y.iter().chain(x).cloned().collect()),
            _ => return wrong(span, "words do not have this operator"),
        })
    }

    fn shift(
        &self,
        left: bool,
        signed: bool,
        x: &[B::F],
        y: &Rc<Val<B::F>>,
        span: Span,
    ) -> Result<Val<B::F>, Fail> {
        let b = self.bdd;
        let mut all = words::constant(b, x.len() as u32, 0);
        match &**y {
            Val::Map(map, undefined) => {
                self.defined(undefined, span)?;
                for (by, f) in map {
                    let Value::Int(by) = by else { return wrong(span, "expected a number") };
                    if !(0..=x.len() as i64).contains(by) {
                        if self.feasible(f)? {
                            return wrong(
                                span,
                                format!("a word of {} bits cannot be shifted by {by}", x.len()),
                            );
                        }
                        continue;
                    }
                    all = words::choose(b, f, &words::shift(b, signed, x, left, *by as usize), &all)?;
                }
                Ok(Val::Word(signed, all))
            }
            Val::Word(_, y) => {
                // Bit by bit of the distance.
                let mut shifted = x.to_vec();
                for (i, q) in y.iter().enumerate() {
                    let by = 1usize.checked_shl(i as u32).unwrap_or(usize::MAX).min(x.len());
                    shifted = words::choose(b, q, &words::shift(b, signed, &shifted, left, by), &shifted)?;
                }
                Ok(Val::Word(signed, shifted))
            }
            Val::Bool(_) => wrong(span, "expected a number"),
        }
    }

    fn call(&self, f: Function, kids: &[Rc<Val<B::F>>], span: Span) -> Result<Val<B::F>, Fail> {
        let b = self.bdd;
        let none = b.constant(false);
        match (f, &*kids[0]) {
            (Function::Bool, Val::Word(_, x)) => Ok(Val::Bool(x[0].clone())),
            (Function::Bool, Val::Bool(x)) => Ok(Val::Bool(x.clone())),
            (Function::Bool, Val::Map(..)) => {
                let zero = Rc::new(Val::Map(vec![(Value::Int(0), b.constant(true))], none));
                self.compare(&kids[0], &zero, span, |p, q| p != q)
            }
            (Function::Word1, Val::Bool(x)) => Ok(Val::Word(false, vec![x.clone()])),
            (Function::ToInt, Val::Word(signed, x)) => {
                let mut pairs = vec![(0i64, b.constant(true))];
                for (i, bit) in x.iter().enumerate() {
                    let top = *signed && i + 1 == x.len();
                    let weight = if top { -(1i64 << i) } else { 1i64 << i };
                    let mut more = Vec::new();
                    for (n, f) in pairs {
                        more.push((n + weight, b.and(&f, bit)?));
                        more.push((n, b.minus(&f, bit)?));
                    }
                    pairs = more.into_iter().filter(|(_, f)| *f != none).collect();
                }
                Ok(Val::Map(self.gather(pairs.into_iter().map(|(n, f)| (Value::Int(n), f)))?, none))
            }
            (Function::ToInt, Val::Bool(x)) => {
                Ok(Val::Map(vec![(Value::Int(0), b.not(x)), (Value::Int(1), x.clone())], none))
            }
            (Function::ToInt, v) => Ok(v.clone()),
            (Function::Signed, Val::Word(_, x)) => Ok(Val::Word(true, x.clone())),
            (Function::Unsigned, Val::Word(_, x)) => Ok(Val::Word(false, x.clone())),
            (Function::Extend | Function::Resize, Val::Word(signed, x)) => {
                let Some(n) = single(&kids[1]) else { return wrong(span, "expected a constant number") };
                let wide = if f == Function::Extend { x.len() as i64 + n } else { n } as usize;
                let fill = if *signed { x[x.len() - 1].clone() } else { none };
                let mut y: Vec<B::F> = (0..wide).map(|i| x.get(i).unwrap_or(&fill).clone()).collect();
                if *signed && wide < x.len() {
                    // A narrower signed word keeps its sign.
                    y[wide - 1] = x[x.len() - 1].clone();
                }
                Ok(Val::Word(*signed, y))
            }
            (Function::UnsignedConst | Function::SignedConst, _) => {
                let (Some(x), Some(n)) = (single(&kids[0]), single(&kids[1])) else {
                    return wrong(span, "expected constant numbers");
                };
                Ok(Val::Word(f == Function::SignedConst, words::constant(b, n as u32, x as u64)))
            }
            (Function::Count, _) => {
                let mut counts = vec![b.constant(true)];
                for k in kids {
                    let c = self.truth(k, span)?;
                    let mut more = vec![b.constant(false); counts.len() + 1];
                    for (n, f) in counts.iter().enumerate() {
                        more[n + 1] = b.or(&more[n + 1], &b.and(f, &c)?)?;
                        more[n] = b.or(&more[n], &b.minus(f, &c)?)?;
                    }
                    counts = more;
                }
                let pairs = counts.into_iter().enumerate().map(|(n, f)| (Value::Int(n as i64), f));
                Ok(Val::Map(self.gather(pairs)?, none))
            }
            (Function::Abs, _) => self.numbers(kids, span, |v| v[0].checked_abs()),
            (Function::Min, _) => self.numbers(kids, span, |v| Some(v[0].min(v[1]))),
            (Function::Max, _) => self.numbers(kids, span, |v| Some(v[0].max(v[1]))),
            _ => wrong(span, "this function does not take such a value"),
        }
    }
}

/// The number that a value is, if it is one constant.
fn single<F>(value: &Val<F>) -> Option<i64> {
    match value {
        Val::Map(map, _) => match map.as_slice() {
            [(Value::Int(n), _)] => Some(*n),
            _ => None,
        },
        _ => None,
    }
}
