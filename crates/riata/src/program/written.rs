//! State spaces and products of programs, written down.

use super::Loaded;
use super::cycles::{Cycles, ForSystem, Target};
use super::view::Viewer;
use crate::error::Error;
use crate::how::How;
use crate::infinite::Question;
use crate::options::EndOfRuns;
use crate::written::{self, Look, Wish, Written};
use riata_program::{Asserts, Beside, Claimed, Condensed, Execution, Interpreter, Sees};
use riata_system::{Choice, Path, System, Walk};

/// The state space, as `riata explore` counts it.
pub fn space(loaded: &Loaded, how: &How, most: usize) -> Result<Written, Error> {
    let beside = loaded.claim().map_or(Beside::Nothing, Beside::Claim);
    let prepared = loaded.prepared(how, beside, Sees::default(), Asserts::Count)?;
    let interpreter = prepared.interpreter();
    let telling = Telling { viewer: Viewer::new(loaded, interpreter), stutters: true };
    telling.look(|look| match interpreter.program().claim {
        Some(claim) => {
            let claimed = Claimed { interpreter, claim, stutters: true, justice: None };
            written::space(how, &claimed, most, look)
        }
        None => written::space(how, &Condensed::new(interpreter), most, look),
    })
}

impl Cycles<'_> {
    /// The product that a search for `target` walks.
    pub fn write_down(&self, target: &Target, wish: &Wish) -> Result<Written, Error> {
        let prepared = self.prepared(target)?;
        let viewer = Viewer::new(self.loaded, prepared.interpreter());
        let telling = Telling { viewer, stutters: self.how.ends() == EndOfRuns::Stutter };
        telling.look(|look| self.with_system(target, (&prepared, None), Write { how: self.how, wish, look }))
    }
}

/// Writing down.
struct Write<'a> {
    how: &'a How<'a>,
    wish: &'a Wish,
    look: &'a Look<'a>,
}

impl ForSystem for Write<'_> {
    type Output = Written;

    fn with<S: System + Sync>(
        self,
        system: &S,
        q: &Question,
        pairs: Option<(u32, u32)>,
    ) -> Result<Written, Error> {
        if pairs.is_some() {
            return Err(Error::usage(
                "strong fairness is decided on Streett pairs, which are not shown: take --fairness weak, or none",
            ));
        }
        written::product(self.how, system, q, self.wish, self.look)
    }
}

/// How states and steps of a program are told.
struct Telling<'a> {
    viewer: Viewer<'a>,
    stutters: bool,
}

impl Telling<'_> {
    fn look<T>(&self, work: impl FnOnce(&Look) -> T) -> T {
        work(&Look { state: &|s| self.state(s), step: &|src, choice, dst| self.step(src, choice, dst) })
    }

    fn interpreter(&self) -> &Interpreter {
        self.viewer.interpreter
    }

    /// A line for what is shared, and one for each process.
    fn state(&self, s: &[u32]) -> Vec<String> {
        if self.interpreter().is_fault(s) {
            return vec!["run-time error".into()];
        }
        let n = self.viewer.processes(s);
        let cells = self.viewer.whole(n as usize + 1, s).into_iter().enumerate();
        let named = |(i, cell): (usize, String)| match i {
            0 => cell,
            i => format!("{}: {cell}", self.viewer.process(s, i as u32 - 1)),
        };
        cells.filter(|(_, cell)| !cell.is_empty()).map(named).collect()
    }

    /// Who moved, and by which statements.
    fn step(&self, src: &[u32], choice: Choice, dst: &[u32]) -> String {
        if choice == Choice::STUTTER {
            return if self.interpreter().is_fault(src) { "run-time error" } else { "(nothing can move)" }
                .into();
        }
        let states: Path = [src, dst].into_iter().collect();
        let walk = Walk { states, choices: vec![choice], back: None };
        let interpreter = self.interpreter();
        let run = match interpreter.program().claim {
            Some(claim) => {
                Claimed { interpreter, claim, stutters: self.stutters, justice: None }.unfold(&walk)
            }
            None => Execution::unfold(&Condensed::new(interpreter), &walk),
        };
        let Some(run) = run else { return String::new() };
        let mut text = String::new();
        let mut before = String::new();
        for (src, step, _) in (0..run.steps.len()).filter_map(|i| run.step(i)) {
            let named = self.viewer.taken(src, step);
            let who = named.process.unwrap_or_default();
            let sep = if text.is_empty() { "" } else { "; " };
            let name = if who == before || who.is_empty() { String::new() } else { format!("{who}: ") };
            text += &format!("{sep}{name}{}", named.statement);
            if let Some(partner) = named.receiver {
                text += &format!(" ‖ {}: {}", partner.process.unwrap_or_default(), partner.statement);
            }
            before = who;
        }
        text
    }
}
