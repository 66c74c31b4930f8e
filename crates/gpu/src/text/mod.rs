//! A program as C: CUDA C for the device, and plain C for the host.
//!
//! The state before a step and the one after it are arrays of words that are indexed by constants, so that a compiler keeps
//! them in registers. All steps of a state are one function with a cursor, told one by one, so that the search has one
//! place where it inserts a successor, and the threads of a warp meet there.
//!
//! ```text
//! step(s, c, t):
//!   for each process, in the interpreter's order, from the cursor on: for each edge of its location: as in `edge`
//!   if nothing has moved, once more with a timeout
//!   return DONE
//! ```
//!
//! * `automaton`: what is read beside the program, and the edges that this opens.
//! * `edge`: what an edge is, and deterministic steps.
//! * `expression`: a piece of bytecode.
//! * `meet`: rendezvous.
//! * `queue`: messages in channels that keep them.
//! * `steps`: the function `step`, and one code for all processes of a type.
//! * `writer`: names, blocks, the words of a state.

mod automaton;
mod edge;
mod expression;
mod meet;
mod queue;
mod steps;
mod writer;

use crate::plan::{Plan, Refused};
use std::fmt::Write;
use writer::{Process, Words, Writer};

/// The most characters of a program's text.
const LONGEST: usize = 1_500_000;
/// The bytes of a thread for the states in which control is held.
const HELD: usize = 8192;

/// The whole text for a program; functions for the host have names that end in `tag`.
pub fn text(plan: &Plan, tag: &str) -> Result<String, Refused> {
    let mut out = String::from(include_str!("../kernel/prelude.h"));
    let (words, processes) = (plan.packing.words, plan.processes().len());
    let depth = (HELD / (words * 4 + 40)).clamp(8, 64);
    let order = if plan.listing.oldest { "(pid)" } else { "(PROCESSES - 1 - (pid))" };
    let defines = [
        ("TAG", tag.to_string()),
        ("N", words.to_string()),
        ("W", plan.packing.packed.to_string()),
        ("INLINE", i32::from(plan.packing.inline).to_string()),
        ("KEEPS", i32::from(plan.listing.keeps).to_string()),
        ("DEPTH", depth.to_string()),
        ("PROCESSES", processes.to_string()),
        ("ORDER(pid)", order.into()),
        ("PRODUCT", i32::from(plan.beside.is_some()).to_string()),
        ("STUTTERS", i32::from(plan.beside.is_some_and(|b| b.stutters)).to_string()),
        ("THREADS", "256".into()),
        ("COPY(t, s)", "do { UNROLL for (int i = 0; i < N; i++) { t[i] = s[i]; } } while (0)".into()),
        (
            "TELL(next, group, holder, end)",
            "do { edge = next; rank = group; held = holder; goto end; } while (0)".into(),
        ),
    ];
    for (name, value) in defines {
        let _ = writeln!(out, "#define {name} {value}");
    }
    plan.packing.text(&mut out);
    out.push_str(&looks(plan));
    out.push_str(&steps::steps(plan));
    if let Some(beside) = plan.beside {
        out.push_str(&automaton::automaton(plan, beside));
    }
    if out.len() > LONGEST {
        return Err(Refused::Long(out.len()));
    }
    out.push_str(include_str!("../kernel/table.h"));
    if plan.beside.is_some() {
        out.push_str(include_str!("../kernel/waves.h"));
    }
    out.push_str(include_str!("../kernel/search.h"));
    Ok(out)
}

/// What is to be seen of a state: how many processes, whether one is committed, whether it may be the end of a run, and whether
/// an assertion about it may be violated.
fn looks(plan: &Plan) -> String {
    let mut w = Writer::new(plan);
    let listing = plan.listing;
    w.line("DEVICE i32 processes(const u32 *s) {");
    if listing.frames.known {
        w.line("(void)s; return PROCESSES;");
    } else {
        w.line("switch (s[0] & 0xffffffu) {");
        for (n, stack) in plan.stacks.iter().enumerate() {
            w.line(format!("case {}: return {n};", stack.number));
        }
        w.line("default: return -1;\n}");
    }
    w.line("}\nDEVICE i32 committed(const u32 *s) {\n(void)s;");
    each(&mut w, |w, n| {
        let code = &listing.types[w.me.of];
        if code.commits {
            let there = if listing.frames.known { "1".into() } else { format!("processes(s) > {n}") };
            at_locations(w, &there, &code.committed, "return 1;", "break;");
        }
    });
    w.line("return 0;\n}\nDEVICE i32 ends(const u32 *s, i32 n) {\n(void)s; (void)n;");
    each(&mut w, |w, n| {
        let end = &listing.types[w.me.of].end;
        at_locations(w, &format!("n > {n}"), end, "break;", "return 0;");
    });
    w.line("return 1;\n}\nDEVICE i32 violated(const u32 *s, const struct cursor *c) {\n(void)s; (void)c;");
    each(&mut w, |w, n| {
        for &(at, _, pc) in &listing.types[w.me.of].asserts {
            let (there, location) = (w.count(), w.location(Words::Before));
            w.line(format!("if ({there} > {n} && {location} == {}u)", at.0));
            w.block(|w| {
                let value = w.run(pc, Words::Before, &mut Vec::new());
                w.line(format!("if (!({value})) return ASK;"));
            });
        }
    });
    w.line("return 0;\n}");
    w.line("DEVICE i32 violates(const u32 *s, i32 n) {");
    w.line("struct cursor c = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};\nc.n = n; return violated(s, &c);\n}");
    w.out
}

/// Writes something for each process.
fn each<'a>(w: &mut Writer<'a>, mut write: impl FnMut(&mut Writer<'a>, usize)) {
    for (n, &(of, base)) in w.plan.processes().iter().enumerate() {
        w.me = Process { pid: n as u32, of: of as usize, base };
        write(w, n);
    }
}

/// What to do where a process is at one of these locations, and elsewhere.
fn at_locations(w: &mut Writer, there: &str, is: &[bool], yes: &str, no: &str) {
    let location = w.location(Words::Before);
    w.line(format!("if ({there}) switch ({location}) {{"));
    let here: Vec<usize> = (0..is.len()).filter(|&l| is[l]).collect();
    here.iter().for_each(|l| w.line(format!("case {l}:")));
    if !here.is_empty() {
        w.line(yes);
    }
    w.line(format!("default: {no}\n}}"));
}
