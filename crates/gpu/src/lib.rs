//! Searches on a graphics processor: of states, and of cycles in the product with an automaton.
//!
//! The bytecode of a program becomes C: one text, compiled for the device by NVRTC when it is needed, and in tests for the
//! host by a C compiler. Driver and compiler of CUDA are loaded dynamically: where they are not, nothing but this engine is
//! missed. What the text does not know (faults, violated assertions, processes that are created) it leaves to the
//! interpreter, state by state, as native code does edge by edge: it has no meaning of its own.
//!
//! * `pack`: the bits of a state that say something.
//! * `plan`: what the device is told, and what is refused.
//! * `text`: the program as C.
//! * `beside`: the automaton beside a program.
//! * `kernel/*.h`: the table of states, the search over it, and sets of states, for both worlds.
//! * `device`: what a search asks of a device; `cuda` and `host` are such; `compiler` is that of CUDA.
//! * `space`: what is searched, as the interpreter sees it.
//! * `search`: level by level; `trace`: the way back.
//! * `owcty`: which states of a product lie on or behind accepting cycles; `product`: the whole search of these, and the lasso.

mod beside;
mod compiler;
mod cuda;
mod device;
mod host;
mod owcty;
mod pack;
mod plan;
mod product;
mod search;
mod space;
mod text;
mod trace;

pub use beside::Beside;
pub use cuda::Cuda;
pub use device::{Device, Failed, NotReady, Room, Size, Sweep, Tally, ToldEdges, Wave};
pub use host::{Compiled, Host, compiler};
pub use pack::{DoesNotFit, Packing};
pub use plan::{Plan, Refused};
pub use product::Cycles;
pub use search::{Aim, Found, Place, Search, Wrong};
pub use space::{Alone, Space};
pub use text::text;
