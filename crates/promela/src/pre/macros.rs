//! Macros: definitions, calls, expansion.
//!
//! Expansion is that of C's preprocessor. Tokens are read from a stack of *contexts*, each the rest of one expansion,
//! with the file below them. A macro is not expanded while a context of its own is open; its name is then painted and
//! never expanded again, which is why expansion ends. The arguments of a call are expanded on their own before they
//! are put into the body, unless `#` or `##` stands beside them.
//!
//! Expansion can be exponential, so everything that is made is counted against [`MOST`].

use crate::ast::OriginId;
use crate::origin::{Expansion, Origin, Origins};
use crate::pre::lexer;
use crate::token::{Kind, Sign, Symbol, Symbols, Token};
use riata_source::{Diagnostic, Span};
use std::collections::HashMap;
use std::rc::Rc;

/// How many tokens all expansions of one model may make.
pub(crate) const MOST: usize = 1_000_000;
/// How deep calls in arguments of calls may nest.
const DEEPEST: usize = 100;

/// A `#define`.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    /// None if it is not called with brackets.
    pub parameters: Option<Vec<Symbol>>,
    /// The last parameter takes all that is left.
    pub variadic: bool,
    pub body: Vec<Token>,
    pub span: Span,
}

impl Macro {
    /// True if a second definition says the same.
    pub fn same(&self, other: &Macro) -> bool {
        self.parameters == other.parameters
            && self.variadic == other.variadic
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&other.body).all(|(a, b)| a.kind == b.kind && a.text == b.text)
    }
}

/// A macro as `-D` would define it; one that takes any number of arguments cannot be.
pub(crate) fn definition(name: Symbol, m: &Macro, symbols: &Symbols) -> Option<String> {
    if m.variadic {
        return None;
    }
    let text = |s: &Symbol| symbols.text(*s).to_string();
    let parameters = match &m.parameters {
        Some(list) => format!("({})", list.iter().map(text).collect::<Vec<_>>().join(",")),
        None => String::new(),
    };
    Some(format!("{}{parameters}={}", text(&name), spell(&m.body, symbols)))
}

/// The rest of an expansion.
struct Context {
    /// The macro that is closed to itself; none for an argument.
    name: Option<Symbol>,
    tokens: Vec<Token>,
    at: usize,
}

/// Where tokens come from when all contexts are empty.
pub(crate) trait Raw {
    /// The next token of the file; directives are carried out on the way.
    fn raw(&mut self) -> Token;
    /// Puts one back.
    fn unread(&mut self, token: Token);
    /// The rest of the preprocessor.
    fn state(&mut self) -> &mut State;
}

/// What expansion reads and writes.
pub(crate) struct State {
    pub symbols: Symbols,
    pub origins: Origins,
    pub wrong: Vec<Diagnostic>,
    pub macros: HashMap<Symbol, Rc<Macro>>,
    /// How many contexts each macro has open.
    open: HashMap<Symbol, usize>,
    /// How many tokens were made.
    made: usize,
    pub exhausted: bool,
}

impl State {
    pub fn new() -> State {
        State {
            symbols: Symbols::new(),
            origins: Origins::default(),
            wrong: Vec::new(),
            macros: HashMap::new(),
            open: HashMap::new(),
            made: 0,
            exhausted: false,
        }
    }

    /// Counts tokens; false, with an error the first time, when there are too many.
    fn count(&mut self, n: usize, place: Span) -> bool {
        self.made += n + 1;
        if self.made > MOST && !self.exhausted {
            self.exhausted = true;
            self.wrong.push(
                Diagnostic::error(place, format!("macro expansion makes more than {MOST} tokens"))
                    .help("does a macro use another several times, and that one another, and so on?"),
            );
        }
        !self.exhausted
    }
}

/// A list of tokens with nothing behind it: an argument, or the condition of an `#if`.
struct Nothing<'a>(&'a mut State);

impl Raw for Nothing<'_> {
    fn raw(&mut self) -> Token {
        let empty = self.0.symbols.intern("");
        Token::new(Kind::End, empty, Span::at(0))
    }
    fn unread(&mut self, _: Token) {}
    fn state(&mut self) -> &mut State {
        self.0
    }
}

/// Expands all macros in a list of tokens.
pub(crate) fn expand_list(tokens: Vec<Token>, state: &mut State, depth: usize) -> Vec<Token> {
    let mut out = Vec::new();
    let mut expander = Expander::new(depth);
    expander.contexts.push(Context { name: None, tokens, at: 0 });
    let mut nothing = Nothing(state);
    loop {
        let token = expander.next(&mut nothing);
        if token.kind == Kind::End {
            return out;
        }
        out.push(token);
    }
}

/// The stack of contexts.
pub(crate) struct Expander {
    contexts: Vec<Context>,
    depth: usize,
    /// A macro that began a line expanded to nothing.
    line: bool,
}

impl Expander {
    pub fn new(depth: usize) -> Expander {
        Expander { contexts: Vec::new(), depth, line: false }
    }

    /// The next token with all macros expanded; [`Kind::End`] at the end of a file.
    pub fn next(&mut self, raw: &mut dyn Raw) -> Token {
        loop {
            let mut token = self.pull(raw);
            let expandable = token.kind == Kind::Name && !token.blue;
            let definition = if expandable { raw.state().macros.get(&token.text).cloned() } else { None };
            if let Some(definition) = definition {
                if raw.state().open.get(&token.text).is_some_and(|&n| n > 0) {
                    token.blue = true;
                } else if self.expand(&token, &definition, raw) {
                    continue;
                }
            }
            token.line |= std::mem::take(&mut self.line);
            return token;
        }
    }

    /// The next token as it is.
    fn pull(&mut self, raw: &mut dyn Raw) -> Token {
        while let Some(context) = self.contexts.last_mut() {
            if let Some(&token) = context.tokens.get(context.at) {
                context.at += 1;
                return token;
            }
            self.pop(raw);
        }
        raw.raw()
    }

    fn pop(&mut self, raw: &mut dyn Raw) {
        if let Some(Context { name: Some(name), .. }) = self.contexts.pop()
            && let Some(n) = raw.state().open.get_mut(&name)
        {
            *n -= 1;
        }
    }

    /// Puts a macro's expansion on the stack. False if it is not called here, or cannot be.
    fn expand(&mut self, name: &Token, definition: &Rc<Macro>, raw: &mut dyn Raw) -> bool {
        if raw.state().exhausted {
            return false;
        }
        let mut place = name.span();
        let arguments = match &definition.parameters {
            None => Vec::new(),
            Some(_) => {
                if !self.opens(raw) {
                    return false;
                }
                let Some((arguments, end)) = self.arguments(name, definition, raw) else { return true };
                // In a file the use reaches to the closing bracket; in an expansion all have one place.
                if name.origin == OriginId::NONE && end.start >= place.start {
                    place = place.to(end);
                }
                arguments
            }
        };
        let state = raw.state();
        let origin = state.origins.add(Origin {
            kind: Expansion::Macro,
            name: state.symbols.text(name.text).clone(),
            place: definition.span,
            parent: name.origin,
        });
        let mut tokens = self.substitute(definition, arguments, place, origin, state);
        if !state.count(tokens.len(), place) {
            return false;
        }
        match tokens.first_mut() {
            Some(first) => (first.line, first.space) = (name.line, name.space || first.space),
            None => self.line |= name.line,
        }
        *state.open.entry(name.text).or_insert(0) += 1;
        self.contexts.push(Context { name: Some(name.text), tokens, at: 0 });
        true
    }

    /// True, and the bracket is taken, if the next token is an opening bracket.
    fn opens(&mut self, raw: &mut dyn Raw) -> bool {
        loop {
            if let Some(context) = self.contexts.last_mut() {
                match context.tokens.get(context.at) {
                    Some(token) if token.is(Sign::OpenParen) => {
                        context.at += 1;
                        return true;
                    }
                    Some(_) => return false,
                    None => self.pop(raw),
                }
            } else {
                let token = raw.raw();
                if token.is(Sign::OpenParen) {
                    return true;
                }
                raw.unread(token);
                return false;
            }
        }
    }

    /// Collects the arguments of a call, after the opening bracket; and where the closing one is.
    fn arguments(
        &mut self,
        name: &Token,
        definition: &Macro,
        raw: &mut dyn Raw,
    ) -> Option<(Vec<Vec<Token>>, Span)> {
        let wanted = definition.parameters.as_ref().map_or(0, Vec::len);
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        let end = loop {
            let mut token = self.pull(raw);
            match token.kind {
                Kind::End => {
                    raw.unread(token);
                    let text = raw.state().symbols.text(name.text).clone();
                    let d = Diagnostic::error(name.span(), format!("the call of macro `{text}` has no `)`"));
                    let d = d.note(definition.span, "the macro");
                    raw.state().wrong.push(d);
                    return None;
                }
                Kind::Sign(Sign::OpenParen) => depth += 1,
                Kind::Sign(Sign::CloseParen) if depth == 0 => break token.span(),
                Kind::Sign(Sign::CloseParen) => depth -= 1,
                Kind::Sign(Sign::Comma)
                    if depth == 0 && !(definition.variadic && arguments.len() == wanted) =>
                {
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            token.space |= token.line;
            token.line = false;
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
        };
        if wanted == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if definition.variadic && arguments.len() + 1 == wanted {
            arguments.push(Vec::new());
        }
        if arguments.len() != wanted {
            let text = raw.state().symbols.text(name.text).clone();
            let n = arguments.len();
            let message = format!("macro `{text}` takes {}, not {n}", count(wanted, "argument"));
            raw.state()
                .wrong
                .push(Diagnostic::error(name.span(), message).note(definition.span, "the macro"));
            // Something in place of what is missing, so that it is told once.
            let zero = raw.state().symbols.intern("0");
            arguments.resize(wanted, vec![Token::new(Kind::Number, zero, name.span())]);
        }
        Some((arguments, end))
    }

    /// The body, with the arguments in place of the parameters.
    fn substitute(
        &mut self,
        definition: &Macro,
        arguments: Vec<Vec<Token>>,
        place: Span,
        origin: OriginId,
        state: &mut State,
    ) -> Vec<Token> {
        let parameters = definition.parameters.as_deref().unwrap_or_default();
        let parameter = |t: &Token| {
            if t.kind == Kind::Name { parameters.iter().position(|p| *p == t.text) } else { None }
        };
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; arguments.len()];
        let mut out: Vec<Token> = Vec::new();
        let mut paste = false;
        // What stands before `##` is an argument without tokens.
        let mut nothing = true;
        let body = &definition.body;
        let mut i = 0;
        while i < body.len() {
            let token = body[i];
            i += 1;
            if token.is(Sign::Paste) && i > 1 && i < body.len() {
                paste = true;
                continue;
            }
            let mut piece: Vec<Token> = Vec::new();
            let stringify = token.is(Sign::Hash) && definition.parameters.is_some();
            if let Some(p) = body.get(i).filter(|_| stringify).and_then(parameter) {
                i += 1;
                let text = spell(&arguments[p], &state.symbols).replace('\\', "\\\\").replace('"', "\\\"");
                let mut token = token;
                (token.kind, token.text) = (Kind::Text, state.symbols.intern(&text));
                piece.push(token);
            } else if let Some(p) = parameter(&token) {
                let pasted = paste || body.get(i).is_some_and(|t| t.is(Sign::Paste));
                if pasted {
                    piece.clone_from(&arguments[p]);
                } else {
                    if expanded[p].is_none() {
                        expanded[p] = Some(self.argument(&arguments[p], place, state));
                    }
                    piece.extend(expanded[p].iter().flatten());
                }
                if !state.count(piece.len(), place) {
                    return Vec::new();
                }
                if let Some(first) = piece.first_mut() {
                    first.space = token.space;
                }
                for t in &mut piece {
                    if t.origin == OriginId::NONE {
                        t.origin = origin;
                    }
                }
            } else {
                let mut token = token.at(place);
                token.origin = origin;
                piece.push(token);
            }
            for t in &mut piece {
                t.line = false;
            }
            if std::mem::take(&mut paste) {
                if !nothing {
                    glue(&mut out, &mut piece, place, state);
                }
                nothing &= piece.is_empty();
            } else {
                nothing = piece.is_empty();
            }
            out.append(&mut piece);
        }
        out
    }

    /// An argument, expanded on its own.
    fn argument(&self, argument: &[Token], place: Span, state: &mut State) -> Vec<Token> {
        if self.depth >= DEEPEST {
            if !state.exhausted {
                state.exhausted = true;
                let message = format!("calls of macros in arguments nest more than {DEEPEST} deep here");
                state.wrong.push(Diagnostic::error(place, message));
            }
            return argument.to_vec();
        }
        expand_list(argument.to_vec(), state, self.depth + 1)
    }
}

/// `##`: makes one token of the last of `out` and the first of `piece`.
fn glue(out: &mut Vec<Token>, piece: &mut [Token], place: Span, state: &mut State) {
    let (Some(&left), Some(&right)) = (out.last(), piece.first()) else { return };
    let text = format!("{}{}", state.symbols.text(left.text), state.symbols.text(right.text));
    match lexer::single(&text, &mut state.symbols) {
        Some((kind, symbol)) => {
            out.pop();
            let first = &mut piece[0];
            (first.kind, first.text, first.space, first.blue) = (kind, symbol, left.space, false);
            *first = first.at(place);
            first.origin = left.origin.max(right.origin);
        }
        None => {
            state
                .wrong
                .push(Diagnostic::error(place, format!("`##` makes `{text}`, which is not one token")));
        }
    }
}

/// The tokens as text, one space where there was white space.
pub(crate) fn spell(tokens: &[Token], symbols: &Symbols) -> String {
    let mut out = String::new();
    for token in tokens {
        if (token.space || token.line) && !out.is_empty() {
            out.push(' ');
        }
        let text = symbols.text(token.text);
        if token.kind == Kind::Text {
            out.push('"');
            out.push_str(text);
            out.push('"');
        } else {
            out.push_str(text);
        }
    }
    out
}

/// `no argument`, `1 argument`, `2 arguments`.
pub(crate) fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
