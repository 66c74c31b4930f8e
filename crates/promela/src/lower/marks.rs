//! Which locations end, accept and make progress.
//!
//! A label marks the location of its statement. The first statement of an option has no location of its own: control
//! is at the selection, and the step leads on from there. Spin says that a label is misplaced there, and its verifier
//! hands the mark on to where the step leads (`imed` in its tables): a run that takes the step comes by the mark. A
//! label before a block or a selection at the beginning of an option is handed to the steps with which that begins
//! first.

use super::flow::{El, Flow, Kind, Seq};
use riata_source::Diagnostic;

/// The marks of a location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub end: bool,
    pub accepting: bool,
    pub progress: bool,
}

impl Marks {
    fn add(&mut self, other: Marks) -> bool {
        let before = *self;
        self.end |= other.end;
        self.accepting |= other.accepting;
        self.progress |= other.progress;
        *self != before
    }
}

/// The prefixes of labels that mean something.
const MARKING: [&str; 3] = ["end", "accept", "progress"];

impl Flow {
    /// The marks of all elements.
    pub(super) fn marks(&self) -> Vec<Marks> {
        let mut marks: Vec<Marks> = self.elements.iter().map(|e| own(&e.labels, &e.kind)).collect();
        let mut choices: Vec<El> = (0..self.elements.len()).filter(|&e| self.begins(e).is_some()).collect();
        choices.sort_by_key(|&e| self.elements[e].number);
        // A selection or block with which an option begins hands its marks down.
        let mut changed = true;
        while changed {
            changed = false;
            for &e in &choices {
                for first in self.begins(e).unwrap_or_default() {
                    for inner in self.begins(first).unwrap_or_default() {
                        let given = marks[first];
                        changed |= marks[inner].add(given);
                    }
                }
            }
        }
        for &e in &choices {
            for first in self.starts(e) {
                if let Some(to) = self.leads(first) {
                    let given = marks[first];
                    marks[to].add(given);
                }
            }
        }
        marks
    }

    /// Is there a label that accepts, and one of progress? Also where no run comes by, or inside a `d_step`.
    pub(super) fn labelled(&self) -> (bool, bool) {
        let any = |prefix: &str| self.elements.iter().any(|e| e.labels.iter().any(|l| l.starts_with(prefix)));
        let [_, accept, progress] = MARKING;
        (any(accept), any(progress))
    }

    /// The elements with which the parts of a selection or a block begin; none for what is a step.
    fn begins(&self, e: El) -> Option<Vec<El>> {
        match &self.elements[e].kind {
            Kind::Choice(options) => Some(options.iter().filter_map(|&o| self.hunt_start(o)).collect()),
            Kind::Atomic(s) | Kind::Group(s) => Some(self.hunt_start(*s).into_iter().collect()),
            _ => None,
        }
    }

    /// Warns of a label with a meaning at the beginning of an option.
    pub(super) fn warn_of_label(&mut self, option: Seq) {
        let Some(first) = self.sequences[option].first else { return };
        // The element of a repetition comes behind the one where its options meet.
        let repetition = matches!(self.elements[first].kind, Kind::Join).then_some(self.elements[first].next);
        let found = self.labels.iter().find(|l| {
            let here = l.element == first || repetition == Some(Some(l.element));
            here && MARKING.iter().any(|p| l.name.starts_with(p))
        });
        if let Some(label) = found {
            let message = format!("label `{}` is at the beginning of an option", label.name);
            let d = Diagnostic::warning(label.span, message).help(
                "as in Spin, it counts for where the statement leads; for the whole `if` or `do`, write it before",
            );
            self.wrong.push(d);
        }
    }
}

fn own(labels: &[std::sync::Arc<str>], kind: &Kind) -> Marks {
    let labelled = |prefix: &str| labels.iter().any(|l| l.starts_with(prefix));
    let [end, accept, progress] = MARKING;
    Marks {
        end: labelled(end) || matches!(kind, Kind::End),
        accepting: labelled(accept),
        progress: labelled(progress),
    }
}
