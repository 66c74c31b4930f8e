//! The items of a program, and the words they are made of.

use super::lexer::{Kind, Token};
use super::names::{Name, Names, Scope, name_at};
use crate::ClaimPlace;
use crate::domain::{Domain, Proposition, StoreRule};
use crate::form::{Channel, Event, Opening, Order, Program, Shown, Start, TraceMonitor, Var, Variable};
use crate::ids::ProcId;
use riata_source::{Diagnostic, Span};

pub(super) type Parsed<T> = Result<T, Diagnostic>;

/// So many elements of arrays and merged statements are made, all together.
const MOST: u32 = 1 << 24;

pub(super) struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    pub scope: &'a Scope,
    pub program: Program,
    /// The process type at hand.
    me: Option<usize>,
    /// How many elements may still be made.
    left: u32,
}

impl<'a> Parser<'a> {
    pub fn new(tokens: &'a [Token], scope: &'a Scope) -> Self {
        Parser { tokens, at: 0, scope, program: Program::default(), me: None, left: MOST }
    }

    // Words.

    fn token(&self, ahead: usize) -> &'a Token {
        // The last is the end.
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub fn kind(&self) -> &'a Kind {
        &self.token(0).kind
    }

    pub fn after(&self) -> &'a Kind {
        &self.token(1).kind
    }

    pub fn span(&self) -> Span {
        self.token(0).span
    }

    /// Where the word before is.
    pub fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)].span
    }

    pub fn skip(&mut self) {
        self.at += 1;
    }

    pub fn accept(&mut self, sign: &'static str) -> bool {
        let is = *self.kind() == Kind::Sign(sign);
        self.at += usize::from(is);
        is
    }

    pub fn expect(&mut self, sign: &'static str) -> Parsed<()> {
        if self.accept(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    pub fn unexpected(&self, wanted: &str) -> Diagnostic {
        let d =
            Diagnostic::error(self.span(), format!("{wanted} is expected here, not {}", self.kind().told()));
        match (wanted, self.kind()) {
            ("a name", Kind::Sign(_)) => d.help("a name that is a keyword is written in quotes"),
            _ => d,
        }
    }

    pub fn name(&mut self, wanted: &str) -> Parsed<Name> {
        match name_at(&self.tokens[self.at.min(self.tokens.len() - 1)..]) {
            Some((name, len)) => {
                self.at += len;
                Ok(name)
            }
            None => Err(self.unexpected(wanted)),
        }
    }

    /// A name that stands for nothing else.
    pub fn plain(&mut self, wanted: &str) -> Parsed<String> {
        match self.kind() {
            Kind::Name(name) | Kind::Text(name) => {
                self.skip();
                Ok(name.clone())
            }
            _ => Err(self.unexpected(wanted)),
        }
    }

    pub fn unsigned(&mut self) -> Parsed<u32> {
        match *self.kind() {
            Kind::Number(n) => {
                self.skip();
                Ok(n)
            }
            _ => Err(self.unexpected("a number")),
        }
    }

    pub fn number(&mut self) -> Parsed<i32> {
        let span = self.span();
        let negative = self.accept("-");
        let n = i64::from(self.unsigned()?);
        i32::try_from(if negative { -n } else { n }).map_err(|_| {
            Diagnostic::error(span.to(self.before()), "this number is too large")
                .help("numbers have 32 bits with sign")
        })
    }

    /// A number with a letter before it, such as `L0`.
    pub fn ordinal(&mut self, letter: char, wanted: &str) -> Parsed<u32> {
        let number = match self.kind() {
            Kind::Name(name) => name.strip_prefix(letter).and_then(|n| n.parse().ok()),
            _ => None,
        };
        let Some(number) = number else { return Err(self.unexpected(wanted)) };
        self.skip();
        Ok(number)
    }

    /// The next of what is numbered in its order.
    pub fn next_ordinal(&mut self, letter: char, count: usize) -> Parsed<()> {
        let span = self.span();
        let wanted = format!("`{letter}{count}`");
        let number = self.ordinal(letter, &wanted)?;
        if number as usize == count {
            return Ok(());
        }
        Err(Diagnostic::error(span, format!("{wanted} is expected here, not `{letter}{number}`"))
            .help("they are numbered in their order, from 0 on"))
    }

    // Names.

    pub fn unknown(&self, what: &str, name: &Name, span: Span) -> Diagnostic {
        let number = if name.1 == 0 { String::new() } else { format!("#{}", name.1) };
        Diagnostic::error(span, format!("there is no {what} called `{}{number}`", name.0))
            .help("declare it, or look at how it is spelt")
    }

    /// A variable: of the process at hand, or else a shared one.
    pub fn variable(&self, name: &Name, span: Span) -> Parsed<Var> {
        let local = self.me.and_then(|p| self.scope.locals.get(p)).and_then(|names| names.get(name));
        let shared = || self.scope.shared.get(name).map(Var::Shared);
        local.map(Var::Local).or_else(shared).ok_or_else(|| self.unknown("variable", name, span))
    }

    /// A variable to which something is stored.
    pub fn stored(&mut self) -> Parsed<Var> {
        if self.accept("::") {
            return Ok(Var::Shared(self.shared()?));
        }
        let span = self.span();
        let name = self.name("a variable")?;
        self.variable(&name, span)
    }

    fn among(&mut self, names: &'a Names, what: &str) -> Parsed<u32> {
        let span = self.span();
        let name = self.name(&format!("a {what}"))?;
        names.get(&name).ok_or_else(|| self.unknown(what, &name, span))
    }

    pub fn shared(&mut self) -> Parsed<u32> {
        self.among(&self.scope.shared, "shared variable")
    }

    pub fn process_called(&self, name: &Name, span: Span) -> Parsed<ProcId> {
        let known = self.scope.processes.get(name);
        known.map(ProcId).ok_or_else(|| self.unknown("process type", name, span))
    }

    pub fn process_named(&mut self) -> Parsed<ProcId> {
        self.among(&self.scope.processes, "process type").map(ProcId)
    }

    /// After `@`: the number of the channel that is opened for a shared variable.
    pub fn opened(&mut self) -> Parsed<i32> {
        let span = self.span();
        let var = self.shared()?;
        let element = if self.accept("[") {
            let element = self.unsigned()?;
            self.expect("]")?;
            element
        } else {
            0
        };
        let found = self.program.opens.iter().position(|o| (o.var, o.element) == (var, element));
        found.and_then(|i| i32::try_from(i + 1).ok()).ok_or_else(|| {
            Diagnostic::error(span, "no channel is opened for this variable above")
                .help("write `open CHANNEL for VARIABLE` before the processes")
        })
    }

    // Items.

    pub fn program(mut self) -> Parsed<Program> {
        self.expect("program")?;
        let scheduling = &mut self.program.scheduling;
        scheduling.order = match self.tokens[self.at.min(self.tokens.len() - 1)].kind {
            Kind::Sign("youngest") => Order::Youngest,
            Kind::Sign("oldest") => Order::Oldest,
            _ => return Err(self.unexpected("`youngest` or `oldest`")),
        };
        self.skip();
        self.program.scheduling.priorities = self.accept("priorities");
        self.program.scheduling.early = self.accept("early");
        self.program.scheduling.lazy = self.accept("lazy");
        self.program.scheduling.lockstep = self.accept("lockstep");
        while *self.kind() != Kind::End {
            self.item()?;
        }
        Ok(self.program)
    }

    fn item(&mut self) -> Parsed<()> {
        let Kind::Sign(keyword) = *self.kind() else { return Err(self.unexpected("a declaration")) };
        self.skip();
        match keyword {
            "symbols" => self.symbols()?,
            "shared" => {
                let variable = self.declaration()?;
                self.program.shared.push(variable);
            }
            "channel" => self.channel()?,
            "open" => {
                let open = self.opening()?;
                self.program.opens.push(open);
            }
            "process" => self.process()?,
            "start" => {
                let process = self.process_named()?;
                let name = if self.accept("named") { Some(self.plain("a name")?) } else { None };
                self.program.start.push(Start { process, name });
            }
            "last" => self.program.last = Some(self.shared()?),
            "proposition" => {
                let name = self.plain("a name")?;
                self.expect("=")?;
                let expr = self.expr()?;
                self.program.propositions.push(Proposition { name, expr });
            }
            "monitor" => self.monitor()?,
            "claim" => {
                let process = self.process_named()?;
                self.expect("at")?;
                let at = self.shared()?;
                let late = self.accept("late");
                self.program.claim = Some(ClaimPlace { process, at, late });
            }
            _ => {
                self.at -= 1;
                return Err(self.unexpected("a declaration").help("see the grammar of the text form"));
            }
        }
        Ok(())
    }

    fn symbols(&mut self) -> Parsed<()> {
        self.next_ordinal('S', self.program.symbols.len())?;
        self.expect("{")?;
        let mut names = Vec::new();
        while !self.accept("}") {
            if !names.is_empty() {
                self.expect(",")?;
            }
            names.push(self.plain("a name")?);
        }
        self.program.symbols.push(names);
        Ok(())
    }

    fn domain(&mut self) -> Parsed<Domain> {
        let min = self.number()?;
        self.expect("..")?;
        Ok(Domain { min, max: self.number()? })
    }

    fn shown(&mut self) -> Parsed<Shown> {
        if !self.accept("as") {
            return Ok(Shown::Number);
        }
        if self.accept("channels") {
            return Ok(Shown::Channel);
        }
        self.ordinal('S', "a set of symbols, such as `S0`, or `channels`").map(Shown::Symbol)
    }

    /// Takes so much of what can be made.
    pub fn take(&mut self, count: u32, span: Span) -> Parsed<()> {
        match self.left.checked_sub(count) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Diagnostic::error(span, "this is more than a state could hold")),
        }
    }

    pub fn declaration(&mut self) -> Parsed<Variable> {
        let span = self.span();
        let (name, _) = self.name("a name")?;
        let len = if self.accept("[") {
            let len = self.unsigned()?;
            self.expect("]")?;
            Some(len)
        } else {
            None
        };
        self.expect(":")?;
        let domain = self.domain()?;
        let rule = if self.accept("wrap") {
            StoreRule::Wrap
        } else if self.accept("fault") {
            StoreRule::Fault
        } else {
            return Err(self.unexpected("`wrap` or `fault`"));
        };
        self.expect("=")?;
        let mut initial = vec![self.number()?];
        while self.accept(",") {
            initial.push(self.number()?);
        }
        if let (Some(len), [value]) = (len, &initial[..]) {
            self.take(len, span)?;
            initial = vec![*value; len as usize];
        }
        Ok(Variable { name, domain, rule, len, initial, shown: self.shown()?, span })
    }

    fn channel(&mut self) -> Parsed<()> {
        let span = self.span();
        let (name, _) = self.name("a name")?;
        self.expect("[")?;
        let capacity = self.unsigned()?;
        self.expect("]")?;
        self.expect("{")?;
        let (mut fields, mut shown) = (Vec::new(), Vec::new());
        while !self.accept("}") {
            if !fields.is_empty() {
                self.expect(",")?;
            }
            fields.push(self.domain()?);
            shown.push(self.shown()?);
        }
        self.program.channels.push(Channel { name, capacity, fields, shown, span });
        Ok(())
    }

    pub fn opening(&mut self) -> Parsed<Opening> {
        let channel = self.among(&self.scope.channels, "channel")?;
        self.expect("for")?;
        let names = match self.me {
            Some(p) => &self.scope.locals[p],
            None => &self.scope.shared,
        };
        let var = self.among(names, "variable")?;
        let mut element = 0;
        if self.accept("[") {
            element = self.unsigned()?;
            self.expect("]")?;
        }
        Ok(Opening { channel, var, element })
    }

    fn monitor(&mut self) -> Parsed<()> {
        let span = self.span();
        let at = self.shared()?;
        self.expect("ends")?;
        let last = self.ordinal('W', "a location of the monitor, such as `W0`")?;
        let negated = self.accept("negated");
        self.expect("{")?;
        let mut locations = Vec::new();
        while !self.accept("}") {
            self.expect("at")?;
            self.next_ordinal('W', locations.len())?;
            let mut events = Vec::new();
            while let Kind::Sign(kind @ ("send" | "receive")) = *self.kind() {
                self.skip();
                let receive = self.receive()?;
                self.expect("->")?;
                let to = self.ordinal('W', "a location of the monitor, such as `W0`")?;
                events.push(Event { sends: kind == "send", receive, to });
            }
            locations.push(events);
        }
        self.program.monitor = Some(TraceMonitor { at, negated, locations, last, span });
        Ok(())
    }

    fn process(&mut self) -> Parsed<()> {
        self.me = Some(self.program.processes.len());
        let process = self.process_body()?;
        self.me = None;
        self.program.processes.push(process);
        Ok(())
    }
}
