//! Programs whose processes come and go: the form, and its interpreter.

mod code;
mod condense;
mod context;
mod form;
mod frame;
mod interp;
mod shape;
mod step;

pub use condense::{Condensed, Cursor as CondensedCursor};
pub use form::{
    Action, Block, Channel, Edge, Expr, Exprs, Guard, Location, Offer, Opening, Pattern, Place, Print, Process,
    Program, Query, Receive, Shown, Start, Statement, Var, Variable, Work,
};
pub use interp::{Cursor, Interpreter, Options, Step};
