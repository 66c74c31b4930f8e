//! What the engine needs of a package of decision diagrams.
//!
//! Small on purpose: another package is another implementation of this trait, and the tests of the trait's laws
//! (`tests/diagrams.rs`) are its conformance suite.

use riata_system::Stop;
use std::hash::Hash;

/// A variable, by its number. The number does not change when the order does.
pub type Var = u32;

/// A renaming of variables, made once by [`Bdd::renaming`] and used often.
#[derive(Clone, Debug)]
pub struct Renaming {
    /// What each variable becomes.
    pub pairs: Vec<(Var, Var)>,
    /// Tells renamings apart in caches.
    pub(crate) id: u32,
}

/// A manager of Boolean functions over numbered variables.
///
/// Operations that make nodes fail when a limit is reached; then nothing is lost but the result.
pub trait Bdd {
    /// A function. Equal functions are equal values.
    type F: Clone + Eq + Hash;

    /// How many variables there are.
    fn var_count(&self) -> u32;
    /// Adds `n` variables at the bottom of the order; returns the first.
    fn add_vars(&self, n: u32) -> Var;
    /// The variables from the top of the order to its bottom.
    fn order(&self) -> Vec<Var>;
    /// Changes the order. `order` holds each variable once.
    fn set_order(&self, order: &[Var]);

    /// These variables are adjacent in the order and stay so when it changes by itself.
    fn keep_together(&self, groups: Vec<Vec<Var>>);
    /// Looks for a better order now, whatever the number of nodes.
    fn reorder(&self);

    /// ⊤ or ⊥.
    fn constant(&self, value: bool) -> Self::F;
    /// The function that is the variable `v`.
    fn var(&self, v: Var) -> Result<Self::F, Stop>;
    /// ¬f
    fn not(&self, f: &Self::F) -> Self::F;
    /// f ∧ g
    fn and(&self, f: &Self::F, g: &Self::F) -> Result<Self::F, Stop>;
    /// f ∨ g
    fn or(&self, f: &Self::F, g: &Self::F) -> Result<Self::F, Stop>;
    /// f ⊕ g
    fn xor(&self, f: &Self::F, g: &Self::F) -> Result<Self::F, Stop>;
    /// (f ∧ g) ∨ (¬f ∧ h)
    fn ite(&self, f: &Self::F, g: &Self::F, h: &Self::F) -> Result<Self::F, Stop>;
    /// f ∧ ¬g
    fn minus(&self, f: &Self::F, g: &Self::F) -> Result<Self::F, Stop> {
        self.and(f, &self.not(g))
    }
    /// f ↔ g
    fn iff(&self, f: &Self::F, g: &Self::F) -> Result<Self::F, Stop> {
        Ok(self.not(&self.xor(f, g)?))
    }

    /// The conjunction of variables: a set of variables to quantify.
    fn cube(&self, vars: &[Var]) -> Result<Self::F, Stop> {
        vars.iter().try_fold(self.constant(true), |cube, &v| self.and(&cube, &self.var(v)?))
    }
    /// ∃ cube. f
    fn exists(&self, f: &Self::F, cube: &Self::F) -> Result<Self::F, Stop>;
    /// ∃ cube. f ∧ g, without building the conjunction: the relational product.
    fn and_exists(&self, f: &Self::F, g: &Self::F, cube: &Self::F) -> Result<Self::F, Stop>;

    /// Prepares a renaming. No variable occurs twice on the left, or twice on the right.
    fn renaming(&self, pairs: Vec<(Var, Var)>) -> Renaming;
    /// f with its variables renamed, all at once. Linear when the order of f's variables is kept.
    fn rename(&self, f: &Self::F, renaming: &Renaming) -> Result<Self::F, Stop>;
    /// Some function, small one hopes, that agrees with f where `care` holds. `care` is satisfiable.
    fn restrict(&self, f: &Self::F, care: &Self::F) -> Result<Self::F, Stop>;

    /// A satisfying assignment of `vars`, in their order; f depends on no other variable. What f leaves open is
    /// false.
    fn pick(&self, f: &Self::F, vars: &[Var]) -> Option<Vec<bool>>;
    /// The value of f where `value` tells the variables.
    fn eval(&self, f: &Self::F, value: &dyn Fn(Var) -> bool) -> bool;
    /// How many assignments of `vars` variables satisfy f, which depends on no others.
    fn count(&self, f: &Self::F, vars: u32) -> f64;
    /// The variables that f depends on, in increasing order of their numbers.
    fn support(&self, f: &Self::F) -> Vec<Var>;
    /// How many nodes these functions have together.
    fn size(&self, fs: &[&Self::F]) -> usize;

    /// A moment between operations: collects garbage when it pays, samples the number of live nodes, looks for a better
    /// order if that was asked for and the diagrams have grown, and compares with the limits.
    fn settle(&self) -> Result<(), Stop>;
    /// A moment inside an image, where what is alive may soon be dead: collects garbage, and looks for a better order,
    /// only if there is very much of it.
    fn relieve(&self);
    /// About how many nodes there are, the dead ones included; cheap.
    fn nodes(&self) -> usize;
    /// The largest number of live nodes that was seen; counts them now, too, if there may be many more.
    fn peak_live(&self) -> usize;
    /// Bytes in use by nodes and tables.
    fn bytes(&self) -> usize;
}
