//! Every construction with every reduction accepts exactly the words that satisfy the formula.

use proptest::prelude::*;
use riata_automata::lasso::accepts;
use riata_automata::product::disjoint;
use riata_automata::reduce::degeneralise;
use riata_automata::translate::{Budget, Construction, Output, TranslateError};
use riata_automata::{Options, Tgba, translate};
use riata_ltl::random::{Alphabet, from_bytes};
use riata_ltl::simplify::Rules;
use riata_ltl::{Arena, Dialect, Ltl, Word, evaluate, parse, print};

const APS: [&str; 3] = ["a", "b", "c"];
const WORDS: usize = 12;

fn word() -> impl Strategy<Value = Word> {
    let letters = |n| prop::collection::vec(prop::collection::vec(any::<bool>(), 3), n);
    (letters(0..4), letters(1..4)).prop_map(|(stem, cycle)| Word { stem, cycle })
}

fn formula(alphabet: Alphabet, longest: usize) -> impl Strategy<Value = Ltl> {
    prop::collection::vec(any::<u8>(), 1..longest).prop_map(move |bytes| {
        let mut arena = Arena::new();
        for p in APS {
            arena.ap(p);
        }
        let root = from_bytes(&mut arena, &APS, &bytes, alphabet);
        Ltl { arena, root }
    })
}

/// All stages, each stage switched off alone, and none.
fn variants() -> Vec<Options> {
    let on = Options::default();
    let off = Options {
        rules: Rules::NONE,
        trim: false,
        simulation: false,
        downward: false,
        wdba: false,
        ba_simulation: false,
        degeneralise: degeneralise::Options { components: false, orders: false, common: false },
        ..on
    };
    vec![
        on,
        off,
        Options { rules: Rules::NONE, ..on },
        Options { trim: false, ..on },
        Options { simulation: false, ..on },
        Options { downward: false, ..on },
        Options { wdba: false, ..on },
        Options { postpone: true, wdba: false, ..on },
        Options { ba_simulation: false, wdba: false, ..on },
        Options { degeneralise: off.degeneralise, wdba: false, ..on },
        Options { simulation: true, ..off },
        Options { containment: true, ..on },
    ]
}

fn check(f: &Ltl, words: &[Word], a: &Tgba, what: &str) -> Result<(), TestCaseError> {
    for word in words {
        let expected = evaluate(&f.arena, f.root, word);
        let text = print(&f.arena, f.root, Dialect::Spot);
        prop_assert_eq!(accepts(a, word, f.arena.aps()), expected, "{} of {} on {:?}", what, text, word);
    }
    Ok(())
}

fn is_state_based(a: &Tgba) -> bool {
    a.sets <= 1
        && a.state_marks.as_ref().is_some_and(|m| {
            (0..a.states() as u32).all(|s| a.edges(s).iter().all(|e| e.marks == m[s as usize]))
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    /// 2,000 formulas with 12 words each: 24,000 pairs, each in 24 settings of the default construction.
    #[test]
    fn the_default_construction(
        f in formula(Alphabet::Future, 14),
        words in prop::collection::vec(word(), WORDS),
    ) {
        for (i, options) in variants().into_iter().enumerate() {
            for output in [Output::Tgba, Output::Ba] {
                let a = translate(&f, &Options { output, ..options }).unwrap();
                check(&f, &words, &a, &format!("variant {i}, {output:?}"))?;
                prop_assert!(output == Output::Tgba || is_state_based(&a));
            }
        }
    }

    /// The four constructions agree with the definition, bare and reduced.
    #[test]
    fn all_constructions(
        f in formula(Alphabet::Future, 9),
        words in prop::collection::vec(word(), WORDS),
    ) {
        let budget = Budget { states: 500, ..Budget::default() };
        for construction in Construction::ALL {
            for (i, options) in variants().into_iter().take(2).enumerate() {
                for output in [Output::Tgba, Output::Ba] {
                    match translate(&f, &Options { construction, output, budget, ..options }) {
                        Ok(a) => check(&f, &words, &a, &format!("{}, variant {i}", construction.name()))?,
                        Err(e) => prop_assert!(matches!(e, TranslateError::Budget(_))),
                    }
                }
            }
        }
    }

    /// Past operators, anywhere in the formula.
    #[test]
    fn the_past(f in formula(Alphabet::Past, 8), words in prop::collection::vec(word(), WORDS)) {
        for options in variants().into_iter().take(2) {
            match translate(&f, &options) {
                Ok(a) => check(&f, &words, &a, "past")?,
                Err(e) => prop_assert!(matches!(e, TranslateError::Budget(_))),
            }
        }
    }

    /// A formula and its negation share no word.
    #[test]
    fn negation_is_complement(f in formula(Alphabet::Future, 16)) {
        let a = translate(&f, &Options::default()).unwrap();
        let n = translate(&f.negated(), &Options::default()).unwrap();
        prop_assert!(disjoint(&a, &n), "{}", print(&f.arena, f.root, Dialect::Spot));
    }
}

fn sizes(text: &str) -> (usize, usize) {
    let f = parse(text, Dialect::Spot).unwrap();
    let size = |output| translate(&f, &Options { output, ..Options::default() }).unwrap().states();
    (size(Output::Tgba), size(Output::Ba))
}

/// Sizes that took some technique to reach.
#[test]
fn sizes_of_known_formulas() {
    assert_eq!(sizes("G(a -> F b)"), (1 + 1, 2)); // a wait and a rest
    assert_eq!(sizes("GFa & GFb"), (1, 3)); // one state, two sets; three levels
    assert_eq!(sizes("FGa | GFb"), (3, 4)); // one state waits for both
    assert_eq!(sizes("G(a & XF(b & XFc))"), (1, 3)); // G F(b ∧ F c) is G F b ∧ G F c
    assert_eq!(sizes("GF(a <-> XXXa)"), (7, 8)); // one attempt at a time
    assert_eq!(sizes("false"), (1, 1));
    assert_eq!(sizes("true"), (1, 1));
    assert_eq!(sizes("((a U b) U c) U d"), (8, 8)); // minimal weak deterministic
}

#[test]
fn a_budget_ends_in_an_error() {
    let text = (0..24).map(|i| format!("(G F a{i} | F G b{i})")).collect::<Vec<_>>().join(" & ");
    let f = parse(&text, Dialect::Spot).unwrap();
    let budget = Budget { states: 200, ..Budget::default() };
    let error = translate(&f, &Options { budget, ..Options::default() }).unwrap_err();
    assert!(error.to_string().starts_with("the translation was stopped by its budget"), "{error}");
    let wide = (0..70).map(|i| format!("G F a{i}")).collect::<Vec<_>>().join(" & ");
    let f = parse(&wide, Dialect::Spot).unwrap();
    assert_eq!(translate(&f, &Options::default()).unwrap_err(), TranslateError::TooManySets);
}

/// Depth is no danger: where an automaton of that size is possible it is built, otherwise the budget speaks.
#[test]
fn deep_formulas() {
    let n = 20_000;
    let f = parse(&format!("{}a", "X ".repeat(n)), Dialect::Spot).unwrap();
    let options = Options { simulation: false, wdba: false, ..Options::default() };
    assert_eq!(translate(&f, &options).unwrap().states(), n + 2);
    let f = parse(&format!("{}a{}", "(b U ".repeat(n), ")".repeat(n)), Dialect::Spot).unwrap();
    assert_eq!(translate(&f, &Options::default()).unwrap().states(), 2);
}
