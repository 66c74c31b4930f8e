//! `riata man` and `riata completions`: what is made from the description of the command line, so that it cannot differ
//! from it.

use crate::args::{Args, Common, CompletionsArgs, ManArgs};
use crate::output::{Exit, complain, print_with};
use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::io;
use std::path::Path;

/// The commands that have a page: `riata` itself, then the others.
fn commands() -> Vec<clap::Command> {
    let mut root = Args::command().disable_help_subcommand(true);
    // Common options are put into the commands, which get the names `riata-check` and so on.
    root.build();
    let rest: Vec<clap::Command> = root.get_subcommands().filter(|c| !c.is_hide_set()).cloned().collect();
    std::iter::once(root).chain(rest).collect()
}

/// The text of a page. Examples keep their lines, and every page tells the exit codes. What stands below the help of a
/// command are paragraphs: `Examples:`, `Exit codes:` if it has its own, and notes.
fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let (commands, below) = (command.has_subcommands(), command.get_after_help().map(ToString::to_string));
    let man = Man::new(command).source(concat!("riata ", env!("CARGO_PKG_VERSION"))).manual("Riata");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if commands {
        man.render_subcommands_section(&mut text)?;
    }
    let below = below.unwrap_or_default();
    let mut end = Roff::new();
    let mut codes = None;
    for paragraph in below.split("\n\n") {
        if let Some(examples) = paragraph.strip_prefix("Examples:\n") {
            end.control("SH", ["EXAMPLES"]).control("nf", []);
            for line in examples.lines() {
                end.text([roman(line)]);
            }
            end.control("fi", []);
        } else if let Some(own) = paragraph.strip_prefix("Exit codes: ") {
            codes = Some(own.to_string());
        } else if !paragraph.is_empty() {
            end.control("SH", ["NOTES"]).text([roman(paragraph.replace('\n', " "))]);
        }
    }
    // Those of the command, if it has others than the rest.
    let usual = || Args::command().get_after_help().map(ToString::to_string).unwrap_or_default();
    let codes = codes.unwrap_or_else(usual).replace('\n', " ");
    end.control("SH", ["EXIT STATUS"]).text([roman(codes.trim_start_matches("Exit codes: "))]);
    end.to_writer(&mut text)?;
    Ok(text)
}

/// What means nothing here.
fn refused(common: &Common, quiet: bool) -> Option<&'static str> {
    if common.json {
        Some("--json: this command writes text for other programs; it has no JSON form")
    } else if common.verbose {
        Some("--verbose: there is nothing more to tell")
    } else if common.quiet && !quiet {
        Some("--quiet would leave nothing")
    } else {
        None
    }
}

/// `riata man`.
pub fn pages(args: &ManArgs, common: &Common) -> Exit {
    if let Some(why) = refused(common, args.output.is_some()) {
        return complain(common, why);
    }
    let all = commands();
    if let Some(folder) = &args.output {
        return match write_all(all, folder) {
            Ok(()) => Exit::Holds,
            Err(e) => complain(common, &format!("cannot write to {}: {e}", folder.display())),
        };
    }
    let name = args.page.as_deref().unwrap_or("riata");
    let names: Vec<String> = all.iter().skip(1).map(|c| c.get_name().to_string()).collect();
    let Some(command) = all.into_iter().find(|c| c.get_name() == name) else {
        return complain(common, &format!("there is no command `{name}`; there are {}", names.join(", ")));
    };
    print_with(|out| out.write_all(&page(command)?));
    Exit::Holds
}

/// A file for each page, such as `riata-check.1`.
fn write_all(all: Vec<clap::Command>, folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for command in all {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        let file = folder.join(format!("{name}.1"));
        std::fs::write(file, page(command)?)?;
    }
    Ok(())
}

/// `riata completions`.
pub fn completions(args: &CompletionsArgs, common: &Common) -> Exit {
    if let Some(why) = refused(common, false) {
        return complain(common, why);
    }
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "riata", &mut script);
    print_with(|out| out.write_all(&script));
    Exit::Holds
}
