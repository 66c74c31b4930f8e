//! Parsing the parts of a model.

use super::{Bad, Parser};
use crate::ast::{
    Active, CUnit, Declaration, Init, Ltl, Mtype, Name, Never, Process, Trace, Type, Typedef, Unit,
};
use crate::pre::macros::spell;
use crate::token::{Kind, Sign, Token, Word};
use riata_source::{Diagnostic, Span};

impl Parser {
    /// The whole model.
    pub(super) fn units(&mut self) {
        loop {
            while self.eat(Sign::Semi).is_some() || self.eat(Sign::Arrow).is_some() {}
            let token = self.peek();
            if token.kind == Kind::End {
                return;
            }
            if self.unit(&token).is_err() {
                self.cursor.lines = false;
                self.open.clear();
                self.recover_unit(&token);
            }
        }
    }

    /// Goes to where the next part of the model may begin: at least one token further than `from`.
    fn recover_unit(&mut self, from: &Token) {
        self.cursor.reset_brackets();
        let mut nested = 0usize;
        if self.peek().span() == from.span() {
            self.advance();
        }
        loop {
            let token = self.peek();
            if token.kind == Kind::End || self.begins_unit(&token) {
                return;
            }
            match token.kind {
                Kind::Sign(Sign::OpenBrace) => nested += 1,
                Kind::Sign(Sign::CloseBrace) => nested = nested.saturating_sub(1),
                Kind::Sign(Sign::Semi) if nested == 0 => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            let brace = token.is(Sign::CloseBrace);
            self.advance();
            if brace && nested == 0 {
                return;
            }
        }
    }

    fn unit(&mut self, token: &Token) -> Result<(), Bad> {
        let span = token.span();
        let unit = match token.word() {
            Some(Word::Active | Word::Proctype | Word::DProctype) => self.process().map(Unit::Process)?,
            Some(Word::Init) => {
                self.advance();
                let priority = self.priority()?;
                Unit::Init(Init { priority, body: self.body()?, span })
            }
            Some(Word::Never) => {
                self.advance();
                let name = self.optional_name()?;
                Unit::Never(Never { name, body: self.body()?, span })
            }
            Some(Word::Trace | Word::Notrace) => {
                let negated = token.word() == Some(Word::Notrace);
                self.advance();
                let name = self.optional_name()?;
                Unit::Trace(Trace { negated, name, body: self.body()?, span })
            }
            Some(Word::Ltl) => self.ltl().map(Unit::Ltl)?,
            Some(Word::Typedef) => self.typedef().map(Unit::Typedef)?,
            Some(Word::Inline) => return self.inline(),
            Some(Word::Mtype) if self.at_mtype_constants() => self.mtype().map(Unit::Mtype)?,
            Some(Word::CCode) => self.c_text().map(|c| Unit::C(CUnit::Code(c)))?,
            Some(Word::CDecl) => self.c_text().map(|c| Unit::C(CUnit::Decl(c)))?,
            Some(Word::CState) => self.c_strings().map(|s| Unit::C(CUnit::State(s, span)))?,
            Some(Word::CTrack) => self.c_strings().map(|s| Unit::C(CUnit::Track(s, span)))?,
            _ if self.at_declaration() => {
                let declaration = self.declaration(false)?;
                self.end_of_declaration()?;
                Unit::Declaration(declaration)
            }
            _ => return Err(self.not_a_unit(token)),
        };
        self.model.units.push(unit);
        Ok(())
    }

    fn not_a_unit(&mut self, token: &Token) -> Bad {
        let found = self.found();
        let d =
            Diagnostic::error(token.span(), format!("expected a declaration or a process, found {found}"));
        let d = match (token.kind, token.word()) {
            (Kind::Sign(Sign::CloseBrace), _) => {
                d.help("this `}` closes nothing: is there one too many before?")
            }
            (_, Some(Word::If | Word::Do | Word::Atomic | Word::DStep | Word::Goto | Word::Assert)) => {
                d.help("statements stand in a `proctype`, in `init` or in an `inline`")
            }
            (Kind::Name, None) if &**self.symbols.text(token.text) == "process" => {
                d.help("a process is declared by `proctype`")
            }
            (Kind::Name, None) => d.help("is a type missing before it, or a `}` too many before?"),
            _ => d,
        };
        self.push_error(d, token.origin);
        Bad
    }

    /// A global declaration ends with a semicolon, or where something else begins.
    fn end_of_declaration(&mut self) -> Result<(), Bad> {
        let token = self.peek();
        let c = matches!(token.word(), Some(Word::CCode | Word::CDecl | Word::CState | Word::CTrack));
        let ends = self.at(Sign::Semi) || self.at(Sign::Arrow) || token.kind == Kind::End || c;
        if ends || self.begins_unit(&token) || self.at_declaration() {
            return Ok(());
        }
        let found = self.found();
        let mut d = Diagnostic::error(token.span(), format!("expected `;` or `,` before {found}"));
        if token.is(Sign::OpenParen) {
            d = d.help(
                "there are no functions; a process is `proctype P() { … }`, a macro with scope `inline`",
            );
        }
        self.push_error(d, token.origin);
        Err(Bad)
    }

    fn optional_name(&mut self) -> Result<Option<Name>, Bad> {
        if self.at_name() { self.name("a name").map(Some) } else { Ok(None) }
    }

    fn process(&mut self) -> Result<Process, Bad> {
        let first = self.peek();
        let mut active = None;
        if let Some(word) = self.eat_word(Word::Active) {
            let count = match self.eat(Sign::OpenBracket) {
                Some(open) => {
                    let count = self.expression()?;
                    self.close(Sign::CloseBracket, open)?;
                    Some(count)
                }
                None => None,
            };
            active = Some(Active { count, span: self.since(word.span()) });
        }
        let deterministic = self.at_word(Word::DProctype);
        if !deterministic && !self.at_word(Word::Proctype) {
            return Err(self.unexpected("`proctype`"));
        }
        self.advance();
        let token = self.peek();
        let name = self.name("the name of the proctype")?;
        self.declared.insert(token.text);
        let open = self.expect(Sign::OpenParen, "with the parameters")?;
        let parameters = self.parameters()?;
        self.close(Sign::CloseParen, open)?;
        let priority = self.priority()?;
        let mut provided = None;
        if self.eat_word(Word::Provided).is_some() {
            let open = self.expect(Sign::OpenParen, "with the condition")?;
            provided = Some(self.expression()?);
            self.close(Sign::CloseParen, open)?;
        }
        let span = self.since(first.span());
        let body = self.body()?;
        Ok(Process { name, active, deterministic, parameters, priority, provided, body, span })
    }

    /// Declarations with semicolons between them.
    fn parameters(&mut self) -> Result<Vec<Declaration>, Bad> {
        let mut parameters = Vec::new();
        while !self.at(Sign::CloseParen) {
            if !self.at_declaration() && self.peek().kind != Kind::Name {
                return Err(self.unexpected("a parameter"));
            }
            let parameter = self.declaration(true);
            // `byte a, byte b`: the comma goes on with names, so the second type is in the way.
            if parameter.is_err() && self.at_declaration() {
                if let Some(last) = self.wrong.last_mut() {
                    last.help = Some("between parameters with types of their own there is a `;`".to_string());
                }
                return Err(Bad);
            }
            parameters.push(parameter?);
            if self.eat(Sign::Semi).is_none() {
                break;
            }
        }
        Ok(parameters)
    }

    fn typedef(&mut self) -> Result<Typedef, Bad> {
        let first = self.advance();
        let token = self.peek();
        let name = self.name("the name of the type")?;
        let open = self.expect(Sign::OpenBrace, "with the fields")?;
        self.types.insert(token.text);
        let before = std::mem::replace(&mut self.cursor.lines, true);
        let fields = self.fields(open);
        self.cursor.lines = before;
        Ok(Typedef { name, fields: fields?, span: self.since(first.span()) })
    }

    fn fields(&mut self, open: Token) -> Result<Vec<Declaration>, Bad> {
        let mut fields = Vec::new();
        loop {
            while self.eat(Sign::Semi).is_some() {}
            if self.at(Sign::CloseBrace) || !self.at_declaration() {
                break;
            }
            fields.push(self.declaration(false)?);
            if !self.at(Sign::Semi) && !self.at(Sign::CloseBrace) {
                let token = self.peek();
                let found = self.found();
                self.error(token.span(), token.origin, format!("expected `;` before {found}"));
                return Err(Bad);
            }
        }
        self.close(Sign::CloseBrace, open)?;
        if fields.is_empty() {
            let span = self.since(open.span());
            self.error(span, open.origin, "a `typedef` has at least one field");
        }
        Ok(fields)
    }

    /// True if `mtype` is followed by constants, not by variables.
    fn at_mtype_constants(&self) -> bool {
        let next = self.peek2();
        if next.is(Sign::Assign) || next.is(Sign::OpenBrace) {
            return true;
        }
        next.is(Sign::Colon)
            && (self.cursor.peek_at(3).is(Sign::Assign) || self.cursor.peek_at(3).is(Sign::OpenBrace))
    }

    fn mtype(&mut self) -> Result<Mtype, Bad> {
        let first = self.peek();
        let (kind, _) = self.type_name()?;
        let subtype = match kind {
            Type::Mtype(subtype) => subtype,
            _ => None,
        };
        self.eat(Sign::Assign);
        let open = self.expect(Sign::OpenBrace, "with the names")?;
        let mut names = Vec::new();
        while !self.at(Sign::CloseBrace) {
            if self.eat(Sign::Comma).is_none() {
                if !self.at_name() {
                    break;
                }
                names.push(self.name("a name")?);
            }
        }
        self.close(Sign::CloseBrace, open)?;
        let span = self.since(first.span());
        if names.is_empty() {
            self.error(span, first.origin, "an `mtype` declaration has at least one name");
        }
        Ok(Mtype { subtype, names, span })
    }

    fn ltl(&mut self) -> Result<Ltl, Bad> {
        self.advance();
        let name = self.optional_name()?;
        let open = self.expect(Sign::OpenBrace, "with the formula")?;
        let from = self.cursor.mark();
        let formula = self.formula()?;
        let text = spell(self.cursor.since(from), &self.symbols);
        let span = Span::new(open.span().end, self.cursor.last_span().end.max(open.span().end));
        while self.eat(Sign::Semi).is_some() {}
        self.close(Sign::CloseBrace, open)?;
        Ok(Ltl { name, formula, text, span })
    }

    fn c_strings(&mut self) -> Result<Vec<std::sync::Arc<str>>, Bad> {
        self.advance();
        let mut strings = Vec::new();
        while self.peek().kind == Kind::Text && strings.len() < 3 {
            let token = self.advance();
            strings.push(self.symbols.text(token.text).clone());
        }
        if strings.len() < 2 { Err(self.unexpected("a string")) } else { Ok(strings) }
    }
}
