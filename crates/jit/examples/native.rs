//! Explores models by the interpreter and by native code, and compares: `native [--same] MODEL…`. With `--same` the
//! successors of every state are compared, one by one, of both ways of asking.

use cpu_time::ThreadTime;
use riata_explore::bfs::bfs;
use riata_program::{Asserts, Condensed, Interpreter, Options, Program};
use riata_promela::{NoFiles, lower::lower};
use riata_store::{Exact, Row};
use riata_system::{Limits, Run, Successors, System};
use std::ops::ControlFlow;

fn program(path: &str) -> Option<Program> {
    let text = std::fs::read(path).ok()?;
    if path.ends_with(".dve") {
        let model = riata_dve::parse(std::str::from_utf8(&text).ok()?).ok()?;
        return Some(model.program().clone());
    }
    let parsed = riata_promela::parse(path, &text, &Default::default(), &mut NoFiles);
    if parsed.failed() {
        return None;
    }
    lower(&parsed).ok().map(|l| l.program)
}

fn search(i: &Interpreter, most: u64) -> (u64, u64, u64, f64, Exact) {
    let system = Condensed::new(i);
    let mut run = Run::new(Limits::default());
    // A program that creates processes without end has states of a hundred thousand bytes.
    let mut store = Exact::new(if most == u64::MAX { 16 << 30 } else { 1 << 30 });
    let mut faults = 0;
    let start = ThreadTime::now();
    bfs(&system, &mut store, &mut run, |id, s, _| {
        faults += u64::from(i.is_fault(s));
        if u64::from(id) > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (run.counters.states, run.counters.transitions, faults, start.elapsed().as_secs_f64(), store)
}

/// The successors of every state of `store`, by both.
fn same(plain: &Interpreter, native: &Interpreter, store: &Exact) -> Result<(), String> {
    let (plain, native) = (Condensed::new(plain), Condensed::new(native));
    let mut s = Vec::new();
    let (mut a, mut b, mut slot) = (Successors::default(), Successors::default(), vec![0; native.words()]);
    for id in 0..store.len() {
        store.load(id as u32, &mut s);
        plain.post(&s, &mut a);
        native.post(&s, &mut b);
        let mut at = Default::default();
        for n in 0..a.len().max(b.len()) {
            let action = native.next(&s, &mut at, &mut slot);
            let one = action.map(|action| (&slot[..native.len(&slot)], action));
            if n >= a.len() || n >= b.len() || a.get(n) != b.get(n) || one != Some(a.get(n)) {
                return Err(format!("state {id} {s:?}, successor {n}"));
            }
        }
        if native.next(&s, &mut at, &mut slot).is_some() {
            return Err(format!("state {id} {s:?} has one too many"));
        }
    }
    Ok(())
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let compare = args.first().is_some_and(|a| a == "--same");
    if compare {
        args.remove(0);
    }
    for path in args {
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        let Some(program) = program(&path) else {
            println!("{name}: not read");
            continue;
        };
        let asserts = if compare { Asserts::Count } else { Asserts::Fault };
        let Ok(plain) = Interpreter::new(&program, Options { asserts }) else {
            println!("{name}: no interpreter");
            continue;
        };
        let native = plain.again(Options { asserts }).expect("as before");
        let start = std::time::Instant::now();
        let native = native.compiled(riata_jit::compile);
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let most = if compare { 1_000_000 } else { u64::MAX };
        let (states, transitions, faults, seconds, store) = search(&native, most);
        let compiled = match native.native_edges() {
            Some(Ok((edges, left))) => format!("{edges} native, {left} left"),
            Some(Err(why)) => why.to_owned(),
            None => String::new(),
        };
        if compare {
            let said = same(&plain, &native, &store).err().unwrap_or("same".into());
            println!("{name}: {states} states, {said}; {compiled}");
            continue;
        }
        let (s2, t2, f2, before, _) = search(&plain, most);
        let differ = if (states, transitions, faults) == (s2, t2, f2) { "" } else { " DIFFERENT" };
        println!(
            "{name:34} {states:9} {:5.2} a state, {:5.2} -> {:5.2} M/s, x{:.2}; {compiled}, {ms:.1} ms{differ}",
            transitions as f64 / states as f64,
            states as f64 / before / 1e6,
            states as f64 / seconds / 1e6,
            before / seconds,
        );
    }
}
