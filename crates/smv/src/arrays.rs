//! Arrays are no values: an operator on arrays becomes one on their elements.

use crate::ast::{Ast, Binary, Function, Item, Kind, Unary};
use crate::flatten::{Entity, Flattener, Instance, Local};
use crate::model::{E, Op, Value};
use riata_source::{Diagnostic, Span};
use std::collections::HashMap;

/// How deep definitions that may be arrays are followed.
const DEEPEST: usize = 100;

/// What is known of definitions before they are resolved.
struct Shapes {
    /// The bodies of the definitions of each instance.
    bodies: Vec<HashMap<String, Ast>>,
    /// How many indices a name of an instance takes.
    known: HashMap<(usize, String), usize>,
}

impl Flattener<'_> {
    /// An operator on operands of which some may be arrays.
    pub(crate) fn lifted(&mut self, kind: &Kind, kids: Vec<Entity>, span: Span) -> Option<Entity> {
        let values: Option<Vec<E>> =
            kids.iter().map(|k| if let Entity::Expr(e) = k { Some(*e) } else { None }).collect();
        if let Some(kids) = values {
            // A negative number is a constant.
            if *kind == Kind::Unary(Unary::Minus)
                && let Op::Const(Value::Int(n)) = self.model.node(kids[0]).op
                && let Some(negative) = n.checked_neg()
            {
                return Some(Entity::Expr(self.model.make(Op::Const(Value::Int(negative)), vec![], span)));
            }
            return Some(Entity::Expr(self.model.make(Op::Apply(kind.clone()), kids, span)));
        }
        let arrays: Vec<usize> = match kind {
            Kind::Next => vec![0],
            Kind::Ite => vec![1, 2],
            Kind::Case => (0..kids.len()).filter(|i| i % 2 == 1).collect(),
            Kind::Binary(Binary::Equal | Binary::NotEqual) => vec![0, 1],
            _ => Vec::new(),
        };
        let Some((low, rows)) = elementwise(&kids, &arrays) else {
            self.wrong.push(Diagnostic::error(span, "this operator takes values, not arrays or instances"));
            return None;
        };
        let elements: Option<Vec<Entity>> = match kind {
            Kind::Binary(Binary::NotEqual) => {
                let same = Kind::Binary(Binary::Equal);
                rows.into_iter().map(|row| self.lifted(&same, row, span)).collect()
            }
            _ => rows.into_iter().map(|row| self.lifted(kind, row, span)).collect(),
        };
        let elements = elements?;
        let Kind::Binary(op) = kind else { return Some(Entity::Array(low, elements)) };
        // Arrays are equal if all their elements are.
        let mut all = self.model.make(Op::Const(Value::Bool(true)), vec![], span);
        for element in elements {
            let Entity::Expr(e) = element else { return None };
            all = self.model.make(Op::Apply(Kind::Binary(Binary::And)), vec![all, e], span);
        }
        if *op == Binary::NotEqual {
            all = self.model.make(Op::Apply(Kind::Unary(Unary::Not)), vec![all], span);
        }
        Some(Entity::Expr(all))
    }

    /// An element of an array: by a constant index that very element, otherwise a choice among all.
    pub(crate) fn element(
        &mut self,
        low: i64,
        elements: &[Entity],
        index: E,
        constant: Option<i64>,
        span: Span,
    ) -> Option<Entity> {
        if let Some(i) = constant {
            let place = i.checked_sub(low).and_then(|p| usize::try_from(p).ok());
            let found = place.and_then(|p| elements.get(p)).cloned();
            if found.is_none() {
                let at = self.model.node(index).span;
                let high = low + elements.len() as i64 - 1;
                self.wrong.push(Diagnostic::error(at, format!("the index {i} is outside {low}..{high}")));
            }
            return found;
        }
        if let Some(Entity::Array(lower, _)) = elements.first() {
            let all: Vec<usize> = (0..elements.len()).collect();
            let (_, rows) = elementwise(elements, &all)?;
            let chosen: Option<Vec<Entity>> =
                rows.into_iter().map(|row| self.element(low, &row, index, None, span)).collect();
            return Some(Entity::Array(*lower, chosen?));
        }
        let mut kids = Vec::new();
        for (i, element) in (low..).zip(elements) {
            let Entity::Expr(e) = element else { return None };
            // A word is an index as the number that it stands for.
            let at = self.model.node(index).span;
            let number = self.model.make(Op::Apply(Kind::Call(Function::ToInt)), vec![index], at);
            let i = self.model.make(Op::Const(Value::Int(i)), vec![], span);
            let same = self.model.make(Op::Apply(Kind::Binary(Binary::Equal)), vec![number, i], span);
            kids.extend([same, *e]);
        }
        if kids.is_empty() {
            self.wrong.push(Diagnostic::error(span, "this array has no elements"));
            return None;
        }
        Some(Entity::Expr(self.model.make(Op::Apply(Kind::Index), kids, span)))
    }

    /// Definitions whose bodies are arrays are no values: their names stand for the arrays.
    pub(crate) fn define_arrays(&mut self) {
        let bodies = |instance: &Instance| {
            let body = |item: &Item| match item {
                Item::Define(name, _, body) => Some((name.clone(), *body)),
                _ => None,
            };
            instance.items.iter().filter_map(body).collect()
        };
        let mut shapes =
            Shapes { bodies: self.instances.iter().map(bodies).collect(), known: HashMap::new() };
        for at in 0..self.instances.len() {
            for (name, body) in shapes.bodies[at].clone() {
                if self.dimensions(at, body, 0, &mut shapes) > 0 {
                    self.instances[at].names.insert(name, Local::Actual(at, body));
                }
            }
        }
    }

    /// How many indices an expression takes before it is a value.
    fn dimensions(&self, at: usize, e: Ast, depth: usize, shapes: &mut Shapes) -> usize {
        if depth > DEEPEST {
            return 0;
        }
        if let Some((instance, name)) = self.dotted.then(|| self.dotted_name(at, e)).flatten() {
            return self.dimensions_of(instance, &name, depth, shapes);
        }
        let node = self.syntax.node(e);
        match &node.kind {
            Kind::Array => 1 + self.dimensions(at, node.kids[0], depth + 1, shapes),
            Kind::Next => self.dimensions(at, node.kids[0], depth + 1, shapes),
            Kind::Ite | Kind::Case => self.dimensions(at, node.kids[1], depth + 1, shapes),
            Kind::Index => self.dimensions(at, node.kids[0], depth + 1, shapes).saturating_sub(1),
            Kind::Name(name) => self.dimensions_of(at, name, depth, shapes),
            Kind::Field(name) => {
                let owner = self.instance(at, node.kids[0], depth + 1);
                owner.map_or(0, |i| self.dimensions_of(i, name, depth, shapes))
            }
            _ => 0,
        }
    }

    fn dimensions_of(&self, at: usize, name: &str, depth: usize, shapes: &mut Shapes) -> usize {
        if let Some(&n) = shapes.known.get(&(at, name.to_string())) {
            return n;
        }
        let n = match (self.instances[at].names.get(name), shapes.bodies[at].get(name)) {
            (_, Some(&body)) => self.dimensions(at, body, depth + 1, shapes),
            (Some(Local::Known(entity)), None) => entity.dimensions(),
            (Some(Local::Actual(from, actual)), None) => self.dimensions(*from, *actual, depth + 1, shapes),
            _ => 0,
        };
        shapes.known.insert((at, name.to_string()), n);
        n
    }

    /// The instance that an expression names.
    pub(crate) fn instance(&self, at: usize, e: Ast, depth: usize) -> Option<usize> {
        if depth > DEEPEST {
            return None;
        }
        let node = self.syntax.node(e);
        let whole = if self.dotted { self.dotted_name(at, e) } else { None };
        let (owner, name) = match (whole, &node.kind) {
            (Some(found), _) => found,
            (_, Kind::This) => return Some(at),
            (_, Kind::Name(name)) => (at, name.clone()),
            (_, Kind::Field(name)) => (self.instance(at, node.kids[0], depth + 1)?, name.clone()),
            _ => return None,
        };
        match self.instances[owner].names.get(&name)? {
            Local::Known(Entity::Instance(i)) => Some(*i),
            Local::Actual(from, actual) => self.instance(*from, *actual, depth + 1),
            _ => None,
        }
    }
}

/// The operands of each element, if the operands at `arrays` are arrays with the same indices and no other one is.
fn elementwise(kids: &[Entity], arrays: &[usize]) -> Option<(i64, Vec<Vec<Entity>>)> {
    let Entity::Array(low, first) = kids.get(*arrays.first()?)? else { return None };
    for (i, kid) in kids.iter().enumerate() {
        let fits = match kid {
            Entity::Array(l, e) => arrays.contains(&i) && l == low && e.len() == first.len(),
            Entity::Expr(_) => !arrays.contains(&i),
            Entity::Instance(_) => false,
        };
        if !fits {
            return None;
        }
    }
    let row = |place: usize| {
        let at = |kid: &Entity| match kid {
            Entity::Array(_, elements) => elements[place].clone(),
            other => other.clone(),
        };
        kids.iter().map(at).collect()
    };
    Some((*low, (0..first.len()).map(row).collect()))
}
