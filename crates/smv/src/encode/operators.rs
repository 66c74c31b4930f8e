//! Operators and functions on values that are known.

use super::{Encoder, Fail, Partial, Val, wrong};
use crate::ast::{Binary, Function};
use crate::model::Value;
use crate::words;
use riata_source::{Diagnostic, Span};
use riata_symbolic::Bdd;
use std::rc::Rc;

impl<B: Bdd> Encoder<'_, '_, B> {
    fn compare(
        &self,
        x: &Rc<Val<B::F>>,
        y: &Rc<Val<B::F>>,
        span: Span,
        op: impl Fn(i64, i64) -> bool,
    ) -> Result<Val<B::F>, Fail> {
        let (result, _) = self.numbers(&[x.clone(), y.clone()], span, |v| Some(i64::from(op(v[0], v[1]))))?;
        let Val::Map(map) = result else { return wrong(span, "expected numbers") };
        let holds = map.iter().find(|(x, _)| *x == Value::Int(1)).map(|(_, f)| f.clone());
        Ok(Val::Bool(holds.unwrap_or_else(|| self.bdd.constant(false))))
    }

    pub(super) fn binary(
        &self,
        op: Binary,
        x: &Rc<Val<B::F>>,
        y: &Rc<Val<B::F>>,
        span: Span,
    ) -> Result<Partial<B::F>, Fail> {
        use Binary::*;
        let b = self.bdd;
        let logic = |f: &B::F, g: &B::F| match op {
            And => b.and(f, g),
            Or => b.or(f, g),
            Xor => b.xor(f, g),
            Implies => b.or(&b.not(f), g),
            _ => b.iff(f, g),
        };
        let value = match (op, &**x, &**y) {
            (And | Or | Xor | Xnor | Implies | Iff, Val::Bool(f), Val::Bool(g)) => Val::Bool(logic(f, g)?),
            (And | Or | Xor | Xnor | Implies | Iff, Val::Word(s, f), Val::Word(_, g)) => {
                Val::Word(*s, words::zip::<B>(f, g, logic)?)
            }
            (And | Or | Xor | Xnor | Implies | Iff, ..) => {
                let (Some(f), Some(g)) = (self.as_map(x), self.as_map(y)) else {
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
                Val::Map(self.gather(pairs)?)
            }
            (Equal, ..) => Val::Bool(self.same(x, y, span)?),
            (In, ..) => Val::Bool(self.subset(x, y, span)?),
            (NotEqual, ..) => Val::Bool(b.not(&self.same(x, y, span)?)),
            (Union, ..) => self.union(&[x.clone(), y.clone()], span)?,
            (_, Val::Word(s, f), _) => return self.words(op, *s, f, y, span),
            (Less, ..) => self.compare(x, y, span, |p, q| p < q)?,
            (Greater, ..) => self.compare(x, y, span, |p, q| p > q)?,
            (LessEqual, ..) => self.compare(x, y, span, |p, q| p <= q)?,
            (GreaterEqual, ..) => self.compare(x, y, span, |p, q| p >= q)?,
            _ => {
                return self.numbers(&[x.clone(), y.clone()], span, |v| match op {
                    Plus => v[0].checked_add(v[1]),
                    Minus => v[0].checked_sub(v[1]),
                    Times => v[0].checked_mul(v[1]),
                    Divide => v[0].checked_div(v[1]),
                    // As C, and NuSMV: the sign is that of the dividend.
                    _ => v[0].checked_rem(v[1]),
                });
            }
        };
        Ok((value, b.constant(false)))
    }

    fn words(
        &self,
        op: Binary,
        signed: bool,
        x: &[B::F],
        y: &Rc<Val<B::F>>,
        span: Span,
    ) -> Result<Partial<B::F>, Fail> {
        use Binary::*;
        let b = self.bdd;
        let mut own = b.constant(false);
        if matches!(op, ShiftLeft | ShiftRight) {
            return self.shift(op == ShiftLeft, signed, x, y, span);
        }
        let Val::Word(_, y) = &**y else { return wrong(span, "words and other values do not mix") };
        if matches!(op, Divide | Mod) {
            let zero = words::equal(b, y, &words::constant(b, y.len() as u32, 0))?;
            own = self.own_hole(zero, || Diagnostic::error(span, "a division by zero is possible here"))?;
        }
        let value = match op {
            Plus => Val::Word(signed, words::add(b, x, y)?),
            Minus => Val::Word(signed, words::sub(b, x, y)?),
            Times => Val::Word(signed, words::mul(b, x, y)?),
            Divide => Val::Word(signed, words::divide(b, signed, x, y)?[0].clone()),
            Mod => Val::Word(signed, words::divide(b, signed, x, y)?[1].clone()),
            Less => Val::Bool(words::less(b, signed, x, y)?),
            Greater => Val::Bool(words::less(b, signed, y, x)?),
            LessEqual => Val::Bool(b.not(&words::less(b, signed, y, x)?)),
            GreaterEqual => Val::Bool(b.not(&words::less(b, signed, x, y)?)),
            Concat => Val::Word(false, y.iter().chain(x).cloned().collect()),
            _ => return wrong(span, "words do not have this operator"),
        };
        Ok((value, own))
    }

    /// A shift, which has no value where it is by less than nothing or by more than the width.
    fn shift(
        &self,
        left: bool,
        signed: bool,
        x: &[B::F],
        y: &Rc<Val<B::F>>,
        span: Span,
    ) -> Result<Partial<B::F>, Fail> {
        let b = self.bdd;
        let (value, outside) = match &**y {
            Val::Map(map) => {
                let mut all = words::constant(b, x.len() as u32, 0);
                let mut outside = b.constant(false);
                for (by, f) in map {
                    let Value::Int(by) = by else { return wrong(span, "expected a number") };
                    if (0..=x.len() as i64).contains(by) {
                        all = words::choose(b, f, &words::shift(b, signed, x, left, *by as usize), &all)?;
                    } else {
                        outside = b.or(&outside, f)?;
                    }
                }
                (all, outside)
            }
            Val::Word(_, y) => {
                // Bit by bit of the distance.
                let mut shifted = x.to_vec();
                for (i, q) in y.iter().enumerate() {
                    let by = 1usize.checked_shl(i as u32).unwrap_or(usize::MAX).min(x.len());
                    shifted = words::choose(b, q, &words::shift(b, signed, &shifted, left, by), &shifted)?;
                }
                let outside = match u64::try_from(x.len()) {
                    Ok(most) if y.len() == 64 || most >> y.len() == 0 => {
                        words::less(b, false, &words::constant(b, y.len() as u32, most), y)?
                    }
                    // No distance of so few bits is too large.
                    _ => b.constant(false),
                };
                (shifted, outside)
            }
            Val::Bool(_) => return wrong(span, "expected a number"),
        };
        let own = self.own_hole(outside, || {
            let n = x.len();
            Diagnostic::error(
                span,
                format!("a shift by more than {n} bits, the width, or by less than 0 is possible here"),
            )
        })?;
        Ok((Val::Word(signed, value), own))
    }

    /// The condition that all members of `x` are members of `y`.
    fn subset(&self, x: &Val<B::F>, y: &Val<B::F>, span: Span) -> Result<B::F, Fail> {
        let b = self.bdd;
        let (Some(x), Some(y)) = (self.as_map(x), self.as_map(y)) else {
            return wrong(span, "there are no sets of words");
        };
        let mut all = b.constant(true);
        for (member, f) in &x {
            all = match y.binary_search_by_key(member, |(m, _)| *m) {
                Ok(i) => b.and(&all, &b.or(&b.not(f), &y[i].1)?)?,
                Err(_) => b.minus(&all, f)?,
            };
        }
        Ok(all)
    }

    pub(super) fn call(
        &self,
        f: Function,
        kids: &[Rc<Val<B::F>>],
        span: Span,
    ) -> Result<Partial<B::F>, Fail> {
        let b = self.bdd;
        let none = b.constant(false);
        let value = match (f, &*kids[0]) {
            (Function::Bool, Val::Word(_, x)) => Val::Bool(x[0].clone()),
            (Function::Bool, Val::Bool(x)) => Val::Bool(x.clone()),
            (Function::Bool, Val::Map(..)) => {
                let zero = Rc::new(Val::Map(vec![(Value::Int(0), b.constant(true))]));
                self.compare(&kids[0], &zero, span, |p, q| p != q)?
            }
            (Function::SizeOf, Val::Word(_, x)) => {
                Val::Map(vec![(Value::Int(x.len() as i64), b.constant(true))])
            }
            (Function::Word1, Val::Bool(x)) => Val::Word(false, vec![x.clone()]),
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
                Val::Map(self.gather(pairs.into_iter().map(|(n, f)| (Value::Int(n), f)))?)
            }
            (Function::ToInt, Val::Bool(x)) => {
                Val::Map(vec![(Value::Int(0), b.not(x)), (Value::Int(1), x.clone())])
            }
            (Function::ToInt, v) => v.clone(),
            (Function::Signed, Val::Word(_, x)) => Val::Word(true, x.clone()),
            (Function::Unsigned, Val::Word(_, x)) => Val::Word(false, x.clone()),
            (Function::Extend | Function::Resize, Val::Word(signed, x)) => {
                let Some(n) = self.fixed(&kids[1]) else {
                    return wrong(span, "expected a constant number");
                };
                let wide = if f == Function::Extend { x.len() as i64 + n } else { n } as usize;
                let fill = if *signed { x[x.len() - 1].clone() } else { none.clone() };
                let mut y: Vec<B::F> = (0..wide).map(|i| x.get(i).unwrap_or(&fill).clone()).collect();
                if *signed && wide < x.len() {
                    // A narrower signed word keeps its sign.
                    y[wide - 1] = x[x.len() - 1].clone();
                }
                Val::Word(*signed, y)
            }
            (Function::UnsignedConst | Function::SignedConst, _) => {
                let (Some(x), Some(n)) = (self.fixed(&kids[0]), self.fixed(&kids[1])) else {
                    return wrong(span, "expected constant numbers");
                };
                Val::Word(f == Function::SignedConst, words::constant(b, n as u32, x as u64))
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
                Val::Map(self.gather(pairs)?)
            }
            (Function::Abs, _) => return self.numbers(kids, span, |v| v[0].checked_abs()),
            (Function::Min | Function::Max, Val::Word(signed, x)) => {
                let Val::Word(_, y) = &*kids[1] else {
                    return wrong(span, "words and other values do not mix");
                };
                let less = words::less(b, *signed, x, y)?;
                let (low, high) = if f == Function::Min { (x, y) } else { (y, x) };
                Val::Word(*signed, words::choose(b, &less, low, high)?)
            }
            (Function::Min, _) => return self.numbers(kids, span, |v| Some(v[0].min(v[1]))),
            (Function::Max, _) => return self.numbers(kids, span, |v| Some(v[0].max(v[1]))),
            _ => return wrong(span, "this function does not take such a value"),
        };
        Ok((value, b.constant(false)))
    }
}
