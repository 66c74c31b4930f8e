//! A space with counters: EX, EY, EU and ES as FFKVY01 counts them.

use crate::Space;
use crate::watch::{Told, What};
use riata_system::Stop;

/// What FFKVY01's tables show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Iterations of the outermost loop, the last one, which confirms the fixpoint, included.
    pub external_iterations: u64,
    /// Preimages, those inside EU included.
    pub ex: u64,
    /// Images, those inside ES included.
    pub ey: u64,
    /// Backward reachability computations, without trivial ones E[φ U φ].
    pub eu: u64,
    /// Forward reachability computations, without trivial ones.
    pub es: u64,
    /// The size of the approximation set after each external iteration.
    pub sizes: Vec<usize>,
}

/// A space, and what was done in it.
pub struct Engine<'s, S: Space> {
    /// The graph.
    pub space: &'s S,
    /// What was counted so far.
    pub counters: Counters,
}

impl<'s, S: Space> Engine<'s, S> {
    /// An engine that has done nothing.
    pub fn new(space: &'s S) -> Self {
        Engine { space, counters: Counters::default() }
    }

    /// a ∩ b
    pub fn and(&self, a: &S::Set, b: &S::Set) -> Result<S::Set, Stop> {
        self.space.and(a, b)
    }

    /// a ∪ b
    pub fn or(&self, a: &S::Set, b: &S::Set) -> Result<S::Set, Stop> {
        self.space.or(a, b)
    }

    /// a \ b
    pub fn minus(&self, a: &S::Set, b: &S::Set) -> Result<S::Set, Stop> {
        self.space.minus(a, b)
    }

    /// Is there no state in a?
    pub fn is_empty(&self, a: &S::Set) -> bool {
        *a == self.space.none()
    }

    /// EX a
    pub fn ex(&mut self, a: &S::Set) -> Result<S::Set, Stop> {
        self.space.settle()?;
        self.counters.ex += 1;
        let before = self.space.pre(a)?;
        self.tell(What::Ex, &before);
        Ok(before)
    }

    /// EY a
    pub fn ey(&mut self, a: &S::Set) -> Result<S::Set, Stop> {
        self.space.settle()?;
        self.counters.ey += 1;
        let after = self.space.post(a)?;
        self.tell(What::Ey, &after);
        Ok(after)
    }

    /// E[a U b]
    pub fn eu(&mut self, a: &S::Set, b: &S::Set) -> Result<S::Set, Stop> {
        if a == b {
            return Ok(b.clone());
        }
        self.counters.eu += 1;
        self.closure(a, b, Engine::ex)
    }

    /// E[a S b]
    pub fn es(&mut self, a: &S::Set, b: &S::Set) -> Result<S::Set, Stop> {
        if a == b {
            return Ok(b.clone());
        }
        self.counters.es += 1;
        self.closure(a, b, Engine::ey)
    }

    /// Least fixpoint of b ∪ (a ∩ image), by frontiers.
    fn closure(
        &mut self,
        a: &S::Set,
        b: &S::Set,
        image: impl Fn(&mut Self, &S::Set) -> Result<S::Set, Stop>,
    ) -> Result<S::Set, Stop> {
        let (mut reached, mut frontier) = (b.clone(), b.clone());
        while !self.is_empty(&frontier) {
            // The whole set may be the smaller diagram, and its image adds nothing else.
            let from =
                if self.space.size(&reached) < self.space.size(&frontier) { &reached } else { &frontier };
            let more = image(self, &from.clone())?;
            frontier = self.minus(&self.and(&more, a)?, &reached)?;
            reached = self.or(&reached, &frontier)?;
            self.tell(What::Reached, &reached);
        }
        Ok(reached)
    }

    /// Tells who watches that a line of the algorithm's text is done, and the set that it gave a variable.
    pub fn line(&self, text: &'static str, set: &S::Set) {
        self.tell(What::Line(text), set);
    }

    #[inline(always)]
    fn tell(&self, what: What, set: &S::Set) {
        self.space.watch(Told { what, set, counters: &self.counters });
    }

    /// Ends an external iteration with the approximation set `b`.
    pub fn iterated(&mut self, b: &S::Set) {
        self.counters.external_iterations += 1;
        self.counters.sizes.push(self.space.size(b));
        self.tell(What::Iterated, b);
    }
}
