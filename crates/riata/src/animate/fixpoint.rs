//! Fair cycles by fixpoints: the sets that an algorithm of FFKVY01 computes, as a film of the shrinking approximation.

use super::{Shown, states};
use crate::error::Error;
use crate::written::Written;
use riata_report::animate::{Change, Film, Paint, Shot};
use riata_report::answer::{self, Answer, Counters, Engine, Sets};
use riata_symbolic::bits::{BitSet, Bits};
use riata_symbolic::watch::{self, Event, What};
use riata_symbolic::{Algorithm, Counters as Counted, Problem, Space, Strength};

/// The names of the counters.
const COUNTERS: [&str; 5] = ["iterations", "EX", "EY", "EU", "ES"];

/// The film of a fixpoint; the paper's advice, if no algorithm is chosen. A graph with marks on edges gets them on states
/// first, and then has at most `most` states.
///
/// # Errors
/// If there are too many states.
pub fn fixpoint(
    written: Written,
    chosen: Option<Algorithm>,
    most: usize,
    title: &str,
) -> Result<Shown, Error> {
    let written = written.with_sets_on_states(most)?;
    let a = &written.automaton;
    let edges: Vec<(u32, u32)> =
        (0..a.states() as u32).flat_map(|s| a.edges(s).iter().map(move |e| (s, e.to))).collect();
    let graph = Bits::new(a.states(), &edges);
    let set = |inside: &dyn Fn(usize) -> bool| {
        let mut set = graph.none();
        (0..a.states()).filter(|&s| inside(s)).for_each(|s| set.insert(s));
        set
    };
    let initial = set(&|s| a.initial.contains(&(s as u32)));
    let mut reachable = initial.clone();
    loop {
        let more = graph.or(&reachable, &graph.post(&reachable)?)?;
        if more == reachable {
            break;
        }
        reachable = more;
    }
    let marks = |s: usize| a.state_marks.as_ref().map(|m| m[s]).unwrap_or_default();
    let fair = (0..a.sets).map(|i| set(&|s| marks(s).has(i))).collect();
    let endless = graph.minus(&reachable, &graph.pre(&graph.all())?)? == graph.none();
    let strength = match written.strength {
        riata_automata::Strength::General => Strength::General,
        riata_automata::Strength::Terminal if a.sets > 0 && endless => Strength::Terminal,
        _ => Strength::Weak,
    };
    let (algorithm, why) = match chosen {
        Some(algorithm) => (algorithm, None),
        None => {
            let (algorithm, why) = Algorithm::choose(strength, a.sets as usize);
            (algorithm, Some(why))
        }
    };
    let problem = Problem { invariant: reachable.clone(), fair, strength };
    let (found, counters, events) = watch::fair_states(algorithm, &graph, &problem)?;
    let some = graph.and(&found, &initial)? != graph.none();

    let mut camera =
        Camera { code: code(algorithm, strength), shots: Vec::new(), b: graph.none(), counts: [0; 5] };
    for (i, event) in events.iter().enumerate() {
        let next =
            events[i..].iter().find_map(|e| if let What::Line(text) = e.what { Some(text) } else { None });
        camera.take(event, next, a.states());
    }
    camera.end(&graph, &found, some, &counters);
    let mut film = Film {
        title: title.into(),
        picture: riata_picture::figure(&written.stage()),
        code: camera.code,
        states: states(&written),
        lists: vec![
            "sets, and how many states they have".into(),
            "approximation after each iteration".into(),
        ],
        counters: COUNTERS.map(String::from).to_vec(),
        legend: vec![
            (Paint::White, "not yet in a set".into()),
            (Paint::Green, "in the approximation b".into()),
            (Paint::Grey, "removed from it".into()),
            (Paint::Blue, "in a component that was found".into()),
            (Paint::Gold, "on a fair path".into()),
        ],
        shots: camera.shots,
        ..Film::default()
    };
    film.about.push(format!(
        "{}: fair cycles by fixpoints, FFKVY01{}; framed states are the set that was computed last",
        algorithm.name(),
        why.map_or(String::new(), |w| format!(" ({w})"))
    ));
    let answer = Answer {
        verdict: if some { answer::Verdict::Nonempty } else { answer::Verdict::Empty },
        engine: Engine::Symbolic,
        algorithm: algorithm.name().into(),
        why: why.map(Into::into),
        store: "bits".into(),
        strength: Some(strength.name()),
        counters: Counters { states: graph.size(&reachable) as u64, ..Counters::default() },
        sets: Some(Box::new(Sets {
            external_iterations: Some(counters.external_iterations),
            ex: Some(counters.ex),
            ey: Some(counters.ey),
            eu: Some(counters.eu),
            es: Some(counters.es),
            reachable_states: Some(graph.size(&reachable) as f64),
            ..Sets::default()
        })),
        ..Answer::default()
    };
    Ok(Shown { film, answer })
}

/// The text of an algorithm. Two of them go on with OWCTY.
fn code(algorithm: Algorithm, strength: Strength) -> Vec<String> {
    let mut code = watch::text(algorithm);
    if algorithm == Algorithm::El2 || algorithm == Algorithm::Brs && strength != Strength::Terminal {
        code.extend([String::new(), "OWCTY:".into()]);
        code.extend(watch::text(Algorithm::Owcty));
    }
    code
}

struct Camera {
    code: Vec<String>,
    shots: Vec<Shot>,
    /// The approximation as it is painted.
    b: BitSet,
    counts: [u64; 5],
}

fn members(set: &BitSet) -> Vec<usize> {
    set.iter().collect()
}

fn many(n: usize) -> String {
    format!("{n} state{}", if n == 1 { "" } else { "s" })
}

impl Camera {
    /// One set; `next` is the line that is being done.
    fn take(&mut self, event: &Event, next: Option<&str>, states: usize) {
        let inside = members(&event.set);
        let n = inside.len();
        let line = next.and_then(|text| self.code.iter().position(|l| l.contains(text)));
        let mut shot = Shot { line, focus: inside.clone(), ..Shot::default() };
        match event.what {
            What::Line(text) => {
                let variable = text.split_once(" := ").map(|(v, _)| v);
                shot.says = format!("{}: {}.", text.trim_end_matches([';', ':']), many(n));
                match variable {
                    Some("b") => {
                        self.approximate(&event.set, &mut shot, states);
                        shot.changes.push(Change::Entry(0, "b".into(), many(n)));
                    }
                    Some(v @ ("d" | "Fᵢ" | "res" | "F")) => {
                        shot.changes.push(Change::Entry(0, v.into(), many(n)))
                    }
                    _ => {}
                }
                if text.starts_with("weak:") || text.starts_with("terminal:") {
                    self.approximate(&event.set, &mut shot, states);
                }
                if text.starts_with("C ") {
                    shot.changes.extend(inside.iter().map(|&s| Change::Paint(s, Paint::Blue)));
                    shot.changes.push(Change::Entry(0, "C".into(), many(n)));
                }
            }
            What::Ex => shot.says = format!("EX: {} can step into it.", many(n)),
            What::Ey => shot.says = format!("EY: {} can be stepped to from it.", many(n)),
            What::Reached => shot.says = format!("Reached so far: {}.", many(n)),
            What::Iterated => {
                let k = event.counters.external_iterations;
                shot.line = self.code.iter().position(|l| l.trim().starts_with("while b changes")).or(line);
                shot.says = format!("Iteration {k} ends: {}.", many(n));
                shot.changes.push(Change::Push(1, format!("{k}: {}", many(n))));
            }
        }
        self.count(&event.counters, &mut shot);
        self.shots.push(shot);
    }

    /// Shows the counters that have changed.
    fn count(&mut self, c: &Counted, shot: &mut Shot) {
        let counts = [c.external_iterations, c.ex, c.ey, c.eu, c.es];
        for (i, (&new, old)) in counts.iter().zip(self.counts).enumerate() {
            if new != old {
                shot.changes.push(Change::Count(i, new));
            }
        }
        self.counts = counts;
    }

    /// Paints what is in the approximation now, and what is no longer.
    fn approximate(&mut self, b: &BitSet, shot: &mut Shot, states: usize) {
        for s in 0..states {
            match (self.b.has(s), b.has(s)) {
                (false, true) => shot.changes.push(Change::Paint(s, Paint::Green)),
                (true, false) => shot.changes.push(Change::Paint(s, Paint::Grey)),
                _ => {}
            }
        }
        self.b = b.clone();
    }

    fn end(&mut self, graph: &Bits, found: &BitSet, some: bool, counters: &Counted) {
        let fair = members(found);
        let verdict = match some {
            true => "and an initial one is among them: an accepting run exists",
            false => "and no initial one is among them: there is no accepting run",
        };
        let says = format!("{} with a fair path, {verdict}.", many(graph.size(found)));
        let mut shot = Shot { says, ..Shot::default() };
        shot.changes.extend(fair.iter().map(|&s| Change::Paint(s, Paint::Gold)));
        // A search that begins with nothing is counted, and computes nothing that could be told.
        self.count(counters, &mut shot);
        self.shots.push(shot);
    }
}
