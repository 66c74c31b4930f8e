//! What searches with several threads share.
//!
//! `team` is for checks whose workers each do the whole search, helped by what the others leave behind; [`bfs`](mod@bfs) is
//! breadth-first search, whose workers have a part of the states each ([`Parts`]). A worker that panics ends the others, and the panic goes on in
//! who asked: it is never taken for «nothing found».

pub mod bfs;
mod crew;
mod found;
mod idle;
mod mail;
mod parts;
mod path;
mod phase;
pub(crate) mod post;
pub(crate) mod team;

pub use parts::{At, Parts, share};
pub use path::first_path;
