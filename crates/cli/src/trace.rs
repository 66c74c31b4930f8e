//! From paths of packed states to traces for people and programs.

use crate::model::Loaded;
use riata_program::{Action, Interpreter, Part, Value, parts};
use riata_report::trace::{Step, Trace, itf};
use riata_system::{Choice, Lasso, Path, System, Walk};
use serde_json::{Map, Value as Json, json};

/// Shows states of one model.
pub struct Viewer<'a> {
    /// The model.
    pub loaded: &'a Loaded,
    /// What runs its program.
    pub interpreter: &'a Interpreter<'a>,
    parts: Vec<Part>,
}

impl<'a> Viewer<'a> {
    /// For the states of `interpreter`, which runs the program of `loaded`.
    pub fn new(loaded: &'a Loaded, interpreter: &'a Interpreter<'a>) -> Self {
        Viewer { loaded, interpreter, parts: parts(interpreter.program()) }
    }

    /// A state as an object of names and values; a state after a run-time error has none but `error`.
    pub fn json(&self, s: &[u32]) -> Json {
        let mut object = Map::new();
        if self.interpreter.is_fault(s) {
            object.insert("error".into(), true.into());
            return Json::Object(object);
        }
        for part in &self.parts {
            let value = match self.value(part, s) {
                Value::Number(n) => n.into(),
                Value::Array(a) => a.into(),
                Value::Location(l) => l.into(),
                Value::Messages(m) => m.into(),
            };
            object.insert(part.name.clone(), value);
        }
        Json::Object(object)
    }

    /// The states of a path as objects.
    pub fn states(&self, path: &Path) -> Vec<Json> {
        path.iter().map(|s| self.json(s)).collect()
    }

    /// A lasso as the contract has it.
    pub fn lasso(&self, lasso: &Lasso) -> riata_report::json::Lasso {
        riata_report::json::Lasso { stem: self.states(&lasso.stem), cycle: self.states(&lasso.cycle) }
    }

    /// The steps of a walk: for each who moved, and by which statement.
    pub fn steps(&self, walk: &Walk) -> Vec<Json> {
        let taken = |(src, choice, _): (&[u32], Choice, &[u32])| {
            let action = self.interpreter.explain(src, choice).map(|(action, _)| action);
            let places = action.map_or(Vec::new(), |a| self.interpreter.places(a));
            let one = |&(i, span): &(riata_program::InstanceId, riata_source::Span)| {
                let process = &self.interpreter.program().instances[i.index()].name;
                let place = self.loaded.place(span.start);
                json!({"process": process, "statement": self.loaded.excerpt(span), "place": place})
            };
            let mut movers = places.iter().map(one);
            let mut object = movers.next().unwrap_or_else(|| json!({"process": null}));
            if let Some(receiver) = movers.next() {
                object["receiver"] = receiver;
            }
            object["choice"] = if choice == Choice::STUTTER { Json::Null } else { choice.0.into() };
            object
        };
        (0..walk.choices.len()).filter_map(|i| walk.step(i)).map(taken).collect()
    }

    /// A walk in the Informal Trace Format. Each state but the first says which step led to it.
    pub fn itf(&self, walk: &Walk, description: &str) -> Json {
        let names: Vec<String> = self.parts.iter().map(|p| p.name.clone()).collect();
        let mut states = self.states(&walk.states);
        let mut steps = self.steps(walk).into_iter();
        for (state, step) in states.iter_mut().skip(1).zip(&mut steps) {
            state["#step"] = step;
        }
        let mut whole = itf(&self.loaded.given, description, &names, &states, walk.back);
        if let Some(step) = steps.next() {
            whole["#loop_step"] = step;
        }
        whole
    }

    fn value(&self, part: &Part, s: &[u32]) -> Value {
        part.value(self.interpreter.program(), self.interpreter.layout(), s)
    }

    /// A walk as a trace.
    pub fn trace(&self, walk: &Walk) -> Trace {
        let program = self.interpreter.program();
        let mut columns = vec!["shared".to_string()];
        columns.extend(program.instances.iter().map(|i| i.name.clone()));
        let mut trace = Trace { columns, ..Trace::default() };
        trace.steps.push(Step { cells: self.cells(None, walk.states.get(0)), ..Step::default() });
        for (src, choice, dst) in (0..walk.choices.len()).filter_map(|i| walk.step(i)) {
            trace.steps.push(self.step(src, choice, dst));
        }
        if let Some(to) = walk.back
            && let Some(step) = trace.steps.pop()
        {
            trace.back = Some((to, step));
        }
        trace
    }

    /// One step.
    pub fn step(&self, src: &[u32], choice: Choice, dst: &[u32]) -> Step {
        let (mut statement, mut place) = (String::new(), String::new());
        let taken = self.interpreter.explain(src, choice);
        match taken {
            None => statement = "(nothing can move: the state repeats)".into(),
            Some((action, _)) => {
                let places = self.interpreter.places(action);
                for (n, &(i, span)) in places.iter().enumerate() {
                    let process = &self.interpreter.program().instances[i.index()].name;
                    let text = self.loaded.excerpt(span);
                    let sep = if n == 0 { "" } else { "  ‖  " };
                    statement += &format!("{sep}{process}: {text}");
                    place += &match n {
                        0 => self.loaded.place(span.start),
                        _ => format!(",{}", riata_source::line_column(&self.loaded.text, span.start).0),
                    };
                }
                if places.is_empty() {
                    let all = self.interpreter.action(action) == Action::Lockstep;
                    statement = if all { "(all processes move)" } else { "(the others have ended)" }.into();
                }
            }
        }
        let mut cells = self.cells(Some(src), dst);
        if self.interpreter.is_fault(dst) {
            cells = vec![String::new(); cells.len()];
            if let Some((_, Some((fault, span)))) = taken {
                cells[0] = format!("run-time error: {fault}");
                place = self.loaded.place(span.start);
            }
        }
        debug_assert!(dst.len() >= self.interpreter.words());
        Step { statement, place, cells, ..Step::default() }
    }

    /// What is in each column, or what is new in it.
    fn cells(&self, before: Option<&[u32]>, s: &[u32]) -> Vec<String> {
        let mut cells = vec![String::new(); self.interpreter.program().instances.len() + 1];
        if self.interpreter.is_fault(s) {
            return cells;
        }
        for part in &self.parts {
            let new = self.value(part, s);
            let old = before.filter(|b| !self.interpreter.is_fault(b)).map(|b| self.value(part, b));
            if old.as_ref() == Some(&new) {
                continue;
            }
            let cell = &mut cells[part.owner.map_or(0, |i| i.index() + 1)];
            if !cell.is_empty() {
                cell.push(' ');
            }
            cell.push_str(&show(&part.short, old.as_ref(), &new));
        }
        cells
    }
}

fn show(name: &str, old: Option<&Value>, new: &Value) -> String {
    let list = |v: &[i32]| v.iter().map(i32::to_string).collect::<Vec<_>>().join(",");
    match (old, new) {
        (_, Value::Number(n)) => format!("{name}={n}"),
        (_, Value::Location(l)) => l.clone(),
        (Some(Value::Array(old)), Value::Array(new)) => {
            let changed = old.iter().zip(new).enumerate().filter(|(_, (a, b))| a != b);
            changed.map(|(i, (_, b))| format!("{name}[{i}]={b}")).collect::<Vec<_>>().join(" ")
        }
        (_, Value::Array(new)) => format!("{name}={{{}}}", list(new)),
        (_, Value::Messages(m)) => {
            let messages: Vec<String> = m.iter().map(|m| list(m)).collect();
            format!("{name}=[{}]", messages.join("|"))
        }
    }
}
