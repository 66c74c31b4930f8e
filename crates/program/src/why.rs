//! What an edge looks at, with the values that it finds: for people who ask why it cannot be taken.

use crate::evaluate::Sight;
use crate::form::{Action, Expr, Exprs, Guard, Offer, Var, Work};
use crate::ids::{EdgeId, ExprId};
use crate::interp::Interpreter;
use crate::view::Value;

/// What an edge looks at in a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// The variables of its condition, as they are written and what they hold.
    pub reads: Vec<(String, Value)>,
    /// The channel's name, and the messages in it unless it is a rendezvous.
    pub channel: Option<(String, Option<Value>)>,
}

impl Interpreter {
    /// What an edge of process `pid` looks at in `s`.
    pub fn looked(&self, s: &[u32], pid: u32, edge: EdgeId) -> Looked {
        let mut looked = Looked::default();
        let Some(of) = self.type_of(s, pid) else { return looked };
        let Some(edge) = self.program.processes[of.index()].edges.get(edge.index()) else { return looked };
        let sight = Sight { interpreter: self, s, me: pid, timeout: false, asked: false };
        let actions: Vec<&Action> = match &edge.work {
            Work::Action(a) => vec![a],
            Work::Block(b, _) => self.program.blocks[*b as usize].nodes[0].iter().map(|(a, _)| a).collect(),
        };
        for action in actions {
            if let Guard::When(e) = action.guard {
                self.reads(sight, e, &mut looked.reads);
            }
            let channel = match &action.offer {
                Offer::None => continue,
                Offer::Send { channel, .. } => *channel,
                Offer::Receive(r) => {
                    let receive = &self.program.receives[*r as usize];
                    for pattern in &receive.patterns {
                        if let crate::form::Pattern::Match(e) = pattern {
                            self.reads(sight, *e, &mut looked.reads);
                        }
                    }
                    receive.channel
                }
            };
            let Ok(id) = sight.value(channel) else { continue };
            looked.channel = self.channel_name(s, id).map(|name| (name, self.contents(s, id)));
        }
        looked
    }

    /// What the condition under which a process may move looks at.
    pub fn provided_reads(&self, s: &[u32], pid: u32) -> Vec<(String, Value)> {
        let mut reads = Vec::new();
        let of = self.type_of(s, pid);
        if let Some(e) = of.and_then(|of| self.program.processes[of.index()].provided) {
            self.reads(Sight { interpreter: self, s, me: pid, timeout: false, asked: false }, e, &mut reads);
        }
        reads
    }

    /// The variables below an expression, each once, with what they hold.
    fn reads(&self, sight: Sight, root: ExprId, reads: &mut Vec<(String, Value)>) {
        let mut todo = vec![root];
        while let Some(e) = todo.pop() {
            let expr = self.program.exprs.get(e);
            let mut operands: Vec<ExprId> = Exprs::operands(expr).collect();
            operands.reverse();
            todo.extend(operands);
            let (name, shown) = match expr {
                Expr::Read(place) => {
                    let of = self.type_of(sight.s, sight.me);
                    let Some(variable) = self.program.variable(of, place.var) else { continue };
                    if self.fixed(place.var) {
                        continue;
                    }
                    let name = match place.index.map(|i| sight.value(i)) {
                        Some(Ok(i)) => format!("{}[{i}]", variable.name),
                        Some(Err(_)) => continue,
                        None => variable.name.clone(),
                    };
                    let name = match place.var {
                        Var::Remote(p, ..) => format!("{}:{name}", self.program.processes[p.index()].name),
                        _ => name,
                    };
                    (name, variable.shown)
                }
                Expr::Channel(..) => {
                    // What it is asked about is below.
                    let Some(id) = Exprs::operands(expr).next().and_then(|c| sight.value(c).ok()) else {
                        continue;
                    };
                    let contents = self.contents(sight.s, id).unwrap_or(Value::List(Vec::new()));
                    if let Some(name) = self.channel_name(sight.s, id)
                        && !reads.iter().any(|(n, _)| *n == name)
                    {
                        reads.push((name, contents));
                    }
                    continue;
                }
                Expr::Processes => ("_nr_pr".to_string(), crate::form::Shown::Number),
                _ => continue,
            };
            if let Ok(v) = sight.value(e)
                && !reads.iter().any(|(n, _)| *n == name)
            {
                reads.push((name, self.shown(shown, v)));
            }
        }
    }

    /// Is it a variable that keeps a channel from the start?
    fn fixed(&self, var: Var) -> bool {
        matches!(var, Var::Shared(v) if self.program.opens.iter().any(|o| o.var == v))
    }
}
