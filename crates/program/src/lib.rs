//! The program: one form between all asynchronous languages and all engines.
//!
//! A front end ends at a [`Program`]: variables of finite domains, processes as control graphs of guarded edges, channels,
//! and how the processes move together. [`verify`] says whether it is well formed, [`print()`] and [`read()`] are its text.
//! It has two readings: the [`Interpreter`], which runs bytecode and is what searches use, and [`reading`], straight from
//! the form, with which the first must agree. Passes of the [optimiser](optimise()) lead from program to program.
//!
//! # The meaning of a program, in short
//!
//! * Values are 32-bit integers. `+ - *` wrap around at 32 bits; `/` and `%` truncate towards zero, and division by
//!   zero, a shift by a count outside `0..32` and an index outside its array are [`Fault`]s.
//! * A variable has a [`Domain`] and a [`StoreRule`]: a value outside the domain is wrapped to its width, or is a fault.
//! * Processes are created at the start or by a statement, and have pids from 0 on; only the youngest can end. Channels
//!   have numbers, which are values. A program that creates nothing after the start is the static case: then every place
//!   in a state is a constant.
//! * A step is an edge of one process, or two edges of two processes that meet in a rendezvous. The message is evaluated in
//!   the source state; then the receiver stores it and has its effect, then the sender.
//! * Whose steps come first, priorities, lockstep and when messages are evaluated are said by [`Scheduling`]; committed
//!   locations, edges that keep control and groups of edges that hide others are said where they are. See
//!   [`Interpreter`].
//! * A fault leads to the fault state, from which nothing moves. What a step violates is told by its cursor.
//! * A [claim](Claim) watches: it moves with every step of the others, and sees the state before it.
//!
//! # What searches see
//!
//! [`Condensed`]: states in which control is free. [`Fair`]: the same with the sets of fairness. [`Claimed`]: with a claim
//! that is part of the state. [`Observer`]: with what each step looked at, for the symbolic engine. [`Execution`] is a run
//! by its small steps, and [`Lift`] takes one of an optimised program back to the program as it was written.
//! [`Prepared`] owns what a search for one property needs of all this.
//!
//! Knows nothing of any language's syntax, of stores or of search algorithms.

mod act;
mod asserts;
mod claimed;
mod closed;
mod code;
mod condense;
mod context;
mod domain;
mod evaluate;
mod execution;
mod fair;
mod flat;
mod form;
mod frame;
mod groups;
mod head;
mod ids;
mod interp;
mod layout;
mod lift;
mod lockstep;
mod machine;
mod meet;
mod memory;
mod monitor;
mod narrate;
pub mod native;
mod observer;
mod operators;
mod optimise;
mod portable;
mod prepared;
mod print;
mod property;
mod read;
pub mod reading;
mod recall;
mod record;
mod shape;
mod step;
mod stubborn;
mod survey;
mod verify;
mod view;
mod why;

pub use claimed::{ClaimPlace, ClaimProcess, Claimed};
pub use condense::{Condensed, Cursor as CondensedCursor};
pub use domain::{Domain, MAX_MESSAGE, Proposition, StoreRule};
pub use execution::{Execution, Failure, Taken};
pub use fair::{Fair, Justice};
pub use form::{
    Action, Block, Channel, Edge, Event, Expr, Exprs, Guard, Location, Offer, Opening, Order, Pattern, Place,
    Print, Process, Program, Query, Receive, Scheduling, Shown, Start, Statement, TraceMonitor, Var,
    Variable, Work,
};
pub use ids::{EdgeId, ExprId, LocId, ProcId};
pub use interp::{Asserts, Cursor, Interpreter, Options, Step};
pub use layout::{ArrayField, Field, Slot, TooLarge};
pub use lift::Lift;
pub use machine::{Fault, TooDeep};
pub use narrate::{Happening, Told};
pub use observer::{NotObservable, Observer};
pub use operators::{Binary, Unary};
pub use optimise::{Condition, Passes, Sees, optimise, optimise_without};
pub use prepared::{AsWritten, Beside, Prepared};
pub use print::print;
pub use property::{Claim, ClaimEdge, ClaimState, Formula, Property};
pub use read::read;
pub use stubborn::{Explanation, Forgets, Needed, Proviso, Reduction, Sample, Tally, Visible, Why};
pub use survey::Survey;
pub use verify::verify;
pub use view::{Part, Reason, Value};
pub use why::Looked;
