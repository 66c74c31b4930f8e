//! Tables for people: a header, rows, columns as wide as they need.

use std::fmt::Write as _;

/// A table; the first column is left-aligned, the others too unless they hold numbers only.
#[derive(Clone, Debug, Default)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub fn new(header: &[&str]) -> Self {
        Table { header: header.iter().map(|h| (*h).to_string()).collect(), rows: Vec::new() }
    }

    /// Adds a row; cells that are missing are empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut row: Vec<String> = cells.into_iter().collect();
        row.resize(self.header.len(), String::new());
        self.rows.push(row);
    }

    /// The table as lines of text.
    pub fn to_text(&self) -> String {
        let columns = self.header.len();
        let all = || std::iter::once(&self.header).chain(&self.rows);
        let width: Vec<usize> =
            (0..columns).map(|c| all().map(|r| r[c].chars().count()).max().unwrap_or(0)).collect();
        let numeric: Vec<bool> = (0..columns)
            .map(|c| {
                self.rows.iter().all(|r| r[c].chars().all(|x| x.is_ascii_digit() || matches!(x, '.' | '-')))
            })
            .collect();
        let mut text = String::new();
        for row in all() {
            let mut line = String::new();
            for c in 0..columns {
                let gap = if c == 0 { "" } else { "  " };
                let w = width[c];
                // Writing to a string cannot fail.
                let _ = if numeric[c] && !self.rows.is_empty() {
                    write!(line, "{gap}{:>w$}", row[c])
                } else {
                    write!(line, "{gap}{:<w$}", row[c])
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_right_aligned() {
        let mut t = Table::new(&["check", "states", "verdict"]);
        t.row(["ascc".into(), "12".into(), "empty".into()]);
        t.row(["couvreur99".into(), "7".into()]);
        assert_eq!(
            t.to_text(),
            "check       states  verdict\nascc            12  empty\ncouvreur99       7\n"
        );
    }
}
