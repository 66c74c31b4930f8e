//! Spin's trails: a line for each step, `depth:process:statement`.
//!
//! Statements have the numbers that Spin gives them ([`riata_promela::lower::Numbers`]). A rendezvous is two lines, the
//! sender's and the receiver's. A cycle begins after a line `-1:-1:-1`. `-2:claim:-2` says that a claim is process 0 and
//! the others are counted from 1; `-4:-4:-4` that a line may stand for several statements that the verifier merged.
//!
//! We write neither: our traces have every statement, and no claim. Reading, steps of a claim are left out, and the
//! statements that were merged are made up for: a process goes on until it can do what its next line says.

use super::Loaded;
use super::tell::Telling;
use riata_program::{Execution, Interpreter, Step, Taken};
use riata_promela::lower::Numbers;
use riata_system::System;
use std::fmt::Write as _;

/// The most statements that are taken to be merged into one.
const MERGED: usize = 10_000;

/// A run as a trail.
pub fn write(run: &Telling) -> Result<String, String> {
    if !run.written {
        return Err(
            "the run repeats only because some variables do not count; check again with --no-optimise".into(),
        );
    }
    let numbers = run.loaded.numbers().ok_or("trails are for Promela models")?;
    let i = run.interpreter;
    let mut text = String::new();
    let mut depth = 0;
    for k in 0..run.taken.states.len() {
        if run.taken.back == Some(k) {
            text += "-1:-1:-1\n";
        }
        // A state that repeats because nothing can move has no step.
        let Some((src, Some(step), _)) = run.taken.step(k) else { continue };
        for (pid, edge) in [(step.pid, step.edge)].into_iter().chain(step.partner) {
            let number = i.type_of(src, pid).and_then(|of| numbers.of(of, edge));
            let number = number.ok_or_else(|| {
                format!("the statement of step {} has no number that Spin would know: a goto of whose label a formula speaks", k + 1)
            })?;
            depth += 1;
            let _ = writeln!(text, "{depth}:{pid}:{number}");
        }
    }
    Ok(text)
}

/// A line of a trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    /// Where it is in the file, from 1.
    at: usize,
    pid: u32,
    statement: u32,
}

/// A trail as it is in a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Trail {
    lines: Vec<Line>,
    /// How many lines are before the cycle.
    cycle: Option<usize>,
    merged: bool,
}

impl Trail {
    /// Reads the lines of a trail.
    pub fn read(text: &str) -> Result<Trail, String> {
        let mut trail = Trail::default();
        let mut claim = false;
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            let bad = || format!("line {}: `{}` is not depth:process:statement", i + 1, line.trim());
            let parts: Result<Vec<i64>, _> = line.trim().split(':').map(str::parse).collect();
            let parts = parts.map_err(|_| bad())?;
            let &[depth, pid, statement] = &parts[..] else { return Err(bad()) };
            match depth {
                -1 => trail.cycle = Some(trail.lines.len()),
                -2 => claim = true,
                -4 => trail.merged = true,
                -8..=-5 => return Err(format!("line {}: the search was permuted", i + 1)),
                0.. => {
                    let pid = u32::try_from(pid).map_err(|_| bad())?;
                    let statement = u32::try_from(statement).map_err(|_| bad())?;
                    match pid.checked_sub(u32::from(claim)) {
                        // The claim's own step.
                        None => {}
                        Some(pid) => trail.lines.push(Line { at: i + 1, pid, statement }),
                    }
                }
                _ => return Err(bad()),
            }
        }
        Ok(trail)
    }

    /// Walks through the model.
    pub fn follow(&self, loaded: &Loaded, interpreter: &Interpreter) -> Result<Execution, String> {
        let numbers = loaded.numbers().ok_or("trails are for Promela models")?;
        let mut walk = Walk { trail: self, interpreter, numbers, run: Execution::start(interpreter) };
        let mut start = None;
        let mut i = 0;
        while i < self.lines.len() {
            if self.cycle == Some(i) {
                start = Some(walk.run.states.len() - 1);
            }
            i = walk.line(i)?;
        }
        if self.merged {
            walk.ends();
        }
        if self.cycle == Some(self.lines.len()) {
            start = Some(walk.run.states.len() - 1);
        }
        Ok(walk.closed(start))
    }
}

/// A run along a trail.
struct Walk<'a> {
    trail: &'a Trail,
    interpreter: &'a Interpreter,
    numbers: &'a Numbers,
    run: Execution,
}

impl Walk<'_> {
    /// Takes the step of line `i`, and tells which line is next.
    fn line(&mut self, i: usize) -> Result<usize, String> {
        let line = self.trail.lines[i];
        let Line { at, pid, statement } = line;
        let Some(of) = self.interpreter.type_of(self.run.last(), pid) else {
            return Err(format!("line {at}: there is no process {pid}"));
        };
        if !self.numbers.has(of, statement) {
            let name = &self.interpreter.program().processes[of.index()].name;
            return Err(format!("line {at}: statement {statement} is none of {name}:{pid}"));
        }
        let second = self.trail.lines.get(i + 1).copied();
        for _ in 0..MERGED {
            if let Some(next) = self.interpreter.follow(self.run.last(), |step| self.is(line, None, step)) {
                self.run.push(&next);
                self.hold(i, pid);
                return Ok(i + 1);
            }
            if let Some(other) = second
                && let Some(next) =
                    self.interpreter.follow(self.run.last(), |step| self.is(line, Some(other), step))
            {
                self.run.push(&next);
                self.hold(i, pid);
                self.hold(i + 1, other.pid);
                return Ok(i + 2);
            }
            // What was merged with the process's last statement.
            if !self.trail.merged || !self.alone(pid) {
                break;
            }
        }
        Err(format!("line {at}: process {pid} cannot do statement {statement} there"))
    }

    /// Is a step what one line says, or two for a rendezvous?
    fn is(&self, line: Line, other: Option<Line>, step: Step) -> bool {
        let says = |line: Line, pid, edge| {
            let of = self.interpreter.type_of(self.run.last(), pid);
            line.pid == pid && of.and_then(|of| self.numbers.of(of, edge)) == Some(line.statement)
        };
        says(line, step.pid, step.edge)
            && match (other, step.partner) {
                (None, None) => true,
                (Some(other), Some((pid, edge))) => says(other, pid, edge),
                _ => false,
            }
    }

    /// Takes the only step that a process has; false if it has none or several.
    fn alone(&mut self, pid: u32) -> bool {
        let mut found: Option<Taken> = None;
        for taken in self.interpreter.steps(self.run.last()) {
            if taken.step.pid == pid && taken.step.partner.is_none() {
                if found.as_ref().is_some_and(|f| f.to != taken.to) {
                    return false;
                }
                found = Some(taken);
            }
        }
        let Some(next) = found else { return false };
        self.run.push(&next);
        true
    }

    /// While a process holds control and another is the next to move, it goes on.
    fn hold(&mut self, i: usize, pid: u32) {
        if !self.trail.merged {
            return;
        }
        for _ in 0..MERGED {
            let holds = self.interpreter.holder(self.run.last()) == Some(pid);
            let next = self.trail.lines.get(i + 1);
            if !holds || next.is_none_or(|l| l.pid == pid) || !self.alone(pid) {
                break;
            }
        }
    }

    /// An error may be in a statement that was merged with the last one, and where nothing can move any more, processes
    /// have done all that was merged with their last statements. If it is neither, nothing is added.
    fn ends(&mut self) {
        let Some(&Line { pid, .. }) = self.trail.lines.last() else { return };
        let len = self.run.states.len();
        self.silent(pid);
        if self.interpreter.is_fault(self.run.last()) {
            return;
        }
        (0..self.interpreter.processes(self.run.last())).for_each(|pid| self.silent(pid));
        let mut scratch = vec![0; self.interpreter.words()];
        if self.interpreter.is_stuck(self.run.last(), &mut scratch)
            && !self.interpreter.is_end(self.run.last())
        {
            return;
        }
        self.run.truncate(len);
    }

    /// A process goes on as far as it has no choice at all.
    fn silent(&mut self, pid: u32) {
        for _ in 0..MERGED {
            let Some(of) = self.interpreter.type_of(self.run.last(), pid) else { break };
            let at = self.interpreter.location(self.run.last(), pid);
            let process = &self.interpreter.program().processes[of.index()];
            let mut edges = process.edges.iter().filter(|e| Some(e.from) == at);
            if edges.next().is_none() || edges.next().is_some() || !self.alone(pid) {
                break;
            }
        }
    }

    /// The run with its cycle. The end of a merged trail may be short of the state with which the cycle began.
    fn closed(mut self, start: Option<usize>) -> Execution {
        let Some(start) = start else { return self.run };
        let n = self.run.states.len();
        if n > start + 1 && self.run.last() == self.run.states.get(start) {
            self.run.states = self.run.states.iter().take(n - 1).collect();
            self.run.back = Some(start);
            return self.run;
        }
        let mut scratch = vec![0; self.interpreter.words()];
        if n == start + 1 && self.interpreter.is_stuck(self.run.last(), &mut scratch) {
            self.run.steps.push(None);
            self.run.back = Some(start);
        }
        self.run
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let trail = Trail::read("-2:3:-2\n-4:-4:-4\n1:0:7\n2:1:4\n-1:-1:-1\n3:2:5\n").expect("a trail");
        let line = |at, pid, statement| Line { at, pid, statement };
        let wanted = Trail { lines: vec![line(4, 0, 4), line(6, 1, 5)], cycle: Some(1), merged: true };
        assert_eq!(trail, wanted);
        for bad in ["1:2", "a:b:c", "1:-1:2", "1:2:3:4", "-9:1:1", "1:2:99999999999999999999"] {
            assert!(Trail::read(bad).is_err(), "{bad}");
        }
    }
}
