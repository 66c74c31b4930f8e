//! Names, types, and the way from the syntax tree to the program.

use crate::ast::{self, Initial, Node, Tree, Type};
use crate::scope::{Meaning, Scope, Where};
use riata_program::{
    ChanId, Channel, Domain, Edge, Expr, ExprId, Guard, Instance, InstanceId, LocId, Location, MAX_MESSAGE,
    Offer, Owner, Pattern, Place, ProcId, Process, Program, Scheduling, Statement, StoreRule, VarId,
    Variable,
};
use riata_source::{Diagnostic, Span};

/// The longest array and the largest buffer.
const LONGEST: i32 = 1 << 20;

/// Lowers a model. If it is not whole, names may be missing: then only what is certainly wrong is reported.
pub(crate) fn lower(model: &ast::Model, whole: bool, wrong: &mut Vec<Diagnostic>) -> (Program, Scope) {
    let lockstep = model.system.as_ref().is_some_and(|s| s.lockstep);
    let scheduling = if lockstep { Scheduling::Lockstep } else { Scheduling::Interleaving };
    let mut lowerer = Lowerer {
        model,
        program: Program::new(scheduling),
        scope: Scope::default(),
        arity: vec![None; model.channels.len()],
        wrong: Vec::new(),
    };
    lowerer.declarations();
    if whole {
        lowerer.bodies();
    }
    wrong.append(&mut lowerer.wrong);
    (lowerer.program, lowerer.scope)
}

/// Lowers an expression that is not part of the model's text.
pub(crate) fn proposition(
    program: &mut Program,
    scope: &Scope,
    syntax: &ast::Model,
    tree: Tree,
    wrong: &mut Vec<Diagnostic>,
) -> ExprId {
    let mut reader = Reader { program, scope, syntax, wrong };
    reader.expr(Where::Shared, tree)
}

/// Reads expressions.
struct Reader<'a> {
    program: &'a mut Program,
    scope: &'a Scope,
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
                Node::Name(name) => self.read(at, Owner::Own, name, None),
                Node::Element(name, i) => self.read(at, Owner::Own, name, Some(ids[i - tree.start])),
                Node::Foreign(process, name) => self.foreign(process, name, None),
                Node::ForeignElement(process, name, i) => {
                    self.foreign(process, name, Some(ids[i - tree.start]))
                }
                Node::At(process, state) => self.at(process, state),
            };
            ids.push(self.program.exprs.add(expr, span));
        }
        ids[tree.root - tree.start]
    }

    fn read(&mut self, at: Where, owner: Owner, name: &ast::Name, index: Option<ExprId>) -> Expr {
        match self.scope.lookup(at, name).cloned() {
            Some(meaning) => self.value(meaning, owner, name, index),
            None => self.bad(self.scope.unknown(at, "variable", name)),
        }
    }

    fn bad(&mut self, d: Diagnostic) -> Expr {
        self.wrong.push(d);
        Expr::Const(0)
    }

    fn value(&mut self, meaning: Meaning, owner: Owner, name: &ast::Name, index: Option<ExprId>) -> Expr {
        let text = &name.text;
        match (&meaning, index) {
            (Meaning::Bad, _) => Expr::Const(0),
            (Meaning::Constant(k), None) => Expr::Const(*k),
            (&Meaning::Variable { var, array, .. }, _) if array == index.is_some() => {
                if let Some(i) = index {
                    self.check_index(var, i);
                }
                Expr::Read(Place { var, owner, index })
            }
            (&Meaning::Variable { var, array: true, .. }, _) => {
                // DiVinE reads and writes the first element; models of BEEM rely on it.
                let message = format!("the array `{text}` is used without an index");
                if !self.wrong.iter().any(|d| d.message == message) {
                    let d = Diagnostic::warning(name.span, message);
                    self.wrong.push(d.help(format!("this means `{text}[0]`, here and everywhere")));
                }
                let index = Some(self.program.exprs.add(Expr::Const(0), name.span));
                Expr::Read(Place { var, owner, index })
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

    /// A constant index must be in range.
    fn check_index(&mut self, var: VarId, index: ExprId) {
        let len = self.program.vars[var.index()].len.unwrap_or(0);
        if let Some(k) = self.program.exprs.constant(index)
            && !(0..i64::from(len)).contains(&i64::from(k))
        {
            let span = self.program.exprs.span(index);
            let v = &self.program.vars[var.index()];
            let message = format!("index {k} is outside the array `{}` of {len} elements", v.name);
            self.wrong.push(Diagnostic::error(span, message).note(v.span, "declared here"));
        }
    }

    fn process(&mut self, name: &ast::Name) -> Option<InstanceId> {
        match self.scope.shared(name) {
            Some(Meaning::Process(i)) => Some(*i),
            Some(other) => {
                let message = format!("`{}` is {}, not a process", name.text, other.kind());
                self.wrong.push(Diagnostic::error(name.span, message));
                None
            }
            None => {
                self.wrong.push(self.scope.unknown(Where::Shared, "process", name));
                None
            }
        }
    }

    fn foreign(&mut self, process: &ast::Name, name: &ast::Name, index: Option<ExprId>) -> Expr {
        let Some(i) = self.process(process) else { return Expr::Const(0) };
        match self.scope.local(i, name).cloned() {
            Some(meaning) => self.value(meaning, Owner::Of(i), name, index),
            None => self.bad(self.scope.unknown_local(i, &process.text, name)),
        }
    }

    fn at(&mut self, process: &ast::Name, state: &ast::Name) -> Expr {
        let Some(i) = self.process(process) else { return Expr::Const(0) };
        match self.scope.state(i, state) {
            Some(l) => Expr::At(i, l),
            None => {
                let mut d = self.scope.unknown_state(i, &process.text, state);
                if self.scope.local(i, state).is_some() {
                    d = d.help(format!("for the variable, write `{}->{}`", process.text, state.text));
                }
                self.bad(d)
            }
        }
    }
}

struct Lowerer<'a> {
    model: &'a ast::Model,
    program: Program,
    scope: Scope,
    /// How many values a message of an untyped channel has, and where that was first seen.
    arity: Vec<Option<(usize, Span)>>,
    wrong: Vec<Diagnostic>,
}

impl Lowerer<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.wrong.push(Diagnostic::error(span, message));
    }

    fn expr(&mut self, at: Where, tree: Tree) -> ExprId {
        let mut reader = Reader {
            program: &mut self.program,
            scope: &self.scope,
            syntax: self.model,
            wrong: &mut self.wrong,
        };
        reader.expr(at, tree)
    }

    /// The value of an expression that must be constant.
    fn constant(&mut self, at: Where, tree: Tree, what: &str) -> Option<i32> {
        let before = self.wrong.len();
        let e = self.expr(at, tree);
        if self.wrong.len() > before {
            return None;
        }
        let value = self.program.exprs.constant(e);
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
            self.channel(ChanId::new(c), channel);
        }
        for process in &self.model.processes {
            let i = self.scope.add_process();
            let p = ProcId::new(i.index());
            self.scope.declare(Where::Shared, &process.name, Meaning::Process(i), &mut self.wrong);
            self.program.instances.push(Instance { name: process.name.text.clone(), process: p });
            let locations = process.states.iter().map(|s| Location {
                name: s.text.clone(),
                committed: false,
                accepting: false,
                asserts: Vec::new(),
                span: s.span,
            });
            self.program.processes.push(Process {
                name: process.name.text.clone(),
                locations: locations.collect(),
                initial: LocId(0),
                edges: Vec::new(),
                span: process.name.span,
            });
            for v in &process.variables {
                self.variable(Where::In(i), v);
            }
            for (l, state) in process.states.iter().enumerate() {
                self.scope.declare_state(i, state, LocId::new(l), &mut self.wrong);
            }
        }
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
                    self.scope.declare(at, &v.name, Meaning::Bad, &mut self.wrong);
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
            self.program.vars.push(Variable {
                name: name.clone(),
                owner: match at {
                    Where::Shared => None,
                    Where::In(i) => Some(ProcId::new(i.index())),
                },
                domain,
                rule: StoreRule::Fault,
                len,
                initial,
                span: v.name.span,
            });
            let var = VarId::new(self.program.vars.len() - 1);
            Meaning::Variable { var, array: len.is_some(), constant: v.constant }
        };
        self.scope.declare(at, &v.name, meaning, &mut self.wrong);
    }

    fn channel(&mut self, c: ChanId, channel: &ast::Channel) {
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
            self.arity[c.index()] = Some((types.len(), name.span));
        }
        self.program.channels.push(Channel {
            name: name.text.clone(),
            capacity,
            fields: types.iter().map(|&t| domain(t)).collect(),
            span: name.span,
        });
        self.scope.declare(Where::Shared, name, Meaning::Channel(c), &mut self.wrong);
    }

    fn bodies(&mut self) {
        if self.model.processes.is_empty() {
            let span = self.model.system.as_ref().map_or(Span::default(), |s| s.span);
            self.error(span, "there is no process");
        }
        for (p, process) in self.model.processes.iter().enumerate() {
            self.process(InstanceId::new(p), process);
        }
        self.untyped_channels();
        let Some(system) = &self.model.system else { return };
        let Some(property) = &system.property else { return };
        match self.scope.shared(property) {
            Some(&Meaning::Process(i)) => {
                self.program.claim = Some(i);
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
                let d = self.scope.unknown(Where::Shared, "process", property);
                self.wrong.push(d);
            }
        }
    }

    /// What is sent through an untyped channel is not cut to any type.
    fn untyped_channels(&mut self) {
        for (c, channel) in self.model.channels.iter().enumerate() {
            if channel.types.is_none() {
                let values = self.arity[c].map_or(0, |(n, _)| n);
                self.program.channels[c].fields = vec![Domain { min: i32::MIN, max: i32::MAX }; values];
            }
        }
    }

    fn state(&mut self, i: InstanceId, name: &ast::Name) -> Option<LocId> {
        let found = self.scope.state(i, name);
        if found.is_none() {
            let process = self.program.instances[i.index()].name.clone();
            self.wrong.push(self.scope.unknown_state(i, &process, name));
        }
        found
    }

    fn process(&mut self, i: InstanceId, process: &ast::Process) {
        let name = &process.name;
        if process.states.is_empty() {
            return self.error(name.span, format!("process `{}` has no states", name.text));
        }
        match &process.init {
            None => self.error(name.span, format!("process `{}` has no initial state", name.text)),
            Some(init) => {
                if let Some(l) = self.state(i, init) {
                    self.program.processes[i.index()].initial = l;
                }
            }
        }
        for state in &process.commit {
            if let Some(l) = self.state(i, state) {
                self.program.processes[i.index()].locations[l.index()].committed = true;
            }
        }
        for state in &process.accept {
            if let Some(l) = self.state(i, state) {
                self.program.processes[i.index()].locations[l.index()].accepting = true;
            }
        }
        for (state, tree) in &process.asserts {
            let e = self.expr(Where::In(i), *tree);
            if let Some(l) = self.state(i, state) {
                self.program.processes[i.index()].locations[l.index()].asserts.push(e);
            }
        }
        for t in &process.transitions {
            self.transition(i, t);
        }
    }

    fn transition(&mut self, i: InstanceId, t: &ast::Transition) {
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
            self.program.processes[i.index()].edges.push(Edge {
                from,
                to,
                guard,
                offer,
                effect,
                span: t.span,
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
            self.scope.lookup(at, name)
        {
            self.error(span, format!("`{}` is constant", name.text));
            return None;
        }
        let e = self.expr(at, tree);
        match self.program.exprs.get(e) {
            Expr::Read(place) => Some(place),
            // It has been reported.
            _ => None,
        }
    }

    fn sync(&mut self, at: Where, sync: &ast::Sync) -> Offer {
        let name = &sync.channel;
        let c = match self.scope.shared(name) {
            Some(&Meaning::Channel(c)) => c,
            Some(other) => {
                let message = format!("`{}` is {}, not a channel", name.text, other.kind());
                self.error(name.span, message);
                return Offer::None;
            }
            None => {
                let d = self.scope.unknown(Where::Shared, "channel", name);
                self.wrong.push(d);
                return Offer::None;
            }
        };
        let n = sync.values.len();
        if n > MAX_MESSAGE {
            self.error(sync.span, format!("a message can have at most {MAX_MESSAGE} values"));
            return Offer::None;
        }
        let (expected, first) = *self.arity[c.index()].get_or_insert((n, sync.span));
        if expected != n {
            let message = format!("{n} values here, but a message of `{}` has {expected}", name.text);
            self.wrong
                .push(Diagnostic::error(sync.span, message).note(first, format!("{expected} values here")));
        }
        if sync.send {
            let values = sync.values.iter().map(|&v| self.expr(at, v)).collect();
            return Offer::Send(c, values);
        }
        let mut patterns = Vec::new();
        for &tree in &sync.values {
            if let Some(place) = self.place(at, tree) {
                patterns.push(Pattern::Bind(place));
            }
        }
        Offer::Receive(c, patterns)
    }
}

fn domain(kind: Type) -> Domain {
    match kind {
        Type::Byte => Domain::BYTE,
        Type::Int => Domain::SHORT,
    }
}
