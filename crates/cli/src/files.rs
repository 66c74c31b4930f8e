//! Files that were asked for.

use crate::session::Session;
use riata::report::run::{Form, Run};
use riata::{Error, Listener};
use std::path::{Path, PathBuf};

/// Forms of a run, and where they go.
pub type Files<'a> = Vec<(Form, &'a PathBuf)>;

/// Writes a run in these forms. If there is none, that is said, and what an earlier call wrote there goes away.
pub fn write(files: &Files, run: Option<&Run>, session: &Session) {
    for (form, file) in files {
        match run {
            Some(run) => save(file, run.file(*form), session),
            None => {
                let old = file.is_file() && std::fs::remove_file(file).is_ok();
                let old = if old { "; the old file is removed" } else { "" };
                let message = format!("there is no run to write to {}{old}", file.display());
                session.warning(&message.into());
            }
        }
    }
}

/// Writes a file; what cannot be written is told.
pub fn save(file: &Path, text: Result<String, String>, session: &Session) {
    let written = match text {
        Ok(text) => std::fs::write(file, text).map_err(|e| e.to_string()),
        Err(e) => Err(e),
    };
    if let Err(e) = written {
        session.fail(&Error::usage(format!("cannot write {}: {e}", file.display())));
    }
}
