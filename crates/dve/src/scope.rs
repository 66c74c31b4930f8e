//! What a name means: the shared scope, and one scope for each process.

use crate::ast::Name;
use riata_program::Var;
use riata_program::{LocId, ProcId};
use riata_source::{Diagnostic, Span};
use std::collections::HashMap;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Constant(i32),
    /// A variable: how many elements it has if it is an array, is it constant, and where it is declared.
    Variable {
        var: Var,
        len: Option<u32>,
        constant: bool,
        declared: Span,
    },
    /// A channel, by its number from 0.
    Channel(usize),
    Process(ProcId),
    State(LocId),
    /// It was declared wrongly, which has been reported.
    Bad,
}

impl Meaning {
    /// In words, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Meaning::Constant(_) => "a constant",
            Meaning::Variable { constant: true, .. } => "a constant array",
            Meaning::Variable { len: Some(_), .. } => "an array",
            Meaning::Variable { .. } => "a variable",
            Meaning::Channel(_) => "a channel",
            Meaning::Process(_) => "a process",
            Meaning::State(_) => "a state",
            Meaning::Bad => "a name",
        }
    }
}

type Names = HashMap<String, (Meaning, Span)>;

/// All names of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    shared: Names,
    /// By process; states apart from variables.
    locals: Vec<Names>,
    states: Vec<Names>,
}

/// Where a name is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    Shared,
    In(ProcId),
}

impl Scope {
    /// Makes room for one more process.
    pub fn add_process(&mut self) -> ProcId {
        self.locals.push(Names::new());
        self.states.push(Names::new());
        ProcId::new(self.locals.len() - 1)
    }

    /// Declares a variable, constant, channel or process.
    pub fn declare(&mut self, at: Where, name: &Name, meaning: Meaning, wrong: &mut Vec<Diagnostic>) {
        let names = match at {
            Where::Shared => &mut self.shared,
            Where::In(i) => &mut self.locals[i.index()],
        };
        put(names, name, meaning, wrong);
    }

    /// Declares a state.
    pub fn declare_state(&mut self, i: ProcId, name: &Name, loc: LocId, wrong: &mut Vec<Diagnostic>) {
        put(&mut self.states[i.index()], name, Meaning::State(loc), wrong);
    }

    /// What `name` means in an expression.
    pub fn lookup(&self, at: Where, name: &Name) -> Option<&Meaning> {
        let local = match at {
            Where::Shared => None,
            Where::In(i) => {
                self.locals[i.index()].get(&name.text).or_else(|| self.states[i.index()].get(&name.text))
            }
        };
        local.or_else(|| self.shared.get(&name.text)).map(|(m, _)| m)
    }

    /// A variable of process `i`, for `P->x`.
    pub fn local(&self, i: ProcId, name: &Name) -> Option<&Meaning> {
        self.locals[i.index()].get(&name.text).map(|(m, _)| m)
    }

    /// A state of process `i`.
    pub fn state(&self, i: ProcId, name: &Name) -> Option<LocId> {
        match self.states[i.index()].get(&name.text) {
            Some((Meaning::State(l), _)) => Some(*l),
            _ => None,
        }
    }

    /// A shared name: a channel or a process.
    pub fn shared(&self, name: &Name) -> Option<&Meaning> {
        self.shared.get(&name.text).map(|(m, _)| m)
    }

    /// The error for a name that means nothing, with the nearest name that does.
    pub fn unknown(&self, at: Where, what: &str, name: &Name) -> Diagnostic {
        let locals = match at {
            Where::Shared => None,
            Where::In(i) => Some(&self.locals[i.index()]),
        };
        let candidates = locals.into_iter().chain([&self.shared]).flat_map(HashMap::keys);
        missing(&format!("there is no {what}"), name, candidates)
    }

    /// The error for a state that process `i` does not have.
    pub fn unknown_state(&self, i: ProcId, process: &str, name: &Name) -> Diagnostic {
        missing(&format!("process `{process}` has no state"), name, self.states[i.index()].keys())
    }

    /// The error for a variable that process `i` does not have.
    pub fn unknown_local(&self, i: ProcId, process: &str, name: &Name) -> Diagnostic {
        missing(&format!("process `{process}` has no variable"), name, self.locals[i.index()].keys())
    }
}

fn put(names: &mut Names, name: &Name, meaning: Meaning, wrong: &mut Vec<Diagnostic>) {
    if let Some((_, first)) = names.get(&name.text) {
        let message = format!("`{}` is declared twice", name.text);
        wrong.push(Diagnostic::error(name.span, message).note(*first, "the first declaration"));
        return;
    }
    names.insert(name.text.clone(), (meaning, name.span));
}

fn missing<'a>(what: &str, name: &Name, candidates: impl Iterator<Item = &'a String>) -> Diagnostic {
    let d = Diagnostic::error(name.span, format!("{what} `{}`", name.text));
    let near = candidates
        .map(|c| (distance(&name.text, c), c))
        .filter(|&(n, c)| n <= 2 && n < c.len().min(name.text.len()))
        .min();
    match near {
        Some((_, c)) => d.help(format!("did you mean `{c}`?")),
        None => d,
    }
}

/// Edit distance; more than 2 is said to be 3.
fn distance(a: &str, b: &str) -> usize {
    if a.len().abs_diff(b.len()) > 2 || a.len() > 64 {
        return 3;
    }
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = change.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()].min(3)
}
