//! State spaces divided among processes, on one machine or many.
//!
//! Every process runs the same search on its own part of the states, and hears of what the others have found; what
//! belongs to whom is decided by a hash. [`mesh`] is the only module that knows timely, which carries the words and
//! knows when all of them have arrived. A search can be written down as it goes, and go on later ([`checkpoint`]).
//!
//! Knows nothing of languages, properties and the command line.

pub mod bfs;
pub mod checkpoint;
pub mod cluster;
pub mod edges;
pub mod hello;
pub mod lasso;
mod manifest;
pub mod mesh;
mod note;
pub mod owcty;
mod parcel;
pub mod path;
mod portable;
mod sent;
mod signal;
pub mod wave;
mod wire;

pub use blake3::Hash;
pub use cluster::{Apart, Cluster, Keeping};
pub use note::{Counts, SUMS};
pub use portable::{AsTheyAre, Portable, owner};
pub use signal::Signals;

/// A hash that tells searches apart, as they are told in texts.
pub fn fingerprint(texts: &[&str]) -> blake3::Hash {
    let mut hash = blake3::Hasher::new();
    for text in texts {
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    hash.finalize()
}
