//! Text and JSON of Riata's results.
//!
//! Only this crate and the command line print or serialise. Knows nothing of algorithms, stores or languages.

pub mod chart;
pub mod diagnostics;
pub mod html;
pub mod json;
pub mod table;
pub mod trace;
pub mod wave;
