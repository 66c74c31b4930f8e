//! `#define`.

use super::Preprocessor;
use super::macros::Macro;
use crate::token::{Kind, Sign, Symbol, Token};
use riata_source::{Diagnostic, Span};
use std::rc::Rc;

impl Preprocessor<'_> {
    pub(super) fn define(&mut self, place: Span) {
        let line = self.line();
        let Some(&name) = line.first().filter(|t| t.kind == Kind::Name) else {
            return self.wrong(Diagnostic::error(place, "`#define` needs a name"));
        };
        let span = line.last().map_or(place, |last| name.span().to(last.span()));
        let mut definition = Macro { parameters: None, variadic: false, body: Vec::new(), span };
        let mut body = &line[1..];
        if body.first().is_some_and(|t| t.is(Sign::OpenParen) && !t.space) {
            let Some(close) = body.iter().position(|t| t.is(Sign::CloseParen)) else {
                let d = Diagnostic::error(body[0].span(), "the parameters of this macro have no `)`");
                return self.wrong(d);
            };
            let Some((parameters, variadic)) = self.parameters(&body[1..close]) else { return };
            (definition.parameters, definition.variadic) = (Some(parameters), variadic);
            body = &body[close + 1..];
        }
        definition.body = body.to_vec();
        if let Some(first) = definition.body.first_mut() {
            first.space = false;
        }
        if let Some(paste) = body.first().into_iter().chain(body.last()).find(|t| t.is(Sign::Paste)) {
            let d = Diagnostic::error(paste.span(), "`##` needs a token on both sides");
            return self.wrong(d);
        }
        let old = self.state.macros.insert(name.text, Rc::new(definition.clone()));
        if let Some(old) = old.filter(|old| !old.same(&definition)) {
            let text = self.state.symbols.text(name.text).clone();
            let d = Diagnostic::warning(name.span(), format!("macro `{text}` is defined anew"));
            self.wrong(d.note(old.span, "the definition before").help("`#undef` it first if this is meant"));
        }
    }

    /// The parameters of a macro, between the brackets, and whether the last takes all that is left.
    fn parameters(&mut self, tokens: &[Token]) -> Option<(Vec<Symbol>, bool)> {
        let mut parameters = Vec::new();
        let mut i = 0;
        while i < tokens.len() {
            let token = tokens[i];
            let dots = token.is(Sign::DotDot) && tokens.get(i + 1).is_some_and(|t| t.is(Sign::Dot));
            if dots && i + 2 == tokens.len() {
                parameters.push(self.state.symbols.intern("__VA_ARGS__"));
                return Some((parameters, true));
            }
            let comma = tokens.get(i + 1).is_none_or(|t| t.is(Sign::Comma)) && i + 2 != tokens.len();
            if token.kind != Kind::Name || !comma {
                let d = Diagnostic::error(
                    token.span(),
                    "the parameters of a macro are names with commas between",
                );
                self.wrong(d);
                return None;
            }
            if parameters.contains(&token.text) {
                let text = self.state.symbols.text(token.text).clone();
                let d = Diagnostic::error(token.span(), format!("the macro has two parameters `{text}`"));
                self.wrong(d);
                return None;
            }
            parameters.push(token.text);
            i += 2;
        }
        Some((parameters, false))
    }
}
