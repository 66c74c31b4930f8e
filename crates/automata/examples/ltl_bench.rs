//! Translates every formula of a file, and its negation, in one process: sizes and CPU time per formula, and the
//! automata for a comparison by another program.
//!
//! `ltl_bench FORMULAS [--hoa DIR] [--repeat N]`; lines are `tag<TAB>formula`; output is CSV.

use riata_automata::translate::{Budget, Output};
use riata_automata::{Label, Options, Tgba, translate};
use riata_ltl::{Dialect, parse};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

fn hoa(a: &Tgba) -> String {
    let mut s = String::from("HOA: v1\n");
    let _ = writeln!(s, "States: {}", a.states());
    for i in &a.initial {
        let _ = writeln!(s, "Start: {i}");
    }
    let _ = write!(s, "AP: {}", a.aps.len());
    for p in &a.aps {
        let _ = write!(s, " {p:?}");
    }
    let acceptance = (0..a.sets).map(|i| format!("Inf({i})")).collect::<Vec<_>>().join("&");
    let _ = writeln!(s, "\nAcceptance: {} {}\n--BODY--", a.sets, if a.sets == 0 { "t" } else { &acceptance });
    for q in 0..a.states() as u32 {
        let _ = writeln!(s, "State: {q}");
        for e in a.edges(q) {
            let mut cubes = Vec::new();
            a.labels.cubes(e.label, |c| {
                let cube: Vec<String> =
                    c.iter().map(|&(v, b)| format!("{}{v}", if b { "" } else { "!" })).collect();
                cubes.push(if cube.is_empty() { "t".into() } else { cube.join("&") });
                true
            });
            let _ = writeln!(s, "[{}] {} {}", cubes.join("|"), e.to, e.marks);
        }
    }
    s + "--END--\n"
}

fn deterministic(a: &mut Tgba) -> bool {
    let n = a.states() as u32;
    (0..n).all(|s| {
        let edges = a.edges(s).to_vec();
        let mut seen = Label::FALSE;
        edges.iter().all(|e| {
            let overlap = a.labels.and(seen, e.label);
            seen = a.labels.or(seen, e.label);
            overlap == Label::FALSE
        })
    })
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |flag: &str| args.iter().position(|a| a == flag).map(|i| args[i + 1].clone());
    let text = std::fs::read_to_string(&args[1]).expect("a readable file of formulas");
    let repeat: u32 = value("--repeat").map_or(1, |n| n.parse().expect("a number"));
    let only = value("--only");
    let dir = value("--hoa");
    println!("tag,neg,tgba_states,tgba_edges,tgba_acc,tgba_det,ba_states,ba_edges,ba_det,tgba_t,ba_t,note");
    for line in text.lines() {
        let (tag, formula) = line.split_once('\t').expect("tag<TAB>formula");
        if only.as_ref().is_some_and(|o| !tag.starts_with(o.as_str())) {
            continue;
        }
        for negative in [false, true] {
            let mut row = format!("{tag:?},{}", u8::from(negative));
            let mut times = Vec::new();
            let mut note = String::new();
            let mut sizes = Vec::new();
            for output in [Output::Tgba, Output::Ba] {
                let start = Instant::now();
                let mut result = None;
                for _ in 0..repeat {
                    let f = parse(formula, Dialect::Spot).expect("a formula");
                    let f = if negative { f.negated() } else { f };
                    let budget = Budget {
                        deadline: Some(Instant::now() + Duration::from_secs(20)),
                        ..Budget::default()
                    };
                    result = Some(translate(&f, &Options { output, budget, ..Options::default() }));
                }
                times.push(start.elapsed().as_secs_f64() / f64::from(repeat));
                match result.expect("at least one repetition") {
                    Ok(mut a) => {
                        let det = u8::from(deterministic(&mut a));
                        sizes.push((a.states(), a.edge_count(), a.sets, det));
                        if let Some(dir) = &dir {
                            let kind = if output == Output::Tgba { "tgba" } else { "ba" };
                            let name = format!("{dir}/{tag}.{}.{kind}.hoa", u8::from(negative));
                            std::fs::write(name, hoa(&a)).expect("a writable directory");
                        }
                    }
                    Err(e) => {
                        sizes.push((0, 0, 0, 0));
                        note = e.to_string();
                    }
                }
            }
            let (t, b) = (sizes[0], sizes[1]);
            let _ = write!(row, ",{},{},{},{},{},{},{}", t.0, t.1, t.2, t.3, b.0, b.1, b.3);
            println!("{row},{:.6},{:.6},{note}", times[0], times[1]);
        }
    }
}
