//! From tokens to the syntax tree.
//!
//! Recursive descent over statements, which nest at most [`ast::DEEPEST`] deep; operator precedence with explicit
//! stacks over expressions, of which only indices and arguments nest by recursion, at most [`expression::DEEPEST`]
//! deep. After an error the parser goes on at the next statement, so that one reading tells all errors.
//!
//! Inlines are expanded here: see [`inline`].

mod cursor;
mod declaration;
mod expression;
mod inline;
mod proposition;
mod recover;
mod statement;
mod unit;

use crate::ast::{ExprId, Model, Name, Node, OriginId};
use crate::origin::Origins;
use crate::pre::{MOST_WRONG, Processed};
use crate::token::{Kind, Sign, Symbol, Symbols, Token, Word};
use cursor::Cursor;
use riata_source::SourceMap;
use riata_source::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};

/// Something is wrong here, and was said.
#[derive(Debug)]
pub(crate) struct Bad;

/// What parsing gives.
pub(crate) struct Parsed {
    pub model: Model,
    pub map: SourceMap,
    pub origins: Origins,
    pub wrong: Vec<Diagnostic>,
}

/// A construct that is open, innermost last: what a stray closing word could belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Construct {
    Brace,
    If,
    Do,
}

pub(crate) struct Parser {
    cursor: Cursor,
    pub(crate) model: Model,
    map: SourceMap,
    symbols: Symbols,
    origins: Origins,
    pub(crate) wrong: Vec<Diagnostic>,
    /// Names of `typedef`s so far.
    types: HashSet<Symbol>,
    /// Names of all proctypes, and of those so far.
    processes: HashSet<Symbol>,
    declared: HashSet<Symbol>,
    /// Any name may be a proctype's, as in formulas.
    any_process: bool,
    inlines: HashMap<Symbol, inline::Definition>,
    open: Vec<Construct>,
    /// For each call that is open: whether its value goes somewhere.
    results: Vec<bool>,
    /// How deep expressions nest by recursion.
    depth: usize,
    /// How many tokens calls of inlines have made.
    inlined: usize,
}

/// Parses a whole model.
pub(crate) fn parse(processed: Processed) -> Parsed {
    let mut parser = Parser::new(processed);
    parser.units();
    let Parser { model, map, origins, wrong, .. } = parser;
    Parsed { model, map, origins, wrong }
}

/// Parses one expression, or with temporal operators one formula.
pub(crate) fn parse_formula(processed: Processed) -> (Parsed, crate::ast::Formula) {
    let mut parser = Parser::new(processed);
    let formula = parser.formula().unwrap_or_default();
    let rest = parser.peek();
    if rest.kind != Kind::End && parser.wrong.is_empty() {
        let found = parser.found();
        parser.error(rest.span(), rest.origin, format!("expected the end or an operator, found {found}"));
    }
    let Parser { model, map, origins, wrong, .. } = parser;
    (Parsed { model, map, origins, wrong }, formula)
}

impl Parser {
    fn new(processed: Processed) -> Parser {
        let Processed { tokens, map, symbols, origins, wrong, .. } = processed;
        let proctype = |t: &Token| matches!(t.word(), Some(Word::Proctype | Word::DProctype));
        let processes = tokens
            .windows(2)
            .filter(|w| proctype(&w[0]) && w[1].kind == Kind::Name)
            .map(|w| w[1].text)
            .collect();
        Parser {
            cursor: Cursor::new(tokens),
            model: Model::default(),
            map,
            symbols,
            origins,
            wrong,
            types: HashSet::new(),
            processes,
            declared: HashSet::new(),
            any_process: false,
            inlines: HashMap::new(),
            open: Vec::new(),
            results: Vec::new(),
            depth: 0,
            inlined: 0,
        }
    }

    fn peek(&self) -> Token {
        self.cursor.peek()
    }

    /// The token after the next.
    fn peek2(&self) -> Token {
        self.cursor.peek_second()
    }

    fn advance(&mut self) -> Token {
        let token = self.cursor.peek();
        self.cursor.advance(self.ends_statement(&token));
        token
    }

    /// True if a new line after this token ends the statement: Spin's implied semicolons.
    fn ends_statement(&self, token: &Token) -> bool {
        match token.kind {
            Kind::Number | Kind::Character => true,
            Kind::Sign(sign) => matches!(
                sign,
                Sign::CloseBrace | Sign::CloseParen | Sign::CloseBracket | Sign::Increment | Sign::Decrement
            ),
            Kind::Name => match token.text.word() {
                Some(word) => matches!(
                    word,
                    Word::Od
                        | Word::Fi
                        | Word::Else
                        | Word::Break
                        | Word::True
                        | Word::False
                        | Word::Skip
                        | Word::Timeout
                        | Word::In
                ),
                None => {
                    let text = &token.text;
                    !self.types.contains(text)
                        && !self.inlines.contains_key(text)
                        && !self.declared.contains(text)
                }
            },
            _ => false,
        }
    }

    fn at(&self, sign: Sign) -> bool {
        self.peek().is(sign)
    }

    fn at_word(&self, word: Word) -> bool {
        self.peek().word() == Some(word)
    }

    /// Takes the sign if it is next.
    fn eat(&mut self, sign: Sign) -> Option<Token> {
        if self.at(sign) { Some(self.advance()) } else { None }
    }

    fn eat_word(&mut self, word: Word) -> Option<Token> {
        if self.at_word(word) { Some(self.advance()) } else { None }
    }

    /// Takes the sign, or says that it is missing.
    fn expect(&mut self, sign: Sign, context: &str) -> Result<Token, Bad> {
        match self.eat(sign) {
            Some(token) => Ok(token),
            None => Err(self.unexpected(&format!("`{}` {context}", sign.text()))),
        }
    }

    /// Takes the closing bracket of one that is open.
    fn close(&mut self, sign: Sign, open: Token) -> Result<Token, Bad> {
        if let Some(token) = self.eat(sign) {
            return Ok(token);
        }
        let found = self.found();
        let token = self.peek();
        let message = format!("expected `{}`, found {found}", sign.text());
        let mut d = Diagnostic::error(token.span(), message).note(open.span(), "the bracket that is open");
        if sign == Sign::CloseParen
            && let Some(help) = self.operator_help(&token)
        {
            d = d.help(help);
        }
        self.push_error(d, token.origin);
        Err(Bad)
    }

    fn name(&mut self, what: &str) -> Result<Name, Bad> {
        let token = self.peek();
        if token.kind == Kind::Name {
            match token.text.word() {
                None | Some(Word::In) => {
                    self.advance();
                    return Ok(self.name_of(&token));
                }
                Some(_) => {
                    let text = self.symbols.text(token.text).clone();
                    let d = Diagnostic::error(token.span(), format!("expected {what}, found `{text}`"))
                        .label("a reserved word")
                        .help("reserved words cannot be used as names");
                    self.push_error(d, token.origin);
                    return Err(Bad);
                }
            }
        }
        Err(self.unexpected(what))
    }

    fn name_of(&self, token: &Token) -> Name {
        Name { text: self.symbols.text(token.text).clone(), span: token.span(), origin: token.origin }
    }

    /// True if the next token is a name that is no reserved word.
    fn at_name(&self) -> bool {
        let token = self.peek();
        token.kind == Kind::Name && matches!(token.text.word(), None | Some(Word::In))
    }

    /// Says what was expected in place of the next token.
    fn unexpected(&mut self, what: &str) -> Bad {
        let token = self.peek();
        let found = self.found();
        let mut d = Diagnostic::error(token.span(), format!("expected {what}, found {found}"));
        if let Some(help) = self.operator_help(&token) {
            d = d.help(help);
        }
        self.push_error(d, token.origin);
        Bad
    }

    /// The next token, for a message.
    fn found(&self) -> String {
        let token = self.peek();
        match token.kind {
            Kind::End if self.cursor.in_inline() => "the end of the inline".to_string(),
            Kind::End => "the end of the text".to_string(),
            Kind::Text => "a string".to_string(),
            _ if self.cursor.implied() => "the end of the line".to_string(),
            Kind::Other => "what is no part of Promela".to_string(),
            _ => format!("`{}`", self.symbols.text(token.text)),
        }
    }

    fn error(&mut self, span: Span, origin: OriginId, message: impl Into<String>) {
        self.push_error(Diagnostic::error(span, message), origin);
    }

    /// Adds a diagnostic, with the expansions that led there. After too many the rest is not read.
    fn push_error(&mut self, d: Diagnostic, origin: OriginId) {
        let d = self.origins.explain(d, origin);
        self.wrong.push(d);
        if self.wrong.len() > MOST_WRONG {
            self.cursor.abandon();
        }
    }

    /// From the first to the last, if they are in one file.
    fn join(&self, first: Span, last: Span) -> Span {
        self.map.join(first, last)
    }

    /// From `first` to the token that was taken last.
    fn since(&self, first: Span) -> Span {
        self.join(first, self.cursor.last_span())
    }

    fn node(&mut self, node: Node, start: u32, span: Span, origin: OriginId) -> ExprId {
        self.model.exprs.push(node, start, span, origin)
    }

    /// The number of the next node.
    fn next_node(&self) -> u32 {
        self.model.exprs.nodes.len() as u32
    }
}
