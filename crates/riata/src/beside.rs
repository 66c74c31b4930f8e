//! The automaton of a property beside a run: which state is it in at each state of the run?
//!
//! The run that is shown may be another one than that of the search (it is one of the program as it is written, with all
//! its small steps), so the automaton is run along what is shown: the product of the automaton with that one word has an
//! accepting lasso, which is found by an emptiness check. If there is none, nothing is shown.

use riata_automata::draw::{Style, label_text};
use riata_automata::{Tgba, lasso};
use riata_explore::{Algorithm, check};
use riata_ltl::Word;
use riata_report::answer::{Automaton, AutomatonEdge};
use riata_store::Dense;
use riata_system::{Explicit, Lasso, Limits, Path, Run, System, Verdict};

/// With more states of the product than this nothing is shown.
const LARGEST: usize = 2_000_000;
/// Nor with more edges of the automaton.
const MOST: usize = 5_000;
/// Cubes of a label that are shown.
const CUBES: usize = 6;

/// An automaton, and how it is told.
pub struct Told<'a> {
    /// The automaton.
    pub automaton: &'a Tgba,
    /// Which runs it accepts.
    pub of: &'a str,
    /// What a proposition is called.
    pub name: &'a dyn Fn(&str) -> String,
}

/// Where the letters of a word are in the run that is shown, which may have states between them.
pub struct Places<'a> {
    /// The state of each letter.
    pub of: &'a [usize],
    /// How many states are shown.
    pub length: usize,
    /// The state after the last one.
    pub back: usize,
}

/// A condition as part of a label: in brackets if it is not one word, or has them.
pub fn bracketed(condition: &str) -> String {
    let bare = condition.chars().all(|c| c.is_alphanumeric() || "_.:[]".contains(c));
    // Is the first bracket closed by the last character, and not before?
    let mut depth = 0;
    let mut closes = condition.char_indices().filter_map(|(i, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth <= 0).then_some(i)
    });
    let whole = condition.starts_with('(') && closes.next().is_some_and(|i| i + 1 == condition.len());
    if bare || whole { condition.into() } else { format!("({condition})") }
}

/// The word of a lasso of `system`, whose valuations tell `n` propositions.
pub fn word<S: System>(system: &S, n: usize, lasso: &Lasso) -> Word {
    let letter = |s: &[u32]| {
        let v = system.valuation(&s[..system.len(s)]).0;
        (0..n.min(64)).map(|i| v >> i & 1 == 1).collect()
    };
    let letters = |path: &Path| path.iter().map(letter).collect();
    Word { stem: letters(&lasso.stem), cycle: letters(&lasso.cycle) }
}

/// The automaton with an accepting run along `word`, whose letters tell the propositions `names`.
pub fn along(told: &Told, (word, names): (&Word, &[String]), places: &Places) -> Option<Automaton> {
    let tgba = told.automaton;
    let n = word.stem.len() + word.cycle.len();
    if word.cycle.is_empty() || n != places.of.len() || tgba.states().saturating_mul(n) > LARGEST {
        return None;
    }
    let product = lasso::along(tgba, word, names);
    let mut run = Run::new(Limits::default());
    let found = check(Algorithm::Ascc, &Explicit::new(&product), &mut Dense, &mut run);
    let Ok(Verdict::Accepting(found)) = found else { return None };
    let mut edges = Vec::new();
    for q in 0..tgba.states() as u32 {
        for e in tgba.edges(q) {
            let name = |v: u32| (told.name)(&tgba.aps[v as usize]);
            edges.push(AutomatonEdge {
                from: q,
                to: e.to,
                label: label_text(&tgba.labels, e.label, &name, Style::PLAIN, CUBES),
                sets: (0..tgba.sets).filter(|&i| e.marks.has(i)).collect(),
            });
        }
    }
    let letters: Vec<&Vec<bool>> = word.stem.iter().chain(&word.cycle).collect();
    let by = |from: u32, i: usize, to: u32| edge(tgba, names, letters[i], (from, to));
    let (steps, back) = spread(&found, n, places, &by);
    let (run, taken) = steps.into_iter().unzip();
    let (of, states, sets) = (told.of.into(), tgba.states(), tgba.sets);
    (edges.len() <= MOST).then_some(Automaton { of, states, sets, edges, run, taken, back })
}

/// The number of the edge by which the automaton reads a letter; of several the one with the most marks.
fn edge(tgba: &Tgba, names: &[String], letter: &[bool], (from, to): (u32, u32)) -> Option<u32> {
    let holds = |v: u32| {
        let place = names.iter().position(|n| *n == tgba.aps[v as usize]);
        place.and_then(|p| letter.get(p)).copied().unwrap_or(false)
    };
    let begin = tgba.range(from).start;
    let fitting = (begin..).zip(tgba.edges(from));
    let fitting = fitting.filter(|(_, e)| e.to == to && tgba.labels.eval(e.label, holds));
    fitting.max_by_key(|(_, e)| e.marks.len()).map(|(number, _)| number)
}

/// At a state that is shown: the state of the automaton, and the edge by which it leaves.
type Step = (Option<u32>, Option<u32>);

/// The automaton along the run that is shown, and the place that comes after the end. State `q · n + i` of the lasso is `q`
/// before letter `i`; `by` tells the edge from a state by a letter to another state.
fn spread(
    found: &Lasso,
    n: usize,
    places: &Places,
    by: &dyn Fn(u32, usize, u32) -> Option<u32>,
) -> (Vec<Step>, usize) {
    let taken: Vec<(u32, usize)> =
        found.stem.iter().chain(found.cycle.iter()).map(|s| (s[0] / n as u32, s[0] as usize % n)).collect();
    let mut run = vec![(None, None); places.of[0]];
    let mut back = 0;
    for (t, &(q, i)) in taken.iter().enumerate() {
        if t == found.stem.len() {
            back = run.len();
        }
        let &(to, next) = taken.get(t + 1).unwrap_or(&taken[found.stem.len()]);
        let (here, there) = (places.of[i], places.of[next]);
        let unseen = if next > i {
            there - here - 1
        } else {
            // To the end, and from the beginning of the loop on.
            places.length - 1 - here + there - places.back
        };
        run.push((Some(q), by(q, i, to)));
        run.extend(std::iter::repeat_n((None, None), unseen));
    }
    (run, back)
}

#[cfg(test)]
mod tests {
    use super::*;
    use riata_automata::Options;
    use riata_ltl::{Dialect, parse};

    fn beside(formula: &str, stem: &[bool], cycle: &[bool], places: &Places) -> Option<Automaton> {
        let ltl = parse(formula, Dialect::Auto).expect("a formula");
        let automaton = riata_automata::translate(&ltl, &Options::default()).expect("an automaton");
        let letters = |all: &[bool]| all.iter().map(|&b| vec![b]).collect();
        let word = Word { stem: letters(stem), cycle: letters(cycle) };
        let told = Told { automaton: &automaton, of: "wanted", name: &str::to_uppercase };
        along(&told, (&word, &["p".to_string()]), places)
    }

    /// The automaton reads a letter at each place that is not left out, along edges that there are.
    fn follows(a: &Automaton, word: impl Fn(usize) -> bool) {
        let at = |i: usize| if i < a.run.len() { i } else { a.back + (i - a.back) % (a.run.len() - a.back) };
        let mut last: Option<(&AutomatonEdge, bool)> = None;
        let mut met = vec![false; a.sets as usize];
        for i in 0..3 * a.run.len() {
            let Some(q) = a.run[at(i)] else { continue };
            if let Some((edge, letter)) = last {
                let reads = edge.label == "1" || (edge.label == "P") == letter;
                assert!(edge.to == q && reads, "{edge:?} to {q} at {i} of {a:?}");
            }
            let edge = &a.edges[a.taken[at(i)].expect("an edge") as usize];
            assert_eq!(edge.from, q);
            edge.sets.iter().for_each(|&s| met[s as usize] |= i >= a.back);
            last = Some((edge, word(i)));
        }
        assert!(met.iter().all(|&m| m), "it is not accepting: {a:?}");
    }

    #[test]
    fn conditions_are_bracketed() {
        for (condition, wanted) in [
            ("busy", "busy"),
            ("P.busy", "P.busy"),
            ("x == 1", "(x == 1)"),
            ("(x == 1)", "(x == 1)"),
            ("(x) && (y)", "((x) && (y))"),
            ("!x", "(!x)"),
        ] {
            assert_eq!(bracketed(condition), wanted);
        }
    }

    #[test]
    fn it_follows_the_run() {
        let all = Places { of: &[0, 1, 2, 3], length: 4, back: 2 };
        let found = beside("G F p", &[true, false], &[true, false], &all).expect("it is accepted");
        follows(&found, |i| i % 2 == 0);
        assert!(beside("F G p", &[true, true], &[true, false], &all).is_none());
    }

    #[test]
    fn states_between_are_left_out() {
        // Seven states, of which the last four are the loop; letters are at 0, 2, 4 and 6.
        let some = Places { of: &[0, 2, 4, 6], length: 7, back: 3 };
        let found = beside("G (p -> X !p)", &[true, false], &[true, false], &some).expect("it is accepted");
        let looks: Vec<bool> = found.run.iter().map(Option::is_some).collect();
        assert!((0..7).all(|i| looks[i] == (i % 2 == 0)), "{looks:?}");
        assert_eq!((found.run.len() - found.back) % 4, 0);
        let fold = |i: usize| if i < 7 { i } else { 3 + (i - 3) % 4 };
        follows(&found, |i| matches!(fold(i), 0 | 4));
        assert_eq!(found.of, "wanted");
    }

    #[test]
    fn a_loop_may_be_gone_round_several_times() {
        // Every other p: the automaton counts, and the loop has one letter.
        let one = Places { of: &[0], length: 1, back: 0 };
        let found = beside("G (p & X p) & G F p", &[], &[true], &one).expect("it is accepted");
        follows(&found, |_| true);
        assert!(found.edges.iter().all(|e| e.label == "P" || e.label == "1" || e.label == "!P"));
    }
}
