//! Emptiness checks and decompositions: the events of a search, told as a film.

use super::{Shown, states};
use crate::error::Error;
use crate::how::How;
use crate::written::Written;
use riata_automata::Marks;
use riata_explore::watch::{self, Replay, Script, Which};
use riata_explore::{Algorithm, choose};
use riata_picture::Picture;
use riata_report::animate::{Change, Film, Paint, Shot};
use riata_report::answer::{self, Answer, Counters};
use riata_system::watch::{Event, Procedure};
use riata_system::{Lasso, Run, Verdict};

/// The film of an emptiness check; the papers' advice, if none is chosen. A graph that has to be degeneralised for it has
/// at most `most` states then.
///
/// # Errors
/// If the check is not for such a graph, or there are too many states.
pub fn search(
    written: Written,
    chosen: Option<Algorithm>,
    most: usize,
    how: &How,
    title: &str,
) -> Result<Shown, Error> {
    let (algorithm, why) = match chosen {
        Some(algorithm) => (algorithm, None),
        None => {
            let choice = choose(written.strength, true);
            (choice.algorithm, Some(choice.reason))
        }
    };
    let written = match algorithm.needs_one_set() {
        true => written.with_one_set(most)?,
        false => written,
    };
    let mut run = Run::new(how.limits());
    let (verdict, events) = watch::check(algorithm, (&written.automaton, written.strength), &mut run)
        .map_err(|refused| Error::usage(refused.to_string()))?;
    let mut camera = Camera::new(&written, Some(algorithm), Script::of(algorithm));
    events.iter().for_each(|&e| camera.take(e));
    let (word, says) = match &verdict {
        Verdict::Accepting(lasso) => {
            camera.report(lasso);
            (
                answer::Verdict::Nonempty,
                "An accepting run exists: the states and arrows of the lasso are golden.",
            )
        }
        Verdict::Empty => (answer::Verdict::Empty, "The search is complete: there is no accepting run."),
        Verdict::Inconclusive(stop) => return Err(Error::Stopped(*stop)),
    };
    camera.end(says);
    let mut film = camera.film(title);
    film.about.push(format!(
        "{}: {}{}",
        algorithm.name(),
        algorithm.summary(),
        why.map_or(String::new(), |w| format!(" ({w})"))
    ));
    if written.degeneralised {
        film.about.push("Degeneralised for this check: a state has a level for each acceptance set.".into());
    }
    let lasso = match &verdict {
        Verdict::Accepting(lasso) => Some(numbers(lasso)),
        _ => None,
    };
    let answer = Answer {
        verdict: word,
        algorithm: algorithm.name().into(),
        why: why.map(Into::into),
        store: "dense".into(),
        degeneralised: written.degeneralised,
        strength: Some(written.strength.name()),
        counters: Counters::from(run.counters),
        lasso,
        ..Answer::default()
    };
    Ok(Shown { film, answer })
}

/// The film of a decomposition into components, by Tarjan's algorithm or else by SE05's.
///
/// # Errors
/// If a limit is reached.
pub fn components(written: Written, tarjan: bool, how: &How, title: &str) -> Result<Shown, Error> {
    let mut run = Run::new(how.limits());
    let (found, events) = watch::components(tarjan, &written.automaton, &mut run)?;
    let (algorithm, name) = match tarjan {
        true => (Algorithm::Tarjan72, "tarjan: components by Tarjan's algorithm, 1972"),
        false => (Algorithm::Couvreur99, "se05: components by Couvreur's search, SE05 section 4.4"),
    };
    let mut camera = Camera::new(&written, None, Script::of(algorithm));
    camera.tarjan = tarjan;
    events.iter().for_each(|&e| camera.take(e));
    let n = found.all.len();
    camera.end(&format!("The search is complete: {n} component{}.", if n == 1 { "" } else { "s" }));
    let mut film = camera.film(title);
    film.about.push(name.into());
    let answer = Answer {
        verdict: answer::Verdict::Complete,
        algorithm: if tarjan { "tarjan" } else { "se05" }.into(),
        store: "dense".into(),
        counters: Counters::from(run.counters),
        ..Answer::default()
    };
    Ok(Shown { film, answer })
}

fn numbers(lasso: &Lasso) -> answer::Lasso {
    let states = |path: &riata_system::Path| path.iter().map(|s| s[0].into()).collect();
    answer::Lasso { stem: states(&lasso.stem), cycle: states(&lasso.cycle) }
}

/// The names of the counters, in the order in which they are shown.
const COUNTERS: [&str; 6] = ["states", "transitions", "post calls", "max depth", "max Roots", "max Current"];

/// Follows a search.
struct Camera<'a> {
    written: &'a Written,
    algorithm: Option<Algorithm>,
    /// Of a decomposition: is it Tarjan's?
    tarjan: bool,
    script: Script,
    stage: Picture,
    now: Replay,
    last: Procedure,
    shots: Vec<Shot>,
    lists: Vec<String>,
    counts: [u64; 6],
    /// Components found so far.
    found: usize,
}

impl<'a> Camera<'a> {
    fn new(written: &'a Written, algorithm: Option<Algorithm>, script: Script) -> Self {
        Camera {
            written,
            algorithm,
            tarjan: false,
            script,
            stage: written.stage(),
            now: Replay::new(written.automaton.states()),
            last: Procedure::Outer,
            shots: Vec::new(),
            lists: Vec::new(),
            counts: [0; 6],
            found: 0,
        }
    }

    /// The name of a procedure, from the first line of its text.
    fn name(&self, p: Procedure) -> String {
        let line = self.script.line(p, Which::Call).map_or("", |l| self.script.lines[l].as_str());
        let name = line.trim_start_matches("procedure ");
        name.split([' ', '(']).next().unwrap_or_default().into()
    }

    /// The list with this name; it is there from its first use on.
    fn list(&mut self, name: &str) -> usize {
        match self.lists.iter().position(|l| l == name) {
            Some(i) => i,
            None => {
                self.lists.push(name.into());
                self.lists.len() - 1
            }
        }
    }

    fn calls(&mut self, p: Procedure) -> usize {
        let name = format!("calls of {}", self.name(p));
        self.list(&name)
    }

    /// How *Current* is called in this text.
    fn current(&self) -> &'static str {
        if self.algorithm == Some(Algorithm::Ascc) { "Active" } else { "Current" }
    }

    /// What kind of number a state has.
    fn number(&self) -> &'static str {
        match self.algorithm {
            Some(Algorithm::Tarjan72 | Algorithm::Gv04) => "low",
            None if self.tarjan => "low",
            _ => "dfs",
        }
    }

    /// The colour of a state, from all that is known of it.
    fn paint(&self, s: u32) -> Paint {
        let (now, s) = (&self.now, s as usize);
        match now.colours[s] {
            1 => return Paint::Cyan,
            2 => return Paint::Blue,
            3 => return Paint::Red,
            4 => return Paint::Black,
            _ => {}
        }
        match (now.sets[0][s], now.sets[1][s] || !now.marks[s].is_empty()) {
            (true, true) => return Paint::Purple,
            (true, false) => return Paint::Blue,
            (false, true) => return Paint::Red,
            _ => {}
        }
        match (now.numbers[s], now.removed[s]) {
            (0, _) => Paint::White,
            (_, true) => Paint::Grey,
            (_, false) => Paint::Green,
        }
    }

    fn take(&mut self, event: Event) {
        let line = self.script.line_of(&self.now, event);
        let top = self.now.top();
        let mut shot = Shot { line, ..Shot::default() };
        shot.focus.extend(top.map(|s| s as usize));
        let mut touched = None;
        let (roots, current) = (self.now.roots.len(), self.now.current.len());
        self.says(event, &mut shot);
        self.now.apply(event);
        match event {
            Event::Initial(s) => shot.focus = vec![s as usize],
            Event::Call(p, s) => {
                let list = self.calls(p);
                shot.changes.push(Change::Push(list, s.to_string()));
                shot.focus = vec![s as usize];
                self.last = p;
            }
            Event::Edge(p, t, _) => {
                shot.arc = top.and_then(|s| self.stage.between(s as usize, t as usize));
                shot.focus.push(t as usize);
                self.last = p;
            }
            Event::Again(_) => {}
            Event::Return(p) => {
                let list = self.calls(p);
                shot.changes.push(Change::Pop(list, 1));
                shot.focus = self.now.top().map(|s| s as usize).into_iter().collect();
                self.last = self.now.procedure();
            }
            Event::Colour(s, _) | Event::Insert(_, s) => touched = Some(s),
            Event::Number(s, n) => {
                touched = Some(s);
                shot.changes.push(Change::Note(s as usize, format!("{} {n}", self.number())));
            }
            Event::Current(s) => {
                let list = self.list(self.current());
                shot.changes.push(Change::Push(list, s.to_string()));
            }
            Event::Removed(s) => {
                touched = Some(s);
                if self.now.current.len() < current {
                    let list = self.list(self.current());
                    shot.changes.push(Change::Pop(list, 1));
                }
            }
            Event::Root(dfsnum) => {
                let list = self.list("Roots");
                shot.changes.push(Change::Push(list, self.root(dfsnum, Marks::NONE)));
            }
            Event::Merged(left, inside) => {
                let list = self.list("Roots");
                if roots > left {
                    shot.changes.push(Change::Pop(list, roots - left));
                }
                if let Some(top) = self.now.roots.last() {
                    shot.changes.push(Change::Top(list, self.root(top.dfsnum, inside)));
                }
            }
            Event::Unroot => {
                let list = self.list("Roots");
                shot.changes.push(Change::Pop(list, 1));
                self.found += 1;
            }
            Event::Marks(s, marks) => {
                touched = Some(s);
                shot.changes.push(Change::Note(s as usize, marks.to_string()));
            }
        }
        if let Some(s) = touched {
            shot.changes.push(Change::Paint(s as usize, self.paint(s)));
        }
        let c = self.now.counters;
        let counts = [c.states, c.transitions, c.post_calls, c.max_depth, c.max_roots, c.max_active];
        for (i, (&new, old)) in counts.iter().zip(self.counts).enumerate() {
            if new != old {
                shot.changes.push(Change::Count(i, new));
            }
        }
        self.counts = counts;
        self.shots.push(shot);
    }

    /// An entry of *Roots*: the state with this `dfsnum`, and the marks of its component.
    fn root(&self, dfsnum: u32, inside: Marks) -> String {
        let current = |s: &usize| self.now.numbers[*s] == dfsnum && !self.now.removed[*s];
        let state = (0..self.now.numbers.len()).find(current);
        let state = state.map_or("?".into(), |s| s.to_string());
        if self.written.automaton.sets == 0 { state } else { format!("{state} {{{}}}", listed(inside)) }
    }

    /// The event in words.
    fn says(&self, event: Event, shot: &mut Shot) {
        let (now, name) = (&self.now, |p| self.name(p));
        let colour = |c: u8| ["white", "cyan", "blue", "red", "black"][usize::from(c.min(4))];
        let known = |t: u32| {
            let i = t as usize;
            match (now.colours[i], now.numbers[i], now.removed[i]) {
                _ if self.paint(t) == Paint::White => "is new".into(),
                (c, ..) if c > 0 => format!("is {}", colour(c)),
                (_, 0, _) if !now.marks[i].is_empty() => {
                    format!("is known, with the marks {}", listed(now.marks[i]))
                }
                (_, 0, _) => match (now.sets[0][i], now.sets[1][i]) {
                    (true, true) => "is blue and red".into(),
                    (false, true) => "is red".into(),
                    _ if self.algorithm == Some(Algorithm::Reach) => "has been seen".into(),
                    _ => "is blue".into(),
                },
                (_, _, true) => "belongs to a component that is complete".into(),
                (_, n, false) => format!("is {}, with the number {n}", self.current().to_lowercase()),
            }
        };
        shot.says = match event {
            Event::Initial(s) => format!("The initial state {s} {}.", known(s)),
            Event::Call(p, s) => format!("{}({s}) begins.", name(p)),
            Event::Edge(p, t, m) => {
                let s = now.top().unwrap_or_default();
                let marks = if self.written.automaton.state_marks.is_some() || m.is_empty() {
                    String::new()
                } else {
                    format!(" by an edge with the marks {}", listed(m))
                };
                format!("{}({s}) considers {t}{marks}: it {}.", name(p), known(t))
            }
            Event::Again(p) => {
                let s = now.top().unwrap_or_default();
                format!("{}({s}) goes through its successors once more: are all of them black?", name(p))
            }
            Event::Return(p) => format!("{}({}) ends.", name(p), now.top().unwrap_or_default()),
            Event::Colour(s, c) => format!("State {s} becomes {}.", colour(c)),
            Event::Insert(0, s) if self.algorithm == Some(Algorithm::Reach) => format!("State {s} is seen."),
            Event::Insert(set, s) => format!("State {s} becomes {}.", ["blue", "red"][set.min(1)]),
            Event::Number(s, n) if now.numbers[s as usize] == 0 => format!("State {s} gets the number {n}."),
            Event::Number(s, n) if now.numbers[s as usize] == n => format!("The lowlink of {s} stays {n}."),
            Event::Number(s, n) => format!("The lowlink of {s} becomes {n}."),
            Event::Current(s) => format!("State {s} is pushed to {}.", self.current()),
            Event::Removed(s) => format!("State {s} is no longer current: its component is complete."),
            Event::Root(n) => format!(
                "State {} is pushed to Roots.",
                self.root(n, Marks::NONE).split(' ').next().unwrap_or_default()
            ),
            Event::Merged(left, inside) => {
                let popped = now.roots.len().saturating_sub(left);
                let marks = match self.written.automaton.sets {
                    0 => String::new(),
                    _ => format!(" Its marks are {{{}}}.", listed(inside)),
                };
                match popped {
                    0 => format!("The edge stays inside the last component.{marks}"),
                    1 => format!("The edge closes a cycle: the last two components are one.{marks}"),
                    n => format!("The edge closes a cycle: the last {} components are one.{marks}", n + 1),
                }
            }
            Event::Unroot => "The last root is popped: its component is complete.".into(),
            Event::Marks(s, marks) => {
                format!("An edge with each of the marks {} can reach {s}.", listed(marks))
            }
        };
    }

    /// The report: the lasso in gold.
    fn report(&mut self, lasso: &Lasso) {
        let line =
            self.script.line(self.last, Which::Report).or(self.script.line(Procedure::Outer, Which::Report));
        let cycle: Vec<usize> = lasso.cycle.iter().map(|s| s[0] as usize).collect();
        let stem: Vec<usize> = lasso.stem.iter().map(|s| s[0] as usize).collect();
        let mut changes: Vec<Change> =
            stem.iter().chain(&cycle).map(|&s| Change::Paint(s, Paint::Gold)).collect();
        let all: Vec<usize> = stem.iter().chain(&cycle).chain(&cycle[..1]).copied().collect();
        for pair in all.windows(2) {
            changes.extend(self.stage.between(pair[0], pair[1]).map(|a| Change::Draw(a, Paint::Gold)));
        }
        let list = |states: &[usize]| states.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
        let says = match stem.is_empty() {
            true => format!("Report: the cycle {} is accepting.", list(&cycle)),
            false => format!("Report: by {} to the accepting cycle {}.", list(&stem), list(&cycle)),
        };
        self.shots.push(Shot { line, says, changes, ..Shot::default() });
    }

    fn end(&mut self, says: &str) {
        self.shots.push(Shot { says: says.into(), ..Shot::default() });
    }

    fn film(self, title: &str) -> Film {
        let mut legend: Vec<(Paint, String)> = Vec::new();
        let mut means = |paint, text: &str| legend.push((paint, text.into()));
        match self.algorithm {
            Some(Algorithm::Cvwy92) => {
                means(Paint::White, "not seen");
                means(Paint::Blue, "blue");
                means(Paint::Red, "red");
                means(Paint::Purple, "blue and red");
            }
            Some(Algorithm::Tau03) => {
                means(Paint::White, "not seen");
                means(Paint::Blue, "blue");
                means(Paint::Purple, "blue, with marks");
            }
            Some(Algorithm::Reach) => {
                means(Paint::White, "not seen");
                means(Paint::Blue, "seen");
            }
            Some(a) if a.needs_one_set() && !a.needs_numbers() || a == Algorithm::Sd => {
                means(Paint::White, "not seen");
                means(Paint::Cyan, "on the call stack");
                means(Paint::Blue, "its search has ended");
                if a != Algorithm::Sd {
                    means(Paint::Red, "the red search was here");
                }
                if a == Algorithm::Gmz04 {
                    means(Paint::Black, "on no accepting run");
                }
            }
            _ => {
                means(Paint::White, "not seen");
                means(Paint::Green, "current: its component is not complete");
                means(Paint::Grey, "its component is complete");
            }
        }
        // Searches without these stacks do not count them.
        let used = (0..6).rev().find(|&i| i < 4 || self.counts[i] > 0).map_or(0, |i| i + 1);
        if self.algorithm.is_some() {
            means(Paint::Gold, "the accepting lasso");
        }
        Film {
            title: title.into(),
            picture: riata_picture::figure(&self.stage),
            states: states(self.written),
            counters: COUNTERS[..used].iter().map(|c| c.replace("Current", self.current())).collect(),
            legend,
            code: self.script.lines,
            lists: self.lists,
            shots: self.shots,
            ..Film::default()
        }
    }
}

/// Marks as they are read in a sentence.
fn listed(marks: Marks) -> String {
    marks.iter().map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}
