//! `riata graph`: the state space of a small model, or a product, as a picture.

use super::args::{GraphArgs, GraphFormat};
use super::{Context, automaton, deliver, exit, is_automaton, of_model, refused, remark};
use crate::args::{Common, Look};
use crate::interrupt::Interrupt;
use crate::output::Exit;
use crate::session::{Session, Shape};
use riata::report::answer::{Answer, Counters, Verdict};

/// Runs the command.
pub fn graph(args: &GraphArgs, common: &Common) -> Exit {
    let look = Look::default();
    let inputs = [args.model.to_string_lossy().into_owned()];
    let session = Session::new("graph", &inputs, common, &look, Shape::Text);
    let interrupt = Interrupt::listen();
    let drawn = &args.drawn;
    let context = Context::new(drawn, &session, &interrupt);
    let found = match refused(drawn, common) {
        Some(error) => Err(error),
        None if is_automaton(&args.model, drawn) => automaton(&args.model, drawn, &context),
        None => of_model((&args.model, drawn), None, &context),
    };
    match found.and_then(|graph| context.in_time().map(|()| graph)) {
        Ok(graph) => {
            let a = &graph.written.automaton;
            let counters = Counters {
                states: a.states() as u64,
                transitions: a.edge_count() as u64,
                ..Counters::default()
            };
            let answer = Answer {
                property: graph.property,
                verdict: Verdict::Complete,
                counters,
                ..Answer::default()
            };
            let text = match args.format {
                GraphFormat::Svg => graph.written.picture(&graph.title).svg(),
                GraphFormat::Dot => graph.written.picture(&graph.title).dot(),
                GraphFormat::Hoa => graph.written.hoa(&graph.title),
            };
            let size = format!("{} states, {} edges", a.states(), a.edge_count());
            let more = format!("  {} initial, {} acceptance sets\n", a.initial.len(), a.sets);
            session.state().document.results.push(answer);
            deliver(text, drawn, &session);
            remark(&size, &more, drawn, common);
        }
        Err(error) => {
            session.fail(&error);
        }
    }
    exit(session)
}
