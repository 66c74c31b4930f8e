//! Properties of infinite runs: formulas, never claims, acceptance and progress, with fairness or without.

use super::por::Reduced;
use super::portable::States;
use super::tell::Telling;
use super::view::Viewer;
use super::{Language, Loaded};
use crate::beside::{self, Places, Told};
use crate::error::Error;
use crate::how::How;
use crate::infinite::{Apart, Automaton, Decided, Done, Formula, Question, decide, decide_strongly_fair};
use crate::options::{Algorithms, EndOfRuns, Fairness, Forms};
use crate::subject::Out;
use crate::vacuity;
use riata_automata::{Edge, Label, Marks, Strength, Tgba, strength};
use riata_explore::bfs::bfs;
use riata_ltl::{Arena, Ltl, Op};
use riata_program::{
    Asserts, Beside, Claim, ClaimPlace, ClaimProcess, Claimed, Condensed, Execution, Expr, Fair, Interpreter,
    Justice, Prepared, Property, Proposition, Reduction, Sees,
};
use riata_report::answer::Answer;
use riata_source::Span;
use riata_store::Exact;
use riata_system::{Failures, Lasso, Run, System, Verdict};
use std::ops::ControlFlow;

/// What is looked for.
pub enum Target {
    /// Runs that violate a formula.
    Formula(Formula),
    /// Runs that make no progress from some point on; a run that ends is none.
    Idle(Formula),
    /// Runs that an automaton accepts.
    Claim(Tgba),
    /// Runs in which a claim with variables of its own is at accept labels infinitely often.
    Process(Box<ClaimProcess>),
}

impl Target {
    /// Runs that pass accept labels infinitely often, or that make no progress from some point on.
    pub fn marked(how: &How, loaded: &mut Loaded, label: &str) -> Result<Target, Error> {
        let (name, expr) = match label {
            "accept" => ("accept_", Expr::Accepting),
            _ => ("np_", Expr::NonProgress),
        };
        let program = loaded.program_mut();
        if !program.propositions.iter().any(|p| p.name == name) {
            let expr = program.exprs.add(expr, Span::default());
            program.propositions.push(Proposition { name: name.into(), expr });
        }
        let mut arena = Arena::new();
        let p = arena.ap(name);
        // What must hold: from some point on never accepting; progress infinitely often.
        let root = if label == "accept" {
            let not = arena.raw(Op::Not, &[p]);
            let always = arena.raw(Op::Globally, &[not]);
            arena.raw(Op::Finally, &[always])
        } else {
            let not = arena.raw(Op::Not, &[p]);
            let some = arena.raw(Op::Finally, &[not]);
            arena.raw(Op::Globally, &[some])
        };
        let text = if label == "accept" { "<>[] !accept_" } else { "[]<> !np_" };
        let formula = Formula::translate(how, text, Ltl { arena, root })?;
        Ok(if label == "accept" { Target::Formula(formula) } else { Target::Idle(formula) })
    }
}

impl Target {
    /// Is it about the order of states only, not about the number of steps?
    pub fn ignores_stuttering(&self) -> bool {
        match self {
            Target::Formula(f) | Target::Idle(f) => {
                let ltl = &f.asked.ltl;
                let counts = [Op::Next, Op::Yesterday, Op::WeakYesterday];
                !ltl.arena.subformulas(ltl.root).iter().any(|&s| counts.contains(&ltl.arena.op(s)))
            }
            Target::Claim(_) | Target::Process(_) => false,
        }
    }
}

/// Work with a system and a question, and the sets of strong fairness if there are some.
pub trait ForSystem {
    /// What comes of it.
    type Output;
    /// Does the work.
    fn with<S: System + Sync>(
        self,
        system: &S,
        q: &Question,
        pairs: Option<(u32, u32)>,
    ) -> Result<Self::Output, Error>;
}

/// Deciding, which the command `check` is for.
struct Decide<'a> {
    how: &'a How<'a>,
    name: &'a str,
}

impl ForSystem for Decide<'_> {
    type Output = Decided;

    fn with<S: System + Sync>(
        self,
        system: &S,
        q: &Question,
        pairs: Option<(u32, u32)>,
    ) -> Result<Decided, Error> {
        match pairs {
            None => decide(self.how, self.name, system, q),
            Some(pairs) => decide_strongly_fair(self.how, self.name, system, q, pairs),
        }
    }
}

/// Searches for cycles.
#[derive(Clone, Copy)]
pub struct Cycles<'a> {
    /// How.
    pub how: &'a How<'a>,
    /// The model.
    pub loaded: &'a Loaded,
}

impl Cycles<'_> {
    /// The answers by all checks that were asked for.
    pub fn check(&self, name: &str, target: &Target, out: &mut Out) -> Result<(), Error> {
        let prepared = self.prepared(target)?;
        let reduced = Reduced::of_runs(self.how, prepared.interpreter(), target);
        let (mut done, skipped) = self.decide(name, target, &prepared, &reduced)?;
        let made = prepared.interpreter().native_made();
        done.iter_mut().for_each(|d| d.outcome.taken = d.outcome.taken.map(|taken| taken.native(made)));
        let (por, native) = (reduced.told(), super::native(self.how, prepared.interpreter()));
        let warnings = self.warnings(target, &done);
        self.answers((name, target), (&prepared, reduced.reduction()), done, |mut answer| {
            answer.warnings.clone_from(&warnings);
            answer.por = Some(por.clone());
            answer.native.clone_from(&native);
            out.answer(answer);
        })?;
        out.skip(skipped);
        Ok(())
    }

    /// What is odd about a property.
    pub fn warnings(&self, target: &Target, done: &[Done]) -> Vec<String> {
        match target {
            Target::Formula(f) => {
                let mut again = |how: &How, f: &Formula| {
                    let cycles = Cycles { how, loaded: self.loaded };
                    let target = Target::Formula(f.clone());
                    let prepared = cycles.prepared(&target)?;
                    let reduced = Reduced::of_runs(how, prepared.interpreter(), &target);
                    Ok(cycles.decide("", &target, &prepared, &reduced)?.0)
                };
                vacuity::of_formula(self.how, f, done, &mut again)
            }
            Target::Claim(claim) if done.iter().any(|d| d.outcome.verdict == Verdict::Empty) => {
                let stuck = "the claim cannot make its first step, so no run can violate it";
                if self.moves(claim) { Vec::new() } else { vec![stuck.into()] }
            }
            _ => Vec::new(),
        }
    }

    /// Can a claim make its first step?
    fn moves(&self, claim: &Tgba) -> bool {
        let options = riata_program::Options { asserts: Asserts::Ignore };
        let Ok(i) = Interpreter::new(self.loaded.program(), options) else { return true };
        let mut s = vec![0; i.words()];
        i.initial(&mut Default::default(), &mut s);
        let now = i.valuation(&s).0;
        let edges = claim.initial.iter().flat_map(|&q| claim.edges(q));
        edges.into_iter().any(|e| claim.labels.eval(e.label, |p| now >> p & 1 == 1))
    }

    /// Is there a run of this kind?
    fn decide(
        &self,
        name: &str,
        target: &Target,
        prepared: &Prepared,
        reduced: &Reduced,
    ) -> Result<Decided, Error> {
        let work = Decide { how: self.how, name };
        self.with_system(target, (prepared, reduced.reduction()), work)
    }

    /// Does `work` with the system of the search, and the question that is asked of it.
    pub fn with_system<W: ForSystem>(
        &self,
        target: &Target,
        (prepared, reduction): (&Prepared, Option<&Reduction>),
        work: W,
    ) -> Result<W::Output, Error> {
        let interpreter = prepared.interpreter();
        if let Some(claim) = interpreter.program().claim {
            return self.process(target, interpreter, claim, work);
        }
        match self.how.fairness() {
            Fairness::None => {
                let system = Condensed::new(interpreter).reduced(reduction);
                self.system((target, interpreter), &system, None, work)
            }
            Fairness::Weak => {
                let processes = self.most_processes(interpreter, 48)?;
                let fair = Fair { interpreter, processes, justice: Justice::Weak };
                self.system((target, interpreter), &fair, None, work)
            }
            Fairness::Strong => {
                let processes = self.most_processes(interpreter, 28)?;
                let fair = Fair { interpreter, processes, justice: Justice::Strong };
                self.system((target, interpreter), &fair, Some((0, processes)), work)
            }
        }
    }

    /// The program, ready for a search for this.
    pub fn prepared(&self, target: &Target) -> Result<Prepared, Error> {
        let beside = if let Target::Process(claim) = target { Beside::Claim(claim) } else { Beside::Nothing };
        let sees = Sees {
            propositions: true,
            steps: !target.ignores_stuttering(),
            enabledness: self.how.fairness() != Fairness::None,
        };
        self.loaded.prepared(self.how, beside, sees, Asserts::Ignore)
    }

    /// A claim that is part of the state. The program is run as it is written.
    fn process<W: ForSystem>(
        &self,
        target: &Target,
        interpreter: &Interpreter,
        claim: ClaimPlace,
        work: W,
    ) -> Result<W::Output, Error> {
        let stutters = self.how.ends() == EndOfRuns::Stutter;
        let mut system = Claimed { interpreter, claim, stutters, justice: None };
        system.justice = match self.how.fairness() {
            Fairness::None => None,
            Fairness::Weak => Some((Justice::Weak, self.most_processes(interpreter, 47)?)),
            Fairness::Strong => Some((Justice::Strong, self.most_processes(interpreter, 27)?)),
        };
        let strong = self.how.fairness() == Fairness::Strong;
        let pairs = strong.then(|| (1, system.justice.map_or(0, |(_, n)| n)));
        self.system((target, interpreter), &system, pairs, work)
    }

    /// The automata for a property, with their strengths: marks on edges, and on states if a check needs that.
    pub fn automata(&self, target: &Target) -> (Automaton, Option<Automaton>) {
        match target {
            Target::Formula(f) | Target::Idle(f) => (f.tgba.clone(), f.ba.clone()),
            Target::Claim(automaton) => {
                let claim = (automaton.clone(), strength::of_property(automaton));
                let on_states = (self.how.algorithms() != Algorithms::Auto).then(|| claim.clone());
                (claim, on_states)
            }
            // The claim is in the system, and acceptance with it.
            Target::Process(_) => {
                let mut every = Tgba::default();
                every.initial = vec![0];
                every.set_edges(1, &[(0, Edge { to: 0, label: Label::TRUE, marks: Marks::NONE })]);
                ((every, Strength::General), None)
            }
        }
    }

    /// Is a run wanted, instead of unwanted?
    pub fn exists(&self, target: &Target) -> bool {
        self.how.options.exists && matches!(target, Target::Formula(_))
    }

    /// What becomes of runs that fail.
    pub fn failures(&self, target: &Target) -> Failures {
        if self.exists(target) { Failures::Reject } else { Failures::Accept }
    }

    /// How many processes there are at most: every state is looked at.
    fn most_processes(&self, interpreter: &Interpreter, limit: u32) -> Result<u32, Error> {
        let limits = self.how.limits();
        let mut store = Exact::new(limits.memory.unwrap_or(usize::MAX));
        let mut run = Run::new(limits);
        let mut most = 0;
        let searched = bfs(&Condensed::new(interpreter), &mut store, &mut run, |_, s, _| {
            most = most.max(interpreter.processes(s));
            ControlFlow::Continue(())
        });
        match searched.stopped {
            // A limit is no mistake of the user's.
            Some(stop) => Err(Error::Stopped(stop)),
            None if most > limit => {
                Err(Error::usage(format!("this fairness is possible for at most {limit} processes")))
            }
            None => Ok(most),
        }
    }

    /// Does `work` with a system; with `pairs` the sets of strong fairness.
    fn system<S: System + Sync, W: ForSystem>(
        &self,
        (target, interpreter): (&Target, &Interpreter),
        system: &S,
        pairs: Option<(u32, u32)>,
        work: W,
    ) -> Result<W::Output, Error> {
        let (automaton, ba) = self.automata(target);
        let names = self.names();
        let states = States(interpreter);
        let program = if self.how.cluster.is_some() { states.text() } else { String::new() };
        let question = Question {
            names: &names,
            automaton: &automaton,
            ba: ba.as_ref(),
            ends: self.ends(target),
            failures: self.failures(target),
            apart: Some(Apart { portable: &states, program: &program }),
        };
        work.with(system, &question, pairs)
    }

    /// What the valuations of the model tell.
    pub fn names(&self) -> Vec<&str> {
        self.loaded.program().propositions.iter().map(|p| p.name.as_str()).collect()
    }

    /// What becomes of runs that end.
    pub fn ends(&self, target: &Target) -> EndOfRuns {
        match target {
            Target::Idle(_) => EndOfRuns::Ignore,
            // The claim goes on where the system has ended.
            Target::Process(_) => EndOfRuns::Ignore,
            _ => self.how.ends(),
        }
    }

    /// What was found. The first run is shown; those of further checks are replayed, and not shown: twelve times a run of
    /// thousands of steps helps nobody.
    pub fn answers(
        &self,
        (name, target): (&str, &Target),
        searched: (&Prepared, Option<&Reduction>),
        done: Vec<Done>,
        mut out: impl FnMut(Answer),
    ) -> Result<(), Error> {
        let mut shown = false;
        for d in done {
            let mut answer = d.answer(name, self.exists(target), self.how);
            if let Verdict::Accepting(lasso) = &d.outcome.verdict {
                let forms = if shown { None } else { Some(self.how.options.forms) };
                self.show(&mut answer, (name, target), searched, (lasso, forms))?;
                shown = true;
            }
            out(answer);
        }
        Ok(())
    }

    /// Replays the run that was found and puts it into the answer, in those forms.
    fn show(
        &self,
        answer: &mut Answer,
        (name, target): (&str, &Target),
        (prepared, reduction): (&Prepared, Option<&Reduction>),
        (lasso, forms): (&Lasso, Option<Forms>),
    ) -> Result<(), Error> {
        let failed = lasso.failure();
        let walk = failed.clone().unwrap_or_else(|| lasso.walk());
        let stutters = self.how.ends() == EndOfRuns::Stutter;
        let system = Condensed::new(prepared.interpreter()).reduced(reduction);
        let shown = self.loaded.sound(prepared.run(&system, &walk, stutters))?;
        let (interpreter, taken) = (&*shown.interpreter, &shown.run);
        let viewer = Viewer::new(self.loaded, interpreter);
        let mut end = String::new();
        if failed.is_some() {
            end = self.failure(&viewer, taken);
            answer.reason = Some(end.clone());
        }
        let Some(forms) = forms else { return Ok(()) };
        if failed.is_none() {
            let seen = taken.visible(interpreter);
            let cycle = seen.partition_point(|&i| Some(i) < taken.back);
            let part = |places: &[usize]| places.iter().map(|&i| taken.states.get(i)).collect();
            let visible =
                Lasso { stem: part(&seen[..cycle]), cycle: part(&seen[cycle..]), ..Lasso::default() };
            if let (Target::Formula(f) | Target::Idle(f), false) = (target, self.exists(target)) {
                let why = f.asked.why(interpreter, &self.names(), &visible).placed(&seen);
                end = why.to_text(|i| format!("step {i}")).trim().to_string();
                answer.reasons = Some(why.list());
            }
            if forms.automaton
                && let Some(back) = taken.back
            {
                let places = Places { of: &seen, length: taken.states.len(), back };
                answer.automaton = self.automaton(target, interpreter, &visible, &places).map(Box::new);
            }
        }
        let beside = if let Target::Claim(_) = target { self.beside(lasso, taken) } else { None };
        let telling =
            Telling { loaded: self.loaded, interpreter, written: shown.written, taken, end, beside };
        answer.show(telling.tell(name, forms));
        Ok(())
    }

    /// The automaton of the property along the states that it looks at.
    fn automaton(
        &self,
        target: &Target,
        interpreter: &Interpreter,
        visible: &Lasso,
        places: &Places,
    ) -> Option<riata_report::answer::Automaton> {
        let (automaton, of) = match target {
            Target::Formula(f) if self.exists(target) => (&f.tgba.0, "that satisfy the formula"),
            Target::Formula(f) => (&f.tgba.0, "that violate the formula"),
            Target::Idle(f) => (&f.tgba.0, "without progress"),
            Target::Claim(automaton) => (automaton, "that the claim accepts"),
            // It is a process with variables of its own.
            Target::Process(_) => return None,
        };
        let names: Vec<String> = self.names().into_iter().map(String::from).collect();
        let word = beside::word(interpreter, names.len(), visible);
        let told = Told { automaton, of, name: &beside::bracketed };
        beside::along(&told, (&word, &names), places)
    }

    /// Where the property process of a DVE model is in each state of a run: what the product tells of its automaton.
    fn beside(&self, lasso: &Lasso, run: &Execution) -> Option<(String, Vec<String>)> {
        let Language::Dve(model) = &self.loaded.language else { return None };
        let (process, Some(Property::Never(_, Claim::Automaton(_)))) =
            (&model.claim.as_ref()?.process, &model.property)
        else {
            return None;
        };
        let states = lasso.stem.iter().chain(lasso.cycle.iter());
        // The automaton starts in its first state, which changed places with the initial one.
        let place = |q: u32| match q {
            0 => process.initial.index(),
            q if q == process.initial.0 => 0,
            q => q as usize,
        };
        let name = |s: &[u32]| {
            let location = process.locations.get(place(*s.last()?))?;
            Some(location.labels.first()?.clone())
        };
        let places: Vec<String> = states.map(name).collect::<Option<_>>()?;
        (places.len() == run.states.len()).then(|| (process.name.clone(), places))
    }

    /// Why a run ends early: a run-time error of a step, or of a proposition in its last state.
    fn failure(&self, viewer: &Viewer, run: &Execution) -> String {
        if run.failure.is_some() {
            return format!("run-time error: {}", viewer.fault(run));
        }
        let (interpreter, s) = (viewer.interpreter, run.last());
        let undefined = interpreter.undefined(s).0;
        let names = self.names();
        let wrong = (0..names.len().min(64)).filter(|i| undefined >> i & 1 == 1).filter_map(|i| {
            let (fault, span) = interpreter.why_undefined(s, i)?;
            Some(format!("`{}` has no value: {fault} at {}", names[i], self.loaded.place(span)))
        });
        wrong.collect::<Vec<_>>().join("; ")
    }
}
