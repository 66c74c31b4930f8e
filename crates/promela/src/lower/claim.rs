//! Never claims: automata that monitor, as plain data, or processes that monitor.
//!
//! A claim makes one step with every step of the system; a piece of it that is atomic is one step. Its statements are
//! mostly conditions on the state before the step: then it is an automaton over propositions. A claim that comes to its
//! end (or to an end label, as in Spin) has seen what must never be, and so has one whose assertion fails: both lead to
//! a state that accepts everything.
//!
//! A claim with variables, assignments, `d_step` or escapes is a process of its own, whose variables and location are
//! shared variables ([`ClaimProcess`]).

use super::Lowering;
use super::flow::{Flow, Graph};
use crate::ast;
use riata_program::{
    Action, Block, Claim, ClaimEdge, ClaimProcess, ClaimState, Edge, Expr, Guard, Location, Offer, Process,
    Statement, Work,
};
use riata_program::{ExprId, LocId, Unary};
use riata_source::Diagnostic;

/// A condition: expressions that must be true or false.
type Condition = Vec<(ExprId, bool)>;

impl Lowering<'_> {
    pub(super) fn claim(&mut self, never: &ast::Never) -> Claim {
        let (shared, opens) = (self.program.shared.len(), self.program.opens.len());
        self.begin_process();
        self.in_claim = true;
        self.late.unit = Some(never.span.start);
        let seq = self.flow.open();
        self.statements(&never.body.statements);
        let end = self.flow.element(super::flow::Kind::End, never.body.span);
        self.flow.add(end);
        self.flow.close(None, never.body.span);
        self.scopes.leave();
        self.in_claim = false;
        let mut blocks = std::mem::take(&mut self.program.blocks);
        let old = blocks.len();
        let graph = self.flow.finish(seq, &mut blocks);
        self.program.blocks = blocks;
        self.made.insert(never.span.start, self.flow.made);
        self.late.unit = None;
        self.wrong.append(&mut self.flow.wrong);
        self.flow = Flow::default();
        if self.program.opens.len() > opens {
            self.program.opens.truncate(opens);
            let d = Diagnostic::error(never.span, "a never claim cannot have channels of its own")
                .help("declare the channel outside of the claim");
            self.wrong.push(d);
        }
        self.no_messages(&graph.edges, old);
        if self.program.shared.len() == shared && graph.edges.iter().all(watches) {
            return Claim::Automaton(self.automaton(&graph));
        }
        let variables = self.program.shared.split_off(shared);
        let process = self.claim_process(never, graph);
        Claim::Process(Box::new(ClaimProcess { process, variables, late: false }))
    }

    /// A claim neither sends nor receives, and starts no process.
    fn no_messages(&mut self, edges: &[Edge], first_block: usize) {
        let alone = edges.iter().filter_map(|e| match &e.work {
            Work::Action(a) => Some(a),
            Work::Block(..) => None,
        });
        let blocks: &[Block] = &self.program.blocks[first_block..];
        let inside = blocks.iter().flat_map(|b| b.nodes.iter().flatten()).map(|(a, _)| a);
        let asserts = inside.clone().filter(|a| a.effect.iter().any(|s| matches!(s, Statement::Assert(_))));
        let mut wrong: Vec<Diagnostic> = asserts
            .map(|a| Diagnostic::error(a.span, "an assertion in a d_step of a never claim is not supported"))
            .collect();
        for action in alone.chain(inside) {
            let starts = |s: &Statement| matches!(s, Statement::Run { .. } | Statement::SetPriority(..));
            if action.offer != Offer::None || action.effect.iter().any(starts) {
                let d = Diagnostic::error(
                    action.span,
                    "a never claim sends and receives nothing, and starts no process",
                )
                .help("a claim watches; move what acts to a process");
                wrong.push(d);
            }
        }
        self.wrong.append(&mut wrong);
    }

    /// The claim as a process. An assertion is a choice: where it fails, the claim is at its end.
    fn claim_process(&mut self, never: &ast::Never, graph: Graph) -> Process {
        let mut locations = graph.locations;
        let bad = LocId::new(locations.len());
        let span = never.body.span;
        let (labels, number) = (Vec::new(), 0);
        locations.push(Location { labels, number, end: true, accepting: true, span, ..Location::default() });
        let mut edges = Vec::new();
        for mut edge in graph.edges {
            if let Work::Action(action) = &mut edge.work
                && let Some(at) = action.effect.iter().position(|s| matches!(s, Statement::Assert(_)))
                && let Statement::Assert(e) = action.effect.remove(at)
            {
                let fails = self.program.exprs.add(Expr::Unary(Unary::Not, e), action.span);
                let failing = Action { guard: Guard::When(fails), ..Action::skip(action.span) };
                edges.push(Edge { to: bad, work: Work::Action(failing), keeps: false, ..edge.clone() });
                if let Work::Action(action) = &mut edge.work {
                    action.guard = Guard::When(e);
                }
            }
            edges.push(edge);
        }
        Process {
            name: "never".into(),
            parameters: 0,
            locals: Vec::new(),
            initialisers: Vec::new(),
            opens: Vec::new(),
            locations,
            initial: graph.initial,
            edges,
            provided: None,
            priority: 1,
            span: never.span,
        }
    }

    /// The claim as an automaton.
    fn automaton(&mut self, graph: &Graph) -> Vec<ClaimState> {
        let mut states = Vec::new();
        for (l, location) in graph.locations.iter().enumerate() {
            let l = LocId::new(l);
            let mut edges = Vec::new();
            if location.end {
                edges.push(ClaimEdge { when: Vec::new(), to: l.index() });
            } else {
                self.steps(&graph.edges, l, Vec::new(), graph.locations.len(), &mut edges, 0);
            }
            states.push(ClaimState { accepting: location.accepting || location.end, edges });
        }
        // Where a failed assertion leads.
        let seen = states.len();
        states.push(ClaimState { accepting: true, edges: vec![ClaimEdge { when: Vec::new(), to: seen }] });
        states
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
        let always = |e: &&Edge| matches!(&e.work, Work::Action(a) if a.guard == Guard::Always);
        let free = mine.iter().any(always);
        let others: Condition = mine
            .iter()
            .filter_map(|e| match &e.work {
                Work::Action(Action { guard: Guard::When(e), .. }) => Some((*e, false)),
                _ => None,
            })
            .collect();
        for edge in mine {
            let Work::Action(action) = &edge.work else { continue };
            let mut when = when.clone();
            match action.guard {
                Guard::Always => {}
                Guard::When(e) => when.push((e, true)),
                Guard::Else if free => continue,
                Guard::Else => when.extend(others.iter().copied()),
            }
            let assertion = action.effect.iter().find_map(|s| match s {
                Statement::Assert(e) => Some(*e),
                _ => None,
            });
            if let Some(assertion) = assertion {
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
}

/// Is an edge a mere condition, or an assertion?
fn watches(edge: &Edge) -> bool {
    let quiet = |s: &Statement| matches!(s, Statement::Assert(_) | Statement::Print(_) | Statement::Exit);
    matches!(&edge.work, Work::Action(a) if a.offer == Offer::None && a.effect.iter().all(quiet))
        && edge.rank == 0
}
