//! Parts of a trace: some columns, some variables.

use super::Trace;

/// The names of what is to be shown. A name is that of a column (`P:0`, or `P` for all processes of that type), of a
/// variable (`x`, and then its elements and fields too), of an element (`x[2]`), or of a variable of a column
/// (`P:0.x`, `P.x`). Without names everything is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Only<'a>(pub &'a [String]);

impl Only<'_> {
    /// Is everything of the column shown?
    pub fn column(self, head: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|name| names(name, head))
    }

    /// What of a cell is shown.
    pub fn cell(self, head: &str, cell: &str) -> String {
        if self.column(head) {
            return cell.to_string();
        }
        let wanted = |token: &&str| self.0.iter().any(|name| variable(name, head, token));
        tokens(cell).into_iter().filter(wanted).collect::<Vec<_>>().join(" ")
    }
}

impl Trace {
    /// Those of the names of a [`Look`](super::Look) that are neither columns nor variables of the trace.
    pub fn unknown(&self, only: &[String]) -> Vec<String> {
        let steps = || self.steps.iter().chain(self.back.as_ref().map(|(_, s)| s));
        let known = |name: &String| {
            self.columns.iter().any(|head| names(name, head))
                || steps().any(|step| {
                    let mut cells = step.cells.iter().enumerate();
                    cells.any(|(c, cell)| {
                        let head = self.columns.get(c).map_or("", String::as_str);
                        tokens(cell).into_iter().any(|token| variable(name, head, token))
                    })
                })
        };
        only.iter().filter(|name| !known(name)).cloned().collect()
    }
}

/// Does the name stand for the column: is it the head, or the type of a numbered process?
fn names(name: &str, head: &str) -> bool {
    !name.is_empty() && (name == head || head.rsplit_once(':').is_some_and(|(of, _)| of == name))
}

/// Is the token of a column's cell an assignment to what the name stands for?
fn variable(name: &str, head: &str, token: &str) -> bool {
    let Some((left, value)) = token.split_once('=') else { return false };
    let own =
        name.match_indices('.').any(|(i, _)| names(&name[..i], head) && part(&name[i + 1..], left, value));
    own || part(name, left, value)
}

/// Does the assignment `left=value` tell something of `name`?
fn part(name: &str, left: &str, value: &str) -> bool {
    if name.is_empty() || left.is_empty() {
        return false;
    }
    if let Some(rest) = left.strip_prefix(name) {
        return rest.is_empty() || rest.starts_with(['[', '.']);
    }
    // An element of a list that is told as a whole.
    let index = name.strip_prefix(left).and_then(|rest| rest.strip_prefix('[')?.split_once(']'));
    index.and_then(|(index, _)| index.parse::<usize>().ok()).is_some_and(|index| index < elements(value))
}

/// How many elements a list has: `[1,2,[3,4]]` has three.
fn elements(value: &str) -> usize {
    let Some(inner) = value.strip_prefix('[') else { return 0 };
    let (mut depth, mut commas) = (0i32, 0);
    for c in inner.chars() {
        match c {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth -= 1,
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    if inner.starts_with(']') { 0 } else { commas + 1 }
}

/// The words of a cell; what is in brackets is not divided.
fn tokens(cell: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0i32, 0);
    let mut found = Vec::new();
    for (i, c) in cell.char_indices() {
        match c {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth -= 1,
            ' ' if depth <= 0 => {
                found.push(&cell[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    found.push(&cell[start..]);
    found.retain(|token| !token.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::super::Step;
    use super::*;

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(|n| (*n).to_string()).collect()
    }

    fn shown(only: &[&str], head: &str, cell: &str) -> String {
        Only(&strings(only)).cell(head, cell)
    }

    #[test]
    fn names_of_columns_and_variables() {
        let cell = "line 3 x=1 xs=2 a=[0,1,2] s.f=4";
        assert_eq!(shown(&["P:0"], "P:0", cell), cell);
        assert_eq!(shown(&["P"], "P:0", cell), cell);
        assert_eq!(shown(&[], "P:0", cell), cell);
        assert_eq!(shown(&["x"], "P:0", cell), "x=1");
        assert_eq!(shown(&["P:0.x", "P.xs"], "P:0", cell), "x=1 xs=2");
        assert_eq!(shown(&["P:1.x"], "P:0", cell), "");
        assert_eq!(shown(&["a[2]"], "P:0", cell), "a=[0,1,2]");
        assert_eq!(shown(&["a[3]"], "P:0", cell), "");
        assert_eq!(shown(&["s"], "P:0", cell), "s.f=4");
        assert_eq!(shown(&["a[2]"], "shared", "a[1]=3 a[2]=7"), "a[2]=7");
        assert_eq!(shown(&["a"], "shared", "a[1]=3 b=1 a[2]=7"), "a[1]=3 a[2]=7");
        assert_eq!(shown(&["a.state"], "", "a.state=idle b.state=idle"), "a.state=idle");
        assert_eq!(shown(&["m"], "", "m=[1, 2] n=3"), "m=[1, 2]");
    }

    #[test]
    fn unknown_names_are_told() {
        let step = |cells: &[&str]| Step { cells: strings(cells), ..Step::default() };
        let trace = Trace {
            columns: strings(&["shared", "P:0"]),
            steps: vec![step(&["x=0 a=[0,0]", "start y=1"])],
            back: Some((0, step(&["z=1", ""]))),
            ..Trace::default()
        };
        assert!(trace.unknown(&strings(&["x", "a[1]", "P", "P:0", "P.y", "y", "z", "shared"])).is_empty());
        let wrong = strings(&["X", "a[2]", "P:1", "P.x", "start", ""]);
        assert_eq!(trace.unknown(&wrong), wrong);
    }
}
