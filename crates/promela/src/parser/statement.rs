//! Parsing statements.

use super::{Bad, Construct, Parser};
use crate::ast::{
    Block, Choice, DEEPEST, Exclusive, ExprId, ForRange, Name, Node, Pattern, PatternKind, Poll, Reference,
    Spelling, Statement, StatementKind,
};
use crate::token::{Kind, Sign, Token, Word};
use riata_source::Diagnostic;

/// What ends a sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// `}`.
    Brace,
    /// `::`, `fi`, `od`.
    Choice,
}

impl Parser {
    /// `{ … }`, where new lines can end statements.
    pub(super) fn body(&mut self) -> Result<Block, Bad> {
        let open = self.expect(Sign::OpenBrace, "with the statements")?;
        let before = std::mem::replace(&mut self.cursor.lines, true);
        let block = self.block_after(open);
        self.cursor.lines = before;
        block
    }

    /// `{ … }`.
    pub(super) fn block(&mut self, context: &str) -> Result<Block, Bad> {
        let open = self.expect(Sign::OpenBrace, context)?;
        self.block_after(open)
    }

    fn block_after(&mut self, open: Token) -> Result<Block, Bad> {
        self.enter(Construct::Brace, &open)?;
        let told = self.wrong.len();
        let statements = self.sequence(Ends::Brace, open);
        self.open.pop();
        if self.eat(Sign::CloseBrace).is_none() && !self.cursor.abandoned() {
            let token = self.peek();
            let d = Diagnostic::error(token.span(), format!("expected `}}`, found {}", self.found()))
                .note(open.span(), "the brace that is open");
            self.push_error(d, token.origin);
        }
        if statements.is_empty() && !self.cursor.abandoned() && self.wrong.len() == told {
            let d = Diagnostic::error(self.since(open.span()), "there is no statement between these braces")
                .help("a statement that does nothing is `skip`");
            self.push_error(d, open.origin);
        }
        Ok(Block { statements, span: self.since(open.span()) })
    }

    fn enter(&mut self, construct: Construct, token: &Token) -> Result<(), Bad> {
        if self.open.len() >= DEEPEST {
            let d = Diagnostic::error(token.span(), format!("statements nest more than {DEEPEST} deep here"));
            self.push_error(d, token.origin);
            self.cursor.abandon();
            return Err(Bad);
        }
        self.open.push(construct);
        Ok(())
    }

    /// Statements up to what ends them, which is not taken.
    fn sequence(&mut self, ends: Ends, open: Token) -> Vec<Statement> {
        let mut statements: Vec<Statement> = Vec::new();
        let mut separated = true;
        loop {
            while self.eat(Sign::Semi).is_some() || self.eat(Sign::Arrow).is_some() {
                separated = true;
            }
            if self.at_end_of_sequence(ends, open) {
                return statements;
            }
            if !separated && !self.cursor.after_brace() && !self.missing_separator() {
                self.advance();
                self.recover();
                separated = true;
                continue;
            }
            separated = false;
            let first = statements.is_empty();
            match self.step() {
                Ok(statement) => {
                    if matches!(statement.kind, StatementKind::Else) {
                        separated = true;
                        self.check_else(&statement, first);
                    }
                    statements.push(statement);
                }
                Err(Bad) => {
                    self.recover();
                    separated = true;
                }
            }
        }
    }

    /// A declaration, `xr`, `xs`, a statement, or two with `unless` between.
    fn step(&mut self) -> Result<Statement, Bad> {
        let token = self.peek();
        if self.at_declaration() {
            let declaration = self.declaration(true)?;
            let (span, origin) = (declaration.span, declaration.origin);
            let kind = StatementKind::Declaration(declaration);
            return Ok(Statement { labels: Vec::new(), kind, span, origin });
        }
        let exclusive = match token.word() {
            Some(Word::Xr) => Some(Exclusive::Receive),
            Some(Word::Xs) => Some(Exclusive::Send),
            _ => None,
        };
        if let Some(exclusive) = exclusive {
            self.advance();
            let mut channels = vec![self.reference()?];
            while self.eat(Sign::Comma).is_some() {
                channels.push(self.reference()?);
            }
            let kind = StatementKind::Exclusive(exclusive, channels);
            let span = self.since(token.span());
            return Ok(Statement { labels: Vec::new(), kind, span, origin: token.origin });
        }
        let main = self.statement()?;
        if self.eat_word(Word::Unless).is_none() {
            return Ok(main);
        }
        let escape = self.statement()?;
        let (span, origin) = (self.join(main.span, escape.span), main.origin);
        let kind = StatementKind::Unless(Box::new(main), Box::new(escape));
        if self.at_word(Word::Unless) {
            let token = self.peek();
            let d = Diagnostic::error(token.span(), "`unless` after `unless`")
                .help("braces say which is meant: `{ a unless b } unless c`");
            self.push_error(d, token.origin);
            return Err(Bad);
        }
        Ok(Statement { labels: Vec::new(), kind, span, origin })
    }

    /// One statement with its labels.
    pub(super) fn statement(&mut self) -> Result<Statement, Bad> {
        let mut labels: Vec<Name> = Vec::new();
        while self.at_name() && self.peek2().is(Sign::Colon) && !self.declared.contains(&self.peek().text) {
            labels.push(self.name("a label")?);
            self.advance();
        }
        let token = self.peek();
        if let Some(label) = labels.last() {
            if self.at_declaration() || matches!(token.word(), Some(Word::Xr | Word::Xs)) {
                let d = Diagnostic::error(label.span, "a declaration cannot have a label")
                    .help("put the label after the declaration, before a statement");
                let origin = label.origin;
                self.push_error(d, origin);
                return Err(Bad);
            }
            let nothing = matches!(
                token.kind,
                Kind::Sign(Sign::Semi | Sign::Arrow | Sign::CloseBrace | Sign::Sep) | Kind::End
            ) || matches!(token.word(), Some(Word::Fi | Word::Od));
            if nothing {
                let (span, origin) = (label.span, label.origin);
                let start = self.next_node();
                let skip = self.node(Node::Constant(1, Spelling::Skip), start, span, origin);
                return Ok(Statement { labels, kind: StatementKind::Expression(skip), span, origin });
            }
        }
        let kind = self.kind(&token)?;
        // A call's place is where it is written, not its body.
        let span = self.since(token.span());
        Ok(Statement { labels, kind, span, origin: token.origin })
    }

    fn kind(&mut self, token: &Token) -> Result<StatementKind, Bad> {
        if token.is(Sign::OpenBrace) {
            return self.block("").map(StatementKind::Block);
        }
        let Some(word) = token.word() else {
            return if self.at_name() { self.named() } else { self.condition() };
        };
        match word {
            Word::If => self.choices(Construct::If).map(StatementKind::If),
            Word::Do => self.choices(Construct::Do).map(StatementKind::Do),
            Word::Atomic => {
                self.advance();
                self.block("after `atomic`").map(StatementKind::Atomic)
            }
            Word::DStep => {
                self.advance();
                self.block("after `d_step`").map(StatementKind::DStep)
            }
            Word::For => self.for_loop(),
            Word::Select => self.select(),
            Word::Else => {
                self.advance();
                Ok(StatementKind::Else)
            }
            Word::Break => {
                self.advance();
                Ok(StatementKind::Break)
            }
            Word::Goto => {
                self.advance();
                self.name("a label").map(StatementKind::Goto)
            }
            Word::Assert => {
                self.advance();
                self.expression().map(StatementKind::Assert)
            }
            Word::Printf => self.printf(),
            Word::Printm => {
                self.advance();
                let open = self.expect(Sign::OpenParen, "after `printm`")?;
                let e = self.expression()?;
                self.close(Sign::CloseParen, open)?;
                Ok(StatementKind::Printm(e))
            }
            Word::SetPriority => {
                self.advance();
                let open = self.expect(Sign::OpenParen, "after `set_priority`")?;
                let process = self.expression()?;
                self.expect(Sign::Comma, "and the priority")?;
                let priority = self.expression()?;
                self.close(Sign::CloseParen, open)?;
                Ok(StatementKind::SetPriority(process, priority))
            }
            Word::Return => {
                self.advance();
                let e = self.expression()?;
                let wrong = match self.results.last() {
                    Some(true) => None,
                    Some(false) => {
                        Some(("`return` in an inline whose value is not used", "call it as `x = f(…)`"))
                    }
                    None => Some((
                        "`return` outside an inline",
                        "a process ends where its body ends; `goto` leads there",
                    )),
                };
                if let Some((message, help)) = wrong {
                    self.push_error(Diagnostic::error(token.span(), message).help(help), token.origin);
                }
                Ok(StatementKind::Return(e))
            }
            Word::CCode | Word::CDecl => self.c_text().map(StatementKind::CCode),
            Word::In => self.named(),
            _ => self.condition(),
        }
    }

    fn condition(&mut self) -> Result<StatementKind, Bad> {
        let token = self.peek();
        if !self.begins_expression(&token) {
            return Err(self.not_a_statement(&token));
        }
        self.expression().map(StatementKind::Expression)
    }

    /// What begins with a name.
    fn named(&mut self) -> Result<StatementKind, Bad> {
        let token = self.peek();
        if self.inlines.contains_key(&token.text) && self.peek2().is(Sign::OpenParen) {
            return self.call(None);
        }
        let start = self.next_node();
        if matches!(&**self.symbols.text(token.text), "_pid" | "_nr_pr" | "_last")
            && !self.peek2().is(Sign::Assign)
        {
            return self.expression().map(StatementKind::Expression);
        }
        let reference = self.reference()?;
        let next = self.peek();
        let poll = self.peek2().is(Sign::OpenBracket);
        match next.kind {
            Kind::Sign(Sign::Assign) => {
                self.advance();
                let value = self.peek();
                if value.kind == Kind::Name
                    && self.inlines.contains_key(&value.text)
                    && self.peek2().is(Sign::OpenParen)
                {
                    return self.call(Some(reference));
                }
                Ok(StatementKind::Assign(reference, self.expression()?))
            }
            Kind::Sign(Sign::Increment) => {
                self.advance();
                Ok(StatementKind::Increment(reference))
            }
            Kind::Sign(Sign::Decrement) => {
                self.advance();
                Ok(StatementKind::Decrement(reference))
            }
            Kind::Sign(Sign::Not | Sign::SendSorted) => self.send(reference),
            Kind::Sign(Sign::Query | Sign::ReceiveRandom) if !poll => self.receive(reference),
            Kind::Sign(Sign::OpenParen | Sign::OpenBrace) => Err(self.not_a_call(&reference, &next)),
            Kind::Name if next.text.word().is_none() => Err(self.not_a_call(&reference, &next)),
            _ => self.expression_after(reference, start).map(StatementKind::Expression),
        }
    }

    fn send(&mut self, channel: Reference) -> Result<StatementKind, Bad> {
        let sorted = self.advance().is(Sign::SendSorted);
        let mut arguments = vec![self.expression()?];
        if let Some(open) = self.eat(Sign::OpenParen) {
            if !self.at(Sign::CloseParen) {
                arguments.extend(self.expressions()?);
            }
            self.close(Sign::CloseParen, open)?;
        }
        while self.eat(Sign::Comma).is_some() {
            arguments.push(self.expression()?);
        }
        Ok(StatementKind::Send { channel, sorted, arguments })
    }

    fn receive(&mut self, channel: Reference) -> Result<StatementKind, Bad> {
        let random = self.advance().is(Sign::ReceiveRandom);
        let keep = self.eat(Sign::Lt);
        let patterns = self.patterns()?;
        if let Some(open) = keep {
            self.close(Sign::Gt, open)?;
        }
        Ok(StatementKind::Receive { channel, random, keep: keep.is_some(), patterns })
    }

    /// `q?[patterns]`, an expression.
    pub(super) fn poll(&mut self, channel: Reference, start: u32) -> Result<ExprId, Bad> {
        let (first, origin) = (channel.span, channel.steps[0].name.origin);
        let random = self.advance().is(Sign::ReceiveRandom);
        let open = self.advance();
        let patterns = self.patterns()?;
        self.close(Sign::CloseBracket, open)?;
        let span = self.since(first);
        Ok(self.node(Node::Poll(Poll { channel, random, patterns }), start, span, origin))
    }

    /// The arguments of a receive: `a, b`, `tag(a, b)`, `(a, b)`; brackets only group.
    fn patterns(&mut self) -> Result<Vec<Pattern>, Bad> {
        let mut patterns = Vec::new();
        let mut open: Vec<Token> = Vec::new();
        loop {
            while let Some(token) = self.eat(Sign::OpenParen) {
                open.push(token);
            }
            // `tag()`, without fields.
            if !(self.at(Sign::CloseParen) && !open.is_empty() && !patterns.is_empty()) {
                patterns.push(self.pattern()?);
            }
            while !open.is_empty() && self.eat(Sign::CloseParen).is_some() {
                open.pop();
            }
            if self.at(Sign::OpenParen) || self.eat(Sign::Comma).is_some() {
                continue;
            }
            return match open.last() {
                Some(&open) => self.close(Sign::CloseParen, open).map(|_| patterns),
                None => Ok(patterns),
            };
        }
    }

    fn pattern(&mut self) -> Result<Pattern, Bad> {
        let token = self.peek();
        let kind = match token.kind {
            Kind::Name if token.word() == Some(Word::Eval) => {
                self.advance();
                let open = self.expect(Sign::OpenParen, "after `eval`")?;
                let e = self.expression()?;
                self.close(Sign::CloseParen, open)?;
                PatternKind::Eval(e)
            }
            Kind::Name if self.at_name() && &**self.symbols.text(token.text) == "_" => {
                self.advance();
                PatternKind::Anything
            }
            Kind::Name if self.at_name() => PatternKind::Reference(self.reference()?),
            Kind::Name if matches!(token.word(), Some(Word::True | Word::False | Word::Skip)) => {
                PatternKind::Constant(self.constant()?)
            }
            Kind::Number | Kind::Character | Kind::Sign(Sign::Minus) => {
                PatternKind::Constant(self.constant()?)
            }
            _ => return Err(self.unexpected("a variable, a constant, `_` or `eval(…)`")),
        };
        let next = self.peek();
        let operator = match next.kind {
            Kind::Sign(sign) => matches!(
                sign,
                Sign::Plus
                    | Sign::Minus
                    | Sign::Star
                    | Sign::Slash
                    | Sign::EqEq
                    | Sign::NotEq
                    | Sign::Percent
            ),
            _ => false,
        };
        if operator {
            let d = Diagnostic::error(next.span(), "an argument of a receive cannot be an expression")
                .help("`eval(…)` matches the value of an expression");
            self.push_error(d, next.origin);
            return Err(Bad);
        }
        Ok(Pattern { kind, span: self.since(token.span()), origin: token.origin })
    }

    /// A constant with a sign or without one.
    fn constant(&mut self) -> Result<ExprId, Bad> {
        let token = self.peek();
        let minus = self.eat(Sign::Minus).is_some();
        let constant = self.peek();
        let plain = matches!(constant.kind, Kind::Number | Kind::Character)
            || matches!(constant.word(), Some(Word::True | Word::False | Word::Skip));
        if !plain {
            return Err(self.unexpected("a constant"));
        }
        let e = self.primary()?;
        Ok(if minus { self.unary(crate::ast::UnaryOp::Negate, &token, e) } else { e })
    }

    fn printf(&mut self) -> Result<StatementKind, Bad> {
        self.advance();
        let open = self.expect(Sign::OpenParen, "after `printf`")?;
        let token = self.peek();
        if token.kind != Kind::Text {
            return Err(self.unexpected("a string"));
        }
        self.advance();
        let format = self.symbols.text(token.text).clone();
        let arguments = if self.eat(Sign::Comma).is_some() { self.expressions()? } else { Vec::new() };
        self.close(Sign::CloseParen, open)?;
        Ok(StatementKind::Printf(format, arguments))
    }

    fn for_loop(&mut self) -> Result<StatementKind, Bad> {
        self.advance();
        let open = self.expect(Sign::OpenParen, "after `for`")?;
        let variable = self.reference()?;
        if self.at(Sign::Assign) {
            let token = self.peek();
            let d = Diagnostic::error(token.span(), "this is not how a `for` is written in Promela")
                .help("write `for (i : 0 .. n - 1) { … }`; both bounds are included");
            self.push_error(d, token.origin);
            self.skip_bracket();
            return Err(Bad);
        }
        let range = if self.eat_word(Word::In).is_some() {
            ForRange::In(self.reference()?)
        } else {
            self.expect(Sign::Colon, "or `in`")?;
            let (from, to) = self.bounds()?;
            ForRange::Between(from, to)
        };
        self.close(Sign::CloseParen, open)?;
        self.eat(Sign::Semi);
        let body = self.block("after `for (…)`")?;
        Ok(StatementKind::For(variable, range, body))
    }

    fn select(&mut self) -> Result<StatementKind, Bad> {
        self.advance();
        let open = self.expect(Sign::OpenParen, "after `select`")?;
        let variable = self.reference()?;
        self.expect(Sign::Colon, "and the range")?;
        let (from, to) = self.bounds()?;
        self.close(Sign::CloseParen, open)?;
        Ok(StatementKind::Select(variable, from, to))
    }

    /// `a .. b`.
    fn bounds(&mut self) -> Result<(ExprId, ExprId), Bad> {
        let from = self.expression()?;
        self.expect(Sign::DotDot, "between the bounds")?;
        Ok((from, self.expression()?))
    }

    /// The options of an `if` or a `do`, from the first word to the last.
    fn choices(&mut self, construct: Construct) -> Result<Vec<Choice>, Bad> {
        let word = self.advance();
        self.enter(construct, &word)?;
        let result = self.choices_inside(construct, word);
        self.open.pop();
        result
    }

    fn choices_inside(&mut self, construct: Construct, word: Token) -> Result<Vec<Choice>, Bad> {
        let (begin, end, name) = match construct {
            Construct::If => (Word::If, Word::Fi, "fi"),
            _ => (Word::Do, Word::Od, "od"),
        };
        let mut choices = Vec::new();
        while self.eat(Sign::Semi).is_some() {}
        if !self.at(Sign::Sep) {
            return Err(self.no_option(begin, &word));
        }
        while let Some(sep) = self.eat(Sign::Sep) {
            let told = self.wrong.len();
            let statements = self.sequence(Ends::Choice, sep);
            let span = self.since(sep.span());
            if statements.is_empty() && self.wrong.len() == told {
                let d = Diagnostic::error(sep.span(), "there is no statement in this option")
                    .help("an option that does nothing is `:: skip`, or `:: true`");
                self.push_error(d, sep.origin);
            }
            choices.push(Choice { body: Block { statements, span } });
        }
        if self.eat_word(end).is_none() {
            self.not_closed(&word, name);
        }
        Ok(choices)
    }

    /// True at the end of a sequence; says what is missing or stray.
    fn at_end_of_sequence(&mut self, ends: Ends, open: Token) -> bool {
        loop {
            let token = self.peek();
            if token.kind == Kind::End || self.cursor.abandoned() || self.begins_unit(&token) {
                return true;
            }
            let stray = match (token.kind, token.word()) {
                (Kind::Sign(Sign::CloseBrace), _) => return true,
                (Kind::Sign(Sign::Sep), _) => Construct::If,
                (_, Some(Word::Fi)) => Construct::If,
                (_, Some(Word::Od)) => Construct::Do,
                _ => return false,
            };
            if ends == Ends::Choice {
                return true;
            }
            // In braces: the word may belong to an option around them, which then has a brace missing.
            if self.open.iter().any(|c| *c == stray || (token.is(Sign::Sep) && *c == Construct::Do)) {
                return true;
            }
            self.stray(&token, open);
        }
    }
}
