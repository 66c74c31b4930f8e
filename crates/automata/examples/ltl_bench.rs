//! Translates every formula of a file, and its negation, in one process: sizes and CPU time per formula, and the
//! automata for a comparison by another program.
//!
//! `ltl_bench FORMULAS [--hoa DIR] [--repeat N] [--limit SECONDS] [--only PREFIX]`; lines are `tag<TAB>formula`;
//! output is CSV. A formula that takes long is translated once, whatever N is.

use cpu_time::ThreadTime;
use riata_automata::classify::is_deterministic;
use riata_automata::hoa::{self, Automaton};
use riata_automata::translate::{Budget, Output};
use riata_automata::{Options, translate};
use riata_ltl::{Dialect, parse};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |flag: &str| args.iter().position(|a| a == flag).map(|i| args[i + 1].clone());
    let text = std::fs::read_to_string(&args[1]).expect("a readable file of formulas");
    let repeat: u32 = value("--repeat").map_or(1, |n| n.parse().expect("a number"));
    let limit: u64 = value("--limit").map_or(20, |n| n.parse().expect("a number"));
    let only = value("--only");
    let dir = value("--hoa");
    println!("tag,neg,tgba_states,tgba_edges,tgba_acc,tgba_det,ba_states,ba_edges,ba_det,tgba_t,ba_t,note");
    for line in text.lines() {
        let (tag, formula) = line.split_once('\t').expect("tag<TAB>formula");
        if only.as_ref().is_some_and(|o| !tag.starts_with(o.as_str())) {
            continue;
        }
        for negative in [false, true] {
            let mut row = format!("\"{tag}\",{}", u8::from(negative));
            let mut times = Vec::new();
            let mut note = String::new();
            let mut sizes = Vec::new();
            for output in [Output::Tgba, Output::Ba] {
                let start = ThreadTime::now();
                let mut result = None;
                let mut done = 0;
                while done < repeat && (done == 0 || start.elapsed() < Duration::from_millis(100)) {
                    let f = parse(formula, Dialect::Spot).expect("a formula");
                    let f = if negative { f.negated() } else { f };
                    let deadline = Some(Instant::now() + Duration::from_secs(limit));
                    let budget = Budget { deadline, ..Budget::default() };
                    result = Some(translate(&f, &Options { output, budget, ..Options::default() }));
                    done += 1;
                }
                times.push(start.elapsed().as_secs_f64() / f64::from(done));
                match result.expect("at least one repetition") {
                    Ok(a) => {
                        let det = u8::from(is_deterministic(&a));
                        sizes.push((a.states(), a.edge_count(), a.sets, det));
                        if let Some(dir) = &dir {
                            let kind = if output == Output::Tgba { "tgba" } else { "ba" };
                            let name = format!("{dir}/{tag}.{}.{kind}.hoa", u8::from(negative));
                            std::fs::write(name, hoa::to_string(&Automaton::from(a)))
                                .expect("a writable directory");
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
            println!("{row},{:.7},{:.7},{note}", times[0], times[1]);
        }
    }
}
