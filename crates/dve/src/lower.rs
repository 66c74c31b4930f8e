//! Names, types, and the way from the syntax tree to the program.

use crate::ast::{self, Initial, Node, Tree, Type};
use crate::scope::{Meaning, Scope, Where};
use riata_program::{
    Action, Channel, Edge, Expr, Guard, Location, Offer, Opening, Order, Pattern, Place, Process, Program,
    Receive, Scheduling, Shown, Start, Statement, Var, Variable, Work,
};
use riata_program::{Binary, Domain, ExprId, LocId, MAX_MESSAGE, ProcId, StoreRule};
use riata_source::{Diagnostic, Span};

/// The longest array and the largest buffer.
const LONGEST: i32 = 1 << 20;

/// A model in the form of programs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lowered {
    pub program: Program,
    pub scope: Scope,
    pub claim: Option<Watcher>,
}

/// The property process. It is not one of the program's: what it has are shared variables behind the others, and last of
/// them where it is. If something looks at it, they are part of the program.
#[derive(Clone, Debug)]
pub(crate) struct Watcher {
    /// Which process of the model.
    pub process: ProcId,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Where they begin among the shared ones.
    pub first: u32,
    /// Does an expression outside of it look at it?
    pub seen: bool,
}

impl Watcher {
    /// The shared variable that tells where it is.
    pub fn at(&self) -> Var {
        Var::Shared(self.first + self.variables.len() as u32)
    }
}

/// Lowers a model. If it is not whole, names may be missing: then only what is certainly wrong is reported.
pub(crate) fn lower(model: &ast::Model, whole: bool, wrong: &mut Vec<Diagnostic>) -> Lowered {
    let lockstep = model.system.as_ref().is_some_and(|s| s.lockstep);
    let scheduling =
        Scheduling { order: Order::Oldest, early: true, lazy: true, lockstep, ..Scheduling::default() };
    let property = model.system.as_ref().and_then(|s| s.property.as_ref());
    let watcher = property.and_then(|name| model.processes.iter().position(|p| p.name.text == name.text));
    let mut lowerer = Lowerer {
        model,
        watcher: watcher.map(ProcId::new),
        lowered: Lowered { program: Program { scheduling, ..Program::default() }, ..Lowered::default() },
        arity: vec![None; model.channels.len()],
        wrong: Vec::new(),
    };
    lowerer.declarations();
    if whole {
        lowerer.bodies();
    }
    wrong.append(&mut lowerer.wrong);
    lowerer.lowered
}

/// Lowers an expression that is not part of the model's text.
pub(crate) fn proposition(
    lowered: &mut Lowered,
    syntax: &ast::Model,
    tree: Tree,
    wrong: &mut Vec<Diagnostic>,
) -> ExprId {
    Reader { lowered, syntax, wrong }.expr(Where::Shared, tree)
}

/// Reads expressions.
struct Reader<'a> {
    lowered: &'a mut Lowered,
    syntax: &'a ast::Model,
    wrong: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    /// The nodes of an expression are in postfix order: one loop lowers them.
    fn expr(&mut self, at: Where, tree: Tree) -> ExprId {
        let mut ids: Vec<ExprId> = Vec::with_capacity(tree.root - tree.start + 1);
        for n in tree.start..=tree.root {
            let span = self.syntax.spans[n];
            let expr = match &self.syntax.nodes[n] {
                Node::Number(k) => Expr::Const(*k),
                Node::Unary(op, a) => Expr::Unary(*op, ids[a - tree.start]),
                Node::Binary(op, a, b) => Expr::Binary(*op, ids[a - tree.start], ids[b - tree.start]),
                Node::Name(name) => self.read(at, name, None),
                Node::Element(name, i) => self.read(at, name, Some(ids[i - tree.start])),
                Node::Foreign(process, name) => self.foreign(at, process, name, None),
                Node::ForeignElement(process, name, i) => {
                    self.foreign(at, process, name, Some(ids[i - tree.start]))
                }
                Node::At(process, state) => self.at(at, process, state),
            };
            ids.push(self.lowered.program.exprs.add(expr, span));
        }
        ids[tree.root - tree.start]
    }

    fn read(&mut self, at: Where, name: &ast::Name, index: Option<ExprId>) -> Expr {
        match self.lowered.scope.lookup(at, name).cloned() {
            Some(meaning) => self.value(meaning, None, name, index),
            None => self.bad(self.lowered.scope.unknown(at, "variable", name)),
        }
    }

    fn bad(&mut self, d: Diagnostic) -> Expr {
        self.wrong.push(d);
        Expr::Const(0)
    }

    /// What a name means as a value, of another process if one is named.
    fn value(
        &mut self,
        meaning: Meaning,
        of: Option<ProcId>,
        name: &ast::Name,
        index: Option<ExprId>,
    ) -> Expr {
        let text = &name.text;
        match (&meaning, index) {
            (Meaning::Bad, _) => Expr::Const(0),
            (Meaning::Constant(k), None) => Expr::Const(*k),
            (&Meaning::Variable { var, len, declared, .. }, _) if len.is_some() == index.is_some() => {
                if let (Some(i), Some(len)) = (index, len) {
                    self.check_index(text, (len, declared), i);
                }
                let var = self.remote(var, of, name.span);
                Expr::Read(Place { var, index })
            }
            (&Meaning::Variable { var, len: Some(_), .. }, _) => {
                // DiVinE reads and writes the first element; models of BEEM rely on it.
                let message = format!("the array `{text}` is used without an index");
                if !self.wrong.iter().any(|d| d.message == message) {
                    let d = Diagnostic::warning(name.span, message);
                    self.wrong.push(d.help(format!("this means `{text}[0]`, here and everywhere")));
                }
                let index = Some(self.constant(0, name.span));
                let var = self.remote(var, of, name.span);
                Expr::Read(Place { var, index })
            }
            (Meaning::Variable { .. } | Meaning::Constant(_), _) => {
                self.bad(Diagnostic::error(name.span, format!("`{text}` is not an array, but has an index")))
            }
            (Meaning::State(_), _) => self.bad(
                Diagnostic::error(name.span, format!("`{text}` is a state, not a value"))
                    .help("write `Process.state` to ask whether a process is in a state"),
            ),
            (m, _) => {
                self.bad(Diagnostic::error(name.span, format!("`{text}` is {}, not a value", m.kind())))
            }
        }
    }

    fn constant(&mut self, k: i32, span: Span) -> ExprId {
        self.lowered.program.exprs.add(Expr::Const(k), span)
    }

    /// The variable of another process, if one is named.
    fn remote(&mut self, var: Var, of: Option<ProcId>, span: Span) -> Var {
        match (var, of) {
            (Var::Local(v), Some(p)) => Var::Remote(p, v, self.pid(p, span)),
            _ => var,
        }
    }

    /// The pid of the one process of a type.
    fn pid(&mut self, p: ProcId, span: Span) -> ExprId {
        let pid = self.lowered.program.start.iter().position(|s| s.process == p);
        self.constant(pid.map_or(-1, |pid| pid as i32), span)
    }

    /// A constant index must be in range.
    fn check_index(&mut self, name: &str, (len, declared): (u32, Span), index: ExprId) {
        let exprs = &self.lowered.program.exprs;
        if let Some(k) = exprs.constant(index)
            && !(0..i64::from(len)).contains(&i64::from(k))
        {
            let message = format!("index {k} is outside the array `{name}` of {len} elements");
            self.wrong.push(Diagnostic::error(exprs.span(index), message).note(declared, "declared here"));
        }
    }

    fn process(&mut self, name: &ast::Name) -> Option<ProcId> {
        match self.lowered.scope.shared(name) {
            Some(Meaning::Process(i)) => Some(*i),
            Some(other) => {
                let message = format!("`{}` is {}, not a process", name.text, other.kind());
                self.wrong.push(Diagnostic::error(name.span, message));
                None
            }
            None => {
                self.wrong.push(self.lowered.scope.unknown(Where::Shared, "process", name));
                None
            }
        }
    }

    /// Somebody looks at process `i`.
    fn looks_at(&mut self, at: Where, i: ProcId) {
        if let Some(watcher) = &mut self.lowered.claim
            && watcher.process == i
            && at != Where::In(i)
        {
            watcher.seen = true;
        }
    }

    fn foreign(&mut self, at: Where, process: &ast::Name, name: &ast::Name, index: Option<ExprId>) -> Expr {
        let Some(i) = self.process(process) else { return Expr::Const(0) };
        self.looks_at(at, i);
        match self.lowered.scope.local(i, name).cloned() {
            Some(meaning) => self.value(meaning, Some(i), name, index),
            None => self.bad(self.lowered.scope.unknown_local(i, &process.text, name)),
        }
    }

    fn at(&mut self, at: Where, process: &ast::Name, state: &ast::Name) -> Expr {
        let Some(i) = self.process(process) else { return Expr::Const(0) };
        self.looks_at(at, i);
        let Some(l) = self.lowered.scope.state(i, state) else {
            let mut d = self.lowered.scope.unknown_state(i, &process.text, state);
            if self.lowered.scope.local(i, state).is_some() {
                d = d.help(format!("for the variable, write `{}->{}`", process.text, state.text));
            }
            return self.bad(d);
        };
        let place = self.lowered.claim.as_ref().filter(|w| w.process == i).map(Watcher::at);
        match place {
            Some(var) => {
                let here = self.lowered.program.exprs.add(Expr::Read(Place { var, index: None }), state.span);
                Expr::Binary(Binary::Eq, here, self.constant(l.0 as i32, state.span))
            }
            None => Expr::At(i, self.pid(i, state.span), l),
        }
    }
}

struct Lowerer<'a> {
    model: &'a ast::Model,
    /// The property process, if it is none of those that move all at once.
    watcher: Option<ProcId>,
    lowered: Lowered,
    /// How many values a message of an untyped channel has, and where that was first seen.
    arity: Vec<Option<(usize, Span)>>,
    wrong: Vec<Diagnostic>,
}

impl Lowerer<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.wrong.push(Diagnostic::error(span, message));
    }

    fn expr(&mut self, at: Where, tree: Tree) -> ExprId {
        Reader { lowered: &mut self.lowered, syntax: self.model, wrong: &mut self.wrong }.expr(at, tree)
    }

    /// The value of an expression that must be constant.
    fn constant(&mut self, at: Where, tree: Tree, what: &str) -> Option<i32> {
        let before = self.wrong.len();
        let e = self.expr(at, tree);
        if self.wrong.len() > before {
            return None;
        }
        let value = self.lowered.program.exprs.constant(e);
        if value.is_none() {
            let message = format!("{what} must be constant");
            let d = Diagnostic::error(self.model.span(tree), message);
            self.wrong.push(d.help("it may be built from numbers and constants that are declared before it"));
        }
        value
    }

    fn declarations(&mut self) {
        for v in &self.model.variables {
            self.variable(Where::Shared, v);
        }
        for (c, channel) in self.model.channels.iter().enumerate() {
            self.channel(c, channel);
        }
        let lockstep = self.lowered.program.scheduling.lockstep;
        for process in &self.model.processes {
            let p = self.scope().add_process();
            self.declare(Where::Shared, &process.name, Meaning::Process(p));
            let name = process.name.text.clone();
            let location = |s: &ast::Name| Location {
                labels: vec![s.text.clone()],
                span: s.span,
                ..Location::default()
            };
            self.lowered.program.processes.push(Process {
                name: name.clone(),
                parameters: 0,
                locals: Vec::new(),
                initialisers: Vec::new(),
                opens: Vec::new(),
                locations: process.states.iter().map(location).collect(),
                initial: LocId(0),
                edges: Vec::new(),
                provided: None,
                priority: 1,
                span: process.name.span,
            });
            if self.watcher == Some(p) && !lockstep {
                let first = self.lowered.program.shared.len() as u32;
                let watcher = Watcher { process: p, variables: Vec::new(), first, seen: false };
                self.lowered.claim = Some(watcher);
            } else {
                self.lowered.program.start.push(Start { process: p, name: Some(name) });
            }
            for v in &process.variables {
                self.variable(Where::In(p), v);
            }
            for (l, state) in process.states.iter().enumerate() {
                self.lowered.scope.declare_state(p, state, LocId::new(l), &mut self.wrong);
            }
        }
    }

    fn scope(&mut self) -> &mut Scope {
        &mut self.lowered.scope
    }

    fn declare(&mut self, at: Where, name: &ast::Name, meaning: Meaning) {
        self.lowered.scope.declare(at, name, meaning, &mut self.wrong);
    }

    fn variable(&mut self, at: Where, v: &ast::Variable) {
        let domain = domain(v.kind);
        let name = &v.name.text;
        // A name is not known in its own initial value: that would be a circle.
        let len = match v.len {
            None => None,
            Some(tree) => match self.constant(at, tree, "the size of an array") {
                Some(n @ 1..=LONGEST) => Some(n as u32),
                other => {
                    if let Some(n) = other {
                        let message = format!("an array cannot have {n} elements");
                        let d = Diagnostic::error(self.model.span(tree), message);
                        self.wrong.push(d.help(format!("from 1 to {LONGEST} are possible")));
                    }
                    self.declare(at, &v.name, Meaning::Bad);
                    return;
                }
            },
        };
        let mut initial = Vec::new();
        let trees: &[Tree] = match (&v.initial, len) {
            (None, _) => &[],
            (Some(Initial::One(tree)), None) => std::slice::from_ref(tree),
            (Some(Initial::List(trees, _)), Some(_)) => trees,
            (Some(Initial::One(tree)), Some(_)) => {
                let d = Diagnostic::error(
                    self.model.span(*tree),
                    format!("the array `{name}` has one initial value"),
                );
                self.wrong.push(d.help("write a list: `{0, 1, …}`"));
                &[]
            }
            (Some(Initial::List(_, span)), None) => {
                self.error(*span, format!("`{name}` is not an array, but has a list of initial values"));
                &[]
            }
        };
        for &tree in trees {
            let Some(value) = self.constant(at, tree, "an initial value") else {
                initial.push(0);
                continue;
            };
            if !domain.contains(value) {
                let message =
                    format!("{value} is outside the range of `{name}`, {}..{}", domain.min, domain.max);
                self.error(self.model.span(tree), message);
            }
            initial.push(if domain.contains(value) { value } else { 0 });
        }
        let elements = len.unwrap_or(1) as usize;
        if initial.len() > elements {
            let message = format!("`{name}` has {elements} elements, but {} initial values", initial.len());
            let d = Diagnostic::warning(self.model.span(trees[elements]), message);
            self.wrong.push(d.label("this one and all after it are ignored"));
        }
        initial.resize(elements, 0);
        if v.constant && v.initial.is_none() {
            self.error(v.name.span, format!("the constant `{name}` has no value"));
        }
        let meaning = if v.constant && len.is_none() {
            Meaning::Constant(initial[0])
        } else {
            let variable = Variable {
                name: name.clone(),
                domain,
                rule: StoreRule::Fault,
                len,
                initial,
                shown: Shown::Number,
                span: v.name.span,
            };
            let var = self.place_variable(at, variable);
            Meaning::Variable { var, len, constant: v.constant, declared: v.name.span }
        };
        self.declare(at, &v.name, meaning);
    }

    /// Puts a variable where it belongs.
    fn place_variable(&mut self, at: Where, variable: Variable) -> Var {
        let Lowered { program, claim, .. } = &mut self.lowered;
        let (list, first) = match (at, claim) {
            (Where::Shared, _) => (&mut program.shared, 0),
            (Where::In(p), Some(w)) if w.process == p => (&mut w.variables, w.first),
            (Where::In(p), _) => {
                let locals = &mut program.processes[p.index()].locals;
                locals.push(variable);
                return Var::Local(locals.len() as u32 - 1);
            }
        };
        list.push(variable);
        Var::Shared(first + list.len() as u32 - 1)
    }

    fn channel(&mut self, c: usize, channel: &ast::Channel) {
        let name = &channel.name;
        let capacity = match (channel.size, &channel.types) {
            (None, _) => 0,
            (Some(tree), types) => match self.constant(Where::Shared, tree, "the size of a channel") {
                Some(n @ 0..=LONGEST) => {
                    if types.is_none() && n > 0 {
                        let message = format!("the buffered channel `{}` has no types", name.text);
                        let d = Diagnostic::error(name.span, message);
                        self.wrong.push(d.help(format!("write `channel {{byte}} {}[{n}];`, say", name.text)));
                    }
                    n as u32
                }
                Some(n) => {
                    let d = Diagnostic::error(
                        self.model.span(tree),
                        format!("a channel cannot hold {n} messages"),
                    );
                    self.wrong.push(d.help(format!("from 0 to {LONGEST} are possible")));
                    0
                }
                None => 0,
            },
        };
        let types = channel.types.as_deref().unwrap_or(&[]);
        if types.len() > MAX_MESSAGE {
            self.error(name.span, format!("a message can have at most {MAX_MESSAGE} values"));
        }
        if channel.types.is_some() {
            self.arity[c] = Some((types.len(), name.span));
        }
        let fields: Vec<Domain> = types.iter().map(|&t| domain(t)).collect();
        let shown = vec![Shown::Number; fields.len()];
        let program = &mut self.lowered.program;
        program.channels.push(Channel { name: name.text.clone(), capacity, fields, shown, span: name.span });
        // The number of the channel never changes, so the variable that tells it has no bits.
        let number = c as i32 + 1;
        program.shared.push(Variable {
            name: name.text.clone(),
            domain: Domain { min: number, max: number },
            rule: StoreRule::Fault,
            len: None,
            initial: vec![number],
            shown: Shown::Channel,
            span: name.span,
        });
        let var = program.shared.len() as u32 - 1;
        program.opens.push(Opening { channel: c as u32, var, element: 0 });
        self.declare(Where::Shared, name, Meaning::Channel(c));
    }

    fn bodies(&mut self) {
        if self.model.processes.is_empty() {
            let span = self.model.system.as_ref().map_or(Span::default(), |s| s.span);
            self.error(span, "there is no process");
        }
        for (p, process) in self.model.processes.iter().enumerate() {
            self.process(ProcId::new(p), process);
        }
        self.untyped_channels();
        let Some(system) = &self.model.system else { return };
        let Some(property) = &system.property else { return };
        match self.lowered.scope.shared(property) {
            Some(&Meaning::Process(i)) => {
                if !system.lockstep {
                    for t in &self.model.processes[i.index()].transitions {
                        if let Some(sync) = &t.sync {
                            let message = "a property process that sends or receives is not supported";
                            self.wrong.push(Diagnostic::error(sync.span, message));
                        }
                    }
                }
            }
            Some(other) => {
                let message = format!("`{}` is {}, not a process", property.text, other.kind());
                self.error(property.span, message);
            }
            None => {
                let d = self.lowered.scope.unknown(Where::Shared, "process", property);
                self.wrong.push(d);
            }
        }
    }

    /// What is sent through an untyped channel is not cut to any type.
    fn untyped_channels(&mut self) {
        for (c, channel) in self.model.channels.iter().enumerate() {
            if channel.types.is_none() {
                let values = self.arity[c].map_or(0, |(n, _)| n);
                let declared = &mut self.lowered.program.channels[c];
                declared.fields = vec![Domain { min: i32::MIN, max: i32::MAX }; values];
                declared.shown = vec![Shown::Number; values];
            }
        }
    }

    fn state(&mut self, i: ProcId, name: &ast::Name) -> Option<LocId> {
        let found = self.lowered.scope.state(i, name);
        if found.is_none() {
            let process = &self.lowered.program.processes[i.index()].name;
            self.wrong.push(self.lowered.scope.unknown_state(i, process, name));
        }
        found
    }

    fn process(&mut self, i: ProcId, process: &ast::Process) {
        let name = &process.name;
        if process.states.is_empty() {
            return self.error(name.span, format!("process `{}` has no states", name.text));
        }
        match &process.init {
            None => self.error(name.span, format!("process `{}` has no initial state", name.text)),
            Some(init) => {
                if let Some(l) = self.state(i, init) {
                    self.lowered.program.processes[i.index()].initial = l;
                }
            }
        }
        for state in &process.commit {
            if let Some(l) = self.state(i, state) {
                self.lowered.program.processes[i.index()].locations[l.index()].committed = true;
            }
        }
        // Where all move at once, the property process is one of them; only its accepting states count.
        let counts = !self.lowered.program.scheduling.lockstep || self.watcher == Some(i);
        for state in process.accept.iter().filter(|_| counts) {
            if let Some(l) = self.state(i, state) {
                self.lowered.program.processes[i.index()].locations[l.index()].accepting = true;
            }
        }
        for (state, tree) in &process.asserts {
            let e = self.expr(Where::In(i), *tree);
            if let Some(l) = self.state(i, state) {
                self.lowered.program.processes[i.index()].locations[l.index()].asserts.push(e);
            }
        }
        for t in &process.transitions {
            self.transition(i, t);
        }
    }

    fn transition(&mut self, i: ProcId, t: &ast::Transition) {
        let at = Where::In(i);
        let (from, to) = (self.state(i, &t.from), self.state(i, &t.to));
        let guard = match t.guard {
            None => Guard::Always,
            Some(tree) => Guard::When(self.expr(at, tree)),
        };
        let offer = match &t.sync {
            None => Offer::None,
            Some(sync) => self.sync(at, sync),
        };
        let mut effect = Vec::new();
        for &(place, value) in &t.effect {
            let value = self.expr(at, value);
            if let Some(place) = self.place(at, place) {
                effect.push(Statement::Assign(place, value));
            }
        }
        if let (Some(from), Some(to)) = (from, to) {
            let action = Action { guard, offer, effect, span: t.span };
            self.lowered.program.processes[i.index()].edges.push(Edge {
                from,
                to,
                work: Work::Action(action),
                keeps: false,
                rank: 0,
                merged: Vec::new(),
            });
        }
    }

    /// A place to store to.
    fn place(&mut self, at: Where, tree: Tree) -> Option<Place> {
        let span = self.model.span(tree);
        let name = match &self.model.nodes[tree.root] {
            Node::Name(name) | Node::Element(name, _) => name,
            Node::Foreign(..) | Node::ForeignElement(..) => {
                self.error(span, "a process can change only its own variables and the shared ones");
                return None;
            }
            _ => {
                self.error(span, "only a variable can be assigned to");
                return None;
            }
        };
        if let Some(Meaning::Constant(_) | Meaning::Variable { constant: true, .. }) =
            self.lowered.scope.lookup(at, name)
        {
            self.error(span, format!("`{}` is constant", name.text));
            return None;
        }
        let e = self.expr(at, tree);
        match self.lowered.program.exprs.get(e) {
            Expr::Read(place) => Some(place),
            // It has been reported.
            _ => None,
        }
    }

    fn sync(&mut self, at: Where, sync: &ast::Sync) -> Offer {
        let name = &sync.channel;
        let c = match self.lowered.scope.shared(name) {
            Some(&Meaning::Channel(c)) => c,
            Some(other) => {
                let message = format!("`{}` is {}, not a channel", name.text, other.kind());
                self.error(name.span, message);
                return Offer::None;
            }
            None => {
                let d = self.lowered.scope.unknown(Where::Shared, "channel", name);
                self.wrong.push(d);
                return Offer::None;
            }
        };
        let n = sync.values.len();
        if n > MAX_MESSAGE {
            self.error(sync.span, format!("a message can have at most {MAX_MESSAGE} values"));
            return Offer::None;
        }
        let (expected, first) = *self.arity[c].get_or_insert((n, sync.span));
        if expected != n {
            let message = format!("{n} values here, but a message of `{}` has {expected}", name.text);
            self.wrong
                .push(Diagnostic::error(sync.span, message).note(first, format!("{expected} values here")));
        }
        let channel = self.lowered.program.exprs.add(Expr::Const(c as i32 + 1), name.span);
        if sync.send {
            let values = sync.values.iter().map(|&v| self.expr(at, v)).collect();
            return Offer::Send { channel, sorted: false, values };
        }
        let mut patterns = Vec::new();
        for &tree in &sync.values {
            if let Some(place) = self.place(at, tree) {
                patterns.push(Pattern::Bind(place));
            }
        }
        let receives = &mut self.lowered.program.receives;
        receives.push(Receive { channel, any: false, keeps: false, patterns, span: sync.span });
        Offer::Receive(receives.len() as u32 - 1)
    }
}

fn domain(kind: Type) -> Domain {
    match kind {
        Type::Byte => Domain::BYTE,
        Type::Int => Domain::SHORT,
    }
}
