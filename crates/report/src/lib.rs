//! Text and JSON of Riata's results.
//!
//! Only this crate and the command line print or serialise. Knows nothing of algorithms, stores or languages.

pub mod animate;
pub mod answer;
pub mod chart;
pub mod compare;
pub mod diagnostics;
pub mod junit;
pub mod page;
pub mod run;
pub mod sarif;
pub mod saved;
pub mod schema;
pub mod table;
pub mod text;
pub mod trace;
pub mod wave;
mod xml;
