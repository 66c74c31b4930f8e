//! The suite that every emptiness check and every store inherits.
//!
//! [`Answer`] is what one check with one store said of one automaton; [`answers`] gives all of them, each compared
//! with the definition and its lasso replayed on the automaton itself.

use crate::{Case, oracle};
use proptest::test_runner::TestCaseError;
use riata_automata::Marks;
use riata_explore::{Algorithm, Refused, check, lowered};
use riata_store::{Bitstate, Compact, Dense, Exact, Tree};
use riata_system::{
    Counters, Degeneralised, DegeneralisedStates, Explicit, Graph, Limits, OnStates, Run, Stop, Verdict,
    replay,
};

/// The stores of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum StoreKind {
    Dense,
    Exact,
    Tree,
    Compact,
    Bitstate,
}

impl StoreKind {
    /// All of them.
    pub const ALL: [StoreKind; 5] =
        [StoreKind::Dense, StoreKind::Exact, StoreKind::Tree, StoreKind::Compact, StoreKind::Bitstate];
}

/// What one check with one store said.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The check.
    pub algorithm: Algorithm,
    /// The store.
    pub store: StoreKind,
    /// Was the automaton degeneralised for the check?
    pub degeneralised: bool,
    /// The verdict, its lasso in terms of the automaton.
    pub verdict: Verdict,
    /// The counters.
    pub counters: Counters,
}

const ROOM: usize = 1 << 28;

/// Runs a check with a store of each kind.
fn with_store<G: Graph>(
    algorithm: Algorithm,
    kind: StoreKind,
    g: &G,
    run: &mut Run,
) -> Option<Result<Verdict, Refused>> {
    Some(match kind {
        StoreKind::Dense if g.words() == 1 => check(algorithm, g, &mut Dense, run),
        StoreKind::Dense => return None,
        StoreKind::Exact => check(algorithm, g, &mut Exact::new(ROOM), run),
        StoreKind::Tree => check(algorithm, g, &mut Tree::new(ROOM), run),
        StoreKind::Compact => check(algorithm, g, &mut Compact::new(ROOM, 3), run),
        StoreKind::Bitstate => check(algorithm, g, &mut Bitstate::new(1 << 16, 3, 5), run),
    })
}

/// One check with one store on one automaton; `None` where they do not go together.
pub fn answer(case: &Case, algorithm: Algorithm, kind: StoreKind) -> Option<Result<Answer, Refused>> {
    let automaton = case.automaton();
    let graph = || Explicit::with_strength(&automaton, case.strength());
    let mut run = Run::new(Limits::default());
    let fits = !algorithm.needs_one_set() || automaton.state_marks.is_some() && case.sets <= 1;
    let (degeneralised, verdict) = if fits {
        (false, with_store(algorithm, kind, &graph(), &mut run)?)
    } else if let Some(g) = OnStates::new(graph()) {
        let d = DegeneralisedStates::new(&g);
        (true, with_store(algorithm, kind, &d, &mut run)?.map(|v| lowered(&g, &d, v)))
    } else {
        let g = graph();
        let d = Degeneralised::new(&g);
        (true, with_store(algorithm, kind, &d, &mut run)?.map(|v| lowered(&g, &d, v)))
    };
    let counters = run.counters;
    Some(verdict.map(|verdict| Answer { algorithm, store: kind, degeneralised, verdict, counters }))
}

/// All answers on `case`, each compared with the definition; a lossy store may say that it does not know, but only
/// instead of «empty».
pub fn answers(case: &Case) -> Result<Vec<Answer>, TestCaseError> {
    let nonempty = oracle::nonempty(case);
    let automaton = case.automaton();
    let graph = Explicit::new(&automaton);
    let mut all = Vec::new();
    for algorithm in Algorithm::ALL {
        for kind in StoreKind::ALL {
            let Some(result) = answer(case, algorithm, kind) else { continue };
            let answer = match result {
                Ok(answer) => answer,
                Err(refused) => {
                    let expected = algorithm.refuses(case.strength(), kind != StoreKind::Bitstate);
                    let fail = || TestCaseError::fail(format!("{algorithm} refused: {refused}"));
                    if expected == Some(refused) { continue } else { return Err(fail()) }
                }
            };
            let lossy = matches!(kind, StoreKind::Compact | StoreKind::Bitstate);
            let right = match &answer.verdict {
                Verdict::Empty => !nonempty && !lossy,
                Verdict::Accepting(_) => nonempty,
                Verdict::Inconclusive(Stop::Lossy) => !nonempty && lossy,
                Verdict::Inconclusive(_) => false,
            };
            if !right {
                let says =
                    format!("{algorithm} with {kind:?} says {:?}, nonempty is {nonempty}", answer.verdict);
                return Err(TestCaseError::fail(says));
            }
            if let Verdict::Accepting(lasso) = &answer.verdict {
                replay(&graph, lasso)
                    .map_err(|e| TestCaseError::fail(format!("{algorithm}, {kind:?}: {e}")))?;
                if lasso.stem.iter().any(|s| s == lasso.cycle.get(0)) {
                    return Err(TestCaseError::fail(format!("{algorithm}: the stem meets the cycle early")));
                }
            }
            all.push(answer);
        }
    }
    Ok(all)
}

/// The length of a shortest accepting lasso, by the definition: over all states, their distance and the shortest
/// closed walk through them with every mark.
pub fn shortest_length(case: &Case) -> Option<usize> {
    use std::collections::{HashSet, VecDeque};
    let post = case.post();
    let walk = |from: Vec<usize>, goal: &dyn Fn(usize, Marks, usize) -> bool| {
        let mut queue: VecDeque<_> = from.iter().map(|&s| (s, Marks::NONE, 0)).collect();
        let mut seen: HashSet<_> = queue.iter().map(|q| (q.0, q.1)).collect();
        if from.iter().any(|&s| goal(s, Marks::NONE, 0)) {
            return Some(0);
        }
        while let Some((s, met, d)) = queue.pop_front() {
            for &(t, m) in &post[s] {
                // Before it is looked up: a closed walk comes back to where it began.
                if goal(t, met | m, d + 1) {
                    return Some(d + 1);
                }
                if seen.insert((t, met | m)) {
                    queue.push_back((t, met | m, d + 1));
                }
            }
        }
        None
    };
    let lengths = (0..case.states).filter_map(|v| {
        let stem = walk(case.initial.clone(), &|s, _, _| s == v)?;
        let cycle = walk(vec![v], &|s, met, d| s == v && d > 0 && met.contains(case.all()))?;
        Some(stem + cycle)
    });
    lengths.min()
}
