//! A subject: a model of any kind, as the commands see it. A new kind of model is one more implementation of this trait.

use crate::error::{Error, Remarks};
use crate::how::How;
use crate::options::Kind;
use crate::written::{Wish, Written};
pub use riata_automata::random::Rng;
use riata_report::answer::{Answer, Location, Skipped};
use riata_report::run::Run;
use riata_report::trace::Step;

/// A property that a model states, or that was given with the question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stated {
    /// Its name.
    pub name: String,
    /// Its formula, as it is written.
    pub formula: Option<String>,
    /// Where it is written.
    pub location: Option<Location>,
    /// Other names for it.
    pub aliases: Vec<String>,
    /// Must it be chosen by name to be checked?
    pub on_request: bool,
}

impl Stated {
    /// A property that has no more than a name.
    pub fn named(name: impl Into<String>) -> Stated {
        Stated { name: name.into(), ..Stated::default() }
    }
}

/// Where answers go as they come.
pub struct Out<'a> {
    /// How they are found.
    pub how: &'a How<'a>,
    /// What is known of the properties.
    pub stated: &'a [Stated],
    /// The answers so far.
    pub answers: Vec<Answer>,
    /// Checks that do not apply.
    pub skipped: Vec<Skipped>,
}

impl Out<'_> {
    /// An answer; it gets the formula and the place of its property.
    pub fn answer(&mut self, mut answer: Answer) {
        let name = answer.property.as_deref().unwrap_or_default();
        if let Some(stated) = self.stated.iter().find(|s| s.name == name) {
            answer.formula = answer.formula.or_else(|| stated.formula.clone());
            answer.location = answer.location.or_else(|| stated.location.clone());
        }
        let run = answer.run.as_mut().and_then(std::sync::Arc::get_mut);
        if let (Some(run), Some(formula)) = (run, &answer.formula) {
            let place = answer.location.as_ref().map_or(String::new(), |l| format!("{l}  "));
            run.about = format!("{place}{formula}");
        }
        self.how.listener.answer(&answer);
        self.answers.push(answer);
    }

    /// A check that does not apply.
    pub fn skip(&mut self, skipped: Vec<Skipped>) {
        skipped.iter().for_each(|s| self.how.listener.skipped(s));
        self.skipped.extend(skipped);
    }
}

/// One run that grows step by step.
pub trait Walk {
    /// The steps that are possible now, or the initial states; and whether there are more that are not listed.
    fn choices(&mut self) -> Result<(Vec<Step>, bool), Error>;

    /// Takes one of the steps that [`Walk::choices`] listed last; `None` leaves the choice to chance. False
    /// if there is none.
    fn take(&mut self, choice: Option<usize>, random: &mut Rng) -> Result<bool, Error>;

    /// Goes on by chance; false if nothing can move.
    fn forward(&mut self, random: &mut Rng) -> Result<bool, Error> {
        self.choices()?;
        self.take(None, random)
    }

    /// Goes back one step; false at the beginning.
    fn back(&mut self) -> bool;

    /// How many steps were taken; none before the initial state is chosen.
    fn steps(&self) -> Option<usize>;

    /// The present state for people: a line for each part.
    fn state(&self) -> Vec<String>;

    /// Is a condition of the model's language true now?
    fn holds(&mut self, condition: &str) -> Result<bool, Error>;

    /// The run so far.
    fn run(&self, title: &str) -> Run;
}

/// Somebody who walks.
pub type Walker<'a> = dyn FnMut(&mut dyn Walk) -> Result<(), Error> + Send + 'a;

/// Is a saved trace a run of a model?
pub enum Replayed {
    /// It is: the run, and what kind of run it is.
    Confirmed(Box<Run>, &'static str),
    /// It is not.
    Refuted(String),
}

/// A model of any kind.
pub trait Subject {
    /// Its kind.
    fn kind(&self) -> Kind;

    /// As the user named it.
    fn name(&self) -> &str;

    /// Its own name and its place in a stream of several.
    fn index(&self) -> Option<(usize, Option<&str>)> {
        None
    }

    /// What is odd about its text, or about formulas that were given.
    fn remarks(&self) -> &[Remarks];

    /// Its files: names and texts; none if it has no text of its own to be shown.
    fn sources(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Takes formulas that were given with the question.
    fn take(&mut self, how: &How) -> Result<Vec<Stated>, Error>;

    /// What it states.
    fn properties(&self) -> Vec<Stated>;

    /// Decides the properties with these names.
    fn check(&mut self, names: &[String], out: &mut Out) -> Result<(), Error>;

    /// Counts its states.
    fn explore(&mut self, how: &How) -> Result<Answer, Error>;

    /// Gives `walker` a run that grows step by step.
    fn walk(&mut self, how: &How, walker: &mut Walker) -> Result<(), Error>;

    /// Is a saved trace one of its runs? The trace is the content of a file, with its name.
    fn replay(&self, trace: (&str, &[u8]), how: &How) -> Result<Replayed, Error>;

    /// Writes a small graph down: the state space, or the product that the check of a property walks.
    fn write_down(&mut self, wish: &Wish, how: &How) -> Result<Written, Error>;

    /// What a search would run on, as text.
    fn print(&self, how: &How) -> Result<String, Error>;

    /// Why steps can be left out by partial-order reduction or not.
    fn explain(&self, how: &How) -> Result<String, Error>;
}
