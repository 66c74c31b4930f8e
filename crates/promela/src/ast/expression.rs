//! Expressions: one arena for all of them.

use super::{Name, OriginId};
use riata_source::Span;
use std::ops::Range;

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
