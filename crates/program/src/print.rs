//! A program as text, for people who look at what a front end made of a model, and for golden tests.

use crate::expr::{Binary, Expr, Owner, Place, Unary};
use crate::ids::{ExprId, InstanceId, ProcId};
use crate::program::{Edge, Guard, Offer, Pattern, Program, Scheduling, Statement, StoreRule, Variable};
use std::fmt::Write;

/// The whole program.
pub fn print(program: &Program) -> String {
    let p = Printer { program };
    let mut out = String::new();
    let rule = match program.scheduling {
        Scheduling::Interleaving => "interleaving",
        Scheduling::Lockstep => "lockstep",
    };
    let _ = writeln!(out, "program {rule}");
    for var in program.vars.iter().filter(|v| v.owner.is_none()) {
        p.variable(&mut out, "shared", var);
    }
    for c in &program.channels {
        let fields: Vec<String> = c.fields.iter().map(|d| format!("{}..{}", d.min, d.max)).collect();
        let _ = writeln!(out, "channel {}[{}] {{{}}}", c.name, c.capacity, fields.join(", "));
    }
    for (i, process) in program.processes.iter().enumerate() {
        let _ = writeln!(out, "process {}", process.name);
        for var in program.vars.iter().filter(|v| v.owner == Some(ProcId::new(i))) {
            p.variable(&mut out, "  local", var);
        }
        for (l, location) in process.locations.iter().enumerate() {
            let mut marks = String::new();
            for (mark, set) in [
                (" initial", process.initial.index() == l),
                (" committed", location.committed),
                (" accepting", location.accepting),
            ] {
                marks.push_str(if set { mark } else { "" });
            }
            let _ = writeln!(out, "  location {}{marks}", location.name);
            for &a in &location.asserts {
                let _ = writeln!(out, "    assert {}", p.expr(a));
            }
        }
        for edge in &process.edges {
            let name = |l: crate::LocId| &process.locations[l.index()].name;
            let _ = writeln!(out, "  edge {} -> {}{}", name(edge.from), name(edge.to), p.edge(edge));
        }
    }
    for (i, instance) in program.instances.iter().enumerate() {
        let role = if program.claim == Some(InstanceId::new(i)) { "claim" } else { "instance" };
        let _ =
            writeln!(out, "{role} {}: {}", instance.name, program.processes[instance.process.index()].name);
    }
    for proposition in &program.propositions {
        let _ = writeln!(out, "proposition {}: {}", proposition.name, p.expr(proposition.expr));
    }
    out
}

struct Printer<'a> {
    program: &'a Program,
}

impl Printer<'_> {
    fn variable(&self, out: &mut String, kind: &str, v: &Variable) {
        let len = v.len.map_or(String::new(), |n| format!("[{n}]"));
        let rule = match v.rule {
            StoreRule::Wrap => "wrap",
            StoreRule::Fault => "fault",
        };
        let initial: Vec<String> = v.initial.iter().map(i32::to_string).collect();
        let _ = writeln!(
            out,
            "{kind} {}{len}: {}..{} {rule} = {}",
            v.name,
            v.domain.min,
            v.domain.max,
            initial.join(", ")
        );
    }

    fn edge(&self, edge: &Edge) -> String {
        let mut out = String::new();
        if let Guard::When(g) = edge.guard {
            let _ = write!(out, " when {}", self.expr(g));
        }
        match &edge.offer {
            Offer::None => {}
            Offer::Send(c, values) => {
                let values: Vec<String> = values.iter().map(|&v| self.expr(v)).collect();
                let _ = write!(out, " send {}({})", self.program.channels[c.index()].name, values.join(", "));
            }
            Offer::Receive(c, patterns) => {
                let patterns: Vec<String> = patterns
                    .iter()
                    .map(|p| match p {
                        Pattern::Bind(place) => self.place(*place),
                        Pattern::Any => "_".to_string(),
                    })
                    .collect();
                let _ = write!(
                    out,
                    " receive {}({})",
                    self.program.channels[c.index()].name,
                    patterns.join(", ")
                );
            }
        }
        for (i, &Statement::Assign(place, value)) in edge.effect.iter().enumerate() {
            let sep = if i == 0 { " do" } else { ";" };
            let _ = write!(out, "{sep} {} := {}", self.place(place), self.expr(value));
        }
        out
    }

    fn name(&self, place: Place) -> String {
        let var = &self.program.vars[place.var.index()].name;
        match place.owner {
            Owner::Own => var.clone(),
            Owner::Of(i) => format!("{}:{var}", self.program.instances[i.index()].name),
        }
    }

    fn place(&self, place: Place) -> String {
        match place.index {
            None => self.name(place),
            Some(i) => format!("{}[{}]", self.name(place), self.expr(i)),
        }
    }

    /// Fully parenthesised, with a stack of what is still to be written, since expressions nest.
    fn expr(&self, root: ExprId) -> String {
        enum Work {
            Expr(ExprId),
            Text(&'static str),
        }
        let mut out = String::new();
        let mut work = vec![Work::Expr(root)];
        while let Some(next) = work.pop() {
            let e = match next {
                Work::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Work::Expr(e) => e,
            };
            match self.program.exprs.get(e) {
                Expr::Const(k) => {
                    let _ = write!(out, "{k}");
                }
                Expr::Read(place) => {
                    out.push_str(&self.name(place));
                    if let Some(index) = place.index {
                        out.push('[');
                        work.extend([Work::Text("]"), Work::Expr(index)]);
                    }
                }
                Expr::At(i, l) => {
                    let process = self.program.process_of(i);
                    let location = &process.locations[l.index()].name;
                    let _ = write!(out, "{}@{location}", self.program.instances[i.index()].name);
                }
                Expr::Len(c) => {
                    let _ = write!(out, "len({})", self.program.channels[c.index()].name);
                }
                Expr::Unary(op, a) => {
                    out.push_str(unary(op));
                    work.push(Work::Expr(a));
                }
                Expr::Binary(op, a, b) => {
                    out.push('(');
                    work.extend([Work::Text(")"), Work::Expr(b), Work::Text(binary(op)), Work::Expr(a)]);
                }
            }
        }
        out
    }
}

fn unary(op: Unary) -> &'static str {
    match op {
        Unary::Neg => "-",
        Unary::Complement => "~",
        Unary::Not => "!",
    }
}

fn binary(op: Binary) -> &'static str {
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
        And => " && ",
        Or => " || ",
        Imply => " => ",
    }
}
