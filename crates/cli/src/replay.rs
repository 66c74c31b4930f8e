//! `riata replay`: is a saved trace a run of a model?

use crate::args::{Common, ReplayArgs};
use crate::files;
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::output::{Exit, complain, print};
use crate::session::{Session, Shape};
use riata::report::answer::SCHEMA;
use riata::report::run::Run;
use riata::subject::Replayed;
use riata::{Error, How, Model, Options, Verdict};
use serde_json::{Value, json};

/// Runs the command.
pub fn run(args: &ReplayArgs, common: &Common) -> Exit {
    let input = match Input::read(&args.trace) {
        Ok(input) => input,
        Err(message) => return complain(common, &message),
    };
    let named = args.model.to_string_lossy().into_owned();
    let mut session = Session::new("replay", std::slice::from_ref(&named), common, &args.look, Shape::Text);
    session.messages = args.pictures.msc;
    let mut options = Options::default();
    options.forms = args.pictures.forms(true, args.shows(common));
    options.forms.columns = args.look.columns.is_some();
    options.reading = args.reading.clone();
    let replayed = replay(args, &input, &options, &session);
    match replayed {
        Ok(Replayed::Confirmed(run, kind)) => {
            confirmed(args, common, &session, &run, kind);
            if session.state().document.errors.is_empty() { Exit::Holds } else { Exit::Bad }
        }
        Ok(Replayed::Refuted(why)) => {
            if common.json {
                let object = json!({"schema": SCHEMA, "command": "replay", "input": named, "confirmed": false,
                    "reason": why});
                print(&format!("{object}\n"));
            } else if !common.quiet {
                let refuted = common.paint("not a run", Verdict::Violated);
                print(&format!("{refuted} of {named}: {why}\n"));
            }
            Exit::Violated
        }
        Err(error) => {
            session.fail(&error);
            session.finish()
        }
    }
}

impl ReplayArgs {
    /// Is the run itself shown? Who says how wants to see it.
    fn shows(&self, common: &Common) -> bool {
        common.verbose || self.pictures.msc || !self.look.given().is_empty()
    }
}

/// Reads the model, and follows the trace.
pub fn follow(
    (model, kind): (&std::path::Path, Option<riata::Kind>),
    input: &Input,
    options: &Options,
    session: &Session,
) -> Result<Replayed, Error> {
    let interrupt = Interrupt::listen();
    let model = Model::open_as(model, kind, &options.reading)?;
    session.remarks(model.remarks());
    let how = How::new(options, model.kind(), interrupt.flag(), session);
    model.replay((&input.name, &input.bytes), &how)
}

fn replay(args: &ReplayArgs, input: &Input, options: &Options, session: &Session) -> Result<Replayed, Error> {
    follow((&args.model, args.input), input, options, session)
}

fn confirmed(args: &ReplayArgs, common: &Common, session: &Session, run: &Run, kind: &str) {
    let steps = run.length().saturating_sub(1);
    let named = args.model.to_string_lossy();
    files::write(&args.pictures.files(), Some(run), session);
    if common.json {
        let mut object = json!({"schema": SCHEMA, "command": "replay", "input": named, "confirmed": true,
            "steps": steps, "loop": run.back});
        if let Value::Object(object) = &mut object {
            object.extend(run.more());
            object.extend(session.errors());
        }
        print(&format!("{object}\n"));
    } else if !common.quiet {
        let shown = if args.shows(common) {
            session.run(run)
        } else if run.trace.end.is_empty() {
            String::new()
        } else {
            format!("  {}\n", run.trace.end)
        };
        let confirmed = common.paint("confirmed", Verdict::Holds);
        print(&format!("{shown}{confirmed}: {kind} of {steps} steps of {named}\n"));
    }
}
