//! Columns side by side, and blocks of columns one below the other.

use super::fit::clean;
use super::fold::{fold, hang, longest_word, width};

/// Words up to this width count for how far a column can shrink.
const WORD: usize = 24;
/// What the column of statements is shrunk to at most, as long as the line is wider.
const LEGIBLE: usize = 24;
/// A column that lacks no more than this is widened before others.
const SHORT: usize = 8;
/// The space between two columns.
const GAP: usize = 2;
/// What stands before what is printed.
const PRINTED: &str = "         » ";

/// A line of a trace before it is laid out.
pub(super) enum Line<'a> {
    /// A step.
    Row(Row<'a>),
    /// So many steps are left out.
    Left(usize),
}

/// A step.
pub(super) struct Row<'a> {
    /// What is drawn before it.
    pub bar: &'static str,
    /// Its number.
    pub number: String,
    /// What is in each column.
    pub cells: Vec<String>,
    /// What was printed, and by whom.
    pub printed: &'a [(String, String)],
    /// Is there anything in its columns, that of the statements not counted?
    pub changes: bool,
    /// Is it shown where nothing changes?
    pub kept: bool,
}

impl Line<'_> {
    /// The width of the number.
    pub fn number(&self) -> usize {
        if let Line::Row(row) = self { width(&row.number) } else { 0 }
    }
}

/// A column and how wide it is.
#[derive(Debug)]
pub(super) struct Column {
    head: String,
    /// Which of a row's cells are its own.
    cell: usize,
    /// The width at which nothing is folded, or the widest it gets.
    natural: usize,
    width: usize,
}

impl Column {
    /// A column that is at most `widest` wide. It is as narrow as its words allow; the first one is not quite as narrow.
    pub fn new(head: &str, cell: usize, lines: &[Line], widest: usize) -> Column {
        let cells = lines.iter().filter_map(|l| if let Line::Row(r) = l { r.cells.get(cell) } else { None });
        let texts = || std::iter::once(head).chain(cells.clone().map(String::as_str));
        let natural = texts().map(width).max().unwrap_or(0).min(widest);
        let word = texts().map(longest_word).max().unwrap_or(0).min(WORD);
        let least = if cell == 0 { word.max(LEGIBLE) } else { word };
        Column { head: head.into(), cell, natural, width: least.min(natural) }
    }
}

/// Divides columns into blocks that are at most `room` wide and have at most `most` columns, the first one of all not
/// counted. What space is left over in a block goes to the columns that can use it.
pub(super) fn blocks(columns: Vec<Column>, room: usize, most: Option<usize>) -> Vec<Vec<Column>> {
    let most = most.unwrap_or(usize::MAX).max(1);
    let mut blocks: Vec<Vec<Column>> = vec![Vec::new()];
    let mut used = 0;
    for mut column in columns {
        column.width = column.width.min(room);
        let Some(block) = blocks.last_mut() else { break };
        let processes = block.iter().filter(|c| c.cell > 0).count();
        if block.is_empty() || (processes < most && used + GAP + column.width <= room) {
            used += column.width + if block.is_empty() { 0 } else { GAP };
            block.push(column);
        } else {
            used = column.width;
            blocks.push(vec![column]);
        }
    }
    blocks.iter_mut().for_each(|block| widen(block, room));
    blocks
}

/// Widens columns as long as there is space: those that lack least first, so that a short cell is not folded for the
/// sake of a long one; the others share what is left.
fn widen(block: &mut [Column], room: usize) {
    let gaps = GAP * block.len().saturating_sub(1);
    let mut free = room.saturating_sub(gaps + block.iter().map(|c| c.width).sum::<usize>());
    let mut lacking: Vec<&mut Column> = block.iter_mut().collect();
    lacking.sort_by_key(|c| c.natural - c.width);
    for i in 0..lacking.len() {
        let lack = lacking[i].natural - lacking[i].width;
        let share = if lack <= SHORT { free } else { free.div_ceil(lacking.len() - i) };
        let more = lack.min(share);
        lacking[i].width += more;
        free -= more;
    }
}

/// Columns that stand side by side, with the numbers of the steps.
pub(super) struct Block {
    /// The columns.
    pub columns: Vec<Column>,
    /// Is it the first block? Then it has all steps, and what is printed.
    pub first: bool,
    /// Is there a line of heads?
    pub heads: bool,
    /// The width of the numbers.
    pub number: usize,
    /// The widest a line may be.
    pub limit: usize,
}

impl Block {
    /// What stands before the first column besides the number.
    pub const MARGIN: usize = 6;

    /// Appends the block.
    pub fn write(&self, text: &mut String, lines: &[Line]) {
        if self.heads {
            let heads: Vec<&str> = self.columns.iter().map(|c| c.head.as_str()).collect();
            self.row(text, (" ", " "), "", &heads);
        }
        for line in lines {
            match line {
                Line::Left(n) if self.first => {
                    let told = if *n == 1 { "step that changes" } else { "steps that change" };
                    hang(text, "  ⋮  ", 5, &format!("{n} {told} none of these"), self.limit);
                }
                Line::Left(_) => {}
                Line::Row(row) => {
                    let cell = |c: &Column| row.cells.get(c.cell).map_or("", String::as_str);
                    let cells: Vec<&str> = self.columns.iter().map(cell).collect();
                    if !self.first && !row.kept && cells.iter().all(|c| c.is_empty()) {
                        continue;
                    }
                    let under = if matches!(row.bar, "┌" | "│") { "│" } else { " " };
                    self.row(text, (row.bar, under), &row.number, &cells);
                    if self.first {
                        self.printed(text, row.printed);
                    }
                }
            }
        }
    }

    /// Appends a row, on as many lines as its cells need; `under` stands before all but the first.
    fn row(&self, text: &mut String, (bar, under): (&str, &str), number: &str, cells: &[&str]) {
        let folded: Vec<Vec<String>> =
            cells.iter().zip(&self.columns).map(|(cell, column)| fold(cell, column.width.max(1))).collect();
        let height = folded.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for k in 0..height {
            let mut line = match k {
                0 => format!("  {bar} {}{number}", " ".repeat(self.number.saturating_sub(width(number)))),
                _ => format!("  {under} {}", " ".repeat(self.number)),
            };
            for (pieces, column) in folded.iter().zip(&self.columns) {
                let piece = pieces.get(k).map_or("", String::as_str);
                line.extend(std::iter::repeat_n(' ', GAP));
                line += piece;
                line.extend(std::iter::repeat_n(' ', column.width.saturating_sub(width(piece))));
            }
            *text += line.trim_end();
            text.push('\n');
        }
    }

    fn printed(&self, text: &mut String, printed: &[(String, String)]) {
        for (who, what) in printed {
            for line in what.lines().filter(|l| !l.trim().is_empty()) {
                hang(
                    text,
                    PRINTED,
                    width(PRINTED),
                    &clean(&format!("{who}: {}", line.trim_end())),
                    self.limit,
                );
            }
        }
    }
}
