//! Partial-order reduction: whether it is used, and what is said of it.

use super::Loaded;
use super::cycles::Target;
use crate::error::Error;
use crate::how::How;
use crate::options::{Fairness, Por};
use riata_automata::classify::is_stutter_invariant;
use riata_automata::translate::Budget;
use riata_explore::bfs::bfs;
use riata_program::{Condensed, Explanation, Interpreter, Needed, Proviso, Reduction, Sample, Visible};
use riata_report::answer;
use riata_store::Exact;
use riata_system::Run;
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// What is saved does not pay for what is computed if something is left out in fewer of 100 states,
const WORTH: u32 = 15;
/// or if more of 100 steps are taken.
const MOST: u32 = 90;

/// Do fewer walks tell whether it pays? They do if both are far from where it changes.
fn is_clear(Sample { reduced, taken }: Sample) -> bool {
    reduced >= 2 * WORTH && taken <= MOST - 10 || reduced < WORTH / 3
}

/// The reduction of a search, or why there is none.
pub struct Reduced(Result<Reduction, String>);

impl Reduced {
    /// For assertions and deadlocks, or for deadlocks alone.
    pub fn of_states(how: &How, interpreter: &Interpreter, deadlocks: bool) -> Reduced {
        let proviso = if deadlocks { Proviso::None } else { Proviso::Search };
        let visible = Visible { proviso, ..Visible::default() };
        Reduced(wanted(how).and_then(|()| {
            if how.options.coverage {
                return Err("--coverage looks at every state".into());
            }
            if how.store().is_lossy() {
                return Err("with a lossy store the search is depth-first".into());
            }
            worth(how, interpreter, visible)
        }))
        .warn(how)
    }

    /// For the whole state space: only if it was asked for.
    pub fn of_space(how: &How, interpreter: &Interpreter) -> Option<Reduced> {
        how.options.reducing.por.is_some().then(|| Reduced::of_states(how, interpreter, false))
    }

    /// For a property of infinite runs.
    pub fn of_runs(how: &How, interpreter: &Interpreter, target: &Target) -> Reduced {
        Reduced(wanted(how).and_then(|()| {
            let formula = match target {
                Target::Formula(f) | Target::Idle(f) => f,
                Target::Claim(_) => return Err("a never claim may count steps".into()),
                Target::Process(_) => return Err("the claim has variables of its own".into()),
            };
            if how.fairness() != Fairness::None {
                return Err("--fairness asks who can move".into());
            }
            if how.options.deciding.shortest {
                return Err("--shortest".into());
            }
            if how.options.product {
                return Err("--product asks for the whole product".into());
            }
            if !invariant(how, target) {
                return Err("the formula is not stutter-invariant: it counts steps".into());
            }
            let program = interpreter.program();
            let number = |name: &String| program.propositions.iter().position(|p| p.name == *name);
            let seen: Vec<u32> = formula.tgba.0.aps.iter().filter_map(number).map(|p| p as u32).collect();
            worth(how, interpreter, Visible { propositions: &seen, ..Visible::default() })
        }))
        .warn(how)
    }

    /// Tells those who asked for a reduction that there is none.
    fn warn(self, how: &How) -> Reduced {
        if let (Err(why), Some(Por::Auto | Por::On)) = (&self.0, how.options.reducing.por) {
            how.warn(format!("--por: no reduction: {why}"));
        }
        self
    }

    /// What a search takes.
    pub fn reduction(&self) -> Option<&Reduction> {
        self.0.as_ref().ok()
    }

    /// What is said of it.
    pub fn told(&self) -> answer::Por {
        match &self.0 {
            Ok(reduction) => {
                let (full, reduced) = reduction.expansions();
                answer::Por { off: None, full, reduced }
            }
            Err(why) => answer::Por { off: Some(why.clone()), full: 0, reduced: 0 },
        }
    }
}

/// So many states are looked at to explain.
const EXPLAINED: u32 = 20_000;

/// Why steps can be left out or not, location by location: for assertions and deadlocks.
pub fn explain(how: &How, loaded: &Loaded, interpreter: &Interpreter) -> Result<String, Error> {
    let program = interpreter.program();
    let visible = Visible { proviso: Proviso::Search, ..Visible::default() };
    let reduction = match Reduction::new(interpreter, visible) {
        Ok(reduction) => reduction,
        Err(why) => return Ok(format!("no reduction: {why}\n")),
    };
    let mut explanation = Explanation::new();
    let (mut seen, mut reduced) = (0u32, 0u32);
    let limits = how.limits();
    let mut store = Exact::new(limits.memory.unwrap_or(usize::MAX));
    bfs(&Condensed::new(interpreter), &mut store, &mut Run::new(limits), |_, s, _| {
        seen += 1;
        reduced += u32::from(reduction.choose(interpreter, s) != 0);
        reduction.explain(interpreter, s, &mut explanation);
        if seen < EXPLAINED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let mut out = format!("of the first {seen} states {reduced} can do with the steps of one process\n");
    for ((p, l), tally) in &explanation {
        let process = &program.processes[p.index()];
        let location = &process.locations[l.index()];
        let label = location.labels.first().map_or(String::new(), |label| format!(" ({label})"));
        let place = loaded.place(location.span);
        let _ = writeln!(
            out,
            "\n{} at {place}{label}: could move in {} states, alone in {}",
            process.name, tally.states, tally.alone
        );
        for (needed, count) in &tally.reasons {
            let _ = match needed {
                Needed::Closes => writeln!(out, "  {count}: a step closes a cycle of control"),
                Needed::Visible => writeln!(out, "  {count}: a step is seen by an assertion about states"),
                Needed::Meets(place) => writeln!(out, "  {count}: meets at {place}"),
                Needed::Offers(place) => writeln!(out, "  {count}: waits for {place}"),
            };
        }
    }
    Ok(out)
}

/// A reduction, if there is something to reduce.
fn worth(how: &How, interpreter: &Interpreter, visible: Visible) -> Result<Reduction, String> {
    let mut reduction = Reduction::new(interpreter, visible).map_err(|why| why.to_string())?;
    if how.options.reducing.por != Some(Por::On) {
        // What others may do before a process moves is a dear question: it saves states, and takes more time than they would.
        reduction.looks_no_further();
        let Sample { reduced, taken } = reduction.sample(interpreter, is_clear);
        if reduced < WORTH || taken > MOST {
            return Err(format!(
                "it would not pay: on random walks it leaves out a step in {reduced} of 100 states, {} of 100 steps",
                100 - taken
            ));
        }
    }
    Ok(reduction)
}

/// May there be one?
fn wanted(how: &How) -> Result<(), String> {
    match how.options.reducing.por {
        _ if how.is_gpu() => Err("--engine gpu takes all steps".into()),
        // Whether a successor is new is known to another process.
        _ if how.cluster.is_some() => {
            Err("several processes and searches with a checkpoint take all steps".into())
        }
        Some(Por::Off) => Err("--por off".into()),
        Some(Por::Auto | Por::On) | None => Ok(()),
    }
}

/// Does it make no difference to a formula how often a valuation is repeated?
fn invariant(how: &How, target: &Target) -> bool {
    if target.ignores_stuttering() {
        return true;
    }
    let Target::Formula(f) = target else { return false };
    let budget = Budget { deadline: how.deadline, ..Budget::default() };
    let options = riata_automata::Options { budget, ..Default::default() };
    is_stutter_invariant(&f.asked.ltl, &options) == Some(true)
}
