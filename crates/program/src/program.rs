//! The program itself: plain data, every part with the source span it comes from.

use crate::expr::{Exprs, Place};
use crate::ids::{ChanId, ExprId, InstanceId, LocId, ProcId, VarId};
use riata_source::Span;

/// The most values that one message can have.
pub const MAX_MESSAGE: usize = 32;

/// The values that a variable can hold: `min..=max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domain {
    /// The smallest.
    pub min: i32,
    /// The largest.
    pub max: i32,
}

impl Domain {
    /// `0..=255`.
    pub const BYTE: Domain = Domain { min: 0, max: 255 };
    /// 16 bits with sign.
    pub const SHORT: Domain = Domain { min: -32768, max: 32767 };

    /// `max - min`.
    pub fn extent(self) -> u32 {
        self.max.wrapping_sub(self.min) as u32
    }

    /// How many bits a value needs.
    pub fn bits(self) -> u32 {
        32 - self.extent().leading_zeros()
    }

    /// Is `v` in it?
    pub fn contains(self, v: i32) -> bool {
        self.min <= v && v <= self.max
    }

    /// Has it as many values as its bits can tell apart?
    pub fn is_full(self) -> bool {
        self.extent().wrapping_add(1).is_power_of_two() || self.extent() == u32::MAX
    }

    /// `v` wrapped into the domain, which must be full.
    pub fn wrap(self, v: i32) -> i32 {
        let raw = v.wrapping_sub(self.min) as u32 & self.extent();
        self.min.wrapping_add(raw as i32)
    }
}

/// What happens to a value outside the domain of the variable it is stored to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoreRule {
    /// It is cut to the width of the domain, which must be full.
    Wrap,
    /// It is a fault.
    Fault,
}

/// A variable or an array of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// The process type it is local to; none if it is shared.
    pub owner: Option<ProcId>,
    /// What it can hold.
    pub domain: Domain,
    /// What happens to other values.
    pub rule: StoreRule,
    /// The number of elements of an array.
    pub len: Option<u32>,
    /// The initial values: one, or one per element.
    pub initial: Vec<i32>,
    /// Where it is declared.
    pub span: Span,
}

/// A channel: of capacity 0 a rendezvous, otherwise a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its name in the source.
    pub name: String,
    /// How many messages it holds.
    pub capacity: u32,
    /// To what each value of a message is wrapped; every domain is full.
    pub fields: Vec<Domain>,
    /// Where it is declared.
    pub span: Span,
}

/// A place in a control graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Its name in the source.
    pub name: String,
    /// While some instance is at a committed location, only those that are can move.
    pub committed: bool,
    /// For a claim: is a run accepted that is here infinitely often?
    pub accepting: bool,
    /// What must not be zero whenever an instance is here.
    pub asserts: Vec<ExprId>,
    /// Where it is declared.
    pub span: Span,
}

/// When an edge can be taken, as far as its own process is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Always.
    Always,
    /// When the expression is not zero in the source state.
    When(ExprId),
}

/// What a receive does with one value of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Stores it.
    Bind(Place),
    /// Drops it.
    Any,
}

/// What an edge offers to other processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Nothing: it is taken alone.
    None,
    /// A message. With a channel of capacity 0 it is one half of a rendezvous.
    Send(ChanId, Vec<ExprId>),
    /// To take a message. With a channel of capacity 0 it is the other half of a rendezvous.
    Receive(ChanId, Vec<Pattern>),
}

/// A statement of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Evaluates the expression, then the index of the place, then stores.
    Assign(Place, ExprId),
}

/// An edge of a control graph: a guarded action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it leaves.
    pub from: LocId,
    /// Where it leads.
    pub to: LocId,
    /// When it can be taken.
    pub guard: Guard,
    /// With whom.
    pub offer: Offer,
    /// What it does, all in one step.
    pub effect: Vec<Statement>,
    /// Where it is written.
    pub span: Span,
}

/// A process type: a control graph. Its local variables are those of the program that name it as their owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its name in the source.
    pub name: String,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Where it starts.
    pub initial: LocId,
    /// Its edges, in the order in which they are tried.
    pub edges: Vec<Edge>,
    /// Where it is declared.
    pub span: Span,
}

/// A process that exists from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its name.
    pub name: String,
    /// Its type.
    pub process: ProcId,
}

/// How the processes move together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduling {
    /// One at a time, or two in a rendezvous; committed locations first.
    Interleaving,
    /// All at once, each by one edge, all reading the source state; offers are not looked at. Two that write the
    /// same shared variable are in conflict, which is a fault.
    Lockstep,
}

/// A named expression that a property can speak about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposition {
    /// As the property writes it.
    pub name: String,
    /// True where it is not zero. Where evaluating it is a fault it is false.
    pub expr: ExprId,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// All variables, shared and local.
    pub vars: Vec<Variable>,
    /// The channels.
    pub channels: Vec<Channel>,
    /// The process types.
    pub processes: Vec<Process>,
    /// The processes that exist from the start.
    pub instances: Vec<Instance>,
    /// How they move together.
    pub scheduling: Scheduling,
    /// The instance that watches the others.
    pub claim: Option<InstanceId>,
    /// What properties can speak about.
    pub propositions: Vec<Proposition>,
    /// All expressions.
    pub exprs: Exprs,
}

impl Program {
    /// A program without anything.
    pub fn new(scheduling: Scheduling) -> Self {
        Program {
            vars: Vec::new(),
            channels: Vec::new(),
            processes: Vec::new(),
            instances: Vec::new(),
            scheduling,
            claim: None,
            propositions: Vec::new(),
            exprs: Exprs::default(),
        }
    }

    /// The type of an instance.
    pub fn process_of(&self, i: InstanceId) -> &Process {
        &self.processes[self.instances[i.index()].process.index()]
    }

    /// The shared variables, and the local ones of each process type.
    pub fn variables_by_owner(&self) -> (Vec<VarId>, Vec<Vec<VarId>>) {
        let (mut shared, mut local) = (Vec::new(), vec![Vec::new(); self.processes.len()]);
        for (v, var) in self.vars.iter().enumerate() {
            match var.owner {
                None => shared.push(VarId::new(v)),
                Some(p) => local[p.index()].push(VarId::new(v)),
            }
        }
        (shared, local)
    }

    /// The instances, in order.
    pub fn instance_ids(&self) -> impl Iterator<Item = InstanceId> + use<> {
        (0..self.instances.len()).map(InstanceId::new)
    }
}
