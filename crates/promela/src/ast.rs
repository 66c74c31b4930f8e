//! The syntax tree of Promela, as Spin 6.5 reads it.
//!
//! Expressions lie in one arena, [`Exprs`], in postfix order: operands before operators, and all nodes of one
//! expression side by side, so that a pass over an expression is a loop over [`Exprs::range`]. Statements own their
//! parts; they nest at most [`DEEPEST`] deep (the parser refuses more), so a pass over them may recurse.
//!
//! Macros and inlines are expanded. Every statement, declaration and node has a [`Span`] in the source map, and an
//! [`OriginId`] that says through which macros and inlines it came to be there.
//!
//! Nothing is resolved here: a name may be a variable, an `mtype` constant, or unknown.

use riata_source::Span;
use std::ops::Range;
use std::sync::Arc;

/// How deep statements may nest. Spin's own limit is 256 scopes.
pub const DEEPEST: usize = 250;

/// The chain of expansions that something came from: an entry of [`crate::origin::Origins`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct OriginId(pub u32);

impl OriginId {
    /// Written in a file as it is.
    pub const NONE: OriginId = OriginId(0);
}

/// A name and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As written.
    pub text: Arc<str>,
    /// Where.
    pub span: Span,
    /// Through which expansions.
    pub origin: OriginId,
}

/// An expression: its root in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

impl ExprId {
    /// As an index of the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All expressions of a model.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    /// The nodes; operands have smaller numbers.
    pub nodes: Vec<Node>,
    /// Where each is, brackets included.
    pub spans: Vec<Span>,
    /// Through which expansions each came.
    pub origins: Vec<OriginId>,
    /// The first node of the expression of which each is the root.
    pub starts: Vec<u32>,
}

impl Exprs {
    /// The nodes of an expression, root last.
    pub fn range(&self, root: ExprId) -> Range<usize> {
        self.starts[root.index()] as usize..root.index() + 1
    }

    /// The node.
    pub fn node(&self, id: ExprId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Where it is.
    pub fn span(&self, id: ExprId) -> Span {
        self.spans[id.index()]
    }

    /// Through which expansions it came.
    pub fn origin(&self, id: ExprId) -> OriginId {
        self.origins[id.index()]
    }

    /// Adds a node whose operands are the nodes from `start` on, all of them.
    pub fn push(&mut self, node: Node, start: u32, span: Span, origin: OriginId) -> ExprId {
        self.nodes.push(node);
        self.spans.push(span);
        self.origins.push(origin);
        self.starts.push(start);
        ExprId(self.nodes.len() as u32 - 1)
    }
}

/// A variable, an element or a field of one: `a[i].b.c[j]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// At least one; each after the first is a field of what is before.
    pub steps: Vec<Step>,
    /// All of it.
    pub span: Span,
}

/// A name with an index or without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The variable or field.
    pub name: Name,
    /// In brackets.
    pub index: Option<ExprId>,
}

/// How a constant is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `17`.
    Decimal,
    /// `'a'`.
    Character,
    /// `true`.
    True,
    /// `false`.
    False,
    /// `skip`.
    Skip,
}

/// An operator of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `~`
    Complement,
    /// `!`
    Not,
}

/// An operator of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// What is predefined and can only be read. (`_priority` can be written and is a variable here.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `_pid`
    Pid,
    /// `_nr_pr`
    NrPr,
    /// `_last`
    Last,
}

/// A question about a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelTest {
    /// `len(q)`
    Len,
    /// `empty(q)`
    Empty,
    /// `nempty(q)`
    Nempty,
    /// `full(q)`
    Full,
    /// `nfull(q)`
    Nfull,
}

/// A question about a process, given by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessTest {
    /// `enabled(p)`
    Enabled,
    /// `pc_value(p)`
    PcValue,
    /// `get_priority(p)`
    GetPriority,
}

/// A piece of C, kept so that its use can be named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CText {
    /// Between the braces.
    pub text: String,
    /// In brackets before them, if any.
    pub precondition: Option<String>,
    /// The word that begins it.
    pub span: Span,
}

/// A node of an expression; operands have smaller numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A constant.
    Constant(i32, Spelling),
    /// A variable, an `mtype` constant, an element or a field.
    Variable(Reference),
    /// Predefined.
    Special(Special),
    /// An operator of one operand.
    Unary(UnaryOp, ExprId),
    /// An operator of two operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// `(condition -> yes : no)`.
    Conditional(ExprId, ExprId, ExprId),
    /// `run P(arguments) priority n`.
    Run(Run),
    /// `len(q)` and the like.
    Channel(ChannelTest, Reference),
    /// `q?[patterns]`, or `q??[patterns]`.
    Poll(Poll),
    /// `enabled(p)` and the like.
    Process(ProcessTest, ExprId),
    /// `P[instance]@label`, `P@label`.
    RemoteLabel(RemoteLabel),
    /// `P[instance]:x`, `P:x`.
    RemoteVariable(RemoteVariable),
    /// `c_expr { … }`.
    CExpr(CText),
}

/// `run P(arguments) priority n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The proctype.
    pub process: Name,
    /// Its parameters' values.
    pub arguments: Vec<ExprId>,
    /// The priority, if given.
    pub priority: Option<ExprId>,
}

/// `q?[patterns]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poll {
    /// The channel.
    pub channel: Reference,
    /// `??`: any message, not only the first.
    pub random: bool,
    /// What the message must match.
    pub patterns: Vec<Pattern>,
}

/// `P[instance]@label`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteLabel {
    /// The proctype.
    pub process: Name,
    /// The process number.
    pub instance: Option<ExprId>,
    /// The label.
    pub label: Name,
}

/// `P[instance]:x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteVariable {
    /// The proctype.
    pub process: Name,
    /// The process number.
    pub instance: Option<ExprId>,
    /// Its local variable.
    pub variable: Reference,
}

/// One argument of a receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// Where.
    pub span: Span,
    /// Through which expansions.
    pub origin: OriginId,
}

/// What an argument of a receive is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternKind {
    /// A variable to be stored to, or an `mtype` constant to be matched: only names can tell.
    Reference(Reference),
    /// A constant to be matched.
    Constant(ExprId),
    /// `eval(e)`: a value to be matched.
    Eval(ExprId),
    /// `_`.
    Anything,
}

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
