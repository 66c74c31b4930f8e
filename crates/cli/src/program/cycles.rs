//! Properties of infinite runs: formulas, never claims, acceptance and progress, with fairness or without.

use super::tell::{self, Teller};
use super::view::Viewer;
use super::{Language, Loaded};
use crate::args::{Algorithms, CheckArgs, Common, EndOfRuns, Fairness, Pictures, StoreKind};
use crate::check::Answer;
use crate::dispatch::{Outcome, Search};
use crate::output::{Exit, complain};
use crate::property::{Formula, agree, entry_of, product, search_all};
use crate::watch::{Interrupt, Spinner};
use riata_automata::{Edge, Label, Marks, Strength, Tgba, strength};
use riata_explore::bfs::bfs;
use riata_explore::streett::Pair;
use riata_explore::{Algorithm, Refused, lowered};
use riata_ltl::{Arena, Ltl, Op};
use riata_program::Proposition;
use riata_program::{
    Asserts, Beside, Claim, ClaimPlace, ClaimProcess, Claimed, Condensed, Execution, Expr, Fair, Interpreter,
    Justice, Options, Prepared, Property, Sees,
};
use riata_report::json::Skipped;
use riata_source::Span;
use riata_store::Exact;
use riata_system::{Degeneralised, Failures, Graph, Lasso, Product, Progress, Run, System, Verdict};
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
    /// Runs that pass accept labels again and again, or that make no progress from some point on.
    pub fn marked(args: &CheckArgs, loaded: &mut Loaded, label: &str) -> Result<Target, Exit> {
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
        // What must hold: finally never again accepting; again and again progress.
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
        let formula = Formula::translate(args, text, Ltl { arena, root })?;
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

/// Searches for cycles.
pub struct Cycles<'a> {
    /// The command.
    pub args: &'a CheckArgs,
    /// Common flags.
    pub common: &'a Common,
    /// To stop.
    pub interrupt: &'a Interrupt,
    /// The model.
    pub loaded: &'a Loaded,
}

type Found = (Vec<Answer>, Vec<Skipped>);

/// An automaton with its strength.
type Automaton = (Tgba, Strength);

/// With marks on edges, and on states.
type Automata = (Automaton, Option<Automaton>);

impl Cycles<'_> {
    /// The answers by all checks that were asked for.
    pub fn check(&self, name: &str, target: &Target) -> Result<Found, Exit> {
        let prepared = self.prepared(target)?;
        let interpreter = prepared.interpreter();
        if let Some(claim) = interpreter.program().claim {
            return self.process(name, target, &prepared, claim);
        }
        match self.args.fairness {
            Fairness::None => self.system(name, target, &Condensed(interpreter), &prepared),
            Fairness::Weak => {
                let processes = self.most_processes(interpreter, 48)?;
                let fair = Fair { interpreter, processes, justice: Justice::Weak };
                self.system(name, target, &fair, &prepared)
            }
            Fairness::Strong => {
                let processes = self.most_processes(interpreter, 28)?;
                let fair = Fair { interpreter, processes, justice: Justice::Strong };
                self.strong((name, target), &fair, (0, processes), &prepared)
            }
        }
    }

    /// The program, ready for a search for this.
    pub fn prepared(&self, target: &Target) -> Result<Prepared, Exit> {
        let beside = if let Target::Process(claim) = target { Beside::Claim(claim) } else { Beside::Nothing };
        let run = (self.loaded.passes(&self.args.pre), self.sees(target));
        let options = Options { asserts: Asserts::Ignore };
        self.loaded.sound(self.common, Prepared::new(self.loaded.program(), beside, run, options))
    }

    /// A claim that is part of the state. The program is run as it is written.
    fn process(
        &self,
        name: &str,
        target: &Target,
        prepared: &Prepared,
        claim: ClaimPlace,
    ) -> Result<Found, Exit> {
        let interpreter = prepared.interpreter();
        let stutters = self.args.deadlocks == EndOfRuns::Stutter;
        let mut system = Claimed { interpreter, claim, stutters, justice: None };
        system.justice = match self.args.fairness {
            Fairness::None => None,
            Fairness::Weak => Some((Justice::Weak, self.most_processes(interpreter, 47)?)),
            Fairness::Strong => Some((Justice::Strong, self.most_processes(interpreter, 27)?)),
        };
        match self.args.fairness {
            Fairness::Strong => {
                let n = system.justice.map_or(0, |(_, n)| n);
                self.strong((name, target), &system, (1, n), prepared)
            }
            _ => self.system(name, target, &system, prepared),
        }
    }

    /// The automata for a property, with their strengths: marks on edges, and on states if a check needs that.
    fn automata(&self, target: &Target) -> Automata {
        match target {
            Target::Formula(f) | Target::Idle(f) => (f.tgba.clone(), f.ba.clone()),
            Target::Claim(automaton) => {
                let claim = (automaton.clone(), strength::of_property(automaton));
                let on_states = (self.args.algorithm != Algorithms::Auto).then(|| claim.clone());
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

    /// What a property sees of a run, besides its propositions.
    pub fn sees(&self, target: &Target) -> Sees {
        Sees {
            propositions: true,
            steps: !target.ignores_stuttering(),
            enabledness: self.args.fairness != Fairness::None,
        }
    }

    /// Is a run wanted, instead of unwanted?
    pub fn exists(&self, target: &Target) -> bool {
        self.args.exists && matches!(target, Target::Formula(_))
    }

    /// The product of a system of this model and the automaton of a property.
    pub fn product<'a, S: System>(
        &self,
        system: &'a S,
        target: &Target,
        automaton: &'a (Tgba, Strength),
    ) -> Result<Product<'a, S>, Exit> {
        let failures = if self.exists(target) { Failures::Reject } else { Failures::Accept };
        product(system, &self.names(), automaton, self.ends(target)).map(|p| p.with_failures(failures))
    }

    /// How many processes there are at most: every state is looked at.
    fn most_processes(&self, interpreter: &Interpreter, limit: u32) -> Result<u32, Exit> {
        let limits = self.interrupt.limits(&self.args.limits);
        let mut store = Exact::new(limits.memory.unwrap_or(usize::MAX));
        let mut run = Run::new(limits);
        let mut most = 0;
        let searched = bfs(&Condensed(interpreter), &mut store, &mut run, |_, s, _| {
            most = most.max(interpreter.processes(s));
            ControlFlow::Continue(())
        });
        match searched.stopped {
            Some(stop) => {
                // A limit is no mistake of the user's.
                complain(&format!("inconclusive: fairness needs the number of processes first: {stop}"));
                Err(Exit::Inconclusive)
            }
            None if most > limit => {
                Err(complain(&format!("this fairness is possible for at most {limit} processes")))
            }
            None => Ok(most),
        }
    }

    fn system<S: System>(
        &self,
        name: &str,
        target: &Target,
        system: &S,
        prepared: &Prepared,
    ) -> Result<Found, Exit> {
        let (automaton, ba) = &self.automata(target);
        let on_edges = self.product(system, target, automaton)?;
        let sets = automaton.0.sets;
        let on_states = match ba {
            Some(ba) => self.product(system, target, ba)?.on_states().ok(),
            None => None,
        };
        let one_set = Degeneralised::new(&on_edges);
        let run = |search: &Search, progress: &mut dyn Progress| -> Result<Outcome, Refused> {
            match &on_states {
                _ if !search.algorithm.needs_one_set() => {
                    search.refuses(on_edges.strength())?;
                    search.on_edges(&on_edges, progress)
                }
                Some(g) => {
                    search.refuses(g.strength())?;
                    search.on_states(g, sets > 1, |verdict| verdict, progress)
                }
                // A system with fairness of its own.
                None => {
                    search.refuses(one_set.strength())?;
                    search.on_states(&one_set, true, |v| lowered(&on_edges, &one_set, v), progress)
                }
            }
        };
        let strength = on_edges.strength();
        let (outcomes, skipped) = search_all(self.args, self.common, self.interrupt, strength, &run)?;
        let named = outcomes.into_iter().map(|d| (d.algorithm.name(), d.why, d.outcome)).collect();
        Ok((self.answers(name, target, prepared, strength, named)?, skipped))
    }

    /// Strong fairness, for which there is one way to decide.
    fn strong<S: System>(
        &self,
        (name, target): (&str, &Target),
        system: &S,
        // How many sets come before those of the processes, and how many processes there are.
        (own, n): (u32, u32),
        prepared: &Prepared,
    ) -> Result<Found, Exit> {
        if !matches!(self.args.algorithm, Algorithms::Auto | Algorithms::All) {
            return Err(complain("strong fairness is decided by `streett` only: leave `--algorithm` out"));
        }
        if !matches!(self.args.store, StoreKind::Exact | StoreKind::Tree) {
            return Err(complain("strong fairness needs the store exact or tree"));
        }
        let (automaton, _) = &self.automata(target);
        let graph = self.product(system, target, automaton)?;
        let sets = automaton.0.sets + own;
        let pairs: Vec<Pair> =
            (0..n).map(|p| Pair { asks: Marks::one(sets + n + p), serves: Marks::one(sets + p) }).collect();
        let search = Search {
            algorithm: Algorithm::Tarjan72,
            store: self.args.store,
            hashing: &self.args.hashing,
            limits: self.interrupt.limits(&self.args.limits),
        };
        let mut spinner = Spinner::new(self.common, "streett", self.args.limits.memory);
        let outcome = search
            .streett(&graph, (Marks::first(sets), &pairs), &mut spinner)
            .map_err(|refused| complain(&refused.to_string()))?;
        drop(spinner);
        let why = "strong fairness: a pair for each process, decided on the components";
        let named = vec![("streett", Some(why), outcome)];
        Ok((self.answers(name, target, prepared, graph.strength(), named)?, Vec::new()))
    }

    /// What the valuations of the model tell.
    pub fn names(&self) -> Vec<&str> {
        self.loaded.program().propositions.iter().map(|p| p.name.as_str()).collect()
    }

    pub fn ends(&self, target: &Target) -> EndOfRuns {
        match target {
            Target::Idle(_) => EndOfRuns::Ignore,
            // The claim goes on where the system has ended.
            Target::Process(_) => EndOfRuns::Ignore,
            _ => self.args.deadlocks,
        }
    }

    /// What the outcomes say, each with the name of its check and why that was taken.
    pub fn answers(
        &self,
        name: &str,
        target: &Target,
        prepared: &Prepared,
        strength: Strength,
        outcomes: Vec<(&'static str, Option<&'static str>, Outcome)>,
    ) -> Result<Vec<Answer>, Exit> {
        let mut answers: Vec<Answer> = Vec::new();
        let mut first = true;
        for (algorithm, why, outcome) in outcomes {
            let mut entry = entry_of(name.to_string(), self.exists(target), &outcome);
            entry.algorithm = algorithm.into();
            entry.strength = Some(strength.name());
            entry.why = why.map(Into::into);
            let mut answer = Answer { entry, ..Answer::default() };
            if let Verdict::Accepting(lasso) = &outcome.verdict {
                self.show(&mut answer, (name, target), prepared, lasso, first)?;
                first = false;
            }
            answers.push(answer);
        }
        agree(&answers);
        Ok(answers)
    }

    /// Puts the run that was found into the answer; only the forms that somebody will see, since it can be long.
    fn show(
        &self,
        answer: &mut Answer,
        (name, target): (&str, &Target),
        prepared: &Prepared,
        lasso: &Lasso,
        first: bool,
    ) -> Result<(), Exit> {
        let failed = lasso.failure();
        let walk = failed.clone().unwrap_or_else(|| lasso.walk());
        let stutters = self.args.deadlocks == EndOfRuns::Stutter;
        let shown = self.loaded.sound(self.common, prepared.run(&walk, stutters))?;
        let (interpreter, taken) = (&*shown.interpreter, &shown.run);
        let viewer = Viewer::new(self.loaded, interpreter);
        let entry = &mut answer.entry;
        if self.common.json {
            match failed {
                Some(_) => drop(entry.more.insert("trace".into(), viewer.states(&taken.states).into())),
                None => entry.lasso = Some(viewer.lasso(taken)),
            }
        }
        let mut end = String::new();
        if failed.is_some() {
            end = self.failure(&viewer, taken);
            entry.reason = Some(end.clone());
        } else if let (Target::Formula(f) | Target::Idle(f), false) = (target, self.exists(target)) {
            let seen = taken.visible(interpreter);
            let cycle = seen.partition_point(|&i| Some(i) < taken.back);
            let part = |places: &[usize]| places.iter().map(|&i| taken.states.get(i)).collect();
            let visible =
                Lasso { stem: part(&seen[..cycle]), cycle: part(&seen[cycle..]), ..Lasso::default() };
            let why = f.asked.why(interpreter, &self.names(), &visible).placed(&seen);
            end = why.to_text(|i| format!("step {i}")).trim().to_string();
            entry.more.insert("reasons".into(), why.to_json());
        }
        if first && self.args.trace.is_some() {
            answer.itf = Some(viewer.itf(taken, name));
        }
        let pictures = if first { self.args.pictures.clone() } else { Pictures::default() };
        let teller = Teller { loaded: self.loaded, pictures: &pictures };
        let watcher = if let Target::Claim(_) = target { self.watcher(lasso, taken) } else { None };
        let run = tell::Run { interpreter, written: shown.written, taken, name, end, watcher };
        let told = teller.tell(&run, first && !self.common.json && !self.common.quiet);
        answer.entry.more.extend(told.more);
        (answer.shown, answer.files) = (told.shown, told.files);
        Ok(())
    }

    /// Where the property process of a DVE model is in each state of a run: what the product tells of its automaton.
    fn watcher(&self, lasso: &Lasso, run: &Execution) -> Option<(String, Vec<String>)> {
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
