//! Traces that people can read: numbered steps, one column per process, only what changed, the loop drawn as a loop.

mod block;
mod fit;
mod fold;
mod itf;
mod only;
#[cfg(test)]
mod properties;

pub use fit::Look;
pub use itf::itf;

/// What one step did.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Step {
    /// The statement, or statements.
    pub statement: String,
    /// File and line.
    pub place: String,
    /// What is new in each column; the first step tells everything.
    pub cells: Vec<String>,
    /// What was printed, and by whom.
    pub printed: Vec<(String, String)>,
}

impl Step {
    /// The place, with space for what follows it.
    fn located(&self) -> String {
        if self.place.is_empty() { String::new() } else { format!("{}  ", self.place) }
    }
}

/// A path of a model, or a lasso.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Trace {
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// The steps; the first one is the initial state.
    pub steps: Vec<Step>,
    /// If the path is a lasso: the step to which the last one returns, and by which statement and place.
    pub back: Option<(usize, Step)>,
    /// What is to be said of the last state.
    pub end: String,
    /// Is it a list of states, without statements and columns? Then each step has one cell, and the loop is a bracket
    /// around its states.
    pub plain: bool,
}

/// The widest a column gets.
const WIDEST: usize = 36;

impl Trace {
    /// As text, one line per step. Columns in which nothing happens after the start are left out.
    pub fn to_text(&self) -> String {
        if self.plain {
            return self.list();
        }
        let live = self.live();
        let mut rows: Vec<Vec<String>> = vec![["", "statement"].map(String::from).to_vec()];
        rows[0].extend(live.iter().map(|&c| self.columns[c].clone()));
        // What is printed stands after the row.
        let mut printed: Vec<&[(String, String)]> = vec![&[]];
        for (i, step) in self.steps.iter().enumerate() {
            rows.push(self.row(i, &i.to_string(), step, &live));
            printed.push(&step.printed);
        }
        if let Some((to, step)) = &self.back {
            rows.push(self.row(self.steps.len(), &format!("→{to}"), step, &live));
            printed.push(&step.printed);
        }
        let widths: Vec<usize> = (0..live.len() + 2)
            .map(|c| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for (row, printed) in rows.iter().zip(printed) {
            let mut line = String::from("  ");
            for (cell, width) in row.iter().zip(&widths) {
                line += cell;
                line.extend(std::iter::repeat_n(' ', width - cell.chars().count() + 2));
            }
            text += line.trim_end();
            text.push('\n');
            for (who, what) in printed {
                for line in what.lines().filter(|l| !l.trim().is_empty()) {
                    text += &format!("         » {who}: {}\n", line.trim_end());
                }
            }
        }
        if !self.end.is_empty() {
            text += &format!("  {}\n", self.end);
        }
        text
    }

    /// The columns in which something happens after the start; of a single state all columns.
    fn live(&self) -> Vec<usize> {
        let happens = |c: usize| {
            let mut later = self.steps.iter().skip(1).chain(self.back.as_ref().map(|(_, s)| s));
            later.any(|s| s.cells.get(c).is_some_and(|cell| !cell.is_empty()))
        };
        (0..self.columns.len()).filter(|&c| self.steps.len() == 1 || happens(c)).collect()
    }

    /// One state a line, with what is new in it.
    fn list(&self) -> String {
        let mut text = String::new();
        for (i, step) in self.steps.iter().enumerate() {
            let margin = self.bar(i);
            let new = step.cells.first().map_or("", String::as_str);
            text += format!("  {margin} {i:>3}  {new}").trim_end();
            text.push('\n');
        }
        if !self.end.is_empty() {
            text += &format!("  {}\n", self.end);
        }
        text
    }

    /// What is drawn before a row. The row after the last step is the way back.
    fn bar(&self, i: usize) -> &'static str {
        let Some((to, _)) = &self.back else { return " " };
        let last = if self.plain { self.steps.len().saturating_sub(1) } else { self.steps.len() };
        match i {
            i if i == *to && i == last => "↻",
            i if i == *to => "┌",
            i if i > *to && i < last => "│",
            i if i > *to && i == last => "└",
            _ => " ",
        }
    }

    fn row(&self, i: usize, number: &str, step: &Step, live: &[usize]) -> Vec<String> {
        let bar = self.bar(i);
        let place = step.located();
        let mut row = vec![format!("{bar} {number:>3}"), place + &cut(&step.statement, 60)];
        row.extend(live.iter().map(|&c| cut(&step.cells[c], WIDEST)));
        row
    }
}

/// The text, with what is too long left out.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(statement: &str, place: &str, cells: [&str; 3]) -> Step {
        let cells = cells.map(String::from).to_vec();
        Step { statement: statement.into(), place: place.into(), cells, ..Step::default() }
    }

    #[test]
    fn the_loop_is_drawn() {
        let trace = Trace {
            columns: ["shared", "P", "Q"].map(String::from).to_vec(),
            steps: vec![
                step("", "", ["x=0", "a", "idle"]),
                step("a -> b {}", "m.dve:3", ["", "b", ""]),
                step("b -> c {}", "m.dve:4", ["x=1", "c", ""]),
            ],
            back: Some((1, step("c -> b {}", "m.dve:5", ["x=0", "b", ""]))),
            ..Trace::default()
        };
        let wanted = "
         statement           shared  P
      0                      x=0     a
  ┌   1  m.dve:3  a -> b {}          b
  │   2  m.dve:4  b -> c {}  x=1     c
  └  →1  m.dve:5  c -> b {}  x=0     b
";
        assert_eq!(format!("\n{}", trace.to_text()), wanted);
    }
}
