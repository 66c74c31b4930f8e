//! `riata animate`: a film of an algorithm at work.

use super::args::AnimateArgs;
use super::{Context, Graph, automaton, deliver, exit, is_automaton, of_model, refused, remark};
use crate::args::{Common, Decomposition, Look};
use crate::interrupt::Interrupt;
use crate::output::Exit;
use crate::session::{Session, Shape};
use riata::animate::{self, Shown};
use riata::options::Algorithms;
use riata::report::animate::page;
use riata::report::answer::Verdict;
use riata::{Error, Kind};
use riata_automata::translate::Construction;
use std::path::Path;

/// Runs the command.
pub fn animate(args: &AnimateArgs, common: &Common) -> Exit {
    let look = Look::default();
    let input = args.model.as_ref().map_or_else(|| "formula".into(), |m| m.to_string_lossy().into_owned());
    let session = Session::new("animate", &[input], common, &look, Shape::Text);
    let interrupt = Interrupt::listen();
    let context = Context::new(&args.drawn, &session, &interrupt);
    let shown = match (refused(&args.drawn, common), &args.model, &args.formula) {
        (Some(error), ..) => Err(error),
        (None, _, Some(formula)) => translation(args, formula),
        (None, ..) if args.construction.is_some() => Err(Error::usage(
            "--construction: it is about the translation of a formula, given with --formula",
        )),
        (None, Some(path), None) => film(args, path, &context),
        (None, None, None) => Err(Error::usage("give a model, or a formula with --formula")),
    };
    match shown.and_then(|shown| context.in_time().map(|()| shown)) {
        Ok(shown) => {
            let Shown { film, answer } = shown;
            let told = format!("{} steps, {}", film.shots.len(), answer.verdict);
            let end = film.scene(film.shots.len());
            let counts = film.counters.iter().zip(end.counts).map(|(name, n)| format!("{name}: {n}"));
            let more = format!("  {}: {}\n", answer.algorithm, counts.collect::<Vec<_>>().join(", "));
            session.state().document.results.push(answer);
            deliver(page(&film), &args.drawn, &session);
            remark(&told, &more, &args.drawn, common);
        }
        Err(error) => {
            session.fail(&error);
        }
    }
    exit(session)
}

fn translation(args: &AnimateArgs, formula: &str) -> Result<Shown, Error> {
    let ltl = riata_ltl::parse(formula, args.drawn.dialect.unwrap_or_default())
        .map_err(|d| Error::text("formula", formula.as_bytes(), vec![d]))?;
    animate::translation(&ltl, args.construction.unwrap_or(Construction::Gpvw96), args.drawn.most())
}

fn film(args: &AnimateArgs, path: &Path, context: &Context) -> Result<Shown, Error> {
    let drawn = &args.drawn;
    let algorithm = match args.algorithm {
        Algorithms::All => return Err(Error::usage("-a all: a film shows one algorithm; choose one")),
        algorithm => algorithm,
    };
    let kind = drawn.input.or_else(|| Kind::of(path));
    let Graph { written, property, title } = match is_automaton(path, drawn) {
        true => automaton(path, drawn, context)?,
        false => of_model((path, drawn), Some(algorithm), context)?,
    };
    let options = drawn.options();
    let how = context.how(&options, kind.unwrap_or(Kind::Hoa));
    let synchronous = kind.is_some_and(Kind::is_synchronous);
    if let Some(scc) = args.scc {
        return animate::components(written, scc == Decomposition::Tarjan, &how, &title);
    }
    if property.is_none() && !synchronous && !is_automaton(path, drawn) {
        return Err(Error::usage(
            "what is to be looked for? Give a formula with --ltl, a property with -p, or show the components with --scc tarjan",
        ));
    }
    let mut shown = match algorithm {
        Algorithms::Symbolic(a) => animate::fixpoint(written, Some(a), drawn.most(), &title)?,
        Algorithms::One(a) => animate::search(written, Some(a), drawn.most(), &how, &title)?,
        _ if synchronous => animate::fixpoint(written, None, drawn.most(), &title)?,
        _ => animate::search(written, None, drawn.most(), &how, &title)?,
    };
    if let Some(name) = property {
        let found = shown.answer.verdict == Verdict::Nonempty;
        shown.answer.verdict = if found == drawn.exists { Verdict::Holds } else { Verdict::Violated };
        shown.answer.exists = drawn.exists;
        shown.answer.property = Some(name);
    }
    Ok(shown)
}
