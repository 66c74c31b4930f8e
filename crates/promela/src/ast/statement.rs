//! Declarations and statements.

use super::{CText, ExprId, Name, OriginId, Pattern, Reference};
use riata_source::Span;
use std::sync::Arc;

/// A type as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`; the width is at the variable.
    Unsigned,
    /// `mtype`, `mtype:fruit`
    Mtype(Option<Name>),
    /// `chan`
    Chan,
    /// A `typedef`'s name.
    Named(Name),
}

/// `hidden`, `show`, `local`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Not part of the state.
    Hidden,
    /// Shown in message sequence charts.
    Show,
    /// A global variable that one process alone uses.
    Local,
}

/// `int x = 1, y[3];`
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Before the type.
    pub visibility: Option<Visibility>,
    /// The type.
    pub kind: Type,
    /// Where the type is written.
    pub kind_span: Span,
    /// At least one.
    pub variables: Vec<Variable>,
    /// All of it.
    pub span: Span,
    /// Through which expansions.
    pub origin: OriginId,
}

/// One variable of a declaration.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// `: 5`, a constant.
    pub width: Option<ExprId>,
    /// `[n]`.
    pub length: Option<ExprId>,
    /// `= …`.
    pub initial: Option<Initial>,
}

/// What a variable begins with.
#[derive(Clone, Debug)]
pub enum Initial {
    /// One value, for every element of an array.
    Value(ExprId),
    /// `{1, 2, 3}`.
    List(Vec<ExprId>, Span),
    /// `[n] of { … }`.
    Channel(ChannelInit),
}

/// `[n] of { … }`.
#[derive(Clone, Debug)]
pub struct ChannelInit {
    /// How many messages fit.
    pub capacity: ExprId,
    /// The types of a message's fields.
    pub fields: Vec<(Type, Span)>,
    /// All of it.
    pub span: Span,
}

/// `{ … }`, or an option's statements.
#[derive(Clone, Debug)]
pub struct Block {
    /// In order; declarations among them.
    pub statements: Vec<Statement>,
    /// All of it, braces included.
    pub span: Span,
}

/// A statement, with the labels before it.
#[derive(Clone, Debug)]
pub struct Statement {
    /// `L1: L2: …`, in order. `L: a unless b` labels `a`.
    pub labels: Vec<Name>,
    /// What it does.
    pub kind: StatementKind,
    /// Where it is, without labels.
    pub span: Span,
    /// Through which expansions.
    pub origin: OriginId,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// A declaration; never labelled.
    Declaration(Declaration),
    /// `xr q, r;` or `xs q, r;`: a promise that no other process reads (sends to) them. Never labelled.
    Exclusive(Exclusive, Vec<Reference>),
    /// A condition; `skip` and `run P()` too.
    Expression(ExprId),
    /// `else`: the first statement of an option, perhaps inside `atomic`, `d_step` or a block.
    Else,
    /// `x = e`; `x = run P()` too.
    Assign(Reference, ExprId),
    /// `x++`.
    Increment(Reference),
    /// `x--`.
    Decrement(Reference),
    /// `assert(e)`.
    Assert(ExprId),
    /// `printf("…", arguments)`. The format is as written, escapes included, without the quotes.
    Printf(Arc<str>, Vec<ExprId>),
    /// `printm(e)`.
    Printm(ExprId),
    /// `q!e` or, sorted, `q!!e`. `q!tag(a, b)` is `q!tag,a,b`.
    Send {
        /// To.
        channel: Reference,
        /// `!!`.
        sorted: bool,
        /// The message's fields.
        arguments: Vec<ExprId>,
    },
    /// `q?p`, `q??p`, `q?<p>`, `q??<p>`. `q?tag(a, b)` is `q?tag,a,b`.
    Receive {
        /// From.
        channel: Reference,
        /// `??`: the first message that matches, wherever it is.
        random: bool,
        /// `<…>`: the message stays in the channel.
        keep: bool,
        /// What the message must match, and where its fields are stored.
        patterns: Vec<Pattern>,
    },
    /// `if … fi`.
    If(Vec<Choice>),
    /// `do … od`.
    Do(Vec<Choice>),
    /// `break`.
    Break,
    /// `goto L`.
    Goto(Name),
    /// `atomic { … }`.
    Atomic(Block),
    /// `d_step { … }`.
    DStep(Block),
    /// `{ … }`.
    Block(Block),
    /// A call of an inline, expanded: its body is a block.
    Call(Call),
    /// `a unless b`.
    Unless(Box<Statement>, Box<Statement>),
    /// `for (x : a .. b) { … }` or `for (x in array) { … }`.
    For(Reference, ForRange, Block),
    /// `select (x : a .. b)`.
    Select(Reference, ExprId, ExprId),
    /// `set_priority(process, priority)`.
    SetPriority(ExprId, ExprId),
    /// `return e`, in an inline that is called as `x = f(…)`: the value goes to the call's result, and the inline
    /// goes on (as in Spin, this is an assignment, not a jump).
    Return(ExprId),
    /// `c_code { … }`.
    CCode(CText),
}

/// `xr` or `xs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusive {
    /// `xr`
    Receive,
    /// `xs`
    Send,
}

/// One option: `:: …`.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its statements; the span begins at `::`.
    pub body: Block,
}

/// A call of an inline.
#[derive(Clone, Debug)]
pub struct Call {
    /// The inline, where it is called.
    pub name: Name,
    /// `x` in `x = f(…)`: where [`StatementKind::Return`] stores.
    pub result: Option<Reference>,
    /// The body with the arguments in place of the parameters; its own scope.
    pub body: Block,
}

/// What a `for` runs over.
#[derive(Clone, Debug)]
pub enum ForRange {
    /// `: a .. b`, both included.
    Between(ExprId, ExprId),
    /// `in x`: the indices of an array or the messages of a channel; only names can tell.
    In(Reference),
}
