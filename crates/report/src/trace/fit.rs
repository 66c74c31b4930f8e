//! Traces that fit a terminal, and traces of some processes and variables only.

use super::block::{Block, Column, Line, Row, blocks};
use super::fold::{hang, width};
use super::only::Only;
use super::{Trace, WIDEST};
use crate::diagnostics::harmless;

/// How a trace is to be shown. The default is everything, without limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The widest a line may be, in columns of a terminal; less than 20 counts as 20.
    pub width: Option<usize>,
    /// The columns and variables to show: `P:0`, `P`, `x`, `x[2]`, `P:0.x`. If there are none, everything is shown.
    pub only: Vec<String>,
    /// The most columns, that of the statements not counted, that stand side by side.
    pub columns: Option<usize>,
}

/// The smallest width that is kept to.
const NARROWEST: usize = 20;
/// The widest the column of statements gets.
const STATEMENT: usize = 80;

impl Trace {
    /// As text within limits; without limits it is [`Trace::to_text`]. Nothing is cut off: what is too wide for its
    /// column goes on below itself, and columns for which there is no space stand in further blocks below, which leave
    /// out the steps in which none of their columns changes. Steps that change nothing of `only` are left out and
    /// counted, but for the first one and the ends of the loop.
    pub fn fitted(&self, look: &Look) -> String {
        if *look == Look::default() {
            return self.to_text();
        }
        let limit = look.width.map_or(usize::MAX, |w| w.max(NARROWEST));
        let only = Only(&look.only);
        let shown = if self.plain { vec![0] } else { self.shown(only) };
        let mut lines = self.lines(only, &shown);
        if !look.only.is_empty() {
            lines = leave_out(lines);
        }
        let number = lines.iter().map(Line::number).max().unwrap_or(0).max(3);
        let mut columns = Vec::new();
        if self.plain {
            // The states have the whole line.
            columns.push(Column::new("", 0, &lines, usize::MAX));
        } else {
            columns.push(Column::new("statement", 0, &lines, STATEMENT));
            let heads = shown.iter().enumerate().map(|(i, &c)| (i + 1, &self.columns[c]));
            columns.extend(heads.map(|(i, head)| Column::new(&clean(head), i, &lines, WIDEST)));
        }
        let mut text = String::new();
        let room = limit.saturating_sub(number + Block::MARGIN);
        for (i, columns) in blocks(columns, room, look.columns).into_iter().enumerate() {
            if i > 0 {
                text.push('\n');
            }
            let block = Block { columns, first: i == 0, heads: !self.plain, number, limit };
            block.write(&mut text, &lines);
        }
        self.write_end(&mut text, limit);
        text
    }

    /// The columns to show.
    fn shown(&self, only: Only) -> Vec<usize> {
        if only.0.is_empty() {
            return self.live();
        }
        let steps = || self.steps.iter().chain(self.back.as_ref().map(|(_, s)| s));
        let tells = |c: usize| {
            let head = &self.columns[c];
            only.column(head)
                || steps().any(|s| s.cells.get(c).is_some_and(|x| !only.cell(head, x).is_empty()))
        };
        (0..self.columns.len()).filter(|&c| tells(c)).collect()
    }

    /// The steps, with what of them is shown.
    fn lines(&self, only: Only, shown: &[usize]) -> Vec<Line<'_>> {
        let steps = self.steps.iter().enumerate().map(|(i, step)| (i.to_string(), step));
        let back = self.back.iter().filter(|_| !self.plain).map(|(to, step)| (format!("→{to}"), step));
        let mut lines = Vec::with_capacity(self.steps.len() + 1);
        for (i, (number, step)) in steps.chain(back).enumerate() {
            let mut cells: Vec<String> = Vec::with_capacity(shown.len() + 1);
            for &c in shown {
                let head = self.columns.get(c).map_or("", String::as_str);
                cells.push(clean(&only.cell(head, step.cells.get(c).map_or("", String::as_str))));
            }
            let changes = cells.iter().any(|cell| !cell.is_empty());
            if !self.plain {
                cells.insert(0, clean(&(step.located() + &step.statement)));
            }
            let bar = self.bar(i);
            let kept = i == 0 || matches!(bar, "┌" | "└" | "↻");
            let printed = if self.plain { &[][..] } else { &step.printed };
            lines.push(Line::Row(Row { bar, number, cells, printed, changes, kept }));
        }
        lines
    }

    /// What is to be said of the last state.
    fn write_end(&self, text: &mut String, limit: usize) {
        for (i, line) in self.end.lines().enumerate() {
            let told = line.trim_start();
            let indent = width(line) - width(told) + if i == 0 { 2 } else { 0 };
            let indent = indent.min(limit / 3);
            hang(text, &" ".repeat(indent), indent + 2, &clean(told.trim_end()), limit);
        }
    }
}

/// Replaces steps in which nothing changes by their number.
fn leave_out(all: Vec<Line>) -> Vec<Line> {
    let mut lines = Vec::new();
    for line in all {
        match line {
            Line::Row(row) if !row.kept && !row.changes => match lines.last_mut() {
                Some(Line::Left(n)) => *n += 1,
                _ => lines.push(Line::Left(1)),
            },
            line => lines.push(line),
        }
    }
    lines
}

/// The text on one line, without what would move the cursor.
pub(super) fn clean(text: &str) -> String {
    harmless(&text.replace(['\n', '\r'], " "))
}

#[cfg(test)]
mod tests {
    use super::super::Step;
    use super::*;

    fn strings(all: &[&str]) -> Vec<String> {
        all.iter().map(|s| (*s).to_string()).collect()
    }

    fn step(statement: &str, place: &str, cells: &[&str]) -> Step {
        Step { statement: statement.into(), place: place.into(), cells: strings(cells), ..Step::default() }
    }

    fn example() -> Trace {
        let mut trace = Trace {
            columns: strings(&["shared", "P:0", "Q:1"]),
            steps: vec![
                step("", "", &["x=0 y=0 a=[0,0]", "line 3 n=0", "idle"]),
                step("P:0: a[0] = 1", "m.pml:3", &["a[0]=1", "line 4", ""]),
                step("P:0: a[1] = 1", "m.pml:4", &["a[1]=1", "line 5", ""]),
                step("Q:1: x = 1", "m.pml:9", &["x=1", "", "busy"]),
                step("P:0: y = 1", "m.pml:5", &["y=1", "line 6", ""]),
                step("P:0: y = 2", "m.pml:6", &["y=2", "line 7", ""]),
            ],
            back: Some((4, step("P:0: y = 1", "m.pml:7", &["y=1", "line 6", ""]))),
            end: "`<>(x == 2)` is owed since step 0 and never fulfilled\n    P:0 waits".into(),
            ..Trace::default()
        };
        trace.steps[1].printed.push(("P:0".into(), "hello to all of you\n".into()));
        trace
    }

    #[test]
    fn without_limits_it_is_the_whole_text() {
        assert_eq!(example().fitted(&Look::default()), example().to_text());
        assert_eq!(example().fitted(&Look { width: Some(200), ..Look::default() }), example().to_text());
        let plain = Trace { plain: true, ..example() };
        assert_eq!(plain.fitted(&Look { width: Some(200), ..Look::default() }), plain.to_text());
    }

    #[test]
    fn steps_that_change_nothing_are_counted() {
        let wanted = "
         statement            shared
      0                       x=0
  ⋮  2 steps that change none of these
      3  m.pml:9  Q:1: x = 1  x=1
  ┌   4  m.pml:5  P:0: y = 1
  ⋮  1 step that changes none of these
  └  →4  m.pml:7  P:0: y = 1
  `<>(x == 2)` is owed since step 0 and never fulfilled
    P:0 waits
";
        let look = Look { only: strings(&["x"]), ..Look::default() };
        assert_eq!(format!("\n{}", example().fitted(&look)), wanted);
    }

    #[test]
    fn columns_stand_in_blocks() {
        let wanted = "
         statement               shared
      0                          x=0 y=0 a=[0,0]
      1  m.pml:3  P:0: a[0] = 1  a[0]=1
         » P:0: hello to all of you
      2  m.pml:4  P:0: a[1] = 1  a[1]=1
      3  m.pml:9  Q:1: x = 1     x=1
  ┌   4  m.pml:5  P:0: y = 1     y=1
  │   5  m.pml:6  P:0: y = 2     y=2
  └  →4  m.pml:7  P:0: y = 1     y=1

         P:0
      0  line 3 n=0
      1  line 4
      2  line 5
  ┌   4  line 6
  │   5  line 7
  └  →4  line 6

         Q:1
      0  idle
      3  busy
  ┌   4
  └  →4
  `<>(x == 2)` is owed since step 0 and never fulfilled
    P:0 waits
";
        let look = Look { columns: Some(1), ..Look::default() };
        assert_eq!(format!("\n{}", example().fitted(&look)), wanted);
    }

    #[test]
    fn wide_cells_go_on_below() {
        let mut trace = example();
        trace.end = String::new();
        trace.steps.truncate(5);
        trace.steps[1].printed.clear();
        let wanted = "
         statement               shared
      0                          x=0 y=0
                                 a=[0,0]
      1  m.pml:3  P:0: a[0] = 1  a[0]=1
      2  m.pml:4  P:0: a[1] = 1  a[1]=1
      3  m.pml:9  Q:1: x = 1     x=1
  ┌   4  m.pml:5  P:0: y = 1     y=1
  └  →4  m.pml:7  P:0: y = 1     y=1

         P:0         Q:1
      0  line 3 n=0  idle
      1  line 4
      2  line 5
      3              busy
  ┌   4  line 6
  └  →4  line 6
";
        let look = Look { width: Some(40), ..Look::default() };
        assert_eq!(format!("\n{}", trace.fitted(&look)), wanted);
    }

    #[test]
    fn states_are_folded() {
        let state = |cell: &str| step("", "", &[cell]);
        let trace = Trace {
            steps: vec![
                state("coin=FALSE a.state=idle b.state=idle"),
                state("coin=TRUE b.state=using"),
                state(""),
            ],
            back: Some((1, Step::default())),
            end: "the cycle begins with state 1".into(),
            plain: true,
            ..Trace::default()
        };
        let wanted = "
      0  coin=FALSE
         a.state=idle
         b.state=idle
  ┌   1  coin=TRUE
  │      b.state=using
  └   2
  the cycle begins
    with state 1
";
        assert_eq!(format!("\n{}", trace.fitted(&Look { width: Some(24), ..Look::default() })), wanted);
        let look = Look { only: strings(&["a"]), ..Look::default() };
        let wanted = "      0  a.state=idle\n  ┌   1\n  └   2\n  the cycle begins with state 1\n";
        assert_eq!(trace.fitted(&look), wanted);
    }

    #[test]
    fn many_steps_have_wide_numbers() {
        let mut trace = example();
        let more = std::iter::repeat_n(step("P:0: skip", "m.pml:8", &["", "line 8", ""]), 12_000);
        trace.steps.splice(4..4, more);
        trace.back = None;
        let text = trace.fitted(&Look { width: Some(30), only: strings(&["x", "y"]), columns: None });
        assert!(text.lines().all(|l| width(l) <= 30), "{text}");
        assert!(text.contains("12000 steps that change"), "{text}");
        assert!(text.contains("12005  "), "{text}");
    }
}
