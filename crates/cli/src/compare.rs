//! `riata compare`: several algorithms on several models, side by side.

use crate::args::{Common, CompareArgs, CompareForm, Look, Measured};
use crate::interrupt::Interrupt;
use crate::output::{Exit, complain, print};
use crate::session::{Session, Shape};
use riata::compare::Contest;
use riata::report::answer::{Document, Skipped, Verdict};
use riata::report::compare::{self, Columns, Measure, Row};
use riata::{Error, Listener, Model};
use std::fs::OpenOptions;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::Path;

/// Rows of an earlier call, and the file to which more are added, a JSON object a line.
struct Journal {
    known: Vec<Row>,
    file: Option<std::fs::File>,
}

impl Journal {
    /// Opens the file, which need not be there yet. A last line that was cut off is taken away.
    fn open(path: Option<&Path>) -> Result<Journal, String> {
        let Some(path) = path else { return Ok(Journal { known: Vec::new(), file: None }) };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(e) => return Err(format!("cannot read {}: {e}", path.display())),
        };
        let mut known = Vec::new();
        for (i, line) in text.split_inclusive('\n').enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            match serde_json::from_str::<Row>(line) {
                Ok(row) => known.push(row),
                Err(_) if !line.ends_with('\n') => {}
                Err(e) => {
                    return Err(format!("{}:{}: this is no row of a comparison: {e}", path.display(), i + 1));
                }
            }
        }
        let open = OpenOptions::new().create(true).append(true).open(path);
        let file = open.map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            file.set_len(whole as u64).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        Ok(Journal { known, file: Some(file) })
    }

    fn add(&mut self, row: &Row) {
        if let (Some(file), false) = (&mut self.file, self.known.iter().any(|k| k.key == row.key))
            && let Ok(line) = serde_json::to_string(row)
        {
            // A row that cannot be kept is measured again next time.
            let _ = writeln!(file, "{line}");
        }
    }
}

/// What tells this model and this version from others.
fn salt(path: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    std::fs::read(path).unwrap_or_default().hash(&mut hasher);
    format!("{}:{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish())
}

/// Runs `riata compare`.
pub fn run(args: &CompareArgs, common: &Common) -> Exit {
    if common.json && args.format.is_some() {
        return complain(common, "--format is another form than --json; give one of them");
    }
    if common.verbose && args.format == Some(CompareForm::Csv) {
        return complain(common, "--verbose is about tables for people; csv has all columns anyway");
    }
    let mut journal = match Journal::open(args.resume.as_deref()) {
        Ok(journal) => journal,
        Err(why) => return complain(common, &why),
    };
    let options = args.options();
    let inputs: Vec<String> = args.models.iter().map(|m| m.to_string_lossy().into_owned()).collect();
    let look = Look::default();
    let session = Session::new("compare", &inputs, common, &look, Shape::Collected);
    let interrupt = Interrupt::listen();
    let mut rows: Vec<Row> = Vec::new();
    for (i, path) in args.models.iter().enumerate() {
        if interrupt.is_set() {
            break;
        }
        session.input(i);
        let mut contest = Contest::default();
        contest.algorithms.clone_from(&args.algorithms);
        contest.stores.clone_from(&args.stores);
        contest.repeat = args.repeat;
        contest.salt = salt(path);
        contest.known.clone_from(&journal.known);
        let done = Model::open_as(path, args.input, &options.reading).and_then(|mut model| {
            session.remarks(model.remarks());
            let quiet = Quiet(&session);
            contest.on(&mut model, &options, (interrupt.flag(), &quiet), &mut |row| {
                journal.add(&row);
                rows.push(row);
            })
        });
        match done {
            Ok(skipped) => skipped.iter().for_each(|s| session.skipped(s)),
            Err(error) => {
                session.fail(&error);
            }
        }
    }
    let wrong = compare::disagreements(&rows);
    for line in &wrong {
        session.fail(&Error::usage(format!("THE VERDICTS DISAGREE, one of them is wrong: {line}")));
    }
    plot(args, &rows, &session);
    let document = Document { results: rows.clone(), ..emptied(session.take()) };
    let exit = session.finish_quietly();
    let columns = Columns { bytes: common.verbose, ..Columns::of(&rows) };
    match args.format.unwrap_or(CompareForm::Text) {
        _ if common.json => print(&document.to_text()),
        _ if common.quiet => {}
        _ if rows.is_empty() => {}
        CompareForm::Text => print(&(compare::text(&rows, columns) + &left_out(&document.skipped))),
        CompareForm::Markdown => print(&compare::markdown(&rows, columns)),
        CompareForm::Csv => print(&compare::csv(&rows)),
    }
    let open = interrupt.is_set() || rows.iter().any(|r| r.verdict == Verdict::Inconclusive);
    match (wrong.is_empty(), exit) {
        (false, _) => Exit::Violated,
        (true, Exit::Holds) if open => Exit::Inconclusive,
        (true, exit) => exit,
    }
}

/// A line for each check that does not apply.
fn left_out(skipped: &[Skipped]) -> String {
    skipped.iter().map(|s| format!("skipped {}: {}\n", s.algorithm, s.reason)).collect()
}

/// A document of rows with what was odd and wrong.
fn emptied(document: Document<riata::Answer>) -> Document<Row> {
    let mut rows = Document::new(document.command, document.input);
    rows.inputs = document.inputs;
    rows.skipped = document.skipped;
    rows.warnings = document.warnings;
    rows.errors = document.errors;
    rows
}

/// Draws what was asked for.
fn plot(args: &CompareArgs, rows: &[Row], session: &Session) {
    let Some(file) = &args.plot else { return };
    let measure = match args.measure {
        None | Some(Measured::Seconds) => Measure::Seconds,
        Some(Measured::States) => Measure::States,
        Some(Measured::Transitions) => Measure::Transitions,
        Some(Measured::Bytes) => Measure::Bytes,
    };
    let picture = match &args.against {
        Some(rival) => compare::scatter(rows, rival, measure)
            .ok_or_else(|| format!("nothing was decided by {rival} and by another, so there is no plot")),
        None => {
            compare::cactus(rows, measure).ok_or_else(|| "nothing was decided, so there is no plot".into())
        }
    };
    match picture {
        Ok(svg) => crate::files::save(file, Ok(svg), session),
        Err(why) => session.warning(&why.into()),
    }
}

/// A session that hears progress and warnings, and not the answers: rows are made of them.
struct Quiet<'a>(&'a Session<'a>);

impl Listener for Quiet<'_> {
    fn warning(&self, warning: &riata::Problem) {
        // That an algorithm is not needed for a property is seen in its rows.
        if !warning.message.starts_with("--algorithm:") {
            self.0.warning(warning);
        }
    }

    fn search(&self, what: &str, memory: Option<usize>) -> Box<dyn riata::Progress + '_> {
        self.0.search(what, memory)
    }

    fn pulse(&self, pulse: riata_symbolic::oxi::Pulse) {
        self.0.pulse(pulse);
    }
}
