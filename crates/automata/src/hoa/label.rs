//! Label expressions, `[!0 & (1 | @a)]`, as functions over the propositions.
//!
//! Three measures keep this linear in the text:
//!
//! - A label is interned by its source text: ten million edges that use forty labels parse forty labels.
//! - A chain `a & b & c …` is collected and combined at once: its literals become one cube built from the last
//!   proposition upwards, which costs one node each, where taking them one by one would copy the cube each time.
//! - Nodes have a budget that grows with the text. Some short expressions have exponential diagrams; they end in an
//!   error instead of the end of the memory.

use super::lexer::{Kind, Lexer, Parse, Stop};
use crate::{Label, Labels};
use riata_source::{Diagnostic, Span};
use std::collections::HashMap;

/// Nodes and remembered results that any automaton may use for its labels.
const BUDGET: usize = 1 << 20;
/// What each byte of label text adds to the budget: about four times what plain cubes use.
const PER_BYTE: usize = 8;
/// Labels that are longer are not interned.
const INTERNED: usize = 256;

/// The reader of labels of one automaton.
pub(super) struct LabelReader<'t> {
    pub(super) labels: Labels,
    /// Aliases, and where each is defined.
    aliases: HashMap<&'t [u8], (Label, Span)>,
    interned: HashMap<&'t [u8], Label>,
    /// The last label text, which is often the next one too.
    last: (&'t [u8], Label),
    /// The greatest proposition that is used, to be checked when `AP:` is known.
    pub(super) greatest: Option<(u32, Span)>,
    budget: usize,
    stacks: Stacks,
}

/// The stacks of the shunting-yard, kept from label to label.
#[derive(Default)]
struct Stacks {
    values: Vec<Label>,
    operators: Vec<Operator>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Paren,
    Not,
    /// A conjunction of the last so many values.
    And(u32),
    /// A disjunction of the last so many values.
    Or(u32),
}

impl<'t> LabelReader<'t> {
    pub(super) fn new() -> Self {
        LabelReader {
            labels: Labels::new(),
            aliases: HashMap::new(),
            interned: HashMap::new(),
            last: (b"t", Label::TRUE),
            greatest: None,
            budget: BUDGET,
            stacks: Stacks::default(),
        }
    }

    /// Reads what follows `Alias:`.
    pub(super) fn alias(&mut self, lexer: &mut Lexer<'t>) -> Parse<()> {
        let span = lexer.now.span;
        if lexer.now.kind != Kind::Alias {
            return Err(lexer.expected("an alias such as `@a`"));
        }
        let name = lexer.slice(span);
        if let Some((_, first)) = self.aliases.get(name) {
            return Err(Diagnostic::error(span, "this alias is defined twice")
                .note(*first, "first defined here")
                .into());
        }
        lexer.advance()?;
        let label = self.expression(lexer)?;
        self.aliases.insert(name, (label, span));
        Ok(())
    }

    /// Reads `[…]`; the lexer is at the bracket.
    pub(super) fn bracketed(&mut self, lexer: &mut Lexer<'t>) -> Parse<Label> {
        debug_assert_eq!(lexer.now.kind, Kind::Sign(b'['));
        let start = lexer.now.span.end;
        let rest = &lexer.text[start..lexer.text.len().min(start + INTERNED)];
        let key = rest.iter().position(|&b| b == b']').map(|n| &rest[..n]);
        if let Some(key) = key {
            if key == self.last.0 {
                lexer.advance_from(start + key.len() + 1)?;
                return Ok(self.last.1);
            }
            if let Some(&label) = self.interned.get(key) {
                self.last = (key, label);
                lexer.advance_from(start + key.len() + 1)?;
                return Ok(label);
            }
        }
        lexer.advance()?;
        let label = self.expression(lexer)?;
        if lexer.now.kind != Kind::Sign(b']') {
            return Err(lexer.expected("`]`, `&` or `|`"));
        }
        // A `]` inside a comment is not the end: then the texts differ, and nothing is interned.
        if let Some(key) = key
            && start + key.len() == lexer.now.span.start
        {
            self.interned.insert(key, label);
            self.last = (key, label);
        }
        lexer.advance()?;
        Ok(label)
    }

    /// Reads an expression up to the first token that cannot go on with it.
    pub(super) fn expression(&mut self, lexer: &mut Lexer<'t>) -> Parse<Label> {
        let start = lexer.now.span.start;
        let mut stacks = std::mem::take(&mut self.stacks);
        stacks.values.clear();
        stacks.operators.clear();
        let result = self.shunt(lexer, &mut stacks, start);
        self.stacks = stacks;
        result
    }

    fn shunt(&mut self, lexer: &mut Lexer<'t>, s: &mut Stacks, start: usize) -> Parse<Label> {
        let mut open = 0usize;
        loop {
            loop {
                match lexer.now.kind {
                    Kind::Sign(b'!') if s.operators.last() == Some(&Operator::Not) => {
                        s.operators.pop();
                    }
                    Kind::Sign(b'!') => s.operators.push(Operator::Not),
                    Kind::Sign(b'(') => {
                        open += 1;
                        s.operators.push(Operator::Paren);
                    }
                    _ => break,
                }
                lexer.advance()?;
            }
            let operand = self.operand(lexer)?;
            s.values.push(operand);
            let room = self.budget + PER_BYTE * (lexer.now.span.end - start);
            let blown = |span: Span| blow_up(Span::new(start, span.start.max(start)));
            self.negate(s, room).ok_or_else(|| blown(lexer.now.span))?;
            while open > 0 && lexer.now.kind == Kind::Sign(b')') {
                open -= 1;
                self.close(s, room).ok_or_else(|| blown(lexer.now.span))?;
                let paren = s.operators.pop();
                debug_assert!(paren == Some(Operator::Paren));
                self.negate(s, room).ok_or_else(|| blown(lexer.now.span))?;
                lexer.advance()?;
            }
            match lexer.now.kind {
                Kind::Sign(b'&') => match s.operators.last_mut() {
                    Some(Operator::And(n)) => *n += 1,
                    _ => s.operators.push(Operator::And(2)),
                },
                Kind::Sign(b'|') => {
                    if let Some(&Operator::And(n)) = s.operators.last() {
                        s.operators.pop();
                        self.combine(s, n, true, room).ok_or_else(|| blown(lexer.now.span))?;
                    }
                    match s.operators.last_mut() {
                        Some(Operator::Or(n)) => *n += 1,
                        _ => s.operators.push(Operator::Or(2)),
                    }
                }
                _ if open > 0 => return Err(lexer.expected("`)`, `&` or `|`")),
                _ => {
                    self.close(s, room).ok_or_else(|| blown(lexer.now.span))?;
                    self.budget = room;
                    return Ok(s.values.pop().expect("one value"));
                }
            }
            lexer.advance()?;
        }
    }

    /// A constant, proposition or alias.
    fn operand(&mut self, lexer: &mut Lexer<'t>) -> Parse<Label> {
        let span = lexer.now.span;
        let label = match lexer.now.kind {
            Kind::Int(ap) => {
                if self.greatest.is_none_or(|(g, _)| ap > g) {
                    self.greatest = Some((ap, span));
                }
                self.labels.var(ap)
            }
            Kind::Ident if lexer.slice(span) == b"t" => Label::TRUE,
            Kind::Ident if lexer.slice(span) == b"f" => Label::FALSE,
            Kind::Alias => match self.aliases.get(lexer.slice(span)) {
                Some(&(label, _)) => label,
                None => {
                    return Err(Diagnostic::error(
                        span,
                        format!("the alias {} is not defined", lexer.found()),
                    )
                    .help("an alias is defined by `Alias:` in the header, before its first use")
                    .into());
                }
            },
            _ => {
                return Err(lexer.expected("a label: a proposition's number, `@alias`, `t`, `f`, `!` or `(`"));
            }
        };
        lexer.advance()?;
        Ok(label)
    }

    /// Applies a `!` that waits for the last value.
    fn negate(&mut self, s: &mut Stacks, room: usize) -> Option<()> {
        if s.operators.last() == Some(&Operator::Not) {
            s.operators.pop();
            let value = s.values.last_mut().expect("a value");
            *value = self.labels.try_not(*value, room)?;
        }
        Some(())
    }

    /// Applies the `&` and `|` since the last parenthesis.
    fn close(&mut self, s: &mut Stacks, room: usize) -> Option<()> {
        if let Some(&Operator::And(n)) = s.operators.last() {
            s.operators.pop();
            self.combine(s, n, true, room)?;
        }
        if let Some(&Operator::Or(n)) = s.operators.last() {
            s.operators.pop();
            self.combine(s, n, false, room)?;
        }
        Some(())
    }

    /// Replaces the last `n` values by their conjunction or disjunction.
    fn combine(&mut self, s: &mut Stacks, n: u32, and: bool, room: usize) -> Option<()> {
        let from = s.values.len() - n as usize;
        let neutral = if and { Label::TRUE } else { Label::FALSE };
        let is_literal = |labels: &Labels, l: Label| {
            labels.node(l).is_some_and(|(_, lo, hi)| lo <= Label::TRUE && hi <= Label::TRUE)
        };
        let mut literals: Vec<(u32, bool)> = Vec::new();
        let mut others: Vec<Label> = Vec::new();
        for l in s.values.drain(from..) {
            if is_literal(&self.labels, l) {
                let (var, _, hi) = self.labels.node(l).expect("a literal");
                literals.push((var, hi == Label::TRUE));
            } else {
                others.push(l);
            }
        }
        literals.sort_unstable();
        literals.dedup();
        let clash = literals.windows(2).any(|w| w[0].0 == w[1].0);
        let mut cube = neutral;
        if clash {
            cube = if and { Label::FALSE } else { Label::TRUE };
        } else {
            for &(var, value) in literals.iter().rev() {
                let short = if and { Label::FALSE } else { Label::TRUE };
                // A conjunction goes on where the literal is true; a disjunction where it is false.
                let (lo, hi) = if value == and { (short, cube) } else { (cube, short) };
                cube = self.labels.make(var, lo, hi);
            }
        }
        others.push(cube);
        // Halves of equal weight: a long chain costs n log n, not n².
        while others.len() > 1 {
            let mut next = Vec::with_capacity(others.len().div_ceil(2));
            for pair in others.chunks(2) {
                next.push(match *pair {
                    [a, b] if and => self.labels.try_and(a, b, room)?,
                    [a, b] => self.labels.try_or(a, b, room)?,
                    _ => pair[0],
                });
            }
            others = next;
        }
        s.values.push(others[0]);
        Some(())
    }

    /// Makes the implicit labels of a state with `2^aps` edges; edge `i` reads the letter whose bits are `i`.
    pub(super) fn letters(&mut self, aps: u32) -> Vec<Label> {
        let mut letters = vec![Label::TRUE];
        for var in (0..aps).rev() {
            letters = letters
                .iter()
                .flat_map(|&l| [(var, l, Label::FALSE), (var, Label::FALSE, l)])
                .map(|(var, lo, hi)| self.labels.make(var, lo, hi))
                .collect();
        }
        letters
    }
}

fn blow_up(span: Span) -> Stop {
    Diagnostic::error(span, "this label is too complicated")
        .help(
            "its decision diagram in the order of `AP:` outgrows the memory that a file of this size may use",
        )
        .into()
}
