//! `riata simulate`: one run of a model, by chance, by hand, or as a file tells.

use crate::args::{Common, SimulateArgs};
use crate::files;
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::output::{Exit, complain, print};
use crate::replay::follow;
use crate::session::{Session, Shape};
use crate::walking::{self, Act, by_chance};
use riata::report::run::{Form, Run};
use riata::report::trace::Step;
use riata::subject::{Replayed, Walk};
use riata::{Error, How, Model, Options};
use riata_automata::random::Rng;
use serde_json::Value;
use std::io::BufRead;

/// What interactive simulation understands.
const HELP: &str = "\
  NUMBER            take this step
  back [N]          go back a step, or N
  goto N            go back to state N, or on by chance up to it
  run N             go on by chance for N steps
  until CONDITION   go on by chance until the condition is true (at most 10000 steps)
  state             show the whole state
  trace             show the run so far
  help              show this
  q                 stop, and show the run
";

/// Runs the command.
pub fn run(args: &SimulateArgs, common: &Common) -> Exit {
    let named = args.model.to_string_lossy().into_owned();
    let mut session = Session::new("simulate", &[named], common, &args.look, Shape::Text);
    session.messages = args.pictures.msc;
    let mut options = Options::default();
    options.forms = args.pictures.forms(common.json || args.trace.is_some(), true);
    options.forms.columns = args.look.columns.is_some();
    options.reading = args.reading.clone();
    let (title, walked) = match &args.guide {
        Some(file) => {
            let input = match Input::read(file) {
                Ok(input) => input,
                Err(message) => return complain(common, &message),
            };
            let title = format!("simulation guided by {}", file.display());
            (title, guided(args, &input, &options, &session))
        }
        None if args.interactive => ("interactive simulation".into(), walk(args, &options, &session)),
        None => (format!("simulation with seed {}", args.seed), walk(args, &options, &session)),
    };
    let mut run = match walked {
        Ok(run) => run,
        Err(error) => {
            session.fail(&error);
            return session.finish();
        }
    };
    run.title = format!("{}: {title}", args.model.to_string_lossy());
    show(args, common, &session, &run);
    if session.state().document.errors.is_empty() { Exit::Holds } else { Exit::Bad }
}

/// Only what the file tells, and no more of it than was asked for.
fn guided(args: &SimulateArgs, input: &Input, options: &Options, session: &Session) -> Result<Run, Error> {
    match follow((&args.model, args.input), input, options, session)? {
        Replayed::Confirmed(mut run, _) => {
            if let Some(n) = args.steps {
                run.truncate(n);
            }
            Ok(*run)
        }
        Replayed::Refuted(why) => {
            Err(Error::usage(format!("not a run of {}: {why}", args.model.to_string_lossy())))
        }
    }
}

fn walk(args: &SimulateArgs, options: &Options, session: &Session) -> Result<Run, Error> {
    let interrupt = Interrupt::listen();
    let mut model = Model::open_as(&args.model, args.input, &options.reading)?;
    session.remarks(model.remarks());
    let how = How::new(options, model.kind(), interrupt.flag(), session);
    let mut random = Rng::new(args.seed);
    let mut found = None;
    let name = model.name().to_string();
    model.walk(&how, &mut |walk| {
        let steps = args.steps.unwrap_or(if args.interactive { usize::MAX } else { 50 });
        if args.interactive {
            by_hand(walk, &mut random, steps, session)?;
        } else {
            by_chance(walk, &mut random, |walk| Ok(walk.steps() == Some(steps)))?;
        }
        if walk.steps().is_none() && args.interactive {
            return Err(Error::usage(format!("{name}: no initial state was chosen, and so there is no run")));
        }
        if walk.steps().is_none() {
            return Err(Error::usage(format!("{name}: there is no initial state, and so no run")));
        }
        found = Some(walk.run("simulation"));
        Ok(())
    })?;
    found.ok_or_else(|| Error::usage("there is no run"))
}

/// What the user says next; nothing at the end of the input.
fn ask() -> Option<String> {
    print("which step (number, or help)? ");
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(n) if n > 0 => Some(line.trim().to_string()),
        _ => None,
    }
}

fn by_hand(walk: &mut dyn Walk, random: &mut Rng, steps: usize, session: &Session) -> Result<(), Error> {
    while walk.steps().is_none_or(|n| n < steps) {
        let (choices, more) = walk.choices()?;
        if let Some(n) = walk.steps() {
            print(&format!(
                "step {}:\n{}",
                n + 1,
                walk.state().iter().map(|l| format!("  {l}\n")).collect::<String>()
            ));
        }
        if choices.is_empty() {
            print("nothing can move here; `back` goes back, `q` stops\n");
        } else {
            menu(&choices, more);
        }
        // Until the state changes.
        loop {
            let Some(line) = ask() else {
                print("\n");
                return Ok(());
            };
            match command(&line, walk, random, &choices, session) {
                Ok(Then::Stop) => return Ok(()),
                Ok(Then::Moved) => break,
                Ok(Then::Stayed) => {}
                // A wrong condition is no reason to stop.
                Err(error @ (Error::Text(_) | Error::Usage(_))) => print(&format!("{error}\n")),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

/// What comes after a command.
enum Then {
    Stop,
    Moved,
    Stayed,
}

fn command(
    line: &str,
    walk: &mut dyn Walk,
    random: &mut Rng,
    choices: &[Step],
    session: &Session,
) -> Result<Then, Error> {
    let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(w, r)| (w, r.trim()));
    let number = |text: &str| text.parse::<usize>().ok();
    if let "trace" | "t" = word {
        print(&session.run(&walk.run("so far")));
        return Ok(Then::Stayed);
    }
    if let "state" | "s" = word {
        walk.state().iter().for_each(|line| print(&format!("  {line}\n")));
        return Ok(Then::Stayed);
    }
    let mut done = |act: Act| {
        let done = walking::act(walk, random, choices.len(), &act)?;
        done.says.iter().for_each(|text| print(&format!("{text}\n")));
        Ok(if done.moved { Then::Moved } else { Then::Stayed })
    };
    match word {
        "" => Ok(Then::Stayed),
        "q" | "quit" => Ok(Then::Stop),
        "help" | "h" | "?" => {
            print(HELP);
            Ok(Then::Stayed)
        }
        "back" | "b" => match if rest.is_empty() { Some(1) } else { number(rest) } {
            Some(n) => done(Act::Back(n)),
            None => unknown("back takes a number of steps"),
        },
        "goto" | "g" => {
            number(rest).map_or_else(|| unknown("goto takes the number of a state"), |n| done(Act::Goto(n)))
        }
        "run" | "r" => {
            number(rest).map_or_else(|| unknown("run takes a number of steps"), |n| done(Act::On(n)))
        }
        "until" | "u" => done(Act::Until(rest.into())),
        text => {
            // What is no number is no step.
            let i = number(text).unwrap_or(usize::MAX);
            let then = done(Act::Take(i))?;
            for (who, text) in choices.get(i).iter().flat_map(|step| &step.printed) {
                print(&format!("  » {who}: {}\n", text.trim_end()));
            }
            Ok(then)
        }
    }
}

fn unknown(message: &str) -> Result<Then, Error> {
    print(&format!("{message}\n"));
    Ok(Then::Stayed)
}

/// The steps to choose from.
fn menu(choices: &[Step], more: bool) {
    if more {
        print(&format!("there are more than {} ways to go on; these are the first\n", choices.len()));
    }
    for (i, step) in choices.iter().enumerate() {
        let changes: Vec<&str> = step.cells.iter().map(String::as_str).filter(|c| !c.is_empty()).collect();
        print(&format!("  {i:>3}  {}  {}  [{}]\n", step.place, step.statement, changes.join(", ")));
    }
}

fn show(args: &SimulateArgs, common: &Common, session: &Session, run: &Run) {
    let mut wanted: files::Files = args.trace.iter().map(|f| (Form::Itf, f)).collect();
    wanted.extend(args.pictures.files());
    files::write(&wanted, Some(run), session);
    if common.json {
        let mut itf = run.itf();
        if let Value::Object(object) = &mut itf {
            object.extend(run.more());
            if !run.steps.is_empty() {
                object.insert("#printed".into(), run.printed());
            }
            object.extend(session.errors());
        }
        print(&format!("{itf}\n"));
    } else if !common.quiet {
        if common.verbose {
            print(&format!("{}, {} steps\n", run.title, run.length().saturating_sub(1)));
        }
        print(&session.run(run));
    }
}
