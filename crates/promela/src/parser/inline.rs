//! Inlines: definitions, and calls expanded.
//!
//! As in Spin, an inline is text. A call is replaced by the body, braces included, with each parameter's name replaced
//! by the tokens of the argument; the result is read as a block, so it has a scope of its own. What is not as in Spin:
//! commas in brackets do not separate arguments, and the arguments' length is not limited.
//!
//! A token of an expansion has its place in the inline's body, also where it came with an argument, so that places
//! within one expansion stay in order; the call is in the token's origin.

use super::{Bad, Parser};
use crate::ast::{Block, CText, Call, Inline, OriginId, Reference, StatementKind, Unit};
use crate::origin::{Expansion, Origin};
use crate::pre::macros::{MOST, count, spell};
use crate::token::{Kind, Sign, Symbol, Token};
use riata_source::{Diagnostic, Span};
use std::collections::HashMap;
use std::rc::Rc;

/// A definition.
#[derive(Clone)]
pub(super) struct Definition {
    parameters: Rc<[Symbol]>,
    /// Braces included.
    body: Rc<[Token]>,
    span: Span,
    /// Its number among the units.
    unit: usize,
}

impl Parser {
    /// `inline f(a, b) { … }`.
    pub(super) fn inline(&mut self) -> Result<(), Bad> {
        self.advance();
        let symbol = self.peek().text;
        let name = self.name("the name of the inline")?;
        let open = self.expect(Sign::OpenParen, "with the parameters")?;
        let mut names = Vec::new();
        let mut parameters: Vec<Symbol> = Vec::new();
        if !self.at(Sign::CloseParen) {
            loop {
                if self.at_declaration() {
                    let token = self.advance();
                    let d = Diagnostic::error(token.span(), "the parameters of an inline have no types")
                        .help("write only their names");
                    self.push_error(d, token.origin);
                }
                let token = self.peek();
                let name = self.name("a parameter")?;
                if parameters.contains(&token.text) {
                    let d = Diagnostic::error(name.span, format!("two parameters `{}`", name.text));
                    self.push_error(d, name.origin);
                }
                names.push(name);
                parameters.push(token.text);
                if self.eat(Sign::Comma).is_none() {
                    break;
                }
            }
        }
        self.close(Sign::CloseParen, open)?;
        let brace = self.peek();
        if !brace.is(Sign::OpenBrace) {
            return Err(self.unexpected("`{` with the statements"));
        }
        let mut body = self.braces()?;
        let mut end = brace;
        end.kind = Kind::End;
        body.push(end.at(Span::at(self.cursor.last_span().end)));
        if let Some(old) = self.inlines.get(&symbol) {
            let d = Diagnostic::error(name.span, format!("inline `{}` is defined twice", name.text));
            let d = d.note(old.span, "the first definition");
            self.push_error(d, name.origin);
        }
        let unit = self.model.units.len();
        let (span, body) = (name.span, body.into());
        self.inlines.insert(symbol, Definition { parameters: parameters.into(), body, span, unit });
        self.model.units.push(Unit::Inline(Inline { name, parameters: names, calls: 0 }));
        Ok(())
    }

    /// The tokens from the brace that is next to the one that closes it.
    fn braces(&mut self) -> Result<Vec<Token>, Bad> {
        let open = self.peek();
        let mut tokens = Vec::new();
        let mut depth = 0usize;
        loop {
            let token = self.peek();
            match token.kind {
                Kind::End => {
                    let d = Diagnostic::error(token.span(), format!("expected `}}`, found {}", self.found()))
                        .note(open.span(), "the brace that is open");
                    self.push_error(d, token.origin);
                    return Err(Bad);
                }
                Kind::Sign(Sign::OpenBrace) => depth += 1,
                Kind::Sign(Sign::CloseBrace) => depth -= 1,
                _ => {}
            }
            if !self.cursor.implied() {
                tokens.push(token);
            }
            self.advance();
            if depth == 0 {
                return Ok(tokens);
            }
        }
    }

    /// `f(arguments)`, the name being next; `result` is what stands before `=`.
    pub(super) fn call(&mut self, result: Option<Reference>) -> Result<StatementKind, Bad> {
        let token = self.advance();
        let name = self.name_of(&token);
        let arguments = self.arguments()?;
        let end = self.cursor.last_span();
        let Some(definition) = self.inlines.get(&token.text).cloned() else { return Err(Bad) };
        if let Some(Unit::Inline(unit)) = self.model.units.get_mut(definition.unit) {
            unit.calls += 1;
        }
        if self.cursor.expanding(token.text) {
            let d = Diagnostic::error(name.span, format!("inline `{}` calls itself", name.text))
                .note(definition.span, "the inline")
                .help("an inline is replaced by its text, which would not end; use a proctype, or a loop");
            self.push_error(d, token.origin);
            return Err(Bad);
        }
        if arguments.len() != definition.parameters.len() {
            let wanted = count(definition.parameters.len(), "argument");
            let message = format!("inline `{}` takes {wanted}, not {}", name.text, arguments.len());
            let d = Diagnostic::error(self.join(name.span, end), message).note(definition.span, "the inline");
            self.push_error(d, token.origin);
            return Err(Bad);
        }
        let call = self.join(name.span, end);
        let Some(tokens) = self.expand(&definition, &arguments, &name.text, call, token.origin) else {
            return Err(Bad);
        };
        self.cursor.enter(tokens, token.text);
        self.results.push(result.is_some());
        let body = self.block("");
        self.results.pop();
        if body.is_ok() && self.peek().kind != Kind::End && !self.cursor.abandoned() {
            let rest = self.peek();
            let found = self.found();
            self.error(rest.span(), rest.origin, format!("expected the end of the inline, found {found}"));
        }
        self.cursor.leave(end);
        let Block { statements, span } = body?;
        Ok(StatementKind::Call(Call { name, result, body: Block { statements, span } }))
    }

    /// The arguments of a call, brackets and all, as tokens.
    fn arguments(&mut self) -> Result<Vec<Vec<Token>>, Bad> {
        let open = self.expect(Sign::OpenParen, "with the arguments")?;
        let mut arguments: Vec<Vec<Token>> = vec![Vec::new()];
        let mut depth = 0usize;
        loop {
            let token = self.peek();
            match token.kind {
                Kind::End => return self.close(Sign::CloseParen, open).map(|_| Vec::new()),
                Kind::Sign(Sign::OpenParen | Sign::OpenBracket | Sign::OpenBrace) => depth += 1,
                Kind::Sign(Sign::CloseParen) if depth == 0 => {
                    self.advance();
                    if arguments.len() == 1 && arguments[0].is_empty() {
                        arguments.clear();
                    }
                    return Ok(arguments);
                }
                Kind::Sign(Sign::CloseParen | Sign::CloseBracket | Sign::CloseBrace) => {
                    depth = depth.saturating_sub(1);
                }
                Kind::Sign(Sign::Comma) if depth == 0 => {
                    self.advance();
                    arguments.push(Vec::new());
                    continue;
                }
                Kind::Sign(Sign::Semi) if depth == 0 => {
                    return self.close(Sign::CloseParen, open).map(|_| Vec::new());
                }
                _ => {}
            }
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
            self.advance();
        }
    }

    /// The body with the arguments in it.
    fn expand(
        &mut self,
        definition: &Definition,
        arguments: &[Vec<Token>],
        name: &std::sync::Arc<str>,
        call: Span,
        parent: OriginId,
    ) -> Option<Vec<Token>> {
        let origin =
            self.origins.add(Origin { kind: Expansion::Inline, name: name.clone(), place: call, parent });
        let mut origins: HashMap<OriginId, OriginId> = HashMap::from([(OriginId::NONE, origin)]);
        let mut tokens = Vec::with_capacity(definition.body.len());
        for token in definition.body.iter() {
            let parameter = match token.kind {
                Kind::Name => definition.parameters.iter().position(|p| *p == token.text),
                _ => None,
            };
            match parameter {
                Some(i) => {
                    for (k, argument) in arguments[i].iter().enumerate() {
                        let mut t = argument.at(token.span());
                        t.origin = origin;
                        t.line = k == 0 && token.line;
                        t.space |= k == 0 && token.space;
                        tokens.push(t);
                    }
                }
                None => {
                    let mut t = *token;
                    t.origin = self.rebase(t.origin, &mut origins);
                    tokens.push(t);
                }
            }
            if self.inlined + tokens.len() > MOST {
                let d = Diagnostic::error(call, format!("calls of inlines make more than {MOST} tokens"))
                    .help("does an inline call another several times, and that one another, and so on?");
                self.push_error(d, parent);
                self.cursor.abandon();
                return None;
            }
        }
        self.inlined += tokens.len();
        Some(tokens)
    }

    /// The origin of a token of a body, as part of an expansion; `known` begins with that of the whole.
    fn rebase(&mut self, origin: OriginId, known: &mut HashMap<OriginId, OriginId>) -> OriginId {
        let mut chain = Vec::new();
        let mut at = origin;
        while !known.contains_key(&at) {
            let Some(entry) = self.origins.get(at).cloned() else { break };
            chain.push(at);
            at = entry.parent;
        }
        let mut new = known.get(&at).copied().unwrap_or_default();
        for old in chain.into_iter().rev() {
            if let Some(entry) = self.origins.get(old).cloned() {
                new = self.origins.add(Origin { parent: new, ..entry });
                known.insert(old, new);
            }
        }
        new
    }

    /// `c_code [precondition] { … }` and the like, the word being next.
    pub(super) fn c_text(&mut self) -> Result<CText, Bad> {
        let word = self.advance();
        let mut precondition = None;
        if self.at(Sign::OpenBracket) {
            let open = self.advance();
            let mut tokens = Vec::new();
            let mut depth = 1usize;
            loop {
                let token = self.peek();
                match token.kind {
                    Kind::End => return self.close(Sign::CloseBracket, open).and(Err(Bad)),
                    Kind::Sign(Sign::OpenBracket) => depth += 1,
                    Kind::Sign(Sign::CloseBracket) => depth -= 1,
                    _ => {}
                }
                self.advance();
                if depth == 0 {
                    break;
                }
                tokens.push(token);
            }
            precondition = Some(spell(&tokens, &self.symbols));
        }
        self.eat(Sign::Semi);
        if !self.at(Sign::OpenBrace) {
            return Err(self.unexpected("`{` with the C code"));
        }
        let lines = std::mem::replace(&mut self.cursor.lines, false);
        let tokens = self.braces();
        self.cursor.lines = lines;
        let tokens = tokens?;
        let text = spell(&tokens[1..tokens.len() - 1], &self.symbols);
        Ok(CText { text, precondition, span: word.span() })
    }
}
