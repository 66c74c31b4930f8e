//! The default: Couvreur's translation, with Boolean functions as states.
//!
//! Every formula f is a Boolean function `f` of the propositions now, of «g holds at the next position» for formulas
//! g, and of promises: P(g) says that g was promised and not kept now.
//!
//! ```text
//! [a U b]  = [b] ∨ [a] ∧ Next(a U b) ∧ P(b)        [a R b]  = [b] ∧ ([a] ∨ Next(a R b))
//! [F b]    = [b] ∨ Next(F b) ∧ P(b)                [G a]    = [a] ∧ Next(G a)
//! [X a]    = Next(a)                               [G F b]  = ([b] ∨ P(b)) ∧ Next(G F b)
//! ```
//!
//! A state is the function of its formula, so formulas with the same function are one state. Its edges: for each
//! letter the function that remains, which is monotone in Next and P; its minimal implicants are the edges, each with
//! the formulas that must hold next and the promises not kept. A run is accepting when it infinitely often keeps each
//! promise: acceptance set i has the edges without promise i.
//!
//! The propositions are above Next and P in the order of variables, so the functions that remain after the letter are
//! the nodes where the propositions end, and letters with the same remainder stay together.
//!
//! Deviations from the paper: promises are named by their goal as in Spot; G F b does not create F b; a safety
//! formula that another in the same conjunction implies is dropped; and branching may be postponed (Sebastiani–Tonetta 2003):
//! edges that differ in their target only are joined to the disjunction of the targets.
//!
//! # References
//! J.-M. Couvreur, *On-the-fly verification of linear temporal logic*, FM 1999.
//! A. Duret-Lutz, *LTL translation improvements in Spot 1.0*, IJCCBS 5(1/2), 2014.

use super::{Budget, TranslateError};
use crate::{Edge, Label, Labels, Marks, Tgba};
use riata_ltl::simplify::{Rules, Simplifier};
use riata_ltl::{Arena, Id, Op, Props};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A variable below the propositions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Variable {
    Next(Id),
    Promise(Id),
}

struct Couvreur<'a> {
    arena: &'a Arena,
    labels: Labels,
    /// Proposition numbers of the arena in the automaton's order.
    aps: Vec<u32>,
    functions: HashMap<Id, Label>,
    variables: Vec<Variable>,
    number: HashMap<Variable, u32>,
    promises: Vec<u32>,
    simplifier: Simplifier,
    budget: Budget,
}

/// The automaton of `f`, which is in negation normal form without past operators.
pub fn translate(arena: &Arena, f: Id, postpone: bool, budget: &Budget) -> Result<Tgba, TranslateError> {
    let aps = arena.ap_numbers(f);
    let mut c = Couvreur {
        arena,
        labels: Labels::new(),
        aps,
        functions: HashMap::new(),
        variables: Vec::new(),
        number: HashMap::new(),
        promises: Vec::new(),
        simplifier: Simplifier::new(Rules::ALL),
        budget: *budget,
    };
    c.prepare(f, budget)?;
    c.explore(f, postpone, budget)
}

impl Couvreur<'_> {
    /// The functions of all subformulas, operands first.
    fn prepare(&mut self, f: Id, budget: &Budget) -> Result<(), TranslateError> {
        for g in self.arena.subformulas(f) {
            let function = self.function(g)?;
            self.functions.insert(g, function);
            budget.check(0, self.labels.nodes())?;
        }
        Ok(())
    }

    fn function(&mut self, g: Id) -> Result<Label, TranslateError> {
        let m = self.arena;
        Ok(match m.op(g) {
            Op::False => Label::FALSE,
            Op::True => Label::TRUE,
            Op::Ap => {
                let at = self.aps.binary_search(&m.ap_number(g)).expect("a proposition of the formula");
                self.labels.var(at as u32)
            }
            Op::Not => {
                let a = self.functions[&m.left(g)];
                self.labels.not(a)
            }
            Op::And => self.fold(g, Label::TRUE, Self::and)?,
            Op::Or => self.fold(g, Label::FALSE, Self::or)?,
            Op::Next => self.next(m.left(g))?,
            Op::Finally => {
                let (b, next) = (self.functions[&m.left(g)], self.next(g)?);
                let p = self.promise(m.left(g))?;
                let later = self.and(next, p)?;
                self.or(b, later)?
            }
            Op::Globally => {
                let (a, next) = (self.recurring(m.left(g))?, self.next(g)?);
                self.and(a, next)?
            }
            Op::Until | Op::WeakUntil => {
                let (a, b) = (self.functions[&m.left(g)], self.functions[&m.right(g)]);
                let next = self.next(g)?;
                let mut later = self.and(a, next)?;
                if m.op(g) == Op::Until {
                    let p = self.promise(m.right(g))?;
                    later = self.and(later, p)?;
                }
                self.or(b, later)?
            }
            Op::Release | Op::StrongRelease => {
                let (a, b) = (self.functions[&m.left(g)], self.functions[&m.right(g)]);
                let mut later = self.next(g)?;
                if m.op(g) == Op::StrongRelease {
                    let p = self.promise(m.left(g))?;
                    later = self.and(later, p)?;
                }
                let on = self.or(a, later)?;
                self.and(b, on)?
            }
            op => return Err(TranslateError::Unsupported(op)),
        })
    }

    /// Conjunction, within the budget: a single operation can be exponential in what came before.
    fn and(&mut self, a: Label, b: Label) -> Result<Label, TranslateError> {
        self.labels.try_and(a, b, self.budget.nodes).ok_or_else(|| self.budget.too_many_nodes())
    }

    /// Disjunction, within the budget.
    fn or(&mut self, a: Label, b: Label) -> Result<Label, TranslateError> {
        self.labels.try_or(a, b, self.budget.nodes).ok_or_else(|| self.budget.too_many_nodes())
    }

    fn fold(
        &mut self,
        g: Id,
        start: Label,
        join: fn(&mut Self, Label, Label) -> Result<Label, TranslateError>,
    ) -> Result<Label, TranslateError> {
        let kids = self.arena.operands(g);
        kids.as_slice().iter().try_fold(start, |x, k| {
            let f = self.functions[k];
            join(self, x, f)
        })
    }

    /// The function of `g` where G g is asserted: what G asserts again at the next position need not be carried.
    fn recurring(&mut self, g: Id) -> Result<Label, TranslateError> {
        let m = self.arena;
        let kids = m.operands(g);
        let one = [g];
        let parts = if m.op(g) == Op::And { kids.as_slice() } else { &one[..] };
        let mut all = Label::TRUE;
        for &k in parts {
            let part = match m.op(k) {
                Op::Finally => {
                    let p = self.promise(m.left(k))?;
                    self.or(self.functions[&m.left(k)], p)?
                }
                Op::Until => {
                    let p = self.promise(m.right(k))?;
                    let later = self.and(self.functions[&m.left(k)], p)?;
                    self.or(self.functions[&m.right(k)], later)?
                }
                _ => self.functions[&k],
            };
            all = self.and(all, part)?;
        }
        Ok(all)
    }

    fn variable(&mut self, v: Variable) -> u32 {
        let fresh = (self.aps.len() + self.variables.len()) as u32;
        let number = *self.number.entry(v).or_insert(fresh);
        if number == fresh {
            self.variables.push(v);
        }
        number
    }

    /// Next(g), a conjunction being taken apart.
    fn next(&mut self, g: Id) -> Result<Label, TranslateError> {
        Ok(match self.arena.op(g) {
            Op::True => Label::TRUE,
            Op::False => Label::FALSE,
            Op::And => {
                let kids = self.arena.operands(g);
                let mut all = Label::TRUE;
                for &k in kids.as_slice() {
                    let n = if self.arena.op(k) == Op::And {
                        let v = self.variable(Variable::Next(k));
                        self.labels.var(v)
                    } else {
                        self.next(k)?
                    };
                    all = self.and(all, n)?;
                }
                all
            }
            _ => {
                let v = self.variable(Variable::Next(g));
                self.labels.var(v)
            }
        })
    }

    fn promise(&mut self, g: Id) -> Result<Label, TranslateError> {
        let v = self.variable(Variable::Promise(g));
        if !self.promises.contains(&v) {
            if self.promises.len() == Marks::MAX as usize {
                return Err(TranslateError::TooManySets);
            }
            self.promises.push(v);
        }
        Ok(self.labels.var(v))
    }

    fn explore(mut self, f: Id, postpone: bool, budget: &Budget) -> Result<Tgba, TranslateError> {
        let start = self.functions[&f];
        let mut number: HashMap<Label, u32> = HashMap::from([(start, 0)]);
        let mut states = vec![start];
        let mut edges: Vec<(u32, Edge)> = Vec::new();
        let mut remainders: HashMap<Label, Vec<(Label, Marks)>> = HashMap::new();
        let mut at = 0;
        while at < states.len() {
            budget.check(states.len(), self.labels.nodes())?;
            let mut out: Vec<(Label, Marks, Label)> = Vec::new(); // target, promises, letters
            for (remainder, letters) in self.by_letter(states[at])? {
                let targets = match remainders.entry(remainder) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(place) => place.insert(self.targets(remainder, postpone, budget)?),
                };
                out.extend(targets.iter().map(|&(target, p)| (target, p, letters)));
            }
            out.sort_unstable();
            for (target, promised, label) in out {
                let to = *number.entry(target).or_insert_with(|| {
                    states.push(target);
                    states.len() as u32 - 1
                });
                let marks = Marks::first(self.promises.len() as u32).without(promised);
                match edges.last_mut() {
                    Some((s, e)) if *s == at as u32 && e.to == to && e.marks == marks => {
                        e.label = self.or(e.label, label)?;
                    }
                    _ => edges.push((at as u32, Edge { to, label, marks })),
                }
            }
            at += 1;
        }
        let mut a = Tgba::default();
        a.aps = self.aps.iter().map(|&p| self.arena.aps()[p as usize].clone()).collect();
        a.sets = self.promises.len() as u32;
        a.initial = vec![0];
        a.labels = self.labels;
        a.set_edges(states.len(), &edges);
        Ok(a)
    }

    /// The functions that remain when a letter was read, each with its letters.
    fn by_letter(&mut self, function: Label) -> Result<Vec<(Label, Label)>, TranslateError> {
        // Walk the nodes of propositions from the top; nodes are visited after all that point to them because the
        // letters of a node are complete only then, hence the order by variable.
        let aps = self.aps.len() as u32;
        let mut reach: HashMap<Label, Label> = HashMap::from([(function, Label::TRUE)]);
        let mut levels: Vec<Vec<Label>> = vec![Vec::new(); aps as usize];
        let mut ends: Vec<Label> = Vec::new();
        let place =
            |labels: &Labels, levels: &mut Vec<Vec<Label>>, ends: &mut Vec<Label>, l: Label| match labels
                .node(l)
            {
                Some((var, ..)) if var < aps => levels[var as usize].push(l),
                _ => ends.push(l),
            };
        place(&self.labels, &mut levels, &mut ends, function);
        for var in 0..aps {
            for i in 0..levels[var as usize].len() {
                self.budget.check(0, self.labels.nodes())?;
                let l = levels[var as usize][i];
                let (_, lo, hi) = self.labels.node(l).expect("an inner node");
                let letters = reach[&l];
                let v = self.labels.var(var);
                for (next, letters) in [(lo, self.labels.minus(letters, v)), (hi, self.and(letters, v)?)] {
                    match reach.get(&next) {
                        Some(&old) => {
                            let joined = self.or(old, letters)?;
                            reach.insert(next, joined);
                        }
                        None => {
                            reach.insert(next, letters);
                            place(&self.labels, &mut levels, &mut ends, next);
                        }
                    }
                }
            }
        }
        Ok(ends.into_iter().filter(|&l| l != Label::FALSE).map(|l| (l, reach[&l])).collect())
    }

    /// The targets of a monotone function of Next and P: (function of what holds next, promises not kept).
    fn targets(
        &mut self,
        f: Label,
        postpone: bool,
        budget: &Budget,
    ) -> Result<Vec<(Label, Marks)>, TranslateError> {
        let mut found: Vec<(Marks, Label)> = Vec::new();
        for implicant in self.implicants(f, budget)? {
            let mut promised = Marks::NONE;
            let mut next: Vec<Id> = Vec::new();
            for v in implicant {
                match self.variables[v as usize - self.aps.len()] {
                    Variable::Next(g) => next.push(g),
                    Variable::Promise(_) => {
                        let i = self.promises.iter().position(|&p| p == v).expect("a promise");
                        promised |= Marks::one(i as u32);
                    }
                }
            }
            let mut target = Label::TRUE;
            for i in 0..next.len() {
                if !(0..next.len()).any(|j| j != i && self.covers(next[j], next[i], j < i)) {
                    target = self.and(target, self.functions[&next[i]])?;
                }
            }
            if target != Label::FALSE {
                found.push((promised, target));
            }
        }
        found.sort_unstable();
        found.dedup();
        if postpone {
            let labels = &mut self.labels;
            found.dedup_by(|(p, t), (q, u)| {
                let same = p == q;
                if same {
                    *u = labels.or(*t, *u);
                }
                same
            });
        }
        Ok(found.into_iter().map(|(p, t)| (t, p)).collect())
    }

    /// May `f` be dropped where `g` is asserted too? Of two equivalent ones `first` tells whether `g` is kept.
    ///
    /// That `g` implies `f` is not enough: a promise of `f` could be put off for ever by newer formulas that imply it
    /// anew. So `f` has no promise, or `g` renews the same promise at every position.
    fn covers(&mut self, g: Id, f: Id, first: bool) -> bool {
        let m = self.arena;
        if m.op(g) == Op::Globally && m.op(f) == Op::Finally && m.left(g) == f {
            return true;
        }
        m.props(f).has(Props::SAFETY)
            && m.props(g).has(Props::SAFETY)
            && self.simplifier.implies(m, g, f)
            && (first || !self.simplifier.implies(m, f, g))
    }

    /// The minimal sets of variables whose truth makes the monotone function `f` true.
    ///
    /// With v on top of f = v ? hi : lo: those of lo, and v with those of hi that do not satisfy lo already.
    fn implicants(&self, f: Label, budget: &Budget) -> Result<Vec<Vec<u32>>, TranslateError> {
        let mut done: HashMap<Label, Vec<Vec<u32>>> =
            HashMap::from([(Label::FALSE, Vec::new()), (Label::TRUE, vec![Vec::new()])]);
        let mut todo = vec![f];
        while let Some(&l) = todo.last() {
            if done.contains_key(&l) {
                todo.pop();
                continue;
            }
            let (var, lo, hi) = self.labels.node(l).expect("constants are done");
            let (Some(low), Some(high)) = (done.get(&lo), done.get(&hi)) else {
                todo.extend([lo, hi]);
                continue;
            };
            let mut all = low.clone();
            for h in high {
                if !self.labels.eval(lo, |v| h.binary_search(&v).is_ok()) {
                    let mut with = Vec::with_capacity(h.len() + 1);
                    with.push(var);
                    with.extend_from_slice(h);
                    all.push(with);
                }
            }
            budget.check(all.len(), self.labels.nodes())?;
            done.insert(l, all);
            todo.pop();
        }
        Ok(done.remove(&f).unwrap_or_default())
    }
}
