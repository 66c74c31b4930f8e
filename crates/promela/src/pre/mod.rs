//! The preprocessor: C's, as far as models use it.
//!
//! `#define` with and without parameters, `#`, `##`, `#undef`, the conditionals, `#include`, `#error`; other
//! directives are ignored. It works on tokens, so the places of tokens survive it, and it does no input of its own:
//! the files come through [`Files`].
//!
//! Three things are bounded, each with a clear error: how deep files include each other, how many bytes are read
//! altogether, and how many tokens macros make.
//!
//! Unlike C's, `0..N` is three tokens, so that `N` can be a macro.

pub(crate) mod condition;
mod define;
mod include;
pub(crate) mod lexer;
pub(crate) mod macros;
#[cfg(test)]
mod tests;

use crate::origin::Origins;
use crate::token::{Kind, Sign, Symbols, Token};
use lexer::Lexer;
use macros::{Expander, Raw, State};
use riata_source::SourceMap;
use riata_source::{Diagnostic, Span};
use std::collections::HashMap;

/// How many bytes all files may have.
const LARGEST: usize = 256 << 20;
/// How many diagnostics one input may have; after so many the rest is not read.
pub(crate) const MOST_WRONG: usize = 1_000;

/// Where included files come from.
pub trait Files {
    /// The content of the file with this path. [`std::io::ErrorKind::NotFound`] makes the next place be tried.
    fn read(&mut self, path: &str) -> std::io::Result<Vec<u8>>;
}

impl<F: FnMut(&str) -> std::io::Result<Vec<u8>>> Files for F {
    fn read(&mut self, path: &str) -> std::io::Result<Vec<u8>> {
        self(path)
    }
}

/// No files at all.
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&mut self, _: &str) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

/// What the command line says to the preprocessor.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `-D` and `-U`, in order.
    pub defines: Vec<Define>,
    /// `-I`.
    pub includes: Vec<String>,
}

/// One `-D` or `-U`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Define {
    /// `-D X`, `-D X=1`, `-D 'F(a)=a+1'`: as given.
    Define(String),
    /// `-U X`.
    Undefine(String),
}

/// What preprocessing gives.
pub(crate) struct Processed {
    /// An [`Kind::End`] last.
    pub tokens: Vec<Token>,
    pub map: SourceMap,
    pub symbols: Symbols,
    pub origins: Origins,
    pub wrong: Vec<Diagnostic>,
    /// The macros that are defined at the end, as `-D` would define them, by name.
    pub defines: Vec<Define>,
}

/// Preprocesses the file `name` with content `text`.
pub(crate) fn preprocess(name: &str, text: &[u8], options: &Options, files: &mut dyn Files) -> Processed {
    let mut map = SourceMap::default();
    let main = map.add(name, text);
    let mut pre = Preprocessor {
        state: State::new(),
        map,
        files,
        options,
        open: Vec::new(),
        known: HashMap::new(),
        pushed: None,
        included: 0,
    };
    if text.len() > LARGEST {
        pre.state.wrong.push(Diagnostic::error(Span::at(0), "this file is larger than 256 MiB"));
    } else {
        pre.command_line();
        pre.open.push(File { lexer: Lexer::new(main), name: name.to_string(), conditions: Vec::new() });
    }
    let mut tokens = Vec::new();
    let mut expander = Expander::new(0);
    loop {
        let token = expander.next(&mut pre);
        let last = token.kind == Kind::End && pre.open.is_empty();
        if token.kind != Kind::End || last {
            tokens.push(token);
        }
        if last {
            break;
        }
        if pre.state.exhausted || pre.state.wrong.len() > MOST_WRONG {
            pre.open.clear();
        }
    }
    let State { symbols, origins, wrong, macros, .. } = pre.state;
    let mut defines: Vec<String> =
        macros.iter().filter_map(|(&name, m)| macros::definition(name, m, &symbols)).collect();
    defines.sort();
    let defines = defines.into_iter().map(Define::Define).collect();
    Processed { tokens, map: pre.map, symbols, origins, wrong, defines }
}

/// The tokens as text: one space between them, lines as they were.
pub(crate) fn spell_lines(processed: &Processed) -> String {
    let mut out = String::new();
    for (i, token) in processed.tokens.iter().enumerate() {
        if i > 0 {
            out.push(if token.line || token.kind == Kind::End { '\n' } else { ' ' });
        }
        out.push_str(&macros::spell(std::slice::from_ref(token), &processed.symbols));
    }
    out
}

/// A file that is being read.
struct File {
    lexer: Lexer,
    name: String,
    conditions: Vec<Condition>,
}

/// An open `#if`.
struct Condition {
    place: Span,
    /// A branch was taken already.
    taken: bool,
    /// `#else` was seen.
    last: Option<Span>,
}

struct Preprocessor<'a> {
    state: State,
    map: SourceMap,
    files: &'a mut dyn Files,
    options: &'a Options,
    open: Vec<File>,
    /// Files that were read, by path.
    known: HashMap<String, Span>,
    pushed: Option<Token>,
    included: usize,
}

impl Raw for Preprocessor<'_> {
    fn raw(&mut self) -> Token {
        if let Some(token) = self.pushed.take() {
            return token;
        }
        let mut line = false;
        loop {
            let Some(file) = self.open.last_mut() else {
                let at = self.map.files().next().map_or(0, |(_, span)| span.end);
                let empty = self.state.symbols.intern("");
                return Token::new(Kind::End, empty, Span::at(at));
            };
            if let Some(hash) = file.lexer.directive(&self.map, &mut self.state.wrong) {
                self.directive(hash);
                line = true;
                continue;
            }
            let mut token = file.lexer.next(&self.map, &mut self.state.symbols, &mut self.state.wrong);
            token.line |= line;
            if token.kind == Kind::End
                && let Some(file) = self.open.pop()
            {
                self.unbalanced(&file);
            }
            return token;
        }
    }

    fn unread(&mut self, token: Token) {
        self.pushed = Some(token);
    }

    fn state(&mut self) -> &mut State {
        &mut self.state
    }
}

impl Preprocessor<'_> {
    fn wrong(&mut self, d: Diagnostic) {
        self.state.wrong.push(d);
    }

    /// `-D` and `-U`, as a file of their own, so that a macro of the command line has a place.
    fn command_line(&mut self) {
        let mut text = String::new();
        for define in &self.options.defines {
            let line = match define {
                Define::Define(d) => {
                    let (name, value) = d.split_once('=').unwrap_or((d, "1"));
                    format!("#define {name} {value}\n")
                }
                Define::Undefine(name) => format!("#undef {name}\n"),
            };
            text.push_str(&line);
        }
        if text.is_empty() {
            return;
        }
        let span = self.map.add("<command line>", text.as_bytes());
        let name = String::new();
        self.open.push(File { lexer: Lexer::new(span), name, conditions: Vec::new() });
        while self.open.last().is_some_and(|f| !f.lexer.finished()) {
            let token = self.raw();
            if token.kind != Kind::End {
                let d = Diagnostic::error(token.span(), "a definition takes one line");
                self.wrong(d);
            }
        }
        self.open.clear();
    }

    /// The rest of the line.
    fn line(&mut self) -> Vec<Token> {
        let mut tokens = Vec::new();
        if let Some(file) = self.open.last_mut() {
            while let Some(token) =
                file.lexer.next_in_line(&self.map, &mut self.state.symbols, &mut self.state.wrong)
            {
                tokens.push(token);
            }
        }
        tokens
    }

    fn skip_line(&mut self) {
        if let Some(file) = self.open.last_mut() {
            file.lexer.skip_line(&self.map, &mut self.state.wrong);
        }
    }

    /// Carries out the directive after `hash`.
    fn directive(&mut self, hash: Span) {
        let Some(file) = self.open.last_mut() else { return };
        let Some(word) = file.lexer.next_in_line(&self.map, &mut self.state.symbols, &mut self.state.wrong)
        else {
            return;
        };
        let place = hash.to(word.span());
        if word.kind == Kind::Number {
            return self.skip_line(); // `# 12 "file"`, of another preprocessor
        }
        let text = self.state.symbols.text(word.text).clone();
        match &*text {
            "define" => self.define(place),
            "undef" => {
                let line = self.line();
                match line.first() {
                    Some(name) if name.kind == Kind::Name => {
                        self.state.macros.remove(&name.text);
                    }
                    _ => self.wrong(Diagnostic::error(place, "`#undef` needs the name of a macro")),
                }
            }
            "if" | "ifdef" | "ifndef" => {
                let taken = self.condition(&text, place);
                if let Some(file) = self.open.last_mut() {
                    file.conditions.push(Condition { place, taken, last: None });
                }
                if !taken {
                    self.skip();
                }
            }
            // A branch that was taken ends here: its siblings are skipped.
            "elif" | "else" | "endif" => {
                self.end_of_branch(&text, place, true);
            }
            "include" => self.include(place),
            "error" => {
                let line = self.line();
                let message = macros::spell(&line, &self.state.symbols);
                self.wrong(Diagnostic::error(place, format!("#error {message}")));
            }
            "warning" => {
                let line = self.line();
                let message = macros::spell(&line, &self.state.symbols);
                self.wrong(Diagnostic::warning(place, format!("#warning {message}")));
            }
            "line" | "pragma" | "ident" => self.skip_line(),
            _ => {
                self.skip_line();
                let d = Diagnostic::error(place, format!("there is no directive `#{text}`"));
                self.wrong(d);
            }
        }
    }

    /// Decides an `#if`, `#ifdef`, `#ifndef` or `#elif`.
    fn condition(&mut self, kind: &str, place: Span) -> bool {
        let line = self.line();
        if kind == "ifdef" || kind == "ifndef" {
            return match line.first() {
                Some(name) if name.kind == Kind::Name => {
                    self.state.macros.contains_key(&name.text) == (kind == "ifdef")
                }
                _ => {
                    self.wrong(Diagnostic::error(place, format!("`#{kind}` needs the name of a macro")));
                    false
                }
            };
        }
        let line = self.defined(line);
        let tokens = macros::expand_list(line, &mut self.state, 0);
        match condition::evaluate(&tokens, &self.state.symbols, place) {
            Ok(value) => value,
            Err(d) => {
                self.wrong(d);
                false
            }
        }
    }

    /// Replaces `defined X` and `defined(X)` by 1 or 0.
    fn defined(&mut self, line: Vec<Token>) -> Vec<Token> {
        let Some(defined) = self.state.symbols.find("defined") else { return line };
        let mut out = Vec::with_capacity(line.len());
        let mut i = 0;
        while i < line.len() {
            let token = line[i];
            i += 1;
            if token.kind != Kind::Name || token.text != defined {
                out.push(token);
                continue;
            }
            let bracket = line.get(i).is_some_and(|t| t.is(Sign::OpenParen));
            let name = line.get(i + usize::from(bracket)).filter(|t| t.kind == Kind::Name);
            let closed = !bracket || line.get(i + 2).is_some_and(|t| t.is(Sign::CloseParen));
            let (Some(name), true) = (name, closed) else {
                self.wrong(Diagnostic::error(token.span(), "`defined` needs the name of a macro"));
                continue;
            };
            let value = if self.state.macros.contains_key(&name.text) { "1" } else { "0" };
            let mut token = token;
            (token.kind, token.text) = (Kind::Number, self.state.symbols.intern(value));
            out.push(token);
            i += if bracket { 3 } else { 1 };
        }
        out
    }

    /// `#elif`, `#else`, `#endif`. Returns true if what follows is to be read, and skips it otherwise if told to.
    fn end_of_branch(&mut self, kind: &str, place: Span, was_read: bool) -> bool {
        let Some(open) = self.open.last_mut().and_then(|f| f.conditions.last_mut()) else {
            self.skip_line();
            self.wrong(Diagnostic::error(place, format!("`#{kind}` without `#if`")));
            return true;
        };
        if kind == "endif" {
            if let Some(file) = self.open.last_mut() {
                file.conditions.pop();
            }
            self.skip_line();
            return true;
        }
        let (taken, last, from) = (open.taken, open.last, open.place);
        if kind == "else" {
            open.last = Some(place);
        }
        if let Some(last) = last {
            self.skip_line();
            let d = Diagnostic::error(place, format!("`#{kind}` after `#else`"));
            self.wrong(d.note(last, "the `#else`").note(from, "the `#if`"));
        }
        let read = if taken || last.is_some() {
            self.skip_line();
            false
        } else if kind == "else" {
            self.skip_line();
            true
        } else {
            self.condition("elif", place)
        };
        if read && let Some(open) = self.open.last_mut().and_then(|f| f.conditions.last_mut()) {
            open.taken = true;
        }
        if !read && was_read {
            self.skip();
        }
        read
    }

    /// Skips to the branch that is to be read, or past the `#endif`.
    fn skip(&mut self) {
        let mut nested = 0usize;
        loop {
            let Some(file) = self.open.last_mut() else { return };
            file.lexer.skip_line(&self.map, &mut self.state.wrong);
            if file.lexer.finished() {
                return;
            }
            let Some(hash) = file.lexer.directive(&self.map, &mut self.state.wrong) else { continue };
            let Some(word) =
                file.lexer.next_in_line(&self.map, &mut self.state.symbols, &mut self.state.wrong)
            else {
                continue;
            };
            let text = self.state.symbols.text(word.text).clone();
            match &*text {
                "if" | "ifdef" | "ifndef" => nested += 1,
                "endif" if nested > 0 => nested -= 1,
                "elif" | "else" | "endif"
                    if nested == 0 && self.end_of_branch(&text, hash.to(word.span()), false) =>
                {
                    return;
                }
                _ => {}
            }
        }
    }

    /// The conditionals that a file leaves open.
    fn unbalanced(&mut self, file: &File) {
        for condition in &file.conditions {
            self.wrong(
                Diagnostic::error(condition.place, "this conditional has no `#endif`")
                    .help("every `#if`, `#ifdef` and `#ifndef` is closed by an `#endif` in the same file"),
            );
        }
    }
}
