//! Never claims: automata that watch, as plain data.
//!
//! A claim makes one step with every step of the system; a piece of it that is atomic is one step. Its statements are
//! conditions on the state before the step. A claim that comes to its end has seen what must never be, and so has one
//! whose assertion fails: both lead to a state that accepts everything.

use super::Lowering;
use super::flow::Flow;
use crate::ast;
use riata_program::dynamic::{Action, Edge, Guard, Offer, Statement, Work};
use riata_program::{ExprId, LocId};
use riata_source::{Diagnostic, Span};

/// A step of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimEdge {
    /// Numbers of propositions of the program, and whether they must be true or false.
    pub when: Vec<(usize, bool)>,
    /// Where it leads.
    pub to: usize,
}

/// A state of a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimState {
    /// Is a run bad that is here again and again?
    pub accepting: bool,
    /// Its steps.
    pub edges: Vec<ClaimEdge>,
}

/// An automaton that watches the system. It starts in state 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// Its states.
    pub states: Vec<ClaimState>,
}

/// A condition: expressions that must be true or false.
type Condition = Vec<(ExprId, bool)>;

impl Lowering<'_> {
    pub(super) fn claim(&mut self, never: &ast::Never) -> Claim {
        self.begin_process();
        self.late.unit = Some(never.span.start);
        let seq = self.flow.open();
        self.statements(&never.body.statements);
        let end = self.flow.element(super::flow::Kind::End, never.body.span);
        self.flow.add(end);
        self.flow.close(None, never.body.span);
        self.scopes.leave();
        let mut blocks = Vec::new();
        let graph = self.flow.finish(seq, &mut blocks);
        self.made.insert(never.span.start, self.flow.made);
        self.late.unit = None;
        self.wrong.append(&mut self.flow.wrong);
        self.flow = Flow::default();
        if let Some(v) = self.locals.first() {
            let d = Diagnostic::error(v.span, "variables in never claims are not supported")
                .help("declare it outside of the claim, and let a process change it");
            self.wrong.push(d);
            self.locals.clear();
        }
        let is_end = |l: LocId| matches!(graph.edges.iter().find(|e| e.from == l), Some(e) if exits(e));
        let mut states = Vec::new();
        for (l, location) in graph.locations.iter().enumerate() {
            let l = LocId::new(l);
            let mut edges = Vec::new();
            if is_end(l) {
                edges.push(ClaimEdge { when: Vec::new(), to: l.index() });
            } else {
                self.steps(&graph.edges, l, Vec::new(), graph.locations.len(), &mut edges, 0);
            }
            states.push(ClaimState { accepting: location.accepting || is_end(l), edges });
        }
        // Where a failed assertion leads.
        let seen = states.len();
        states.push(ClaimState { accepting: true, edges: vec![ClaimEdge { when: Vec::new(), to: seen }] });
        Claim { states }
    }

    /// The steps from a location, under a condition. What is atomic goes on at once.
    fn steps(
        &mut self,
        all: &[Edge],
        from: LocId,
        when: Condition,
        bad: usize,
        out: &mut Vec<ClaimEdge>,
        depth: usize,
    ) {
        let mine: Vec<&Edge> = all.iter().filter(|e| e.from == from).collect();
        if depth > 64 {
            self.wrong.push(Diagnostic::error(mine[0].span(), "an atomic sequence of a claim does not end"));
            return;
        }
        let mut others: Condition = Vec::new();
        for edge in mine {
            let Work::Action(action) = &edge.work else {
                self.wrong.push(Diagnostic::error(edge.span(), "d_step in a never claim is not supported"));
                continue;
            };
            let mut when = when.clone();
            match action.guard {
                Guard::Always => {}
                Guard::When(e) => {
                    when.push((e, true));
                    others.push((e, false));
                }
                Guard::Else => when.extend(others.iter().copied()),
            }
            if let Some(assertion) = self.claim_effect(action) {
                let mut failing = when.clone();
                failing.push((assertion, false));
                self.claim_edge(&failing, bad, out);
                when.push((assertion, true));
            }
            if edge.keeps {
                self.steps(all, edge.to, when, bad, out, depth + 1);
            } else {
                self.claim_edge(&when, edge.to.index(), out);
            }
        }
    }

    fn claim_edge(&mut self, when: &Condition, to: usize, out: &mut Vec<ClaimEdge>) {
        let when = when
            .iter()
            .map(|&(e, positive)| {
                let span = self.program.exprs.span(e);
                (self.proposition(e, span), positive)
            })
            .collect();
        out.push(ClaimEdge { when, to });
    }

    /// The assertion of a claim's statement; whatever changes the state is refused.
    fn claim_effect(&mut self, action: &Action) -> Option<ExprId> {
        let mut assertion = None;
        let refuse = |span: Span| {
            Diagnostic::error(span, "a never claim must not change the state")
                .help("a claim consists of conditions; move what changes the state to a process")
        };
        if action.offer != Offer::None {
            self.wrong.push(refuse(action.span));
        }
        for statement in &action.effect {
            match statement {
                Statement::Assert(e) => assertion = Some(*e),
                Statement::Print(_) | Statement::Exit => {}
                _ => self.wrong.push(refuse(action.span)),
            }
        }
        assertion
    }
}

fn exits(edge: &Edge) -> bool {
    matches!(&edge.work, Work::Action(a) if a.effect.contains(&Statement::Exit))
}
