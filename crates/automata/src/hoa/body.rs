//! The body of an automaton: states and edges.

use super::Automaton;
use super::acceptance::Signature;
use super::header::{Head, alternating, no_proposition};
use super::lexer::{Kind, Lexer, Parse};
use crate::{Edge, Label, Marks, Tgba};
use riata_source::{Diagnostic, Span};
use std::collections::HashSet;

/// How a state's edges are labelled; all in the same way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Unknown,
    /// The state has the label.
    State(Label),
    /// Every edge has one.
    Explicit,
    /// No edge has one: the position of an edge is its letter.
    Implicit,
}

struct Body<'t, 'l> {
    lexer: &'l mut Lexer<'t>,
    head: Head<'t>,
    /// First byte of the automaton.
    begin: usize,
    /// In the order of the text.
    edges: Vec<Edge>,
    /// The states in the order of the text, each with its first edge.
    blocks: Vec<(u32, u32)>,
    /// For each state the byte of its definition; `usize::MAX` where there is none.
    defined: Vec<usize>,
    /// The greatest state that is used, and where.
    greatest: Option<(u32, Span)>,
    /// Marks of the states in the order of the text, as long as every state's edges agree.
    marks: Option<Vec<Marks>>,
    names: Vec<(u32, String)>,
    /// Labels of the states in the order of the text, as long as every state has one.
    state_labels: Option<Vec<Label>>,
    /// The implicit labels, once they were needed.
    letters: Vec<Label>,
}

/// Reads the body that follows `head`; leaves the lexer at `--END--`.
pub(super) fn parse<'t>(lexer: &mut Lexer<'t>, head: Head<'t>, begin: usize) -> Parse<Automaton> {
    let mut body = Body {
        lexer,
        head,
        begin,
        edges: Vec::new(),
        blocks: Vec::new(),
        defined: Vec::new(),
        greatest: None,
        marks: Some(Vec::new()),
        names: Vec::new(),
        state_labels: Some(Vec::new()),
        letters: Vec::new(),
    };
    while body.lexer.now.kind == Kind::Header {
        body.state()?;
    }
    match body.lexer.now.kind {
        Kind::End => {}
        Kind::Eof => {
            return Err(Diagnostic::error(body.lexer.now.span, "the file ends inside an automaton")
                .note(Span::new(begin, begin + 4), "this automaton has no `--END--`")
                .help("is the file truncated?")
                .into());
        }
        _ => return Err(body.lexer.expected("`State:`, an edge or `--END--`")),
    }
    body.finish()
}

impl<'t> Body<'t, '_> {
    fn state(&mut self) -> Parse<()> {
        if self.lexer.slice(self.lexer.now.span) != b"State:" {
            return Err(self.lexer.expected("`State:`, an edge or `--END--`"));
        }
        self.lexer.advance()?;
        let mut style = Style::Unknown;
        if self.lexer.now.kind == Kind::Sign(b'[') {
            style = Style::State(self.label()?);
        }
        let (state, span) = self.lexer.number("the number of the state")?;
        self.define(state, span)?;
        if self.lexer.now.kind == Kind::Str {
            self.names.push((state, self.lexer.word()));
            self.lexer.advance()?;
        }
        let signature = self.head.acceptance.signature(self.lexer)?;
        let first = self.edges.len();
        self.blocks.push((state, first as u32));
        match (style, &mut self.state_labels) {
            (Style::State(label), Some(labels)) => labels.push(label),
            _ => self.state_labels = None,
        }
        self.block(span, style, signature)?;
        self.state_marks(first, signature);
        Ok(())
    }

    fn define(&mut self, state: u32, span: Span) -> Parse<()> {
        self.check_state(state, span)?;
        let at = state as usize;
        if self.defined.len() <= at {
            self.defined.resize(at + 1, usize::MAX);
        }
        if self.defined[at] != usize::MAX {
            let first = self.defined[at];
            return Err(Diagnostic::error(span, format!("state {state} is defined twice"))
                .note(Span::new(first, first + span.end - span.start), "first defined here")
                .into());
        }
        self.defined[at] = span.start;
        Ok(())
    }

    /// Is this a state of the automaton, and can a text of this size define it?
    fn check_state(&mut self, state: u32, span: Span) -> Parse<()> {
        if self.greatest.is_some_and(|(g, _)| state <= g) {
            return Ok(());
        }
        if let Some((states, place)) = self.head.states
            && state >= states
        {
            return Err(Diagnostic::error(span, format!("there is no state {state}"))
                .note(place, format!("`States:` announces {states}, counted from 0"))
                .into());
        }
        if state as usize > self.lexer.text.len() - self.begin {
            return Err(self.unlisted(state, span).into());
        }
        self.greatest = Some((state, span));
        Ok(())
    }

    fn unlisted(&self, state: u32, span: Span) -> Diagnostic {
        Diagnostic::error(span, format!("a text of this size cannot define {state} states"))
            .help("every state up to the greatest number needs its own `State:`")
    }

    fn label(&mut self) -> Parse<Label> {
        let label = self.head.labels.bracketed(self.lexer)?;
        match self.head.labels.greatest {
            Some((ap, span)) if ap as usize >= self.head.aps.len() => {
                Err(no_proposition(span, ap, self.head.aps.len(), None).into())
            }
            _ => Ok(label),
        }
    }

    /// The edges of one state.
    fn block(&mut self, state: Span, mut style: Style, signature: Signature) -> Parse<()> {
        let first = self.edges.len();
        let mut count = 0usize;
        loop {
            let span = self.lexer.now.span;
            let label = match (self.lexer.now.kind, style) {
                (Kind::Sign(b'['), Style::Unknown | Style::Explicit) => {
                    style = Style::Explicit;
                    self.label()?
                }
                (Kind::Sign(b'['), Style::State(_)) => {
                    return Err(Diagnostic::error(span, "a label on an edge of a state that has a label")
                        .note(state, "this state is labelled")
                        .into());
                }
                (Kind::Int(_), Style::State(label)) => label,
                (Kind::Int(_), Style::Unknown | Style::Implicit) => {
                    style = Style::Implicit;
                    Label::TRUE
                }
                (Kind::Sign(b'['), Style::Implicit) | (Kind::Int(_), Style::Explicit) => {
                    return Err(Diagnostic::error(
                        span,
                        "some edges of this state have a label, and some have none",
                    )
                    .note(state, "the state")
                    .help("label all edges of a state or none; `[t]` reads every letter")
                    .into());
                }
                _ => break,
            };
            let (to, to_span) = self.lexer.number("the number of a state")?;
            if self.lexer.now.kind == Kind::Sign(b'&') {
                return Err(alternating(self.lexer.now.span).into());
            }
            self.check_state(to, to_span)?;
            let own = self.head.acceptance.signature(self.lexer)?;
            count += 1;
            if label != Label::FALSE {
                let marks = self.head.acceptance.marks(signature.or(own));
                self.edges.push(Edge { to, label, marks });
            }
        }
        if style == Style::Implicit {
            self.implicit(state, first, count)?;
        }
        Ok(())
    }

    /// Labels the edges from `first` on by their position.
    fn implicit(&mut self, state: Span, first: usize, count: usize) -> Parse<()> {
        let aps = self.head.aps.len();
        if aps >= 31 || count != 1 << aps {
            let wanted = if aps < 31 { (1u32 << aps).to_string() } else { format!("2^{aps}") };
            let message = format!("this state has {count} edges without labels, which must be {wanted}");
            return Err(Diagnostic::error(state, message)
                .help(format!("with {aps} atomic propositions, an edge without label stands for one of the {wanted} letters; `[t]` reads every letter"))
                .into());
        }
        if self.letters.is_empty() {
            self.letters = self.head.labels.letters(aps as u32);
        }
        for (edge, &label) in self.edges[first..].iter_mut().zip(&self.letters) {
            edge.label = label;
        }
        Ok(())
    }

    /// Notes the marks of the state whose edges begin at `first`, if they agree.
    fn state_marks(&mut self, first: usize, signature: Signature) {
        let Some(marks) = &mut self.marks else { return };
        let edges = &self.edges[first..];
        let common = edges.first().map_or_else(|| self.head.acceptance.marks(signature), |e| e.marks);
        if edges.iter().all(|e| e.marks == common) {
            marks.push(common);
        } else {
            self.marks = None;
        }
    }

    fn finish(mut self) -> Parse<Automaton> {
        let mut initial: Vec<u32> = Vec::new();
        let mut seen = HashSet::new();
        for (s, span) in std::mem::take(&mut self.head.start) {
            self.check_state(s, span)?;
            if seen.insert(s) {
                initial.push(s);
            }
        }
        let span = Span::new(self.begin, self.lexer.now.span.end);
        let states = match (self.head.states, self.greatest) {
            (Some((n, place)), _) if n as usize > span.end - span.start => {
                return Err(self.unlisted(n, place).into());
            }
            (Some((n, _)), _) => n as usize,
            (None, greatest) => greatest.map_or(0, |(g, _)| g as usize + 1),
        };
        if self.edges.len() >= u32::MAX as usize {
            return Err(Diagnostic::error(span, "2^32 edges or more").into());
        }
        self.defined.resize(states, usize::MAX);
        let warnings: Vec<Diagnostic> = self.undefined(&initial)?.into_iter().collect();
        let mut state_names = vec![None; if self.names.is_empty() { 0 } else { states }];
        for (s, name) in std::mem::take(&mut self.names) {
            state_names[s as usize] = Some(name);
        }
        let complete = warnings.is_empty();
        let order: Vec<u32> = self.blocks.iter().map(|b| b.0).collect();
        let by_state = |v: Option<Vec<Marks>>| v.map(|v| spread(&order, &v, states, Marks::NONE));
        let state_marks = by_state(self.marks.take());
        let labels = self.state_labels.take().filter(|_| complete && states > 0);
        let state_labels = labels.map(|v| spread(&order, &v, states, Label::TRUE));
        let mut tgba = Tgba::default();
        tgba.aps = self.head.aps;
        tgba.labels = self.head.labels.labels;
        tgba.sets = self.head.acceptance.sets;
        tgba.initial = initial;
        tgba.state_marks = state_marks;
        let (first, edges) = group(&self.blocks, self.edges, states);
        tgba.set_grouped(first, edges);
        Ok(Automaton {
            tgba,
            name: self.head.name,
            state_names,
            state_labels,
            header: self.head.facts,
            span,
            warnings,
        })
    }

    /// A state that is used must be defined; one that is only counted is worth a warning.
    fn undefined(&self, initial: &[u32]) -> Parse<Option<Diagnostic>> {
        let missing = |s: u32| self.defined[s as usize] == usize::MAX;
        let used = initial.iter().copied().chain(self.edges.iter().map(|e| e.to)).find(|&s| missing(s));
        let end = self.lexer.now.span;
        if let Some(s) = used {
            return Err(Diagnostic::error(end, format!("state {s} is used and not defined"))
                .label("the automaton ends here")
                .help(format!("a state without edges is written `State: {s}`"))
                .into());
        }
        let count = self.defined.iter().filter(|&&d| d == usize::MAX).count();
        let message = || format!("{count} of {} states are not defined, and not used", self.defined.len());
        Ok((count > 0).then(|| Diagnostic::warning(self.head.states.map_or(end, |s| s.1), message())))
    }
}

/// Values in the order of the text, put into the order of the states.
fn spread<T: Copy>(order: &[u32], values: &[T], states: usize, default: T) -> Vec<T> {
    let mut spread = vec![default; states];
    for (&s, &v) in order.iter().zip(values) {
        spread[s as usize] = v;
    }
    spread
}

/// Groups edges by source; nothing moves when the text has the states in order.
fn group(blocks: &[(u32, u32)], edges: Vec<Edge>, states: usize) -> (Vec<u32>, Vec<Edge>) {
    let ends = blocks.iter().skip(1).map(|b| b.1).chain([edges.len() as u32]);
    let mut first = vec![0u32; states + 1];
    for (&(s, begin), end) in blocks.iter().zip(ends.clone()) {
        first[s as usize + 1] = end - begin;
    }
    for s in 0..states {
        first[s + 1] += first[s];
    }
    if blocks.is_sorted() {
        return (first, edges);
    }
    let mut sorted = vec![Edge { to: 0, label: Label::FALSE, marks: Marks::NONE }; edges.len()];
    for (&(s, begin), end) in blocks.iter().zip(ends) {
        let to = first[s as usize] as usize;
        sorted[to..to + (end - begin) as usize].copy_from_slice(&edges[begin as usize..end as usize]);
    }
    (first, sorted)
}
