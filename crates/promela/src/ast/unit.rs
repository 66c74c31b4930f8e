//! The parts of a model, and formulas.

use super::{Block, CText, Declaration, ExprId, Exprs, Name};
use riata_source::Span;
use std::sync::Arc;

/// A model: its parts in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The parts.
    pub units: Vec<Unit>,
    /// All expressions.
    pub exprs: Exprs,
}

/// One part of a model.
#[derive(Clone, Debug)]
pub enum Unit {
    /// `mtype = { … }`.
    Mtype(Mtype),
    /// `typedef T { … }`.
    Typedef(Typedef),
    /// Global variables.
    Declaration(Declaration),
    /// `proctype`.
    Process(Process),
    /// `init`.
    Init(Init),
    /// `never`.
    Never(Never),
    /// `trace`, `notrace`.
    Trace(Trace),
    /// `ltl`.
    Ltl(Ltl),
    /// A definition of an inline. Its calls are expanded; this is here for warnings about it.
    Inline(Inline),
    /// `c_code`, `c_decl`, `c_state`, `c_track`.
    C(CUnit),
}

/// `mtype = { … }`, `mtype:fruit = { … }`.
#[derive(Clone, Debug)]
pub struct Mtype {
    /// After the colon.
    pub subtype: Option<Name>,
    /// In the order of the text. (Spin numbers them from the last, which is 1.)
    pub names: Vec<Name>,
    /// All of it.
    pub span: Span,
}

/// `typedef T { … }`.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// The new type.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Declaration>,
    /// All of it.
    pub span: Span,
}

/// `active [n] proctype P(parameters) priority p provided (e) { … }`.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: Name,
    /// `active`.
    pub active: Option<Active>,
    /// `D_proctype`.
    pub deterministic: bool,
    /// The parameters.
    pub parameters: Vec<Declaration>,
    /// `priority n`.
    pub priority: Option<ExprId>,
    /// `provided (e)`.
    pub provided: Option<ExprId>,
    /// What it does.
    pub body: Block,
    /// The head, up to the body.
    pub span: Span,
}

/// `active`, `active [n]`.
#[derive(Clone, Debug)]
pub struct Active {
    /// How many; one if not given.
    pub count: Option<ExprId>,
    /// Where.
    pub span: Span,
}

/// `init priority p { … }`.
#[derive(Clone, Debug)]
pub struct Init {
    /// `priority n`.
    pub priority: Option<ExprId>,
    /// What it does.
    pub body: Block,
    /// The word.
    pub span: Span,
}

/// `never name { … }`.
#[derive(Clone, Debug)]
pub struct Never {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The automaton.
    pub body: Block,
    /// The word.
    pub span: Span,
}

/// `trace { … }`, `notrace { … }`.
#[derive(Clone, Debug)]
pub struct Trace {
    /// `notrace`.
    pub negated: bool,
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The automaton.
    pub body: Block,
    /// The word.
    pub span: Span,
}

/// `ltl name { … }`.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The formula.
    pub formula: Formula,
    /// As written between the braces, after macro expansion, one space between tokens.
    pub text: String,
    /// What is between the braces.
    pub span: Span,
}

/// A formula: operands before operators, the root last. Never empty if the text had no error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    /// Operands are numbers of nodes before.
    pub nodes: Vec<FormulaNode>,
}

/// A node of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaNode {
    /// An expression without temporal operators, `->` or `<->`: as large a one as there is.
    Proposition(ExprId),
    /// `!`, `X`, `[]`, `<>`.
    Unary(FormulaUnary, usize),
    /// All others.
    Binary(FormulaBinary, usize, usize),
}

/// An operator of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaUnary {
    /// `!`
    Not,
    /// `X`, `next`
    Next,
    /// `[]`, `always`
    Always,
    /// `<>`, `eventually`
    Eventually,
}

/// An operator of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaBinary {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`, `implies`
    Implies,
    /// `<->`, `equivalent`
    Equivalent,
    /// `U`, `until`, `stronguntil`
    Until,
    /// `W`, `weakuntil`
    WeakUntil,
    /// `V`, `release`
    Release,
}

/// The head of an inline's definition.
#[derive(Clone, Debug)]
pub struct Inline {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Name>,
    /// How often it is called, calls in inlines counted as often as those are expanded.
    pub calls: usize,
}

/// C at the top level.
#[derive(Clone, Debug)]
pub enum CUnit {
    /// `c_code { … }`.
    Code(CText),
    /// `c_decl { … }`.
    Decl(CText),
    /// `c_state "…" "…" "…"`.
    State(Vec<Arc<str>>, Span),
    /// `c_track "…" "…" "…"`.
    Track(Vec<Arc<str>>, Span),
}
