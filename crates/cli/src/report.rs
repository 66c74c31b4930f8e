//! `riata report`: a page of answers that were kept as JSON.

use crate::args::{Common, ReportArgs};
use crate::input::Input;
use crate::output::{Exit, complain, eprint, print};
use riata::Error;
use riata::report::{page, saved};
use riata_source::{Diagnostic, Span};

/// A line that is longer is not shown in a message.
const WIDEST: usize = 300;

/// Runs the command.
pub fn run(args: &ReportArgs, common: &Common) -> Exit {
    if common.json {
        return complain(common, "--json: `riata report` writes a page; it has no JSON form");
    }
    if common.quiet && args.output.is_none() {
        return complain(common, "--quiet would leave nothing: say with --output where the page goes");
    }
    let (mut texts, mut titles) = (Vec::new(), Vec::new());
    for file in &args.files {
        match read(file) {
            Ok((text, inputs)) => {
                if common.verbose {
                    eprint(&format!("{}: about {}\n", file.display(), inputs.join(", ")));
                }
                texts.push(text);
                titles.extend(inputs);
            }
            Err(Error::Text(remarks)) => {
                eprint(&remarks.draw(common.colour_errors()));
                return Exit::Bad;
            }
            Err(error) => return complain(common, &error.to_string()),
        }
    }
    titles.dedup();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let page = page::page(&titles.join(" "), &texts);
    match &args.output {
        None => print(&page),
        Some(file) => {
            if let Err(e) = std::fs::write(file, page) {
                return complain(common, &format!("cannot write {}: {e}", file.display()));
            }
        }
    }
    Exit::Holds
}

/// The text of a file, and the inputs that it is about.
fn read(file: &std::path::Path) -> Result<(String, Vec<String>), Error> {
    let input = Input::read(file).map_err(Error::usage)?;
    let name = input.name;
    let text = String::from_utf8(input.bytes)
        .map_err(|_| Error::usage(format!("{name}: it is no text in UTF-8")))?;
    match saved::inputs(&text) {
        Ok(inputs) => Ok((text, inputs)),
        Err(saved::Wrong { message, place: Some(place) }) => {
            let (line, column) = place;
            if text.lines().nth(line.saturating_sub(1)).is_some_and(|l| l.len() > WIDEST) {
                return Err(Error::usage(format!("{name}:{line}:{column}: {message}")));
            }
            let help = "give what `riata check --json` printed";
            let wrong = Diagnostic::error(Span::at(offset(&text, place)), message).help(help);
            Err(Error::text(&name, text.as_bytes(), vec![wrong]))
        }
        Err(wrong) => Err(Error::usage(format!("{name}: {}", wrong.message))),
    }
}

/// The byte of a line and a column, both counted from 1; columns in bytes.
fn offset(text: &str, (line, column): (usize, usize)) -> usize {
    let begin: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut at = (begin + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
