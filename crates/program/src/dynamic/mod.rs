//! Programs whose processes come and go: the form, and its interpreter.

mod act;
mod asserts;
mod claimed;
mod code;
mod condense;
mod context;
mod evaluate;
mod execution;
mod fair;
mod flat;
mod form;
mod frame;
mod groups;
mod head;
mod interp;
mod lift;
mod lockstep;
mod meet;
mod memory;
mod narrate;
mod observer;
mod optimise;
mod print;
mod property;
mod record;
mod read;
pub mod reading;
mod shape;
mod step;
mod survey;
mod verify;
mod view;
mod watch;
mod why;

pub use claimed::{ClaimPlace, ClaimProcess, Claimed};
pub use condense::{Condensed, Cursor as CondensedCursor};
pub use execution::{Execution, Failure, Taken};
pub use fair::{Fair, Justice};
pub use form::{
    Action, Block, Channel, Edge, Event, Expr, Exprs, Guard, Location, Offer, Opening, Order, Pattern, Place,
    Print, Process, Program, Query, Receive, Scheduling, Shown, Start, Statement, Var, Variable, Watch, Work,
};
pub use interp::{Asserts, Cursor, Interpreter, Options, Step};
pub use lift::Lift;
pub use narrate::{Happening, Told};
pub use observer::{NotObservable, Observer};
pub use optimise::{Condition, Passes, Sees, optimise, optimise_without};
pub use print::print;
pub use property::{Claim, ClaimEdge, ClaimState, Formula, Property};
pub use read::read;
pub use survey::Survey;
pub use verify::verify;
pub use view::{Part, Reason, Value};
pub use why::Looked;
