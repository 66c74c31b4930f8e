//! States and steps of programs: for people and for programs.

use super::Loaded;
use riata_program::LocId;
use riata_program::{Execution, Failure, Happening, Interpreter, Part, Step as Taken, Told, Value, Work};
use riata_report::run::Taken as Named;
use riata_report::trace::{Step, Trace};
use riata_system::Path;
use serde_json::{Map, Value as Json};
use std::collections::HashMap;

/// Shows states of one model.
pub struct Viewer<'a> {
    pub(super) loaded: &'a Loaded,
    pub(super) interpreter: &'a Interpreter,
}

impl<'a> Viewer<'a> {
    /// For the states of `interpreter`, which runs the program of `loaded`.
    pub fn new(loaded: &'a Loaded, interpreter: &'a Interpreter) -> Self {
        Viewer { loaded, interpreter }
    }

    /// A process as people call it.
    pub fn process(&self, s: &[u32], pid: u32) -> String {
        let program = self.interpreter.program();
        if let Some(name) = program.start.get(pid as usize).and_then(|start| start.name.as_ref()) {
            return name.clone();
        }
        let name = self.interpreter.type_of(s, pid).map(|t| &program.processes[t.index()].name);
        match name {
            // The claim is no process.
            Some(name) if pid > 255 => name.clone(),
            _ => format!("{}:{pid}", name.map_or("?", |n| n.as_str())),
        }
    }

    /// How many processes there are.
    pub fn processes(&self, s: &[u32]) -> u32 {
        self.interpreter.processes(s)
    }

    /// How many channels there are.
    pub fn channels(&self, s: &[u32]) -> i32 {
        self.interpreter.channels(s) as i32
    }

    /// What happens in a step from `src` to `dst`.
    pub fn events(&self, src: &[u32], step: Option<Taken>, dst: &[u32]) -> Vec<Told> {
        step.and_then(|step| self.interpreter.narrate(src, step, dst)).unwrap_or_default()
    }

    /// A value of a message.
    pub fn value(&self, s: &[u32], value: &Value) -> String {
        self.text(s, None, value)
    }

    fn location(&self, s: &[u32], pid: u32, l: LocId) -> String {
        let Some(of) = self.interpreter.type_of(s, pid) else { return String::new() };
        let location = &self.interpreter.program().processes[of.index()].locations[l.index()];
        match location.labels.first() {
            Some(label) => label.clone(),
            None => format!("line {}", self.loaded.sources.locate(location.span).line),
        }
    }

    fn text(&self, s: &[u32], owner: Option<u32>, value: &Value) -> String {
        match value {
            Value::Number(n) => n.to_string(),
            Value::Symbol(n) => n.clone(),
            Value::Channel(0) => "–".into(),
            Value::Channel(c) => self.interpreter.channel_name(s, *c).unwrap_or_else(|| format!("chan {c}")),
            Value::List(list) => {
                let nested = list.iter().any(|v| matches!(v, Value::List(_)));
                let parts: Vec<String> = list.iter().map(|v| self.text(s, owner, v)).collect();
                parts.join(if nested { "|" } else { "," })
            }
            Value::Location(l) => self.location(s, owner.unwrap_or(0), *l),
        }
    }

    fn json_value(&self, s: &[u32], owner: Option<u32>, value: &Value) -> Json {
        match value {
            Value::Number(n) => (*n).into(),
            Value::Channel(n) => (*n).into(),
            Value::Symbol(n) => n.clone().into(),
            Value::List(list) => list.iter().map(|v| self.json_value(s, owner, v)).collect(),
            Value::Location(_) => self.text(s, owner, value).into(),
        }
    }

    fn name(&self, s: &[u32], part: &Part) -> String {
        match part.owner {
            None => part.name.clone(),
            Some(pid) if part.name.is_empty() => self.process(s, pid),
            Some(pid) => format!("{}.{}", self.process(s, pid), part.name),
        }
    }

    /// A state as an object of names and values; a state after a run-time error has none but `error`.
    pub fn json(&self, s: &[u32]) -> Json {
        let mut object = Map::new();
        if self.interpreter.is_fault(s) {
            object.insert("error".into(), true.into());
        }
        for part in self.interpreter.parts(s) {
            object.insert(self.name(s, &part), self.json_value(s, part.owner, &part.value));
        }
        Json::Object(object)
    }

    /// The states of a path as objects.
    pub fn states(&self, path: &Path) -> Vec<Json> {
        path.iter().map(|s| self.json(s)).collect()
    }

    /// The steps of a run: for each who moved, and by which statement.
    pub fn steps(&self, run: &Execution) -> Vec<Named> {
        (0..run.steps.len()).filter_map(|i| run.step(i)).map(|(src, step, _)| self.taken(src, step)).collect()
    }

    /// A step from `src`.
    pub fn taken(&self, src: &[u32], step: Option<Taken>) -> Named {
        let Some(step) = step else {
            return Named { statement: "(nothing can move)".into(), ..Named::default() };
        };
        let one = |pid: u32, edge: riata_program::EdgeId| {
            let of = self.interpreter.type_of(src, pid);
            let edges = of.map(|of| &self.interpreter.program().processes[of.index()].edges);
            let found = edges.and_then(|e| e.get(edge.index()));
            Named {
                process: Some(self.process(src, pid)),
                pid: Some(pid),
                edge: Some(edge.0),
                statement: found.map_or(String::new(), |edge| self.does(&edge.work)),
                place: found.map(|edge| self.loaded.place(edge.span())),
                receiver: None,
            }
        };
        let receiver = step.partner.map(|(pid, edge)| Box::new(one(pid, edge)));
        Named { receiver, ..one(step.pid, step.edge) }
    }

    /// A run as a trace.
    pub fn trace(&self, run: &Execution) -> Trace {
        let path = &run.states;
        let most = path.iter().map(|s| self.interpreter.processes(s)).max().unwrap_or(0);
        let mut columns = vec!["shared".to_string()];
        for pid in 0..most {
            let first = path.iter().find(|s| self.interpreter.processes(s) > pid);
            columns.push(first.map_or(String::new(), |s| self.process(s, pid)));
        }
        let n = columns.len();
        let mut trace = Trace { columns, ..Trace::default() };
        trace.steps.push(Step { cells: self.cells(n, None, path.get(0)), ..Step::default() });
        for i in 1..path.len() {
            let failure = run.failure.filter(|_| i + 1 == path.len());
            let step = run.steps[i - 1];
            trace.steps.push(self.step(n, path.get(i - 1), (step, failure), path.get(i)));
        }
        if let Some(to) = run.back
            && let Some(&step) = run.steps.get(path.len() - 1)
        {
            trace.back = Some((to, self.step(n, run.last(), (step, None), path.get(to))));
        }
        trace
    }

    /// One step, in `columns` columns, and what is wrong with it.
    pub fn step(
        &self,
        columns: usize,
        src: &[u32],
        (step, failure): (Option<Taken>, Option<Failure>),
        dst: &[u32],
    ) -> Step {
        let (mut statement, mut place) = (String::new(), String::new());
        let printed = self.printed(src, self.events(src, step, dst));
        match step {
            None if !self.interpreter.steps(src).is_empty() => {
                statement = "(the claim has come to its end)".into();
            }
            None => statement = "(nothing can move: the state repeats)".into(),
            Some(step) => {
                let mut movers = vec![(step.pid, step.edge)];
                movers.extend(step.partner);
                for (n, (pid, edge)) in movers.into_iter().enumerate() {
                    let Some(of) = self.interpreter.type_of(src, pid) else { continue };
                    let edge = &self.interpreter.program().processes[of.index()].edges[edge.index()];
                    let sep = if n == 0 { "" } else { "  ‖  " };
                    statement += &format!("{sep}{}: {}", self.process(src, pid), self.does(&edge.work));
                    for &span in &edge.merged {
                        statement += &format!("; {}", self.loaded.excerpt(span));
                    }
                    place += &match n {
                        0 => self.loaded.place(edge.span()),
                        _ => format!(",{}", self.loaded.sources.locate(edge.span()).line),
                    };
                }
            }
        }
        if statement.is_empty() {
            statement = "(all processes move)".into();
        }
        let mut cells = self.cells(columns, Some(src), dst);
        if let (Some(Failure { fault, span, .. }), true) = (failure, self.interpreter.is_fault(dst)) {
            cells[0] = fault.to_string();
            if span != riata_source::Span::default() {
                place = self.loaded.place(span);
            }
        }
        Step { statement, place, cells, printed }
    }

    fn printed(&self, s: &[u32], events: Vec<Told>) -> Vec<(String, String)> {
        let text = |e: Told| match e.what {
            Happening::Printed(text) => Some((self.process(s, e.pid), text)),
            _ => None,
        };
        events.into_iter().filter_map(text).collect()
    }

    /// What an edge does, as it is written.
    pub fn does(&self, work: &Work) -> String {
        match work {
            Work::Action(a) if a.effect.contains(&riata_program::Statement::Exit) => "-end-".into(),
            Work::Action(a) => self.loaded.excerpt(a.span),
            Work::Block(_, span) => self.loaded.excerpt(*span),
        }
    }

    /// What is in each column.
    pub fn whole(&self, columns: usize, s: &[u32]) -> Vec<String> {
        self.cells(columns, None, s)
    }

    /// What is in each column, or what is new in it.
    fn cells(&self, columns: usize, before: Option<&[u32]>, s: &[u32]) -> Vec<String> {
        let mut cells = vec![String::new(); columns];
        let old = before.map(|b| self.interpreter.parts(b)).unwrap_or_default();
        let old: HashMap<(Option<u32>, &str), &Value> =
            old.iter().rev().map(|p| ((p.owner, p.name.as_str()), &p.value)).collect();
        for part in self.interpreter.parts(s) {
            let was = old.get(&(part.owner, part.name.as_str())).copied();
            if was == Some(&part.value) {
                continue;
            }
            let Some(cell) = cells.get_mut(part.owner.map_or(0, |p| p as usize + 1)) else { continue };
            if !cell.is_empty() {
                cell.push(' ');
            }
            cell.push_str(&self.changed(s, &part, was));
        }
        if let Some(b) = before {
            for pid in self.interpreter.processes(s)..self.interpreter.processes(b) {
                if let Some(cell) = cells.get_mut(pid as usize + 1)
                    && !self.interpreter.is_fault(s)
                {
                    *cell = "†".into();
                }
            }
        }
        cells
    }

    fn changed(&self, s: &[u32], part: &Part, old: Option<&Value>) -> String {
        let (name, owner) = (&part.name, part.owner);
        match (&part.value, old) {
            (Value::Location(_), _) => self.text(s, owner, &part.value),
            (Value::List(new), Some(Value::List(old)))
                if new.len() == old.len() && !new.iter().any(|v| matches!(v, Value::List(_))) =>
            {
                let changed = old.iter().zip(new).enumerate().filter(|(_, (a, b))| a != b);
                let one = |(i, (_, b)): (usize, (&Value, &Value))| {
                    format!("{name}[{i}]={}", self.text(s, owner, b))
                };
                changed.map(one).collect::<Vec<_>>().join(" ")
            }
            (Value::List(_), _) => format!("{name}=[{}]", self.text(s, owner, &part.value)),
            (value, _) => format!("{name}={}", self.text(s, owner, value)),
        }
    }

    /// The assertion about a state that does not hold.
    pub fn violated(&self, s: &[u32]) -> String {
        let Some((pid, e)) = self.interpreter.violated(s) else { return String::new() };
        let span = self.interpreter.program().exprs.span(e);
        let (who, place) = (self.process(s, pid), self.loaded.place(span));
        format!("assertion of {who} at {place} does not hold: {}", self.loaded.excerpt(span))
    }

    /// What is wrong with the end of a run.
    pub fn fault(&self, run: &Execution) -> String {
        let Some(Failure { pid, fault, span }) = run.failure else { return self.violated(run.last()) };
        let before = run.states.get(run.states.len().saturating_sub(2));
        let who = self.process(before, pid);
        format!("{who} at {}: {fault}: {}", self.loaded.place(span), self.loaded.excerpt(span))
    }
}
