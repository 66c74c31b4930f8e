//! Breadth-first search on a graphics processor.
//!
//! The bytecode of a program becomes C: one text, compiled for the device by NVRTC when it is needed, and in tests for the
//! host by a C compiler. Driver and compiler of CUDA are loaded dynamically: where they are not, nothing but this engine is
//! missed. What the text does not know (faults, violated assertions, processes that are created) it leaves to the
//! interpreter, state by state, as native code does edge by edge: it has no meaning of its own.
//!
//! * `pack`: the bits of a state that say something.
//! * `plan`: what the device is told, and what is refused.
//! * `text`: the program as C.
//! * `kernel/*.h`: the table of states and the search over it, for both worlds.
//! * `device`: what a search asks of a device; `cuda` and `host` are such.
//! * `search`: level by level; `trace`: the way back.

mod cuda;
mod device;
mod host;
mod pack;
mod plan;
mod search;
mod text;
mod trace;

pub use cuda::Cuda;
pub use device::{Device, Failed, Room, Tally};
pub use host::{Compiled, Host, compiler};
pub use pack::{DoesNotFit, Packing};
pub use plan::{Plan, Refused};
pub use search::{Aim, Found, Place, Search, Wrong};
pub use text::text;
