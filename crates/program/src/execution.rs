//! Runs as they are shown: every small step, by the process and the statement that took it.
//!
//! A search tells a run by its states and, for each, which of its steps is taken ([`Choice`]). That is enough to take
//! the same steps again, and here they are taken again: what is shown is what the interpreter does.

use crate::condense::{Condensed, Cursor};
use crate::interp::{Cursor as Small, Interpreter, Step};
use crate::machine::Fault;
use riata_source::Span;
use riata_system::{Choice, Path, System, Walk};

/// A run of small steps: as far as it is known, or a lasso.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Execution {
    /// The states.
    pub states: Path,
    /// The step that leaves each state; `None` repeats the state, because nothing can move.
    pub steps: Vec<Option<Step>>,
    /// The state to which the last one returns.
    pub back: Option<usize>,
    /// The run-time error with which the run ends.
    pub failure: Option<Failure>,
}

/// A run-time error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Whose.
    pub pid: u32,
    /// What.
    pub fault: Fault,
    /// Where.
    pub span: Span,
}

impl Execution {
    /// The run that is in its first state.
    pub fn start(interpreter: &Interpreter) -> Execution {
        let mut s = vec![0; interpreter.words()];
        interpreter.initial(&mut Small::default(), &mut s);
        s.truncate(interpreter.len(&s));
        let mut run = Execution::default();
        run.states.push(&s);
        run
    }

    /// The last state.
    pub fn last(&self) -> &[u32] {
        self.states.get(self.states.len() - 1)
    }

    /// Step `i`: where it leaves, what it is, and where it leads; nothing if there is no such step.
    pub fn step(&self, i: usize) -> Option<(&[u32], Option<Step>, &[u32])> {
        let step = *self.steps.get(i)?;
        let to = if i + 1 < self.states.len() { i + 1 } else { self.back? };
        Some((self.states.get(i), step, self.states.get(to)))
    }

    /// Adds a step at the end, and what is wrong with it if it leads to the fault state.
    pub fn push(&mut self, taken: &Taken) {
        self.steps.push(Some(taken.step));
        self.states.push(&taken.to);
        self.failure = taken.failure;
    }

    /// The run without its last states: `n` are left.
    pub fn truncate(&mut self, n: usize) {
        if n < self.states.len() {
            self.states = self.states.iter().take(n).collect();
            self.steps.truncate(n.saturating_sub(1));
            (self.back, self.failure) = (None, None);
        }
    }

    /// The run of small steps that a walk with large ones tells; nothing if there is no such run.
    pub fn unfold(system: &Condensed, walk: &Walk) -> Option<Execution> {
        let interpreter = system.interpreter;
        let mut run = Execution::default();
        let mut places = Vec::with_capacity(walk.states.len());
        run.states.push(&walk.states.get(0)[..system.len(walk.states.get(0))]);
        for i in 0..walk.states.len() {
            places.push(run.states.len() - 1);
            let Some((src, choice, dst)) = walk.step(i) else { break };
            let returns = i + 1 == walk.states.len();
            let (src, dst) = (&src[..system.len(src)], &dst[..system.len(dst)]);
            if choice == Choice::STUTTER {
                run.steps.push(None);
                if !returns {
                    run.states.push(dst);
                }
                continue;
            }
            let way = system.unfold(src, choice)?;
            if way.last().is_some_and(|taken| taken.to != dst && !interpreter.is_fault(dst)) {
                return None;
            }
            let last = way.len() - 1;
            for (k, taken) in way.iter().enumerate() {
                if returns && k == last {
                    run.steps.push(Some(taken.step));
                } else {
                    run.push(taken);
                }
            }
        }
        run.back = walk.back.map(|back| places[back]);
        Some(run)
    }

    /// The states in which control is free, by their places: what claims and formulas see.
    pub fn visible(&self, interpreter: &Interpreter) -> Vec<usize> {
        (0..self.states.len()).filter(|&i| interpreter.holder(self.states.get(i)).is_none()).collect()
    }
}

/// A small step that was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    /// What it is.
    pub step: Step,
    /// Where it leads.
    pub to: Vec<u32>,
    /// What is wrong with it.
    pub failure: Option<Failure>,
}

impl Interpreter {
    fn taken(&self, at: &Small, dst: &[u32]) -> Option<Taken> {
        let step = at.step?;
        let failure = at.trap.map(|(fault, span)| Failure { pid: step.pid, fault, span });
        Some(Taken { step, to: dst[..self.len(dst)].to_vec(), failure })
    }

    /// The first step from `s` that is `wanted`.
    pub fn follow(&self, s: &[u32], wanted: impl Fn(Step) -> bool) -> Option<Taken> {
        let mut at = Small::default();
        let mut slot = vec![0; self.words()];
        while self.next(s, &mut at, &mut slot).is_some() {
            if at.step.is_some_and(&wanted) {
                return self.taken(&at, &slot);
            }
        }
        None
    }

    /// All steps from `s`, in order.
    pub fn steps(&self, s: &[u32]) -> Vec<Taken> {
        let mut at = Small::default();
        let mut slot = vec![0; self.words()];
        let mut all = Vec::new();
        while self.next(s, &mut at, &mut slot).is_some() {
            all.extend(self.taken(&at, &slot));
        }
        all
    }
}

impl Condensed<'_> {
    /// The small steps of the step from `src` that is the given choice.
    fn unfold(&self, src: &[u32], choice: Choice) -> Option<Vec<Taken>> {
        let mut slot = vec![0; self.words()];
        let (at, _): (Cursor, _) = choice.resume(self, src, &mut slot)?;
        let mut way: Vec<Taken> = Vec::new();
        let mut now = src.to_vec();
        for step in at.steps() {
            let taken = self.interpreter.follow(&now, |s| s == step)?;
            now = taken.to.clone();
            way.push(taken);
        }
        if !self.interpreter.is_fault(&now) && !at.endless() {
            let mut further = Vec::new();
            let mut buffer = now.clone();
            buffer.resize(self.words(), 0);
            self.go_on(at.goes_on(), &mut buffer, |step| further.push(step));
            for step in further {
                let taken = self.interpreter.follow(&now, |s| s == step)?;
                now = taken.to.clone();
                way.push(taken);
            }
        }
        if at.endless() {
            // The sequence is not left: what is seen of it is the way to where no way leads out.
            let holder = self.interpreter.holder(&now)?;
            let span =
                self.interpreter.location(&now, holder).zip(self.interpreter.type_of(&now, holder)).map(
                    |(l, of)| self.interpreter.program().processes[of.index()].locations[l.index()].span,
                )?;
            way.last_mut()?.failure = Some(Failure { pid: holder, fault: Fault::EndlessAtomic, span });
        }
        Some(way)
    }
}
