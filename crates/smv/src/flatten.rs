//! Modules become instances: who is where, and what each name means there.

use crate::ast::{Ast, Item, Kind, Logic, Module, Sort, Syntax, Type, Unary, When};
use crate::dotted::is_dotted;
use crate::model::{Assign, Define, Domain, E, Model, Op, Spec, Value, Variable};
use riata_source::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};

/// How many values a variable may have that is no word.
const MOST_VALUES: i64 = 1 << 16;
/// How many instances and variables a model may have.
const MOST_PARTS: usize = 100_000;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Entity {
    Expr(E),
    Instance(usize),
    /// The elements from the first index on.
    Array(i64, Vec<Entity>),
}

impl Entity {
    /// How many indices it takes before it is a value.
    pub(crate) fn dimensions(&self) -> usize {
        let (mut n, mut entity) = (0, Some(self));
        while let Some(Entity::Array(_, elements)) = entity {
            n += 1;
            entity = elements.first();
        }
        n
    }
}

/// What a name of an instance stands for, as far as it is known before expressions are.
#[derive(Clone, Debug)]
pub(crate) enum Local {
    Known(Entity),
    /// An actual parameter, in the instance that gives it; or an array that is defined.
    Actual(usize, Ast),
    /// What is being looked at.
    Busy,
}

/// An instance of a module.
#[derive(Debug)]
pub(crate) struct Instance {
    pub module: usize,
    pub prefix: String,
    pub parent: Option<usize>,
    /// The process that it belongs to.
    pub process: usize,
    /// Is it a process itself?
    pub is_process: bool,
    pub names: HashMap<String, Local>,
    /// Items to resolve, those of inherited modules included.
    pub items: Vec<Item>,
}

/// Builds a model.
pub(crate) struct Flattener<'s> {
    pub syntax: &'s Syntax,
    pub model: Model,
    pub wrong: Vec<Diagnostic>,
    pub instances: Vec<Instance>,
    pub symbols: HashMap<String, u32>,
    /// The names of the processes, main first.
    pub processes: Vec<String>,
    /// The variable that chooses the process, if there are any.
    pub selector: Option<u32>,
    /// Bodies of definitions inside other instances: who makes it, the body, which definition.
    inside: Vec<(usize, Ast, usize)>,
    /// How deep names are being looked up inside each other.
    pub depth: usize,
    /// Are there names with dots or brackets in them?
    pub dotted: bool,
}

/// The model of a text, and everything that is wrong.
pub(crate) fn flatten(syntax: &Syntax) -> (Model, Vec<Diagnostic>) {
    let mut f = Flattener {
        syntax,
        model: Model::default(),
        wrong: Vec::new(),
        instances: Vec::new(),
        symbols: HashMap::new(),
        processes: vec!["main".into()],
        selector: None,
        inside: Vec::new(),
        depth: 0,
        dotted: false,
    };
    f.run();
    (f.model, f.wrong)
}

impl Flattener<'_> {
    fn run(&mut self) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for m in &self.syntax.modules {
            if let Some(first) = seen.insert(&m.name, m.span) {
                self.wrong.push(
                    Diagnostic::error(m.span, format!("the module `{}` is defined twice", m.name))
                        .note(first, "first here"),
                );
            }
        }
        let Some(main) = self.syntax.modules.iter().position(|m| m.name == "main") else {
            self.wrong.push(
                Diagnostic::error(Span::at(0), "there is no module `main`")
                    .help("a model begins with `MODULE main`"),
            );
            return;
        };
        if let Some((_, span)) = self.syntax.modules[main].formals.first() {
            self.wrong.push(Diagnostic::error(*span, "the module `main` has no parameters"));
            return;
        }
        let first = Instance {
            module: main,
            prefix: String::new(),
            parent: None,
            process: 0,
            is_process: true,
            names: HashMap::new(),
            items: Vec::new(),
        };
        self.instances.push(first);
        let mut at = 0;
        while at < self.instances.len() {
            self.declare(at);
            if self.instances.len() + self.model.vars.len() > MOST_PARTS {
                let span = self.syntax.modules[self.instances[at].module].span;
                self.wrong
                    .push(Diagnostic::error(span, format!("the model has more than {MOST_PARTS} parts")));
                return;
            }
            at += 1;
        }
        if self.processes.len() > 1 {
            let values = (0..self.processes.len())
                .map(|p| self.symbol(&format!("process {}", self.processes[p].clone())));
            let domain = Domain::Values(values.collect::<Vec<_>>().into_iter().map(Value::Symbol).collect());
            let name = "_process_selector_".to_string();
            self.selector = Some(self.model.vars.len() as u32);
            self.model.vars.push(Variable {
                name,
                domain,
                sort: Sort::Input,
                span: Span::at(0),
                hidden: false,
            });
        }
        self.clashes();
        self.dotted_twice();
        if self.wrong.is_empty() {
            self.define_inside();
        }
        if self.wrong.is_empty() {
            self.define_arrays();
            self.bodies();
        }
    }

    /// Definitions that an instance makes inside another one.
    fn define_inside(&mut self) {
        for at in 0..self.instances.len() {
            let items = self.instances[at].items.clone();
            for item in &items {
                let Item::DefineIn(place, name, span, body) = item else { continue };
                let Some(entity) = self.entity(at, *place) else { continue };
                let Entity::Instance(other) = entity else {
                    self.wrong.push(Diagnostic::error(*span, "only instances of modules have definitions"));
                    continue;
                };
                if self.instances[other].names.contains_key(name) {
                    self.wrong.push(Diagnostic::error(*span, format!("`{name}` is declared twice")));
                    continue;
                }
                let d = self.model.defines.len() as u32;
                let prefix = &self.instances[other].prefix;
                let full = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                self.model.defines.push(Define { name: full, body: E(0), span: *span });
                let e = self.model.make(Op::Define(d), vec![], *span);
                self.instances[other].names.insert(name.clone(), Local::Known(Entity::Expr(e)));
                self.inside.push((at, *body, d as usize));
            }
        }
    }

    /// A symbolic constant is known everywhere, so nothing else can have its name.
    fn clashes(&mut self) {
        for at in 0..self.instances.len() {
            for item in &self.instances[at].items {
                let (Item::Var(_, name, span, _) | Item::Define(name, span, _)) = item else { continue };
                if self.symbols.contains_key(name) {
                    let message = format!("`{name}` is a symbolic constant, too");
                    self.wrong.push(Diagnostic::error(*span, message));
                }
            }
        }
    }

    fn symbol(&mut self, name: &str) -> u32 {
        if let Some(&s) = self.symbols.get(name) {
            return s;
        }
        let s = self.model.symbols.len() as u32;
        self.model.symbols.push(name.to_string());
        self.symbols.insert(name.to_string(), s);
        s
    }

    /// The items of a module and of those that it inherits.
    fn items(&mut self, module: usize) -> Vec<Item> {
        let syntax = self.syntax;
        let (mut all, mut todo, mut seen) = (Vec::new(), vec![module], vec![module]);
        while let Some(m) = todo.pop() {
            for item in &syntax.modules[m].items {
                match item {
                    Item::Isa(name, span) => match syntax.modules.iter().position(|m| m.name == *name) {
                        Some(other) if seen.contains(&other) => {
                            self.wrong.push(Diagnostic::error(*span, format!("`{name}` is inherited twice")));
                        }
                        Some(other) => {
                            seen.push(other);
                            todo.push(other);
                        }
                        None => self.unknown_module(name, *span),
                    },
                    item => all.push(item.clone()),
                }
            }
        }
        all
    }

    fn unknown_module(&mut self, name: &str, span: Span) {
        let names = self.syntax.modules.iter().map(|m| m.name.as_str());
        let mut d = Diagnostic::error(span, format!("there is no module `{name}`"));
        if let Some(near) = nearest(name, names) {
            d = d.help(format!("do you mean `{near}`?"));
        }
        self.wrong.push(d);
    }

    /// `DEFINE a.b := e;` is a definition inside the instance `a`, or one of the name `a.b` where there is no `a`.
    fn dotted_defines(&self, at: usize, mut items: Vec<Item>) -> Vec<Item> {
        let module = &self.syntax.modules[self.instances[at].module];
        let mut known: HashSet<String> = module.formals.iter().map(|(n, _)| n.clone()).collect();
        known.extend(items.iter().filter_map(|i| match i {
            Item::Var(_, name, _, _) | Item::Define(name, _, _) => Some(name.clone()),
            _ => None,
        }));
        for item in &mut items {
            let Item::DefineIn(place, name, span, body) = item else { continue };
            let mut path = vec![name.clone()];
            let mut head = self.syntax.node(*place);
            while let Kind::Field(name) = &head.kind {
                path.push(name.clone());
                head = self.syntax.node(head.kids[0]);
            }
            if let Kind::Name(first) = &head.kind
                && !known.contains(first)
            {
                path.push(first.clone());
                path.reverse();
                *item = Item::Define(path.join("."), *span, *body);
            }
        }
        items
    }

    /// Declares the names of an instance, and makes the instances inside it.
    fn declare(&mut self, at: usize) {
        let items = self.items(self.instances[at].module);
        let items = self.dotted_defines(at, items);
        let prefix = self.instances[at].prefix.clone();
        let full = |name: &str| if prefix.is_empty() { name.to_string() } else { format!("{prefix}.{name}") };
        let mut places: HashMap<String, Span> = HashMap::new();
        let module: &Module = &self.syntax.modules[self.instances[at].module];
        places.extend(module.formals.iter().cloned());
        for item in &items {
            let (name, span) = match item {
                Item::Var(_, name, span, _) | Item::Define(name, span, _) => (name, *span),
                Item::Constant(name, _) => {
                    self.symbol(name);
                    continue;
                }
                _ => continue,
            };
            self.dotted |= is_dotted(name);
            if let Some(first) = places.insert(name.clone(), span) {
                self.wrong.push(
                    Diagnostic::error(span, format!("`{name}` is declared twice")).note(first, "first here"),
                );
                continue;
            }
            let local = match item {
                Item::Define(_, _, body) if self.syntax.node(*body).kind == Kind::Array => {
                    Some(Local::Actual(at, *body))
                }
                Item::Define(_, span, _) => {
                    let d = self.model.defines.len() as u32;
                    // The body is filled in when all names are known.
                    self.model.defines.push(Define { name: full(name), body: E(0), span: *span });
                    let e = self.model.make(Op::Define(d), vec![], *span);
                    Some(Local::Known(Entity::Expr(e)))
                }
                Item::Var(_, _, _, Type::Module { process, name: module, span, actuals }) => {
                    self.instantiate(at, full(name), *process, (module, *span), actuals)
                }
                Item::Var(sort, _, span, ty) => {
                    self.variable(at, *sort, full(name), *span, ty, 0).map(Local::Known)
                }
                _ => None,
            };
            if let Some(local) = local {
                self.instances[at].names.insert(name.clone(), local);
            }
        }
        self.instances[at].items = items;
    }

    fn instantiate(
        &mut self,
        at: usize,
        prefix: String,
        process: bool,
        (name, span): (&str, Span),
        actuals: &[Ast],
    ) -> Option<Local> {
        let Some(module) = self.syntax.modules.iter().position(|m| m.name == name) else {
            self.unknown_module(name, span);
            return None;
        };
        let mut depth = 0;
        let mut up = Some(at);
        while let Some(i) = up {
            if self.instances[i].module == module {
                let d = Diagnostic::error(span, format!("the module `{name}` contains itself"));
                self.wrong.push(d.note(self.syntax.modules[module].span, "defined here"));
                return None;
            }
            depth += 1;
            up = self.instances[i].parent;
        }
        if depth > 500 {
            self.wrong.push(Diagnostic::error(span, "modules are nested more than 500 deep"));
            return None;
        }
        let formals = &self.syntax.modules[module].formals;
        if formals.len() != actuals.len() {
            let message = format!("`{name}` has {} parameters, here are {}", formals.len(), actuals.len());
            let d = Diagnostic::error(span, message);
            self.wrong.push(d.note(self.syntax.modules[module].span, "defined here"));
            return None;
        }
        let names =
            formals.iter().zip(actuals).map(|((n, _), a)| (n.clone(), Local::Actual(at, *a))).collect();
        let owner = if process {
            self.processes.push(prefix.clone());
            self.processes.len() - 1
        } else {
            self.instances[at].process
        };
        self.instances.push(Instance {
            module,
            prefix,
            parent: Some(at),
            process: owner,
            is_process: process,
            names,
            items: vec![],
        });
        Some(Local::Known(Entity::Instance(self.instances.len() - 1)))
    }

    fn variable(
        &mut self,
        at: usize,
        sort: Sort,
        name: String,
        span: Span,
        ty: &Type,
        depth: u32,
    ) -> Option<Entity> {
        let domain = match ty {
            Type::Boolean => Domain::Bool,
            Type::Enum(values) => self.enumeration(values)?,
            Type::Range(low, high) => {
                let (low, high) = self.range(at, *low, *high)?;
                Domain::Values((low..=high).map(Value::Int).collect())
            }
            Type::Word(signed, width) => {
                let n = self.constant(at, *width)?;
                if !(1..=64).contains(&n) {
                    let span = self.syntax.node(*width).span;
                    self.wrong.push(Diagnostic::error(span, "words have 1 to 64 bits"));
                    return None;
                }
                Domain::Word { signed: *signed, width: n as u32 }
            }
            Type::Array(low, high, inner) => {
                let (low, high) = self.range(at, *low, *high)?;
                if depth > 8 || (high - low) as usize + self.model.vars.len() > MOST_PARTS {
                    self.wrong.push(Diagnostic::error(span, "this array is too large"));
                    return None;
                }
                let elements: Option<Vec<Entity>> = (low..=high)
                    .map(|i| self.variable(at, sort, format!("{name}[{i}]"), span, inner, depth + 1))
                    .collect();
                return Some(Entity::Array(low, elements?));
            }
            Type::Module { span, .. } => {
                self.wrong.push(Diagnostic::error(*span, "there are no arrays of modules"));
                return None;
            }
        };
        if self.model.vars.len() >= MOST_PARTS {
            return None;
        }
        let v = self.model.vars.len() as u32;
        self.model.vars.push(Variable { name, domain, sort, span, hidden: false });
        Some(Entity::Expr(self.model.make(Op::Var(v), vec![], span)))
    }

    fn enumeration(&mut self, values: &[Ast]) -> Option<Domain> {
        let mut found: Vec<Value> = Vec::new();
        for &v in values {
            let node = self.syntax.node(v).clone();
            let value = match &node.kind {
                Kind::Name(name) => Value::Symbol(self.symbol(name)),
                Kind::Int(n) => Value::Int(*n),
                Kind::Bool(_) => {
                    let help = "the type of TRUE and FALSE is `boolean`, and they are in no other";
                    let d =
                        Diagnostic::error(node.span, "TRUE and FALSE are no values of a set of constants");
                    self.wrong.push(d.help(help));
                    return None;
                }
                Kind::Unary(Unary::Minus) => match self.syntax.node(node.kids[0]).kind {
                    Kind::Int(n) => Value::Int(-n),
                    _ => return self.bad_value(node.span),
                },
                _ => return self.bad_value(node.span),
            };
            if found.contains(&value) {
                self.wrong.push(Diagnostic::error(node.span, "this value is in the set twice"));
                return None;
            }
            found.push(value);
        }
        Some(Domain::Values(found))
    }

    fn bad_value(&mut self, span: Span) -> Option<Domain> {
        self.wrong.push(Diagnostic::error(span, "expected a symbolic constant or a number"));
        None
    }

    fn range(&mut self, at: usize, low: Ast, high: Ast) -> Option<(i64, i64)> {
        let span = self.syntax.node(low).span.to(self.syntax.node(high).span);
        let (low, high) = (self.constant(at, low)?, self.constant(at, high)?);
        if low > high {
            self.wrong.push(Diagnostic::error(span, format!("the range {low}..{high} is empty")));
            return None;
        }
        if high.checked_sub(low).is_none_or(|n| n >= MOST_VALUES) {
            let help = "for large numbers there are words, such as `unsigned word[32]`";
            let message = format!("this range has more than {MOST_VALUES} values");
            self.wrong.push(Diagnostic::error(span, message).help(help));
            return None;
        }
        Some((low, high))
    }

    /// The value of a constant expression, which may name definitions of its module.
    fn constant(&mut self, at: usize, e: Ast) -> Option<i64> {
        let value = self.fold(at, e, 0);
        if value.is_none() {
            let span = self.syntax.node(e).span;
            self.wrong.push(Diagnostic::error(span, "expected a constant number"));
        }
        value
    }

    pub(crate) fn fold(&self, at: usize, root: Ast, depth: u32) -> Option<i64> {
        use crate::ast::Binary::*;
        let mut values: HashMap<Ast, i64> = HashMap::new();
        for e in self.syntax.parts(root) {
            let node = self.syntax.node(e);
            let kid = |i: usize| values.get(node.kids.get(i)?).copied();
            let value = match &node.kind {
                Kind::Int(n) => Some(*n),
                Kind::Unary(Unary::Minus) => kid(0)?.checked_neg(),
                Kind::Binary(Plus) => kid(0)?.checked_add(kid(1)?),
                Kind::Binary(Minus) => kid(0)?.checked_sub(kid(1)?),
                Kind::Binary(Times) => kid(0)?.checked_mul(kid(1)?),
                Kind::Binary(Divide) => kid(0)?.checked_div(kid(1)?),
                Kind::Binary(Mod) => kid(0)?.checked_rem(kid(1)?),
                Kind::Name(name) if depth < 50 => {
                    let module = &self.syntax.modules[self.instances[at].module];
                    let body = module.items.iter().find_map(|i| match i {
                        Item::Define(n, _, body) if n == name => Some(*body),
                        _ => None,
                    });
                    match (body, self.instances[at].names.get(name)) {
                        (Some(body), _) => self.fold(at, body, depth + 1),
                        (None, Some(Local::Actual(from, actual))) => self.fold(*from, *actual, depth + 1),
                        _ => None,
                    }
                }
                _ => None,
            };
            values.insert(e, value?);
        }
        values.get(&root).copied()
    }

    /// Resolves everything that has expressions.
    fn bodies(&mut self) {
        for (at, body, d) in std::mem::take(&mut self.inside) {
            if let Some(e) = self.expression(at, body) {
                self.model.defines[d].body = e;
            }
        }
        let (mut next_define, mut specs) = (0, [0usize; 5]);
        let mut names: HashMap<String, Span> = HashMap::new();
        for at in 0..self.instances.len() {
            let items = std::mem::take(&mut self.instances[at].items);
            for item in &items {
                match item {
                    Item::Define(_, _, body) if self.syntax.node(*body).kind == Kind::Array => {
                        let array = self.entity(at, *body);
                        self.keep_elements(array);
                    }
                    Item::Define(name, span, body) => {
                        let known = self.instances[at].names.get(name);
                        let value = if matches!(known, Some(Local::Known(Entity::Expr(_)))) {
                            self.expression(at, *body)
                        } else {
                            // An array: its name stands for the elements, and the definition for nothing.
                            let array = self.entity(at, *body);
                            self.keep_elements(array);
                            Some(self.model.make(Op::Const(Value::Bool(false)), vec![], *span))
                        };
                        if let Some(e) = value {
                            self.model.defines[next_define].body = e;
                        }
                        next_define += 1;
                    }
                    Item::Init(e) => self.push(at, *e, |m| &mut m.init),
                    Item::Trans(e) => self.push(at, *e, |m| &mut m.trans),
                    Item::Invar(e) => self.push(at, *e, |m| &mut m.invar),
                    Item::Justice(e) => self.push(at, *e, |m| &mut m.justice),
                    Item::Compassion(p, q) => {
                        if let (Some(p), Some(q)) = (self.expression(at, *p), self.expression(at, *q)) {
                            self.model.compassion.push((p, q));
                        }
                    }
                    Item::Assign(when, target, value) => self.assign(at, *when, *target, *value),
                    Item::Spec(logic, name, formula, place) => {
                        let i = *logic as usize;
                        let prefix = &self.instances[at].prefix;
                        let own = name.as_ref().map(|name| {
                            if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") }
                        });
                        let given = own.unwrap_or_else(|| {
                            let kind = match logic {
                                Logic::Ctl => "spec",
                                Logic::Ltl => "ltl",
                                Logic::Invariant => "invar",
                                Logic::Psl => "psl",
                                Logic::Compute => "compute",
                            };
                            format!("{kind}_{}", specs[i])
                        });
                        specs[i] += 1;
                        let span = self.syntax.node(*formula).span;
                        if let Some(first) = names.insert(given.clone(), span) {
                            let message = format!("there are two specifications with the name `{given}`");
                            self.wrong.push(Diagnostic::error(span, message).note(first, "first here"));
                            continue;
                        }
                        let Some(at) = self.context(at, *place) else { continue };
                        if let Some(formula) = self.expression(at, *formula) {
                            self.model.specs.push(Spec { name: given, logic: *logic, formula, span });
                        }
                    }
                    Item::Var(..) | Item::Constant(..) | Item::Isa(..) | Item::DefineIn(..) => {}
                }
            }
            self.instances[at].items = items;
        }
    }

    /// The elements of an array that is defined are looked at, whether somebody uses them or not.
    fn keep_elements(&mut self, array: Option<Entity>) {
        let mut todo: Vec<Entity> = array.into_iter().collect();
        while let Some(entity) = todo.pop() {
            match entity {
                Entity::Expr(e) => self.model.elements.push(e),
                Entity::Array(_, elements) => todo.extend(elements),
                Entity::Instance(_) => {}
            }
        }
    }

    /// The instance in which a specification is to be read.
    fn context(&mut self, at: usize, place: Option<Ast>) -> Option<usize> {
        let Some(place) = place else { return Some(at) };
        if matches!(&self.syntax.node(place).kind, Kind::Name(name) if name == "main") {
            return Some(0);
        }
        match self.entity(at, place)? {
            Entity::Instance(i) => Some(i),
            _ => {
                let span = self.syntax.node(place).span;
                self.wrong.push(Diagnostic::error(span, "expected an instance of a module after `IN`"));
                None
            }
        }
    }

    fn push(&mut self, at: usize, e: Ast, list: fn(&mut Model) -> &mut Vec<E>) {
        if let Some(e) = self.expression(at, e) {
            list(&mut self.model).push(e);
        }
    }

    fn assign(&mut self, at: usize, when: When, target: Ast, value: Ast) {
        let span = self.syntax.node(target).span;
        let targets = self.entity(at, target);
        let values = self.entity(at, value);
        let (Some(target), Some(value_of)) = (targets, values) else { return };
        let process = self.instances[at].process;
        let mut todo = vec![(target, value_of)];
        while let Some(pair) = todo.pop() {
            match pair {
                (Entity::Expr(target), Entity::Expr(value)) => {
                    let Op::Var(var) = self.model.node(target).op else {
                        return self.wrong.push(Diagnostic::error(span, "only variables can be assigned"));
                    };
                    let running = (when == When::Next).then(|| self.running(process, span)).flatten();
                    self.model.assigns.push(Assign { var, when, value, running, process, span });
                }
                // An array is assigned element by element.
                (Entity::Array(a, targets), Entity::Array(b, values))
                    if a == b && targets.len() == values.len() =>
                {
                    todo.extend(targets.into_iter().zip(values).rev());
                }
                (Entity::Instance(_), _) => {
                    return self.wrong.push(Diagnostic::error(span, "only variables can be assigned"));
                }
                (Entity::Array(..), _) => {
                    let at = self.syntax.node(value).span;
                    let message = "an array is assigned an array with the same indices";
                    return self.wrong.push(Diagnostic::error(at, message).note(span, "this is an array"));
                }
                (_, Entity::Array(..)) => {
                    let at = self.syntax.node(value).span;
                    let help = "an element is written `a[0]`";
                    let d = Diagnostic::error(at, "this is an array, not a value").help(help);
                    return self.wrong.push(d);
                }
                (_, Entity::Instance(_)) => {
                    let at = self.syntax.node(value).span;
                    let message = "this is an instance of a module, not a value";
                    return self.wrong.push(Diagnostic::error(at, message));
                }
            }
        }
    }

    /// The condition that a process runs; nothing if there are no processes.
    pub(crate) fn running(&mut self, process: usize, span: Span) -> Option<E> {
        let selector = self.selector?;
        let Domain::Values(values) = &self.model.vars[selector as usize].domain else { return None };
        let value = values[process];
        let (a, b) = (
            self.model.make(Op::Var(selector), vec![], span),
            self.model.make(Op::Const(value), vec![], span),
        );
        Some(self.model.make(Op::Apply(Kind::Binary(crate::ast::Binary::Equal)), vec![a, b], span))
    }
}

/// The name that is most like `name`, if one is.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    names.map(|n| (distance(name, n), n)).filter(|(d, _)| *d <= 1 + name.len() / 4).min().map(|(_, n)| n)
}

fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 4 || a.len() > 64 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let new = (corner + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = row[j + 1];
            row[j + 1] = new;
        }
    }
    row[b.len()]
}
