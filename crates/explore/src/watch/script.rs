//! Which line of a paper's text an event is. The text is the one in the documentation of the algorithm's own module.

use super::Replay;
use crate::choice::Algorithm;
use riata_system::watch::{Event, Procedure};

/// A kind of line in a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Its name.
    Call,
    /// The line that calls this procedure; there a call returns to.
    Calls(Procedure),
    /// The loop over the successors.
    Edge,
    /// The second loop over the successors.
    Again,
    /// A state gets this colour.
    Colour(u8),
    /// A state becomes a member of this set.
    Insert(usize),
    /// A state gets its number.
    Number,
    /// The number of a state becomes smaller.
    Lower,
    /// A push to *Current*.
    Current,
    /// A pop from *Current*, or what takes its place.
    Removed,
    /// A push to *Roots*.
    Root,
    /// Components become one.
    Merged,
    /// A pop from *Roots*.
    Unroot,
    /// More marks are known of a state.
    Marks,
    /// The report.
    Report,
}

use Procedure::{Inner, Outer};
use Which::*;

type Table = &'static [(Procedure, Which, &'static str)];

const CYAN: Which = Colour(1);
const BLUE: Which = Colour(2);
const RED: Which = Colour(3);
const BLACK: Which = Colour(4);
const FOR: &str = "for all t ∈ post(s) do";

const CVWY92: Table = &[
    (Outer, Call, "procedure dfs_blue (s)"),
    (Outer, Insert(0), "s.blue := true;"),
    (Outer, Edge, FOR),
    (Outer, Calls(Outer), "call dfs_blue(t);"),
    (Outer, Calls(Inner), "call dfs_red(s);"),
    (Inner, Call, "procedure dfs_red (s)"),
    (Inner, Insert(1), "s.red := true;"),
    (Inner, Edge, FOR),
    (Inner, Calls(Inner), "call dfs_red(t);"),
    (Inner, Report, "report cycle;"),
];

const HPY96: Table = &[
    (Outer, Call, "procedure dfs_blue (s)"),
    (Outer, CYAN, "s.blue := true; s.stack := true;"),
    (Outer, Edge, FOR),
    (Outer, Calls(Outer), "call dfs_blue(t);"),
    (Outer, Calls(Inner), "call dfs_red(s);"),
    (Outer, BLUE, "s.stack := false;"),
    (Outer, RED, "s.stack := false;"),
    (Inner, Call, "procedure dfs_red (s)"),
    (Inner, RED, "s.red := true;"),
    (Inner, Edge, FOR),
    (Inner, Calls(Inner), "call dfs_red(t);"),
    (Inner, Report, "report cycle;"),
];

const GMZ04: Table = &[
    (Outer, Call, "procedure dfs_blue (s)"),
    (Outer, CYAN, "s.colour := cyan;"),
    (Outer, Edge, FOR),
    (Outer, Report, "report cycle;"),
    (Outer, Calls(Outer), "call dfs_blue(t);"),
    (Outer, Again, "if for all t ∈ post(s): t.colour = black then"),
    (Outer, Calls(Inner), "call dfs_red(s);"),
    (Outer, BLACK, "s.colour := black;"),
    (Outer, BLUE, "s.colour := blue;"),
    (Inner, Call, "procedure dfs_red (s)"),
    (Inner, Edge, FOR),
    (Inner, RED, "t.colour := red;"),
    (Inner, Calls(Inner), "call dfs_red(t);"),
    (Inner, Report, "report cycle;"),
];

const SE05: Table = &[
    (Outer, Call, "procedure dfs_blue (s)"),
    (Outer, CYAN, "s.colour := cyan;"),
    (Outer, Edge, FOR),
    (Outer, Report, "report cycle;"),
    (Outer, Calls(Outer), "call dfs_blue(t);"),
    (Outer, Calls(Inner), "call dfs_red(s);"),
    (Outer, RED, "s.colour := red;"),
    (Outer, BLUE, "s.colour := blue;"),
    (Inner, Call, "procedure dfs_red (s)"),
    (Inner, Edge, FOR),
    (Inner, RED, "t.colour := red;"),
    (Inner, Calls(Inner), "call dfs_red(t);"),
    (Inner, Report, "report cycle;"),
];

const AND: Table = &[
    (Outer, Call, "procedure dfs_blue (s)"),
    (Outer, CYAN, "s.colour := cyan;"),
    (Outer, Edge, FOR),
    (Outer, Report, "report cycle"),
    (Outer, Calls(Outer), "call dfs_blue(t);"),
    (Outer, Calls(Inner), "call dfs_red(s);"),
    (Outer, RED, "s.colour := red"),
    (Outer, BLUE, "s.colour := blue"),
    (Inner, Call, "procedure dfs_red (s)"),
    (Inner, Edge, FOR),
    (Inner, RED, "t.colour := red;"),
    (Inner, Calls(Inner), "call dfs_red(t)"),
    (Inner, Report, "report cycle"),
];

const SD: Table = &[
    (Outer, Call, "procedure dfs (s)"),
    (Outer, CYAN, "s.colour := cyan;"),
    (Outer, Edge, FOR),
    (Outer, Report, "report cycle;"),
    (Outer, Calls(Outer), "call dfs(t);"),
    (Outer, BLUE, "s.colour := blue;"),
];

const REACH: Table = &[
    (Outer, Call, "procedure dfs (s)"),
    (Outer, Insert(0), "s.seen := true;"),
    (Outer, Edge, FOR),
    (Outer, Report, "report run;"),
    (Outer, Calls(Outer), "call dfs(t);"),
];

const TARJAN72: Table = &[
    (Outer, Call, "procedure dfs (s)"),
    (Outer, Number, "s.dfsnum := count; s.lowlink := count;"),
    (Outer, Current, "push(Current, s); s.current := true;"),
    (Outer, Edge, FOR),
    (Outer, Calls(Outer), "call dfs(t);"),
    (Outer, Lower, "s.lowlink := min{s.lowlink, t.lowlink};"),
    (Outer, Removed, "repeat t := pop(Current); t.current := false; C := C ∪ {t} until s = t;"),
    (Outer, Report, "if C is not trivial and has every mark then report cycle;"),
];

const GV04: Table = &[
    (Outer, Call, "procedure gv_dfs (s, goal)"),
    (Outer, Number, "s.dfsnum := count; s.lowlink := count;"),
    (Outer, Current, "push(Current, s); s.current := true;"),
    (Outer, Edge, FOR),
    (Outer, Calls(Outer), "if t ∈ A then call gv_dfs(t, t) else call gv_dfs(t, goal);"),
    (Outer, Lower, "s.lowlink := min{s.lowlink, t.lowlink};"),
    (Outer, Report, "if goal ≠ ⊥ ∧ s.lowlink ≤ goal.dfsnum then report cycle;"),
    (Outer, Removed, "repeat t := pop(Current); t.current := false; until s = t;"),
];

const COUVREUR99: Table = &[
    (Outer, Call, "procedure cow_dfs(s):"),
    (Outer, Number, "s.dfsnum := count;"),
    (Outer, Root, "push(Roots, s); s.current := true;"),
    (Outer, Edge, FOR),
    (Outer, Calls(Outer), "call cow_dfs(t);"),
    (Outer, Merged, "until u.dfsnum ≤ t.dfsnum;"),
    (Outer, Report, "if u ∈ A then report cycle;"),
    (Outer, Unroot, "pop(Roots);"),
    (Outer, Calls(Inner), "call remove(s);"),
    (Inner, Call, "procedure remove (s):"),
    (Inner, Removed, "s.current := false;"),
    (Inner, Edge, "for all t ∈ post(s) do remove(t);"),
    (Inner, Calls(Inner), "for all t ∈ post(s) do remove(t);"),
];

const ASCC: Table = &[
    (Outer, Call, "procedure couv_dfs(s):"),
    (Outer, Number, "s.dfsnum := count;"),
    (Outer, Root, "push(Roots, (s, A(s)));"),
    (Outer, Current, "push(Active, s);"),
    (Outer, Edge, FOR),
    (Outer, Calls(Outer), "call couv_dfs(t)"),
    (Outer, Merged, "push(Roots, (u, B));"),
    (Outer, Report, "if B = K then report cycle"),
    (Outer, Unroot, "pop(Roots);"),
    (Outer, Removed, "repeat u := pop(Active); u.current := false"),
];

const TAU03: Table = &[
    (Outer, Call, "procedure dfs_blue (s)"),
    (Outer, Insert(0), "s.blue := true;"),
    (Outer, Edge, "for all (s, a, t) ∈ post(s) do"),
    (Outer, Calls(Outer), "call dfs_blue(t);"),
    (Outer, Calls(Inner), "call dfs_red(t, s.acc ∪ a);"),
    (Outer, Report, "if s.acc = K then report cycle;"),
    (Inner, Call, "procedure dfs_red (s, A)"),
    (Inner, Marks, "s.acc := s.acc ∪ A;"),
    (Inner, Edge, "for all (s, a, t) ∈ post(s) do"),
    (Inner, Calls(Inner), "call dfs_red(t, A);"),
];

/// A paper's text, and where in it a search is.
pub struct Script {
    /// The lines: those of the outer procedure, then those of the inner one.
    pub lines: Vec<String>,
    /// Where the inner procedure begins.
    inner: usize,
    table: Table,
}

impl Script {
    /// The text of a check.
    pub fn of(algorithm: Algorithm) -> Script {
        let (source, table) = match algorithm {
            Algorithm::Cvwy92 => (include_str!("../cvwy92.rs"), CVWY92),
            Algorithm::Hpy96 => (include_str!("../hpy96.rs"), HPY96),
            Algorithm::Gmz04 => (include_str!("../gmz04.rs"), GMZ04),
            Algorithm::Se05 => (include_str!("../se05.rs"), SE05),
            Algorithm::And => (include_str!("../and.rs"), AND),
            Algorithm::Sd => (include_str!("../sd.rs"), SD),
            Algorithm::Reach => (include_str!("../reach.rs"), REACH),
            Algorithm::Tarjan72 => (include_str!("../tarjan72.rs"), TARJAN72),
            Algorithm::Gv04 => (include_str!("../gv04.rs"), GV04),
            Algorithm::Couvreur99 => (include_str!("../couvreur99.rs"), COUVREUR99),
            Algorithm::Ascc => (include_str!("../ascc.rs"), ASCC),
            Algorithm::Tau03 => (include_str!("../tau03.rs"), TAU03),
            // What several threads do at once is not filmed.
            Algorithm::Cndfs => (include_str!("../cndfs.rs"), &[] as Table),
            Algorithm::Ufscc => (include_str!("../ufscc.rs"), &[] as Table),
        };
        let (mut lines, right) = columns(&text(source));
        let inner = lines.len();
        if !right.is_empty() {
            lines.push(String::new());
            lines.extend(right);
        }
        Script { lines, inner, table }
    }

    /// The number of a line, if the text has one of this kind.
    pub fn line(&self, procedure: Procedure, which: Which) -> Option<usize> {
        let (_, _, line) = self.table.iter().find(|(p, w, _)| *p == procedure && *w == which)?;
        self.place(procedure, line)
    }

    fn place(&self, procedure: Procedure, line: &str) -> Option<usize> {
        let part = if procedure == Outer { 0..self.inner } else { self.inner..self.lines.len() };
        part.into_iter().find(|&i| self.lines[i].trim() == line)
    }

    /// The line of an event, which the search at `now` is about to do.
    pub fn line_of(&self, now: &Replay, event: Event) -> Option<usize> {
        let running = now.procedure();
        let (procedure, which) = match event {
            Event::Initial(_) => return None,
            Event::Call(p, _) => (p, Call),
            Event::Edge(Outer, ..) | Event::Again(Outer) if now.again => (Outer, Again),
            Event::Edge(p, ..) => (p, Edge),
            Event::Again(p) => (p, Again),
            Event::Return(p) => match (p, now.calls[p as usize].len()) {
                (Outer, 0..=1) => return None,
                (Outer, _) => (Outer, Calls(Outer)),
                (Inner, 0..=1) => (Outer, Calls(Inner)),
                (Inner, _) => (Inner, Calls(Inner)),
            },
            Event::Colour(_, colour) => (running, Colour(colour)),
            Event::Insert(set, _) => (running, Insert(set)),
            Event::Number(s, _) if now.numbers[s as usize] == 0 => (running, Number),
            Event::Number(..) => (running, Lower),
            Event::Current(_) => (running, Current),
            Event::Removed(_) => (running, Removed),
            Event::Root(_) => (running, Root),
            Event::Merged(..) => (running, Merged),
            Event::Unroot => (running, Unroot),
            Event::Marks(..) => (running, Marks),
        };
        self.line(procedure, which)
    }
}

/// The first block of text in the documentation of a module.
fn text(source: &str) -> Vec<String> {
    let doc = source.lines().map_while(|l| l.strip_prefix("//!")).map(|l| l.strip_prefix(' ').unwrap_or(l));
    let block = doc.skip_while(|l| *l != "```text").skip(1).take_while(|l| *l != "```");
    block.map(str::to_string).collect()
}

/// The two columns of a text in which procedures stand side by side.
fn columns(lines: &[String]) -> (Vec<String>, Vec<String>) {
    let header = lines.first().map(|l| l.chars().collect::<Vec<_>>()).unwrap_or_default();
    let Some(gap) = header.windows(3).position(|w| w == [' ', ' ', ' ']) else {
        return (lines.to_vec(), Vec::new());
    };
    let split = gap + header[gap..].iter().take_while(|c| **c == ' ').count();
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for line in lines {
        let chars: Vec<char> = line.chars().collect();
        // A long line of the left column reaches over the gap.
        let long = chars.get(split - 1).is_some_and(|c| *c != ' ');
        let at = if long { chars.len() } else { split.min(chars.len()) };
        let [l, r] =
            [&chars[..at], &chars[at..]].map(|c| c.iter().collect::<String>().trim_end().to_string());
        left.push(l);
        right.push(r);
    }
    for part in [&mut left, &mut right] {
        while part.last().is_some_and(String::is_empty) {
            part.pop();
        }
    }
    (left, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_tables_is_in_the_text() {
        for algorithm in Algorithm::ALL {
            let script = Script::of(algorithm);
            assert!(script.lines[0].starts_with("procedure "), "{algorithm}: {:?}", script.lines);
            for (procedure, which, line) in script.table {
                let found = script.place(*procedure, line);
                assert!(
                    found.is_some(),
                    "{algorithm}: {which:?} of {procedure:?}: {line}\n{:#?}",
                    script.lines
                );
            }
        }
    }

    #[test]
    fn columns_are_told_apart() {
        let script = Script::of(Algorithm::Gmz04);
        assert_eq!(script.lines[7], "  if for all t ∈ post(s): t.colour = black then");
        assert_eq!(script.lines[script.inner + 1], "procedure dfs_red (s)");
        assert_eq!(script.lines[script.inner + 3], "    if t.colour = cyan then");
    }
}
