//! Systems without a language of their own: Kripke structures in HOA and models in Rust. Formulas speak of named
//! propositions; a state is shown as a whole.

use crate::beside::{self, Places, Told};
use crate::error::{Error, Remarks};
use crate::how::How;
use crate::infinite::{Formula, Question, decide, untranslated};
use crate::options::{Kind, Store as StoreKind};
use crate::saved::Saved;
use crate::search::{Clock, all_states, parts};
use crate::subject::{Out, Replayed, Stated, Subject, Walk, Walker};
use crate::vacuity;
use crate::written::{self, Look, Wish, Written};
use riata_automata::random::Rng;
use riata_explore::bfs::{bfs, shortest_path};
use riata_explore::parallel::{self, Parts, first_path};
use riata_ltl::Ltl;
use riata_report::answer::Answer;
use riata_report::run::{Run, Taken};
use riata_report::trace::{Step, Trace};
use riata_store::{Keyed, Row, Sorted, Tree};
use riata_system::{Choice, Failures, Lasso, Path, Run as Search, System, Verdict, Walk as Steps};
use serde_json::Value;
use std::ops::ControlFlow;

/// A system and how its states look.
pub trait Shown {
    /// The system.
    type System<'a>: System + Sync
    where
        Self: 'a;

    /// Its kind.
    fn kind(&self) -> Kind;

    /// The system, with valuations of these propositions, at most 64, in this order.
    fn system(&self, names: &[String]) -> Result<Self::System<'_>, String>;

    /// The propositions that there are.
    fn propositions(&self) -> Vec<String>;

    /// A state for programs: an object.
    fn json(&self, s: &[u32]) -> Value;

    /// A state for people.
    fn text(&self, s: &[u32]) -> String;

    /// What the step to `dst` is called; empty if it has no name.
    fn action(&self, src: &[u32], choice: Choice, dst: &[u32]) -> String;
}

/// A subject that is such a system.
pub struct Plain<M> {
    name: String,
    /// Its place in a stream, and its own name.
    index: Option<(usize, Option<String>)>,
    remarks: Vec<Remarks>,
    given: Vec<(String, Ltl)>,
    shown: M,
}

impl<M: Shown> Plain<M> {
    /// The system, as the user named it.
    pub fn new(name: &str, index: Option<(usize, Option<String>)>, remarks: Vec<Remarks>, shown: M) -> Self {
        Plain { name: name.into(), index, remarks, given: Vec::new(), shown }
    }

    fn titled(&self, what: &str) -> String {
        format!("{}: {what}", self.name)
    }

    fn wrong(&self, message: impl std::fmt::Display) -> Error {
        Error::usage(match &self.index {
            Some((index, Some(name))) => format!("automaton {index} ({name}): {message}"),
            Some((index, None)) => format!("automaton {index}: {message}"),
            None => message.to_string(),
        })
    }

    /// A run in all its forms.
    fn run(&self, title: &str, walk: &Steps) -> Run {
        let step = |i: usize| {
            let (src, choice, dst) = walk.step(i)?;
            Some(self.shown.action(src, choice, dst))
        };
        let names: Vec<String> = (0..walk.states.len()).filter_map(step).collect();
        let named = names.iter().any(|n| !n.is_empty());
        let steps = |(i, s): (usize, &[u32])| {
            let by = i.checked_sub(1).and_then(|i| names.get(i)).filter(|_| named);
            let text = self.shown.text(s);
            let text = by.map_or(text.clone(), |by| format!("{text}  by {by}"));
            Step { cells: vec![text], ..Step::default() }
        };
        Run {
            title: self.titled(title),
            trace: Trace {
                steps: walk.states.iter().enumerate().map(steps).collect(),
                back: walk.back.map(|to| (to, Step::default())),
                plain: true,
                ..Trace::default()
            },
            states: walk.states.iter().map(|s| self.shown.json(s)).collect(),
            back: walk.back,
            steps: match named {
                true => names.into_iter().map(|statement| Taken { statement, ..Taken::default() }).collect(),
                false => Vec::new(),
            },
            ..Run::default()
        }
    }

    /// One formula, by all checks that were asked for.
    fn formula(&self, name: &str, text: &str, ltl: &Ltl, out: &mut Out) -> Result<(), Error> {
        let how = out.how;
        how.prepares();
        let names = propositions(ltl)?;
        let system = self.shown.system(&names).map_err(|e| self.wrong(e))?;
        if initial(&system).is_empty() {
            how.warn("there is no initial state, so every property holds");
        }
        let formula = match Formula::translate(how, text, ltl.clone()) {
            Err(Error::Stopped(_)) => {
                out.answer(untranslated(name.into(), how));
                return Ok(());
            }
            formula => formula?,
        };
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let ask = |how: &How, formula: &Formula| {
            let q = Question {
                names: &known,
                automaton: &formula.tgba,
                ba: formula.ba.as_ref(),
                ends: how.ends(),
                failures: Failures::Accept,
                apart: None,
            };
            decide(how, name, &system, &q)
        };
        let (done, skipped) = ask(how, &formula)?;
        let mut again = |how: &How, stronger: &Formula| Ok(ask(how, stronger)?.0);
        let warnings = vacuity::of_formula(how, &formula, &done, &mut again);
        let mut shown = false;
        for d in done {
            let mut answer = d.answer(name, how.options.exists, how);
            self.place(&mut answer);
            answer.warnings = warnings.clone();
            // One run is enough.
            if let Verdict::Accepting(lasso) = &d.outcome.verdict
                && !std::mem::replace(&mut shown, true)
            {
                self.show(&mut answer, name, lasso, |lasso| {
                    (!how.options.exists).then(|| formula.asked.why(&system, &names, lasso))
                });
                if how.options.forms.automaton {
                    answer.automaton =
                        self.automaton(&formula, &system, &names, (lasso, how.options.exists)).map(Box::new);
                }
            }
            out.answer(answer);
        }
        let index = self.index.as_ref().map(|(i, _)| *i);
        out.skip(skipped.into_iter().map(|s| riata_report::answer::Skipped { index, ..s }).collect());
        Ok(())
    }

    fn place(&self, answer: &mut Answer) {
        if let Some((index, name)) = &self.index {
            answer.index = Some(*index);
            answer.name.clone_from(name);
        }
    }

    fn show(
        &self,
        answer: &mut Answer,
        name: &str,
        lasso: &Lasso,
        why: impl FnOnce(&Lasso) -> Option<crate::reasons::Why>,
    ) {
        // The word of the automaton is no part of the model.
        let own = |path: &Path| path.iter().map(|s| &s[..s.len() - 1]).collect();
        let small = Lasso { stem: own(&lasso.stem), cycle: own(&lasso.cycle), ..lasso.clone() };
        let mut run = self.run(name, &small.walk());
        if let Some(why) = why(&small) {
            run.trace.end = why.to_text(|i| format!("step {i}")).trim().to_string();
            answer.reasons = Some(why.list());
        }
        answer.show(run);
    }

    /// The automaton of a formula along the run that was found.
    fn automaton(
        &self,
        formula: &Formula,
        system: &M::System<'_>,
        names: &[String],
        (lasso, exists): (&Lasso, bool),
    ) -> Option<riata_report::answer::Automaton> {
        let own = |path: &Path| path.iter().map(|s| &s[..s.len() - 1]).collect();
        let small = Lasso { stem: own(&lasso.stem), cycle: own(&lasso.cycle), ..Lasso::default() };
        let word = beside::word(system, names.len(), &small);
        let all: Vec<usize> = (0..small.len()).collect();
        let places = Places { of: &all, length: all.len(), back: small.stem.len() };
        let of = if exists { "that satisfy the formula" } else { "that violate the formula" };
        let told = Told { automaton: &formula.tgba.0, of, name: &beside::bracketed };
        beside::along(&told, (&word, names), &places)
    }

    /// A system that tells no propositions.
    fn bare(&self) -> Result<M::System<'_>, Error> {
        self.shown.system(&[]).map_err(|e| self.wrong(e))
    }

    fn count<R: Row>(&self, system: &M::System<'_>, store: &mut R, search: &mut Search) -> Explored {
        let (mut deadlocks, mut first) = (0, None);
        let searched = bfs(system, store, search, |id, _, successors| {
            if successors == 0 {
                deadlocks += 1;
                first.get_or_insert(id);
            }
            ControlFlow::Continue(())
        });
        let path = first.map(|id| shortest_path(system, store, &searched.levels, id));
        Explored { deadlocks, path, stopped: searched.stopped, levels: searched.levels.len() }
    }

    /// The same by a thread for each part.
    fn count_together<R: Sorted + Send>(
        &self,
        system: &M::System<'_>,
        parts: &Parts<R>,
        search: &mut Search,
    ) -> Explored {
        let visit = |deadlocks: &mut u64, v: &parallel::bfs::Visit<M::System<'_>>| {
            let stuck = v.successors == 0 && !v.again;
            *deadlocks += u64::from(stuck);
            u32::from(stuck)
        };
        let threads = parts.count();
        let searched = parallel::bfs::bfs(system, parts, threads, search, &visit, |_| false);
        let (mut stopped, mut path) = (searched.stopped, None);
        if let Some(first) = searched.first(0) {
            let levels = &searched.levels[..=first.level];
            match first_path(system, parts, levels, &first.states, (threads, search)) {
                Ok(found) => path = Some(found),
                Err(stop) => stopped = stopped.or(Some(stop)),
            }
        }
        Explored { deadlocks: searched.tallies.iter().sum(), path, stopped, levels: searched.levels.len() }
    }
}

struct Explored {
    deadlocks: u64,
    path: Option<Path>,
    stopped: Option<riata_system::Stop>,
    levels: usize,
}

impl<M: Shown> Subject for Plain<M> {
    fn kind(&self) -> Kind {
        self.shown.kind()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn index(&self) -> Option<(usize, Option<&str>)> {
        self.index.as_ref().map(|(i, name)| (*i, name.as_deref()))
    }

    fn remarks(&self) -> &[Remarks] {
        &self.remarks
    }

    fn take(&mut self, how: &How) -> Result<Vec<Stated>, Error> {
        self.given.clear();
        for text in &how.options.ltl {
            let ltl = riata_ltl::parse(text, how.options.deciding.dialect.unwrap_or_default())
                .map_err(|d| Error::text("formula", text.as_bytes(), vec![d]))?;
            self.given.push((text.clone(), ltl));
        }
        let stated = |(i, (text, _)): (usize, &(String, Ltl))| Stated {
            formula: Some(text.clone()),
            ..Stated::named(format!("ltl_{i}"))
        };
        Ok(self.given.iter().enumerate().map(stated).collect())
    }

    fn properties(&self) -> Vec<Stated> {
        Vec::new()
    }

    fn check(&mut self, names: &[String], out: &mut Out) -> Result<(), Error> {
        for (i, (text, ltl)) in self.given.iter().enumerate() {
            let name = format!("ltl_{i}");
            if names.contains(&name) {
                self.formula(&name, text, ltl, out)?;
            }
        }
        Ok(())
    }

    fn explore(&mut self, how: &How) -> Result<Answer, Error> {
        let system = self.bare()?;
        let limits = how.limits();
        let room = limits.memory.unwrap_or(usize::MAX);
        let mut progress = how.listener.search("explore", limits.memory);
        let mut search = Search::new(limits).listen(&mut *progress);
        let threads = how.threads();
        let start = Clock::start(threads);
        how.begins();
        let found = match how.store() {
            StoreKind::Tree if threads > 1 => {
                self.count_together(&system, &parts(threads, room, Tree::new), &mut search)
            }
            _ if threads > 1 => {
                self.count_together(&system, &Parts::keyed(&system, threads, room, limits), &mut search)
            }
            StoreKind::Tree => self.count(&system, &mut Tree::new(room), &mut search),
            _ => self.count(&system, &mut Keyed::new(room), &mut search),
        };
        let (c, cpu_seconds, taken) = (search.counters, start.seconds(), how.ends_search());
        let mut answer = all_states(how, found.stopped, found.levels, c, cpu_seconds);
        answer.counters.deadlocks = Some(found.deadlocks);
        answer.stats = taken.map(|taken| taken.told());
        answer.threads = Some(threads).filter(|&n| n > 1);
        self.place(&mut answer);
        if let Some(path) = found.path {
            let mut run = self.run("explore", &Steps::along(&system, path));
            run.trace.end = "this state has no successor".into();
            answer.show(run);
        }
        Ok(answer)
    }

    fn walk(&mut self, _: &How, walker: &mut Walker) -> Result<(), Error> {
        let system = self.bare()?;
        walker(&mut Walking { plain: self, system, steps: Steps::default(), next: Vec::new() })
    }

    fn replay(&self, (name, bytes): (&str, &[u8]), _: &How) -> Result<Replayed, Error> {
        let saved = Saved::read(name, bytes)?;
        let system = self.bare()?;
        let mut walk = Steps { back: saved.back, ..Steps::default() };
        let wanted: Vec<Value> = saved.states.iter().map(|s| Value::Object(s.clone())).collect();
        for (i, state) in wanted.iter().enumerate() {
            let found = match walk.states.len() {
                0 => initial(&system)
                    .into_iter()
                    .map(|s| (s, Choice(0)))
                    .find(|(s, _)| self.shown.json(s) == *state),
                n => successors(&system, walk.states.get(n - 1))
                    .into_iter()
                    .find(|(s, _)| self.shown.json(s) == *state),
            };
            let Some((s, choice)) = found else {
                let what = if i == 0 {
                    "the first state is not initial".into()
                } else {
                    format!("no step leads from state {} to state {i}", i - 1)
                };
                return Ok(Replayed::Refuted(what));
            };
            if i > 0 {
                walk.choices.push(choice);
            }
            walk.states.push(&s);
        }
        if let Some(back) = saved.back {
            let last = walk.states.len() - 1;
            match Choice::between(&system, walk.states.get(last), walk.states.get(back)) {
                Some(choice) => walk.choices.push(choice),
                None => {
                    return Ok(Replayed::Refuted(format!(
                        "no step leads from state {last} back to state {back}"
                    )));
                }
            }
        }
        let kind = if saved.back.is_some() { "a lasso" } else { "a path" };
        Ok(Replayed::Confirmed(Box::new(self.run("replay", &walk)), kind))
    }

    fn write_down(&mut self, wish: &Wish, how: &How) -> Result<Written, Error> {
        let state = |s: &[u32]| vec![self.shown.text(s)];
        let step = |src: &[u32], choice: Choice, dst: &[u32]| match choice {
            Choice::STUTTER => "(nothing can move)".into(),
            choice => self.shown.action(src, choice, dst),
        };
        let look = Look { state: &state, step: &step };
        let given = wish.property.as_ref().and_then(|name| name.strip_prefix("ltl_")?.parse::<usize>().ok());
        let Some((text, ltl)) = given.and_then(|i| self.given.get(i)) else {
            return written::space(how, &self.bare()?, wish.most, &look);
        };
        let names = propositions(ltl)?;
        let system = self.shown.system(&names).map_err(|e| self.wrong(e))?;
        let formula = Formula::translate(how, text, ltl.clone())?;
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let q = Question {
            names: &known,
            automaton: &formula.tgba,
            ba: formula.ba.as_ref(),
            ends: how.ends(),
            failures: Failures::Accept,
            apart: None,
        };
        written::product(how, &system, &q, wish, &look)
    }

    fn print(&self, _: &How) -> Result<String, Error> {
        Err(Error::usage("--print program is for Promela and DVE models"))
    }

    fn explain(&self, _: &How) -> Result<String, Error> {
        Err(Error::usage("--explain por is for Promela and DVE models"))
    }
}

/// The propositions of a formula.
fn propositions(ltl: &Ltl) -> Result<Vec<String>, Error> {
    let names: Vec<String> =
        ltl.arena.ap_numbers(ltl.root).iter().map(|&i| ltl.arena.aps()[i as usize].clone()).collect();
    if names.len() > 64 {
        return Err(Error::usage("the formula has more than 64 propositions"));
    }
    Ok(names)
}

fn initial<S: System>(system: &S) -> Vec<Vec<u32>> {
    let (mut at, mut slot) = (S::Cursor::default(), vec![0; system.words()]);
    let mut all = Vec::new();
    while system.initial(&mut at, &mut slot) {
        all.push(slot[..system.len(&slot)].to_vec());
    }
    all
}

fn successors<S: System>(system: &S, s: &[u32]) -> Vec<(Vec<u32>, Choice)> {
    let (mut at, mut slot) = (S::Cursor::default(), vec![0; system.words()]);
    let mut all = Vec::new();
    while system.next(s, &mut at, &mut slot).is_some() {
        all.push((slot[..system.len(&slot)].to_vec(), Choice(all.len() as u32)));
    }
    all
}

/// A run that grows.
struct Walking<'a, M: Shown + 'a> {
    plain: &'a Plain<M>,
    system: M::System<'a>,
    steps: Steps,
    /// What was offered last.
    next: Vec<(Vec<u32>, Choice)>,
}

impl<M: Shown> Walk for Walking<'_, M> {
    fn choices(&mut self) -> Result<(Vec<Step>, bool), Error> {
        let shown = &self.plain.shown;
        self.next = match self.steps.states.len() {
            0 => initial(&self.system).into_iter().map(|s| (s, Choice(0))).collect(),
            n => successors(&self.system, self.steps.states.get(n - 1)),
        };
        let last = self.steps.states.last().map(<[u32]>::to_vec);
        let step = |(s, choice): &(Vec<u32>, Choice)| Step {
            statement: last.as_ref().map_or(String::new(), |last| shown.action(last, *choice, s)),
            cells: vec![shown.text(s)],
            ..Step::default()
        };
        Ok((self.next.iter().map(step).collect(), false))
    }

    fn take(&mut self, choice: Option<usize>, random: &mut Rng) -> Result<bool, Error> {
        if self.next.is_empty() {
            return Ok(false);
        }
        let i = choice.unwrap_or_else(|| random.below(self.next.len() as u64) as usize);
        let Some((s, choice)) = self.next.get(i) else { return Ok(false) };
        if !self.steps.states.is_empty() {
            self.steps.choices.push(*choice);
        }
        self.steps.states.push(s);
        Ok(true)
    }

    fn back(&mut self) -> bool {
        let n = self.steps.states.len();
        if n > 1 {
            self.steps = self.steps.first(n - 2);
        }
        n > 1
    }

    fn steps(&self) -> Option<usize> {
        self.steps.states.len().checked_sub(1)
    }

    fn state(&self) -> Vec<String> {
        self.steps.states.last().map(|s| self.plain.shown.text(s)).into_iter().collect()
    }

    fn holds(&mut self, condition: &str) -> Result<bool, Error> {
        let ltl = riata_ltl::parse(condition, riata_ltl::Dialect::Auto)
            .map_err(|d| Error::text("condition", condition.as_bytes(), vec![d]))?;
        let names: Vec<String> =
            ltl.arena.ap_numbers(ltl.root).iter().map(|&i| ltl.arena.aps()[i as usize].clone()).collect();
        let system = self.plain.shown.system(&names).map_err(|e| self.plain.wrong(e))?;
        let Some(s) = self.steps.states.last() else { return Ok(false) };
        let v = system.valuation(s).0;
        let letter = ltl
            .arena
            .aps()
            .iter()
            .map(|ap| names.iter().position(|n| n == ap).is_some_and(|i| v >> i & 1 == 1));
        let word = riata_ltl::Word { stem: Vec::new(), cycle: vec![letter.collect()] };
        Ok(riata_ltl::evaluate(&ltl.arena, ltl.root, &word))
    }

    fn run(&self, title: &str) -> Run {
        self.plain.run(title, &self.steps)
    }
}
