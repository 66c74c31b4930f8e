//! Translations of formulas: the closure of the lecture and the tableau of GPVW96, as films of an automaton that grows.

use super::Shown;
use crate::error::Error;
use crate::written::picture;
use riata_automata::translate::closure::{self, Closure};
use riata_automata::translate::gpvw96::{self, Event, Set, Unfinished};
use riata_automata::translate::{Budget, Construction, TranslateError};
use riata_ltl::nnf::nnf;
use riata_ltl::past::remove_past;
use riata_ltl::{Arena, Dialect, Id, Ltl, Op, print};
use riata_picture::Picture;
use riata_report::animate::{Change, Film, Paint, Shot};
use riata_report::answer::{Answer, Counters, Verdict};

/// The film of a translation by the closure or by the tableau.
///
/// # Errors
/// If the automaton would have more than `most` states, or the construction is none of these.
pub fn translation(f: &Ltl, construction: Construction, most: usize) -> Result<Shown, Error> {
    let mut arena = f.arena.clone();
    let root = remove_past(&mut arena, f.root).root;
    let budget = Budget { states: most, ..Budget::default() };
    let failed = |e: TranslateError| match e {
        TranslateError::Budget(_) => Error::Large(most),
        e => Error::usage(format!("cannot translate the formula: {e}")),
    };
    let title = print(&f.arena, f.root, Dialect::Unicode);
    let mut film = match construction {
        Construction::Closure => by_closure(&arena, root, &budget).map_err(failed)?,
        Construction::Gpvw96 => {
            let root = nnf(&mut arena, root, |arena, op, kids| arena.raw(op, kids));
            by_tableau(&arena, root, &budget).map_err(failed)?
        }
        other => {
            return Err(Error::usage(format!("{} has no film: there are closure and gpvw96", other.name())));
        }
    };
    film.title = format!("{title} by {}", construction.name());
    let [states, edges] =
        [film.counters.len() - 2, film.counters.len() - 1].map(|i| film.scene(film.shots.len()).counts[i]);
    let answer = Answer {
        verdict: Verdict::Complete,
        algorithm: construction.name().into(),
        counters: Counters { states, transitions: edges, ..Counters::default() },
        ..Answer::default()
    };
    Ok(Shown { film, answer })
}

/// A picture with room for notes.
fn stage(mut picture: Picture) -> Picture {
    for node in &mut picture.nodes {
        node.note = true;
    }
    picture
}

fn formulas(arena: &Arena, set: impl IntoIterator<Item = Id>) -> String {
    let all: Vec<String> = set.into_iter().map(|g| print(arena, g, Dialect::Unicode)).collect();
    format!("{{{}}}", all.join(", "))
}

fn by_closure(arena: &Arena, root: Id, budget: &Budget) -> Result<Film, TranslateError> {
    let mut shots = Vec::new();
    let show = |c: &Closure, g: Id| print(&c.arena, g, Dialect::Unicode);
    let c = Closure::watched(arena, root, budget, |c, i| {
        let g = show(c, c.positive[i]);
        let n = c.legal.len();
        shots.push(Shot {
            says: format!("The closure has {g} and its negation: {n} subsets so far are legal."),
            changes: vec![Change::Push(0, g), Change::Count(0, n as u64)],
            ..Shot::default()
        });
    })?;
    let automaton = closure::translate(arena, root, budget)?;
    let mut picture = stage(picture(&automaton, ""));
    let code = Construction::Closure.text();
    let line = |word: &str| code.iter().position(|l| l.starts_with(word));
    let member = |set: &Vec<bool>, k: usize| {
        if set[k] { show(&c, c.positive[k]) } else { format!("¬({})", show(&c, c.positive[k])) }
    };
    let mut states = Vec::new();
    for (i, set) in c.legal.iter().enumerate() {
        let members: Vec<String> = (0..set.len()).map(|k| member(set, k)).collect();
        let text = format!("{{{}}}", members.join(", "));
        let initial = automaton.initial.contains(&(i as u32));
        shots.push(Shot {
            line: if initial { line("initial") } else { line("reads") },
            says: format!("Subset {i} is a state{}: {text}", if initial { ", an initial one" } else { "" }),
            focus: vec![i],
            changes: vec![
                Change::Paint(i, if initial { Paint::Cyan } else { Paint::White }),
                Change::Push(1, format!("{i} {text}")),
                Change::Count(1, i as u64 + 1),
            ],
            ..Shot::default()
        });
        picture.nodes[i].more = text.clone();
        states.push(format!("state {i}\n{}", members.join("\n")));
    }
    // A formula that no legal subset has: its automaton is a state from which nothing leads.
    states
        .extend((c.legal.len()..automaton.states()).map(|i| format!("state {i}, from which nothing leads")));
    let mut edges = 0;
    for s in 0..automaton.states() {
        let to: Vec<usize> = automaton.edges(s as u32).iter().map(|e| e.to as usize).collect();
        edges += to.len() as u64;
        let names: Vec<String> = to.iter().map(usize::to_string).collect();
        let arcs = to.iter().filter_map(|&t| picture.between(s, t));
        let mut changes: Vec<Change> = arcs.map(|a| Change::Draw(a, Paint::White)).collect();
        changes.push(Change::Count(2, edges));
        shots.push(Shot {
            line: line("B → B'"),
            says: match names.is_empty() {
                true => format!("No subset may follow {s}."),
                false => format!("The subsets that may follow {s}: {}.", names.join(", ")),
            },
            focus: std::iter::once(s).chain(to.iter().copied()).collect(),
            changes,
            ..Shot::default()
        });
    }
    let marks = automaton.state_marks.clone().unwrap_or_default();
    for (k, &u) in c.untils().iter().enumerate() {
        let inside: Vec<usize> = (0..automaton.states()).filter(|&s| marks[s].has(k as u32)).collect();
        let mut changes: Vec<Change> = inside.iter().map(|&s| Change::Paint(s, Paint::Green)).collect();
        changes.extend(inside.iter().map(|&s| {
            Change::Note(
                s,
                (0..=k)
                    .filter(|&i| marks[s].has(i as u32))
                    .map(|i| format!("F{i}"))
                    .collect::<Vec<_>>()
                    .join(" "),
            )
        }));
        changes.push(Change::Push(2, format!("F{k} of {}", show(&c, u))));
        let says = format!("Acceptance set F{k}, of {}: {} states.", show(&c, u), inside.len());
        shots.push(Shot { line: line("accepting"), says, focus: inside, changes, ..Shot::default() });
    }
    Ok(Film {
        about: vec!["closure: legal subsets of the closure, the construction of the lecture".into()],
        picture: riata_picture::figure(&picture),
        code,
        states,
        lists: vec!["closure".into(), "legal subsets".into(), "acceptance sets".into()],
        counters: vec!["subsets".into(), "states".into(), "edges".into()],
        legend: vec![
            (Paint::Hidden, "not yet known to be legal".into()),
            (Paint::Cyan, "initial".into()),
            (Paint::Green, "in an acceptance set".into()),
        ],
        ground: Paint::Hidden,
        grows: true,
        shots,
        ..Film::default()
    })
}

/// What is kept of an event.
enum Kept {
    Taken(Id, Unfinished),
    Left(Vec<String>),
    Node { from: u32, number: u32, new: bool, text: String },
}

fn by_tableau(arena: &Arena, root: Id, budget: &Budget) -> Result<Film, TranslateError> {
    let mut kept = Vec::new();
    let parts = |old: &Set, next: &Set| {
        format!(
            "Old {}, Next {}",
            formulas(arena, old.iter().copied()),
            formulas(arena, next.iter().copied())
        )
    };
    let automaton = gpvw96::watched(arena, root, budget, |event| {
        kept.push(match event {
            Event::Taken(formula, node) => Kept::Taken(formula, node.clone()),
            Event::Left(todo) => {
                let one = |n: &Unfinished| {
                    format!(
                        "after {}: New {}, {}",
                        n.from,
                        formulas(arena, n.new.iter().copied()),
                        parts(&n.old, &n.next)
                    )
                };
                Kept::Left(todo.iter().map(one).collect())
            }
            Event::Node { from, number, new, parts: (old, next) } => {
                Kept::Node { from, number, new, text: parts(old, next) }
            }
        });
    })?;
    let picture = stage(picture(&automaton, ""));
    let code = Construction::Gpvw96.text();
    let line = |word: &str| code.iter().position(|l| l.trim().starts_with(word));
    let mut states = vec![
        format!("the start, before the first letter: Next {}", formulas(arena, [root]));
        automaton.states()
    ];
    let mut shots: Vec<Shot> = vec![Shot {
        line: line("expand"),
        says: format!("Node 0 is the start; {} is to hold next.", print(arena, root, Dialect::Unicode)),
        focus: vec![0],
        changes: vec![Change::Paint(0, Paint::Cyan), Change::Count(0, 1)],
        ..Shot::default()
    }];
    let (mut shown, mut nodes, mut edges) = (0, 1, std::collections::BTreeSet::new());
    for event in kept {
        match event {
            Kept::Taken(formula, node) => {
                let name = print(arena, formula, Dialect::Unicode);
                let rule = match arena.op(formula) {
                    Op::Until | Op::WeakUntil | Op::Finally => "a U b:",
                    Op::Release | Op::StrongRelease | Op::Globally => "a R b:",
                    Op::Or => "a ∨ b:",
                    Op::And => "a ∧ b:",
                    Op::Next => "X a:",
                    _ => "a literal:",
                };
                shots.push(Shot {
                    line: line(rule),
                    says: format!("{name} is taken from New of a node after {}.", node.from),
                    focus: vec![node.from as usize],
                    changes: vec![
                        Change::Entry(1, "New".into(), formulas(arena, node.new.iter().copied())),
                        Change::Entry(1, "Old".into(), formulas(arena, node.old.iter().copied())),
                        Change::Entry(1, "Next".into(), formulas(arena, node.next.iter().copied())),
                    ],
                    ..Shot::default()
                });
            }
            // What is left belongs to the step before.
            Kept::Left(todo) => {
                if let Some(shot) = shots.last_mut() {
                    shot.changes.push(Change::Pop(0, shown));
                    shown = todo.len();
                    shot.changes.extend(todo.into_iter().map(|t| Change::Push(0, t)));
                }
            }
            Kept::Node { from, number, new, text } => {
                let (s, t) = (from as usize, number as usize);
                edges.insert((s, t));
                let mut changes: Vec<Change> =
                    picture.between(s, t).map(|a| Change::Draw(a, Paint::White)).into_iter().collect();
                if new {
                    nodes += 1;
                    changes.push(Change::Paint(t, Paint::White));
                    states[t] = format!("node {t}\n{}", text.replace("}, Next", "}\nNext"));
                }
                changes.push(Change::Count(0, nodes));
                changes.push(Change::Count(1, edges.len() as u64));
                shots.push(Shot {
                    line: if new { line("else it is a new node") } else { line("New = ∅:") },
                    says: match new {
                        true => format!("New is empty: node {t} is new, after {s}. {text}"),
                        false => {
                            format!("New is empty: node {t} has the same Old and Next, and follows {s}, too.")
                        }
                    },
                    arc: picture.between(s, t),
                    focus: vec![t],
                    changes,
                });
            }
        }
    }
    let marks: Vec<Vec<u32>> = (0..automaton.states() as u32)
        .map(|t| {
            let into = (0..automaton.states() as u32).flat_map(|s| automaton.edges(s)).find(|e| e.to == t);
            into.map(|e| e.marks.iter().collect()).unwrap_or_default()
        })
        .collect();
    for k in 0..automaton.sets {
        let inside: Vec<usize> = (0..marks.len()).filter(|&t| marks[t].contains(&k)).collect();
        let mut changes: Vec<Change> = inside.iter().map(|&s| Change::Paint(s, Paint::Green)).collect();
        let note = |t: usize| {
            marks[t].iter().filter(|m| **m <= k).map(|m| format!("F{m}")).collect::<Vec<_>>().join(" ")
        };
        changes.extend(inside.iter().map(|&t| Change::Note(t, note(t))));
        let says =
            format!("Acceptance set F{k}: {} nodes without the k-th a U b in Old, or with b.", inside.len())
                .replace("k-th", &format!("{}.", k + 1));
        shots.push(Shot { says, focus: inside, changes, ..Shot::default() });
    }
    Ok(Film {
        about: vec!["gpvw96: the tableau of Gerth, Peled, Vardi and Wolper, before any reduction".into()],
        picture: riata_picture::figure(&picture),
        code,
        states,
        lists: vec!["unfinished nodes".into(), "the node at hand".into()],
        counters: vec!["states".into(), "edges".into()],
        legend: vec![
            (Paint::Hidden, "not there yet".into()),
            (Paint::Cyan, "the start".into()),
            (Paint::Green, "in an acceptance set".into()),
        ],
        ground: Paint::Hidden,
        grows: true,
        shots,
        ..Film::default()
    })
}
