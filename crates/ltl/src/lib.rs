//! Linear temporal logic: formulas, the notations people write them in, rewriting, and their meaning on lasso words.
//!
//! Knows nothing of automata, systems or models.
//!
//! ```
//! use riata_ltl::{Dialect, parse, print};
//! let f = parse("[](req -> <>ack)", Dialect::Auto).unwrap();
//! assert_eq!(print(&f.arena, f.root, Dialect::Spot), "G(req -> F ack)");
//! ```

pub mod dialect;
pub mod formula;
pub mod lasso;
pub mod lexer;
pub mod nnf;
pub mod parser;
pub mod past;
pub mod printer;
pub mod properties;
pub mod random;
pub mod reasons;
pub mod simplify;
pub mod substitute;

pub use dialect::Dialect;
pub use formula::{Arena, Id, Ltl, Op};
pub use lasso::{Word, evaluate};
pub use parser::{parse, parse_in};
pub use printer::print;
pub use properties::Props;
pub use reasons::{Reason, reasons};
pub use substitute::substitute;
