//! Answers many questions in one process: what `riata check` and `riata explore` would print with `--json`, without a process for each.
//!
//! ```text
//! cargo run --release -p riata --features clap --example answers
//! ["check", "model.pml", "--fairness", "weak"]
//! {"code":0,"results":[…]}
//! ```
//!
//! A line is the command line as a list of strings; the answer is one line with the exit code. `bench/promela/selfcheck.py
//! --answers` asks so: most of its programs are decided sooner than a process has begun.

use clap::Parser;
use riata::options::{Deciding, Hashing, Limits, Reading, Reducing, Store, Symbolic};
use riata::{Answer, Error, Model, Options, Verdict};
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

#[derive(Parser)]
#[command(no_binary_name = true)]
struct Question {
    /// `check` or `explore`.
    command: String,
    model: PathBuf,
    #[arg(long)]
    json: bool,
    #[arg(long)]
    exists: bool,
    #[arg(long)]
    stats: bool,
    /// States after which all cores begin again.
    #[arg(long)]
    alone: Option<usize>,
    #[arg(short, long)]
    property: Vec<String>,
    #[arg(long, value_enum)]
    store: Option<Store>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    deciding: Deciding,
    #[command(flatten)]
    reducing: Reducing,
    #[command(flatten)]
    hashing: Hashing,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    symbolic: Symbolic,
}

fn answers(q: Question) -> Result<Vec<Answer>, Error> {
    let mut model = Model::open_as(&q.model, None, &q.reading)?;
    let mut options = Options::default();
    options.reading = q.reading;
    options.deciding = q.deciding;
    options.reducing = q.reducing;
    options.hashing = q.hashing;
    options.limits = q.limits;
    options.limits.alone = q.alone;
    options.symbolic = q.symbolic;
    options.store = q.store;
    options.exists = q.exists;
    options.stats = q.stats;
    options.property = q.property;
    match q.command.as_str() {
        "explore" => Ok(vec![model.explore(&options)?]),
        "check" => Ok(model.check().options(options).run()?.answers),
        other => Err(Error::usage(format!("`{other}` is neither check nor explore"))),
    }
}

/// The exit code that the command would have.
fn code(answers: &[Answer]) -> i32 {
    let is = |verdict| answers.iter().any(|a| a.verdict == verdict);
    match () {
        () if is(Verdict::Violated) => 1,
        () if is(Verdict::Inconclusive) => 3,
        () => 0,
    }
}

fn answered(line: &str) -> Value {
    let words: Vec<String> = match serde_json::from_str(line) {
        Ok(words) => words,
        Err(e) => return json!({"code": 2, "error": e.to_string()}),
    };
    let question = match Question::try_parse_from(words) {
        Ok(question) => question,
        Err(e) => return json!({"code": 2, "error": e.to_string()}),
    };
    match catch_unwind(AssertUnwindSafe(|| answers(question))) {
        Ok(Ok(answers)) => json!({"code": code(&answers), "results": answers}),
        Ok(Err(e)) => json!({"code": 2, "error": e.to_string()}),
        Err(_) => json!({"code": 101, "error": "panicked at what standard error tells"}),
    }
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        writeln!(out, "{}", answered(&line?))?;
        out.flush()?;
    }
    Ok(())
}
