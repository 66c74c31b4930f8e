//! A tree as text: one layout, all brackets written, macros and inlines expanded.
//!
//! Reading the text again gives the same tree, but for places, and for calls of inlines, which are blocks then.

mod expression;

use crate::ast::{
    Block, CText, CUnit, Choice, Declaration, Exclusive, ExprId, ForRange, Initial, Model, Process,
    Reference, Statement, StatementKind, Type, Unit, Variable, Visibility,
};
use expression::Printer;

/// The model as text.
pub fn print(model: &Model) -> String {
    let mut p =
        Text { p: Printer { exprs: &model.exprs, out: String::new() }, indent: 0, results: Vec::new() };
    for unit in &model.units {
        p.unit(unit);
    }
    p.p.out
}

struct Text<'a> {
    p: Printer<'a>,
    indent: usize,
    /// Where `return` stores, for each call that is open.
    results: Vec<Option<&'a Reference>>,
}

impl<'a> Text<'a> {
    fn put(&mut self, text: &str) {
        self.p.out.push_str(text);
    }

    fn line(&mut self) {
        self.put("\n");
        for _ in 0..self.indent {
            self.put("    ");
        }
    }

    fn unit(&mut self, unit: &'a Unit) {
        match unit {
            Unit::Mtype(mtype) => {
                self.put("mtype");
                if let Some(subtype) = &mtype.subtype {
                    self.put(":");
                    self.put(&subtype.text);
                }
                self.put(" = { ");
                let names: Vec<&str> = mtype.names.iter().map(|n| &*n.text).collect();
                self.put(&names.join(", "));
                self.put(" }");
            }
            Unit::Typedef(typedef) => {
                self.put("typedef ");
                self.put(&typedef.name.text);
                self.put(" {");
                self.indent += 1;
                for field in &typedef.fields {
                    self.line();
                    self.declaration(field);
                    self.put(";");
                }
                self.indent -= 1;
                self.line();
                self.put("}");
            }
            Unit::Declaration(declaration) => {
                self.declaration(declaration);
                self.put(";");
            }
            Unit::Process(process) => self.process(process),
            Unit::Init(init) => {
                self.put("init");
                self.optional(" priority ", init.priority);
                self.put(" ");
                self.block(&init.body);
            }
            Unit::Never(never) => {
                self.put("never ");
                if let Some(name) = &never.name {
                    self.put(&name.text);
                    self.put(" ");
                }
                self.block(&never.body);
            }
            Unit::Trace(trace) => {
                self.put(if trace.negated { "notrace " } else { "trace " });
                if let Some(name) = &trace.name {
                    self.put(&name.text);
                    self.put(" ");
                }
                self.block(&trace.body);
            }
            Unit::Ltl(ltl) => {
                self.put("ltl ");
                if let Some(name) = &ltl.name {
                    self.put(&name.text);
                    self.put(" ");
                }
                self.put("{ ");
                self.p.formula(&ltl.formula);
                self.put(" }");
            }
            Unit::Inline(_) => return,
            Unit::C(c) => match c {
                CUnit::Code(c) => self.c("c_code", c),
                CUnit::Decl(c) => self.c("c_decl", c),
                CUnit::State(strings, _) => self.strings("c_state", strings),
                CUnit::Track(strings, _) => self.strings("c_track", strings),
            },
        }
        self.put("\n");
    }

    fn c(&mut self, word: &str, c: &CText) {
        self.put(word);
        if let Some(precondition) = &c.precondition {
            self.put(" [");
            self.put(precondition);
            self.put("]");
        }
        self.put(" { ");
        self.put(&c.text);
        self.put(" }");
    }

    fn strings(&mut self, word: &str, strings: &[std::sync::Arc<str>]) {
        self.put(word);
        for string in strings {
            self.put(" \"");
            self.put(string);
            self.put("\"");
        }
    }

    fn optional(&mut self, before: &str, e: Option<ExprId>) {
        if let Some(e) = e {
            self.put(before);
            self.p.expr(e);
        }
    }

    fn process(&mut self, process: &'a Process) {
        if let Some(active) = &process.active {
            self.put("active ");
            if let Some(count) = active.count {
                self.put("[");
                self.p.expr(count);
                self.put("] ");
            }
        }
        self.put(if process.deterministic { "D_proctype " } else { "proctype " });
        self.put(&process.name.text);
        self.put("(");
        for (i, parameter) in process.parameters.iter().enumerate() {
            if i > 0 {
                self.put("; ");
            }
            self.declaration(parameter);
        }
        self.put(")");
        self.optional(" priority ", process.priority);
        if let Some(provided) = process.provided {
            self.put(" provided (");
            self.p.expr(provided);
            self.put(")");
        }
        self.put(" ");
        self.block(&process.body);
    }

    fn kind(&mut self, kind: &Type) {
        let text = match kind {
            Type::Bit => "bit",
            Type::Bool => "bool",
            Type::Byte => "byte",
            Type::Pid => "pid",
            Type::Short => "short",
            Type::Int => "int",
            Type::Unsigned => "unsigned",
            Type::Chan => "chan",
            Type::Named(name) => &name.text,
            Type::Mtype(None) => "mtype",
            Type::Mtype(Some(name)) => {
                self.put("mtype:");
                &name.text
            }
        };
        self.put(text);
    }

    fn declaration(&mut self, declaration: &'a Declaration) {
        self.put(match declaration.visibility {
            Some(Visibility::Hidden) => "hidden ",
            Some(Visibility::Show) => "show ",
            Some(Visibility::Local) => "local ",
            None => "",
        });
        self.kind(&declaration.kind);
        for (i, variable) in declaration.variables.iter().enumerate() {
            self.put(if i > 0 { ", " } else { " " });
            self.variable(variable);
        }
    }

    fn variable(&mut self, variable: &'a Variable) {
        self.put(&variable.name.text);
        self.optional(" : ", variable.width);
        if let Some(length) = variable.length {
            self.put("[");
            self.p.expr(length);
            self.put("]");
        }
        match &variable.initial {
            None => {}
            Some(Initial::Value(e)) => self.optional(" = ", Some(*e)),
            Some(Initial::List(list, _)) => {
                self.put(" = { ");
                self.p.exprs(list);
                self.put(" }");
            }
            Some(Initial::Channel(channel)) => {
                self.put(" = [");
                self.p.expr(channel.capacity);
                self.put("] of { ");
                for (i, (kind, _)) in channel.fields.iter().enumerate() {
                    if i > 0 {
                        self.put(", ");
                    }
                    self.kind(kind);
                }
                self.put(" }");
            }
        }
    }

    fn block(&mut self, block: &'a Block) {
        self.put("{");
        self.indent += 1;
        for statement in &block.statements {
            self.line();
            self.statement(statement);
            self.put(";");
        }
        self.indent -= 1;
        self.line();
        self.put("}");
    }

    fn statement(&mut self, statement: &'a Statement) {
        for label in &statement.labels {
            self.put(&label.text);
            self.put(": ");
        }
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Exclusive(exclusive, channels) => {
                self.put(if *exclusive == Exclusive::Receive { "xr " } else { "xs " });
                for (i, channel) in channels.iter().enumerate() {
                    if i > 0 {
                        self.put(", ");
                    }
                    self.p.reference(channel);
                }
            }
            StatementKind::Expression(e) => self.p.expr(*e),
            StatementKind::Else => self.put("else"),
            StatementKind::Assign(target, e) => self.assign(target, *e),
            StatementKind::Increment(target) => {
                self.p.reference(target);
                self.put("++");
            }
            StatementKind::Decrement(target) => {
                self.p.reference(target);
                self.put("--");
            }
            StatementKind::Assert(e) => {
                self.put("assert(");
                self.p.expr(*e);
                self.put(")");
            }
            StatementKind::Printf(format, arguments) => {
                self.put("printf(\"");
                self.put(format);
                self.put("\"");
                for &argument in arguments {
                    self.optional(", ", Some(argument));
                }
                self.put(")");
            }
            StatementKind::Printm(e) => {
                self.put("printm(");
                self.p.expr(*e);
                self.put(")");
            }
            StatementKind::Send { channel, sorted, arguments } => {
                self.p.reference(channel);
                self.put(if *sorted { "!!" } else { "!" });
                self.p.exprs(arguments);
            }
            StatementKind::Receive { channel, random, keep, patterns } => {
                self.p.reference(channel);
                self.put(if *random { "??" } else { "?" });
                self.put(if *keep { "<" } else { "" });
                self.p.patterns(patterns);
                self.put(if *keep { ">" } else { "" });
            }
            StatementKind::If(choices) => self.choices("if", choices, "fi"),
            StatementKind::Do(choices) => self.choices("do", choices, "od"),
            StatementKind::Break => self.put("break"),
            StatementKind::Goto(label) => {
                self.put("goto ");
                self.put(&label.text);
            }
            StatementKind::Atomic(block) => {
                self.put("atomic ");
                self.block(block);
            }
            StatementKind::DStep(block) => {
                self.put("d_step ");
                self.block(block);
            }
            StatementKind::Block(block) => self.block(block),
            StatementKind::Call(call) => {
                self.results.push(call.result.as_ref());
                self.block(&call.body);
                self.results.pop();
            }
            StatementKind::Unless(main, escape) => {
                self.statement(main);
                self.put(" unless ");
                self.statement(escape);
            }
            StatementKind::For(variable, range, body) => {
                self.put("for (");
                self.p.reference(variable);
                match range {
                    ForRange::Between(from, to) => {
                        self.optional(" : ", Some(*from));
                        self.optional(" .. ", Some(*to));
                    }
                    ForRange::In(reference) => {
                        self.put(" in ");
                        self.p.reference(reference);
                    }
                }
                self.put(") ");
                self.block(body);
            }
            StatementKind::Select(variable, from, to) => {
                self.put("select (");
                self.p.reference(variable);
                self.optional(" : ", Some(*from));
                self.optional(" .. ", Some(*to));
                self.put(")");
            }
            StatementKind::SetPriority(process, priority) => {
                self.put("set_priority(");
                self.p.expr(*process);
                self.optional(", ", Some(*priority));
                self.put(")");
            }
            StatementKind::Return(e) => match self.results.last().copied().flatten() {
                Some(target) => self.assign(target, *e),
                None => self.optional("return ", Some(*e)),
            },
            StatementKind::CCode(c) => self.c("c_code", c),
        }
    }

    fn assign(&mut self, target: &'a Reference, e: ExprId) {
        self.p.reference(target);
        self.optional(" = ", Some(e));
    }

    fn choices(&mut self, begin: &str, choices: &'a [Choice], end: &str) {
        self.put(begin);
        for choice in choices {
            self.line();
            self.put("::");
            self.indent += 1;
            for statement in &choice.body.statements {
                self.line();
                self.statement(statement);
                self.put(";");
            }
            self.indent -= 1;
        }
        self.line();
        self.put(end);
    }
}
