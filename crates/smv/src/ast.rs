//! The syntax: modules with their sections, and expressions in one arena.
//!
//! A node's operands were made before it, so a bottom-up pass is a loop over increasing ids and needs no stack.

use riata_source::Span;

/// An expression of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ast(pub u32);

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Unary {
    Not,
    Minus,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Binary {
    And,
    Or,
    Xor,
    Xnor,
    Implies,
    Iff,
    Equal,
    NotEqual,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Mod,
    ShiftLeft,
    ShiftRight,
    Concat,
    Union,
    In,
}

/// Temporal operators of one operand, of CTL and of LTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Modal {
    Ex,
    Ax,
    Ef,
    Af,
    Eg,
    Ag,
    /// `EBF a..b p`: p after a to b steps.
    Ebf(u32, u32),
    /// `ABF a..b p`
    Abf(u32, u32),
    /// `EBG a..b p`: p after each of a to b steps.
    Ebg(u32, u32),
    /// `ABG a..b p`
    Abg(u32, u32),
    Next,
    Finally,
    Globally,
    Yesterday,
    WeakYesterday,
    Once,
    Historically,
    /// `F [a, b] p`: p after some of a to b steps.
    FinallyIn(u32, u32),
    /// `G [a, b] p`: p after each of a to b steps.
    GloballyIn(u32, u32),
    /// `O [a, b] p`: p before some of a to b steps.
    OnceIn(u32, u32),
    /// `H [a, b] p`: there were b steps, and p before each of a to b steps.
    HistoricallyIn(u32, u32),
}

impl Modal {
    /// Is it an operator of CTL?
    pub fn is_branching(self) -> bool {
        use Modal::*;
        matches!(self, Ex | Ax | Ef | Af | Eg | Ag | Ebf(..) | Abf(..) | Ebg(..) | Abg(..))
    }
}

/// Temporal operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Modal2 {
    /// `E [a U b]`
    Eu,
    /// `A [a U b]`
    Au,
    /// `E [a BU m..n b]`
    Ebu(u32, u32),
    /// `A [a BU m..n b]`
    Abu(u32, u32),
    /// `a BU m..n b`, before the bracket around it is closed.
    Within(u32, u32),
    /// `MIN [a, b]`: the length of a shortest path from a to b.
    Shortest,
    /// `MAX [a, b]`: the length of a longest path from a to b.
    Longest,
    Until,
    Release,
    Since,
    Trigger,
}

impl Modal2 {
    /// Is it an operator of CTL?
    pub fn is_branching(self) -> bool {
        use Modal2::*;
        matches!(self, Eu | Au | Ebu(..) | Abu(..) | Within(..) | Shortest | Longest)
    }
}

/// The functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Function {
    Bool,
    Word1,
    ToInt,
    Signed,
    Unsigned,
    Extend,
    Resize,
    UnsignedConst,
    SignedConst,
    Count,
    SizeOf,
    Abs,
    Min,
    Max,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A number.
    Int(i64),
    /// TRUE or FALSE.
    Bool(bool),
    /// A word constant: width, signed, bits.
    Bits(u32, bool, u64),
    /// A name.
    Name(String),
    /// `self`
    This,
    /// `e.name`
    Field(String),
    /// `e[i]`
    Index,
    /// `e[h:l]`
    Slice,
    /// `a..b`
    Range,
    /// `{a, b}`
    Set,
    /// One operand.
    Unary(Unary),
    /// Two operands.
    Binary(Binary),
    /// `[a, b]`: the body of a definition.
    Array,
    /// `c ? a : b`
    Ite,
    /// `case c: a; … esac`, conditions and values in turn.
    Case,
    /// `next(e)`
    Next,
    /// A function.
    Call(Function),
    /// A temporal operator.
    Modal(Modal),
    /// A temporal operator of two operands.
    Modal2(Modal2),
}

/// A node of the arena.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its operands.
    pub kids: Vec<Ast>,
    /// Where it is.
    pub span: Span,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub enum Type {
    /// boolean
    Boolean,
    /// {a, b, 3}
    Enum(Vec<Ast>),
    /// a..b
    Range(Ast, Ast),
    /// `[un]signed word[n]`
    Word(bool, Ast),
    /// array a..b of t
    Array(Ast, Ast, Box<Type>),
    /// An instance of a module: `[process] name(actuals)`
    Module {
        /// Is it a process?
        process: bool,
        /// The module.
        name: String,
        /// Where it is named.
        span: Span,
        /// The actual parameters.
        actuals: Vec<Ast>,
    },
}

/// What kind of variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// VAR
    State,
    /// IVAR
    Input,
    /// FROZENVAR
    Frozen,
}

/// What an assignment assigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// `init(x) := e`
    Init,
    /// `next(x) := e`
    Next,
    /// `x := e`
    Always,
}

/// What a specification is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// SPEC, CTLSPEC
    Ctl,
    /// LTLSPEC
    Ltl,
    /// INVARSPEC
    Invariant,
    /// PSLSPEC: LTL in other words.
    Psl,
    /// COMPUTE
    Compute,
}

impl Logic {
    /// Is it linear time?
    pub fn is_linear(self) -> bool {
        matches!(self, Logic::Ltl | Logic::Psl)
    }
}

/// An entry of a section.
#[derive(Clone, Debug)]
pub enum Item {
    /// A variable.
    Var(Sort, String, Span, Type),
    /// `name := e`
    Define(String, Span, Ast),
    /// `instance.name := e`: a definition inside another instance.
    DefineIn(Ast, String, Span, Ast),
    /// A symbolic constant.
    Constant(String, Span),
    /// An assignment to an expression that names a variable.
    Assign(When, Ast, Ast),
    /// INIT
    Init(Ast),
    /// TRANS
    Trans(Ast),
    /// INVAR
    Invar(Ast),
    /// FAIRNESS, JUSTICE
    Justice(Ast),
    /// COMPASSION(p, q)
    Compassion(Ast, Ast),
    /// A specification, with its name and the instance in which it is to be read, if it has them.
    Spec(Logic, Option<String>, Ast, Option<Ast>),
    /// ISA: everything that the named module has.
    Isa(String, Span),
}

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// Where it is named.
    pub span: Span,
    /// The formal parameters.
    pub formals: Vec<(String, Span)>,
    /// What is in it.
    pub items: Vec<Item>,
}

/// A text.
#[derive(Clone, Debug, Default)]
pub struct Syntax {
    /// The expressions.
    pub nodes: Vec<Node>,
    /// The modules.
    pub modules: Vec<Module>,
}

impl Syntax {
    /// The node of an expression.
    pub fn node(&self, e: Ast) -> &Node {
        &self.nodes[e.0 as usize]
    }

    /// The expressions that `root` is made of, operands first.
    pub fn parts(&self, root: Ast) -> Vec<Ast> {
        let mut seen = std::collections::HashSet::new();
        let mut stack = vec![root];
        let mut parts = Vec::new();
        while let Some(e) = stack.pop() {
            if seen.insert(e) {
                parts.push(e);
                stack.extend(&self.node(e).kids);
            }
        }
        parts.sort_unstable();
        parts
    }
}
