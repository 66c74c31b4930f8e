//! What somebody who walks through a model can do, at a prompt or on a page.

use riata::Error;
use riata::subject::Walk;
use riata_automata::random::Rng;

/// The most steps that a search for a condition takes.
pub const MOST: usize = 10_000;

/// Something to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Take one of the steps that were listed last.
    Take(usize),
    /// Go back so many steps.
    Back(usize),
    /// Go back to the state with this number, or on by chance up to it.
    Goto(usize),
    /// Go on by chance for so many steps.
    On(usize),
    /// Go on by chance until a condition is true.
    Until(String),
}

/// What became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Is the state another one, perhaps?
    pub moved: bool,
    /// What is to be said.
    pub says: Option<String>,
}

impl Done {
    fn moved(met: bool) -> Done {
        Done { moved: true, says: (!met).then(|| "nothing can move any more".into()) }
    }

    fn stayed(why: &str) -> Done {
        Done { moved: false, says: Some(why.into()) }
    }
}

/// Does something; `listed` steps were listed last.
pub fn act(walk: &mut dyn Walk, random: &mut Rng, listed: usize, act: &Act) -> Result<Done, Error> {
    let now = walk.steps().unwrap_or(0);
    let reached = |walk: &mut dyn Walk, n: usize| walk.steps().is_some_and(|k| k >= n);
    Ok(match act {
        Act::Take(i) if *i < listed => {
            walk.take(Some(*i), random)?;
            Done::moved(true)
        }
        Act::Take(_) => Done::stayed("there is no such step"),
        Act::Back(n) => match (0..*n).take_while(|_| walk.back()).count() {
            0 => Done::stayed("this is the first state"),
            _ => Done::moved(true),
        },
        Act::Goto(n) if *n < now => {
            (*n..now).for_each(|_| {
                walk.back();
            });
            Done::moved(true)
        }
        Act::Goto(n) => Done::moved(by_chance(walk, random, |walk| Ok(reached(walk, *n)))?),
        Act::On(n) => {
            let end = now.saturating_add(*n);
            Done::moved(by_chance(walk, random, |walk| Ok(reached(walk, end)))?)
        }
        Act::Until(condition) if condition.trim().is_empty() => Done::stayed("until takes a condition"),
        Act::Until(condition) => {
            let met = by_chance(walk, random, |walk| {
                let taken = walk.steps().unwrap_or(0);
                Ok(taken > now && walk.holds(condition)? || taken >= now.saturating_add(MOST))
            })?;
            let says = match met {
                false => Some("nothing can move any more".into()),
                true if !walk.holds(condition)? => Some(format!("it was not true in {MOST} steps")),
                true => None,
            };
            Done { moved: true, says }
        }
    })
}

/// Goes on by chance until `enough`; false if nothing could move before.
pub fn by_chance(
    walk: &mut dyn Walk,
    random: &mut Rng,
    mut enough: impl FnMut(&mut dyn Walk) -> Result<bool, Error>,
) -> Result<bool, Error> {
    while !enough(walk)? {
        if !walk.forward(random)? {
            return Ok(false);
        }
    }
    Ok(true)
}
