//! What names mean. Everything can be named before it is declared, so declarations are looked up first.

use super::lexer::{Kind, Token};
use riata_source::{Diagnostic, Span};
use std::collections::HashMap;

/// A name as it is written, with its number where several are called alike.
pub(super) type Name = (String, u32);

/// Names and what they stand for.
#[derive(Debug, Default)]
pub(super) struct Names {
    known: HashMap<Name, u32>,
    alike: HashMap<String, u32>,
    count: u32,
}

impl Names {
    fn add(&mut self, name: Name, span: Span) -> Result<(), Diagnostic> {
        let alike = self.alike.entry(name.0.clone()).or_default();
        if *alike != name.1 {
            let told = match *alike {
                0 => format!("`{}` is not yet declared", name.0),
                _ => format!("`{}` is declared already", name.0),
            };
            let help = match *alike {
                0 => format!("the first one is called `{}`", name.0),
                n => format!("give it another name, or call it `{}#{n}`", name.0),
            };
            return Err(Diagnostic::error(span, told).help(help));
        }
        *alike += 1;
        self.known.insert(name, self.count);
        self.count += 1;
        Ok(())
    }

    /// The number of what is called so.
    pub fn get(&self, name: &Name) -> Option<u32> {
        self.known.get(name).copied()
    }
}

/// All names of a text.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub shared: Names,
    pub channels: Names,
    pub processes: Names,
    /// The variables of each process type.
    pub locals: Vec<Names>,
}

/// A name at the beginning of `tokens`, and how many words it has.
pub(super) fn name_at(tokens: &[Token]) -> Option<(Name, usize)> {
    let name = match &tokens.first()?.kind {
        Kind::Name(name) | Kind::Text(name) => name.clone(),
        _ => return None,
    };
    match (tokens.get(1).map(|t| &t.kind), tokens.get(2).map(|t| &t.kind)) {
        (Some(Kind::Sign("#")), Some(Kind::Number(n))) => Some(((name, *n), 3)),
        _ => Some(((name, 0), 1)),
    }
}

impl Scope {
    /// The names that `tokens` declare. A declaration is known by its keyword, which is used for nothing else.
    pub fn of(tokens: &[Token]) -> Result<Scope, Diagnostic> {
        let mut scope = Scope::default();
        for (i, token) in tokens.iter().enumerate() {
            let Kind::Sign(keyword) = token.kind else { continue };
            let names = match keyword {
                "shared" => &mut scope.shared,
                "channel" => &mut scope.channels,
                "process" => &mut scope.processes,
                "parameter" | "local" => match scope.locals.last_mut() {
                    Some(locals) => locals,
                    None => continue,
                },
                _ => continue,
            };
            let Some((name, _)) = name_at(&tokens[i + 1..]) else { continue };
            names.add(name, tokens[i + 1].span)?;
            if keyword == "process" {
                scope.locals.push(Names::default());
            }
        }
        Ok(scope)
    }
}
