//! `riata graph` and `riata animate`: small graphs, as pictures and as films.

mod animate;
mod args;
mod graph;

pub use animate::animate;
pub use args::{AnimateArgs, GraphArgs};
pub use graph::graph;

use crate::args::Common;
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::output::{Exit, eprint, print};
use crate::session::Session;
use args::Drawn;
use riata::options::Algorithms;
use riata::table::Command;
use riata::written::Written;
use riata::{Error, How, Kind, Listener, Model, Options};
use riata_automata::hoa::Reader;
use riata_system::Stop;
use std::path::Path;
use std::time::Instant;

/// A graph, and what it is called.
struct Graph {
    written: Written,
    /// The property whose product it is.
    property: Option<String>,
    title: String,
}

/// Is this a file of automata? A Kripke structure is one only where a formula is given.
fn is_automaton(path: &Path, drawn: &Drawn) -> bool {
    drawn.input.or_else(|| Kind::of(path)) == Some(Kind::Hoa) && drawn.ltl.is_empty()
}

/// How a graph is looked for.
struct Context<'a> {
    session: &'a Session<'a>,
    interrupt: &'a Interrupt,
    deadline: Option<Instant>,
}

impl<'a> Context<'a> {
    /// The time of the call begins now.
    fn new(drawn: &Drawn, session: &'a Session, interrupt: &'a Interrupt) -> Context<'a> {
        let deadline = drawn.limits.time.and_then(|t| Instant::now().checked_add(t));
        session.guard(deadline, &interrupt.shared());
        Context { session, interrupt, deadline }
    }

    fn how<'h>(&'h self, options: &'h Options, kind: Kind) -> How<'h> {
        How { deadline: self.deadline, ..How::new(options, kind, self.interrupt.flag(), self.session) }
    }

    /// Small graphs are finished before anybody looks at the clock.
    fn in_time(&self) -> Result<(), Error> {
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Error::Stopped(Stop::Time)),
            _ => Ok(()),
        }
    }
}

/// The first automaton of a file.
fn automaton(path: &Path, drawn: &Drawn, context: &Context) -> Result<Graph, Error> {
    let (most, session) = (drawn.most(), context.session);
    if let Some(why) = riata::table::refused(&drawn.options(), Kind::Hoa, Command::Draw) {
        return Err(Error::usage(why));
    }
    let input = Input::read(path).map_err(Error::usage)?;
    let mut all = Reader::new(&input.bytes);
    let first = all.next().ok_or_else(|| Error::usage(format!("{} holds no automaton", input.name)))?;
    let first = first.map_err(|diagnostics| Error::text(&input.name, &input.bytes, diagnostics))?;
    session.remarks(&[riata::Remarks::about(&input.name, &input.bytes, first.warnings.clone())]);
    if all.next().is_some() {
        session.warning(&format!("{} holds several automata: the first is drawn", input.name).into());
    }
    let held = first.tgba.edge_count() * size_of::<riata_automata::Edge>();
    if drawn.limits.memory.is_some_and(|m| held > m) {
        return Err(Error::Stopped(Stop::Memory));
    }
    let title =
        first.name.as_ref().map_or_else(|| input.given.clone(), |name| format!("{}: {name}", input.given));
    Ok(Graph { written: Written::automaton(&first, most)?, property: None, title })
}

/// The graph of a model, for an algorithm if one is chosen.
fn of_model(
    (path, drawn): (&Path, &Drawn),
    algorithm: Option<Algorithms>,
    context: &Context,
) -> Result<Graph, Error> {
    let session = context.session;
    let kind = drawn.input.or_else(|| Kind::of(path));
    let mut options: Options = drawn.options();
    let one_set = matches!(algorithm, Some(Algorithms::One(a)) if a.needs_one_set());
    // The property's automaton is the one that the check would take.
    if let (Some(Algorithms::One(_)), Some(false)) = (algorithm, kind.map(Kind::is_synchronous)) {
        options.deciding.algorithm = algorithm;
    }
    let reading = match kind {
        Some(Kind::Promela) => options.reading.clone(),
        _ => Default::default(),
    };
    session.reading(true);
    let mut model = Model::open_as(path, drawn.input, &reading)?;
    session.remarks(model.remarks());
    let before = model.remarks().len();
    let how = context.how(&options, model.kind());
    session.reading(model.kind().is_synchronous());
    let found = model.write_down(&how, (one_set, drawn.most()));
    session.reading(false);
    session.remarks(&model.remarks()[before..]);
    let (written, property) = found?;
    let name = path.to_string_lossy();
    let what = drawn.ltl.first().or(property.as_ref());
    let title = what.map_or_else(|| name.to_string(), |what| format!("{name}: {what}"));
    Ok(Graph { written, property, title })
}

/// Where the text goes: to a file, or to standard output, which JSON cannot share.
fn deliver(text: String, drawn: &Drawn, session: &Session) {
    match &drawn.output {
        Some(file) => crate::files::save(file, Ok(text), session),
        None => print(&text),
    }
}

/// What cannot be had together.
fn refused(drawn: &Drawn, common: &Common) -> Option<Error> {
    let product = !drawn.ltl.is_empty() || drawn.property.is_some();
    let rules = [
        (
            common.json && drawn.output.is_none(),
            "--json: standard output has the JSON; write the picture to a file, with --output FILE",
        ),
        (
            common.quiet && drawn.output.is_none(),
            "--quiet: then there is nothing; write the picture to a file, with --output FILE",
        ),
        (
            drawn.deadlocks.is_some() && !product,
            "--deadlocks: it is about products; give --ltl or --property",
        ),
        (drawn.fairness.is_some() && !product, "--fairness: it is about products; give --ltl or --property"),
        (drawn.ltl.len() > 1, "--ltl: one formula at a time can be drawn"),
    ];
    rules.iter().find(|(wrong, _)| *wrong).map(|(_, why)| Error::usage(*why))
}

/// Says what was drawn: on standard output, unless that has the picture.
fn remark(text: &str, more: &str, drawn: &Drawn, common: &Common) {
    let more = if common.verbose { more } else { "" };
    match &drawn.output {
        _ if common.json || common.quiet => {}
        Some(file) => print(&format!("{}: {text}\n{more}", file.display())),
        None => eprint(more),
    }
}

/// The exit code: a picture that was drawn is a success, whatever it shows.
fn exit(session: Session) -> Exit {
    match session.finish() {
        Exit::Violated => Exit::Holds,
        exit => exit,
    }
}
