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

    fn place(&self, place: Place) -> String {
        let var = &self.program.vars[place.var.index()].name;
        let owner = match place.owner {
            Owner::Own => String::new(),
            Owner::Of(i) => format!("{}:", self.program.instances[i.index()].name),
        };
        match place.index {
            None => format!("{owner}{var}"),
            Some(i) => format!("{owner}{var}[{}]", self.expr(i)),
        }
    }

    /// Fully parenthesised, built bottom up over the arena's order.
    fn expr(&self, root: ExprId) -> String {
        let exprs = &self.program.exprs;
        let mut needed = Vec::new();
        exprs.walk(root, |e, _| needed.push(e));
        needed.sort_unstable();
        needed.dedup();
        let mut texts: std::collections::HashMap<ExprId, String> = std::collections::HashMap::new();
        for e in needed {
            let of = |e: ExprId| texts[&e].clone();
            let text = match exprs.get(e) {
                Expr::Const(k) => k.to_string(),
                Expr::Read(Place { index: Some(i), var, owner }) => {
                    let whole = self.place(Place { var, owner, index: None });
                    format!("{whole}[{}]", of(i))
                }
                Expr::Read(place) => self.place(place),
                Expr::At(i, l) => {
                    let process = self.program.process_of(i);
                    format!(
                        "{}@{}",
                        self.program.instances[i.index()].name,
                        process.locations[l.index()].name
                    )
                }
                Expr::Len(c) => format!("len({})", self.program.channels[c.index()].name),
                Expr::Unary(op, a) => format!("{}{}", unary(op), of(a)),
                Expr::Binary(op, a, b) => format!("({} {} {})", of(a), binary(op), of(b)),
            };
            texts.insert(e, text);
        }
        texts.remove(&root).unwrap_or_default()
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
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        Rem => "%",
        BitAnd => "&",
        BitOr => "|",
        BitXor => "^",
        Shl => "<<",
        Shr => ">>",
        Eq => "==",
        Ne => "!=",
        Lt => "<",
        Le => "<=",
        Gt => ">",
        Ge => ">=",
        And => "&&",
        Or => "||",
        Imply => "=>",
    }
}
