//! Parts with a special role: who starts, who moved last, watches and claims, and all moving at once.

use super::Verifier;
use crate::form::{Action, Edge, Offer, Statement, Variable, Work};
use crate::frame::MAX_PROCESSES;
use riata_source::Span;

impl<'a> Verifier<'a> {
    pub(super) fn start(&mut self) {
        for start in &self.program.start {
            if start.process.index() >= self.program.processes.len() {
                self.error(Span::default(), "a process is started whose type does not exist");
            }
        }
    }

    /// A shared scalar that can hold all of `0..=max`, or nothing if an error is told.
    fn register(&mut self, v: u32, max: usize, what: &str) -> Option<&'a Variable> {
        let program = self.program;
        let Some(variable) = program.shared.get(v as usize) else {
            self.error(Span::default(), format!("{what} is kept in a variable that does not exist"));
            return None;
        };
        let max = i32::try_from(max).unwrap_or(i32::MAX);
        if variable.len.is_some() || !variable.domain.contains(0) || !variable.domain.contains(max) {
            self.error(variable.span, format!("`{}` cannot hold {what}", variable.name));
            return None;
        }
        Some(variable)
    }

    pub(super) fn last(&mut self) {
        if let Some(v) = self.program.last {
            self.register(v, MAX_PROCESSES - 1, "the pid of the process that moved last");
        }
    }

    pub(super) fn monitor(&mut self) {
        let Some(monitor) = &self.program.monitor else { return };
        let count = monitor.locations.len();
        if let Some(at) = self.register(monitor.at, count.saturating_sub(1), "the location of the monitor")
            && (at.domain.min != 0 || at.initial.first() != Some(&0))
        {
            self.error(monitor.span, format!("the monitor does not begin with 0 in `{}`", at.name));
        }
        if monitor.last as usize >= count {
            self.error(monitor.span, "the last location of the monitor does not exist");
        }
        for event in monitor.locations.iter().flatten() {
            if event.to as usize >= count {
                self.error(monitor.span, "a location of the monitor does not exist");
            }
            let mut todo = Vec::new();
            self.receive(None, event.receive, monitor.span, &mut todo);
            self.exprs(None, todo);
        }
    }

    /// A claim looks on: it has no variables of its own, nobody creates it, and it deals with no messages or processes.
    pub(super) fn claim(&mut self) {
        let program = self.program;
        let Some(claim) = program.claim else { return };
        let Some(process) = program.processes.get(claim.process.index()) else {
            return self.error(Span::default(), "the claim does not exist");
        };
        let most = process.locations.len().saturating_sub(1);
        if let Some(at) = self.register(claim.at, most, "the location of the claim")
            && at.initial.first() != Some(&(process.initial.0 as i32))
        {
            self.error(process.span, "the claim does not begin at its initial location");
        }
        if !process.locals.is_empty() || !process.opens.is_empty() || !process.initialisers.is_empty() {
            self.error(process.span, "the variables of a claim are shared ones");
        }
        let created = program
            .statements()
            .any(|s| matches!(s, Statement::Run { process, .. } if *process == claim.process));
        if created || program.start.iter().any(|s| s.process == claim.process) {
            self.error(process.span, "the claim is created as a process");
        }
        let actions = |e: &'a Edge| -> Vec<&'a Action> {
            match &e.work {
                Work::Action(a) => vec![a],
                Work::Block(b, _) => {
                    let nodes = program.blocks.get(*b as usize).map_or(&[][..], |b| &b.nodes[..]);
                    nodes.iter().flatten().map(|(a, _)| a).collect()
                }
            }
        };
        for action in process.edges.iter().flat_map(actions) {
            let deals = |s: &Statement| {
                matches!(s, Statement::Run { .. } | Statement::SetPriority(..) | Statement::Exit)
            };
            if action.offer != Offer::None || action.effect.iter().any(deals) {
                self.error(
                    action.span,
                    "a claim cannot send or receive, nor create, remove or rank processes",
                );
            }
        }
    }

    /// Where all move at once, all are there from the start, and each moves by one action.
    pub(super) fn lockstep(&mut self) {
        let program = self.program;
        if !program.scheduling.lockstep {
            return;
        }
        for edge in program.processes.iter().flat_map(|p| &p.edges) {
            if edge.keeps || matches!(edge.work, Work::Block(..)) {
                self.error(edge.span(), "where all move at once, no edge keeps control or is a block");
            }
        }
        if program.statements().any(|s| matches!(s, Statement::Run { .. } | Statement::Exit)) {
            self.error(Span::default(), "where all move at once, no process is created or removed");
        }
    }
}
