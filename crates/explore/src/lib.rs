//! Emptiness checks on (generalised) Büchi automata that are known only through their successor function.
//!
//! One file for each algorithm, named by its citation key, with the pseudo-code of its paper in the module
//! documentation: the folder is an index of the literature.
//!
//! | check | acceptance | per state | a transition is considered |
//! |---|---|---|---|
//! | [`cvwy92`] | one set, on states | 2 bits | at most twice |
//! | [`hpy96`] | one set, on states | 2 bits | at most twice |
//! | [`gmz04`] | one set, on states | 3 bits | at most three times |
//! | [`se05`] | one set, on states | 2 bits | at most twice |
//! | [`and`] | one set, on states | 2 bits | at most twice |
//! | [`sd`] | any, but weak | 2 bits | once |
//! | [`reach`] | any, but terminal | 2 bits | once |
//! | [`tarjan72`] | any | 2 numbers | once |
//! | [`gv04`] | one set, on states | 2 numbers | once |
//! | [`couvreur99`] | any | 1 number | at most twice |
//! | [`ascc`] | any | 1 number | once |
//! | [`tau03`] | any | 1 bit and a set of marks | at most n + 1 times |
//!
//! | [`cndfs`] | one set, on states | 2 bits, and 4 a thread | at most twice a thread |
//! | [`ufscc`] | any | 2 numbers and a set of marks | at most once a thread |
//!
//! The last two are for several threads, with a [shared store](riata_store::shared); breadth-first search by several is in
//! [`parallel`]. Strong fairness is [`streett`]'s.
//!
//! Each `check` takes a graph, a store and a [`riata_system::Run`], and gives a [`riata_system::Verdict`]; a lasso in
//! it was replayed. [`Algorithm`] is the table of them all, [`choose`] the papers' advice, and [`check()`](check) runs any of
//! them or says why it will not.
//!
//! Knows nothing of languages, formulas or the command line. No recursion: a path of the model is never a path of
//! the machine's stack.

pub mod and;
pub mod ascc;
pub mod bfs;
mod check;
mod choice;
pub mod cndfs;
pub mod couvreur99;
pub mod cvwy92;
mod cycle;
mod forest;
pub mod gmz04;
pub mod gv04;
pub mod hpy96;
pub mod inside;
pub mod known;
mod nested;
mod outcome;
pub mod parallel;
pub mod reach;
mod roots;
pub mod scc;
pub mod scouts;
pub mod sd;
pub mod se05;
pub mod shortest;
mod stack;
pub mod streett;
pub mod swarm;
pub mod tarjan72;
pub mod tau03;
pub mod ufscc;
pub mod watch;
mod whole;

pub use check::{check, check_shared};
pub use choice::{Algorithm, Choice, Refused, choose, choose_shared};
pub use outcome::{full, lowered};
pub use whole::Whole;
