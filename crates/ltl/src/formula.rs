//! Formulas, hash-consed: an [`Arena`] owns the nodes, an [`Id`] names one, equal formulas have equal ids.
//!
//! A node's operands were made before it, so their ids are smaller. A bottom-up pass is therefore a loop over
//! increasing ids and needs no stack, however deep the formula is.

use crate::properties::Props;
use std::collections::HashMap;

/// A formula: an index into the [`Arena`] that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

impl Id {
    /// The formula that never holds.
    pub const FALSE: Id = Id(0);
    /// The formula that always holds.
    pub const TRUE: Id = Id(1);
}

/// The operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Op {
    /// Never.
    False,
    /// Always.
    True,
    /// An atomic proposition.
    Ap,
    /// ¬a
    Not,
    /// a ∧ b ∧ …
    And,
    /// a ∨ b ∨ …
    Or,
    /// a → b
    Implies,
    /// a ↔ b
    Iff,
    /// a ⊕ b
    Xor,
    /// X a: at the next position.
    Next,
    /// F a: now or later.
    Finally,
    /// G a: now and ever after.
    Globally,
    /// a U b: b holds now or later, and a until then.
    Until,
    /// a R b: b holds up to and including the first position where a does, for ever if there is none.
    Release,
    /// a W b: a U b, or a for ever.
    WeakUntil,
    /// a M b: a R b, and a holds some time.
    StrongRelease,
    /// Y a: there is a previous position, and a held there.
    Yesterday,
    /// Z a: a held at the previous position if there is one.
    WeakYesterday,
    /// O a: now or earlier.
    Once,
    /// H a: now and at all earlier positions.
    Historically,
    /// a S b: b held now or earlier, and a ever since.
    Since,
    /// a T b: b held since the last a (inclusive), always if there was none.
    Trigger,
}

impl Op {
    /// How many operands: 2 also for the n-ary ∧ and ∨.
    pub fn arity(self) -> usize {
        use Op::*;
        match self {
            False | True | Ap => 0,
            Not | Next | Finally | Globally | Yesterday | WeakYesterday | Once | Historically => 1,
            _ => 2,
        }
    }

    /// Does it look at the past?
    pub fn is_past(self) -> bool {
        self >= Op::Yesterday
    }

    /// Does it look at the future?
    pub fn is_future(self) -> bool {
        (Op::Next..=Op::StrongRelease).contains(&self)
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    op: Op,
    props: Props,
    /// First operand; for ∧ and ∨ the start in `kids`; for a proposition its number.
    a: u32,
    /// Second operand; for ∧ and ∨ how many.
    b: u32,
}

/// The owner of formulas.
#[derive(Clone, Debug)]
pub struct Arena {
    nodes: Vec<Node>,
    kids: Vec<Id>,
    table: Vec<u32>,
    aps: Vec<String>,
    names: HashMap<String, u32>,
}

impl Default for Arena {
    fn default() -> Self {
        Self::new()
    }
}

const EMPTY: u32 = u32::MAX;

fn mix(h: u64, x: u32) -> u64 {
    (h.rotate_left(5) ^ u64::from(x)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Arena {
    /// An arena with the two constants.
    pub fn new() -> Self {
        let mut arena = Arena {
            nodes: Vec::with_capacity(64),
            kids: Vec::new(),
            table: vec![EMPTY; 128],
            aps: Vec::new(),
            names: HashMap::new(),
        };
        arena.intern(Op::False, &[], 0);
        arena.intern(Op::True, &[], 0);
        arena
    }

    /// How many different formulas are held.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the constants are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The names of the atomic propositions, by number.
    pub fn aps(&self) -> &[String] {
        &self.aps
    }

    /// The operator of `f`.
    pub fn op(&self, f: Id) -> Op {
        self.nodes[f.0 as usize].op
    }

    /// What is known of `f` from its shape.
    pub fn props(&self, f: Id) -> Props {
        self.nodes[f.0 as usize].props
    }

    /// The number of the proposition `f`.
    ///
    /// # Panics
    /// If `f` is not a proposition.
    pub fn ap_number(&self, f: Id) -> u32 {
        assert_eq!(self.op(f), Op::Ap);
        self.nodes[f.0 as usize].a
    }

    /// The only or first operand of an operator that is not n-ary.
    pub fn left(&self, f: Id) -> Id {
        debug_assert!(!matches!(self.op(f), Op::And | Op::Or | Op::Ap));
        Id(self.nodes[f.0 as usize].a)
    }

    /// The second operand of a binary operator.
    pub fn right(&self, f: Id) -> Id {
        debug_assert!(!matches!(self.op(f), Op::And | Op::Or) && self.op(f).arity() == 2);
        Id(self.nodes[f.0 as usize].b)
    }

    /// The operands, however many.
    pub fn operands(&self, f: Id) -> Operands<'_> {
        let n = &self.nodes[f.0 as usize];
        match n.op {
            Op::And | Op::Or => Operands::Many(&self.kids[n.a as usize..(n.a + n.b) as usize]),
            op => Operands::Few([Id(n.a), Id(n.b)], op.arity()),
        }
    }

    fn hash(op: Op, kids: &[Id]) -> u64 {
        kids.iter().fold(mix(0, op as u32), |h, k| mix(h, k.0))
    }

    fn same(&self, at: u32, op: Op, kids: &[Id]) -> bool {
        let id = Id(at);
        if self.op(id) != op {
            return false;
        }
        match op {
            Op::Ap => self.nodes[at as usize].a == kids[0].0,
            _ => self.operands(id).as_slice() == kids,
        }
    }

    fn intern(&mut self, op: Op, kids: &[Id], ap: u32) -> Id {
        let ap_key = [Id(ap)];
        let kids = if op == Op::Ap { &ap_key[..] } else { kids };
        let hash = Self::hash(op, kids);
        let mask = self.table.len() - 1;
        let mut slot = (hash >> 32) as usize & mask;
        while self.table[slot] != EMPTY {
            if self.same(self.table[slot], op, kids) {
                return Id(self.table[slot]);
            }
            slot = (slot + 1) & mask;
        }
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 formulas");
        let props = Props::of(self, op, if op == Op::Ap { &[] } else { kids });
        let (a, b) = match op {
            Op::And | Op::Or => {
                let start = self.kids.len() as u32;
                self.kids.extend_from_slice(kids);
                (start, kids.len() as u32)
            }
            _ => (kids.first().map_or(0, |k| k.0), kids.get(1).map_or(0, |k| k.0)),
        };
        self.nodes.push(Node { op, props, a, b });
        self.table[slot] = id;
        if self.nodes.len() * 2 > self.table.len() {
            self.grow();
        }
        Id(id)
    }

    fn grow(&mut self) {
        let size = self.table.len() * 4;
        let mut table = vec![EMPTY; size];
        for i in 0..self.nodes.len() as u32 {
            let n = self.nodes[i as usize];
            let hash = match n.op {
                Op::Ap => Self::hash(n.op, &[Id(n.a)]),
                _ => Self::hash(n.op, self.operands(Id(i)).as_slice()),
            };
            let mut slot = (hash >> 32) as usize & (size - 1);
            while table[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            table[slot] = i;
        }
        self.table = table;
    }

    /// The proposition called `name`.
    pub fn ap(&mut self, name: &str) -> Id {
        let number = match self.names.get(name) {
            Some(&n) => n,
            None => {
                let n = self.aps.len() as u32;
                self.aps.push(name.to_owned());
                self.names.insert(name.to_owned(), n);
                n
            }
        };
        self.intern(Op::Ap, &[], number)
    }

    /// Gives a proposition another name, for printing. [`Arena::ap`] finds it by either.
    pub fn call(&mut self, number: u32, name: &str) {
        if let Some(ap) = self.aps.get_mut(number as usize) {
            *ap = name.to_owned();
            self.names.entry(name.to_owned()).or_insert(number);
        }
    }

    /// A proposition that no formula uses yet; its name begins with `prefix`.
    pub fn fresh(&mut self, prefix: &str) -> Id {
        let name = (0..).map(|i| format!("{prefix}{i}")).find(|n| !self.names.contains_key(n));
        self.ap(&name.expect("some name is free"))
    }

    /// A node exactly as given, except that ∧ and ∨ are sorted, without repetition, and no node if there are fewer
    /// than two operands.
    pub fn raw(&mut self, op: Op, kids: &[Id]) -> Id {
        match op {
            Op::And | Op::Or => {
                let mut sorted = kids.to_vec();
                sorted.sort_unstable();
                sorted.dedup();
                match sorted[..] {
                    [] if op == Op::And => Id::TRUE,
                    [] => Id::FALSE,
                    [one] => one,
                    _ => self.intern(op, &sorted, 0),
                }
            }
            _ => {
                assert!(op != Op::Ap && kids.len() == op.arity(), "{op:?} with {} operands", kids.len());
                self.intern(op, kids, 0)
            }
        }
    }

    /// ¬a as it is; use [`Arena::negate`] to drop a double negation.
    pub fn not(&mut self, a: Id) -> Id {
        self.raw(Op::Not, &[a])
    }

    /// ¬a, a constant or the operand of a negation being negated at once.
    pub fn negate(&mut self, a: Id) -> Id {
        match self.op(a) {
            Op::True => Id::FALSE,
            Op::False => Id::TRUE,
            Op::Not => self.left(a),
            _ => self.not(a),
        }
    }

    /// The subformulas of `root`, itself included, operands before operators.
    pub fn subformulas(&self, root: Id) -> Vec<Id> {
        let mut seen = vec![false; root.0 as usize + 1];
        seen[root.0 as usize] = true;
        let mut out = Vec::new();
        for i in (0..=root.0).rev() {
            if seen[i as usize] {
                out.push(Id(i));
                for &k in self.operands(Id(i)).as_slice() {
                    seen[k.0 as usize] = true;
                }
            }
        }
        out.reverse();
        out
    }

    /// The numbers of the propositions in `root`, increasing.
    pub fn ap_numbers(&self, root: Id) -> Vec<u32> {
        let mut aps: Vec<u32> = self
            .subformulas(root)
            .into_iter()
            .filter(|&f| self.op(f) == Op::Ap)
            .map(|f| self.nodes[f.0 as usize].a)
            .collect();
        aps.sort_unstable();
        aps
    }
}

/// The operands of a formula.
#[derive(Clone, Copy, Debug)]
pub enum Operands<'a> {
    /// At most two.
    Few([Id; 2], usize),
    /// Those of an n-ary operator.
    Many(&'a [Id]),
}

impl Operands<'_> {
    /// As a slice.
    pub fn as_slice(&self) -> &[Id] {
        match self {
            Operands::Few(ids, n) => &ids[..*n],
            Operands::Many(ids) => ids,
        }
    }
}

/// A formula together with its arena.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// The owner.
    pub arena: Arena,
    /// The formula.
    pub root: Id,
}

impl Ltl {
    /// The negation.
    pub fn negated(&self) -> Ltl {
        let mut arena = self.arena.clone();
        let root = arena.negate(self.root);
        Ltl { arena, root }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_formulas_have_equal_ids() {
        let mut m = Arena::new();
        let (a, b) = (m.ap("a"), m.ap("b"));
        assert_eq!(m.raw(Op::And, &[a, b]), m.raw(Op::And, &[b, a, b]));
        assert_eq!(m.raw(Op::Or, &[a, a]), a);
        assert_ne!(m.raw(Op::Until, &[a, b]), m.raw(Op::Until, &[b, a]));
        assert_eq!(m.raw(Op::And, &[]), Id::TRUE);
        let mut f = a;
        for _ in 0..10_000 {
            f = m.raw(Op::Next, &[f]);
        }
        assert_eq!(m.subformulas(f).len(), 10_001);
        assert_eq!(m.ap_numbers(f), [0]);
        let n = m.negate(f);
        assert_eq!(m.negate(n), f);
        assert_eq!(m.fresh("a"), m.ap("a0"));
    }
}
