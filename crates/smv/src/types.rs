//! Types: every expression has one, and every context says which it takes.

use crate::ast::{Binary, Function, Kind, Logic, Modal2, Sort, Unary, When};
use crate::evaluate::{self, Concrete, Step};
use crate::model::{Domain, E, Model, Op, Value};
use riata_source::{Diagnostic, Span};

/// The type of an expression. What may have several values is a set, whatever it has in fact: `{1, 2}`, `1..3`, `a union b`,
/// and a `case` with such a branch; `{1}` is no set but the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// TRUE or FALSE.
    Bool,
    /// A number.
    Int,
    /// A symbolic constant.
    Symbol,
    /// A symbolic constant or a number.
    Mixed,
    /// A word.
    Word(bool, u32),
    /// A set of booleans.
    Bools,
    /// A set of numbers.
    Ints,
    /// A set of symbolic constants.
    Symbols,
    /// A set of anything but words.
    Anything,
}

impl Ty {
    fn name(self) -> String {
        match self {
            Ty::Bool => "a boolean".into(),
            Ty::Int => "a number".into(),
            Ty::Symbol => "a symbolic constant".into(),
            Ty::Mixed => "a symbolic constant or a number".into(),
            Ty::Word(true, n) => format!("a signed word of {n} bits"),
            Ty::Word(false, n) => format!("a word of {n} bits"),
            Ty::Bools => "a set of booleans".into(),
            Ty::Ints => "a set of numbers".into(),
            Ty::Symbols => "a set of symbolic constants".into(),
            Ty::Anything => "a set of values of several types".into(),
        }
    }

    fn is_set(self) -> bool {
        matches!(self, Ty::Bools | Ty::Ints | Ty::Symbols | Ty::Anything)
    }

    /// The type of sets of such values; a set is its own. There are no sets of words.
    fn set(self) -> Option<Ty> {
        Some(match self {
            Ty::Bool => Ty::Bools,
            Ty::Int => Ty::Ints,
            Ty::Symbol => Ty::Symbols,
            Ty::Mixed => Ty::Anything,
            Ty::Word(..) => return None,
            set => set,
        })
    }

    /// The type of a member.
    fn member(self) -> Ty {
        match self {
            Ty::Bools => Ty::Bool,
            Ty::Ints => Ty::Int,
            Ty::Symbols => Ty::Symbol,
            Ty::Anything => Ty::Mixed,
            single => single,
        }
    }

    /// Is every value of `other` one of this type, as NuSMV sees it?
    fn takes(self, other: Ty) -> bool {
        match (self, other) {
            (a, b) if a == b => true,
            (Ty::Mixed, Ty::Int | Ty::Symbol) => true,
            (Ty::Anything, set) => set.is_set(),
            _ => false,
        }
    }

    /// Can the two be compared: is one of them as general as the other?
    fn meets(self, other: Ty) -> bool {
        self.takes(other) || other.takes(self)
    }

    /// The smallest type that has the values of both.
    fn join(self, other: Ty) -> Option<Ty> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Ty::Int | Ty::Symbol | Ty::Mixed, Ty::Int | Ty::Symbol | Ty::Mixed) => Some(Ty::Mixed),
            (a, b) if a.is_set() && b.is_set() => Some(Ty::Anything),
            _ => None,
        }
    }

    /// The type of a choice between the two: if one is a set, both are.
    fn branch(self, other: Ty) -> Option<Ty> {
        if self.is_set() || other.is_set() { self.set()?.join(other.set()?) } else { self.join(other) }
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
    for &e in &model.elements {
        c.visit(e);
        c.plain(e);
    }
    for a in &model.assigns {
        c.visit(a.value);
        let (name, t) = (&model.vars[a.var as usize].name, c.all.of(a.value));
        let variable = domain_type(&model.vars[a.var as usize].domain);
        if let Some(value) = c.all.types[a.value.0 as usize]
            && !variable.takes(value.member())
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
        c.constraint(p, false, true);
        c.constraint(q, false, true);
    }
    for s in &model.specs {
        c.spec(s.logic, s.formula);
    }
    c.all
}

/// The number that an expression is in every state; none if it looks at a variable, or is no number.
pub(crate) fn constant(model: &Model, e: E) -> Option<i64> {
    let (mut stack, mut seen) = (vec![e], std::collections::HashSet::new());
    while let Some(e) = stack.pop() {
        if !seen.insert(e) {
            continue;
        }
        let node = model.node(e);
        match &node.op {
            Op::Var(_) | Op::Apply(Kind::Modal(_) | Kind::Modal2(_)) => return None,
            Op::Define(d) => stack.push(model.defines[*d as usize].body),
            _ => stack.extend(&node.kids),
        }
    }
    match evaluate::values(model, Step { now: &[], then: None }, e).as_slice() {
        [Concrete::Value(Value::Int(n))] => Some(*n),
        [Concrete::Word(_, false, bits)] => i64::try_from(*bits).ok(),
        _ => None,
    }
}

fn domain_type(domain: &Domain) -> Ty {
    match domain {
        Domain::Bool => Ty::Bool,
        Domain::Values(v) if v.iter().all(|v| matches!(v, Value::Int(_))) => Ty::Int,
        Domain::Values(v) if v.iter().all(|v| matches!(v, Value::Symbol(_))) => Ty::Symbol,
        Domain::Values(_) => Ty::Mixed,
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
                Ty::Bools => Some("a condition has one value; `x in {a, b}` asks for one of several"),
                Ty::Word(false, 1) => Some("`bool(w)` makes a condition of a word of one bit"),
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
        traits.set = ty.is_some_and(Ty::is_set);
        self.all.traits[e.0 as usize] = traits;
        ty
    }

    fn apply(&mut self, e: E, kind: &Kind, kids: &[E], traits: &mut Traits) -> Option<Ty> {
        let ty: Vec<Option<Ty>> = kids.iter().map(|k| self.all.types[k.0 as usize]).collect();
        match kind {
            // Braces around one expression are brackets.
            Kind::Set if kids.len() == 1 => ty[0],
            Kind::Set => {
                let mut all: Option<Ty> = None;
                for (&t, &k) in ty.iter().zip(kids) {
                    let Some(set) = t?.set() else {
                        self.say(k, format!("there are no sets of words, and this is {}", t?.name()));
                        return None;
                    };
                    all = Some(all.map_or(set, |a| a.join(set).unwrap_or(Ty::Anything)));
                }
                all
            }
            Kind::Range => {
                if ty[0]? != Ty::Int || ty[1]? != Ty::Int {
                    self.say(e, "a range has numbers as bounds");
                    return None;
                }
                Some(Ty::Ints)
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
            Kind::Binary(op) => self.binary(e, *op, kids),
            Kind::Ite | Kind::Case | Kind::Index => {
                if *kind == Kind::Index {
                    self.index(kids[0]);
                }
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
                    let Some(joined) = all.branch(ty[i]?) else {
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

    /// The index of an array, which the first condition of the choice compares with a constant.
    fn index(&mut self, condition: E) {
        let number = self.model.node(condition).kids[0];
        let Some(&index) = self.model.node(number).kids.first() else { return };
        if let Some(ty @ (Ty::Bool | Ty::Word(true, _))) = self.all.types[index.0 as usize] {
            let message = format!("an index is a number or an unsigned word, this is {}", ty.name());
            self.say(index, message);
        }
    }

    fn binary(&mut self, e: E, op: Binary, kids: &[E]) -> Option<Ty> {
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
            Equal | NotEqual => match (a, b) {
                _ if a.is_set() || b.is_set() => {
                    let help =
                        "`x in {a, b}` asks whether x is one of them, `s in t` whether s is a subset of t";
                    let d =
                        Diagnostic::error(self.model.node(e).span, "sets are not compared by `=` or `!=`");
                    self.wrong.push(d.help(help));
                    None
                }
                _ if a.meets(b) => Some(Ty::Bool),
                _ => mismatch(self),
            },
            In => match (a.set(), b.set()) {
                (Some(p), Some(q)) if p.meets(q) => Some(Ty::Bool),
                _ => mismatch(self),
            },
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
                (Ty::Word(_, n), Ty::Int | Ty::Word(false, _)) => {
                    let by = match self.model.node(kids[1]).op {
                        Op::Const(Value::Int(by)) => u64::try_from(by).unwrap_or(0),
                        Op::Bits(_, _, by) => by,
                        _ => 0,
                    };
                    if by > u64::from(n) {
                        self.say(e, format!("a word of {n} bits cannot be shifted by {by}"));
                        return None;
                    }
                    Some(a)
                }
                _ => mismatch(self),
            },
            Concat => match (a, b) {
                (Ty::Word(_, n), Ty::Word(_, m)) if n + m <= 64 => Some(Ty::Word(false, n + m)),
                _ => mismatch(self),
            },
            Union => match (a.set(), b.set()) {
                (Some(p), Some(q)) => p.join(q),
                _ => mismatch(self),
            },
        }
    }

    /// The value of a constant expression.
    fn constant(&mut self, e: E) -> Option<i64> {
        let node = self.model.node(e);
        let width = match (&node.op, node.kids.first()) {
            // The width of a word is known, whatever its value is.
            (Op::Apply(Kind::Call(Function::SizeOf)), Some(word)) => self.all.types[word.0 as usize],
            _ => None,
        };
        let value = match width {
            Some(Ty::Word(_, n)) => Some(i64::from(n)),
            _ => constant(self.model, e),
        };
        if value.is_none() {
            self.say(e, "expected a constant number");
        }
        value
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
            (Function::Bool, Ty::Word(false, 1) | Ty::Int) => Some(Ty::Bool),
            (Function::Word1, Ty::Bool) => Some(Ty::Word(false, 1)),
            (Function::ToInt, Ty::Word(_, n)) if n <= 16 => Some(Ty::Int),
            (Function::ToInt, Ty::Int | Ty::Bool) => Some(Ty::Int),
            (Function::Signed, Ty::Word(false, n)) => Some(Ty::Word(true, n)),
            (Function::Unsigned, Ty::Word(true, n)) => Some(Ty::Word(false, n)),
            (Function::Extend, Ty::Word(s, n)) => {
                let more = self.constant(kids[1])?;
                if more < 0 {
                    self.say(kids[1], "a word is extended by a number of bits, not shortened");
                    return None;
                }
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
            (Function::Min | Function::Max, t @ (Ty::Int | Ty::Word(..))) if ty[1] == Some(t) => Some(t),
            (_, t) => {
                self.say(e, format!("this function does not take {}", t.name()));
                None
            }
        }
    }
}
