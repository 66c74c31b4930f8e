//! `trace` and `notrace`: automata over messages, as plain data.
//!
//! Their statements are sends and receives of constants and `_`, put together as in a process. Each becomes a receive
//! that nobody takes: the monitor compares messages with it.

use super::Lowering;
use super::flow::{Flow, Kind};
use crate::ast::{self, Node};
use riata_program::LocId;
use riata_program::{Action, Event, Guard, Offer, Pattern, Receive, Statement, TraceMonitor, Work};
use riata_source::{Diagnostic, Span};

impl Lowering<'_> {
    /// The monitor that an assertion about messages stands for.
    pub(super) fn monitor(&mut self, trace: &ast::Trace) -> TraceMonitor {
        self.begin_process();
        self.events = Some(Vec::new());
        let seq = self.flow.open();
        self.statements(&trace.body.statements);
        let end = self.flow.element(Kind::End, trace.body.span);
        self.flow.add(end);
        self.flow.close(None, trace.body.span);
        self.scopes.leave();
        let mut blocks = Vec::new();
        let graph = self.flow.finish(seq, &mut blocks);
        self.made.insert(trace.span.start, self.flow.made);
        self.wrong.append(&mut self.flow.wrong);
        self.flow = Flow::default();
        let sends = self.events.take().unwrap_or_default();
        if let Some(v) = self.locals.first() {
            self.wrong.push(Diagnostic::error(v.span, "variables in traces are not possible"));
            self.locals.clear();
        }
        // The monitor begins with location 0.
        let first = graph.initial.index();
        let number = |l: LocId| match l.index() {
            l if l == first => 0,
            0 => first as u32,
            l => l as u32,
        };
        let mut locations = vec![Vec::new(); graph.locations.len()];
        let mut last = u32::MAX;
        for edge in &graph.edges {
            match &edge.work {
                Work::Action(Action { guard: Guard::Always, offer: Offer::Receive(r), .. }) => {
                    let event = Event { sends: sends.contains(r), receive: *r, to: number(edge.to) };
                    locations[number(edge.from) as usize].push(event);
                }
                Work::Action(a) if a.effect.contains(&Statement::Exit) => last = number(edge.from),
                // What is wrong with an offer was told already.
                Work::Action(Action { span, .. }) | Work::Block(_, span) => {
                    let d = Diagnostic::error(*span, "a trace consists of sends and receives")
                        .help("write `q!tag,_` or `q?tag,_`, in `if`, `do` and with `goto` as you like");
                    self.wrong.push(d);
                }
            }
        }
        if last == u32::MAX {
            // Its end is out of reach.
            last = locations.len() as u32;
            locations.push(Vec::new());
        }
        TraceMonitor { at: 0, negated: trace.negated, locations, last, span: trace.span }
    }

    /// A send in a trace: its values are constants or `_`.
    pub(super) fn sent(&mut self, arguments: &[ast::ExprId]) -> Vec<Pattern> {
        let anything = |node: &Node| match node {
            Node::Variable(r) => r.steps.len() == 1 && &*r.steps[0].name.text == "_",
            _ => false,
        };
        let patterns = arguments.iter().map(|&e| match self.ast.exprs.node(e) {
            node if anything(node) => Pattern::Any,
            _ => Pattern::Match(self.expr(e)),
        });
        patterns.collect()
    }

    /// Adds an event of a trace.
    pub(super) fn event(&mut self, receive: Receive, sends: bool, span: Span) -> Offer {
        let known = receive.patterns.iter().all(|p| match p {
            Pattern::Any => true,
            Pattern::Match(e) => self.program.exprs.constant(*e).is_some(),
            Pattern::Bind(_) => false,
        });
        if !known || receive.any || receive.keeps {
            let d = Diagnostic::error(span, "a trace has simple sends and receives of constants and `_`");
            self.wrong.push(d);
        }
        self.program.receives.push(receive);
        let number = self.program.receives.len() as u32 - 1;
        if sends {
            self.events.get_or_insert_default().push(number);
        }
        Offer::Receive(number)
    }
}
