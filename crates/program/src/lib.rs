//! The intermediate program: one form between all asynchronous languages and all engines.
//!
//! A front end ends at a [`Program`]: finite-domain variables, processes as control graphs of guarded edges,
//! channels, and a scheduling rule. Four readers begin there: the [`Interpreter`], which *is* the semantics; a code
//! generator; a BDD encoder; and static analysis ([`Dependencies`]).
//!
//! # The meaning of a program, in short
//!
//! * Values are 32-bit integers. `+ - *` wrap around at 32 bits; `/` and `%` truncate towards zero, and division by
//!   zero, a shift by a count outside `0..32` and an index outside its array are [`Fault`]s.
//! * A variable has a [`Domain`] and a [`StoreRule`]: a value outside the domain is wrapped to its width, or is a
//!   fault.
//! * An edge can be taken when its process is at its source location, its guard is not zero, and its [`Offer`] has a
//!   partner: a message slot for a send to a buffered channel, a message for a receive, another process for a
//!   rendezvous. Guards and messages are evaluated in the source state.
//! * Taking an edge sets the location, delivers the message, and runs the effect, statement by statement, each
//!   seeing what the one before wrote. In a rendezvous the message is evaluated first, then delivered, then the
//!   receiver's effect runs, then the sender's.
//! * While some process is at a committed location, only edges that leave committed locations can be taken, by
//!   either side of a rendezvous.
//! * A fault in a guard or an effect is an event of the model: the step leads to the [fault state](Layout::fault),
//!   in which everything is zero and nothing moves. [`Interpreter::explain`] tells what went wrong, and where.
//! * A *claim* is a process that watches: it moves with every step of the others, its guard reading the state that
//!   the step leaves. Where the others cannot move, or after a fault, it moves alone if [`Ends::Stutter`] is chosen.
//!
//! # What was left room for
//!
//! * Dynamic processes: locals are laid out in a [`Frame`] per process type, apart from where an instance's frame
//!   starts; a reference to a local names its [`Owner`]. An instance that comes and goes needs a computed start, not
//!   a new form of variable.
//! * `else`, `timeout`, `unless`: an edge's guard is a [`Guard`], not an expression, so that those become variants of
//!   it that analyses can see.
//! * Exclusive control (Promela's `atomic`) is a [`Scheduling`] matter, as committed locations are.
//!
//! Knows nothing of any language's syntax, of stores or of search algorithms.

mod build;
mod claim;
mod deps;
pub mod dynamic;
mod expr;
mod eye;
mod generate;
mod ids;
mod interp;
mod layout;
mod lockstep;
mod machine;
mod print;
mod program;
mod step;
mod verify;
mod view;
mod watch;

pub use claim::ClaimGraph;
pub use deps::{Access, BitMatrix, Dependencies};
pub use expr::{Binary, Expr, Exprs, Owner, Place, Unary};
pub use generate::TooDeep;
pub use ids::{ChanId, EdgeId, ExprId, InstanceId, LocId, ProcId, VarId};
pub use interp::{Action, Cursor, Ends, Interpreter, Options};
pub use layout::{ArrayField, ChannelLayout, Field, Frame, Layout, Slot, TooLarge};
pub use machine::Fault;
pub use print::print;
pub use program::{
    Channel, Domain, Edge, Guard, Instance, Location, MAX_MESSAGE, Offer, Pattern, Process, Program,
    Proposition, Scheduling, Statement, StoreRule, Variable,
};
pub use verify::verify;
pub use view::{Part, Value, parts};
pub use watch::{NoAutomaton, Watch};
