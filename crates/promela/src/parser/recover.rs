//! Errors with hints, and going on after them.

use super::{Bad, Parser};
use crate::ast::{Reference, Statement};
use crate::token::{Kind, Sign, Token, Word};
use riata_source::Diagnostic;

impl Parser {
    /// Goes to where the next statement may begin: behind a separator, or before what closes a construct.
    pub(super) fn recover(&mut self) {
        self.cursor.reset_brackets();
        let mut nested = 0usize;
        loop {
            let token = self.peek();
            if token.kind == Kind::End || self.begins_unit(&token) {
                return;
            }
            match (token.kind, token.word()) {
                (Kind::Sign(Sign::Semi | Sign::Arrow), _) if nested == 0 => {
                    self.advance();
                    self.cursor.reset_brackets();
                    return;
                }
                (Kind::Sign(Sign::Sep), _) if nested == 0 => return,
                (Kind::Sign(Sign::OpenBrace), _) | (_, Some(Word::If | Word::Do)) => nested += 1,
                (Kind::Sign(Sign::CloseBrace), _) | (_, Some(Word::Fi | Word::Od)) => {
                    if nested == 0 {
                        return;
                    }
                    nested -= 1;
                }
                _ => {}
            }
            self.advance();
            // New lines separate too, whatever brackets were left open.
            self.cursor.reset_brackets();
        }
    }

    /// True if the token begins a part of the model and cannot be in a body.
    pub(super) fn begins_unit(&self, token: &Token) -> bool {
        match token.word() {
            Some(
                Word::Active
                | Word::Proctype
                | Word::DProctype
                | Word::Never
                | Word::Trace
                | Word::Notrace
                | Word::Inline
                | Word::Ltl
                | Word::Typedef
                | Word::Init,
            ) => !self.cursor.in_inline(),
            _ => false,
        }
    }

    /// True if the token can begin an expression.
    pub(super) fn begins_expression(&self, token: &Token) -> bool {
        match token.kind {
            Kind::Number | Kind::Character => true,
            Kind::Sign(sign) => {
                matches!(sign, Sign::OpenParen | Sign::Minus | Sign::Tilde | Sign::Not | Sign::SendSorted)
            }
            Kind::Name => match token.text.word() {
                None => true,
                Some(word) => matches!(
                    word,
                    Word::True
                        | Word::False
                        | Word::Skip
                        | Word::Timeout
                        | Word::Np
                        | Word::Run
                        | Word::Len
                        | Word::Empty
                        | Word::Nempty
                        | Word::Full
                        | Word::Nfull
                        | Word::Enabled
                        | Word::PcValue
                        | Word::GetPriority
                        | Word::CExpr
                        | Word::In
                        | Word::Eval
                ),
            },
            _ => false,
        }
    }

    /// What may be meant where an operator was expected.
    pub(super) fn operator_help(&self, token: &Token) -> Option<&'static str> {
        match token.kind {
            Kind::Sign(Sign::Assign) => Some("`=` assigns and is no expression; `==` compares"),
            Kind::Sign(Sign::Increment | Sign::Decrement) => {
                Some("`++` and `--` are statements in Promela; they have no value")
            }
            Kind::Sign(Sign::Query) => {
                Some("a conditional expression is written `(condition -> value : other value)`")
            }
            Kind::Sign(Sign::Colon) if token.line => Some("an option begins with `::`"),
            _ => None,
        }
    }

    /// Says that a separator is missing. False if what follows begins no statement.
    pub(super) fn missing_separator(&mut self) -> bool {
        let token = self.peek();
        let found = self.found();
        let mut d = match token.kind {
            Kind::Other => self.foreign(&token),
            _ => Diagnostic::error(token.span(), format!("expected `;` or `->` before {found}")),
        };
        if token.is(Sign::CloseParen) {
            d = d.help("this `)` closes nothing");
        } else if let Some(help) = self.operator_help(&token) {
            d = d.help(help);
        }
        self.push_error(d, token.origin);
        self.begins_statement(&token)
    }

    /// What is no part of the language.
    fn foreign(&self, token: &Token) -> Diagnostic {
        let text = self.symbols.text(token.text);
        Diagnostic::error(token.span(), format!("`{text}` is no part of Promela"))
    }

    /// True if the token can begin a statement or a declaration.
    fn begins_statement(&self, token: &Token) -> bool {
        match token.kind {
            Kind::Sign(Sign::OpenBrace) => true,
            Kind::Name => !matches!(
                token.text.word(),
                Some(Word::Of | Word::Priority | Word::Provided | Word::CState | Word::CTrack | Word::Unless)
            ),
            _ => self.begins_expression(token),
        }
    }

    /// Goes past the bracket that closes the one that is open.
    pub(super) fn skip_bracket(&mut self) {
        let mut nested = 0usize;
        loop {
            let token = self.peek();
            match token.kind {
                Kind::End | Kind::Sign(Sign::OpenBrace | Sign::CloseBrace | Sign::Sep) => return,
                Kind::Sign(Sign::OpenParen) => nested += 1,
                Kind::Sign(Sign::CloseParen) if nested == 0 => {
                    self.advance();
                    return;
                }
                Kind::Sign(Sign::CloseParen) => nested -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    /// The token begins no statement.
    pub(super) fn not_a_statement(&mut self, token: &Token) -> Bad {
        let found = self.found();
        let message = format!("expected a statement, found {found}");
        let d = Diagnostic::error(token.span(), message);
        let temporal = match token.kind {
            Kind::Sign(Sign::Lt) => self.peek2().is(Sign::Gt),
            Kind::Sign(Sign::OpenBracket) => self.peek2().is(Sign::CloseBracket),
            _ => false,
        };
        let d = match token.kind {
            Kind::Other => self.foreign(token),
            Kind::Sign(Sign::Colon) => d.help("an option begins with `::`"),
            Kind::Sign(Sign::Increment | Sign::Decrement) => d.help("write `x++` or `x--`"),
            Kind::Text => d.help("`printf(\"…\")` prints a string"),
            Kind::Sign(_) if temporal => d.help("temporal operators stand in `ltl` formulas only"),
            Kind::Sign(Sign::CloseParen) => d.help("this `)` closes nothing"),
            Kind::Sign(sign) if token.line && super::expression::infix(sign).is_some() => d.help(
                "the end of the line before ended the statement: put the operator there, or brackets around",
            ),
            _ => d,
        };
        self.push_error(d, token.origin);
        // What is no word closes nothing either: go past it.
        if !matches!(token.kind, Kind::Sign(Sign::CloseBrace | Sign::Sep)) {
            self.advance();
        }
        Bad
    }

    /// A name with a bracket, a brace or another name behind it.
    pub(super) fn not_a_call(&mut self, reference: &Reference, next: &Token) -> Bad {
        let name = reference.steps[0].name.clone();
        let text = &*name.text;
        let help = match text {
            "while" => Some("a loop is written `do :: condition -> … :: else -> break od`"),
            "switch" | "case" => Some("a choice is written `if :: x == 1 -> … :: else -> … fi`"),
            "process" | "thread" | "function" | "void" => Some("a process is declared by `proctype`"),
            "elif" | "elseif" | "then" => Some("a choice is written `if :: condition -> … :: else -> … fi`"),
            "print" | "println" => Some("`printf(\"…\")` prints"),
            "wait" | "await" => {
                Some("a condition waits until it is true: write `(condition)` as a statement")
            }
            _ if reference.steps.len() == 1
                && self.processes.contains(&self.symbols.find(text).unwrap_or(crate::token::Symbol(0))) =>
            {
                Some("a process is started by `run`")
            }
            _ => None,
        };
        let found = self.found();
        let mut d = if next.is(Sign::OpenParen) {
            let mut d = Diagnostic::error(name.span, format!("`{text}` is no inline"));
            if help.is_none() {
                d = d.help("an inline must be defined before it is called");
            }
            d
        } else {
            Diagnostic::error(next.span(), format!("expected an operator, `;` or `->`, found {found}"))
        };
        if let Some(help) = help {
            d = d.help(help);
        }
        self.push_error(d, name.origin);
        Bad
    }

    /// Something other than `::` behind `if` or `do`.
    pub(super) fn no_option(&mut self, begin: Word, word: &Token) -> Bad {
        let token = self.peek();
        let (text, example) = match begin {
            Word::If => ("if", "if :: condition -> … :: else -> … fi"),
            _ => ("do", "do :: condition -> … :: else -> break od"),
        };
        let found = self.found();
        let d = Diagnostic::error(token.span(), format!("expected `::` after `{text}`, found {found}"))
            .note(word.span(), format!("the `{text}`"))
            .help(format!("write `{example}`"));
        self.push_error(d, token.origin);
        // Its own end must not close something else.
        self.skip_construct(begin);
        Bad
    }

    /// Goes past the `fi` or `od` of an `if` or `do` whose inside is not understood, if it has one.
    fn skip_construct(&mut self, begin: Word) {
        let mut nested = 0usize;
        let end = if begin == Word::If { Word::Fi } else { Word::Od };
        loop {
            let token = self.peek();
            if token.kind == Kind::End || self.begins_unit(&token) {
                return;
            }
            match (token.kind, token.word()) {
                (_, Some(word)) if nested == 0 && word == end => {
                    self.advance();
                    return;
                }
                (Kind::Sign(Sign::OpenBrace), _) | (_, Some(Word::If | Word::Do)) => nested += 1,
                (Kind::Sign(Sign::CloseBrace), _) | (_, Some(Word::Fi | Word::Od)) => {
                    if nested == 0 {
                        return;
                    }
                    nested -= 1;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// `if` without `fi`, `do` without `od`.
    pub(super) fn not_closed(&mut self, word: &Token, end: &str) {
        if self.cursor.abandoned() {
            return;
        }
        let token = self.peek();
        let text = self.symbols.text(word.text).clone();
        let found = self.found();
        let d = Diagnostic::error(token.span(), format!("expected `{end}` or `::`, found {found}"))
            .note(word.span(), format!("this `{text}` is closed by `{end}`"));
        self.push_error(d, token.origin);
        // The wrong closing word, with nothing else that it could close.
        let other = match token.word() {
            Some(Word::Fi) => Some(super::Construct::If),
            Some(Word::Od) => Some(super::Construct::Do),
            _ => None,
        };
        if other.is_some_and(|c| !self.open.contains(&c)) {
            self.advance();
        }
    }

    /// `fi`, `od` or `::` where nothing is open; it is taken.
    pub(super) fn stray(&mut self, token: &Token, open: Token) {
        let text = self.symbols.text(token.text).clone();
        let d = if token.is(Sign::Sep) {
            Diagnostic::error(token.span(), "an option outside `if` and `do`")
                .help("options stand between `if` and `fi`, or `do` and `od`")
        } else {
            Diagnostic::error(token.span(), format!("this `{text}` closes nothing"))
                .note(open.span(), "the innermost brace that is open")
        };
        self.push_error(d, token.origin);
        self.advance();
        while self.eat(Sign::Semi).is_some() || self.eat(Sign::Arrow).is_some() {}
    }

    /// Warns of an `else` that is not the first statement of an option: nothing is there to be else.
    pub(super) fn check_else(&mut self, statement: &Statement, first: bool) {
        let inside = self.open.iter().any(|c| *c != super::Construct::Brace);
        if first && inside {
            return;
        }
        let d = Diagnostic::warning(statement.span, "`else` is not at the beginning of an option")
            .help("there is no other option here, so it can always be taken, as in Spin");
        self.push_error(d, statement.origin);
    }
}
