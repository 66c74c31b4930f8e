//! Parsing declarations of variables.

use super::{Bad, Parser};
use crate::ast::{ChannelInit, Declaration, Initial, Type, Variable, Visibility};
use crate::token::{Kind, Sign, Token, Word};
use riata_source::{Diagnostic, Span};

impl Parser {
    /// True if a declaration begins here.
    pub(super) fn at_declaration(&self) -> bool {
        let token = self.peek();
        if token.kind != Kind::Name {
            return false;
        }
        match token.text.word() {
            Some(word) => matches!(
                word,
                Word::Hidden
                    | Word::Show
                    | Word::Local
                    | Word::Bit
                    | Word::Bool
                    | Word::Byte
                    | Word::Pid
                    | Word::Short
                    | Word::Int
                    | Word::Unsigned
                    | Word::Mtype
                    | Word::Chan
            ),
            None if self.types.contains(&token.text) => true,
            // Two names in one line: the first must be a type, if an unknown one.
            None => {
                let next = self.peek2();
                let known = self.inlines.contains_key(&token.text);
                !known && next.kind == Kind::Name && next.text.word().is_none() && !next.line
            }
        }
    }

    /// `int x = 1, y[3]`, without the semicolon. `local` says that it stands in a body.
    pub(super) fn declaration(&mut self, local: bool) -> Result<Declaration, Bad> {
        let first = self.peek();
        let mut visibility = None;
        while let Some(v) = match self.peek().word() {
            Some(Word::Hidden) => Some(Visibility::Hidden),
            Some(Word::Show) => Some(Visibility::Show),
            Some(Word::Local) => Some(Visibility::Local),
            _ => None,
        } {
            let token = self.advance();
            if visibility.replace(v).is_some() {
                self.error(
                    token.span(),
                    token.origin,
                    "only one of `hidden`, `show` and `local` can be given",
                );
            }
        }
        let (kind, kind_span) = self.type_name()?;
        if local && matches!(kind, Type::Mtype(_)) && (self.at(Sign::OpenBrace) || self.at(Sign::Assign)) {
            let token = self.peek();
            let d = Diagnostic::error(token.span(), "`mtype` constants are declared outside processes");
            self.push_error(d, token.origin);
            return Err(Bad);
        }
        let mut variables = vec![self.variable()?];
        while self.eat(Sign::Comma).is_some() {
            variables.push(self.variable()?);
        }
        let span = self.since(first.span());
        Ok(Declaration { visibility, kind, kind_span, variables, span, origin: first.origin })
    }

    /// A type, with the subtype of an `mtype`.
    pub(super) fn type_name(&mut self) -> Result<(Type, Span), Bad> {
        let token = self.peek();
        let kind = match token.word() {
            Some(Word::Bit) => Type::Bit,
            Some(Word::Bool) => Type::Bool,
            Some(Word::Byte) => Type::Byte,
            Some(Word::Pid) => Type::Pid,
            Some(Word::Short) => Type::Short,
            Some(Word::Int) => Type::Int,
            Some(Word::Unsigned) => Type::Unsigned,
            Some(Word::Chan) => Type::Chan,
            Some(Word::Mtype) => {
                self.advance();
                let subtype =
                    if self.eat(Sign::Colon).is_some() { Some(self.name("a subtype")?) } else { None };
                return Ok((Type::Mtype(subtype), self.since(token.span())));
            }
            None if self.at_name() => {
                let name = self.name("a type")?;
                return Ok((Type::Named(name), token.span()));
            }
            _ => return Err(self.unexpected("a type")),
        };
        self.advance();
        Ok((kind, token.span()))
    }

    fn variable(&mut self) -> Result<Variable, Bad> {
        let name = self.name("a name")?;
        let (mut width, mut length, mut initial) = (None, None, None);
        if self.eat(Sign::Colon).is_some() {
            width = Some(self.width()?);
        }
        if let Some(open) = self.eat(Sign::OpenBracket) {
            length = Some(self.expression()?);
            self.close(Sign::CloseBracket, open)?;
        }
        if self.eat(Sign::Assign).is_some() {
            initial = Some(self.initial()?);
        }
        Ok(Variable { name, width, length, initial })
    }

    fn width(&mut self) -> Result<crate::ast::ExprId, Bad> {
        match self.peek().kind {
            Kind::Number => self.expression(),
            _ => Err(self.unexpected("the number of bits")),
        }
    }

    fn initial(&mut self) -> Result<Initial, Bad> {
        if let Some(open) = self.eat(Sign::OpenBrace) {
            let list = self.expressions()?;
            self.close(Sign::CloseBrace, open)?;
            return Ok(Initial::List(list, self.since(open.span())));
        }
        let Some(open) = self.eat(Sign::OpenBracket) else { return self.expression().map(Initial::Value) };
        let capacity = self.expression()?;
        self.close(Sign::CloseBracket, open)?;
        if self.eat_word(Word::Of).is_none() {
            return Err(self.unexpected("`of` and the types of a message"));
        }
        let brace = self.expect(Sign::OpenBrace, "and the types of a message")?;
        let mut fields = vec![self.field()?];
        while self.eat(Sign::Comma).is_some() {
            fields.push(self.field()?);
        }
        self.close(Sign::CloseBrace, brace)?;
        Ok(Initial::Channel(ChannelInit { capacity, fields, span: self.since(open.span()) }))
    }

    fn field(&mut self) -> Result<(Type, Span), Bad> {
        let token: Token = self.peek();
        let field = self.type_name()?;
        if field.0 == Type::Unsigned {
            let d = Diagnostic::error(token.span(), "`unsigned` cannot be the type of a message field")
                .help("use `byte`, `short` or `int`");
            self.push_error(d, token.origin);
            if self.eat(Sign::Colon).is_some() {
                self.advance();
            }
        }
        Ok(field)
    }
}
