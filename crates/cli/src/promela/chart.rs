//! From a path of a model to its message sequence chart.

use super::view::Viewer;
use riata_program::dynamic::{Happening, Told};
use riata_report::chart::{Chart, Message, Row, What};
use riata_system::Path;
use std::collections::HashMap;

/// A chart in the making.
struct Making<'v, 'a> {
    viewer: &'v Viewer<'a>,
    chart: Chart,
    /// The lane of each process that is there, by its pid.
    lanes: Vec<usize>,
    /// For each channel the numbers of the messages that are in it, the oldest first.
    queues: HashMap<i32, Vec<usize>>,
    /// A message that was just sent by rendezvous.
    passing: Option<usize>,
}

/// The chart of a path; `back` is the state to which its last one returns.
pub fn chart(viewer: &Viewer, path: &Path, back: Option<usize>) -> Chart {
    let mut making = Making {
        viewer,
        chart: Chart { back, ..Chart::default() },
        lanes: Vec::new(),
        queues: HashMap::new(),
        passing: None,
    };
    let first = path.get(0);
    for pid in 0..viewer.processes(first) {
        making.add_lane(viewer.process(first, pid), true);
    }
    let last = path.len() - 1;
    for i in 0..path.len() {
        let to = if i < last { i + 1 } else { back.unwrap_or(i) };
        if i == last && back.is_none() {
            break;
        }
        let events = viewer.events(path.get(i), path.get(to));
        for event in events {
            making.event(i + 1, path.get(i), path.get(to), event);
        }
    }
    making.chart
}

impl Making<'_, '_> {
    fn add_lane(&mut self, name: String, there: bool) {
        self.chart.lanes.push((name, there));
        self.lanes.push(self.chart.lanes.len() - 1);
    }

    fn event(&mut self, step: usize, src: &[u32], dst: &[u32], Told { pid, what }: Told) {
        let Some(&lane) = self.lanes.get(pid as usize) else { return };
        let what = match what {
            Happening::Sent { channel, name, message, slot } => {
                let values: Vec<String> = message.iter().map(|v| self.viewer.value(src, v)).collect();
                let values = values.join(",");
                let m = self.chart.messages.len();
                self.chart.messages.push(Message { from: lane, sent: step, channel: name, values, to: None });
                match slot {
                    None => {
                        self.passing = Some(m);
                        return;
                    }
                    Some(slot) => {
                        let queue = self.queues.entry(channel).or_default();
                        queue.insert((slot as usize).min(queue.len()), m);
                        What::Send(m)
                    }
                }
            }
            Happening::Received { slot: None, .. } => {
                let Some(m) = self.passing.take() else { return };
                self.chart.messages[m].to = Some((lane, step));
                let lane = self.chart.messages[m].from;
                self.chart.rows.push(Row { step, lane, what: What::Meet(m) });
                return;
            }
            Happening::Received { channel, slot: Some(slot), kept, .. } => {
                let queue = self.queues.entry(channel).or_default();
                let Some(&m) = queue.get(slot as usize) else { return };
                if kept {
                    What::Peek(m)
                } else {
                    queue.remove(slot as usize);
                    self.chart.messages[m].to = Some((lane, step));
                    What::Receive(m)
                }
            }
            Happening::Printed(text) => What::Print(text),
            Happening::Started(child) => {
                self.add_lane(self.viewer.process(dst, child), false);
                What::Start(self.chart.lanes.len() - 1)
            }
            Happening::Ended => {
                self.lanes.pop();
                // Its channels are gone with it.
                let channels = self.viewer.channels(dst);
                self.queues.retain(|&c, _| c <= channels);
                What::End
            }
        };
        self.chart.rows.push(Row { step, lane, what });
    }
}
