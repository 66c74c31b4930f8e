//! Message sequence charts: a lifeline for each process, an arrow for each message.
//!
//! Only what concerns other processes is drawn: messages, processes that come and go, and what is printed. A message
//! that waits in a channel is sent in one row and received in another; a rendezvous is one row.

mod svg;
mod text;

use schemars::JsonSchema;
use serde::Serialize;
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

/// A chart for programs; messages are known by their places in the list of messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Lifelines {
    /// The processes.
    pub lanes: Vec<Lane>,
    /// What happens, in the order of time.
    pub rows: Vec<Event>,
}

/// The lifeline of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Lane {
    /// The process.
    pub name: String,
    /// Is it there from the start?
    pub there: bool,
}

/// What happens on a lifeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Event {
    /// The number of the step: the first is 1.
    pub step: usize,
    /// The place of the process among the lifelines.
    pub lane: usize,
    /// What happens.
    pub event: Happens,
    /// The message, by its place in the list of messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<usize>,
    /// What is printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The other lifeline: of the process that is started, or that receives at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<usize>,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Happens {
    /// A message is put into a channel.
    Send,
    /// A message is taken out of a channel.
    Receive,
    /// A message is looked at, and stays.
    Peek,
    /// A message is sent and received at once.
    Meet,
    /// The process prints.
    Print,
    /// The process starts another one.
    Start,
    /// The process ends.
    End,
}

impl Chart {
    /// The lifelines, for programs.
    pub fn lifelines(&self) -> Lifelines {
        let event = |row: &Row| {
            let receiver = |m: usize| self.messages[m].to.map(|(lane, _)| lane);
            let (event, message, text, to) = match &row.what {
                What::Send(m) => (Happens::Send, Some(*m), None, None),
                What::Receive(m) => (Happens::Receive, Some(*m), None, None),
                What::Peek(m) => (Happens::Peek, Some(*m), None, None),
                What::Meet(m) => (Happens::Meet, Some(*m), None, receiver(*m)),
                What::Print(text) => (Happens::Print, None, Some(text.clone()), None),
                What::Start(child) => (Happens::Start, None, None, Some(*child)),
                What::End => (Happens::End, None, None, None),
            };
            Event { step: row.step, lane: row.lane, event, message, text, to }
        };
        let lane = |(name, there): &(String, bool)| Lane { name: name.clone(), there: *there };
        Lifelines {
            lanes: self.lanes.iter().map(lane).collect(),
            rows: self.rows.iter().map(event).collect(),
        }
    }

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
        let lines = serde_json::to_value(example().lifelines()).expect("an object");
        assert_eq!(lines["lanes"][1], json!({ "name": "A:1", "there": false }));
        assert_eq!(lines["rows"][0], json!({ "step": 1, "lane": 0, "event": "start", "to": 1 }));
        assert_eq!(lines["rows"][4], json!({ "step": 5, "lane": 2, "event": "receive", "message": 0 }));
        assert_eq!(lines["rows"][5], json!({ "step": 6, "lane": 2, "event": "meet", "message": 2, "to": 1 }));
        assert_eq!(lines["rows"][6]["text"], "done & gone");
    }
}
