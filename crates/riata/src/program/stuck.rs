//! Why nothing moves: for each process where it waits, and for what.

use super::view::Viewer;
use riata_program::{EdgeId, LocId};
use riata_program::{Looked, Reason, Value};

/// The longest list of messages that is shown in full.
const MESSAGES: usize = 60;

impl Viewer<'_> {
    /// Why nothing moves in `s`.
    pub fn stuck(&self, s: &[u32]) -> String {
        // Where no process may end anywhere, that is no news.
        let program = self.interpreter.program();
        let ends = program.processes.iter().flat_map(|p| &p.locations).any(|l| l.end);
        let but = if ends { ", and not every one is at a place where it may end" } else { "" };
        let mut lines = vec![format!("no process can move{but}")];
        for pid in 0..self.processes(s) {
            let (Some(of), Some(at)) = (self.interpreter.type_of(s, pid), self.interpreter.location(s, pid))
            else {
                continue;
            };
            let process = &self.interpreter.program().processes[of.index()];
            let name = self.process(s, pid);
            if process.locations[at.index()].end {
                lines.push(format!("  {name} may end here{}", self.named(&process.locations, at)));
                continue;
            }
            for (edge, reason) in self.interpreter.waits(s, pid) {
                let why = self.why(s, pid, edge, &reason);
                let edge = &process.edges[edge.index()];
                let place = self.loaded.place(edge.span());
                lines.push(format!("  {name} waits at {place} `{}`: {why}", self.does(&edge.work)));
            }
        }
        lines.join("\n  ")
    }

    fn named(&self, locations: &[riata_program::Location], at: LocId) -> String {
        match locations[at.index()].labels.iter().find(|l| l.starts_with("end")) {
            Some(label) => format!(" (label `{label}`)"),
            None => String::new(),
        }
    }

    /// The reason in words, with what was found.
    fn why(&self, s: &[u32], pid: u32, edge: EdgeId, reason: &Reason) -> String {
        let Looked { reads, channel } = self.interpreter.looked(s, pid, edge);
        let values = |reads: &[(String, Value)]| {
            let one = |(name, value): &(String, Value)| format!("{name} is {}", self.content(s, value));
            match reads {
                [] => String::new(),
                _ => format!(" ({})", reads.iter().map(one).collect::<Vec<_>>().join(", ")),
            }
        };
        let (name, contents) = channel.unwrap_or_default();
        let messages = match &contents {
            Some(Value::List(list)) => &list[..],
            _ => &[],
        };
        match reason {
            Reason::False => format!("it is false{}", values(&reads)),
            Reason::Full => format!("`{name}` is full: {}", self.content(s, &Value::List(messages.to_vec()))),
            Reason::Empty => format!("`{name}` is empty"),
            Reason::Unfit => {
                let wanted = values(&reads);
                match messages {
                    [first] => format!("the message in `{name}` is {}{wanted}", self.value(s, first)),
                    [first, ..] => {
                        format!("the first message in `{name}` is {}{wanted}", self.value(s, first))
                    }
                    [] => format!("no message in `{name}` fits{wanted}"),
                }
            }
            Reason::NoReceiver => format!("nobody is ready to receive from `{name}`"),
            Reason::NoSender => format!("nobody is ready to send to `{name}`"),
            Reason::NotYoungest => "younger processes have not ended".into(),
            Reason::Otherwise => "there is another choice".into(),
            Reason::NotProvided => {
                let reads = self.interpreter.provided_reads(s, pid);
                format!("the process is not provided for, or another goes first{}", values(&reads))
            }
        }
    }

    /// A value, the messages of a channel in brackets.
    fn content(&self, s: &[u32], value: &Value) -> String {
        let text = self.value(s, value);
        let long = text.chars().count() > MESSAGES;
        let text = if long { text.chars().take(MESSAGES).chain(['…']).collect() } else { text };
        if matches!(value, Value::List(_)) { format!("[{text}]") } else { text }
    }
}
