//! Types: every expression has one, and every context says which it takes.

use crate::ast::{Binary, Function, Kind, Logic, Modal2, Sort, Unary, When};
use crate::model::{Domain, E, Model, Op, Value};
use riata_source::{Diagnostic, Span};

/// The type of an expression; a set of values has the type of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// TRUE or FALSE.
    Bool,
    /// A number.
    Int,
    /// A symbolic constant, or either that or a number.
    Symbol,
    /// A word.
    Word(bool, u32),
}

impl Ty {
    fn name(self) -> String {
        match self {
            Ty::Bool => "a boolean".into(),
            Ty::Int => "a number".into(),
            Ty::Symbol => "a symbolic constant".into(),
            Ty::Word(true, n) => format!("a signed word of {n} bits"),
            Ty::Word(false, n) => format!("a word of {n} bits"),
        }
    }

    /// A type that has the values of both.
    fn join(self, other: Ty) -> Option<Ty> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Ty::Int | Ty::Symbol, Ty::Int | Ty::Symbol) => Some(Ty::Symbol),
            _ => None,
        }
    }
}

/// What else is known of an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// It looks at the next state.
    pub next: bool,
    /// It has operators of CTL.
    pub ctl: bool,
    /// It has operators of LTL.
    pub ltl: bool,
    /// It reads an input.
    pub input: bool,
    /// It reads a variable that may change.
    pub state: bool,
    /// It looks at an input, or at the next value of a variable that may change: it speaks of a step.
    pub step: bool,
    /// It may have several values.
    pub set: bool,
}

/// The types of all expressions that are used.
pub struct Types {
    types: Vec<Option<Ty>>,
    /// What else is known, by expression.
    pub traits: Vec<Traits>,
}

impl Types {
    /// What is known of `e`.
    pub fn of(&self, e: E) -> Traits {
        self.traits[e.0 as usize]
    }
}

/// Finds the types, and tells what does not fit.
pub(crate) fn check(model: &Model, wrong: &mut Vec<Diagnostic>) -> Types {
    let n = model.nodes.len();
    let mut c = Checker {
        model,
        wrong,
        done: vec![false; n],
        all: Types { types: vec![None; n], traits: vec![Traits::default(); n] },
    };
    for &d in &model.define_order {
        let define = &model.defines[d as usize];
        c.visit(define.body);
        let t = c.all.of(define.body);
        if t.ctl || t.ltl {
            c.say(define.body, "a definition has no temporal operators");
        }
    }
    for a in &model.assigns {
        c.visit(a.value);
        let (name, t) = (&model.vars[a.var as usize].name, c.all.of(a.value));
        let variable = domain_type(&model.vars[a.var as usize].domain);
        if let Some(value) = c.all.types[a.value.0 as usize]
            && variable.join(value).is_none()
        {
            c.say(a.value, format!("`{name}` takes {}, this is {}", variable.name(), value.name()));
        }
        if t.next && a.when != When::Next {
            c.say(a.value, "only the value in the next state may depend on the next state");
        }
        if t.input && a.when != When::Next {
            c.say(a.value, "an input belongs to a step, not to a state");
        }
        match model.vars[a.var as usize].sort {
            Sort::Input => c.error(a.span, format!("`{name}` is an input, and inputs are not assigned")),
            Sort::Frozen if a.when != When::Init => {
                c.error(a.span, format!("`{name}` is frozen: only its initial value can be assigned"));
            }
            _ => {}
        }
        c.plain(a.value);
    }
    for (list, next, input) in
        [(&model.init, false, false), (&model.trans, true, true), (&model.invar, false, false)]
    {
        for &e in list {
            c.constraint(e, next, input);
        }
    }
    model.justice.iter().for_each(|&e| c.constraint(e, false, true));
    for &(p, q) in &model.compassion {
        c.constraint(p, false, false);
        c.constraint(q, false, false);
    }
    for s in &model.specs {
        c.spec(s.logic, s.formula);
    }
    c.all
}

fn domain_type(domain: &Domain) -> Ty {
    match domain {
        Domain::Bool => Ty::Bool,
        Domain::Values(v) if v.iter().all(|v| matches!(v, Value::Int(_))) => Ty::Int,
        Domain::Values(_) => Ty::Symbol,
        Domain::Word { signed, width } => Ty::Word(*signed, *width),
    }
}

struct Checker<'a> {
    model: &'a Model,
    wrong: &'a mut Vec<Diagnostic>,
    done: Vec<bool>,
    all: Types,
}

impl Checker<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.wrong.push(Diagnostic::error(span, message));
    }

    fn say(&mut self, e: E, message: impl Into<String>) {
        self.error(self.model.node(e).span, message);
    }

    /// No temporal operators.
    fn plain(&mut self, e: E) {
        let t = self.all.of(e);
        if t.ctl || t.ltl {
            self.say(e, "temporal operators belong into specifications");
        }
    }

    fn boolean(&mut self, e: E) {
        if let Some(ty) = self.all.types[e.0 as usize]
            && ty != Ty::Bool
        {
            let help = match ty {
                Ty::Int => Some("numbers are not conditions: write `x != 0`, and `TRUE` for `1`"),
                Ty::Word(_, 1) => Some("`bool(w)` makes a condition of a word of one bit"),
                _ => None,
            };
            let mut d = Diagnostic::error(
                self.model.node(e).span,
                format!("expected a condition, this is {}", ty.name()),
            );
            d.help = help.map(Into::into);
            self.wrong.push(d);
        }
    }

    fn constraint(&mut self, e: E, next: bool, input: bool) {
        self.visit(e);
        self.boolean(e);
        self.plain(e);
        let t = self.all.of(e);
        if t.next && !next {
            self.say(e, "`next` is not allowed here");
        }
        if t.input && !input {
            self.say(e, "an input belongs to a step, not to a state");
        }
        if t.set {
            self.say(e, "a condition has one value, this is a set");
        }
    }

    fn spec(&mut self, logic: Logic, e: E) {
        self.visit(e);
        let length = Op::Apply(Kind::Modal2(Modal2::Shortest));
        let lengths = [length, Op::Apply(Kind::Modal2(Modal2::Longest))];
        if logic != Logic::Compute {
            self.boolean(e);
        } else if !lengths.contains(&self.model.node(e).op) {
            self.say(e, "COMPUTE takes `MIN [start, final]` or `MAX [start, final]`");
        }
        let t = self.all.of(e);
        let (ctl, ltl) = (matches!(logic, Logic::Ctl | Logic::Compute), logic.is_linear());
        if t.ctl && !ctl || t.ltl && !ltl {
            let help = "CTL belongs into SPEC, LTL into LTLSPEC; an INVARSPEC has no temporal operators";
            let span = self.model.node(e).span;
            self.wrong.push(Diagnostic::error(span, "operators of another logic").help(help));
        }
        if t.next && ctl {
            let help = "`EX p` and `AX p` speak of the next states";
            self.wrong.push(
                Diagnostic::error(self.model.node(e).span, "`next` is not allowed in a specification")
                    .help(help),
            );
        }
        if t.input && ctl {
            self.say(e, "CTL speaks of states, and inputs belong to steps");
        }
    }

    fn visit(&mut self, root: E) {
        for e in self.model.parts(&[root]) {
            if !std::mem::replace(&mut self.done[e.0 as usize], true) {
                let ty = self.infer(e);
                self.all.types[e.0 as usize] = ty;
            }
        }
    }

    fn infer(&mut self, e: E) -> Option<Ty> {
        let model = self.model;
        let node = model.node(e);
        let mut traits = Traits::default();
        for k in &node.kids {
            let t = self.all.of(*k);
            traits.next |= t.next;
            traits.ctl |= t.ctl;
            traits.ltl |= t.ltl;
            traits.input |= t.input;
            traits.state |= t.state;
            traits.step |= t.step;
            traits.set |= t.set;
        }
        let ty = match &node.op {
            Op::Const(Value::Bool(_)) => Some(Ty::Bool),
            Op::Const(Value::Int(_)) => Some(Ty::Int),
            Op::Const(Value::Symbol(_)) => Some(Ty::Symbol),
            Op::Bits(w, s, _) => Some(Ty::Word(*s, *w)),
            Op::Var(v) => {
                let sort = model.vars[*v as usize].sort;
                traits.input = sort == Sort::Input;
                traits.step = sort == Sort::Input;
                traits.state = sort == Sort::State;
                Some(domain_type(&model.vars[*v as usize].domain))
            }
            Op::Define(d) => {
                let body = model.defines[*d as usize].body;
                traits = self.all.of(body);
                self.all.types[body.0 as usize]
            }
            Op::Apply(kind) => self.apply(e, kind, &node.kids, &mut traits),
        };
        self.all.traits[e.0 as usize] = traits;
        ty
    }

    fn apply(&mut self, e: E, kind: &Kind, kids: &[E], traits: &mut Traits) -> Option<Ty> {
        let ty: Vec<Option<Ty>> = kids.iter().map(|k| self.all.types[k.0 as usize]).collect();
        match kind {
            Kind::Set | Kind::Range => {
                traits.set = true;
                let mut ty = ty.into_iter();
                let mut all = ty.next()??;
                for t in ty {
                    let Some(joined) = all.join(t?) else {
                        self.say(e, "the members of a set have one type");
                        return None;
                    };
                    all = joined;
                }
                if *kind == Kind::Range && all != Ty::Int {
                    self.say(e, "a range has numbers as bounds");
                    return None;
                }
                Some(all)
            }
            Kind::Unary(Unary::Not) => match ty[0]? {
                t @ (Ty::Bool | Ty::Word(..)) => Some(t),
                _ => {
                    self.boolean(kids[0]);
                    None
                }
            },
            Kind::Unary(Unary::Minus) => match ty[0]? {
                t @ (Ty::Int | Ty::Word(..)) => Some(t),
                t => {
                    self.say(kids[0], format!("expected a number, this is {}", t.name()));
                    None
                }
            },
            Kind::Binary(op) => self.binary(e, *op, kids, traits),
            Kind::Ite | Kind::Case | Kind::Index => {
                let branches: Vec<usize> = if *kind == Kind::Ite {
                    vec![1, 2]
                } else {
                    (0..kids.len()).filter(|i| i % 2 == 1).collect()
                };
                for i in (0..kids.len()).filter(|i| !branches.contains(i)) {
                    self.boolean(kids[i]);
                }
                let mut all = ty[branches[0]]?;
                for &i in &branches[1..] {
                    let Some(joined) = all.join(ty[i]?) else {
                        let message =
                            format!("this branch is {}, the first is {}", ty[i]?.name(), all.name());
                        self.say(kids[i], message);
                        return None;
                    };
                    all = joined;
                }
                Some(all)
            }
            Kind::Next => {
                if traits.next {
                    self.say(e, "`next` inside `next`");
                }
                if traits.input {
                    self.say(e, "an input has no next value");
                }
                if traits.ltl || traits.ctl {
                    self.say(e, "temporal operators cannot be inside `next`");
                }
                traits.next = true;
                traits.step |= traits.state;
                ty[0]
            }
            Kind::Modal(op) => {
                let ltl = !op.is_branching();
                traits.ltl |= ltl;
                traits.ctl |= !ltl;
                self.boolean(kids[0]);
                Some(Ty::Bool)
            }
            Kind::Modal2(op) => {
                let ctl = op.is_branching();
                if let Modal2::Within(..) = op {
                    self.say(e, "`BU` belongs between the brackets of `A [p BU 0..3 q]`");
                }
                traits.ctl |= ctl;
                traits.ltl |= !ctl;
                kids.iter().for_each(|&k| self.boolean(k));
                Some(if matches!(op, Modal2::Shortest | Modal2::Longest) { Ty::Int } else { Ty::Bool })
            }
            Kind::Slice => self.slice(e, kids, ty[0]?),
            Kind::Call(f) => self.call(e, *f, kids, &ty),
            _ => None,
        }
    }

    fn binary(&mut self, e: E, op: Binary, kids: &[E], traits: &mut Traits) -> Option<Ty> {
        use Binary::*;
        let (a, b) = (self.all.types[kids[0].0 as usize]?, self.all.types[kids[1].0 as usize]?);
        let mismatch = |c: &mut Self| {
            c.say(e, format!("these do not fit together: {} and {}", a.name(), b.name()));
            None
        };
        match op {
            And | Or | Xor | Xnor | Iff | Implies => match (a, b) {
                (Ty::Bool, Ty::Bool) => Some(Ty::Bool),
                (Ty::Word(s, n), Ty::Word(t, m)) if n == m && s == t => Some(a),
                (Ty::Word(..), Ty::Word(..)) => mismatch(self),
                _ => {
                    kids.iter().for_each(|&k| self.boolean(k));
                    None
                }
            },
            Equal | NotEqual | In => {
                if op == In {
                    traits.set = false;
                }
                // x = {a, b} is x in {a, b}.
                traits.set = false;
                match a.join(b) {
                    Some(_) => Some(Ty::Bool),
                    None => mismatch(self),
                }
            }
            Less | Greater | LessEqual | GreaterEqual => match (a, b) {
                (Ty::Int, Ty::Int) => Some(Ty::Bool),
                (Ty::Word(..), Ty::Word(..)) if a == b => Some(Ty::Bool),
                _ => mismatch(self),
            },
            Plus | Minus | Times | Divide | Mod => match (a, b) {
                (Ty::Int, Ty::Int) => Some(Ty::Int),
                (Ty::Word(..), Ty::Word(..)) if a == b => Some(a),
                _ => mismatch(self),
            },
            ShiftLeft | ShiftRight => match (a, b) {
                (Ty::Word(..), Ty::Int | Ty::Word(false, _)) => Some(a),
                _ => mismatch(self),
            },
            Concat => match (a, b) {
                (Ty::Word(_, n), Ty::Word(_, m)) if n + m <= 64 => Some(Ty::Word(false, n + m)),
                _ => mismatch(self),
            },
            Union => {
                traits.set = true;
                a.join(b).or_else(|| mismatch(self))
            }
        }
    }

    fn constant(&mut self, e: E) -> Option<i64> {
        match self.model.node(e).op {
            Op::Const(Value::Int(n)) => Some(n),
            _ => {
                self.say(e, "expected a constant number");
                None
            }
        }
    }

    fn slice(&mut self, e: E, kids: &[E], ty: Ty) -> Option<Ty> {
        let (high, low) = (self.constant(kids[1])?, self.constant(kids[2])?);
        match ty {
            Ty::Word(_, n) if 0 <= low && low <= high && high < i64::from(n) => {
                Some(Ty::Word(false, (high - low + 1) as u32))
            }
            Ty::Word(_, n) => {
                self.say(e, format!("bits {high}:{low} are not in a word of {n} bits"));
                None
            }
            t => {
                self.say(e, format!("only words have bits, this is {}", t.name()));
                None
            }
        }
    }

    fn call(&mut self, e: E, f: Function, kids: &[E], ty: &[Option<Ty>]) -> Option<Ty> {
        let width = |c: &mut Self, n: i64| {
            if (1..=64).contains(&n) {
                Some(n as u32)
            } else {
                c.say(e, "words have 1 to 64 bits");
                None
            }
        };
        match (f, ty[0]?) {
            (Function::Bool, Ty::Word(_, 1) | Ty::Bool | Ty::Int) => Some(Ty::Bool),
            (Function::Word1, Ty::Bool) => Some(Ty::Word(false, 1)),
            (Function::ToInt, Ty::Word(_, n)) if n <= 16 => Some(Ty::Int),
            (Function::ToInt, Ty::Int | Ty::Bool) => Some(Ty::Int),
            (Function::Signed, Ty::Word(_, n)) => Some(Ty::Word(true, n)),
            (Function::Unsigned, Ty::Word(_, n)) => Some(Ty::Word(false, n)),
            (Function::Extend, Ty::Word(s, n)) => {
                let more = self.constant(kids[1])?;
                Some(Ty::Word(s, width(self, i64::from(n).saturating_add(more))?))
            }
            (Function::Resize, Ty::Word(s, _)) => {
                let n = self.constant(kids[1])?;
                Some(Ty::Word(s, width(self, n)?))
            }
            (Function::UnsignedConst | Function::SignedConst, Ty::Int) => {
                let value = i128::from(self.constant(kids[0])?);
                let n = self.constant(kids[1])?;
                let (signed, n) = (f == Function::SignedConst, width(self, n)?);
                // One signed bit may be written 1, and an unsigned word as what it would be if it were signed.
                let high = 1i128 << if signed && n > 1 { n - 1 } else { n };
                if value < -(1i128 << (n - 1)) || value >= high {
                    self.say(kids[0], format!("the value {value} does not fit into {n} bits"));
                    return None;
                }
                Some(Ty::Word(signed, n))
            }
            (Function::Count, _) => {
                kids.iter().for_each(|&k| self.boolean(k));
                Some(Ty::Int)
            }
            (Function::SizeOf, Ty::Word(..)) => Some(Ty::Int),
            (Function::Abs, Ty::Int) => Some(Ty::Int),
            (Function::Min | Function::Max, Ty::Int) if ty[1] == Some(Ty::Int) => Some(Ty::Int),
            (_, t) => {
                self.say(e, format!("this function does not take {}", t.name()));
                None
            }
        }
    }
}
