//! Sections and declarations. After an error the parser goes on with the next section, so that all errors are told.

use crate::ast::{Ast, Binary, Item, Kind, Logic, Module, Node, Sort, Syntax, Type, When};
use crate::lexer::{Token, tokens};
use crate::symbols::SECTIONS;
use crate::symbols::{describe, is_keyword};
use riata_source::{Diagnostic, Span};

/// Reads tokens.
pub(crate) struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    pub(crate) syntax: Syntax,
    pub(crate) wrong: Vec<Diagnostic>,
    /// Where `..` ends an expression: in types.
    pub(crate) no_range: bool,
    /// Names that `forall` of PSL has given values, and how often it has.
    pub(crate) given: Vec<(String, Kind)>,
    pub(crate) copies: usize,
}

/// The syntax of a text, and everything that is wrong with it.
pub fn parse(text: &str) -> (Syntax, Vec<Diagnostic>) {
    let (tokens, wrong) = tokens(text);
    let mut parser = Parser::new(tokens, Syntax::default(), wrong);
    parser.modules();
    (parser.syntax, parser.wrong)
}

/// Adds LTL specifications to the module `main`: formulas that are not in the text, named `ltl_0`, `ltl_1` … Their places
/// are as if each stood on a line of its own behind the text.
pub(crate) fn add_formulas(
    text: &str,
    formulas: &[(Logic, String)],
    syntax: &mut Syntax,
    wrong: &mut Vec<Diagnostic>,
) {
    let mut base = text.len() + 1;
    for (i, (logic, formula)) in formulas.iter().enumerate() {
        let i = formulas[..i].iter().filter(|(l, _)| l == logic).count();
        let kind = if *logic == Logic::Ltl { "ltl" } else { "ctl" };
        let (mut tokens, mut bad) = tokens(formula);
        let shift = |span: &mut Span| *span = Span::new(span.start + base, span.end + base);
        tokens.iter_mut().for_each(|(_, span)| shift(span));
        bad.iter_mut().for_each(|d| shift(&mut d.span));
        let mut parser = Parser::new(tokens, std::mem::take(syntax), bad);
        let e = parser.expression();
        if e.is_some() && parser.peek().0 != &Token::End {
            parser.expected("the end of the formula");
        }
        *syntax = parser.syntax;
        wrong.extend(parser.wrong);
        if let (Some(e), Some(main)) = (e, syntax.modules.iter_mut().find(|m| m.name == "main")) {
            main.items.push(Item::Spec(*logic, Some(format!("{kind}_{i}")), e, None));
        }
        base += formula.len() + 1;
    }
}

impl Parser {
    fn new(tokens: Vec<(Token, Span)>, syntax: Syntax, wrong: Vec<Diagnostic>) -> Parser {
        Parser { tokens, at: 0, syntax, wrong, no_range: false, given: Vec::new(), copies: 0 }
    }

    /// Where the next token is; [`Parser::again`] goes back to it.
    pub(crate) fn place(&self) -> usize {
        self.at
    }

    pub(crate) fn again(&mut self, place: usize) {
        self.at = place;
    }

    pub(crate) fn peek(&self) -> (&Token, Span) {
        let (token, span) = &self.tokens[self.at.min(self.tokens.len() - 1)];
        (token, *span)
    }

    pub(crate) fn ahead(&self, n: usize) -> &Token {
        &self.tokens[(self.at + n).min(self.tokens.len() - 1)].0
    }

    pub(crate) fn tokens_at(&self, n: usize) -> Span {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)].1
    }

    pub(crate) fn next(&mut self) {
        self.at += 1;
    }

    pub(crate) fn take(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek().0, Token::Symbol(s) if *s == symbol);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek().0, Token::Word(w) if w == word);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn make(&mut self, kind: Kind, kids: Vec<Ast>, span: Span) -> Ast {
        self.syntax.nodes.push(Node { kind, kids, span });
        Ast(self.syntax.nodes.len() as u32 - 1)
    }

    pub(crate) fn expected(&mut self, what: &str) {
        let (token, span) = self.peek();
        let found = describe(token);
        self.wrong.push(Diagnostic::error(span, format!("expected {what}, found {found}")));
    }

    fn name(&mut self, what: &str) -> Option<(String, Span)> {
        match self.peek() {
            (Token::Word(w), span) if !is_keyword(w) => {
                let w = w.clone();
                self.next();
                Some((w, span))
            }
            _ => {
                self.expected(what);
                None
            }
        }
    }

    /// The name of a variable or a definition, with dots, numbers and brackets in it: `a`, `a.b`, `a.0`, `a[-1]`.
    fn declared(&mut self, what: &str) -> Option<(String, Span)> {
        let (mut name, mut span) = self.name(what)?;
        loop {
            match (self.ahead(0).clone(), self.ahead(1).clone(), self.ahead(2).clone()) {
                (Token::Symbol("."), Token::Word(w), _) if !is_keyword(&w) => name += &format!(".{w}"),
                (Token::Symbol("."), Token::Int(n), _) => name += &format!(".{n}"),
                (Token::Symbol("["), Token::Int(n), Token::Symbol("]")) => {
                    name += &format!("[{n}]");
                    self.at += 1;
                }
                (Token::Symbol("["), Token::Symbol("-"), Token::Int(n))
                    if self.ahead(3) == &Token::Symbol("]") =>
                {
                    name += &format!("[-{n}]");
                    self.at += 2;
                }
                _ => return Some((name, span)),
            }
            span = span.to(self.tokens_at(1));
            self.at += 2;
        }
    }

    /// A word that begins a section.
    fn at_section(&self) -> bool {
        match self.peek().0 {
            Token::Word(w) => SECTIONS.contains(&w.as_str()),
            Token::End => true,
            _ => false,
        }
    }

    fn skip_to_section(&mut self) {
        while !self.at_section() {
            self.next();
        }
    }

    fn modules(&mut self) {
        while self.peek().0 != &Token::End {
            if !self.take_word("MODULE") {
                self.expected("`MODULE`");
                while !matches!(self.peek().0, Token::End) && self.peek().0 != &Token::Word("MODULE".into()) {
                    self.next();
                }
                continue;
            }
            let Some((name, span)) = self.name("the name of a module") else {
                self.skip_to_section();
                continue;
            };
            let mut module = Module { name, span, formals: Vec::new(), items: Vec::new() };
            if self.take("(") && !self.take(")") {
                while let Some(formal) = self.name("a parameter") {
                    module.formals.push(formal);
                    if !self.take(",") {
                        break;
                    }
                }
                if !self.take(")") {
                    self.expected("`)` after the parameters");
                    self.skip_to_section();
                }
            }
            while self.peek().0 != &Token::End && self.peek().0 != &Token::Word("MODULE".into()) {
                if self.section(&mut module.items).is_none() {
                    if self.at_section() && self.wrong.is_empty() {
                        break;
                    }
                    self.skip_to_section();
                }
            }
            self.syntax.modules.push(module);
        }
    }

    /// One section; nothing after an error.
    fn section(&mut self, items: &mut Vec<Item>) -> Option<()> {
        let (token, span) = self.peek();
        let Token::Word(word) = token.clone() else {
            self.expected("a section such as `VAR` or `ASSIGN`");
            self.next();
            return None;
        };
        if !self.at_section() {
            self.expected("a section such as `VAR` or `ASSIGN`");
            self.next();
            return None;
        }
        self.next();
        match word.as_str() {
            "VAR" => self.variables(Sort::State, items),
            "IVAR" => self.variables(Sort::Input, items),
            "FROZENVAR" => self.variables(Sort::Frozen, items),
            "DEFINE" | "MDEFINE" => self.defines(items),
            "CONSTANTS" => self.constants(items),
            "ASSIGN" => self.assignments(items),
            "INIT" => self.constraint(items, Item::Init),
            "TRANS" => self.constraint(items, Item::Trans),
            "INVAR" => self.constraint(items, Item::Invar),
            "FAIRNESS" | "JUSTICE" => self.constraint(items, Item::Justice),
            "COMPASSION" => self.compassion(items),
            "SPEC" | "CTLSPEC" => self.spec(Logic::Ctl, items),
            "LTLSPEC" => self.spec(Logic::Ltl, items),
            "INVARSPEC" => self.spec(Logic::Invariant, items),
            "ISA" => {
                let (name, span) = self.name("the name of a module")?;
                self.take(";");
                items.push(Item::Isa(name, span));
                Some(())
            }
            "PSLSPEC" => self.spec(Logic::Psl, items),
            "COMPUTE" => self.spec(Logic::Compute, items),
            _ => {
                self.wrong.push(Diagnostic::error(span, format!("`{word}` is not supported")));
                None
            }
        }
    }

    /// The end of a declaration: a semicolon.
    fn semicolon(&mut self) -> Option<()> {
        if self.take(";") {
            return Some(());
        }
        // Point behind what came before: that is where it is missing.
        let at = self.at.checked_sub(1).map_or(Span::at(0), |i| Span::at(self.tokens[i].1.end));
        let found = describe(self.peek().0);
        self.wrong.push(Diagnostic::error(at, format!("expected `;`, found {found}")));
        None
    }

    fn variables(&mut self, sort: Sort, items: &mut Vec<Item>) -> Option<()> {
        while !self.at_section() {
            let (name, span) = self.declared("the name of a variable")?;
            if !self.take(":") {
                self.expected("`:` and a type");
                return None;
            }
            let ty = self.typed(0)?;
            self.semicolon()?;
            items.push(Item::Var(sort, name, span, ty));
        }
        Some(())
    }

    fn bound(&mut self) -> Option<Ast> {
        self.no_range = true;
        let e = self.expression();
        self.no_range = false;
        e
    }

    fn typed(&mut self, depth: u32) -> Option<Type> {
        let (token, span) = self.peek();
        if depth > 32 {
            self.wrong.push(Diagnostic::error(span, "arrays are nested too deeply"));
            return None;
        }
        match token.clone() {
            Token::Word(w) if w == "boolean" => {
                self.next();
                Some(Type::Boolean)
            }
            Token::Word(w)
                if w == "word"
                    || w == "Word"
                    || ((w == "signed" || w == "unsigned")
                        && matches!(self.ahead(1), Token::Word(w) if w == "word" || w == "Word")) =>
            {
                self.next();
                if w == "signed" || w == "unsigned" {
                    self.next();
                }
                if !self.take("[") {
                    self.expected("`[` and the width of the word");
                    return None;
                }
                let width = self.expression()?;
                if !self.take("]") {
                    self.expected("`]`");
                    return None;
                }
                Some(Type::Word(w == "signed", width))
            }
            Token::Word(w) if w == "array" => {
                self.next();
                let (token, at) = self.peek();
                if matches!(token, Token::Word(w) if w == "word" || w == "of") {
                    let help = "the indices are a range of numbers: `array 0..3 of boolean`";
                    self.wrong.push(
                        Diagnostic::error(at, "arrays indexed by words or by all numbers are not supported")
                            .help(help),
                    );
                    return None;
                }
                let low = self.bound()?;
                if !self.take("..") {
                    self.expected("`..` in the range of the array");
                    return None;
                }
                let high = self.bound()?;
                if !self.take_word("of") {
                    self.expected("`of` and a type");
                    return None;
                }
                Some(Type::Array(low, high, Box::new(self.typed(depth + 1)?)))
            }
            Token::Word(w) if w == "real" || w == "integer" => {
                let help = "a range such as `0..15` has a finite number of states";
                self.wrong.push(Diagnostic::error(span, format!("the type `{w}` is infinite")).help(help));
                None
            }
            Token::Symbol("{") => {
                let set = self.bound()?;
                Some(Type::Enum(self.syntax.node(set).kids.clone()))
            }
            Token::Word(w)
                if w == "process"
                    || (!is_keyword(&w)
                        && matches!(self.ahead(1), Token::Symbol(";" | "(") | Token::End)) =>
            {
                let process = w == "process";
                if process {
                    self.next();
                }
                let (name, span) = self.name("the name of a module")?;
                let mut actuals = Vec::new();
                if self.take("(") && !self.take(")") {
                    loop {
                        actuals.push(self.expression()?);
                        if !self.take(",") {
                            break;
                        }
                    }
                    if !self.take(")") {
                        self.expected("`)` after the parameters");
                        return None;
                    }
                }
                Some(Type::Module { process, name, span, actuals })
            }
            _ => {
                let low = self.bound()?;
                if !self.take("..") {
                    self.expected("a type: `boolean`, a set, a range, a word, an array or a module");
                    return None;
                }
                Some(Type::Range(low, self.bound()?))
            }
        }
    }

    fn defines(&mut self, items: &mut Vec<Item>) -> Option<()> {
        while !self.at_section() {
            let target = self.expression()?;
            let node = self.syntax.node(target).clone();
            let dotted = self.ahead(0) == &Token::Symbol(":=");
            if !dotted || !matches!(node.kind, Kind::Name(_) | Kind::Field(_)) {
                if dotted {
                    self.wrong.push(Diagnostic::error(node.span, "expected a name to define"));
                } else if node.kind == Kind::Binary(Binary::Equal) {
                    let help = "assignments and definitions are written with `:=`";
                    self.wrong.push(Diagnostic::error(node.span, "expected `:=`, found `=`").help(help));
                } else {
                    self.expected("`:=`");
                }
                return None;
            }
            self.next();
            let e = self.array_or_expression(0)?;
            self.semicolon()?;
            items.push(match node.kind {
                Kind::Field(name) => Item::DefineIn(node.kids[0], name, node.span, e),
                Kind::Name(name) => Item::Define(name, node.span, e),
                _ => return None,
            });
        }
        Some(())
    }

    /// The body of a definition: an expression, or `[a, b]` with such bodies.
    fn array_or_expression(&mut self, depth: u32) -> Option<Ast> {
        let (token, from) = self.peek();
        if token != &Token::Symbol("[") {
            return self.expression();
        }
        if depth > 32 {
            self.wrong.push(Diagnostic::error(from, "arrays are nested too deeply"));
            return None;
        }
        self.next();
        let mut kids = Vec::new();
        loop {
            kids.push(self.array_or_expression(depth + 1)?);
            if !self.take(",") {
                break;
            }
        }
        let to = self.peek().1;
        if !self.take("]") {
            self.expected("`]` after the elements");
            return None;
        }
        Some(self.make(Kind::Array, kids, from.to(to)))
    }

    fn constants(&mut self, items: &mut Vec<Item>) -> Option<()> {
        if self.take(";") {
            return Some(());
        }
        loop {
            let (name, span) = self.name("a constant")?;
            items.push(Item::Constant(name, span));
            if !self.take(",") {
                break;
            }
        }
        self.semicolon()
    }

    fn assignments(&mut self, items: &mut Vec<Item>) -> Option<()> {
        while !self.at_section() {
            let when = match (self.peek().0, self.ahead(1)) {
                (Token::Word(w), Token::Symbol("(")) if w == "init" => When::Init,
                (Token::Word(w), Token::Symbol("(")) if w == "next" => When::Next,
                _ => When::Always,
            };
            if when != When::Always {
                self.next();
                self.next();
            }
            let target = self.expression()?;
            if when != When::Always && !self.take(")") {
                self.expected("`)`");
                return None;
            }
            if !self.take(":=") {
                self.expected("`:=`");
                let equals = self.peek().0 == &Token::Symbol("=");
                if let Some(d) = self.wrong.last_mut().filter(|_| equals) {
                    d.help = Some("assignments and definitions are written with `:=`".into());
                }
                return None;
            }
            let value = self.expression()?;
            self.semicolon()?;
            items.push(Item::Assign(when, target, value));
        }
        Some(())
    }

    fn constraint(&mut self, items: &mut Vec<Item>, make: fn(Ast) -> Item) -> Option<()> {
        let e = self.expression()?;
        self.take(";");
        items.push(make(e));
        Some(())
    }

    fn compassion(&mut self, items: &mut Vec<Item>) -> Option<()> {
        let parts = self.take("(").then(|| self.expression()).flatten().and_then(|p| {
            let q = self.take(",").then(|| self.expression()).flatten()?;
            self.take(")").then_some((p, q))
        });
        let Some((p, q)) = parts else {
            if self.wrong.is_empty() {
                self.expected("`COMPASSION(p, q)`");
            }
            return None;
        };
        self.take(";");
        items.push(Item::Compassion(p, q));
        Some(())
    }

    fn spec(&mut self, logic: Logic, items: &mut Vec<Item>) -> Option<()> {
        let mut name = None;
        if self.take_word("NAME") {
            let mut full = self.name("the name of the property")?.0;
            loop {
                if self.take(".") {
                    full = format!("{full}.{}", self.name("a name")?.0);
                } else if let (Token::Symbol("["), Token::Int(n), Token::Symbol("]")) =
                    (self.ahead(0), self.ahead(1), self.ahead(2))
                {
                    full = format!("{full}[{n}]");
                    self.at += 3;
                } else {
                    break;
                }
            }
            name = Some(full);
            if !self.take(":=") {
                self.expected("`:=`");
                return None;
            }
        }
        let e = if logic == Logic::Psl { self.psl()? } else { self.expression()? };
        // PSL has the operators of CTL, too.
        let branching = |e: Ast| match self.syntax.node(e).kind {
            Kind::Modal(op) => op.is_branching(),
            Kind::Modal2(op) => op.is_branching(),
            _ => false,
        };
        let ctl = logic == Logic::Psl && self.syntax.parts(e).into_iter().any(branching);
        let logic = if ctl { Logic::Ctl } else { logic };
        let place = if self.take_word("IN") { Some(self.expression()?) } else { None };
        self.take(";");
        items.push(Item::Spec(logic, name, e, place));
        Some(())
    }
}
