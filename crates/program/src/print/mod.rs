//! A program as text, for people who look at what a front end or the optimiser made of a model. [`super::read`] reads
//! it back, and has the grammar.
//!
//! Receives, blocks and what is printed stand where they are used; what nobody uses is left out. So the program that is
//! read back may number them, and expressions, in another way; it means the same, and its text is the same.

mod expression;

use crate::form::{
    Action, Block, Channel, Edge, Guard, Offer, Opening, Order, Place, Process, Program, Shown, Statement,
    TraceMonitor, Variable, Work,
};
pub(super) use expression::{binary, query, unary};

use crate::domain::StoreRule;
use crate::ids::{ExprId, ProcId};
use crate::read::plain_name;
use std::collections::HashMap;
use std::fmt::Write;

/// The whole program, which must be well formed.
pub fn print(program: &Program) -> String {
    let mut printer = Printer::new(program);
    printer.program();
    printer.out
}

struct Printer<'a> {
    program: &'a Program,
    out: String,
    /// How variables, channels and process types are called in the text.
    shared: Vec<String>,
    locals: Vec<Vec<String>>,
    channels: Vec<String>,
    processes: Vec<String>,
    /// The process type at hand: its variables hide shared ones of the same name.
    me: Option<ProcId>,
}

/// A name as the text has it: in quotes unless it is an identifier and no keyword.
fn quoted(name: &str) -> String {
    if plain_name(name) { name.to_string() } else { string(name) }
}

fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Names that tell their bearers apart: from the second on, those that are called alike have a number.
fn distinct<'s>(names: impl Iterator<Item = &'s String>) -> Vec<String> {
    let mut seen: HashMap<&str, u32> = HashMap::new();
    let mut distinct = Vec::new();
    for name in names {
        let count = seen.entry(name).or_default();
        distinct.push(if *count == 0 { quoted(name) } else { format!("{}#{count}", quoted(name)) });
        *count += 1;
    }
    distinct
}

fn called(names: &[String], i: u32) -> &str {
    names.get(i as usize).map_or("?", |n| n)
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program) -> Self {
        let locals = |p: &Process| distinct(p.locals.iter().map(|v| &v.name));
        Printer {
            program,
            out: String::new(),
            shared: distinct(program.shared.iter().map(|v| &v.name)),
            locals: program.processes.iter().map(locals).collect(),
            channels: distinct(program.channels.iter().map(|c| &c.name)),
            processes: distinct(program.processes.iter().map(|p| &p.name)),
            me: None,
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn program(&mut self) {
        let program = self.program;
        let scheduling = program.scheduling;
        self.put("program");
        self.put(if scheduling.order == Order::Youngest { " youngest" } else { " oldest" });
        self.put(if scheduling.priorities { " priorities" } else { "" });
        self.put(if scheduling.early { " early" } else { "" });
        self.put(if scheduling.lazy { " lazy" } else { "" });
        self.put(if scheduling.lockstep { " lockstep\n" } else { "\n" });
        for (i, set) in program.symbols.iter().enumerate() {
            let names: Vec<String> = set.iter().map(|n| quoted(n)).collect();
            let _ = writeln!(self.out, "symbols S{i} {{ {} }}", names.join(", "));
        }
        for (v, variable) in program.shared.iter().enumerate() {
            let name = self.shared[v].clone();
            self.variable("shared", &name, variable);
        }
        for (c, channel) in program.channels.iter().enumerate() {
            self.channel(c, channel);
        }
        for open in &program.opens {
            self.opening("", *open, None);
        }
        for p in (0..program.processes.len()).map(ProcId::new) {
            self.me = Some(p);
            self.process(p, &program.processes[p.index()]);
            self.me = None;
        }
        for start in &program.start {
            let _ = write!(self.out, "start {}", called(&self.processes, start.process.0));
            if let Some(name) = &start.name {
                let _ = write!(self.out, " named {}", quoted(name));
            }
            self.put("\n");
        }
        if let Some(last) = program.last {
            let _ = writeln!(self.out, "last {}", called(&self.shared, last));
        }
        for proposition in &program.propositions {
            let _ = write!(self.out, "proposition {} = ", quoted(&proposition.name));
            self.expr(proposition.expr);
            self.put("\n");
        }
        if let Some(monitor) = &program.monitor {
            self.monitor(monitor);
        }
        if let Some(claim) = program.claim {
            let (process, at) = (called(&self.processes, claim.process.0), called(&self.shared, claim.at));
            let late = if claim.late { " late" } else { "" };
            let _ = writeln!(self.out, "claim {process} at {at}{late}");
        }
    }

    fn variable(&mut self, kind: &str, name: &str, v: &Variable) {
        let len = v.len.map_or(String::new(), |n| format!("[{n}]"));
        let rule = if v.rule == StoreRule::Wrap { "wrap" } else { "fault" };
        let same = v.initial.windows(2).all(|w| w[0] == w[1]);
        let initial: Vec<String> =
            v.initial.iter().take(if same { 1 } else { v.initial.len() }).map(i32::to_string).collect();
        let (min, max) = (v.domain.min, v.domain.max);
        let _ = write!(self.out, "{kind} {name}{len}: {min}..{max} {rule} = {}", initial.join(", "));
        self.shown(v.shown);
        self.put("\n");
    }

    fn shown(&mut self, shown: Shown) {
        match shown {
            Shown::Number => {}
            Shown::Channel => self.put(" as channels"),
            Shown::Symbol(set) => {
                let _ = write!(self.out, " as S{set}");
            }
        }
    }

    fn channel(&mut self, c: usize, channel: &Channel) {
        let _ = write!(self.out, "channel {}[{}] {{", self.channels[c], channel.capacity);
        for (i, (domain, &shown)) in channel.fields.iter().zip(&channel.shown).enumerate() {
            let _ = write!(self.out, "{} {}..{}", if i == 0 { "" } else { "," }, domain.min, domain.max);
            self.shown(shown);
        }
        self.put(" }\n");
    }

    fn opening(&mut self, indent: &str, open: Opening, me: Option<ProcId>) {
        let (variables, names) = match me {
            None => (&self.program.shared, &self.shared),
            Some(p) => (&self.program.processes[p.index()].locals, &self.locals[p.index()]),
        };
        let array = variables.get(open.var as usize).is_some_and(|v| v.len.is_some());
        let element = if array { format!("[{}]", open.element) } else { String::new() };
        let channel = called(&self.channels, open.channel);
        let _ = writeln!(self.out, "{indent}open {channel} for {}{element}", called(names, open.var));
    }

    fn process(&mut self, p: ProcId, process: &'a Process) {
        let _ = writeln!(self.out, "process {} priority {} {{", self.processes[p.index()], process.priority);
        for (v, variable) in process.locals.iter().enumerate() {
            let kind = if v < process.parameters as usize { "  parameter" } else { "  local" };
            let name = self.locals[p.index()][v].clone();
            self.variable(kind, &name, variable);
        }
        for open in &process.opens {
            self.opening("  ", *open, Some(p));
        }
        for &(place, value) in &process.initialisers {
            self.put("  initially ");
            self.assignment(place, value);
            self.put("\n");
        }
        if let Some(e) = process.provided {
            self.put("  provided ");
            self.expr(e);
            self.put("\n");
        }
        for (l, location) in process.locations.iter().enumerate() {
            let _ = write!(self.out, "  location L{l}");
            for (mark, set) in [
                (" initial", process.initial.index() == l),
                (" end", location.end),
                (" accepting", location.accepting),
                (" progress", location.progress),
                (" committed", location.committed),
            ] {
                self.put(if set { mark } else { "" });
            }
            if location.number != 0 {
                let _ = write!(self.out, " number {}", location.number);
            }
            for label in &location.labels {
                let _ = write!(self.out, " {}", string(label));
            }
            self.put("\n");
            for &e in &location.asserts {
                self.put("    assert ");
                self.expr(e);
                self.put("\n");
            }
        }
        process.edges.iter().for_each(|e| self.edge(e));
        self.put("}\n");
    }

    fn edge(&mut self, edge: &'a Edge) {
        let _ = write!(self.out, "  edge L{} -> L{}", edge.from.0, edge.to.0);
        if edge.rank != 0 {
            let _ = write!(self.out, " rank {}", edge.rank);
        }
        self.put(if edge.keeps { " keeps" } else { "" });
        if !edge.merged.is_empty() {
            let _ = write!(self.out, " merged {}", edge.merged.len());
        }
        match &edge.work {
            Work::Action(action) => self.action(action),
            Work::Block(b, _) => self.block(&self.program.blocks[*b as usize]),
        }
        self.put("\n");
    }

    fn block(&mut self, block: &'a Block) {
        self.put(" block {\n");
        for (n, node) in block.nodes.iter().enumerate() {
            let _ = writeln!(self.out, "    node N{n}");
            for (action, to) in node {
                self.put("      option");
                self.action(action);
                match to {
                    Some(to) => {
                        let _ = writeln!(self.out, " -> N{to}");
                    }
                    None => self.put(" -> out\n"),
                }
            }
        }
        self.put("  }");
    }

    fn action(&mut self, action: &'a Action) {
        match action.guard {
            Guard::Always => {}
            Guard::Else => self.put(" else"),
            Guard::When(e) => {
                self.put(" when ");
                self.expr(e);
            }
        }
        match &action.offer {
            Offer::None => {}
            Offer::Send { channel, sorted, values } => {
                self.put(if *sorted { " send sorted " } else { " send " });
                self.channel_of(*channel);
                self.list(values);
            }
            Offer::Receive(r) => {
                self.put(" receive");
                self.receive(&self.program.receives[*r as usize]);
            }
        }
        for (i, statement) in action.effect.iter().enumerate() {
            self.put(if i == 0 { " do " } else { "; " });
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'a Statement) {
        match statement {
            Statement::Assign(place, value) => self.assignment(*place, *value),
            Statement::Assert(e) => {
                self.put("assert ");
                self.expr(*e);
            }
            Statement::Run { process, arguments, priority, pid, .. } => {
                let _ = write!(self.out, "run {}", called(&self.processes, process.0));
                self.list(arguments);
                if let Some(e) = priority {
                    self.put(" priority ");
                    self.expr(*e);
                }
                if let Some(place) = pid {
                    self.put(" into ");
                    self.place(*place);
                }
            }
            Statement::Print(i) => {
                let print = &self.program.prints[*i as usize];
                let _ = write!(self.out, "print {}", string(&print.format));
                self.list(&print.arguments);
            }
            Statement::SetPriority(pid, priority) => {
                self.put("set_priority");
                self.list(&[*pid, *priority]);
            }
            Statement::Exit => self.put("exit"),
        }
    }

    fn assignment(&mut self, place: Place, value: ExprId) {
        self.place(place);
        self.put(" := ");
        self.expr(value);
    }

    fn monitor(&mut self, monitor: &'a TraceMonitor) {
        let at = called(&self.shared, monitor.at).to_string();
        let negated = if monitor.negated { " negated" } else { "" };
        let _ = writeln!(self.out, "monitor {at} ends W{}{negated} {{", monitor.last);
        for (l, events) in monitor.locations.iter().enumerate() {
            let _ = writeln!(self.out, "  at W{l}");
            for event in events {
                self.put(if event.sends { "    send" } else { "    receive" });
                self.receive(&self.program.receives[event.receive as usize]);
                let _ = writeln!(self.out, " -> W{}", event.to);
            }
        }
        self.put("}\n");
    }
}
