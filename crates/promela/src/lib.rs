//! Promela, the language of Spin: from text to a syntax tree.

pub mod ast;
pub mod origin;
pub mod sources;
