//! Counts the states of models, for comparison with Spin.

use riata_explore::bfs::bfs;
use riata_program::{Asserts, Condensed, Interpreter, Options};
use riata_promela::{NoFiles, lower::lower};
use riata_store::Exact;
use riata_system::{Limits, Run};
use std::ops::ControlFlow;

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path).expect("readable");
        let parsed = riata_promela::parse(&path, &text, &Default::default(), &mut NoFiles);
        let tell = |ds: &[riata_source::Diagnostic]| {
            for d in ds.iter().take(3) {
                let p = parsed.sources.locate(d.span);
                println!("  {}:{}: {} {:?}", p.line, p.column, d.message, d.help);
            }
        };
        if parsed.failed() {
            println!("{path}: syntax");
            tell(&parsed.diagnostics);
            continue;
        }
        let lowered = match lower(&parsed) {
            Ok(l) => l,
            Err(ds) => {
                println!("{path}: lowering");
                tell(&ds);
                continue;
            }
        };
        let interpreter = match Interpreter::new(&lowered.program, Options { asserts: Asserts::Ignore }) {
            Ok(i) => i,
            Err(d) => {
                println!("{path}: {}", d.message);
                continue;
            }
        };
        let system = Condensed::new(&interpreter);
        let limits = Limits {
            deadline: Some(std::time::Instant::now() + std::time::Duration::from_secs(60)),
            ..Default::default()
        };
        let mut run = Run::new(limits);
        let mut store = Exact::new(8 << 30);
        let mut faults = 0;
        let start = std::time::Instant::now();
        let searched = bfs(&system, &mut store, &mut run, |_, s, _| {
            faults += usize::from(interpreter.is_fault(s));
            ControlFlow::Continue(())
        });
        let t = start.elapsed().as_secs_f64();
        println!(
            "{path}: {} states {} transitions {faults} faults {:?} {t:.2}s",
            run.counters.states - faults as u64,
            run.counters.transitions,
            searched.stopped
        );
    }
}
