//! OxiDD's diagrams with complement edges (index-based manager) behind [`Bdd`].
//!
//! OxiDD has what most of [`Bdd`] asks for. Added here over its public interface are renaming of variables
//! (`rename`) and restriction to a care set (`restrict`), both with OxiDD's own cache of results; the sampling of
//! live nodes; group sifting (`sift`); and the limits. OxiDD itself collects garbage only when its table is nearly full; we collect when the
//! number of nodes has doubled since the last time, so that small problems stay small in the processor's caches and
//! the count of live nodes means something.

mod rename;
mod restrict;
mod sift;

use crate::bdd::{Bdd, Renaming, Var};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::{AllocResult, FxHasher, num::F64};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, HasLevel, Manager, ManagerRef,
};
use oxidd::{Node, NodeID};
use oxidd_core::DiagramRules;
use oxidd_core::util::SatCountCache;
use oxidd_rules_bdd::complement_edge::EdgeTag;
use riata_system::{Limits, Stop};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::sync::atomic::Ordering;
use std::time::Instant;

type M<'id> = <BCDDFunction as Function>::Manager<'id>;
type E<'id> = <M<'id> as Manager>::Edge;
type Rules<'id> = <M<'id> as Manager>::Rules;

/// Bytes of a node with its place in the unique table.
const NODE_BYTES: usize = 24;
/// Bytes of an entry of the cache of results.
const ENTRY_BYTES: usize = 20;
/// Nodes that may be made before the first collection.
const FIRST_COLLECTION: usize = 1 << 18;

/// Live nodes at which [`Reordering::Eager`] begins.
const EAGER: usize = 1_000;
/// Live nodes at which [`Reordering::Late`] begins.
const LATE: usize = 50_000;
/// Nodes, dead or alive, up to which the live ones are not counted a second time.
const UNCOUNTED: usize = 1 << 15;
/// Nodes, dead or alive, from which on garbage is collected inside an image.
const RELIEF: usize = 1 << 21;

/// A manager of OxiDD, with limits.
pub struct Oxi<'l> {
    manager: BCDDManagerRef,
    truth: BCDDFunction,
    limits: Limits<'l>,
    cache: usize,
    /// Nodes that the table holds.
    capacity: usize,
    peak: Cell<usize>,
    collect_at: Cell<usize>,
    groups: RefCell<Vec<Vec<Var>>>,
    reordering: Reordering,
    reorder_at: Cell<usize>,
    reorderings: Cell<usize>,
    settled: Cell<u64>,
    listener: Option<Box<dyn Fn(Pulse) + 'l>>,
}

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulse {
    /// Moments between operations so far: about as many as images.
    pub settled: u64,
    /// Nodes now, the dead ones included.
    pub nodes: usize,
    /// How often the order was changed.
    pub reorderings: usize,
}

/// When the order of the variables changes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reordering {
    /// Never.
    Never,
    /// When a collection of garbage, which comes anyway, leaves many nodes: costs nothing where diagrams stay small.
    #[default]
    Late,
    /// As soon as there are a few thousand live nodes, and whenever they double.
    Eager,
}

impl Reordering {
    /// Live nodes at which the order is first changed.
    fn first(self) -> usize {
        match self {
            Reordering::Never => usize::MAX,
            Reordering::Late => LATE,
            Reordering::Eager => EAGER,
        }
    }
}

impl<'l> Oxi<'l> {
    /// A manager without variables. The memory limit bounds the table of nodes; the cache of results takes a share.
    pub fn new(limits: Limits<'l>) -> Self {
        Self::for_bits(limits, u32::MAX)
    }

    /// A manager for a system of so many bits. A small system gets a small cache: to clear a large one takes longer than
    /// to check it.
    pub fn for_bits(limits: Limits<'l>, bits: u32) -> Self {
        let bytes = limits.memory.unwrap_or(3 << 30);
        let most = match bits {
            0..=16 => 1 << 14,
            17..=32 => 1 << 17,
            _ => 1 << 20,
        };
        let cache = (bytes / 8 / ENTRY_BYTES).clamp(1 << 10, most).next_power_of_two();
        let nodes = (bytes.saturating_sub(cache * ENTRY_BYTES) / NODE_BYTES).clamp(1 << 10, 1 << 30);
        let manager = oxidd::bcdd::new_manager(nodes, cache, 1);
        let truth = manager.with_manager_shared(|m| BCDDFunction::t(m));
        Oxi {
            manager,
            truth,
            limits,
            cache,
            capacity: nodes,
            peak: Cell::new(0),
            collect_at: Cell::new(FIRST_COLLECTION),
            groups: RefCell::default(),
            reordering: Reordering::Never,
            reorder_at: Cell::new(usize::MAX),
            reorderings: Cell::new(0),
            settled: Cell::new(0),
            listener: None,
        }
    }

    /// Tells `listener` of every moment between operations.
    pub fn listen(self, listener: impl Fn(Pulse) + 'l) -> Self {
        Oxi { listener: Some(Box::new(listener)), ..self }
    }

    /// Lets the order change by itself as the diagrams grow.
    pub fn reordering(self, reordering: Reordering) -> Self {
        self.reorder_at.set(reordering.first());
        let oxi = Oxi { reordering, ..self };
        oxi.collect_at.set(oxi.least(0));
        oxi
    }

    /// How often the order was changed.
    pub fn reorderings(&self) -> usize {
        self.reorderings.get()
    }

    /// Runs an operation; when the table is full, once more after a collection.
    fn guarded(&self, op: impl Fn() -> AllocResult<BCDDFunction>) -> Result<BCDDFunction, Stop> {
        if self.limits.deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(Stop::Time);
        }
        if self.limits.interrupt.is_some_and(|i| i.load(Ordering::Relaxed)) {
            return Err(Stop::Interrupted);
        }
        op().or_else(|_| {
            self.collect();
            op().map_err(|_| Stop::Memory)
        })
    }

    /// Removes dead nodes, and remembers how many are left.
    fn collect(&self) -> usize {
        let live = self.manager.with_manager_shared(|m| {
            m.gc();
            m.num_inner_nodes()
        });
        self.peak.set(self.peak.get().max(live));
        self.collect_at.set((2 * live).max(self.least(live)));
        live
    }

    /// Nodes that may be there before the next collection, if `live` are alive now: few enough to notice growth where
    /// the order may change, and as many as possible otherwise, because a collection empties the cache of results.
    fn least(&self, live: usize) -> usize {
        match self.reordering {
            Reordering::Eager => {
                live + (1 << 16).min(self.reorder_at.get().saturating_sub(live)).max(2 * EAGER)
            }
            _ => FIRST_COLLECTION,
        }
    }

    /// Visits each node of the functions once.
    fn visit(&self, fs: &[&BCDDFunction], mut each: impl FnMut(u32)) {
        self.manager.with_manager_shared(|m| {
            let mut seen: HashSet<NodeID, BuildHasherDefault<FxHasher>> = HashSet::default();
            let mut stack: Vec<_> = fs.iter().map(|f| f.as_edge(m)).collect();
            while let Some(e) = stack.pop() {
                let Node::Inner(node) = m.get_node(e) else { continue };
                if seen.insert(e.node_id()) {
                    each(node.level());
                    stack.extend(Rules::cofactors(e.tag(), node));
                }
            }
        });
    }
}

impl Bdd for Oxi<'_> {
    type F = BCDDFunction;

    fn var_count(&self) -> u32 {
        self.manager.with_manager_shared(|m| m.num_vars())
    }

    fn add_vars(&self, n: u32) -> Var {
        self.manager.with_manager_exclusive(|m| m.add_vars(n)).start
    }

    fn order(&self) -> Vec<Var> {
        self.manager.with_manager_shared(|m| (0..m.num_levels()).map(|l| m.level_to_var(l)).collect())
    }

    fn set_order(&self, order: &[Var]) {
        self.collect();
        self.manager.with_manager_exclusive(|m| oxidd_reorder::set_var_order_seq(m, order));
    }

    fn keep_together(&self, groups: Vec<Vec<Var>>) {
        *self.groups.borrow_mut() = groups;
    }

    fn reorder(&self) {
        let before = self.collect();
        let groups = self.groups.borrow();
        // OxiDD ends the process when the table is full while levels change places, so it must not become full.
        let (capacity, thorough) = (self.capacity, self.reordering != Reordering::Late);
        let changed = self.manager.with_manager_exclusive(|m| sift::sift(m, &groups, capacity, thorough));
        self.reorderings.set(self.reorderings.get() + usize::from(changed));
        let live = self.collect();
        let next = match self.reordering {
            Reordering::Never => return,
            // What did not help now will hardly help soon.
            Reordering::Late if 5 * live > 4 * before => 4 * before,
            _ => 2 * live,
        };
        self.reorder_at.set(next.max(self.reordering.first()));
    }

    fn constant(&self, value: bool) -> BCDDFunction {
        if value { self.truth.clone() } else { self.not(&self.truth) }
    }

    fn var(&self, v: Var) -> Result<BCDDFunction, Stop> {
        self.guarded(|| self.manager.with_manager_shared(|m| BCDDFunction::var(m, v)))
    }

    fn not(&self, f: &BCDDFunction) -> BCDDFunction {
        // Complement edges: no node is made, so it cannot fail.
        f.not().unwrap_or_else(|_| unreachable!("a complement edge needs no memory"))
    }

    fn and(&self, f: &BCDDFunction, g: &BCDDFunction) -> Result<BCDDFunction, Stop> {
        self.guarded(|| f.and(g))
    }

    fn or(&self, f: &BCDDFunction, g: &BCDDFunction) -> Result<BCDDFunction, Stop> {
        self.guarded(|| f.or(g))
    }

    fn xor(&self, f: &BCDDFunction, g: &BCDDFunction) -> Result<BCDDFunction, Stop> {
        self.guarded(|| f.xor(g))
    }

    fn ite(&self, f: &BCDDFunction, g: &BCDDFunction, h: &BCDDFunction) -> Result<BCDDFunction, Stop> {
        self.guarded(|| f.ite(g, h))
    }

    fn exists(&self, f: &BCDDFunction, cube: &BCDDFunction) -> Result<BCDDFunction, Stop> {
        self.guarded(|| f.exists(cube))
    }

    fn and_exists(
        &self,
        f: &BCDDFunction,
        g: &BCDDFunction,
        cube: &BCDDFunction,
    ) -> Result<BCDDFunction, Stop> {
        self.guarded(|| f.apply_exists(BooleanOperator::And, g, cube))
    }

    fn renaming(&self, pairs: Vec<(Var, Var)>) -> Renaming {
        Renaming { pairs, id: oxidd_core::util::new_substitution_id() }
    }

    fn rename(&self, f: &BCDDFunction, renaming: &Renaming) -> Result<BCDDFunction, Stop> {
        self.guarded(|| self.manager.with_manager_shared(|m| rename::rename(m, f, renaming)))
    }

    fn restrict(&self, f: &BCDDFunction, care: &BCDDFunction) -> Result<BCDDFunction, Stop> {
        self.guarded(|| self.manager.with_manager_shared(|m| restrict::restrict(m, f, care)))
    }

    fn pick(&self, f: &BCDDFunction, vars: &[Var]) -> Option<Vec<bool>> {
        self.manager.with_manager_shared(|m| {
            let mut values = vec![false; m.num_vars() as usize];
            let never = self.truth.as_edge(m).with_tag(EdgeTag::Complemented);
            let mut e = f.as_edge(m);
            while let Node::Inner(node) = m.get_node(e) {
                let mut cofactors = Rules::cofactors(e.tag(), node);
                let (high, low) = (cofactors.next()?, cofactors.next()?);
                // In a reduced diagram only ⊥ is unsatisfiable.
                let go_low = low != never;
                values[m.level_to_var(node.level()) as usize] = !go_low;
                e = if go_low { low } else { high };
            }
            (e != never).then(|| vars.iter().map(|&v| values[v as usize]).collect())
        })
    }

    fn eval(&self, f: &BCDDFunction, value: &dyn Fn(Var) -> bool) -> bool {
        self.manager.with_manager_shared(|m| {
            let mut e = f.as_edge(m);
            while let Node::Inner(node) = m.get_node(e) {
                let child = usize::from(!value(m.level_to_var(node.level())));
                e = Rules::cofactor(e.tag(), node, child);
            }
            e == self.truth.as_edge(m)
        })
    }

    fn count(&self, f: &BCDDFunction, vars: u32) -> f64 {
        let mut cache = SatCountCache::<F64, BuildHasherDefault<FxHasher>>::default();
        f.sat_count(vars, &mut cache).0
    }

    fn support(&self, f: &BCDDFunction) -> Vec<Var> {
        let mut levels = vec![false; self.var_count() as usize];
        self.visit(&[f], |level| levels[level as usize] = true);
        let mut vars: Vec<Var> = self.manager.with_manager_shared(|m| {
            (0u32..).zip(&levels).filter(|(_, seen)| **seen).map(|(l, _)| m.level_to_var(l)).collect()
        });
        vars.sort_unstable();
        vars
    }

    fn size(&self, fs: &[&BCDDFunction]) -> usize {
        let mut nodes = 1; // the terminal
        self.visit(fs, |_| nodes += 1);
        nodes
    }

    fn settle(&self) -> Result<(), Stop> {
        if self.nodes() >= self.collect_at.get() && self.collect() >= self.reorder_at.get() {
            self.reorder();
        }
        self.settled.set(self.settled.get() + 1);
        if let Some(listener) = &self.listener {
            let (settled, reorderings) = (self.settled.get(), self.reorderings.get());
            listener(Pulse { settled, nodes: self.nodes(), reorderings });
        }
        if self.limits.memory.is_some_and(|limit| self.bytes() > limit) {
            return Err(Stop::Memory);
        }
        Ok(())
    }

    fn relieve(&self) {
        if self.nodes() >= RELIEF.max(4 * self.collect_at.get())
            && self.collect() >= self.reorder_at.get().saturating_mul(8)
        {
            self.reorder();
        }
    }

    fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|m| m.approx_num_inner_nodes())
    }

    fn peak_live(&self) -> usize {
        // A collection walks through the cache of results, which takes longer than many a property. So it is counted
        // once, and then only where there may be many more.
        if self.peak.get() == 0 || self.nodes() > UNCOUNTED.max(2 * self.peak.get()) {
            self.collect();
        }
        self.peak.get()
    }

    fn bytes(&self) -> usize {
        self.nodes() * NODE_BYTES + self.cache * ENTRY_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table that is nearly full is left as it is: OxiDD would end the process.
    #[test]
    fn a_full_table_is_not_reordered() {
        let limits = Limits { memory: Some(1), ..Limits::default() };
        let bdd = Oxi::for_bits(limits, 8);
        let n = 10;
        bdd.add_vars(2 * n);
        // x₀x₁…  y₀y₁…: the worst order for this function, and its nodes fill the table.
        let mut f = bdd.constant(false);
        let mut kept = Vec::new();
        for i in 0..n {
            let pair = bdd.and(&bdd.var(i).unwrap(), &bdd.var(n + i).unwrap());
            match pair.and_then(|p| bdd.or(&f, &p)) {
                Ok(g) => kept.push(std::mem::replace(&mut f, g)),
                Err(stop) => {
                    assert_eq!(stop, Stop::Memory);
                    break;
                }
            }
        }
        assert!(bdd.nodes() > bdd.capacity / 2, "{} of {}", bdd.nodes(), bdd.capacity);
        bdd.reorder();
        // In a table with room the same function becomes small.
        let roomy = Oxi::for_bits(Limits::default(), 8);
        roomy.add_vars(2 * n);
        let mut g = roomy.constant(false);
        for i in 0..n {
            g = roomy
                .or(&g, &roomy.and(&roomy.var(i).unwrap(), &roomy.var(n + i).unwrap()).unwrap())
                .unwrap();
        }
        roomy.reorder();
        assert_eq!(roomy.reorderings(), 1);
        assert!(roomy.size(&[&g]) < 50);
    }
}
