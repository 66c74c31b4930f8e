//! `riata simulate MODEL.smv`: one run, by chance or by hand.

use super::Source;
use super::tell::{Run, Said};
use super::view::View;
use crate::args::{Common, Limits, ModelKind, SimulateArgs};
use crate::check::write;
use crate::output::{Exit, complain, print};
use crate::simulate::choose;
use crate::symbolic::on_large_stack;
use crate::watch::Interrupt;
use riata_automata::random::Rng;
use riata_report::trace::Step;
use riata_smv::Fail;
use riata_smv::check::{Trace, Walk, Walker, Way};
use riata_smv::evaluate::State;
use riata_smv::machine::Layout;
use riata_symbolic::{Bdd, Oxi};

/// Ways that are shown to choose from.
const MOST: usize = 20;

/// Runs the command.
pub fn run(kind: ModelKind, args: &SimulateArgs, common: &Common) -> Exit {
    if args.guide.is_some() {
        return complain(
            "guided simulation is for Promela models; `riata replay -v` shows a trace of this one",
        );
    }
    let interrupt = Interrupt::listen();
    let source = match Source::read(&args.model, kind, None, common) {
        Ok(source) => source,
        Err(bad) => return bad.exit,
    };
    let (states, end) = match on_large_stack(|| walk(&source, args, &interrupt)) {
        Ok(found) => found,
        Err(Fail::Wrong(d)) => return source.refuse(&d, common).exit,
        Err(Fail::Stop(stop)) => {
            crate::output::eprint(&format!("inconclusive: {stop}\n"));
            return Exit::Inconclusive;
        }
    };
    if states.is_empty() {
        return complain(&format!("{}: there is no initial state, and so no run", source.given));
    }
    let trace = Trace { stem: states, cycle: Vec::new() };
    let said = Said { lines: end.into_iter().map(String::from).collect(), ..Said::default() };
    let name = format!("simulation with seed {}", args.seed);
    let run = Run { source: &source, name: &name, trace: &trace, said: &said };
    if common.json {
        let itf = View { model: &source.model }.itf(&source.given, &name, &trace);
        print(&format!("{itf}\n"));
    } else if !common.quiet {
        print(&run.text());
    }
    write(&run.files(&args.pictures, args.trace.as_deref()))
}

/// The states of the run, and what is to be said of the last one.
fn walk(
    source: &Source,
    args: &SimulateArgs,
    interrupt: &Interrupt,
) -> Result<(Vec<State>, Option<&'static str>), Fail> {
    let none = Limits { memory: None, time: None, threads: 1 };
    let limits = interrupt.limits(&none);
    let bdd = Oxi::for_bits(limits, source.bits());
    let layout = Layout::new(&bdd, &source.model, &source.types, 0, &[]);
    let walker = Walker::new(&bdd, &source.model, &layout)?;
    let mut walk = walker.walk();
    let mut random = Rng::new(args.seed);
    let mut end = None;
    for step in 0..=args.steps.unwrap_or(50) {
        let more = if args.interactive {
            match by_hand(source, &walk)? {
                Hand::Stop => break,
                Hand::Stuck => false,
                Hand::Way(way) => {
                    walk.follow(&way)?;
                    true
                }
            }
        } else {
            walk.go(&mut |p| random.chance(p))?
        };
        if !more {
            end = (step > 0).then_some("this state has no successor");
            break;
        }
    }
    Ok((walk.states(), end))
}

enum Hand {
    Stop,
    Stuck,
    Way(Box<Way>),
}

/// Lets the user choose.
fn by_hand<B: Bdd>(source: &Source, walk: &Walk<B>) -> Result<Hand, Fail> {
    let (mut ways, more) = walk.ways(MOST)?;
    if ways.is_empty() {
        return Ok(Hand::Stuck);
    }
    if more {
        print(&format!("there are more than {MOST} ways to go on; these are the first\n"));
    }
    let view = View { model: &source.model };
    let chosen = choose(ways.len(), |i| {
        let inputs = ways[i].before.as_ref().map_or(String::new(), |s| view.inputs(s));
        Step {
            statement: inputs,
            cells: vec![view.state_changes(walk.last(), &ways[i].state)],
            ..Step::default()
        }
    });
    Ok(chosen.map_or(Hand::Stop, |i| Hand::Way(Box::new(ways.swap_remove(i)))))
}
