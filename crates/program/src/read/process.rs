//! Process types: control graphs, blocks, actions and statements.

use super::lexer::Kind;
use super::parser::{Parsed, Parser};
use crate::form::{Action, Block, Edge, Guard, Location, Offer, Place, Print, Process, Statement, Work};
use crate::ids::{ExprId, LocId};
use riata_source::{Diagnostic, Span};

impl Parser<'_> {
    /// A process type, after its keyword.
    pub fn process_body(&mut self) -> Parsed<Process> {
        let span = self.span();
        let (name, _) = self.name("a name")?;
        let mut process = Process {
            name,
            parameters: 0,
            locals: Vec::new(),
            initialisers: Vec::new(),
            opens: Vec::new(),
            locations: Vec::new(),
            initial: LocId(0),
            edges: Vec::new(),
            provided: None,
            priority: 1,
            span,
        };
        if self.accept("priority") {
            process.priority = self.unsigned()?;
        }
        self.expect("{")?;
        while !self.accept("}") {
            self.part(&mut process)?;
        }
        Ok(process)
    }

    fn part(&mut self, process: &mut Process) -> Parsed<()> {
        let span = self.span();
        let Kind::Sign(keyword) = *self.kind() else { return Err(self.unexpected("a part of a process")) };
        match keyword {
            "parameter" | "local" => {
                self.skip();
                if keyword == "parameter" {
                    if process.parameters as usize != process.locals.len() {
                        return Err(Diagnostic::error(span, "a parameter comes after other variables")
                            .help("declare the parameters first"));
                    }
                    process.parameters += 1;
                }
                let variable = self.declaration()?;
                process.locals.push(variable);
            }
            "open" => {
                self.skip();
                let open = self.opening()?;
                process.opens.push(open);
            }
            "initially" => {
                self.skip();
                let place = self.place()?;
                self.expect(":=")?;
                let value = self.expr()?;
                process.initialisers.push((place, value));
            }
            "provided" => {
                self.skip();
                process.provided = Some(self.expr()?);
            }
            "location" => {
                self.skip();
                self.location(process)?;
            }
            "edge" => {
                self.skip();
                let edge = self.edge()?;
                process.edges.push(edge);
            }
            _ => return Err(self.unexpected("a part of a process")),
        }
        Ok(())
    }

    fn location(&mut self, process: &mut Process) -> Parsed<()> {
        let count = process.locations.len();
        let mut location = Location { span: self.span(), ..Location::default() };
        self.next_ordinal('L', count)?;
        loop {
            match self.kind() {
                Kind::Text(label) => location.labels.push(label.clone()),
                Kind::Sign("initial") => process.initial = LocId::new(count),
                Kind::Sign("end") => location.end = true,
                Kind::Sign("accepting") => location.accepting = true,
                Kind::Sign("progress") => location.progress = true,
                Kind::Sign("committed") => location.committed = true,
                Kind::Sign("number") => {
                    self.skip();
                    location.number = self.number()?;
                    continue;
                }
                _ => break,
            }
            self.skip();
        }
        while self.accept("assert") {
            let e = self.expr()?;
            location.asserts.push(e);
        }
        process.locations.push(location);
        Ok(())
    }

    fn edge(&mut self) -> Parsed<Edge> {
        let span = self.span();
        let from = LocId(self.ordinal('L', "a location, such as `L0`")?);
        self.expect("->")?;
        let to = LocId(self.ordinal('L', "a location, such as `L0`")?);
        let rank = if self.accept("rank") { self.unsigned()? } else { 0 };
        let keeps = self.accept("keeps");
        let merged = if self.accept("merged") { self.unsigned()? } else { 0 };
        self.take(merged, span)?;
        let work = if self.accept("block") {
            let block = self.block()?;
            self.program.blocks.push(block);
            Work::Block(self.program.blocks.len() as u32 - 1, span.to(self.before()))
        } else {
            Work::Action(self.action(span)?)
        };
        Ok(Edge { from, to, work, keeps, rank, merged: vec![Span::default(); merged as usize] })
    }

    fn block(&mut self) -> Parsed<Block> {
        self.expect("{")?;
        let mut nodes = Vec::new();
        while !self.accept("}") {
            self.expect("node")?;
            self.next_ordinal('N', nodes.len())?;
            let mut node = Vec::new();
            while self.accept("option") {
                let action = self.action(self.before())?;
                self.expect("->")?;
                let to = if self.accept("out") {
                    None
                } else {
                    Some(self.ordinal('N', "a node, such as `N0`, or `out`")?)
                };
                node.push((action, to));
            }
            nodes.push(node);
        }
        Ok(Block { nodes })
    }

    fn action(&mut self, start: Span) -> Parsed<Action> {
        let guard = if self.accept("when") {
            Guard::When(self.expr()?)
        } else if self.accept("else") {
            Guard::Else
        } else {
            Guard::Always
        };
        let offer = if self.accept("send") {
            let sorted = self.accept("sorted");
            let channel = self.expr()?;
            let values = self.list()?;
            Offer::Send { channel, sorted, values }
        } else if self.accept("receive") {
            Offer::Receive(self.receive()?)
        } else {
            Offer::None
        };
        let mut effect = Vec::new();
        if self.accept("do") {
            effect.push(self.statement()?);
            while self.accept(";") {
                effect.push(self.statement()?);
            }
        }
        Ok(Action { guard, offer, effect, span: start.to(self.before()) })
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let span = self.span();
        if self.accept("exit") {
            return Ok(Statement::Exit);
        }
        if self.accept("assert") {
            return Ok(Statement::Assert(self.expr()?));
        }
        if self.accept("set_priority") {
            return match self.list()?[..] {
                [pid, priority] => Ok(Statement::SetPriority(pid, priority)),
                _ => Err(Diagnostic::error(span, "`set_priority` has two arguments")
                    .help("a pid, then a priority")),
            };
        }
        if self.accept("run") {
            let process = self.process_named()?;
            let arguments = self.list()?;
            let priority = if self.accept("priority") { Some(self.expr()?) } else { None };
            let pid = if self.accept("into") { Some(self.place()?) } else { None };
            return Ok(Statement::Run { process, arguments, priority, pid, span: span.to(self.before()) });
        }
        if self.accept("print") {
            let format = self.plain("a text in quotes")?;
            let arguments = self.list()?;
            self.program.prints.push(Print { format, arguments });
            return Ok(Statement::Print(self.program.prints.len() as u32 - 1));
        }
        let place = self.place()?;
        self.expect(":=")?;
        Ok(Statement::Assign(place, self.expr()?))
    }

    /// A place to which something is stored.
    fn place(&mut self) -> Parsed<Place> {
        let var = self.stored()?;
        if !self.accept("[") {
            return Ok(Place { var, index: None });
        }
        let index = self.expr()?;
        self.expect("]")?;
        Ok(Place { var, index: Some(index) })
    }

    fn list(&mut self) -> Parsed<Vec<ExprId>> {
        self.expect("(")?;
        let mut values = Vec::new();
        let mut more = !self.accept(")");
        while more {
            values.push(self.expr()?);
            more = self.goes_on()?;
        }
        Ok(values)
    }
}
