//! What a search tells of itself, to somebody who watches it: the assignments, calls and pushes of its paper's text.
//!
//! A search tells its [`Graph`](crate::Graph) what it does ([`Graph::watch`](crate::Graph::watch)). A graph does not
//! listen, so nothing is compiled for it; one that does is made for small graphs that are shown to people, in which a
//! state is one word, its number.

use riata_automata::Marks;

/// Which procedure of the paper's text: most searches have one, nested ones have a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Procedure {
    /// The search itself: `dfs`, `dfs_blue`.
    Outer,
    /// What it calls: `dfs_red`, `remove`.
    Inner,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The next initial state is looked at.
    Initial(u32),
    /// A call begins with this state.
    Call(Procedure, u32),
    /// The call on top considers its next successor, by an edge with these marks.
    Edge(Procedure, u32, Marks),
    /// The call on top goes through its successors once more.
    Again(Procedure),
    /// The call on top ends.
    Return(Procedure),
    /// The state gets a colour, which the store knows by this number.
    Colour(u32, u8),
    /// The state becomes a member of a set; sets are numbered as the search made them.
    Insert(usize, u32),
    /// The state gets its number: `dfsnum`, or `lowlink`.
    Number(u32, u32),
    /// The state is pushed to *Current* (*Active*).
    Current(u32),
    /// The state is no longer current; if there is such a stack, it was popped from it.
    Removed(u32),
    /// A root with this `dfsnum` is pushed to *Roots*.
    Root(u32),
    /// Roots were popped until so many were left, the last of which has these marks now.
    Merged(usize, Marks),
    /// The last of the *Roots* is popped.
    Unroot,
    /// The marks that the search knows of the state have become these.
    Marks(u32, Marks),
}
