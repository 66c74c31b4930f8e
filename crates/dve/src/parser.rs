//! Parsing everything but expressions. After an error the parser goes on at the next place that looks like a
//! beginning, so that all errors of a file are found at once.

use crate::ast::{
    Channel, Initial, Model, Name, Process, Sync, SystemLine, Transition, Tree, Type, Variable,
};
use crate::lexer::{Kind, Token, Word, lex};
use riata_source::{Diagnostic, Span};

/// Something was wrong, and has been reported.
#[derive(Debug)]
pub(crate) struct Bad;

pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    pub model: Model,
    pub wrong: Vec<Diagnostic>,
    /// A declaration could not be read, so that names may be missing.
    hurt: bool,
}

/// What was read.
pub(crate) struct Parsed {
    pub model: Model,
    pub wrong: Vec<Diagnostic>,
    /// Are all names there that the text declares?
    pub whole: bool,
}

/// Parses a model; the diagnostics say what is wrong with it.
pub(crate) fn parse(text: &str) -> Parsed {
    let mut parser = Parser::new(text);
    parser.file();
    Parsed { model: parser.model, wrong: parser.wrong, whole: !parser.hurt }
}

/// Parses one expression, to which all of `text` must belong.
pub(crate) fn parse_expression(text: &str) -> Result<(Model, Tree), Vec<Diagnostic>> {
    let mut parser = Parser::new(text);
    let tree = parser.expression();
    match tree {
        Ok(tree) if parser.wrong.is_empty() && parser.peek().kind == Kind::End => Ok((parser.model, tree)),
        Ok(_) if parser.wrong.is_empty() => {
            let found = parser.found();
            let span = parser.peek().span;
            Err(vec![Diagnostic::error(span, format!("expected the end of the expression, found {found}"))])
        }
        _ => Err(parser.wrong),
    }
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        let mut wrong = Vec::new();
        let tokens = lex(text, &mut wrong);
        let hurt = !wrong.is_empty();
        Parser { text, tokens, at: 0, model: Model::default(), wrong, hurt }
    }

    pub(crate) fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    pub(crate) fn advance(&mut self) -> Token {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    /// The end of the last token that was taken.
    fn end(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// What the next token is, for a message.
    pub(crate) fn found(&self) -> String {
        let token = self.peek();
        match token.kind {
            Kind::End => "the end of the file".to_string(),
            _ => format!("`{}`", &self.text[token.span.start..token.span.end]),
        }
    }

    pub(crate) fn eat(&mut self, sign: &'static str) -> Option<Span> {
        (self.peek().kind == Kind::Sign(sign)).then(|| self.advance().span)
    }

    fn eat_word(&mut self, word: Word) -> Option<Span> {
        (self.peek().kind == Kind::Keyword(word)).then(|| self.advance().span)
    }

    fn expect(&mut self, sign: &'static str, what: &str) -> Result<Span, Bad> {
        if let Some(span) = self.eat(sign) {
            return Ok(span);
        }
        // What is missing is missed where the last token ended, unless that is far away.
        let message = format!("expected `{sign}` {what}, found {}", self.found());
        self.wrong.push(Diagnostic::error(self.peek().span, message));
        Err(Bad)
    }

    pub(crate) fn name(&mut self, what: &str) -> Result<Name, Bad> {
        let token = self.peek();
        if token.kind != Kind::Name {
            let mut d = Diagnostic::error(token.span, format!("expected {what}, found {}", self.found()));
            if let Kind::Keyword(word) = token.kind {
                d = d.help(format!("`{}` is a reserved word", word.text()));
            }
            self.wrong.push(d);
            return Err(Bad);
        }
        self.advance();
        Ok(Name { text: self.text[token.span.start..token.span.end].to_string(), span: token.span })
    }

    fn names(&mut self, what: &str) -> Result<Vec<Name>, Bad> {
        let mut names = vec![self.name(what)?];
        while self.eat(",").is_some() {
            names.push(self.name(what)?);
        }
        self.expect(";", "after the list")?;
        Ok(names)
    }

    /// Skips to a `;`, which is taken, or to something in `stops` or a `}` that closes what is open here.
    fn recover(&mut self, stops: &[Word]) {
        let mut depth = 0usize;
        loop {
            match self.peek().kind {
                Kind::End => return,
                Kind::Sign(";") if depth == 0 => {
                    self.advance();
                    return;
                }
                Kind::Sign("{") => depth += 1,
                Kind::Sign("}") if depth == 0 => return,
                Kind::Sign("}") => depth -= 1,
                Kind::Keyword(Word::Process | Word::System) => return,
                Kind::Keyword(w) if depth == 0 && stops.contains(&w) => return,
                _ => {}
            }
            self.advance();
        }
    }

    fn file(&mut self) {
        const TOP: [Word; 4] = [Word::Const, Word::Byte, Word::Int, Word::Channel];
        loop {
            let token = self.peek();
            let result = match token.kind {
                Kind::End => break,
                Kind::Keyword(Word::Const | Word::Byte | Word::Int) => {
                    let mut variables = Vec::new();
                    let result = self.variables(&mut variables);
                    self.model.variables.append(&mut variables);
                    result
                }
                Kind::Keyword(Word::Channel) => self.channels(),
                Kind::Keyword(Word::Process) => self.process(),
                Kind::Keyword(Word::System) => self.system(),
                _ => {
                    let message =
                        format!("expected a declaration, a process or `system`, found {}", self.found());
                    self.wrong.push(Diagnostic::error(token.span, message));
                    self.advance();
                    Err(Bad)
                }
            };
            if result.is_err() {
                self.hurt |= token.kind != Kind::Keyword(Word::System);
                self.recover(&TOP);
                self.eat("}");
            }
        }
        if self.model.system.is_none() {
            let end = Span::at(self.text.len());
            self.wrong.push(
                Diagnostic::error(end, "there is no `system` line")
                    .help("end the file with `system async;` or `system sync;`"),
            );
        }
    }

    fn kind(&mut self) -> Result<Type, Bad> {
        if self.eat_word(Word::Byte).is_some() {
            Ok(Type::Byte)
        } else if self.eat_word(Word::Int).is_some() {
            Ok(Type::Int)
        } else {
            let message = format!("expected `byte` or `int`, found {}", self.found());
            self.wrong.push(Diagnostic::error(self.peek().span, message));
            Err(Bad)
        }
    }

    fn variables(&mut self, out: &mut Vec<Variable>) -> Result<(), Bad> {
        let constant = self.eat_word(Word::Const).is_some();
        let kind = self.kind()?;
        loop {
            let name = self.name("the name of a variable")?;
            let len = if self.eat("[").is_some() {
                let len = self.expression()?;
                self.expect("]", "after the size of the array")?;
                Some(len)
            } else {
                None
            };
            let initial = if self.eat("=").is_some() { Some(self.initial()?) } else { None };
            out.push(Variable { name, constant, kind, len, initial });
            if self.eat(",").is_none() {
                break;
            }
        }
        self.expect(";", "after a declaration").map(|_| ())
    }

    fn initial(&mut self) -> Result<Initial, Bad> {
        let Some(open) = self.eat("{") else { return Ok(Initial::One(self.expression()?)) };
        let mut values = vec![self.expression()?];
        while self.eat(",").is_some() {
            values.push(self.expression()?);
        }
        let close = self.expect("}", "after the initial values")?;
        Ok(Initial::List(values, open.to(close)))
    }

    fn channels(&mut self) -> Result<(), Bad> {
        self.advance();
        let types = if self.eat("{").is_some() {
            let mut types = vec![self.kind()?];
            while self.eat(",").is_some() {
                types.push(self.kind()?);
            }
            self.expect("}", "after the types of a message")?;
            Some(types)
        } else {
            None
        };
        loop {
            let name = self.name("the name of a channel")?;
            let size = if self.eat("[").is_some() {
                let size = self.expression()?;
                self.expect("]", "after the size of the channel")?;
                Some(size)
            } else {
                None
            };
            self.model.channels.push(Channel { name, types: types.clone(), size });
            if self.eat(",").is_none() {
                break;
            }
        }
        self.expect(";", "after a declaration").map(|_| ())
    }

    fn system(&mut self) -> Result<(), Bad> {
        let start = self.advance().span;
        let lockstep = if self.eat_word(Word::Sync).is_some() {
            true
        } else if self.eat_word(Word::Async).is_some() {
            false
        } else {
            let message = format!("expected `async` or `sync`, found {}", self.found());
            self.wrong.push(Diagnostic::error(self.peek().span, message));
            // The line is there, though it is wrong.
            self.model.system = Some(SystemLine { lockstep: false, property: None, span: start });
            return Err(Bad);
        };
        let property = match self.eat_word(Word::Property) {
            Some(_) => Some(self.name("the property process")?),
            None => None,
        };
        let span = start.to(self.end());
        if let Some(first) = &self.model.system {
            let note = first.span;
            self.wrong.push(Diagnostic::error(span, "a second `system` line").note(note, "the first one"));
        }
        self.model.system = Some(SystemLine { lockstep, property, span });
        self.expect(";", "after the `system` line").map(|_| ())
    }

    fn process(&mut self) -> Result<(), Bad> {
        self.advance();
        let name = self.name("the name of a process")?;
        self.expect("{", "before the body of a process")?;
        let mut process = Process {
            name,
            variables: Vec::new(),
            states: Vec::new(),
            init: None,
            commit: Vec::new(),
            accept: Vec::new(),
            asserts: Vec::new(),
            transitions: Vec::new(),
        };
        const PARTS: [Word; 9] = [
            Word::Const,
            Word::Byte,
            Word::Int,
            Word::State,
            Word::Init,
            Word::Commit,
            Word::Accept,
            Word::Assert,
            Word::Trans,
        ];
        let result = loop {
            let token = self.peek();
            let part = match token.kind {
                Kind::Sign("}") => {
                    self.advance();
                    break Ok(());
                }
                Kind::End | Kind::Keyword(Word::Process | Word::System) => {
                    let message = format!("expected `}}` at the end of a process, found {}", self.found());
                    self.wrong.push(
                        Diagnostic::error(token.span, message)
                            .note(process.name.span, "the process that is open"),
                    );
                    break Ok(());
                }
                Kind::Keyword(Word::Const | Word::Byte | Word::Int) => self.variables(&mut process.variables),
                Kind::Keyword(word) if PARTS.contains(&word) => {
                    self.advance();
                    self.part(word, token.span, &mut process)
                }
                _ => {
                    let message = format!("expected a part of a process, found {}", self.found());
                    self.wrong.push(Diagnostic::error(token.span, message).help(
                        "a process has variables, `state`, `init`, `commit`, `accept`, `assert` and `trans`",
                    ));
                    self.advance();
                    Err(Bad)
                }
            };
            if part.is_err() {
                self.hurt |= !matches!(token.kind, Kind::Keyword(Word::Trans | Word::Assert));
                self.recover(&PARTS);
            }
        };
        self.model.processes.push(process);
        result
    }

    fn part(&mut self, word: Word, span: Span, process: &mut Process) -> Result<(), Bad> {
        match word {
            Word::State => process.states.append(&mut self.names("the name of a state")?),
            Word::Init => {
                let name = self.name("the initial state")?;
                if let Some(first) = &process.init {
                    let note = first.span;
                    self.wrong.push(
                        Diagnostic::error(name.span, "a second initial state").note(note, "the first one"),
                    );
                }
                process.init = Some(name);
                self.expect(";", "after the initial state")?;
            }
            Word::Commit => process.commit.append(&mut self.names("a state")?),
            Word::Accept => {
                // The other kinds of acceptance are words only here.
                if let Kind::Name = self.peek().kind {
                    let token = self.peek();
                    match &self.text[token.span.start..token.span.end] {
                        "buchi" => {
                            self.advance();
                        }
                        kind @ ("genbuchi" | "muller" | "rabin" | "streett") => {
                            self.wrong.push(Diagnostic::error(
                                token.span,
                                format!(
                                    "acceptance of kind `{kind}` is not supported; only Büchi acceptance is"
                                ),
                            ));
                            return Err(Bad);
                        }
                        _ => {}
                    }
                }
                process.accept.append(&mut self.names("a state")?);
            }
            Word::Assert => {
                loop {
                    let state = self.name("a state")?;
                    self.expect(":", "after the state of an assertion")?;
                    let tree = self.expression()?;
                    process.asserts.push((state, tree));
                    if self.eat(",").is_none() {
                        break;
                    }
                }
                self.expect(";", "after the assertions")?;
            }
            _ => self.transitions(span, process)?,
        }
        Ok(())
    }

    fn transitions(&mut self, start: Span, process: &mut Process) -> Result<(), Bad> {
        let mut last: Option<Name> = None;
        loop {
            if self.transition(start, &mut last, process).is_err() {
                self.recover_transition();
            }
            if self.eat(",").is_none() {
                break;
            }
        }
        self.expect(";", "or `,` after a transition").map(|_| ())
    }

    /// Skips to the `,` or `;` after the transition that is wrong.
    fn recover_transition(&mut self) {
        // Where the error is inside the braces, the closing one comes first.
        loop {
            match self.peek().kind {
                Kind::End | Kind::Keyword(Word::Process | Word::System) => return,
                Kind::Sign("}") => {
                    self.advance();
                    if matches!(self.peek().kind, Kind::Sign("," | ";")) {
                        return;
                    }
                    // Too far: that brace closed the process.
                    self.at -= 1;
                    return;
                }
                _ => {
                    self.advance();
                }
            }
        }
    }

    fn transition(&mut self, start: Span, last: &mut Option<Name>, process: &mut Process) -> Result<(), Bad> {
        let begin = self.peek().span;
        let from = if self.peek().kind == Kind::Sign("->") {
            match last.clone() {
                Some(from) => from,
                None => {
                    self.wrong.push(
                        Diagnostic::error(begin, "the first transition must name the state that it leaves")
                            .note(start, "the transitions begin here"),
                    );
                    return Err(Bad);
                }
            }
        } else {
            self.name("the state that a transition leaves")?
        };
        *last = Some(from.clone());
        if let Some(span) = self.eat("=>") {
            self.wrong.push(Diagnostic::error(span, "probabilistic transitions are not supported"));
            return Err(Bad);
        }
        self.expect("->", "in a transition")?;
        let to = self.name("the state that a transition leads to")?;
        self.expect("{", "before the body of a transition")?;
        let mut t = Transition { from, to, guard: None, sync: None, effect: Vec::new(), span: begin };
        loop {
            let token = self.peek();
            match token.kind {
                Kind::Keyword(Word::Guard) if t.guard.is_none() => {
                    self.advance();
                    t.guard = Some(self.expression()?);
                }
                Kind::Keyword(Word::Sync) if t.sync.is_none() => {
                    self.advance();
                    t.sync = Some(self.sync()?);
                }
                Kind::Keyword(Word::Effect) if t.effect.is_empty() => {
                    self.advance();
                    loop {
                        let place = self.expression()?;
                        self.expect("=", "in an effect")?;
                        let value = self.expression()?;
                        t.effect.push((place, value));
                        if self.eat(",").is_none() {
                            break;
                        }
                    }
                }
                Kind::Keyword(word @ (Word::Guard | Word::Sync | Word::Effect)) => {
                    let message = format!("a second `{}` in one transition", word.text());
                    self.wrong.push(Diagnostic::error(token.span, message));
                    return Err(Bad);
                }
                _ => break,
            }
            self.expect(";", "in a transition")?;
        }
        self.expect("}", "or `guard`, `sync` or `effect` in a transition")?;
        t.span = begin.to(self.end());
        process.transitions.push(t);
        Ok(())
    }

    fn sync(&mut self) -> Result<Sync, Bad> {
        let channel = self.name("a channel")?;
        let send = if self.eat("!").is_some() {
            true
        } else {
            self.expect("?", "or `!` after a channel")?;
            false
        };
        let mut values = Vec::new();
        if self.eat("{").is_some() {
            values.push(self.expression()?);
            while self.eat(",").is_some() {
                values.push(self.expression()?);
            }
            self.expect("}", "after the values of a message")?;
        } else if self.peek().kind != Kind::Sign(";") {
            values.push(self.expression()?);
        }
        let span = channel.span.to(self.end());
        Ok(Sync { channel, send, values, span })
    }
}
