//! The loops behind the commands: one for all kinds of models.

use crate::error::Error;
use crate::how::How;
use crate::options::Algorithms;
use crate::subject::{Out, Stated, Subject};
use crate::table::{Command, refused};
use crate::written::{Wish, Written};
use riata_report::answer::{Answer, Skipped, Verdict};

/// What was found of a model.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// One for each property and algorithm.
    pub answers: Vec<Answer>,
    /// Checks that were asked for and do not apply.
    pub skipped: Vec<Skipped>,
}

impl Report {
    /// All properties together: violated if one is, else inconclusive if one is.
    pub fn verdict(&self) -> Verdict {
        let some = |v| self.answers.iter().any(|a| a.verdict == v);
        match (some(Verdict::Violated), some(Verdict::Inconclusive)) {
            (true, _) => Verdict::Violated,
            (_, true) => Verdict::Inconclusive,
            _ => Verdict::Holds,
        }
    }

    /// A page about all answers, which needs nothing but itself. It shows as much of the runs as was asked for
    /// ([`Forms`](crate::options::Forms)).
    pub fn page(&self, title: &str) -> String {
        riata_report::page::of_answers(title, &self.answers)
    }

    /// Does everything hold?
    pub fn holds(&self) -> bool {
        self.verdict() == Verdict::Holds
    }
}

/// Is what was asked for possible?
pub fn possible(how: &How, command: Command) -> Result<(), Error> {
    if let Some(why) = refused(how.options, how.kind, command) {
        return Err(Error::Usage(why));
    }
    if how.options.spreading.is_given() && how.cluster.is_none() {
        return Err(Error::usage("several processes and checkpoints need a cluster: see `How::among`"));
    }
    Ok(())
}

/// The properties that are to be checked.
fn chosen(subject: &dyn Subject, given: &[Stated], how: &How) -> Result<Vec<String>, Error> {
    let all = subject.properties();
    let wanted = &how.options.property;
    let mut names: Vec<String> = Vec::new();
    for name in wanted {
        match all.iter().find(|s| s.name == *name || s.aliases.contains(name)) {
            Some(stated) if names.contains(&stated.name) => {}
            Some(stated) => names.push(stated.name.clone()),
            None => {
                let known: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
                let known = if known.is_empty() { "none".into() } else { known.join(", ") };
                return Err(Error::usage(format!("the model has no property `{name}`; it has {known}")));
            }
        }
    }
    if wanted.is_empty() && given.is_empty() {
        names.extend(all.iter().filter(|s| !s.on_request).map(|s| s.name.clone()));
    }
    for g in given {
        if names.contains(&g.name) {
            return Err(Error::usage(format!(
                "there are two properties `{}`: ask for one at a time",
                g.name
            )));
        }
        names.push(g.name.clone());
    }
    if names.is_empty() {
        return Err(Error::usage(format!(
            "there is nothing to check: {} states no properties; give some with --ltl",
            subject.name()
        )));
    }
    Ok(names)
}

/// Writes the state space of a model down, or the product that the check of one property walks; its name comes with it.
pub fn write_down(
    subject: &mut dyn Subject,
    how: &How,
    (one_set, most): (bool, usize),
) -> Result<(Written, Option<String>), Error> {
    possible(how, Command::Draw)?;
    let given = subject.take(how)?;
    let asked = !given.is_empty() || !how.options.property.is_empty();
    let names = if asked { chosen(subject, &given, how)? } else { Vec::new() };
    if names.len() > 1 {
        return Err(Error::usage(format!("{} properties at once cannot be drawn: choose one", names.len())));
    }
    let property = names.into_iter().next();
    how.listener.begin(property.as_slice());
    let written = subject.write_down(&Wish { property: property.clone(), one_set, most }, how)?;
    Ok((written, property))
}

/// Decides properties of a model.
pub fn check(subject: &mut dyn Subject, how: &How) -> Result<Report, Error> {
    possible(how, Command::Check)?;
    let given = match subject.take(how) {
        Err(Error::Stopped(_)) => {
            // One of the formulas cannot be translated within the limits.
            let names = (0..how.options.ltl.len()).map(|i| format!("ltl_{i}"));
            let answers: Vec<Answer> = names.map(|name| crate::infinite::untranslated(name, how)).collect();
            answers.iter().for_each(|a| how.listener.answer(a));
            return Ok(Report { answers, skipped: Vec::new() });
        }
        given => given?,
    };
    let names = chosen(subject, &given, how)?;
    how.listener.begin(&names);
    let stated: Vec<Stated> = given.into_iter().chain(subject.properties()).collect();
    let mut out = Out { how, stated: &stated, answers: Vec::new(), skipped: Vec::new() };
    subject.check(&names, &mut out)?;
    unused(&out);
    Ok(Report { answers: out.answers, skipped: out.skipped })
}

/// Tells what was asked for about infinite runs, if no property was about them.
fn unused(out: &Out) {
    let asked = &out.how.options.deciding;
    if asked.automaton.is_some() && out.answers.iter().all(|a| a.formula.is_none()) {
        out.how.warn("--automaton: no formula was checked, and it is about the automata of those");
    }
    let given = [
        ("--algorithm", asked.algorithm.is_some_and(|a| a != Algorithms::Auto)),
        ("--deadlocks", asked.deadlocks.is_some()),
        ("--fairness", asked.fairness.is_some()),
    ];
    let finite = |a: &Answer| a.algorithm == "bfs";
    if out.how.is_symbolic() || !out.answers.iter().all(finite) {
        return;
    }
    for (option, _) in given.iter().filter(|(_, given)| *given) {
        out.how.warn(format!("{option}: no property of infinite runs was checked, and it is about those"));
    }
}

/// Counts the states of a model.
pub fn explore(subject: &mut dyn Subject, how: &How) -> Result<Answer, Error> {
    possible(how, Command::Explore)?;
    how.listener.begin(&[]);
    let answer = subject.explore(how)?;
    how.listener.answer(&answer);
    Ok(answer)
}
