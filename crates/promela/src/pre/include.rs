//! `#include`: finding files and reading each once.

use super::lexer::Lexer;
use super::{File, LARGEST, Preprocessor, macros};
use crate::token::{Kind, Sign, Token};
use riata_source::{Diagnostic, Span};

/// How deep files may include each other.
const DEEPEST: usize = 64;
/// How many times files may be included.
const MOST_INCLUDES: usize = 10_000;

impl Preprocessor<'_> {
    pub(super) fn include(&mut self, place: Span) {
        let mut line = self.line();
        if line.first().is_some_and(|t| t.kind == Kind::Name) {
            line = macros::expand_list(line, &mut self.state, 0);
        }
        let (name, beside) = match line.as_slice() {
            [t, ..] if t.kind == Kind::Text => (self.state.symbols.text(t.text).to_string(), true),
            [open, .., close] if open.is(Sign::Lt) && close.is(Sign::Gt) => {
                let name = self.map.str(Span::new(open.span().end, close.span().start.max(open.span().end)));
                (name.trim().to_string(), false)
            }
            _ => {
                let d = Diagnostic::error(place, "`#include` needs a file name");
                return self.wrong(d.help("write it as `#include \"file\"`"));
            }
        };
        let place = line.first().map_or(place, Token::span);
        if self.open.len() >= DEEPEST {
            let d = Diagnostic::error(place, format!("files include each other more than {DEEPEST} deep"));
            self.wrong(d.help("does a file include itself?"));
            // Every file above would say the same.
            self.open.clear();
            return;
        }
        self.included += 1;
        if self.included > MOST_INCLUDES {
            let d = Diagnostic::error(place, format!("files are included more than {MOST_INCLUDES} times"));
            self.wrong(d);
            self.open.clear();
            return;
        }
        if let Some((path, span)) = self.find(&name, beside, place) {
            self.open.push(File { lexer: Lexer::new(span), name: path, conditions: Vec::new() });
        }
    }

    /// Reads a file: beside the one that includes it, then where `-I` says.
    fn find(&mut self, name: &str, beside: bool, place: Span) -> Option<(String, Span)> {
        let mut paths = Vec::new();
        if name.starts_with('/') {
            paths.push(name.to_string());
        } else {
            let including = self.open.last().map_or("", |f| &f.name);
            if beside {
                paths.push(match including.rfind('/') {
                    Some(i) => format!("{}{name}", &including[..=i]),
                    None => name.to_string(),
                });
            }
            paths.extend(
                self.options.includes.iter().map(|dir| format!("{}/{name}", dir.trim_end_matches('/'))),
            );
        }
        for path in paths {
            if let Some(&span) = self.known.get(&path) {
                return Some((path, span));
            }
            match self.files.read(&path) {
                Ok(text) if self.map.len() + text.len() > LARGEST => {
                    self.wrong(Diagnostic::error(place, "all files together are larger than 256 MiB"));
                    return None;
                }
                Ok(text) => {
                    let span = self.map.add(path.clone(), &text);
                    self.known.insert(path.clone(), span);
                    return Some((path, span));
                }
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                Err(e) => {
                    self.wrong(Diagnostic::error(place, format!("cannot read `{path}`: {e}")));
                    return None;
                }
            }
        }
        let help = if self.options.includes.is_empty() {
            "`-I DIR` says where else to look"
        } else {
            "it is neither beside the file that includes it nor where `-I` says"
        };
        self.wrong(Diagnostic::error(place, format!("cannot find the file `{name}`")).help(help));
        None
    }
}
