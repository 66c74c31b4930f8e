//! `riata check` and `riata explore`: one loop each, over models of every kind.

use crate::args::{CheckArgs, CheckFormat, Common, Explained, ExploreArgs, Printed};
use crate::cluster::Together;
use crate::files::{self, Files};
use crate::interrupt::Interrupt;
use crate::output::{Exit, complain, print};
use crate::session::{Session, Shape};
use riata::options::Algorithms;
use riata::report::answer::Document;
use riata::report::run::Form;
use riata::report::{junit, sarif, text};
use riata::table::{Command, is_symbolic};
use riata::{Answer, Error, How, Kind, Model, Options};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// After so many bad automata the rest of a stream is not read.
const PATIENCE: usize = 10;

/// What one command does with each model.
type Each<'a> = dyn FnMut(&mut Model<'static>, &How) -> Result<(), Error> + 'a;

/// Calls `each` with every model of a file.
fn each_model(
    (path, kind): (&Path, Option<Kind>),
    options: &Options,
    session: &Session,
    (interrupt, deadline): (&Interrupt, Option<std::time::Instant>),
    (together, each): (&Together, &mut Each),
) {
    let mut bad = 0;
    session.reading(true);
    let done = Model::each(path, kind, &options.reading, &mut |model| {
        let told = model.and_then(|mut model| {
            let how = How { deadline, ..How::new(options, model.kind(), interrupt.flag(), session) };
            let how = how.among(together.cluster(path, &how)?);
            session.remarks(model.remarks());
            session.sources(model.sources());
            let before = model.remarks().len();
            session.reading(how.is_symbolic() || model.kind().is_synchronous());
            let done = each(&mut model, &how);
            session.remarks(&model.remarks()[before..]);
            done
        });
        if let Err(error) = told {
            session.fail(&error);
            bad += 1;
        }
        session.reading(false);
        let enough = bad >= PATIENCE || interrupt.is_set();
        if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if let Err(error) = done {
        session.fail(&error);
    }
    if bad >= PATIENCE {
        session.fail(&Error::usage("too many bad automata; the rest of the input is not read"));
    }
}

/// The files of the first run. The page is about everything, and is written in the end.
fn pictures(args: &CheckArgs) -> Files<'_> {
    args.pictures.files().into_iter().filter(|(form, _)| *form != Form::Html).collect()
}

/// How many things would be written to one place, which only one can have.
fn several(args: &CheckArgs) -> Option<&'static str> {
    let files = args.trace.is_some() || args.witness.is_some() || !pictures(args).is_empty();
    (args.models.len() > 1 && files).then_some("files of runs are written for one model at a time")
}

/// Runs `riata check`.
pub fn check(args: &CheckArgs, common: &Common) -> Exit {
    let options = args.options(common.json, common.quiet);
    let inputs: Vec<String> = args.models.iter().map(|m| m.to_string_lossy().into_owned()).collect();
    let all = args.deciding.algorithm == Some(Algorithms::All);
    let kind = |m: &PathBuf| args.input.or_else(|| Kind::of(m));
    let symbolic = |m: &PathBuf| kind(m).is_some_and(|kind| is_symbolic(&options, kind));
    let shape = match args.format {
        Some(CheckFormat::Junit | CheckFormat::Sarif) => Shape::Collected,
        _ if all && args.models.iter().all(symbolic) => Shape::Tables,
        _ => Shape::Text,
    };
    let mut session = Session::new("check", &inputs, common, &args.look, shape);
    session.messages = args.pictures.msc;
    session.page.clone_from(&args.pictures.html);
    let interrupt = Interrupt::listen();
    let deadline = options.limits.time.and_then(|t| std::time::Instant::now().checked_add(t));
    session.guard(deadline, &interrupt.shared());
    if let Some(why) = several(args).map(String::from).or_else(|| args.refused(common)) {
        session.fail(&Error::usage(why));
        return session.finish();
    }
    let together = Together::new(common, Command::Check);
    for (i, path) in args.models.iter().enumerate() {
        session.input(i);
        if inputs.len() > 1 && session.talks() {
            session.say(&format!("{}\n", inputs[i]));
        }
        let mut first = None;
        let mut each = |model: &mut Model<'static>, how: &How| {
            let report = model.check_how(how)?;
            let shown = report.answers.iter().find_map(|a| a.run.clone());
            first = first.take().or(shown);
            witness(args, &report.answers, &session);
            Ok(())
        };
        let limits = (&interrupt, deadline);
        each_model((path, args.input), &options, &session, limits, (&together, &mut each));
        let mut wanted: Files = args.trace.iter().map(|f| (Form::Itf, f)).collect();
        wanted.extend(pictures(args));
        files::write(&wanted, first.as_deref(), &session);
    }
    if inputs.len() > 1 && session.talks() {
        let summary = summary(&session.state().document, &inputs);
        session.say(&summary);
    }
    session.write_page();
    let document = session.take();
    let exit = session.finish();
    match args.format {
        Some(CheckFormat::Junit) => print(&junit::junit(&by_input(document, &inputs))),
        Some(CheckFormat::Sarif) => {
            let version = env!("CARGO_PKG_VERSION");
            print(&format!("{:#}\n", sarif::sarif(&by_input(document, &inputs), version)));
        }
        _ => {}
    }
    exit
}

/// A document for each input.
fn by_input(document: Document<Answer>, inputs: &[String]) -> Vec<Document<Answer>> {
    if inputs.len() < 2 {
        return vec![document];
    }
    let one = |input: &String| {
        let mut one = Document::new(document.command.clone(), input.clone());
        let of = |a: &&Answer| a.input.as_ref() == Some(input);
        one.results = document.results.iter().filter(of).cloned().collect();
        let about = |p: &&riata::Problem| p.file.as_ref() == Some(input);
        one.errors = document.errors.iter().filter(about).cloned().collect();
        one
    };
    let mut all: Vec<_> = inputs.iter().map(one).collect();
    // What is about no file is about the call.
    let told = |p: &riata::Problem| p.file.as_ref().is_some_and(|f| inputs.contains(f));
    all[0].errors.extend(document.errors.iter().filter(|p| !told(p)).cloned());
    all
}

/// A line for each input, and one for all.
fn summary(document: &Document<Answer>, inputs: &[String]) -> String {
    use riata::Verdict::{Holds, Inconclusive, Violated};
    let count = |input: Option<&String>, verdict| {
        let of = |a: &&Answer| input.is_none_or(|i| a.input.as_ref() == Some(i)) && a.verdict == verdict;
        document.results.iter().filter(of).count()
    };
    let line = |name: &str, input: Option<&String>| {
        let [h, v, i] = [Holds, Violated, Inconclusive].map(|verdict| count(input, verdict));
        format!("{name}: {h} hold, {v} violated, {i} inconclusive\n")
    };
    inputs.iter().map(|i| line(i, Some(i))).collect::<String>() + &line("together", None)
}

/// Writes the witnesses of a circuit, if that was asked for.
fn witness(args: &CheckArgs, answers: &[Answer], session: &Session) {
    let Some(file) = &args.witness else { return };
    let mut done: Vec<&Option<String>> = Vec::new();
    let mut text = String::new();
    for a in answers {
        if let (Some(witness), false) = (&a.witness, done.contains(&&a.property)) {
            // A later algorithm may know more.
            let known = |b: &&Answer| b.property == a.property && b.verdict != riata::Verdict::Inconclusive;
            let best = answers.iter().find(known).and_then(|b| b.witness.as_ref());
            text += best.unwrap_or(witness);
            done.push(&a.property);
        }
    }
    files::save(file, Ok(text), session);
}

/// Runs `riata explore`.
pub fn explore(args: &ExploreArgs, common: &Common) -> Exit {
    if common.json && args.print.is_some() {
        return complain(common, "--print writes text, which --json is not");
    }
    if common.json && args.explain.is_some() {
        return complain(common, "--explain writes text, which --json is not");
    }
    // Not clap's `requires`, which asks for nothing where `--json` is given, because `--serve` cannot be with it.
    if args.port.is_some() {
        return complain(common, "--port is for --serve");
    }
    let options = args.options(common.json, common.quiet);
    let input = args.model.to_string_lossy().into_owned();
    let session = Session::new("explore", &[input], common, &args.look, Shape::Text);
    let interrupt = Interrupt::listen();
    let deadline = options.limits.time.and_then(|t| std::time::Instant::now().checked_add(t));
    session.guard(deadline, &interrupt.shared());
    let together = Together::new(common, Command::Explore);
    let mut each = |model: &mut Model<'static>, how: &How| {
        if let Some(Printed::Program) = args.print {
            session.say(&model.print(how)?);
            return Ok(());
        }
        if let Some(Explained::Por) = args.explain {
            session.say(&model.explain(how)?);
            return Ok(());
        }
        let answer = model.explore_how(how)?;
        if session.talks() {
            let title = titled(model);
            let mut shown = common.painted(text::explored(&title, &answer), &title, answer.verdict);
            if common.verbose {
                shown += &text::cost(&answer);
            }
            shown += &answer.stats.as_ref().map_or(String::new(), text::stats);
            for run in answer.run.iter().chain(&answer.also) {
                let title = run.title.split_once(": ").map_or("", |(_, title)| title);
                shown += &format!("{title}:\n{}", session.run(run));
            }
            shown += &answer.statements.as_ref().map_or(String::new(), text::coverage);
            session.say(&shown);
        }
        Ok(())
    };
    let limits = (&interrupt, deadline);
    each_model((&args.model, args.input), &options, &session, limits, (&together, &mut each));
    session.finish()
}

/// The name of a model, with its place in a file of several.
fn titled(model: &Model) -> String {
    match model.index() {
        Some((i, Some(name))) => format!("{}: automaton {i} ({name})", model.name()),
        Some((i, None)) if i > 0 => format!("{}: automaton {i}", model.name()),
        _ => model.name().to_string(),
    }
}
