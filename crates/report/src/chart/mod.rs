//! Message sequence charts: a lifeline for each process, an arrow for each message.
//!
//! Only what concerns other processes is drawn: messages, processes that come and go, and what is printed. A message
//! that waits in a channel is sent in one row and received in another; a rendezvous is one row.

mod svg;
mod text;

use serde_json::{Value, json};

pub use svg::svg;
pub use text::text;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The lane of the sender.
    pub from: usize,
    /// The step in which it is sent.
    pub sent: usize,
    /// The channel, as people call it.
    pub channel: String,
    /// The values.
    pub values: String,
    /// The lane of the receiver and the step in which it is received.
    pub to: Option<(usize, usize)>,
}

/// What a row shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A message is put into a channel: its number.
    Send(usize),
    /// A message is taken out of a channel.
    Receive(usize),
    /// A message is looked at, and stays.
    Peek(usize),
    /// A message is sent and received at once.
    Meet(usize),
    /// The process prints.
    Print(String),
    /// The process starts that of another lane.
    Start(usize),
    /// The process ends.
    End,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the step in the trace.
    pub step: usize,
    /// Whose lane.
    pub lane: usize,
    /// What is shown.
    pub what: What,
}

/// A chart.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Chart {
    /// The processes, each with its name and whether it is there from the start.
    pub lanes: Vec<(String, bool)>,
    /// The messages.
    pub messages: Vec<Message>,
    /// The rows, in the order of time.
    pub rows: Vec<Row>,
    /// If the run is a lasso: the step to which the last one returns.
    pub back: Option<usize>,
}

impl Chart {
    /// The messages, for programs.
    pub fn to_json(&self) -> Value {
        let one = |m: &Message| {
            json!({
                "from": self.lanes[m.from].0,
                "to": m.to.map(|(lane, _)| self.lanes[lane].0.clone()),
                "channel": m.channel,
                "message": m.values,
                "sent": m.sent,
                "received": m.to.map(|(_, step)| step),
            })
        };
        self.messages.iter().map(one).collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Two messages through a channel, one by rendezvous, a process that is started, and a loop.
    pub fn example() -> Chart {
        let message = |from, sent, channel: &str, values: &str, to| Message {
            from,
            sent,
            channel: channel.into(),
            values: values.into(),
            to,
        };
        let row = |step, lane, what| Row { step, lane, what };
        Chart {
            lanes: vec![("init:0".into(), true), ("A:1".into(), false), ("<B>:2".into(), false)],
            messages: vec![
                message(1, 3, "c", "hello,1", Some((2, 5))),
                message(1, 4, "c", "hello,2", None),
                message(2, 6, "meet", "7", Some((1, 6))),
            ],
            rows: vec![
                row(1, 0, What::Start(1)),
                row(2, 0, What::Start(2)),
                row(3, 1, What::Send(0)),
                row(4, 1, What::Send(1)),
                row(5, 2, What::Receive(0)),
                row(6, 2, What::Meet(2)),
                row(7, 2, What::Print("done & gone".into())),
                row(8, 2, What::End),
            ],
            back: Some(5),
        }
    }

    #[test]
    fn messages_for_programs() {
        let json = example().to_json();
        assert_eq!(json[0]["to"], "<B>:2");
        assert_eq!(json[0]["received"], 5);
        assert_eq!(json[1]["to"], Value::Null);
        assert_eq!(json[2]["sent"], json[2]["received"]);
    }
}
