//! Names with dots and brackets in them: `VAR a.b : boolean; a[1] : boolean;` declares two variables, and no `a`.
//!
//! An expression `a.b` is such a name where it is declared, whatever `a` is.

use crate::ast::{Ast, Item, Kind, Unary};
use crate::flatten::{Entity, Flattener, Local};
use riata_source::Diagnostic;
use std::collections::{HashMap, HashSet};

/// Is it such a name?
pub(crate) fn is_dotted(name: &str) -> bool {
    !name.starts_with('"') && name.contains(['.', '[']) || name.contains("\".") || name.contains("\"[")
}

impl Flattener<'_> {
    /// The parts of an expression, operands first, and the names among them that are declared as a whole, with their
    /// instances. What such a name is made of is no part.
    pub(crate) fn parts(&self, at: usize, root: Ast) -> (Vec<Ast>, HashMap<Ast, (usize, String)>) {
        if !self.dotted {
            return (self.syntax.parts(root), HashMap::new());
        }
        let (mut parts, mut names) = (Vec::new(), HashMap::new());
        let (mut stack, mut seen) = (vec![root], HashSet::new());
        while let Some(e) = stack.pop() {
            if !seen.insert(e) {
                continue;
            }
            parts.push(e);
            match self.dotted_name(at, e) {
                Some(name) => {
                    names.insert(e, name);
                }
                None => stack.extend(&self.syntax.node(e).kids),
            }
        }
        parts.sort_unstable();
        (parts, names)
    }

    /// The declared name that an expression is as a whole, and its instance.
    pub(crate) fn dotted_name(&self, at: usize, e: Ast) -> Option<(usize, String)> {
        // From the end: `.b`, then `a` before it.
        let (mut tail, mut here) = (String::new(), e);
        loop {
            let node = self.syntax.node(here);
            let piece = match &node.kind {
                Kind::Name(name) => {
                    let whole = name.clone() + &tail;
                    return (is_dotted(&whole) && self.instances[at].names.contains_key(&whole))
                        .then_some((at, whole));
                }
                Kind::Field(name) => format!(".{name}"),
                Kind::Index => format!("[{}]", self.literal(node.kids[1])?),
                _ => return None,
            };
            tail = piece + &tail;
            here = node.kids[0];
            if let (Some(name), Some(instance)) = (tail.strip_prefix('.'), self.instance(at, here, 0))
                && is_dotted(name)
                && self.instances[instance].names.contains_key(name)
            {
                return Some((instance, name.to_string()));
            }
        }
    }

    fn literal(&self, e: Ast) -> Option<i64> {
        let node = self.syntax.node(e);
        match node.kind {
            Kind::Int(n) => Some(n),
            Kind::Unary(Unary::Minus) => match self.syntax.node(node.kids[0]).kind {
                Kind::Int(n) => n.checked_neg(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Refuses a name with dots that means something else already: a field of an instance, or an element of an array.
    pub(crate) fn dotted_twice(&mut self) {
        for at in 0..self.instances.len() {
            for item in &self.instances[at].items {
                let (Item::Var(_, name, span, _) | Item::Define(name, span, _)) = item else { continue };
                let names = &self.instances[at].names;
                let twice = name.char_indices().filter(|(_, c)| matches!(c, '.' | '[')).any(|(i, c)| {
                    match names.get(&name[..i]) {
                        Some(Local::Known(Entity::Instance(other))) if c == '.' => {
                            self.instances[*other].names.contains_key(&name[i + 1..])
                        }
                        Some(Local::Known(Entity::Array(low, elements))) if c == '[' => {
                            let index = name[i + 1..].split(']').next().and_then(|n| n.parse::<i64>().ok());
                            index.is_some_and(|n| (*low..low + elements.len() as i64).contains(&n))
                        }
                        _ => false,
                    }
                });
                if twice {
                    self.wrong.push(Diagnostic::error(*span, format!("`{name}` is declared twice")));
                }
            }
        }
    }
}
