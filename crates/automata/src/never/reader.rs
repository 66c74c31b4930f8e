//! Reading never claims.
//!
//! ```text
//! claim  := "never" [name] "{" state* "}"
//! state  := (label ":")+ body [";"]
//! body   := "if" branch* "fi" | "do" branch* "od" | "skip" | "false" | "0"
//! branch := "::" guard ["->" ("goto" label | "skip")] | "::" "atomic" "{" guard "->" "assert" "(" … ")" "}"
//! ```
//!
//! A guard is a Boolean formula over propositions in Spin's notation. A claim that comes to its end accepts: `skip` at
//! the end of the claim, and the branch with `assert`, lead to a state that accepts everything. States whose label
//! begins with `accept` are accepting.

use crate::{Edge, Label, Labels, Marks, Tgba};
use riata_ltl::{Arena, Dialect, Id, Op, parse_in};
use riata_source::{Diagnostic, Span};
use std::collections::HashMap;

/// Where a branch leads.
enum Target<'t> {
    State(&'t str, Span),
    /// The state itself: a branch of `do` without `goto`.
    Own,
    /// What is written behind this state; the end of the claim if it is the last.
    Behind,
    /// The end of the claim.
    End,
}

struct Branch<'t> {
    guard: Id,
    target: Target<'t>,
}

struct State<'t> {
    accepting: bool,
    branches: Vec<Branch<'t>>,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    arena: Arena,
}

/// The automaton of a never claim: state-based, one acceptance set.
pub fn read(text: &str) -> Result<Tgba, Diagnostic> {
    let mut reader = Reader { text, at: 0, arena: Arena::new() };
    reader.claim()
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Skips white space and comments.
    fn space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("/*") {
                self.at += trimmed.find("*/").map_or(trimmed.len(), |i| i + 2);
            } else if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else {
                return;
            }
        }
    }

    fn error(&self, message: impl Into<String>) -> Diagnostic {
        let len = self.rest().chars().next().map_or(0, char::len_utf8);
        Diagnostic::error(Span::new(self.at, self.at + len), message)
    }

    /// The word here, without consuming it.
    fn peek_word(&mut self) -> &'t str {
        self.space();
        let rest = self.rest();
        &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())]
    }

    fn word(&mut self) -> &'t str {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    fn symbol(&mut self, symbol: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len();
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<(), Diagnostic> {
        if self.symbol(symbol) { Ok(()) } else { Err(self.error(format!("expected `{symbol}`"))) }
    }

    fn claim(&mut self) -> Result<Tgba, Diagnostic> {
        if self.peek_word() != "never" {
            return Err(self.error("expected `never`"));
        }
        self.word();
        if !self.peek_word().is_empty() {
            self.word(); // a name
        }
        self.expect("{")?;
        let mut states: Vec<State<'t>> = Vec::new();
        let mut names: HashMap<&'t str, u32> = HashMap::new();
        loop {
            self.space();
            if self.symbol("}") {
                break;
            }
            let state = self.state(&mut names, states.len() as u32)?;
            states.push(state);
        }
        if states.is_empty() {
            self.at -= 1;
            return Err(self.error("expected a state: a label and `:`"));
        }
        self.space();
        if !self.rest().is_empty() {
            return Err(self.error("expected nothing behind the claim"));
        }
        self.automaton(states, &names)
    }

    fn state(&mut self, names: &mut HashMap<&'t str, u32>, number: u32) -> Result<State<'t>, Diagnostic> {
        let mut state = State { accepting: false, branches: Vec::new() };
        let mut labelled = false;
        loop {
            let word = self.peek_word();
            let start = self.at;
            match word {
                "if" | "do" | "skip" | "false" | "0" if labelled => break,
                "" => return Err(self.error("expected a label")),
                _ => {
                    self.word();
                    self.expect(":")?;
                    labelled = true;
                    state.accepting |= word.starts_with("accept");
                    if names.insert(word, number).is_some() {
                        let span = Span::new(start, start + word.len());
                        return Err(Diagnostic::error(span, format!("the label `{word}` is there twice")));
                    }
                }
            }
        }
        match self.word() {
            "skip" => state.branches.push(Branch { guard: Id::TRUE, target: Target::Behind }),
            "false" | "0" => {}
            open => self.branches(open == "do", &mut state)?,
        }
        while self.symbol(";") {}
        Ok(state)
    }

    fn branches(&mut self, repeat: bool, state: &mut State<'t>) -> Result<(), Diagnostic> {
        let close = if repeat { "od" } else { "fi" };
        loop {
            self.space();
            if self.symbol("::") {
                let branch = self.branch(repeat)?;
                state.branches.push(branch);
            } else if self.peek_word() == close {
                self.word();
                return Ok(());
            } else {
                return Err(self.error(format!("expected `::` or `{close}`")));
            }
        }
    }

    fn branch(&mut self, repeat: bool) -> Result<Branch<'t>, Diagnostic> {
        let atomic = self.peek_word() == "atomic";
        if atomic {
            self.word();
            self.expect("{")?;
        }
        let guard = self.guard()?;
        let stay = if repeat { Target::Own } else { Target::Behind };
        if !self.symbol("->") && !self.symbol(";") {
            return Ok(Branch { guard, target: stay });
        }
        let word = self.peek_word();
        let target = match word {
            "goto" => {
                self.word();
                let label = self.peek_word();
                let span = Span::new(self.at, self.at + label.len());
                if label.is_empty() {
                    return Err(self.error("expected a label behind `goto`"));
                }
                self.word();
                Target::State(label, span)
            }
            "skip" => {
                self.word();
                stay
            }
            "assert" => {
                self.word();
                self.space();
                self.balanced()?;
                Target::End
            }
            _ => return Err(self.error("expected `goto`, `skip` or `assert`")),
        };
        while self.symbol(";") {}
        if atomic {
            self.expect("}")?;
        }
        Ok(Branch { guard, target })
    }

    /// Consumes a balanced pair of round brackets and what is between.
    fn balanced(&mut self) -> Result<(), Diagnostic> {
        let mut depth = 0usize;
        for (i, c) in self.rest().char_indices() {
            match c {
                '(' => depth += 1,
                ')' if depth <= 1 => {
                    self.at += i + 1;
                    return if depth == 1 { Ok(()) } else { Err(self.error("expected `(`")) };
                }
                ')' => depth -= 1,
                _ if depth == 0 => break,
                _ => {}
            }
        }
        Err(self.error(if depth == 0 { "expected `(`" } else { "this `(` is not closed" }))
    }

    /// A guard: up to `->`, `;`, `::` or the end of the selection, outside brackets.
    fn guard(&mut self) -> Result<Id, Diagnostic> {
        self.space();
        let start = self.at;
        let mut depth = 0usize;
        let mut end = self.text.len();
        let bytes = self.text.as_bytes();
        let mut i = start;
        while i < bytes.len() {
            let rest = &bytes[i..];
            match rest[0] {
                b'(' | b'[' => depth += 1,
                b')' | b']' if depth > 0 => depth -= 1,
                b'"' => {
                    // A quoted proposition may hold anything.
                    i += rest[1..].iter().position(|&b| b == b'"').map_or(rest.len() - 1, |p| p + 1);
                }
                b';' | b'}' if depth == 0 => {
                    end = i;
                    break;
                }
                _ if depth == 0 && (rest.starts_with(b"->") || rest.starts_with(b"::")) => {
                    end = i;
                    break;
                }
                _ => {}
            }
            i += 1;
        }
        let text = self.text[start..end.max(start)].trim_end();
        // `fi` and `od` end a last branch without `->`.
        let text = ["fi", "od"].iter().find_map(|w| text.strip_suffix(w)).map_or(text, str::trim_end);
        self.at = start + text.len();
        let guard = parse_in(&mut self.arena, text, Dialect::Spin).map_err(|mut d| {
            d.span = Span::new(d.span.start + start, d.span.end + start);
            for n in &mut d.notes {
                n.span = Span::new(n.span.start + start, n.span.end + start);
            }
            d
        })?;
        let temporal = self
            .arena
            .subformulas(guard)
            .into_iter()
            .find(|&g| self.arena.op(g).is_future() || self.arena.op(g).is_past());
        match temporal {
            Some(_) => {
                let span = Span::new(start, start + text.len());
                Err(Diagnostic::error(span, "a guard of a claim has no temporal operators"))
            }
            None => Ok(guard),
        }
    }

    fn automaton(&self, states: Vec<State<'t>>, names: &HashMap<&'t str, u32>) -> Result<Tgba, Diagnostic> {
        let n = states.len() as u32;
        let mut a = Tgba::default();
        a.aps = self.arena.aps().to_vec();
        a.sets = 1;
        a.initial = vec![0];
        let mark = |yes: bool| if yes { Marks::one(0) } else { Marks::NONE };
        let mut edges = Vec::new();
        let mut ends = false;
        for (s, state) in states.iter().enumerate() {
            for b in &state.branches {
                let label = function(&self.arena, &mut a.labels, b.guard)?;
                let to = match b.target {
                    Target::State(name, span) => *names.get(name).ok_or_else(|| {
                        Diagnostic::error(span, format!("there is no state `{name}` in the claim"))
                    })?,
                    Target::Own => s as u32,
                    Target::Behind if s + 1 < states.len() => s as u32 + 1,
                    Target::Behind | Target::End => {
                        ends = true;
                        n
                    }
                };
                if label != Label::FALSE {
                    edges.push((s as u32, Edge { to, label, marks: mark(state.accepting) }));
                }
            }
        }
        let mut marks: Vec<Marks> = states.iter().map(|s| mark(s.accepting)).collect();
        if ends {
            edges.push((n, Edge { to: n, label: Label::TRUE, marks: mark(true) }));
            marks.push(mark(true));
        }
        a.set_edges(marks.len(), &edges);
        a.state_marks = Some(marks);
        Ok(a)
    }
}

/// More nodes than this are a hostile guard.
const NODES: usize = 1_000_000;

/// The Boolean function of a formula without temporal operators.
fn function(arena: &Arena, labels: &mut Labels, f: Id) -> Result<Label, Diagnostic> {
    let too_large = || Diagnostic::error(Span::at(0), "the guards of this claim are too large");
    let mut value = vec![Label::FALSE; f.0 as usize + 1];
    for g in arena.subformulas(f) {
        let kids: Vec<Label> = arena.operands(g).as_slice().iter().map(|k| value[k.0 as usize]).collect();
        let limit = labels.held() + NODES;
        let mut and = |x, y| labels.try_and(x, y, limit).ok_or_else(too_large);
        value[g.0 as usize] = match arena.op(g) {
            Op::True => Label::TRUE,
            Op::Ap => labels.var(arena.ap_number(g)),
            Op::Not => labels.not(kids[0]),
            Op::And => kids.iter().try_fold(Label::TRUE, |x, &y| and(x, y))?,
            Op::Or => kids
                .iter()
                .try_fold(Label::FALSE, |x, &y| labels.try_or(x, y, limit).ok_or_else(too_large))?,
            Op::Implies => {
                let left = labels.not(kids[0]);
                labels.try_or(left, kids[1], limit).ok_or_else(too_large)?
            }
            Op::Iff | Op::Xor => {
                let both = and(kids[0], kids[1])?;
                let any = labels.try_or(kids[0], kids[1], limit).ok_or_else(too_large)?;
                let differ = labels.minus(any, both);
                if arena.op(g) == Op::Xor { differ } else { labels.not(differ) }
            }
            _ => Label::FALSE,
        };
    }
    Ok(value[f.0 as usize])
}
