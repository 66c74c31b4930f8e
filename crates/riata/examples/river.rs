//! The farmer, the wolf, the goat and the cabbage: a model as a Rust type, checked by the crate `riata`.
//!
//! `cargo run --release -p riata --example river`
//!
//! A farmer takes a wolf, a goat and a cabbage across a river, one at a time. Left alone, the wolf eats the goat, and the
//! goat the cabbage. The model leaves all these moves in: what must not be is said by formulas, and a solution is a run
//! that satisfies one.
//!
//! | formula | verdict |
//! |---|---|
//! | `G !eaten` | violated: nobody keeps the farmer from leaving the goat with the cabbage |
//! | `G (eaten -> G eaten)` | holds: what was eaten stays eaten |
//! | `F over` | violated: the farmer may go to and fro for ever |
//! | some run with `!eaten U over` | there is one, and it is the solution of the puzzle |

use riata::rust::Model;
use riata::{Error, Report};

/// Who is on the far bank, and whether something was eaten. A state is any type that can be compared, hashed and shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Banks {
    farmer: bool,
    cargo: [bool; 3],
    eaten: bool,
}

/// The cargo, in the order of [`Banks::cargo`].
const NAMES: [&str; 3] = ["wolf", "goat", "cabbage"];
const WOLF: usize = 0;
const GOAT: usize = 1;
const CABBAGE: usize = 2;

impl Banks {
    /// The farmer crosses, alone or with one of them.
    fn cross(&self, with: Option<usize>) -> Banks {
        let mut next = self.clone();
        next.farmer = !self.farmer;
        if let Some(i) = with {
            next.cargo[i] = next.farmer;
        }
        let alone = |a: usize, b: usize| next.cargo[a] == next.cargo[b] && next.cargo[a] != next.farmer;
        next.eaten |= alone(WOLF, GOAT) || alone(GOAT, CABBAGE);
        next
    }

    /// Whom the farmer can take along: nobody, or one that is on his bank.
    fn choices(&self) -> impl Iterator<Item = Option<usize>> {
        let here = (0..3).filter(|&i| self.cargo[i] == self.farmer).map(Some);
        std::iter::once(None).chain(here)
    }
}

/// The puzzle. The model has no data of its own; a model with parameters has them here.
struct River;

impl Model for River {
    type State = Banks;

    fn initial(&self) -> Vec<Banks> {
        vec![Banks { farmer: false, cargo: [false; 3], eaten: false }]
    }

    fn successors(&self, s: &Banks, out: &mut Vec<Banks>) {
        out.extend(s.choices().map(|with| s.cross(with)));
    }

    /// What formulas can speak about.
    fn propositions(&self) -> Vec<String> {
        vec!["over".into(), "eaten".into()]
    }

    fn holds(&self, p: usize, s: &Banks) -> bool {
        match p {
            0 => s.farmer && s.cargo == [true; 3],
            _ => s.eaten,
        }
    }

    /// The names of the steps in traces; in the order of `successors`.
    fn action(&self, s: &Banks, i: usize) -> String {
        match s.choices().nth(i).flatten() {
            Some(cargo) => format!("crosses with the {}", NAMES[cargo]),
            None => "crosses alone".into(),
        }
    }
}

/// The puzzle's solution.
fn solve() -> Result<Report, Error> {
    riata::Model::of("river", River).check().ltl("!eaten U over")?.exists().run()
}

fn main() -> Result<(), Error> {
    for formula in ["G !eaten", "G (eaten -> G eaten)", "F over"] {
        let report = riata::Model::of("river", River).check().ltl(formula)?.run()?;
        println!("{formula}: {}", report.verdict());
    }
    let report = solve()?;
    println!("some run with !eaten U over: {}", report.verdict());
    let run = report.answers[0].run.as_ref().expect("a run that satisfies the formula");
    println!("{}", run.trace.to_text());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use riata::Verdict;

    /// The table above, by four checks.
    #[test]
    fn verdicts() -> Result<(), Error> {
        let formulas = [
            ("G !eaten", Verdict::Violated),
            ("G (eaten -> G eaten)", Verdict::Holds),
            ("F over", Verdict::Violated),
        ];
        for algorithm in ["auto", "se05", "couvreur99", "ascc"] {
            for (formula, expected) in formulas {
                let mut model = riata::Model::of("river", River);
                let check = model.check().ltl(formula)?.algorithm(algorithm.parse().expect("an algorithm"));
                assert_eq!(check.run()?.verdict(), expected, "{formula} by {algorithm}");
            }
        }
        Ok(())
    }

    /// Each step of the solution is one crossing, nothing is eaten, and all are over at the end.
    #[test]
    fn solution() -> Result<(), Error> {
        let report = solve()?;
        assert_eq!(report.verdict(), Verdict::Holds);
        let text = report.answers[0].run.as_ref().expect("a run").trace.to_text();
        assert!(text.contains("crosses with the goat"), "{text}");
        assert!(text.contains("cargo: [true, true, true], eaten: false"), "{text}");
        Ok(())
    }
}
