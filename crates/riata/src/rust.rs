//! Models in Rust: a type that implements [`Model`] is checked like any other.
//!
//! ```
//! use riata::rust::Model;
//!
//! /// Two hands of a clock that never meet.
//! struct Clock;
//!
//! impl Model for Clock {
//!     type State = (u8, u8);
//!     fn initial(&self) -> Vec<(u8, u8)> {
//!         vec![(0, 1)]
//!     }
//!     fn successors(&self, s: &(u8, u8), out: &mut Vec<(u8, u8)>) {
//!         out.push(((s.0 + 1) % 12, (s.1 + 1) % 12));
//!     }
//!     fn propositions(&self) -> Vec<String> {
//!         vec!["meet".into(), "noon".into()]
//!     }
//!     fn holds(&self, p: usize, s: &(u8, u8)) -> bool {
//!         if p == 0 { s.0 == s.1 } else { s.0 == 0 }
//!     }
//!     fn action(&self, _: &(u8, u8), _: usize) -> String {
//!         "tick".into()
//!     }
//! }
//!
//! let mut model = riata::Model::of("clock", Clock);
//! assert!(model.check().ltl("G !meet")?.ltl("G F noon")?.run()?.holds());
//! assert!(!model.check().ltl("F G noon")?.run()?.holds());
//! # Ok::<(), riata::Error>(())
//! ```

use crate::options::Kind;
use crate::plain::Shown;
pub use riata_system::Model;
use riata_system::{ActionId, Choice, Interned, System, Valuation};
use serde_json::{Value, json};

/// A model in Rust, its states numbered as they come.
pub(crate) struct Typed<M: Model>(pub Interned<M>);

/// The system of a model, with some of its propositions.
pub(crate) struct Chosen<'a, M: Model> {
    whole: &'a Interned<M>,
    /// For each proposition its number in the model.
    bits: Vec<usize>,
}

impl<M: Model> System for Chosen<'_, M> {
    type Cursor = <Interned<M> as System>::Cursor;

    fn words(&self) -> usize {
        self.whole.words()
    }

    fn initial(&self, at: &mut Self::Cursor, dst: &mut [u32]) -> bool {
        self.whole.initial(at, dst)
    }

    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<ActionId> {
        self.whole.next(src, at, dst)
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        let state = self.whole.state(s);
        let bit = |(i, &p): (usize, &usize)| u64::from(self.whole.model().holds(p, &state)) << i;
        Valuation(self.bits.iter().enumerate().map(bit).fold(0, |v, b| v | b))
    }
}

impl<M: Model> Shown for Typed<M> {
    type System<'a>
        = Chosen<'a, M>
    where
        M: 'a;

    fn kind(&self) -> Kind {
        Kind::Rust
    }

    fn system(&self, names: &[String]) -> Result<Chosen<'_, M>, String> {
        let all = self.propositions();
        let number = |name: &String| {
            let found = all.iter().position(|p| p == name);
            found.ok_or_else(|| format!("the model has no proposition `{name}`; it has {}", all.join(", ")))
        };
        Ok(Chosen { whole: &self.0, bits: names.iter().map(number).collect::<Result<_, _>>()? })
    }

    fn propositions(&self) -> Vec<String> {
        self.0.model().propositions()
    }

    fn json(&self, s: &[u32]) -> Value {
        json!({ "state": format!("{:?}", self.0.state(s)) })
    }

    fn text(&self, s: &[u32]) -> String {
        format!("{:?}", self.0.state(s))
    }

    fn action(&self, src: &[u32], choice: Choice, _: &[u32]) -> String {
        if choice == Choice::STUTTER {
            return "(nothing can move: the state repeats)".into();
        }
        self.0.model().action(&self.0.state(src), choice.0 as usize)
    }
}
