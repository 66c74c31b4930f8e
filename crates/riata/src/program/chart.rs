//! From a path of a model to its message sequence chart.

use super::view::Viewer;
use riata_program::{Execution, Happening, Told};
use riata_report::chart::{Chart, Message, Row, What};
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

/// The chart of a run.
pub fn chart(viewer: &Viewer, run: &Execution) -> Chart {
    let mut making = Making {
        viewer,
        chart: Chart { back: run.back, ..Chart::default() },
        lanes: Vec::new(),
        queues: HashMap::new(),
        passing: None,
    };
    let first = run.states.get(0);
    for pid in 0..viewer.processes(first) {
        making.add_lane(viewer.process(first, pid), true);
    }
    for (i, (src, step, dst)) in (0..run.steps.len()).filter_map(|i| run.step(i)).enumerate() {
        for event in viewer.events(src, step, dst) {
            making.event(i + 1, src, dst, event);
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
