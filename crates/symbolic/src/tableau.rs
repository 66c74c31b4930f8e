//! LTL without an automaton: the product of a system and a symbolic tableau.
//!
//! An explicit automaton may have exponentially many states. The tableau has a bit for each temporal subformula, and a
//! function for each subformula ψ: sat(ψ), the states of the product in which ψ is claimed to hold.
//!
//! ```text
//! sat(p) = the states where p holds           sat(¬ψ), sat(ψ ∧ χ) …  as Boolean operators
//! sat(X ψ)   = v             v ↔ next sat(ψ)
//! sat(ψ U χ) = sat(χ) ∨ (sat(ψ) ∧ v)          v ↔ next sat(ψ U χ)     fair: ¬sat(ψ U χ) ∨ sat(χ)
//! sat(ψ R χ) = sat(χ) ∧ (sat(ψ) ∨ v)          v ↔ next sat(ψ R χ)     fair: sat(ψ R χ) ∨ ¬sat(χ)
//! sat(Y ψ)   = v             v at first ⊥, next v ↔ sat(ψ)
//! sat(ψ S χ) = sat(χ) ∨ (sat(ψ) ∧ v)          v at first ⊥, next v ↔ sat(ψ S χ)
//! sat(ψ T χ) = sat(χ) ∧ (sat(ψ) ∨ v)          v at first ⊤, next v ↔ sat(ψ T χ)
//! ```
//!
//! The bits of future operators are promises, and the fair sets see to it that what is promised comes; those of past
//! operators remember. So a fair path of the product that begins in sat(φ) is a fair path of the system that satisfies φ,
//! and for every such path of the system there is one way to choose the bits. The other operators are the same with a
//! constant operand (F, G, O, H), with ⊤ at first (Z), or duals (W, M).
//!
//! # References
//! E. M. Clarke, O. Grumberg, K. Hamaguchi, *Another look at LTL model checking*, CAV 1994. Y. Kesten, A. Pnueli,
//! L. Raviv, *Algorithmic verification of linear temporal logic specifications*, ICALP 1998 (the past).

use crate::algorithms::{Algorithm, Strength};
use crate::bdd::{Bdd, Var};
use crate::fsm::{Disjunct, Fsm};
use crate::ltl::{Outcome, decide};
use crate::relation::Shape;
use riata_ltl::{Id, Ltl, Op};
use riata_system::Stop;

/// How many fresh bits the tableau of a formula needs.
pub fn bits_of(formula: &Ltl) -> u32 {
    let temporal = |f: &Id| formula.arena.op(*f).is_future() || formula.arena.op(*f).is_past();
    formula.arena.subformulas(formula.root).iter().filter(|f| temporal(f)).count() as u32
}

/// What is looked for, and how.
pub struct Search<'s, 'b, B: Bdd> {
    /// The system.
    pub fsm: &'s Fsm<'b, B>,
    /// Its reachable states.
    pub reached: &'s B::F,
    /// A run is looked for that satisfies this.
    pub formula: &'s Ltl,
    /// Where its propositions hold, by their numbers.
    pub atoms: &'s [B::F],
    /// At least [`bits_of`] pairs of variables.
    pub fresh: &'s [(Var, Var)],
    /// The algorithm; none leaves the choice to the engine.
    pub algorithm: Option<Algorithm>,
    /// The shape of the relation.
    pub shape: Shape,
}

impl<'b, B: Bdd> Search<'_, 'b, B> {
    /// Looks for a run.
    pub fn run(&self) -> Result<Outcome<'b, B>, Stop> {
        let fsm = product(self.fsm, self.formula, self.atoms, self.fresh)?;
        let mut graph = fsm.graph(self.shape)?;
        // Only reachable states of the system matter.
        graph.universe = self.reached.clone();
        graph.restrict_to_reachable(&fsm.init)?;
        decide(fsm, graph, Strength::General, self.algorithm)
    }
}

/// The product of `fsm` and the tableau of `formula`.
pub fn product<'b, B: Bdd>(
    fsm: &Fsm<'b, B>,
    formula: &Ltl,
    atoms: &[B::F],
    fresh: &[(Var, Var)],
) -> Result<Fsm<'b, B>, Stop> {
    let (bdd, arena) = (fsm.bdd, &formula.arena);
    let parts = arena.subformulas(formula.root);
    let used = &fresh[..bits_of(formula) as usize];
    let mut vars = fsm.vars.clone();
    let first = vars.current.len();
    vars.current.extend(used.iter().map(|(now, _)| *now));
    vars.next.extend(used.iter().map(|(_, then)| *then));
    let (truth, none) = (bdd.constant(true), bdd.constant(false));
    let mut sat: Vec<Option<B::F>> = vec![None; formula.root.0 as usize + 1];
    let (mut init, mut justice) = (fsm.init.clone(), Vec::new());
    // Bits of the future with what is promised of the next state, and what is remembered of this one.
    let mut promises: Vec<(B::F, B::F)> = Vec::new();
    let mut memories: Vec<B::F> = Vec::new();
    let mut bits = used.iter();
    for &f in &parts {
        let op = arena.op(f);
        let operands = arena.operands(f);
        let kids: Vec<B::F> = operands.as_slice().iter().filter_map(|k| sat[k.0 as usize].clone()).collect();
        let last = kids.last().unwrap_or(&none);
        let value = match op {
            Op::False => none.clone(),
            Op::True => truth.clone(),
            Op::Ap => atoms[arena.ap_number(f) as usize].clone(),
            Op::Not => bdd.not(last),
            Op::And => kids.iter().try_fold(truth.clone(), |all, k| bdd.and(&all, k))?,
            Op::Or => kids.iter().try_fold(none.clone(), |all, k| bdd.or(&all, k))?,
            Op::Implies => bdd.or(&bdd.not(&kids[0]), last)?,
            Op::Iff => bdd.iff(&kids[0], last)?,
            Op::Xor => bdd.xor(&kids[0], last)?,
            _ => {
                let Some(&(now, then)) = bits.next() else { return Err(Stop::Memory) };
                let v = bdd.var(now)?;
                let (holds, goal) = unfolded(bdd, op, &kids, &v)?;
                if op.is_future() {
                    let claimed = if op == Op::Next { last } else { &holds };
                    promises.push((v, claimed.clone()));
                } else {
                    let kept = if matches!(op, Op::Yesterday | Op::WeakYesterday) { last } else { &holds };
                    memories.push(bdd.iff(&bdd.var(then)?, kept)?);
                    let at_first = matches!(op, Op::WeakYesterday | Op::Historically | Op::Trigger);
                    init = bdd.and(&init, &if at_first { v } else { bdd.not(&v) })?;
                }
                justice.extend(goal);
                holds
            }
        };
        sat[f.0 as usize] = Some(value);
        bdd.settle()?;
    }
    if let Some(claim) = &sat[formula.root.0 as usize] {
        init = bdd.and(&init, claim)?;
    }
    let added: Vec<usize> = (first..vars.current.len()).collect();
    let mut steps = Vec::new();
    for step in &fsm.steps {
        let written: Vec<usize> = step.written.iter().chain(&added).copied().collect();
        // What a part does not write has the same value in the next state.
        let to_next = bdd.renaming(written.iter().map(|&i| (vars.current[i], vars.next[i])).collect());
        let mut conjuncts = step.conjuncts.clone();
        conjuncts.extend(memories.iter().cloned());
        for (v, claimed) in &promises {
            conjuncts.push(bdd.iff(v, &bdd.rename(claimed, &to_next)?)?);
        }
        steps.push(Disjunct { written, conjuncts });
    }
    justice.extend(fsm.justice.iter().cloned());
    Ok(Fsm { bdd, vars, init, steps, justice, compassion: fsm.compassion.clone() })
}

/// sat of a temporal operator whose operands have the values `kids`, `v` being its bit, and its fair set.
fn unfolded<B: Bdd>(bdd: &B, op: Op, kids: &[B::F], v: &B::F) -> Result<(B::F, Option<B::F>), Stop> {
    let (a, b) = (&kids[0], &kids[kids.len() - 1]);
    let holds = match op {
        Op::Finally | Op::Once => bdd.or(a, v)?,
        Op::Globally | Op::Historically => bdd.and(a, v)?,
        Op::Until | Op::WeakUntil | Op::Since => bdd.or(b, &bdd.and(a, v)?)?,
        Op::Release | Op::StrongRelease | Op::Trigger => bdd.and(b, &bdd.or(a, v)?)?,
        _ => v.clone(),
    };
    // What is to hold infinitely often: that it is not claimed, or fulfilled; for a greatest fixpoint the dual.
    let goal = match op {
        Op::Finally | Op::Until => Some(bdd.or(&bdd.not(&holds), b)?),
        Op::StrongRelease => Some(bdd.or(&bdd.not(&holds), &bdd.and(a, b)?)?),
        Op::Globally | Op::Release => Some(bdd.or(&holds, &bdd.not(b))?),
        Op::WeakUntil => Some(bdd.or(&holds, &bdd.not(&bdd.or(a, b)?))?),
        _ => None,
    };
    Ok((holds, goal))
}
