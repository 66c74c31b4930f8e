//! Walks through a model, always by the first step.

use riata_program::{Execution, Interpreter, Options};
use riata_promela::{NoFiles, lower::lower};

fn main() {
    let path = std::env::args().nth(1).expect("a model");
    let text = std::fs::read(&path).expect("readable");
    let parsed = riata_promela::parse(&path, &text, &Default::default(), &mut NoFiles);
    let lowered = lower(&parsed).expect("a model");
    let i = Interpreter::new(&lowered.program, Options::default()).expect("a program");
    let mut run = Execution::start(&i);
    for n in 0..200 {
        let s = run.last().to_vec();
        let Some(taken) = i.steps(&s).into_iter().next() else {
            println!("stuck");
            break;
        };
        let step = taken.step;
        let of = i.type_of(&s, step.pid).expect("a process");
        let edge = &lowered.program.processes[of.index()].edges[step.edge.index()];
        let p = parsed.sources.locate(edge.span());
        println!(
            "{n}: {} line {} {} holder {:?} {:?}->{:?}",
            step.pid,
            p.line,
            parsed.sources.str(edge.span()),
            i.holder(&taken.to),
            edge.from,
            edge.to
        );
        run.push(&taken);
        if i.is_fault(run.last()) {
            println!("fault");
            break;
        }
    }
}
