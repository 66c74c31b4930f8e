//! `riata random`: random automata.

use crate::args::{Common, RandomArgs};
use crate::output::{Exit, complain, eprint, print_with};
use riata_automata::hoa::{self, Automaton};
use riata_automata::random::{Shape, Structure};
use std::io::{self, Write};

/// Runs the command.
pub fn run(args: &RandomArgs, common: &Common) -> Exit {
    if common.json {
        return complain(common, "--json: `riata random` writes HOA; it has no JSON form");
    }
    if common.quiet && args.output.is_none() {
        return complain(common, "--quiet would leave nothing: say with --output where the automata go");
    }
    let shape = match shape(args) {
        Ok(shape) => shape,
        Err(message) => return complain(common, &message),
    };
    let mut error = None;
    let mut all = |out: &mut dyn Write| -> io::Result<()> {
        for seed in (0..args.count).map(|i| args.seed.wrapping_add(i)) {
            match shape.generate(seed) {
                Ok(tgba) => {
                    if common.verbose {
                        let (states, edges) = (tgba.states(), tgba.edge_count());
                        eprint(&format!("seed {seed}: {states} states, {edges} edges, {} sets\n", tgba.sets));
                    }
                    let name = Some(format!("random, seed {seed}"));
                    hoa::write(&mut &mut *out, &Automaton { name, ..Automaton::from(tgba) })?;
                }
                Err(message) => {
                    error = Some(message);
                    break;
                }
            }
        }
        Ok(())
    };
    match &args.output {
        None => print_with(all),
        Some(path) => {
            let written = std::fs::File::create(path).and_then(|file| {
                let mut out = io::BufWriter::with_capacity(1 << 16, file);
                all(&mut out).and_then(|()| out.flush())
            });
            if let Err(e) = written {
                return complain(common, &format!("cannot write {}: {e}", path.display()));
            }
        }
    }
    error.map_or(Exit::Holds, |message| complain(common, &message))
}

fn shape(args: &RandomArgs) -> Result<Shape, String> {
    let fair = args.fair.as_ref().map(|f| fair(f, args.states)).transpose()?;
    let structure = match (args.weak, args.terminal) {
        (true, _) => Structure::Weak,
        (_, true) => Structure::Terminal,
        _ => Structure::Free,
    };
    Ok(Shape {
        states: args.states,
        density: args.density,
        sets: args.sets,
        mark_probability: args.marks,
        fair,
        on_states: args.state_acc,
        blocks: args.blocks,
        structure,
        empty: args.empty,
        aps: args.aps,
    })
}

/// `40`, or `.01n`: a share of the states, rounded.
fn fair(text: &str, states: u32) -> Result<u32, String> {
    let wrong = || format!("--fair {text}: write a number of states, or a share such as 0.1n");
    if let Some(share) = text.strip_suffix('n') {
        let share: f64 = share.parse().map_err(|_| wrong())?;
        if !(0.0..=1.0).contains(&share) {
            return Err(wrong());
        }
        return Ok((share * f64::from(states)).round() as u32);
    }
    text.parse().map_err(|_| wrong())
}
