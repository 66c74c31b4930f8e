//! Traces that people can read: numbered steps, one column per process, only what changed, the loop drawn as a loop.

use serde_json::{Map, Value, json};

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
}

/// The widest a column gets.
const WIDEST: usize = 36;

impl Trace {
    /// As text, one line per step. Columns in which nothing happens after the start are left out.
    pub fn to_text(&self) -> String {
        let live: Vec<usize> = (0..self.columns.len())
            .filter(|&c| {
                let later = self.steps.iter().skip(1).chain(self.back.as_ref().map(|(_, s)| s));
                self.steps.len() == 1 || later.into_iter().any(|s| !s.cells[c].is_empty())
            })
            .collect();
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

    fn row(&self, i: usize, number: &str, step: &Step, live: &[usize]) -> Vec<String> {
        let bar = match &self.back {
            Some((to, _)) if i == *to => "┌",
            Some((to, _)) if i > *to && i < self.steps.len() => "│",
            Some(_) if i == self.steps.len() => "└",
            _ => " ",
        };
        let place = if step.place.is_empty() { String::new() } else { format!("{}  ", step.place) };
        let mut row = vec![format!("{bar} {number:>3}"), format!("{place}{}", cut(&step.statement, 60))];
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

/// The trace in the Informal Trace Format: `states` are objects of names and values; `back` is the index of the state
/// to which the last one returns.
///
/// # References
/// Apalache: ADR-015, Informal Trace Format in JSON.
pub fn itf(
    source: &str,
    description: &str,
    names: &[String],
    states: &[Value],
    back: Option<usize>,
) -> Value {
    let states: Vec<Value> = states
        .iter()
        .enumerate()
        .map(|(i, state)| {
            let mut object = Map::new();
            object.insert("#meta".into(), json!({ "index": i }));
            if let Value::Object(o) = state {
                object.extend(o.clone());
            }
            Value::Object(object)
        })
        .collect();
    let mut object = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": source,
            "description": description,
        },
        "vars": names,
        "states": states,
    });
    if let Some(back) = back {
        object["loop"] = back.into();
    }
    object
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
            end: String::new(),
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

    #[test]
    fn itf_has_a_loop() {
        let t = itf("m.dve", "x", &["x".into()], &[json!({"x": 1}), json!({"x": 2})], Some(1));
        assert_eq!(t["loop"], 1);
        assert_eq!(t["states"][1], json!({"#meta": {"index": 1}, "x": 2}));
        assert_eq!(itf("m", "", &[], &[], None).get("loop"), None);
    }
}
