//! `Acceptance:`, as a generalised Büchi condition.
//!
//! A run sees infinitely often an edge of `A` or one of `B` exactly when it sees infinitely often one of `A ∪ B`. So a
//! disjunction of `Inf` is one Büchi set, a conjunction of such disjunctions is a generalised Büchi condition, and
//! any expression without `Fin` has such a conjunctive form: it is answered exactly. `Inf(!x)` is the complement of
//! a set, which edges know; `t` is the empty conjunction; `f` the empty disjunction, a set without edges.
//!
//! The conjunctive form is computed while parsing, with absorption; of a monotone expression the irredundant form is
//! unique, so that «more than 64 sets» does not depend on how the expression is written.

use super::lexer::{Kind, Lexer, Parse, Stop};
use crate::Marks;
use riata_source::{Diagnostic, Span};
use std::collections::HashMap;

/// How many times `Inf` may be written: a bound on the work, far above anything sensible.
const ATOMS: usize = 100_000;

/// `Inf(x)` is `2x`, `Inf(!x)` is `2x + 1`.
type Atom = u32;
/// A disjunction of atoms.
type Clause = Vec<Atom>;

/// What the marks in the text mean for our sets.
#[derive(Debug, Default)]
pub(super) struct Acceptance {
    /// How many sets the header declares: marks in the text are below.
    pub(super) declared: u32,
    /// How many sets we use.
    pub(super) sets: u32,
    /// Our sets to which a mark in the text below 64 belongs.
    low: Vec<Marks>,
    /// The same for other marks.
    high: HashMap<u32, Marks>,
    /// For each complemented set its number in the text, and our sets to which its absence belongs.
    absent: Vec<(u32, Marks)>,
}

/// The marks of a state or edge as read: what is present of the plain sets, and which complemented sets are met.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Signature {
    present: Marks,
    met: u64,
}

impl Signature {
    pub(super) fn or(self, other: Signature) -> Signature {
        Signature { present: self.present | other.present, met: self.met | other.met }
    }
}

impl Acceptance {
    /// Reads what follows `Acceptance:`.
    pub(super) fn parse(lexer: &mut Lexer) -> Parse<Acceptance> {
        let (declared, _) = lexer.number("the number of acceptance sets")?;
        let start = lexer.now.span;
        let mut clauses = Expression::default().parse(lexer, declared)?;
        normalise(&mut clauses);
        let too_many = |n: usize, what: &str| -> Stop {
            Diagnostic::error(start, format!("the acceptance condition needs {n} {what}"))
                .label("starts here")
                .help(format!("Riata has room for {} acceptance sets", Marks::MAX))
                .into()
        };
        if clauses.len() > Marks::MAX as usize {
            return Err(too_many(clauses.len(), "acceptance sets"));
        }
        let mut acceptance = Acceptance { declared, sets: clauses.len() as u32, ..Acceptance::default() };
        acceptance.low = vec![Marks::NONE; 64];
        let mut absent: HashMap<u32, Marks> = HashMap::new();
        for (set, clause) in clauses.iter().enumerate() {
            for &atom in clause {
                let (x, mark) = (atom / 2, Marks::one(set as u32));
                if atom % 2 == 1 {
                    *absent.entry(x).or_default() |= mark;
                } else if x < 64 {
                    acceptance.low[x as usize] |= mark;
                } else {
                    *acceptance.high.entry(x).or_default() |= mark;
                }
            }
        }
        acceptance.absent = absent.into_iter().collect();
        acceptance.absent.sort_unstable();
        if acceptance.absent.len() > 64 {
            return Err(too_many(acceptance.absent.len(), "complemented sets"));
        }
        Ok(acceptance)
    }

    /// Reads an optional `{…}`.
    pub(super) fn signature(&self, lexer: &mut Lexer) -> Parse<Signature> {
        let mut signature = Signature::default();
        if !lexer.eat(b'{')? {
            return Ok(signature);
        }
        while let Kind::Int(x) = lexer.now.kind {
            if x >= self.declared {
                return Err(out_of_range(lexer.now.span, x, self.declared));
            }
            let marks = match self.low.get(x as usize) {
                Some(&m) => m,
                None => self.high.get(&x).copied().unwrap_or_default(),
            };
            signature.present |= marks;
            if !self.absent.is_empty()
                && let Ok(k) = self.absent.binary_search_by_key(&x, |a| a.0)
            {
                signature.met |= 1 << k;
            }
            lexer.advance()?;
        }
        if !lexer.eat(b'}')? {
            return Err(lexer.expected("an acceptance set or `}`"));
        }
        Ok(signature)
    }

    /// The marks of an edge with this signature.
    pub(super) fn marks(&self, signature: Signature) -> Marks {
        let mut marks = signature.present;
        for (k, &(_, m)) in self.absent.iter().enumerate() {
            if signature.met >> k & 1 == 0 {
                marks |= m;
            }
        }
        marks
    }
}

fn out_of_range(span: Span, x: u32, declared: u32) -> Stop {
    Diagnostic::error(span, format!("there is no acceptance set {x}"))
        .help(format!("`Acceptance:` declares {declared}, counted from 0"))
        .into()
}

/// Sorts atoms and clauses, and drops every clause that another one implies.
fn normalise(clauses: &mut Vec<Clause>) {
    for c in clauses.iter_mut() {
        c.sort_unstable();
        c.dedup();
    }
    clauses.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    clauses.dedup();
    let mut kept: Vec<Clause> = Vec::new();
    for c in clauses.drain(..) {
        // A set of all edges that are in `x` or not in `x` is met for ever by every run.
        let always = c.windows(2).any(|w| w[0] % 2 == 0 && w[1] == w[0] + 1);
        let implied = || kept.iter().any(|k| k.iter().all(|atom| c.binary_search(atom).is_ok()));
        if !always && !implied() {
            kept.push(c);
        }
    }
    kept.sort();
    *clauses = kept;
}

/// Shunting-yard over conjunctive forms, with explicit stacks.
#[derive(Default)]
struct Expression {
    values: Vec<Vec<Clause>>,
    /// `(`, `&` or `|`.
    operators: Vec<u8>,
    atoms: usize,
}

impl Expression {
    fn parse(mut self, lexer: &mut Lexer, declared: u32) -> Parse<Vec<Clause>> {
        let start = lexer.now.span;
        loop {
            while lexer.eat(b'(')? {
                self.operators.push(b'(');
            }
            let value = self.atom(lexer, declared)?;
            self.values.push(value);
            while self.operators.contains(&b'(') && lexer.now.kind == Kind::Sign(b')') {
                while self.operators.last() != Some(&b'(') {
                    self.reduce(start)?;
                }
                self.operators.pop();
                lexer.advance()?;
            }
            let Kind::Sign(op @ (b'&' | b'|')) = lexer.now.kind else { break };
            lexer.advance()?;
            while matches!((self.operators.last(), op), (Some(b'&'), _) | (Some(b'|'), b'|')) {
                self.reduce(start)?;
            }
            self.operators.push(op);
        }
        while let Some(&op) = self.operators.last() {
            if op == b'(' {
                return Err(lexer.expected("`)` in the acceptance condition"));
            }
            self.reduce(start)?;
        }
        Ok(self.values.pop().expect("one value"))
    }

    fn atom(&mut self, lexer: &mut Lexer, declared: u32) -> Parse<Vec<Clause>> {
        let span = lexer.now.span;
        let word = lexer.slice(span);
        if lexer.now.kind != Kind::Ident || !matches!(word, b"t" | b"f" | b"Inf" | b"Fin") {
            return Err(lexer.expected("an acceptance condition made of `Inf`, `&`, `|`, `t` and `f`"));
        }
        if word == b"Fin" {
            return Err(Diagnostic::error(
                span,
                "this acceptance condition is not a (generalised) Büchi condition",
            )
            .label("`Fin` is not supported")
            .help("Riata reads Büchi and generalised Büchi automata: combinations of `Inf`")
            .into());
        }
        lexer.advance()?;
        match word {
            b"t" => return Ok(vec![]),
            b"f" => return Ok(vec![vec![]]),
            _ => {}
        }
        if !lexer.eat(b'(')? {
            return Err(lexer.expected("`(` after `Inf`"));
        }
        let complement = lexer.eat(b'!')?;
        let (x, place) = lexer.number("the number of an acceptance set")?;
        if x >= declared {
            return Err(out_of_range(place, x, declared));
        }
        if !lexer.eat(b')')? {
            return Err(lexer.expected("`)` after the number of the set"));
        }
        self.atoms += 1;
        if self.atoms > ATOMS {
            return Err(Diagnostic::error(span, format!("`Inf` is written more than {ATOMS} times")).into());
        }
        Ok(vec![vec![2 * x + u32::from(complement)]])
    }

    /// Applies the operator on top of its stack.
    fn reduce(&mut self, start: Span) -> Parse<()> {
        let op = self.operators.pop().expect("an operator");
        let right = self.values.pop().expect("a right operand");
        let left = self.values.last_mut().expect("a left operand");
        if op == b'&' {
            left.extend(right);
        } else if left.len() == 1 && right.len() == 1 {
            left[0].extend(&right[0]);
        } else {
            // (a & b) | (c & d) = (a | c) & (a | d) & (b | c) & (b | d)
            let mut product = Vec::with_capacity(left.len() * right.len());
            for l in left.iter() {
                product.extend(right.iter().map(|r| l.iter().chain(r).copied().collect::<Clause>()));
            }
            *left = product;
            normalise(left);
        }
        // Between two clean-ups at most as many clauses arrive as there is room for sets.
        if left.len() > 4 * Marks::MAX as usize {
            normalise(left);
            if left.len() > 2 * Marks::MAX as usize {
                return Err(Diagnostic::error(
                    start,
                    "the acceptance condition needs too many acceptance sets",
                )
                .label("starts here")
                .help(format!("Riata has room for {} acceptance sets", Marks::MAX))
                .into());
            }
        }
        Ok(())
    }
}
