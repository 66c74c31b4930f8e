//! Properties that say less than they seem to: warnings, never verdicts.
//!
//! * A formula that holds in every model, or in none.
//! * A formula that holds *vacuously*: some proposition does not matter. Where a proposition occurs positively only, it
//!   is replaced by false, where negatively only, by true; the formula gets stronger by that, and if the model still
//!   satisfies it, the proposition was of no use. `[] (p -> <> q)` holds so if `p` is never true. That a condition such
//!   as `p` is not needed is no reason for a warning, so propositions before an arrow are left alone.
//!
//! # References
//! O. Kupferman, M. Y. Vardi, *Vacuity detection in temporal model checking*, STTT 4(2), 2003.

use crate::error::Error;
use crate::how::{How, Nobody};
use crate::infinite::{Done, Formula};
use crate::options::Algorithms;
use riata_automata::scc::is_empty;
use riata_automata::translate::Budget;
use riata_ltl::{Arena, Id, Ltl, Op, print, substitute};
use riata_system::Verdict;
use std::collections::{HashMap, HashSet};

/// Larger searches are not repeated for the sake of a warning.
const LARGEST: u64 = 50_000;
/// For formulas with more propositions it is not asked whether each matters.
const PROPOSITIONS: usize = 6;

/// Decides a formula that was made of the one at hand.
pub type Ask<'a> = dyn FnMut(&How, &Formula) -> Result<Vec<Done>, Error> + 'a;

/// What is odd about a formula, given what was found. What cannot be found out is no reason to complain.
pub fn of_formula(how: &How, f: &Formula, done: &[Done], ask: &mut Ask) -> Vec<String> {
    if how.options.exists {
        return Vec::new();
    }
    if done.iter().any(|d| d.outcome.verdict == Verdict::Empty) {
        let states = done.iter().map(|d| d.outcome.counters.states).max().unwrap_or(0);
        return holds(how, f, states, ask).unwrap_or_default();
    }
    if done.iter().any(|d| matches!(d.outcome.verdict, Verdict::Accepting(_))) {
        // The formula itself can be exponentially larger than its negation. Is it empty? No reduction helps there.
        let budget = cheap(how);
        let options =
            riata_automata::Options { simulation: false, wdba: false, budget, ..Default::default() };
        let whole = riata_automata::translate(&f.asked.ltl, &options);
        if whole.is_ok_and(|a| is_empty(&a)) {
            return vec!["no run of any model satisfies this formula".into()];
        }
    }
    Vec::new()
}

/// What a translation may take for the sake of a warning.
fn cheap(how: &How) -> Budget {
    Budget { states: 1_000, nodes: 50_000, deadline: how.deadline }
}

fn holds(how: &How, f: &Formula, states: u64, ask: &mut Ask) -> Result<Vec<String>, Error> {
    if is_empty(&f.tgba.0) {
        return Ok(vec!["every run of any model satisfies this formula".into()]);
    }
    let ltl = &f.asked.ltl;
    let signs = signs(ltl);
    if states > LARGEST || signs.len() > PROPOSITIONS || how.algorithms() != Algorithms::Auto {
        return Ok(Vec::new());
    }
    // So few states are looked at alone.
    let quiet = How { listener: &Nobody, cluster: None, ..*how };
    let mut found = Vec::new();
    for (name, positive) in signs {
        let mut arena = Arena::new();
        let root = arena.raw(if positive { Op::False } else { Op::True }, &[]);
        let stronger = substitute(ltl, &[(name.clone(), Ltl { arena, root })]);
        let text = print(&stronger.arena, stronger.root, f.asked.dialect);
        let formula = Formula::within(how, &text, stronger, cheap(how))?;
        // A formula that says nothing any more is no news: `[] !p` becomes false by the way it is written.
        if is_empty(&formula.tgba.0) {
            continue;
        }
        if ask(&quiet, &formula)?.iter().any(|d| d.outcome.verdict == Verdict::Empty) {
            let never = if positive { "never" } else { "always" };
            found.push(format!("it holds vacuously: `{name}` does not matter, even if it were {never} true"));
        }
    }
    Ok(found)
}

/// The propositions that occur with one sign only and not before an arrow, and whether the sign is positive.
fn signs(ltl: &Ltl) -> Vec<(String, bool)> {
    let arena = &ltl.arena;
    // For each subformula: does it occur positively, negatively?
    let mut signs: HashMap<Id, (bool, bool)> = HashMap::from([(ltl.root, (true, false))]);
    // Those that are, or are inside, the condition of an implication.
    let mut conditions: HashSet<Id> = HashSet::new();
    let mut order = arena.subformulas(ltl.root);
    order.reverse();
    let mut found = Vec::new();
    for f in order {
        let (positive, negative) = signs.get(&f).copied().unwrap_or_default();
        let op = arena.op(f);
        let condition = conditions.contains(&f);
        if op == Op::Ap && positive != negative && !condition {
            found.push((arena.aps()[arena.ap_number(f) as usize].clone(), positive));
        }
        for (k, &kid) in arena.operands(f).as_slice().iter().enumerate() {
            let flips = op == Op::Not || (op == Op::Implies && k == 0);
            let both = matches!(op, Op::Iff | Op::Xor);
            let (p, n) = if flips { (negative, positive) } else { (positive, negative) };
            if condition || (op == Op::Implies && k == 0) {
                conditions.insert(kid);
            }
            let sign = signs.entry(kid).or_default();
            sign.0 |= p || (both && n);
            sign.1 |= n || (both && p);
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn propositions_have_signs() {
        let signs = |text: &str| signs(&riata_ltl::parse(text, riata_ltl::Dialect::Auto).expect("a formula"));
        let some = |list: &[(&str, bool)]| list.iter().map(|(n, s)| (n.to_string(), *s)).collect::<Vec<_>>();
        assert_eq!(signs("[](p -> <>q)"), some(&[("q", true)]));
        assert_eq!(signs("!(a U !b)"), some(&[("a", false), ("b", true)]));
        assert_eq!(signs("[](p -> X p) && q"), some(&[("q", true)]));
        assert_eq!(signs("(a <-> b) || !c"), some(&[("c", false)]));
    }
}
