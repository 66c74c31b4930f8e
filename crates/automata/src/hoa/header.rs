//! The header of an automaton.

use super::Header;
use super::acceptance::Acceptance;
use super::label::LabelReader;
use super::lexer::{Kind, Lexer, Parse};
use riata_source::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};

/// What the header says, ready for the body.
pub(super) struct Head<'t> {
    pub(super) name: Option<String>,
    pub(super) facts: Header,
    /// The number after `States:`.
    pub(super) states: Option<(u32, Span)>,
    pub(super) start: Vec<(u32, Span)>,
    pub(super) aps: Vec<String>,
    pub(super) acceptance: Acceptance,
    pub(super) labels: LabelReader<'t>,
}

/// Reads a header up to and with `--BODY--`; the lexer is at `HOA:`.
pub(super) fn parse<'t>(lexer: &mut Lexer<'t>) -> Parse<Head<'t>> {
    let begin = lexer.now.span;
    let mut head = Head {
        name: None,
        facts: Header { version: version(lexer)?, ..Header::default() },
        states: None,
        start: Vec::new(),
        aps: Vec::new(),
        acceptance: Acceptance::default(),
        labels: LabelReader::new(),
    };
    let mut seen: HashMap<&'t [u8], Span> = HashMap::from([(&b"HOA:"[..], begin)]);
    let mut ap_span = None;
    while lexer.now.kind == Kind::Header {
        let span = lexer.now.span;
        let item = lexer.slice(span);
        let first = *seen.entry(item).or_insert(span);
        let repeatable = matches!(item, b"Start:" | b"Alias:" | b"properties:");
        // Items that nobody knows may be ignored, also when they come twice.
        let known = item[0].is_ascii_uppercase() || matches!(item, b"acc-name:" | b"tool:" | b"name:");
        if first != span && known && !repeatable {
            return Err(Diagnostic::error(span, format!("{} occurs twice in this header", lexer.found()))
                .note(first, "first here")
                .into());
        }
        if !item[0].is_ascii_lowercase() && !is_known(item) {
            return Err(Diagnostic::error(span, format!("unknown header item {}", lexer.found()))
                .help("an item whose name begins with a capital letter may change the meaning, so it cannot be ignored")
                .into());
        }
        lexer.advance()?;
        match item {
            b"States:" => head.states = Some(lexer.number("the number of states")?),
            b"Start:" => {
                let start = lexer.number("the number of an initial state")?;
                if lexer.now.kind == Kind::Sign(b'&') {
                    return Err(alternating(lexer.now.span).into());
                }
                head.start.push(start);
            }
            b"AP:" => {
                head.aps = propositions(lexer)?;
                ap_span = Some(span);
            }
            b"Alias:" => head.labels.alias(lexer)?,
            b"Acceptance:" => head.acceptance = Acceptance::parse(lexer)?,
            b"name:" => {
                if lexer.now.kind != Kind::Str {
                    return Err(lexer.expected("a string"));
                }
                head.name = Some(lexer.word());
                lexer.advance()?;
            }
            b"tool:" => head.facts.tool = words(lexer)?,
            b"acc-name:" => head.facts.acc_name = words(lexer)?,
            b"properties:" => head.facts.properties.extend(words(lexer)?),
            _ => drop(words(lexer)?),
        }
    }
    if lexer.now.kind != Kind::Body {
        return Err(lexer.expected("a header item or `--BODY--`"));
    }
    if !seen.contains_key(&b"Acceptance:"[..]) {
        return Err(Diagnostic::error(begin, "this header has no `Acceptance:`")
            .note(lexer.now.span, "the header ends here")
            .help("a Büchi automaton has `Acceptance: 1 Inf(0)`")
            .into());
    }
    head.facts.declared_sets = head.acceptance.declared;
    check_propositions(&head, ap_span)?;
    lexer.advance()?;
    Ok(head)
}

fn is_known(item: &[u8]) -> bool {
    matches!(item, b"States:" | b"Start:" | b"AP:" | b"Alias:" | b"Acceptance:" | b"HOA:")
}

fn version(lexer: &mut Lexer) -> Parse<String> {
    lexer.advance()?;
    let version = lexer.word();
    if lexer.now.kind != Kind::Ident || !matches!(version.as_str(), "v1" | "v1.1") {
        return Err(Diagnostic::error(lexer.now.span, format!("unknown version {} of HOA", lexer.found()))
            .help("Riata reads version 1: `HOA: v1`")
            .into());
    }
    lexer.advance()?;
    Ok(version)
}

/// The words after an item whose content does not matter.
fn words(lexer: &mut Lexer) -> Parse<Vec<String>> {
    let mut words = Vec::new();
    loop {
        match lexer.now.kind {
            Kind::Ident | Kind::Str | Kind::Int(_) => words.push(lexer.word()),
            // Version 1.1 negates properties.
            Kind::Sign(b'!') => {
                lexer.advance()?;
                if lexer.now.kind != Kind::Ident {
                    return Err(lexer.expected("a word after `!`"));
                }
                words.push(format!("!{}", lexer.word()));
            }
            _ => return Ok(words),
        }
        lexer.advance()?;
    }
}

fn propositions(lexer: &mut Lexer) -> Parse<Vec<String>> {
    let (count, count_span) = lexer.number("the number of atomic propositions")?;
    let mut aps = Vec::new();
    let mut seen = HashSet::new();
    while lexer.now.kind == Kind::Str {
        let span = lexer.now.span;
        let Ok(name) = String::from_utf8(lexer.unescape(span)) else {
            return Err(Diagnostic::error(span, "the name of this proposition is not UTF-8").into());
        };
        if !seen.insert(name.clone()) {
            return Err(Diagnostic::error(span, format!("the proposition \"{name}\" is listed twice")).into());
        }
        aps.push(name);
        lexer.advance()?;
    }
    if aps.len() != count as usize {
        let message = format!("`AP:` announces {count} propositions and lists {}", aps.len());
        return Err(Diagnostic::error(count_span, message).note(lexer.now.span, "the list ends here").into());
    }
    Ok(aps)
}

/// Aliases may come before `AP:`, so their propositions are checked at the end of the header.
fn check_propositions(head: &Head, ap_span: Option<Span>) -> Parse<()> {
    match head.labels.greatest {
        Some((ap, span)) if ap as usize >= head.aps.len() => {
            Err(no_proposition(span, ap, head.aps.len(), ap_span).into())
        }
        _ => Ok(()),
    }
}

/// The error for a label that uses a proposition that does not exist.
pub(super) fn no_proposition(span: Span, ap: u32, count: usize, ap_span: Option<Span>) -> Diagnostic {
    let d = Diagnostic::error(span, format!("there is no atomic proposition {ap}"))
        .help(format!("`AP:` lists {count}, counted from 0"));
    match ap_span {
        Some(s) => d.note(s, "propositions are listed here"),
        None => d,
    }
}

/// The error for a conjunction of states.
pub(super) fn alternating(span: Span) -> Diagnostic {
    Diagnostic::error(span, "alternating automata are not supported")
        .label("a conjunction of states")
        .help("an edge and `Start:` lead to one state; several edges or several `Start:` are a choice")
}
