//! The properties that a model states, besides assertions and valid end states.

use crate::claimed::ClaimProcess;
use crate::form::{Program, TraceMonitor};
use riata_automata::{Edge, Label, Labels, Marks, Tgba};
use riata_ltl::Ltl;
use riata_source::Span;

/// A property of a model.
#[derive(Clone, Debug)]
pub enum Property {
    /// A formula: its name, or none; every run must satisfy it.
    Ltl(Option<String>, Formula),
    /// A claim; no run may be accepted.
    Never(Option<String>, Claim),
    /// Accepting locations of processes: no run may pass them infinitely often.
    Acceptance,
    /// Locations of progress: every run must pass them infinitely often.
    Progress,
    /// An assertion about messages: its name, or none, and what watches them.
    Trace(Option<String>, TraceMonitor),
}

/// A formula, and where it is written.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The formula; its propositions are named as those of the program.
    pub ltl: Ltl,
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// What watches the runs of a program, and accepts those that must never be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// An automaton: its states, of which it starts in the first.
    Automaton(Vec<ClaimState>),
    /// A process that moves with every step of the system, and may have variables and effects.
    Process(Box<ClaimProcess>),
}

/// A state of a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimState {
    /// Is a run bad that is here infinitely often?
    pub accepting: bool,
    /// Its steps.
    pub edges: Vec<ClaimEdge>,
}

/// A step of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimEdge {
    /// Numbers of propositions of the program, and whether they must be true or false.
    pub when: Vec<(usize, bool)>,
    /// Where it leads.
    pub to: usize,
}

impl Program {
    /// The automaton of a claim, over the program's propositions.
    pub fn automaton(&self, states: &[ClaimState]) -> Tgba {
        let mut labels = Labels::new();
        let mut edges = Vec::new();
        let marks = |state: &ClaimState| if state.accepting { Marks::one(0) } else { Marks::NONE };
        for (s, state) in states.iter().enumerate() {
            for edge in &state.edges {
                let mut label = Label::TRUE;
                for &(p, positive) in &edge.when {
                    let v = labels.var(p as u32);
                    let v = if positive { v } else { labels.not(v) };
                    label = labels.and(label, v);
                }
                if label != Label::FALSE {
                    edges.push((s as u32, Edge { to: edge.to as u32, label, marks: marks(state) }));
                }
            }
        }
        let mut tgba = Tgba::default();
        tgba.aps = self.propositions.iter().map(|p| p.name.clone()).collect();
        tgba.labels = labels;
        tgba.sets = 1;
        tgba.initial = vec![0];
        tgba.state_marks = Some(states.iter().map(marks).collect());
        tgba.set_edges(states.len(), &edges);
        tgba
    }
}
