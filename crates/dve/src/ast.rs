//! The syntax tree. Expressions are in an arena in postfix order: operands before operators, and all of one
//! expression side by side, so that every pass over one is a loop.

use riata_program::{Binary, Unary};
use riata_source::Span;

/// A name and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub text: String,
    pub span: Span,
}

/// An expression: the nodes `start..=root` of the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    pub start: usize,
    pub root: usize,
}

/// A node of an expression; operands are numbers of nodes before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Number(i32),
    Name(Name),
    Element(Name, usize),
    /// `Process.state`.
    At(Name, Name),
    /// `Process->variable`.
    Foreign(Name, Name),
    /// `Process->array[index]`.
    ForeignElement(Name, Name, usize),
    Unary(Unary, usize),
    Binary(Binary, usize, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Byte,
    Int,
}

#[derive(Clone, Debug)]
pub(crate) enum Initial {
    One(Tree),
    List(Vec<Tree>, Span),
}

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: Name,
    pub constant: bool,
    pub kind: Type,
    pub len: Option<Tree>,
    pub initial: Option<Initial>,
}

#[derive(Clone, Debug)]
pub(crate) struct Channel {
    pub name: Name,
    pub types: Option<Vec<Type>>,
    pub size: Option<Tree>,
}

#[derive(Clone, Debug)]
pub(crate) struct Sync {
    pub channel: Name,
    pub send: bool,
    pub values: Vec<Tree>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub from: Name,
    pub to: Name,
    pub guard: Option<Tree>,
    pub sync: Option<Sync>,
    pub effect: Vec<(Tree, Tree)>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub name: Name,
    pub variables: Vec<Variable>,
    pub states: Vec<Name>,
    pub init: Option<Name>,
    pub commit: Vec<Name>,
    pub accept: Vec<Name>,
    pub asserts: Vec<(Name, Tree)>,
    pub transitions: Vec<Transition>,
}

#[derive(Clone, Debug)]
pub(crate) struct SystemLine {
    pub lockstep: bool,
    pub property: Option<Name>,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub variables: Vec<Variable>,
    pub channels: Vec<Channel>,
    pub processes: Vec<Process>,
    pub system: Option<SystemLine>,
    pub nodes: Vec<Node>,
    pub spans: Vec<Span>,
}

impl Model {
    /// Where an expression is.
    pub fn span(&self, tree: Tree) -> Span {
        self.spans[tree.root]
    }
}
