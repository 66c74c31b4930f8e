//! Fair cycles: EG_fair φ, one file for each algorithm.
//!
//! All answer the same question. Given an invariant φ and fair sets F₁ … Fₖ, which states have an infinite path
//! inside φ that visits each Fᵢ infinitely often? Without fair sets every infinite path inside φ is fair. A fair set
//! that is empty leaves no fair path, whatever a peer prints.
//!
//! # References
//! K. Fisler, R. Fraer, G. Kamhi, M. Y. Vardi, Z. Yang, *Is there a best symbolic cycle-detection algorithm?*,
//! TACAS 2001 (FFKVY01).

pub mod brs;
pub mod chain;
pub mod cty;
pub mod ctyplus;
pub mod el;
pub mod el2;
pub mod elsmv;
pub mod lockstep;
pub mod owcty;
mod scc;
pub mod streett;

use crate::{Engine, Space};
use riata_system::Stop;

/// The structure of a system with respect to its fair set, as Bloem, Ravi and Somenzi use it; see [`brs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// A fair state can go on for ever, and only through fair states.
    Terminal,
    /// A component lies inside the intersection of the fair sets, or misses one of them.
    Weak,
    /// Anything.
    General,
}

impl Strength {
    /// As scripts know it.
    pub fn name(self) -> &'static str {
        match self {
            Strength::Terminal => "terminal",
            Strength::Weak => "weak",
            Strength::General => "general",
        }
    }
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Problem<T> {
    /// Every state of the path satisfies this.
    pub invariant: T,
    /// The path visits each of these infinitely often.
    pub fair: Vec<T>,
    /// What is known of the structure.
    pub strength: Strength,
}

impl<T: Clone> Problem<T> {
    /// The fair sets inside the invariant; the invariant itself if there are none.
    fn fair_sets<S: Space<Set = T>>(&self, engine: &Engine<S>) -> Result<Vec<T>, Stop> {
        if self.fair.is_empty() {
            return Ok(vec![self.invariant.clone()]);
        }
        self.fair.iter().map(|f| engine.and(f, &self.invariant)).collect()
    }
}

/// The algorithms, by the names of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [`el`]
    El,
    /// [`elsmv`]
    ElSmv,
    /// [`cty`]
    Cty,
    /// [`ctyplus`]
    CtyPlus,
    /// [`owcty`]
    Owcty,
    /// [`owcty`] with pruning inside the loop
    OwctyInner,
    /// [`el2`]
    El2,
    /// [`brs`]
    Brs,
    /// [`lockstep`]
    Lockstep,
    /// [`chain`]
    Chain,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 10] = [
        Algorithm::El,
        Algorithm::ElSmv,
        Algorithm::Cty,
        Algorithm::CtyPlus,
        Algorithm::Owcty,
        Algorithm::OwctyInner,
        Algorithm::El2,
        Algorithm::Brs,
        Algorithm::Lockstep,
        Algorithm::Chain,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::El => "el",
            Algorithm::ElSmv => "elsmv",
            Algorithm::Cty => "cty",
            Algorithm::CtyPlus => "ctyplus",
            Algorithm::Owcty => "owcty",
            Algorithm::OwctyInner => "owcty-inner",
            Algorithm::El2 => "el2",
            Algorithm::Brs => "brs",
            Algorithm::Lockstep => "lockstep",
            Algorithm::Chain => "chain",
        }
    }

    /// The algorithm of that name.
    pub fn from_name(name: &str) -> Option<Algorithm> {
        Self::ALL.into_iter().find(|a| a.name() == name)
    }

    /// The states with a fair path: EG_fair of the invariant.
    ///
    /// [`Algorithm::Brs`] computes the states from which one is reachable, if the strength says so: the same where
    /// the invariant is all states.
    pub fn fair_states<S: Space>(
        self,
        engine: &mut Engine<S>,
        problem: &Problem<S::Set>,
    ) -> Result<S::Set, Stop> {
        match self {
            Algorithm::El => el::fair_states(engine, problem),
            Algorithm::ElSmv => elsmv::fair_states(engine, problem),
            Algorithm::Cty => cty::fair_states(engine, problem),
            Algorithm::CtyPlus => ctyplus::fair_states(engine, problem),
            Algorithm::Owcty => owcty::fair_states(engine, problem),
            Algorithm::OwctyInner => owcty::fair_states_pruning_inside(engine, problem),
            Algorithm::El2 => el2::fair_states(engine, problem),
            Algorithm::Brs => brs::fair_states(engine, problem),
            Algorithm::Lockstep => lockstep::fair_states(engine, problem),
            Algorithm::Chain => chain::fair_states(engine, problem),
        }
    }

    /// The algorithm for a problem, and why: the paper's advice.
    pub fn choose(strength: Strength, fair_sets: usize) -> (Algorithm, &'static str) {
        match (strength, fair_sets) {
            (Strength::Terminal, _) => {
                (Algorithm::Brs, "terminal: a reachable fair state decides (FFKVY01, Table 6)")
            }
            (Strength::Weak, _) => (Algorithm::Brs, "weak: EF EG fair decides (FFKVY01, Table 6)"),
            (_, 0) => (Algorithm::El, "no fair set: EL is the plain greatest fixpoint"),
            _ => (Algorithm::Owcty, "never more external iterations than EL (FFKVY01, section 2)"),
        }
    }
}
