//! Names and types, and lowering: from the syntax tree to a program.
//!
//! Everything is lowered twice. The first time tells what a reader further up needs to know of what is further down:
//! the labels and variables of other proctypes, and which channel variables are ever stored to.

mod claim;
mod expression;
mod flow;
mod marks;
mod monitor;
mod names;
mod numbers;
mod property;
mod statement;

use crate::Parsed;
use crate::ast::{self, Name, OriginId, Type, Unit};
use crate::origin::Origins;
use flow::Flow;
use names::{Declared, DeclaredKind, FieldKind, FieldType, Home, Known, Meaning, Scalar, Scopes, Signature};
use riata_program::ProcId;
use riata_program::{self, Channel, Opening, Place, Program, Shown, Start, Var, Variable};
use riata_source::SourceMap;
use riata_source::{Diagnostic, Severity, Span};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use numbers::Late;
pub use numbers::Numbers;
pub use riata_program::{Claim, Formula, Property};

/// The most messages that a channel can hold.
const MOST_MESSAGES: i32 = 65_535;

/// What a model means.
#[derive(Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// The properties that the model states, besides assertions and valid end states.
    pub properties: Vec<Property>,
    /// What may be wrong with it.
    pub warnings: Vec<Diagnostic>,
    /// The statements of each process type, also those that control cannot come to. A `d_step` is one statement.
    pub statements: Vec<Vec<Span>>,
    /// Spin's numbers of the statements.
    pub numbers: Numbers,
    names: Names,
}

/// What is needed to read an expression about a model.
#[derive(Debug, Default)]
struct Names {
    globals: HashMap<Arc<str>, Meaning>,
    symbols: HashMap<Arc<str>, (i32, u32)>,
    processes: HashMap<Arc<str>, Signature>,
    known: HashMap<ProcId, Known>,
    fixed_channels: HashMap<u32, i32>,
    written: HashSet<u32>,
}

/// A model in the making.
struct Lowering<'a> {
    ast: &'a ast::Model,
    origins: &'a Origins,
    sources: &'a SourceMap,
    program: Program,
    wrong: Vec<Diagnostic>,
    first_pass: bool,
    scopes: Scopes,
    /// Symbols of mtypes: their values, and the set they are in.
    symbols: HashMap<Arc<str>, (i32, u32)>,
    subtypes: HashMap<Arc<str>, u32>,
    typedefs: HashMap<Arc<str>, Rc<Vec<FieldType>>>,
    processes: HashMap<Arc<str>, Signature>,
    known: HashMap<ProcId, Known>,
    /// Shared variables that are stored to, according to the pass before.
    written: HashSet<u32>,
    writing: HashSet<u32>,
    /// Channel variables that never change: the number of the first channel.
    fixed_channels: HashMap<u32, i32>,
    /// What the process at hand is made of.
    locals: Vec<Variable>,
    local_names: HashMap<Arc<str>, Rc<Declared>>,
    /// Is it a never claim that is being lowered?
    in_claim: bool,
    opens: Vec<Opening>,
    initialisers: Vec<(Place, riata_program::ExprId)>,
    flow: Flow,
    /// May a declaration still be initialised when the process is created?
    at_start: bool,
    results: Vec<Option<ast::Reference>>,
    /// The pids of processes that were started before the statement in whose expression the `run` is.
    started: HashMap<u32, riata_program::ExprId>,
    /// For each unit with statements, by where it starts, how many elements Spin makes of it.
    made: BTreeMap<usize, u32>,
    /// For each process type where it starts, and the numbers of its edges.
    numbers: HashMap<ProcId, (usize, Vec<Option<u32>>)>,
    /// Jumps that others speak of.
    late: Late,
    /// For each process type, its statements.
    all_statements: Vec<Vec<Span>>,
    /// Labels that other processes or properties speak of.
    referenced: HashSet<(ProcId, Arc<str>)>,
    referencing: HashSet<(ProcId, Arc<str>)>,
    current: Option<ProcId>,
    /// Has some process a label that accepts, or one of progress?
    accepting: bool,
    progress: bool,
    /// In a trace: the numbers of the events that are sends.
    events: Option<Vec<u32>>,
}

/// Lowers a model. On failure everything that is wrong is told.
pub fn lower(parsed: &Parsed) -> Result<Lowered, Vec<Diagnostic>> {
    let mut first = Lowering::new(parsed);
    first.first_pass = true;
    first.model();
    let mut second = Lowering::new(parsed);
    second.known = first.known;
    second.late = first.late.again();
    second.written = first.writing;
    second.referenced = first.referencing;
    second.fixed_channels = first
        .program
        .opens
        .iter()
        .enumerate()
        .filter(|(_, o)| o.element == 0 && !second.written.contains(&o.var))
        .map(|(i, o)| (o.var, i as i32 + 1))
        .collect();
    let properties = second.model();
    let numbers = second.numbers();
    let statements = std::mem::take(&mut second.all_statements);
    let Lowering {
        mut wrong, program, symbols, processes, known, fixed_channels, written, mut scopes, ..
    } = second;
    wrong.sort_by_key(|d| (d.span, d.severity));
    wrong.dedup();
    if wrong.iter().any(|d| d.severity == Severity::Error) {
        return Err(wrong);
    }
    let internal = riata_program::verify(&program);
    if !internal.is_empty() {
        return Err(internal);
    }
    let globals = scopes.maps.drain(..).next().unwrap_or_default();
    let names = Names { globals, symbols, processes, known, fixed_channels, written };
    Ok(Lowered { program, properties, warnings: wrong, statements, numbers, names })
}

impl Lowered {
    /// Reads a formula over the model's variables, labels and symbols, that was parsed on its own; its propositions
    /// are added to the program.
    pub fn formula(
        &mut self,
        parsed: &Parsed,
        formula: &ast::Formula,
    ) -> Result<riata_ltl::Ltl, Vec<Diagnostic>> {
        let mut lowering = Lowering::new(parsed);
        let names = std::mem::take(&mut self.names);
        lowering.program = std::mem::take(&mut self.program);
        lowering.scopes.maps[0] = names.globals;
        lowering.symbols = names.symbols;
        lowering.processes = names.processes;
        lowering.known = names.known;
        lowering.fixed_channels = names.fixed_channels;
        lowering.written = names.written;
        let ltl = lowering.formula(formula);
        self.program = lowering.program;
        self.names = Names {
            globals: std::mem::take(&mut lowering.scopes.maps[0]),
            symbols: lowering.symbols,
            processes: lowering.processes,
            known: lowering.known,
            fixed_channels: lowering.fixed_channels,
            written: lowering.written,
        };
        let bad = lowering.wrong.iter().any(|d| d.severity == Severity::Error);
        if bad { Err(lowering.wrong) } else { Ok(ltl) }
    }
}

impl<'a> Lowering<'a> {
    fn new(parsed: &'a Parsed) -> Self {
        let mut scopes = Scopes::default();
        scopes.enter();
        Lowering {
            ast: &parsed.model,
            origins: &parsed.origins,
            sources: &parsed.sources,
            program: Program::default(),
            wrong: Vec::new(),
            first_pass: false,
            scopes,
            symbols: HashMap::new(),
            subtypes: HashMap::new(),
            typedefs: HashMap::new(),
            processes: HashMap::new(),
            known: HashMap::new(),
            written: HashSet::new(),
            writing: HashSet::new(),
            fixed_channels: HashMap::new(),
            locals: Vec::new(),
            local_names: HashMap::new(),
            in_claim: false,
            opens: Vec::new(),
            initialisers: Vec::new(),
            flow: Flow::default(),
            at_start: true,
            results: Vec::new(),
            started: HashMap::new(),
            made: BTreeMap::new(),
            numbers: HashMap::new(),
            late: Late::default(),
            all_statements: Vec::new(),
            referenced: HashSet::new(),
            referencing: HashSet::new(),
            current: None,
            accepting: false,
            progress: false,
            events: None,
        }
    }

    fn error(&mut self, d: Diagnostic, origin: OriginId) {
        self.wrong.push(self.origins.explain(d, origin));
    }

    fn wrote(&mut self, place: Place) {
        if let Var::Shared(v) = place.var {
            self.writing.insert(v);
        }
    }

    /// The shared variable that keeps the pid of the process that moved last.
    fn last_variable(&mut self) -> u32 {
        if let Some(v) = self.program.last {
            return v;
        }
        self.program.shared.push(Variable {
            name: "_last".into(),
            domain: riata_program::Domain::BYTE,
            rule: riata_program::StoreRule::Wrap,
            len: None,
            initial: vec![0],
            shown: Shown::Number,
            span: Span::default(),
        });
        let v = self.program.shared.len() as u32 - 1;
        self.program.last = Some(v);
        v
    }

    fn process(&mut self, name: &Name) -> Option<ProcId> {
        if let Some(s) = self.processes.get(&name.text) {
            return Some(s.id);
        }
        let d = Diagnostic::error(name.span, format!("there is no proctype `{}`", name.text));
        let d = match names::similar(&name.text, self.processes.keys().map(|k| &**k)) {
            Some(other) => d.help(format!("did you mean `{other}`?")),
            None => d,
        };
        self.error(d, name.origin);
        None
    }

    fn model(&mut self) -> Vec<Property> {
        self.signatures();
        for unit in &self.ast.units {
            // The name of a type may be used before its symbols are told.
            if let Unit::Mtype(m) = unit {
                self.symbol_set(m);
            }
        }
        for unit in &self.ast.units {
            match unit {
                Unit::Mtype(m) => self.mtype(m),
                Unit::Typedef(t) => self.typedef(t),
                Unit::Declaration(d) => self.declare(d, Home::Shared),
                Unit::C(c) => self.c_unit(c),
                _ => {}
            }
        }
        self.count_parameters();
        let mut claims = Vec::new();
        for unit in &self.ast.units {
            match unit {
                Unit::Process(p) => self.proctype(p),
                Unit::Init(i) => self.init(i),
                Unit::Never(n) => claims.push(n),
                _ => {}
            }
        }
        if self.program.start.is_empty() && self.wrong.is_empty() && !self.first_pass {
            let d = Diagnostic::error(Span::default(), "the model starts no process")
                .help("write `init { … }`, or `active` before a proctype");
            self.wrong.push(d);
        }
        self.check_priorities();
        self.properties(&claims)
    }

    /// Priorities decide who moves, a rendezvous moves two: Spin's verifier refuses the two together, and so does this.
    fn check_priorities(&mut self) {
        if !self.program.scheduling.priorities {
            return;
        }
        if let Some(channel) = self.program.channels.iter().find(|c| c.capacity == 0) {
            let message =
                format!("`{}` is a rendezvous channel, and the processes have priorities", channel.name);
            let d = Diagnostic::error(channel.span, message).help(
                "give the channel a capacity, or leave out the priorities: Spin refuses both together, too",
            );
            self.wrong.push(d);
        }
    }

    fn signatures(&mut self) {
        let mut next = 0;
        for unit in &self.ast.units {
            let (name, parameters, span) = match unit {
                Unit::Process(p) => {
                    let parameters = p.parameters.iter().map(|d| d.variables.len()).sum();
                    (p.name.text.clone(), parameters, p.name.span)
                }
                Unit::Init(i) => (Arc::from("init"), 0, i.span),
                _ => continue,
            };
            let signature = Signature { id: ProcId::new(next), parameters, span };
            next += 1;
            if let Some(before) = self.processes.insert(name.clone(), signature) {
                let d = Diagnostic::error(span, format!("`{name}` is declared twice"))
                    .note(before.span, "the first time is here");
                self.wrong.push(d);
            }
        }
    }

    /// How many values a process is started with: a structure gives all its scalars.
    fn count_parameters(&mut self) {
        let ast = self.ast;
        for unit in &ast.units {
            let Unit::Process(p) = unit else { continue };
            let mut count = 0;
            for d in &p.parameters {
                let fields = match &d.kind {
                    Type::Named(name) => self.typedefs.get(&name.text).map_or(1, |f| names::scalars(f)),
                    _ => 1,
                };
                count += fields * d.variables.len();
            }
            if let Some(signature) = self.processes.get_mut(&p.name.text) {
                signature.parameters = count;
            }
        }
    }

    /// The number of an mtype's set of symbols.
    fn symbol_set(&mut self, m: &ast::Mtype) -> u32 {
        let set = match &m.subtype {
            None => 0,
            Some(name) => *self.subtypes.entry(name.text.clone()).or_insert_with(|| {
                // Set 0 is that of plain `mtype`.
                self.program.symbols.len().max(1) as u32
            }),
        };
        while self.program.symbols.len() <= set as usize {
            self.program.symbols.push(Vec::new());
        }
        set
    }

    fn mtype(&mut self, m: &ast::Mtype) {
        let set = self.symbol_set(m);
        // Spin numbers the names of a declaration from the last, after those of declarations before.
        let mut at = self.program.symbols[set as usize].len();
        for name in m.names.iter().rev() {
            at += 1;
            self.program.symbols[set as usize].push(name.text.to_string());
            if at > 255 {
                self.error(Diagnostic::error(name.span, "an mtype has at most 255 symbols"), name.origin);
                return;
            }
            if self.symbols.insert(name.text.clone(), (at as i32, set)).is_some() {
                let d = Diagnostic::error(name.span, format!("`{}` is declared twice", name.text));
                self.error(d, name.origin);
            }
        }
    }

    fn c_unit(&mut self, c: &ast::CUnit) {
        let (what, span) = match c {
            ast::CUnit::Code(t) => ("c_code", t.span),
            ast::CUnit::Decl(t) => ("c_decl", t.span),
            ast::CUnit::State(_, span) => ("c_state", *span),
            ast::CUnit::Track(_, span) => ("c_track", *span),
        };
        self.wrong.push(
            Diagnostic::error(span, format!("`{what}` holds C code, which Riata does not execute"))
                .help("express it in Promela, or leave it out"),
        );
    }

    /// The type as written.
    fn kind(&mut self, kind: &Type, width: Option<i32>) -> Option<FieldKind> {
        Some(FieldKind::Scalar(match kind {
            Type::Bit | Type::Bool => Scalar::number(0, 1),
            Type::Byte | Type::Pid => Scalar::number(0, 255),
            Type::Short => Scalar::number(-32768, 32767),
            Type::Int => Scalar::number(i32::MIN, i32::MAX),
            Type::Unsigned => {
                let width = width.unwrap_or(8).clamp(1, 31);
                Scalar::number(0, ((1u32 << width) - 1) as i32)
            }
            Type::Mtype(sub) => {
                let set = match sub {
                    None => 0,
                    Some(name) => match self.subtypes.get(&name.text) {
                        Some(&set) => set,
                        None => {
                            let d =
                                Diagnostic::error(name.span, format!("there is no mtype `{}`", name.text));
                            self.error(d, name.origin);
                            return None;
                        }
                    },
                };
                Scalar { domain: riata_program::Domain::BYTE, shown: Shown::Symbol(set) }
            }
            Type::Chan => Scalar::CHANNEL,
            Type::Named(name) => match self.typedefs.get(&name.text) {
                Some(fields) => return Some(FieldKind::Structure(fields.clone())),
                None => {
                    let d = Diagnostic::error(name.span, format!("there is no type `{}`", name.text));
                    let d = match names::similar(&name.text, self.typedefs.keys().map(|k| &**k)) {
                        Some(other) => d.help(format!("did you mean `{other}`?")),
                        None => d,
                    };
                    self.error(d, name.origin);
                    return None;
                }
            },
        }))
    }

    fn typedef(&mut self, t: &ast::Typedef) {
        let mut fields = Vec::new();
        for d in &t.fields {
            for v in &d.variables {
                let width = v.width.and_then(|w| self.constant(w, "a width"));
                let Some(kind) = self.kind(&d.kind, width) else { continue };
                let len = self.length(v);
                let mut channel = None;
                let initial = match &v.initial {
                    Some(ast::Initial::Value(e)) => {
                        self.constant(*e, "the initial value of a field").unwrap_or(0)
                    }
                    Some(ast::Initial::Channel(init)) => {
                        channel = self.channel_declared(v, init);
                        0
                    }
                    Some(ast::Initial::List(..)) => {
                        let d = Diagnostic::error(v.name.span, "a field cannot be initialised like this");
                        self.error(d, v.name.origin);
                        0
                    }
                    None => 0,
                };
                fields.push(FieldType { name: v.name.text.clone(), len, kind, initial, channel });
            }
        }
        if self.typedefs.insert(t.name.text.clone(), Rc::new(fields)).is_some() {
            let d = Diagnostic::error(t.name.span, format!("type `{}` is declared twice", t.name.text));
            self.error(d, t.name.origin);
        }
    }

    fn length(&mut self, v: &ast::Variable) -> Option<u32> {
        let length = v.length?;
        let n = self.constant(length, "the length of an array")?;
        if !(1..=1 << 20).contains(&n) {
            let d =
                Diagnostic::error(self.ast.exprs.span(length), format!("an array cannot have {n} elements"));
            self.error(d, v.name.origin);
            return Some(1);
        }
        Some(n as u32)
    }

    /// Declares variables, here.
    fn declare(&mut self, d: &ast::Declaration, home: Home) {
        for v in &d.variables {
            let width = v.width.and_then(|w| self.constant(w, "a width"));
            let Some(kind) = self.kind(&d.kind, width) else { continue };
            self.variable_declared(v, &kind, home);
        }
    }

    fn variable_declared(&mut self, v: &ast::Variable, kind: &FieldKind, home: Home) {
        let len = self.length(v);
        let name = &v.name;
        let initial = match (&v.initial, home) {
            (Some(ast::Initial::Value(e)), Home::Shared) => {
                // Initial values may speak of variables declared before.
                let e = self.expr(*e);
                self.known_value(e, self.program.exprs.span(e))
            }
            _ => 0,
        };
        let variables = match home {
            Home::Shared => &mut self.program.shared,
            Home::Local => &mut self.locals,
        };
        let mut declared = names::flatten(&name.text, kind, len, None, initial, name.span, variables);
        if let Some(ast::Initial::List(values, span)) = &v.initial {
            if home == Home::Local && !self.at_start {
                let d = Diagnostic::error(*span, "a list of initial values behind the first statement")
                    .help("declare the array at the beginning of the process, or assign its elements");
                self.error(d, name.origin);
            }
            let values: Vec<i32> =
                values.iter().map(|&e| self.constant(e, "an initial value").unwrap_or(0)).collect();
            self.list_initial(&declared, &values, home);
        }
        if let Some(ast::Initial::Channel(init)) = &v.initial {
            let number = self.channel_declared(v, init);
            match &mut declared.kind {
                DeclaredKind::Leaf { scalar: Scalar::CHANNEL, channel, .. } => *channel = number,
                _ => {
                    let d = Diagnostic::error(name.span, "only a `chan` can be initialised like this");
                    self.error(d, name.origin);
                }
            }
        }
        self.open_channels(&declared, home);
        let declared = Rc::new(declared);
        if home == Home::Local {
            self.local_names.entry(name.text.clone()).or_insert_with(|| declared.clone());
            self.initialise(v, &declared);
        }
        let scope = self.scopes.maps.last_mut().expect("a scope is open");
        let before = scope.insert(name.text.clone(), Meaning { home, declared });
        if let Some(before) = before {
            let d = Diagnostic::error(name.span, format!("`{}` is declared twice", name.text))
                .note(before.declared.span, "the first time is here");
            self.error(d, name.origin);
        }
    }

    /// The value of an expression over initial values.
    fn known_value(&mut self, e: riata_program::ExprId, span: Span) -> i32 {
        use riata_program::Expr;
        let mut values: HashMap<riata_program::ExprId, i32> = HashMap::new();
        let mut todo = vec![(e, false)];
        while let Some((e, ready)) = todo.pop() {
            let expr = self.program.exprs.get(e);
            if !ready {
                todo.push((e, true));
                todo.extend(riata_program::Exprs::operands(expr).map(|o| (o, false)));
                continue;
            }
            let of = |e| values.get(&e).copied();
            let value = match expr {
                Expr::Const(k) => Some(k),
                Expr::Unary(op, a) => of(a).map(|a| op.apply(a)),
                Expr::Binary(op, a, b) => of(a).zip(of(b)).and_then(|(a, b)| op.apply(a, b)),
                Expr::If(c, a, b) => of(c).and_then(|c| if c != 0 { of(a) } else { of(b) }),
                Expr::Bounded(a, n) => of(a).filter(|&a| (a as u32) < n),
                Expr::Read(Place { var: Var::Shared(v), index }) => {
                    let at = index.map_or(Some(0), of).and_then(|i| usize::try_from(i).ok());
                    // A channel that exists from the start is known by its place among them.
                    let opened = |i: usize| {
                        let opens = &self.program.opens;
                        opens.iter().position(|o| o.var == v && o.element as usize == i)
                    };
                    at.and_then(|i| opened(i).map(|n| n as i32 + 1))
                        .or_else(|| at.and_then(|i| self.program.shared[v as usize].initial.get(i).copied()))
                }
                Expr::Processes => Some(0),
                _ => None,
            };
            match value {
                Some(v) => values.insert(e, v),
                None => {
                    self.wrong.push(Diagnostic::error(span, "this is not known before the model runs"));
                    return 0;
                }
            };
        }
        values[&e]
    }

    fn list_initial(&mut self, declared: &Declared, values: &[i32], home: Home) {
        if let DeclaredKind::Leaf { var, scalar, .. } = declared.kind {
            let variables = match home {
                Home::Shared => &mut self.program.shared,
                Home::Local => &mut self.locals,
            };
            let variable = &mut variables[var as usize];
            if values.len() > variable.initial.len() {
                let d = Diagnostic::warning(declared.span, "there are more initial values than elements")
                    .help("those that are too many are left out, as in Spin");
                self.wrong.push(d);
            }
            // As in Spin, the last value is that of all elements for which there is none.
            let last = values.last().copied().unwrap_or(0);
            let values = values.iter().copied().chain(std::iter::repeat(last));
            for (slot, v) in variable.initial.iter_mut().zip(values) {
                *slot = scalar.domain.wrap(v);
            }
        }
    }

    /// Makes a declaration of channels of `[n] of { … }`.
    fn channel_declared(&mut self, v: &ast::Variable, init: &ast::ChannelInit) -> Option<u32> {
        let capacity = self.constant(init.capacity, "the capacity of a channel").unwrap_or(0);
        if !(0..=MOST_MESSAGES).contains(&capacity) {
            let span = self.ast.exprs.span(init.capacity);
            let message = format!("a channel cannot hold {capacity} messages: at most {MOST_MESSAGES}");
            let d = Diagnostic::error(span, message);
            self.error(d, v.name.origin);
            return None;
        }
        let (mut fields, mut shown) = (Vec::new(), Vec::new());
        for (kind, _) in &init.fields {
            let kind = self.kind(kind, None)?;
            let mut variables = Vec::new();
            names::flatten("", &kind, None, None, 0, init.span, &mut variables);
            for variable in variables {
                for _ in 0..variable.len.unwrap_or(1) {
                    fields.push(variable.domain);
                    shown.push(variable.shown);
                }
            }
        }
        if fields.len() > riata_program::MAX_MESSAGE {
            let most = riata_program::MAX_MESSAGE;
            self.error(
                Diagnostic::error(init.span, format!("a message has at most {most} values")),
                v.name.origin,
            );
            return None;
        }
        let (name, capacity, span) = (v.name.text.to_string(), capacity as u32, v.name.span);
        self.program.channels.push(Channel { name, capacity, fields, shown, span });
        Some(self.program.channels.len() as u32 - 1)
    }

    /// The channels that come to be with a variable.
    fn open_channels(&mut self, declared: &Declared, home: Home) {
        match &declared.kind {
            DeclaredKind::Fields(fields) => fields.iter().for_each(|(_, f)| self.open_channels(f, home)),
            DeclaredKind::Leaf { var, channel: Some(channel), .. } => {
                let (variables, opens) = match home {
                    Home::Shared => (&self.program.shared, &mut self.program.opens),
                    Home::Local => (&self.locals, &mut self.opens),
                };
                for element in 0..variables[*var as usize].len.unwrap_or(1) {
                    opens.push(Opening { channel: *channel, var: *var, element });
                }
                if opens.len() > 255 {
                    opens.truncate(255);
                    self.wrong.push(Diagnostic::error(declared.span, "more than 255 channels"));
                }
            }
            DeclaredKind::Leaf { .. } => {}
        }
    }

    fn proctype(&mut self, p: &ast::Process) {
        let id = self.processes[&p.name.text].id;
        self.begin_process();
        let mut count = 0;
        for d in &p.parameters {
            self.at_start = true;
            self.parameters_declared(d);
            count = self.locals.len();
        }
        if let Some(v) = self.locals.iter().find(|v| v.len.is_some()) {
            let d = Diagnostic::error(v.span, "a parameter cannot have an array in it")
                .help("pass a channel, or use a shared array");
            self.error(d, p.name.origin);
        }
        let provided = p.provided.map(|e| self.expr(e));
        let priority = p.priority.and_then(|e| {
            self.program.scheduling.priorities = true;
            self.constant(e, "a priority")
        });
        self.finish_process(id, &p.name.text, count as u32, &p.body, p.span);
        // It is not there if its name was declared twice.
        if let Some(process) = self.program.processes.get_mut(id.index()) {
            process.provided = provided;
            process.priority = priority.unwrap_or(1).clamp(0, 255) as u32;
        }
        if let Some(active) = &p.active {
            let n =
                active.count.map_or(Some(1), |e| self.constant(e, "the number of processes")).unwrap_or(0);
            if !(0..=255).contains(&n) {
                let d = Diagnostic::error(active.span, format!("{n} processes cannot be started"));
                self.error(d, p.name.origin);
                return;
            }
            for _ in 0..n {
                self.program.start.push(Start { process: id, name: None });
            }
        }
    }

    /// Parameters have no initial values and cause no statements.
    fn parameters_declared(&mut self, d: &ast::Declaration) {
        self.declare(d, Home::Local);
        self.initialisers.clear();
        // Those of a structure's fields are not for parameters: without arguments, all are 0.
        self.locals.iter_mut().for_each(|v| v.initial.fill(0));
    }

    fn init(&mut self, i: &ast::Init) {
        let id = self.processes["init"].id;
        self.begin_process();
        let priority = i.priority.and_then(|e| {
            self.program.scheduling.priorities = true;
            self.constant(e, "a priority")
        });
        self.finish_process(id, "init", 0, &i.body, i.span);
        if let Some(process) = self.program.processes.get_mut(id.index()) {
            process.priority = priority.unwrap_or(1).clamp(0, 255) as u32;
        }
        self.program.start.push(Start { process: id, name: None });
    }

    fn begin_process(&mut self) {
        self.locals = Vec::new();
        self.local_names = HashMap::new();
        self.opens = Vec::new();
        self.initialisers = Vec::new();
        self.flow = Flow::default();
        self.at_start = true;
        self.scopes.enter();
    }

    /// Lowers a body and adds the process type to the program.
    fn finish_process(&mut self, id: ProcId, name: &str, parameters: u32, body: &ast::Block, span: Span) {
        let seq = self.flow.open();
        self.late.unit = Some(span.start);
        self.current = Some(id);
        self.at_start = true;
        self.statements(&body.statements);
        let end = Span::at(body.span.end.saturating_sub(1).max(body.span.start));
        let end = self.flow.element(flow::Kind::End, end);
        self.flow.add(end);
        let closed = self.flow.close(None, body.span);
        debug_assert_eq!(seq, closed);
        self.current = None;
        self.scopes.leave();
        let graph = self.flow.finish(seq, &mut self.program.blocks);
        self.made.insert(span.start, self.flow.made);
        let (accepting, progress) = self.flow.labelled();
        self.accepting |= accepting;
        self.progress |= progress;
        self.late.unit = None;
        self.numbers.insert(id, (span.start, graph.numbers));
        if self.all_statements.len() <= id.index() {
            self.all_statements.resize(id.index() + 1, Vec::new());
        }
        self.all_statements[id.index()] = graph.statements;
        self.wrong.append(&mut self.flow.wrong);
        let mut known = Known::default();
        for (label, location) in graph.labels {
            known.labels.entry(label).or_insert(location);
        }
        known.variables = std::mem::take(&mut self.local_names);
        self.known.insert(id, known);
        let process = riata_program::Process {
            name: name.to_string(),
            parameters,
            locals: std::mem::take(&mut self.locals),
            initialisers: std::mem::take(&mut self.initialisers),
            opens: std::mem::take(&mut self.opens),
            locations: graph.locations,
            initial: graph.initial,
            edges: graph.edges,
            provided: None,
            priority: 1,
            span,
        };
        debug_assert!(self.program.processes.len() <= id.index() || !self.wrong.is_empty());
        if self.program.processes.len() == id.index() {
            self.program.processes.push(process);
        } else if let Some(slot) = self.program.processes.get_mut(id.index()) {
            *slot = process;
        }
    }
}
