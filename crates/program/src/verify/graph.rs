//! Control graphs: locations, edges, blocks and what they do.

use super::{Verifier, stamp};
use crate::domain::MAX_MESSAGE;
use crate::form::{Action, Edge, Guard, Offer, Process, Statement, Work};
use crate::frame::MAX_CHANNELS;
use crate::ids::{ExprId, LocId, ProcId};
use riata_source::Span;

/// The highest priority.
const MAX_PRIORITY: u32 = 255;

impl<'a> Verifier<'a> {
    pub(super) fn process(&mut self, p: ProcId) {
        let process: &'a Process = &self.program.processes[p.index()];
        let (name, span) = (&process.name, process.span);
        let count = process.locations.len();
        if count == 0 || count >= i32::MAX as usize - 2 {
            self.error(span, format!("process `{name}` has no locations, or too many"));
        }
        self.location(process, process.initial, span);
        if process.parameters as usize > process.locals.len() {
            self.error(span, format!("process `{name}` has more parameters than variables"));
        }
        if process.priority > MAX_PRIORITY {
            self.error(span, format!("the priority of process `{name}` is more than {MAX_PRIORITY}"));
        }
        self.variables(&process.locals);
        for open in &process.opens {
            self.opening(*open, &process.locals, 1..=MAX_CHANNELS as i32);
        }
        let mut todo: Vec<ExprId> = process.provided.into_iter().collect();
        for &(place, value) in &process.initialisers {
            self.stored(Some(p), place, span, &mut todo);
            todo.push(value);
        }
        todo.extend(process.locations.iter().flat_map(|l| l.asserts.iter().copied()));
        self.exprs(Some(p), todo);
        for edge in &process.edges {
            self.location(process, edge.from, edge.span());
            self.location(process, edge.to, edge.span());
            match &edge.work {
                Work::Action(action) => self.action(p, action),
                Work::Block(b, span) => self.block(p, *b, *span),
            }
        }
        self.groups(process);
    }

    fn location(&mut self, process: &Process, l: LocId, span: Span) {
        if l.index() >= process.locations.len() {
            self.error(span, format!("a location of process `{}` does not exist", process.name));
        }
    }

    /// The edges of a location come in groups side by side, the group of rank 0 last; `else` is the last of its group.
    fn groups(&mut self, process: &Process) {
        let mut from: Vec<Vec<&Edge>> = vec![Vec::new(); process.locations.len()];
        for edge in &process.edges {
            if let Some(list) = from.get_mut(edge.from.index()) {
                list.push(edge);
            }
        }
        for list in from {
            let mut left = std::collections::HashSet::new();
            for (i, edge) in list.iter().enumerate() {
                let next = list.get(i + 1);
                let ends = next.is_none_or(|n| n.rank != edge.rank);
                if ends && !left.insert(edge.rank) {
                    self.error(edge.span(), "the edges of a group are not side by side");
                }
                if edge.rank == 0 && next.is_some_and(|n| n.rank != 0) {
                    self.error(edge.span(), "the group of rank 0 is not the last of its location");
                }
                if edge.rank == u32::MAX {
                    self.error(edge.span(), "the rank of an edge is too high");
                }
                let otherwise = matches!(&edge.work, Work::Action(a) if a.guard == Guard::Else);
                if otherwise && !ends {
                    self.error(edge.span(), "`else` is not the last edge of its group");
                }
            }
        }
    }

    fn action(&mut self, p: ProcId, action: &Action) {
        let (me, span) = (Some(p), action.span);
        let mut todo = Vec::new();
        if let Guard::When(e) = action.guard {
            todo.push(e);
        }
        match &action.offer {
            Offer::None => {}
            Offer::Send { channel, values, .. } => {
                if values.len() > MAX_MESSAGE {
                    self.error(span, "a message has too many values");
                }
                todo.extend(values.iter().chain([channel]));
            }
            Offer::Receive(r) => self.receive(me, *r, span, &mut todo),
        }
        for statement in &action.effect {
            self.statement(p, statement, span, &mut todo);
        }
        self.exprs(me, todo);
        let exit = action.effect.iter().position(|s| *s == Statement::Exit);
        if exit.is_some_and(|i| i + 1 < action.effect.len()) {
            self.error(span, "something is to be done after the process is removed");
        }
        // Whether a process is the youngest is looked at before the effect, and not for `else`.
        let runs = action.effect.iter().any(|s| matches!(s, Statement::Run { .. }));
        if exit.is_some() && (runs || action.offer != Offer::None || action.guard == Guard::Else) {
            self.error(
                span,
                "a process cannot be removed where others are created, nor by a message or `else`",
            );
        }
        if action.guard == Guard::Else && action.offer != Offer::None {
            self.error(span, "`else` cannot send or receive");
        }
    }

    fn statement(&mut self, p: ProcId, statement: &Statement, span: Span, todo: &mut Vec<ExprId>) {
        let me = Some(p);
        match statement {
            Statement::Assign(place, value) => {
                self.stored(me, *place, span, todo);
                todo.push(*value);
            }
            Statement::Assert(e) => todo.push(*e),
            Statement::Run { process, arguments, priority, pid, span } => {
                match self.program.processes.get(process.index()) {
                    None => self.error(*span, "a process is created whose type does not exist"),
                    Some(of) if of.parameters as usize != arguments.len() => {
                        let name = &of.name;
                        self.error(*span, format!("process `{name}` has another number of parameters"));
                    }
                    Some(_) => {}
                }
                if arguments.len() + usize::from(priority.is_some()) > MAX_MESSAGE {
                    self.error(*span, "a process is created with too many arguments");
                }
                todo.extend(arguments.iter().chain(priority));
                if let Some(place) = pid {
                    self.stored(me, *place, *span, todo);
                }
            }
            Statement::Print(i) => match self.program.prints.get(*i as usize) {
                None => self.error(span, "something is printed that does not exist"),
                Some(print) => todo.extend(&print.arguments),
            },
            Statement::SetPriority(pid, priority) => todo.extend([*pid, *priority]),
            Statement::Exit => {}
        }
    }

    /// A block has nodes, and belongs to one process type. Its `else` comes last.
    fn block(&mut self, p: ProcId, b: u32, span: Span) {
        let Some(block) = self.program.blocks.get(b as usize) else {
            return self.error(span, "a block does not exist");
        };
        match self.blocks[b as usize] {
            0 => self.blocks[b as usize] = stamp(Some(p)),
            user if user == stamp(Some(p)) => return,
            _ => return self.error(span, "a block belongs to two process types"),
        }
        if block.nodes.is_empty() {
            self.error(span, "a block has no nodes");
        }
        for node in &block.nodes {
            for (i, (action, to)) in node.iter().enumerate() {
                self.action(p, action);
                if to.is_some_and(|to| to as usize >= block.nodes.len()) {
                    self.error(action.span, "a node of a block does not exist");
                }
                if action.effect.contains(&Statement::Exit) {
                    self.error(action.span, "a process cannot be removed inside a block");
                }
                if action.guard == Guard::Else && i + 1 < node.len() {
                    self.error(action.span, "`else` is not the last of a node");
                }
            }
        }
    }
}
