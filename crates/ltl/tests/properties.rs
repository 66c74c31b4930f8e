//! What holds for every formula: printing and parsing, normal forms, rewriting and the removal of the past keep the
//! meaning.

use proptest::prelude::*;
use riata_ltl::random::{Alphabet, from_bytes};
use riata_ltl::simplify::{Rules, Simplifier};
use riata_ltl::{Arena, Dialect, Id, Op, Props, Word, evaluate, parse, parse_in, print, reasons};

const APS: [&str; 3] = ["a", "b", "x > 3"];
const DIALECTS: [Dialect; 5] = [Dialect::Auto, Dialect::Spot, Dialect::Spin, Dialect::Smv, Dialect::Unicode];

fn word() -> impl Strategy<Value = Word> {
    let letters = |n| prop::collection::vec(prop::collection::vec(any::<bool>(), 3), n);
    (letters(0..4), letters(1..4)).prop_map(|(stem, cycle)| Word { stem, cycle })
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..24)
}

/// The word without its first letter.
fn rest(word: &Word) -> Word {
    let mut rest = word.clone();
    if rest.stem.is_empty() {
        rest.cycle.rotate_left(1);
    } else {
        rest.stem.remove(0);
    }
    rest
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    /// Of a pure universality every suffix of a word is a word, of a pure eventuality every word with such a suffix.
    #[test]
    fn universal_and_eventual_mean_what_they_say(bytes in bytes(), word in word()) {
        let mut m = Arena::new();
        let f = from_bytes(&mut m, &APS, &bytes, Alphabet::Future);
        for h in m.subformulas(f) {
            let mut now = word.clone();
            for _ in 0..word.stem.len() + word.cycle.len() {
                let next = rest(&now);
                let (here, there) = (evaluate(&m, h, &now), evaluate(&m, h, &next));
                let text = print(&m, h, Dialect::Spot);
                prop_assert!(!m.props(h).has(Props::UNIVERSAL) || !here || there, "universal: {}", text);
                prop_assert!(!m.props(h).has(Props::EVENTUAL) || !there || here, "eventual: {}", text);
                now = next;
            }
        }
    }

    /// What does not hold has a reason, what holds has none, and no reason is made up.
    #[test]
    fn failures_have_reasons(bytes in bytes(), word in word()) {
        let mut m = Arena::new();
        let f = from_bytes(&mut m, &APS, &bytes, Alphabet::Past);
        let found = reasons(&mut m, f, &word);
        prop_assert_eq!(found.is_empty(), evaluate(&m, f, &word));
        for r in found.iter().filter(|_| m.props(f).has(Props::FUTURE)) {
            let suffix = (0..r.at).fold(word.clone(), |w, _| rest(&w));
            let text = print(&m, r.formula, Dialect::Spot);
            prop_assert!(!evaluate(&m, r.formula, &suffix), "{} from {}", text, r.at);
        }
    }

    #[test]
    fn printing_round_trips(bytes in bytes(), word in word()) {
        let mut m = Arena::new();
        let f = from_bytes(&mut m, &APS, &bytes, Alphabet::Past);
        for dialect in DIALECTS {
            let text = print(&m, f, dialect);
            let g = parse_in(&mut m, &text, dialect).unwrap();
            let lacking = m.subformulas(f).iter().any(|&h| {
                matches!(m.op(h), Op::StrongRelease | Op::WeakUntil)
            });
            if lacking && matches!(dialect, Dialect::Spin | Dialect::Smv) {
                prop_assert_eq!(evaluate(&m, f, &word), evaluate(&m, g, &word), "{}", text);
                let again = print(&m, g, dialect);
                prop_assert_eq!(parse_in(&mut m, &again, dialect).unwrap(), g);
            } else {
                prop_assert_eq!(f, g, "{}", text);
            }
        }
        // What any dialect prints is read the same without naming the dialect, but for SMV's associativity.
        for dialect in [Dialect::Spot, Dialect::Spin, Dialect::Unicode] {
            let text = print(&m, f, dialect);
            let again = parse_in(&mut m, &text, dialect).unwrap();
            prop_assert_eq!(parse_in(&mut m, &text, Dialect::Auto).unwrap(), again);
        }
    }

    #[test]
    fn rewriting_keeps_the_meaning(bytes in bytes(), word in word()) {
        let mut m = Arena::new();
        let f = from_bytes(&mut m, &APS, &bytes, Alphabet::Past);
        let expected = evaluate(&m, f, &word);
        for rules in [
            Rules::NONE,
            Rules { basic: true, eventual: false, implication: false },
            Rules { basic: true, eventual: true, implication: false },
            Rules::ALL,
        ] {
            let g = Simplifier::new(rules).simplify(&mut m, f);
            let text = print(&m, g, Dialect::Spot);
            prop_assert_eq!(evaluate(&m, g, &word), expected, "{} became {}", print(&m, f, Dialect::Spot), text);
        }
    }

    #[test]
    fn arbitrary_text_is_read_or_refused(text in "[GFXURWabp0-9 ()!&|<>\\[\\]\\-=\"{}@.:λ□◇]{0,40}") {
        for dialect in DIALECTS {
            if let Ok(f) = parse(&text, dialect) {
                let again = print(&f.arena, f.root, dialect);
                prop_assert!(parse(&again, dialect).is_ok(), "{}", again);
            }
        }
    }
}

#[test]
fn the_dialects() {
    let mut m = Arena::new();
    let mut same = |a: &str, da, b: &str, db| {
        let (x, y) = (parse_in(&mut m, a, da).unwrap(), parse_in(&mut m, b, db).unwrap());
        assert_eq!(x, y, "{a} and {b}");
    };
    use Dialect::{Auto, Smv, Spin, Spot, Unicode};
    same("[](p -> <>q)", Spin, "G(p -> Fq)", Spot);
    same("always (p implies eventually q)", Spin, "G(p -> Fq)", Spot);
    same("p V q && !r", Spin, "(p R q) & !r", Spot);
    same("p /\\ q \\/ r", Spin, "(p & q) | r", Spot);
    same("a U b U c", Spot, "a U (b U c)", Spot);
    same("a U b U c", Smv, "(a U b) U c", Spot);
    same("a -> b -> c", Spot, "a -> (b -> c)", Spot);
    same("□(p → ◇q) ∧ ¬○⊤", Unicode, "G(p -> Fq) & !X1", Spot);
    same("GFp0 & XXG!p1", Auto, "(G F p0) & (X X G !p1)", Spot);
    same("[]<>GFa", Auto, "G F \"GFa\"", Spot);
    same("X[!]a & X[!]X[!]b", Spot, "X a & X X b", Spot);
    same("TRUE xnor a", Smv, "!(1 xor a)", Spot);
    same("[]{x  >  3}", Spin, "G (x > 3)", Auto);
    same("<> P[0]@cs", Spin, "F \"P[0]@cs\"", Spot);
    same("[] len(q) <= 3 && x+1 != y", Spin, "G \"len(q) <= 3\" & \"x+1 != y\"", Spot);
    same("G (state = busy -> O req)", Smv, "G (\"state = busy\" -> O req)", Auto);
    same("prev once historically a since b", Spin, "(Y O H a) S b", Spot);
}

#[test]
fn errors_point_at_the_place() {
    let at = |text: &str| {
        let d = parse(text, Dialect::Auto).unwrap_err();
        (d.span.start, d.message)
    };
    assert_eq!(at("a U"), (3, "expected a formula, found the end of the text".into()));
    assert_eq!(at("a b"), (2, "expected an operator, found `b`".into()));
    assert_eq!(at("(a"), (0, "this `(` is not closed".into()));
    assert_eq!(at("a)"), (1, "this `)` closes nothing".into()));
    assert_eq!(at("a & | b"), (4, "expected a formula, found `|`".into()));
    assert_eq!(at("G 7"), (2, "a number is not a formula".into()));
    assert_eq!(at("a & ?"), (4, "`?` begins no operator and no proposition".into()));
    assert_eq!(at("\"a").0, 0);
    assert_eq!(at("").0, 0);
}

#[test]
fn deep_formulas_are_only_long() {
    let n = 100_000;
    let texts = [
        format!("{}a{}", "(".repeat(n), ")".repeat(n)),
        format!("{}a", "!".repeat(n)),
        format!("{}a", "X ".repeat(n)),
        format!("{}a{}", "(b U ".repeat(n), ")".repeat(n)),
        format!("{}a{}", "(b & ".repeat(n), ")".repeat(n)),
        format!("{}a{}", "(b & X(c | ".repeat(n / 2), "))".repeat(n / 2)),
        vec!["a"; n].join(" -> "),
        vec!["a"; n].join(" U "),
        (0..n).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" & "),
        (0..n).map(|i| format!("(p{i}")).collect::<Vec<_>>().join(" & ") + &")".repeat(n),
        format!("{}a", "F G ".repeat(n)),
    ];
    for text in texts {
        let mut f = parse(&text, Dialect::Spot).unwrap();
        let again = print(&f.arena, f.root, Dialect::Spot);
        assert_eq!(parse_in(&mut f.arena, &again, Dialect::Spot).unwrap(), f.root);
        let s = riata_ltl::simplify::simplify(&mut f.arena, f.root);
        assert!(f.arena.subformulas(s).len() <= 3 * n);
    }
}

#[test]
fn rules_of_the_literature() {
    let show = |s: &str| {
        let mut f = parse(s, Dialect::Spot).unwrap();
        let g = riata_ltl::simplify::simplify(&mut f.arena, f.root);
        print(&f.arena, g, Dialect::Spot)
    };
    assert_eq!(show("F G F p"), "G F p");
    assert_eq!(show("p U F q"), "F q");
    assert_eq!(show("F(p U q)"), "F q");
    assert_eq!(show("X p U X q"), "X(p U q)");
    assert_eq!(show("G F p | G F q"), "G F(p | q)");
    assert_eq!(show("p U (p U q)"), "p U q");
    assert_eq!(show("X 0"), "0");
    assert_eq!(show("p R (p | q)"), "q W p");
    assert_eq!(show("G p & F !p"), "0");
    assert_eq!(show("X G F p"), "G F p");
    let mut m = Arena::new();
    assert_eq!(
        parse_in(&mut m, "a & !a", Dialect::Spot).map(|f| riata_ltl::simplify::simplify(&mut m, f)),
        Ok(Id::FALSE)
    );
}
