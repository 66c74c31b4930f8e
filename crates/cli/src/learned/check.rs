//! `riata check MODEL.dve --engine symbolic`.

use super::{manager, path, refuse, setup};
use crate::args::{Algorithms, CheckArgs, Common};
use crate::check::{Answer, ready, text, violation};
use crate::model::Loaded;
use crate::output::{Exit, complain};
use crate::property::{Cycles, Formula, Wanted, agree, product};
use crate::symbolic::{Board, algorithms, count, inconclusive, on_large_stack, table, watch};
use crate::trace::Viewer;
use crate::watch::Interrupt;
use cpu_time::ThreadTime;
use riata_automata::{Strength, Tgba};
use riata_program::{ClaimGraph, Interpreter, Options, Watch};
use riata_report::json::{Counters, Document, Entry};
use riata_symbolic::learn::session::{At, Runs, Session, with};
use riata_symbolic::product::bits_of;
use riata_symbolic::{Algorithm, Bdd, Oxi};
use riata_system::{Choice, Deadlocks, Graph, Lasso, ReplayError, Stop, System, Truth, Watched, replay};
use std::sync::{Arc, Mutex, PoisonError};

/// The command, read and ready.
pub struct Job<'a> {
    /// The command.
    pub args: &'a CheckArgs,
    /// Common flags.
    pub common: &'a Common,
    /// To stop.
    pub interrupt: &'a Interrupt,
    /// The model.
    pub loaded: &'a Loaded,
    /// The formulas of the command line.
    pub formulas: &'a [Formula],
}

/// The answers to all properties.
pub fn run(job: &Job, properties: &[Wanted]) -> Result<Vec<Answer>, Exit> {
    let args = job.args;
    refuse(&args.symbolic, args.store)?;
    let algorithms = algorithms(args)?;
    let interpreter = ready(job.loaded, job.common, Options::default())?;
    let watched = Watch::new(&interpreter);
    let claimed = ready(job.loaded, job.common, Options { claim: true, ends: args.deadlocks.into() })?;
    let claim = match properties.contains(&Wanted::Claim).then(|| watched.claim()) {
        None => None,
        Some(Ok(claim)) => Some(claim),
        Some(Err(why)) => return Err(complain(&format!("{why}; the explicit engine takes such models"))),
    };
    let automata = job.formulas.iter().map(|f| &f.tgba.0).chain(claim.iter().map(|c| &c.0));
    let setup = setup(&args.symbolic, automata.map(bits_of).max().unwrap_or(0));
    let limits = job.interrupt.limits(&args.limits);
    // What is open if one operation takes longer than the time that is left.
    let document = Document::new("check", args.model.to_string_lossy());
    let open = properties.iter().map(Wanted::name).collect();
    let board = Arc::new(Mutex::new(Board::new(document, open)));
    let _watch = watch(&board, limits.deadline, job.common);
    let round = Round { job, watched: &watched, claimed: &claimed, claim: claim.as_ref(), board: &board };
    let done = on_large_stack(|| {
        let start = ThreadTime::now();
        let make = |bits| manager(&args.symbolic, job.common, limits, bits);
        let mut answers = Vec::new();
        let result = with(&watched, &setup, make, |session| {
            let learned = start.elapsed().as_secs_f64();
            round.answer(session, properties, &algorithms, learned, &mut answers)
        });
        (answers, result)
    });
    let (mut answers, result) = done;
    match result {
        Ok(Ok(())) => {}
        Ok(Err(exit)) => return Err(exit),
        Err(stop) => answers.extend(round.open(stop)),
    }
    Ok(answers)
}

struct Round<'a> {
    job: &'a Job<'a>,
    watched: &'a Watch<'a>,
    /// The program with its claim.
    claimed: &'a Interpreter<'a>,
    claim: Option<&'a (Tgba, Vec<usize>)>,
    board: &'a Arc<Mutex<Board>>,
}

type Sets<'a, 'l> = Session<'a, Oxi<'l>, Watch<'a>>;

impl Round<'_> {
    fn answer(
        &self,
        session: &Sets,
        properties: &[Wanted],
        algorithms: &[Option<Algorithm>],
        learned: f64,
        answers: &mut Vec<Answer>,
    ) -> Result<Result<(), Exit>, Stop> {
        for property in properties {
            if property.is_safety() {
                let answer = self.safety(session, property, learned)?;
                self.done(answer, answers);
                continue;
            }
            let before = answers.len();
            for &algorithm in algorithms {
                match self.cycles(session, property, algorithm, answers.len() == before)? {
                    Ok(mut answer) => {
                        answer.entry.more.insert("setup_seconds".into(), learned.into());
                        self.done(answer, answers);
                    }
                    Err(exit) => return Ok(Err(exit)),
                }
            }
            agree(&answers[before..]);
        }
        Ok(Ok(()))
    }

    /// Keeps an answer, so that it is not lost if the time is over.
    fn done(&self, answer: Answer, answers: &mut Vec<Answer>) {
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        board.open.retain(|name| Some(name) != answer.entry.property.as_ref());
        board.document.results.push(answer.entry.clone());
        board.untold += &text(&answer, self.job.common);
        answers.push(answer);
    }

    /// Properties that have no answer.
    fn open(&self, stop: Stop) -> Vec<Answer> {
        let open = self.board.lock().unwrap_or_else(PoisonError::into_inner).open.clone();
        let algorithm = match self.job.args.algorithm {
            Algorithms::Symbolic(a) => a.name(),
            _ => "auto",
        };
        let answer = |name: &String| {
            let entry = Entry { algorithm: algorithm.into(), ..inconclusive(name, &stop.to_string()) };
            Answer { entry, ..Answer::default() }
        };
        open.iter().map(answer).collect()
    }

    fn safety(&self, session: &Sets, property: &Wanted, learned: f64) -> Result<Answer, Stop> {
        let start = ThreadTime::now();
        let set = &session.learned;
        let bad = if *property == Wanted::Deadlock {
            session.deadlocks()?
        } else {
            violations(session, self.watched)?
        };
        let none = set.bdd().constant(false);
        let way = if bad == none { None } else { session.path_to(&bad)? };
        let way = way.map(|states| path(&states));
        let interpreter = self.watched.interpreter();
        if let Some(way) = &way {
            self.confirm(way, property);
        }
        let mut entry = Entry {
            property: Some(property.name()),
            verdict: if bad == none { "holds" } else { "violated" },
            algorithm: "chaining".into(),
            engine: "symbolic",
            store: "bdd".into(),
            ..Entry::default()
        };
        count(&mut entry, &Default::default(), set.count(&set.reached), set.bdd().peak_live());
        entry.counters.transitions = set.transitions()? as u64;
        entry.memory_bytes = set.bdd().bytes() as u64;
        entry.cpu_seconds = start.elapsed().as_secs_f64();
        entry.more.insert("setup_seconds".into(), learned.into());
        let viewer = Viewer::new(self.job.loaded, interpreter);
        Ok(violation(entry, property, way.as_ref(), &viewer))
    }

    /// A path is shown only if it is one of the interpreter.
    fn confirm(&self, way: &riata_system::Path, property: &Wanted) {
        let it = self.watched.interpreter();
        let mut first = vec![0; it.words()];
        it.initial(&mut Default::default(), &mut first);
        assert_eq!(way.get(0), first, "internal error: the path does not begin in the initial state");
        for i in 1..way.len() {
            let step = Choice::between(it, way.get(i - 1), way.get(i));
            assert!(step.is_some(), "internal error: the path has a step that is none of the model");
        }
        let last = way.get(way.len() - 1);
        let bad = match property {
            Wanted::Deadlock => it.is_deadlock(last, &mut first),
            _ => it.is_fault(last) || it.violated(last).is_some(),
        };
        assert!(bad, "internal error: nothing is wrong with the last state of the path");
    }

    fn cycles(
        &self,
        session: &Sets,
        property: &Wanted,
        algorithm: Option<Algorithm>,
        first: bool,
    ) -> Result<Result<Answer, Exit>, Stop> {
        let start = ThreadTime::now();
        let ends: Deadlocks = self.job.args.deadlocks.into();
        let found = match (property, self.claim) {
            (Wanted::Ltl(i), _) => self.formula(session, &self.job.formulas[*i], ends, algorithm)?,
            (_, Some(claim)) => self.property_process(session, claim, ends, algorithm)?,
            (_, None) => Err(complain("there is no property process")),
        };
        let (runs, lasso) = match found {
            Ok(found) => found,
            Err(exit) => return Ok(Err(exit)),
        };
        let cpu_seconds = start.elapsed().as_secs_f64();
        let job = self.job;
        let interpreter = if *property == Wanted::Claim { self.claimed } else { self.watched.interpreter() };
        let cycles = Cycles {
            args: job.args,
            common: job.common,
            interrupt: job.interrupt,
            loaded: job.loaded,
            formulas: job.formulas,
        };
        let exists = cycles.exists(property);
        let set = &session.learned;
        let mut entry = Entry {
            property: Some(property.name()),
            verdict: if lasso.is_some() == exists { "holds" } else { "violated" },
            algorithm: runs.algorithm.name().into(),
            why: runs.why.map(Into::into),
            engine: "symbolic",
            store: "bdd".into(),
            strength: Some(runs.strength.name()),
            ..Entry::default()
        };
        count(&mut entry, &runs.counters, set.count(&set.reached), set.bdd().peak_live());
        entry.counters = Counters { states: runs.states as u64, ..Counters::default() };
        entry.memory_bytes = set.bdd().bytes() as u64;
        entry.cpu_seconds = cpu_seconds;
        let answer = Answer { entry, ..Answer::default() };
        Ok(Ok(match lasso {
            Some(lasso) => cycles.show(answer, property, interpreter, &lasso, first),
            None => answer,
        }))
    }

    fn formula(
        &self,
        session: &Sets,
        formula: &Formula,
        ends: Deadlocks,
        algorithm: Option<Algorithm>,
    ) -> Result<Result<(Runs, Option<Lasso>), Exit>, Stop> {
        let interpreter = self.watched.interpreter();
        let propositions = &interpreter.program().propositions;
        let names: Vec<&str> = propositions.iter().map(|p| p.name.as_str()).collect();
        let sink = interpreter.valuation(&self.watched.sink().2).0;
        let mut atoms = Vec::new();
        for ap in &formula.tgba.0.aps {
            let number = names.iter().position(|n| n == ap);
            let i = number.unwrap_or_else(|| unreachable!("the formula's propositions are the model's"));
            match session.set(i, sink >> i & 1 == 1, false)? {
                Some(set) => atoms.push(set),
                None => {
                    return Ok(Err(complain(&format!(
                        "`{ap}` has no value in some state: the symbolic engine cannot decide this; leave out --engine symbolic"
                    ))));
                }
            }
        }
        let (automaton, strength) = &formula.tgba;
        let runs = session.runs((automaton, *strength), &atoms, ends, algorithm)?;
        let mut lasso = runs.lasso.as_ref().map(|l| lasso(l, |at| [&at.state[..], &[at.automaton]].concat()));
        if let Some(lasso) = &mut lasso {
            match product(interpreter, &names, &formula.tgba, self.job.args.deadlocks) {
                Ok(graph) => lasso.choices = confirmed(replay(&graph, lasso)),
                Err(exit) => return Ok(Err(exit)),
            }
        }
        Ok(Ok((runs, lasso)))
    }

    fn property_process(
        &self,
        session: &Sets,
        (automaton, questions): &(Tgba, Vec<usize>),
        ends: Deadlocks,
        algorithm: Option<Algorithm>,
    ) -> Result<Result<(Runs, Option<Lasso>), Exit>, Stop> {
        let Some(atoms) = claim_atoms(session, self.watched, questions)? else { return Ok(Err(faulty())) };
        let graph = ClaimGraph::new(self.claimed);
        let strength: Strength = graph.strength();
        let runs = session.runs((automaton, strength), &atoms, ends, algorithm)?;
        let mut lasso = runs.lasso.as_ref().map(|l| lasso(l, |at| with_claim(self.claimed, at)));
        if let Some(lasso) = &mut lasso {
            lasso.choices = confirmed(replay(&graph, lasso));
        }
        Ok(Ok((runs, lasso)))
    }
}

/// FFKVY01's table for each property that was checked by several algorithms, a line for each other one.
pub fn tables(answers: &[Answer]) -> String {
    let mut text = String::new();
    for group in answers.chunk_by(|a, b| a.entry.property == b.entry.property) {
        let name = group[0].entry.property.as_deref().unwrap_or_default();
        let entries: Vec<&Entry> = group.iter().map(|a| &a.entry).collect();
        text += &format!("{name}\n{}", table(&entries));
    }
    text
}

/// A lasso is shown only if it could be replayed.
pub fn confirmed(replayed: Result<Vec<Choice>, ReplayError>) -> Vec<Choice> {
    match replayed {
        Ok(choices) => choices,
        Err(e) => panic!("internal error: the lasso is no accepting run: {e}"),
    }
}

/// Why a property process is not for this engine.
pub fn faulty() -> Exit {
    complain(
        "to evaluate a guard of the property process is a run-time error in a reachable state; the explicit engine takes such models",
    )
}

/// Where the guards of the claim hold; none if one is a fault somewhere.
pub fn claim_atoms<B: Bdd>(
    session: &Session<B, Watch>,
    watched: &Watch,
    questions: &[usize],
) -> Result<Option<Vec<B::F>>, Stop> {
    let mut atoms = Vec::new();
    for &question in questions {
        let in_sink = watched.guard_in_sink(question);
        let sink = session.sink != session.learned.bdd().constant(false);
        match session.set(question, in_sink == Truth::True, false)? {
            Some(set) if !sink || in_sink != Truth::Fault => atoms.push(set),
            _ => return Ok(None),
        }
    }
    Ok(Some(atoms))
}

/// The states in which an assertion is violated, and the one after a run-time error.
pub fn violations<B: Bdd>(session: &Session<B, Watch>, watched: &Watch) -> Result<B::F, Stop> {
    let mut bad = session.sink.clone();
    for i in 0..watched.assertions() {
        if let Some(set) = session.set(watched.violates(i), false, true)? {
            bad = session.learned.bdd().or(&bad, &set)?;
        }
    }
    Ok(bad)
}

/// A state of the product as one of the program with its claim.
pub fn with_claim(claimed: &Interpreter, at: &At) -> Vec<u32> {
    let mut s = at.state.clone();
    if let Some(claim) = claimed.program().claim {
        let mut first = vec![0; claimed.words()];
        claimed.initial(&mut Default::default(), &mut first);
        let frame = claimed.layout().frame(claim);
        s[frame.clone()].copy_from_slice(&first[frame]);
        claimed.layout().location(claim).store(&mut s, at.automaton as i32);
    }
    s
}

/// A lasso of the product, its states as `words` has them.
pub fn lasso((stem, cycle): &(Vec<At>, Vec<At>), words: impl Fn(&At) -> Vec<u32>) -> Lasso {
    let states = |list: &[At]| path(&list.iter().map(&words).collect::<Vec<_>>());
    let marks = (1..=cycle.len()).map(|i| cycle[i % cycle.len()].marks).collect();
    Lasso { stem: states(stem), cycle: states(cycle), marks, choices: Vec::new() }.shortened()
}
