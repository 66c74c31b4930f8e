//! Names in expressions: what they mean in an instance.

use crate::ast::{Ast, Kind};
use crate::flatten::{Entity, Flattener, Local, nearest};
use crate::model::{E, Op, Value};
use riata_source::{Diagnostic, Span};
use std::collections::HashMap;

impl Flattener<'_> {
    /// An expression of the text, in an instance, as an expression of the model.
    pub(crate) fn expression(&mut self, at: usize, root: Ast) -> Option<E> {
        let span = self.syntax.node(root).span;
        match self.entity(at, root)? {
            Entity::Expr(e) => Some(e),
            Entity::Instance(_) => {
                self.wrong.push(Diagnostic::error(span, "this is an instance of a module, not a value"));
                None
            }
            Entity::Array(..) => {
                self.wrong.push(
                    Diagnostic::error(span, "this is an array, not a value")
                        .help("an element is written `a[0]`"),
                );
                None
            }
        }
    }

    /// What an expression of the text is, in an instance.
    pub(crate) fn entity(&mut self, at: usize, root: Ast) -> Option<Entity> {
        let mut known: HashMap<Ast, Option<Entity>> = HashMap::new();
        let (parts, dotted) = self.parts(at, root);
        for e in parts {
            let found = match dotted.get(&e) {
                Some((instance, name)) => self.lookup(*instance, name, self.syntax.node(e).span),
                None => self.step(at, e, &known),
            };
            let entity = found.map(|found| self.used_here(found, e));
            known.insert(e, entity);
        }
        known.remove(&root).flatten()
    }

    /// A variable or definition with the place where it is used, not where it is declared.
    fn used_here(&mut self, entity: Entity, e: Ast) -> Entity {
        let named = matches!(self.syntax.node(e).kind, Kind::Name(_) | Kind::Field(_) | Kind::Index);
        match entity {
            Entity::Expr(old) if named && matches!(self.model.node(old).op, Op::Var(_) | Op::Define(_)) => {
                let op = self.model.node(old).op.clone();
                Entity::Expr(self.model.make(op, vec![], self.syntax.node(e).span))
            }
            entity => entity,
        }
    }

    fn step(&mut self, at: usize, e: Ast, known: &HashMap<Ast, Option<Entity>>) -> Option<Entity> {
        let node = self.syntax.node(e).clone();
        let span = node.span;
        let kid = |i: usize| known.get(node.kids.get(i)?).cloned().flatten();
        match node.kind {
            Kind::Int(n) => Some(Entity::Expr(self.model.make(Op::Const(Value::Int(n)), vec![], span))),
            Kind::Bool(b) => Some(Entity::Expr(self.model.make(Op::Const(Value::Bool(b)), vec![], span))),
            Kind::Bits(w, s, v) => Some(Entity::Expr(self.model.make(Op::Bits(w, s, v), vec![], span))),
            Kind::Array => {
                let elements: Option<Vec<Entity>> = (0..node.kids.len()).map(kid).collect();
                Some(Entity::Array(0, elements?))
            }
            Kind::This => Some(Entity::Instance(at)),
            Kind::Name(name) => self.lookup(at, &name, span),
            Kind::Field(name) => match kid(0)? {
                Entity::Instance(i) => self.field(i, &name, span),
                Entity::Expr(inner) => {
                    // `a.b` may be a symbolic constant with a dot in its name, which NuSMV does not allow either.
                    let help = "only instances of modules have fields";
                    let at = self.model.node(inner).span;
                    self.wrong.push(
                        Diagnostic::error(span, format!("there is no field `{name}`"))
                            .help(help)
                            .note(at, "this is a value"),
                    );
                    None
                }
                Entity::Array(..) => {
                    self.wrong.push(Diagnostic::error(span, format!("an array has no field `{name}`")));
                    None
                }
            },
            Kind::Index => {
                let Entity::Expr(index) = kid(1)? else {
                    let span = self.syntax.node(node.kids[1]).span;
                    self.wrong.push(Diagnostic::error(span, "an index is a value"));
                    return None;
                };
                match kid(0)? {
                    Entity::Array(low, elements) => {
                        let constant = self.fold(at, node.kids[1], 0);
                        self.element(low, &elements, index, constant, span)
                    }
                    _ => {
                        let help = "bits of a word are written `w[3:3]`";
                        self.wrong.push(Diagnostic::error(span, "only arrays have an index").help(help));
                        None
                    }
                }
            }
            kind => {
                let kids: Option<Vec<Entity>> = (0..node.kids.len()).map(kid).collect();
                self.lifted(&kind, kids?, span)
            }
        }
    }

    fn lookup(&mut self, at: usize, name: &str, span: Span) -> Option<Entity> {
        if let Some(local) = self.instances[at].names.get(name) {
            if self.symbols.contains_key(name) {
                let message = format!("`{name}` is a parameter and a symbolic constant");
                self.wrong.push(Diagnostic::error(span, message));
                return None;
            }
            return match local.clone() {
                Local::Known(entity) => Some(entity),
                Local::Actual(..) if self.depth > 600 => {
                    let message = "parameters and arrays are defined by each other more than 600 deep";
                    self.wrong.push(Diagnostic::error(span, message));
                    None
                }
                // As deep as modules are nested, and arrays defined by each other.
                Local::Actual(from, actual) => {
                    self.depth += 1;
                    self.instances[at].names.insert(name.to_string(), Local::Busy);
                    let entity = self.entity(from, actual);
                    self.depth -= 1;
                    let known = entity.clone().map_or(Local::Actual(from, actual), Local::Known);
                    self.instances[at].names.insert(name.to_string(), known);
                    entity
                }
                Local::Busy => {
                    self.wrong.push(Diagnostic::error(span, format!("`{name}` is defined by itself")));
                    None
                }
            };
        }
        if name == "running" {
            let process = self.instances[at].process;
            let own = self.instances[at].is_process.then(|| self.running(process, span)).flatten();
            if own.is_none() {
                let help =
                    "only instances that are declared with `process` run or do not, and `main` beside them";
                let d = Diagnostic::error(span, "this is no process, so it has no `running`");
                self.wrong.push(d.help(help));
            }
            return own.map(Entity::Expr);
        }
        if let Some(&s) = self.symbols.get(name) {
            return Some(Entity::Expr(self.model.make(Op::Const(Value::Symbol(s)), vec![], span)));
        }
        let mut d = Diagnostic::error(span, format!("`{name}` is not declared"));
        let names = self.instances[at].names.keys().chain(self.symbols.keys()).map(String::as_str);
        if let Some(near) = nearest(name, names) {
            d = d.help(format!("do you mean `{near}`?"));
        } else if name == "true" || name == "false" {
            d = d.help("the constants are `TRUE` and `FALSE`");
        }
        self.wrong.push(d);
        None
    }

    fn field(&mut self, instance: usize, name: &str, span: Span) -> Option<Entity> {
        if self.instances[instance].names.contains_key(name) || name == "running" {
            return self.lookup(instance, name, span);
        }
        let module = &self.syntax.modules[self.instances[instance].module];
        let mut d = Diagnostic::error(span, format!("the module `{}` has no `{name}`", module.name));
        if let Some(near) = nearest(name, self.instances[instance].names.keys().map(String::as_str)) {
            d = d.help(format!("do you mean `{near}`?"));
        }
        self.wrong.push(d.note(module.span, "defined here"));
        None
    }
}
