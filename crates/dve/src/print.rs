//! Models as text again, in one layout and with all brackets written: for people who clean up generated models, and
//! for tests that parse what was printed.

use crate::ast::{Initial, Model, Name, Node, Process, Tree, Type, Variable};
use riata_program::{Binary, Unary};
use std::fmt::Write;

/// The whole model.
pub(crate) fn print(model: &Model) -> String {
    let mut p = Printer { model, out: String::new() };
    for v in &model.variables {
        p.variable("", v);
    }
    for c in &model.channels {
        let types = c.types.as_ref().map_or(String::new(), |types| {
            let types: Vec<&str> = types.iter().map(|&t| name_of(t)).collect();
            format!("{{{}}} ", types.join(", "))
        });
        let _ = write!(p.out, "channel {types}{}", c.name.text);
        if let Some(size) = c.size {
            p.bracketed(size);
        }
        p.out.push_str(";\n");
    }
    for process in &model.processes {
        p.process(process);
    }
    if let Some(system) = &model.system {
        let kind = if system.lockstep { "sync" } else { "async" };
        let property = system.property.as_ref().map_or(String::new(), |n| format!(" property {}", n.text));
        let _ = writeln!(p.out, "system {kind}{property};");
    }
    p.out
}

struct Printer<'a> {
    model: &'a Model,
    out: String,
}

impl Printer<'_> {
    fn variable(&mut self, indent: &str, v: &Variable) {
        let constant = if v.constant { "const " } else { "" };
        let _ = write!(self.out, "{indent}{constant}{} {}", name_of(v.kind), v.name.text);
        if let Some(len) = v.len {
            self.bracketed(len);
        }
        match &v.initial {
            None => {}
            Some(Initial::One(tree)) => {
                self.out.push_str(" = ");
                self.expr(*tree);
            }
            Some(Initial::List(trees, _)) => {
                self.out.push_str(" = ");
                self.list(trees);
            }
        }
        self.out.push_str(";\n");
    }

    fn bracketed(&mut self, tree: Tree) {
        self.out.push('[');
        self.expr(tree);
        self.out.push(']');
    }

    fn list(&mut self, trees: &[Tree]) {
        for (i, &tree) in trees.iter().enumerate() {
            self.out.push_str(if i == 0 { "{" } else { ", " });
            self.expr(tree);
        }
        self.out.push('}');
    }

    fn names(&mut self, word: &str, names: &[Name]) {
        if !names.is_empty() {
            let names: Vec<&str> = names.iter().map(|n| n.text.as_str()).collect();
            let _ = writeln!(self.out, "  {word} {};", names.join(", "));
        }
    }

    fn process(&mut self, process: &Process) {
        let _ = writeln!(self.out, "process {} {{", process.name.text);
        for v in &process.variables {
            self.variable("  ", v);
        }
        self.names("state", &process.states);
        self.names("init", process.init.as_slice());
        self.names("commit", &process.commit);
        self.names("accept", &process.accept);
        for (i, (state, tree)) in process.asserts.iter().enumerate() {
            let _ = write!(self.out, "{}{}: ", if i == 0 { "  assert " } else { ",\n    " }, state.text);
            self.expr(*tree);
        }
        if !process.asserts.is_empty() {
            self.out.push_str(";\n");
        }
        for (i, t) in process.transitions.iter().enumerate() {
            let start = if i == 0 { "  trans\n    " } else { ",\n    " };
            let _ = write!(self.out, "{start}{} -> {} {{", t.from.text, t.to.text);
            if let Some(guard) = t.guard {
                self.out.push_str(" guard ");
                self.expr(guard);
                self.out.push(';');
            }
            if let Some(sync) = &t.sync {
                let _ = write!(self.out, " sync {}{}", sync.channel.text, if sync.send { '!' } else { '?' });
                if !sync.values.is_empty() {
                    self.list(&sync.values);
                }
                self.out.push(';');
            }
            for (i, &(place, value)) in t.effect.iter().enumerate() {
                self.out.push_str(if i == 0 { " effect " } else { ", " });
                self.expr(place);
                self.out.push_str(" = ");
                self.expr(value);
            }
            self.out.push_str(if t.effect.is_empty() { " }" } else { "; }" });
        }
        if !process.transitions.is_empty() {
            self.out.push_str(";\n");
        }
        self.out.push_str("}\n");
    }

    /// With a stack of what is still to be written, since expressions nest.
    fn expr(&mut self, tree: Tree) {
        enum Work {
            Node(usize),
            Text(&'static str),
        }
        let mut work = vec![Work::Node(tree.root)];
        while let Some(next) = work.pop() {
            let n = match next {
                Work::Text(text) => {
                    self.out.push_str(text);
                    continue;
                }
                Work::Node(n) => n,
            };
            match &self.model.nodes[n] {
                Node::Number(k) => {
                    let _ = write!(self.out, "{k}");
                }
                Node::Name(name) => self.out.push_str(&name.text),
                Node::At(process, state) => {
                    let _ = write!(self.out, "{}.{}", process.text, state.text);
                }
                Node::Foreign(process, name) => {
                    let _ = write!(self.out, "{}->{}", process.text, name.text);
                }
                Node::Element(name, index) => {
                    let _ = write!(self.out, "{}[", name.text);
                    work.extend([Work::Text("]"), Work::Node(*index)]);
                }
                Node::ForeignElement(process, name, index) => {
                    let _ = write!(self.out, "{}->{}[", process.text, name.text);
                    work.extend([Work::Text("]"), Work::Node(*index)]);
                }
                Node::Unary(op, a) => {
                    self.out.push_str(match op {
                        Unary::Neg => "(-",
                        Unary::Complement => "(~",
                        Unary::Not => "(not ",
                    });
                    work.extend([Work::Text(")"), Work::Node(*a)]);
                }
                Node::Binary(op, a, b) => {
                    self.out.push('(');
                    work.extend([Work::Text(")"), Work::Node(*b), Work::Text(sign(*op)), Work::Node(*a)]);
                }
            }
        }
    }
}

fn name_of(kind: Type) -> &'static str {
    match kind {
        Type::Byte => "byte",
        Type::Int => "int",
    }
}

fn sign(op: Binary) -> &'static str {
    use Binary::*;
    match op {
        Add => " + ",
        Sub => " - ",
        Mul => " * ",
        Div => " / ",
        Rem => " % ",
        BitAnd => " & ",
        BitOr => " | ",
        BitXor => " ^ ",
        Shl => " << ",
        Shr => " >> ",
        Eq => " == ",
        Ne => " != ",
        Lt => " < ",
        Le => " <= ",
        Gt => " > ",
        Ge => " >= ",
        And => " and ",
        Or => " or ",
        Imply => " imply ",
    }
}
