//! Walks through a model, always by the first step.

use riata_program::dynamic::{Interpreter, Options};
use riata_promela::{NoFiles, lower::lower};
use riata_system::System;

fn main() {
    let path = std::env::args().nth(1).expect("a model");
    let text = std::fs::read(&path).expect("readable");
    let parsed = riata_promela::parse(&path, &text, &Default::default(), &mut NoFiles);
    let lowered = lower(&parsed).expect("a model");
    let i = Interpreter::new(&lowered.program, Options::default()).expect("a program");
    let mut s = vec![0; i.words()];
    let mut t = s.clone();
    i.initial(&mut Default::default(), &mut s);
    for n in 0..200 {
        let mut at = Default::default();
        if i.next(&s, &mut at, &mut t).is_none() {
            println!("stuck");
            break;
        }
        let step = i.step_between(&s, &t).expect("a step");
        let of = i.type_of(&s, step.pid).expect("a process");
        let edge = &lowered.program.processes[of.index()].edges[step.edge.index()];
        let p = parsed.sources.locate(edge.span());
        println!(
            "{n}: {} line {} {} holder {:?} {:?}->{:?}",
            step.pid,
            p.line,
            parsed.sources.str(edge.span()),
            i.holder(&t),
            edge.from,
            edge.to
        );
        std::mem::swap(&mut s, &mut t);
        if i.is_fault(&s) {
            println!("fault");
            break;
        }
    }
}
