//! A chart in characters.

use super::{Chart, What};

/// The least and the most distance between lifelines.
const WIDTH: std::ops::RangeInclusive<usize> = 14..=34;

/// A row of characters that is drawn upon.
struct Canvas(Vec<char>);

impl Canvas {
    fn put(&mut self, x: usize, text: &str) {
        for (i, c) in text.chars().enumerate() {
            if self.0.len() <= x + i {
                self.0.resize(x + i + 1, ' ');
            }
            self.0[x + i] = c;
        }
    }

    /// An arrow with a label, from the lifeline at `a` to that at `b`.
    fn arrow(&mut self, a: usize, b: usize, line: char, label: &str) {
        let (lo, hi) = (a.min(b), a.max(b));
        self.put(lo + 1, &line.to_string().repeat(hi - lo - 1));
        let room = (hi - lo).saturating_sub(5);
        let label = crate::trace::cut(label, room);
        let start = lo + 1 + (hi - lo - 1 - label.chars().count()) / 2;
        self.put(start, &label);
        if a < b {
            self.put(a, "├");
            self.put(b - 1, "▶");
        } else {
            self.put(a, "┤");
            self.put(b + 1, "◀");
        }
    }
}

/// The chart as text: a row for each event, the number of its step at the left.
pub fn text(chart: &Chart) -> String {
    if chart.lanes.is_empty() || chart.rows.is_empty() {
        return "  (no messages)\n".into();
    }
    let label = |m: usize| format!("{}: {}", chart.messages[m].channel, chart.messages[m].values);
    let widest = (0..chart.messages.len()).map(|m| label(m).chars().count() + 6).max().unwrap_or(0);
    let names = chart.lanes.iter().map(|l| l.0.chars().count() + 2).max().unwrap_or(0);
    let width = widest.max(names).clamp(*WIDTH.start(), *WIDTH.end());
    let x = |lane: usize| lane * width;
    let mut alive: Vec<bool> = chart.lanes.iter().map(|l| l.1).collect();
    let mut head = Canvas(Vec::new());
    chart.lanes.iter().enumerate().for_each(|(i, l)| head.put(x(i), &crate::trace::cut(&l.0, width - 2)));
    let mut out = format!("  {:11}{}\n", "  step", head.0.iter().collect::<String>());
    let mut inside = false;
    for row in &chart.rows {
        let mut canvas = Canvas(Vec::new());
        (0..chart.lanes.len()).filter(|&l| alive[l]).for_each(|l| canvas.put(x(l), "│"));
        let mut from = None;
        match &row.what {
            What::Send(m) => {
                let message = &chart.messages[*m];
                canvas.put(x(row.lane), &format!("● {}!{}", message.channel, message.values));
            }
            What::Receive(m) | What::Peek(m) => {
                let message = &chart.messages[*m];
                from = Some(message.sent);
                let line = if matches!(row.what, What::Peek(_)) { '┄' } else { '─' };
                if message.from == row.lane {
                    canvas.put(x(row.lane), &format!("○ {}?{}", message.channel, message.values));
                } else {
                    canvas.arrow(x(message.from), x(row.lane), line, &label(*m));
                }
            }
            What::Meet(m) => {
                let to = chart.messages[*m].to.map_or(row.lane, |t| t.0);
                if to != row.lane {
                    canvas.arrow(x(row.lane), x(to), '═', &label(*m));
                }
            }
            What::Print(printed) => {
                canvas.put(x(row.lane), &format!("» {}", printed.trim_end().replace(['\n', '\t'], " ")));
            }
            What::Start(child) => {
                alive[*child] = true;
                if x(*child) != x(row.lane) {
                    canvas.arrow(x(row.lane), x(*child), '┄', &format!("run {}", chart.lanes[*child].0));
                }
            }
            What::End => {
                alive[row.lane] = false;
                canvas.put(x(row.lane), "┴");
            }
        }
        let bar = match chart.back {
            Some(to) if row.step > to && !inside => {
                inside = true;
                "┌"
            }
            Some(to) if row.step > to => "│",
            _ => " ",
        };
        let from = from.map_or(String::new(), |s| format!("({s})"));
        let line = format!("  {bar}{:>4} {from:5}{}", row.step, canvas.0.iter().collect::<String>());
        out += line.trim_end();
        out.push('\n');
    }
    if let Some(to) = chart.back {
        out += &format!("  └ the run goes on after step {to}\n");
    }
    for m in chart.messages.iter().filter(|m| m.to.is_none()) {
        out += &format!("  not received: {}!{} of step {}\n", m.channel, m.values, m.sent);
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_row_for_each_event() {
        let wanted = "
    step     init:0          A:1             <B>:2
      1      ├┄┄┄┄run A:1┄┄┄▶
      2      ├┄┄┄┄┄┄┄┄┄┄┄run <B>:2┄┄┄┄┄┄┄┄┄┄▶
      3      │               ● c!hello,1     │
      4      │               ● c!hello,2     │
      5 (3)  │               ├──c: hello,1──▶│
  ┌   6      │               │◀═══meet: 7════┤
  │   7      │               │               » done & gone
  │   8      │               │               ┴
  └ the run goes on after step 5
  not received: c!hello,2 of step 4
";
        assert_eq!(format!("\n{}", super::text(&super::super::tests::example())), wanted);
    }
}
