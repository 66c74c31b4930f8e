//! A model without modules: variables, constraints, specifications, and expressions in one arena.

use crate::ast::{Kind, Logic, Sort, When};
use riata_source::{Diagnostic, Span};

/// A value of a variable that is no word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// TRUE or FALSE.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A symbolic constant, by its number.
    Symbol(u32),
}

/// An expression of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct E(pub u32);

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant.
    Const(Value),
    /// A word constant: width, signed, bits.
    Bits(u32, bool, u64),
    /// A variable.
    Var(u32),
    /// A definition.
    Define(u32),
    /// An operator of the language, never a name, a field or a literal. An index that is no constant is a case over the
    /// elements.
    Apply(Kind),
}

/// A node of the arena. Its operands have smaller numbers.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub op: Op,
    /// Its operands.
    pub kids: Vec<E>,
    /// Where it is written.
    pub span: Span,
}

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// FALSE and TRUE.
    Bool,
    /// These, in the order of the text; a range in increasing order.
    Values(Vec<Value>),
    /// A word.
    Word {
        /// Two's complement?
        signed: bool,
        /// How many bits.
        width: u32,
    },
}

impl Domain {
    /// How many bits a code of a value has.
    pub fn bits(&self) -> u32 {
        match self {
            Domain::Bool => 1,
            Domain::Values(v) => v.len().next_power_of_two().trailing_zeros(),
            Domain::Word { width, .. } => *width,
        }
    }
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its full name, such as `proc1.state`.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// What kind of variable.
    pub sort: Sort,
    /// Where it is declared.
    pub span: Span,
    /// Is it there for a specification only? Then it is no part of the state.
    pub hidden: bool,
}

/// `name := e`
#[derive(Clone, Debug)]
pub struct Define {
    /// The full name.
    pub name: String,
    /// The body.
    pub body: E,
    /// Where the name is.
    pub span: Span,
}

/// An assignment.
#[derive(Clone, Debug)]
pub struct Assign {
    /// The variable.
    pub var: u32,
    /// Which of its values.
    pub when: When,
    /// The value, or set of values.
    pub value: E,
    /// The condition under which it is carried out: that its process runs.
    pub running: Option<E>,
    /// The process that carries it out; the main one is 0.
    pub process: usize,
    /// Where.
    pub span: Span,
}

/// A specification.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The name that the contract gives it.
    pub name: String,
    /// Which logic.
    pub logic: Logic,
    /// The formula.
    pub formula: E,
    /// Where.
    pub span: Span,
}

/// A model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The variables, in the order of their declarations.
    pub vars: Vec<Variable>,
    /// The names of the symbolic constants.
    pub symbols: Vec<String>,
    /// The expressions.
    pub nodes: Vec<Node>,
    /// The definitions.
    pub defines: Vec<Define>,
    /// The definitions such that each comes after those that it uses.
    pub define_order: Vec<u32>,
    /// The assignments.
    pub assigns: Vec<Assign>,
    /// INIT
    pub init: Vec<E>,
    /// TRANS
    pub trans: Vec<E>,
    /// INVAR
    pub invar: Vec<E>,
    /// FAIRNESS and JUSTICE
    pub justice: Vec<E>,
    /// COMPASSION
    pub compassion: Vec<(E, E)>,
    /// The specifications.
    pub specs: Vec<Spec>,
    /// Elements of arrays that are defined: perhaps nobody uses them, but they have types.
    pub elements: Vec<E>,
    /// What may be wrong.
    pub warnings: Vec<Diagnostic>,
}

impl Model {
    /// The node of an expression.
    pub fn node(&self, e: E) -> &Node {
        &self.nodes[e.0 as usize]
    }

    /// Adds an expression.
    pub fn make(&mut self, op: Op, kids: Vec<E>, span: Span) -> E {
        self.nodes.push(Node { op, kids, span });
        E(self.nodes.len() as u32 - 1)
    }

    /// The expressions that `roots` are made of, operands first; definitions are not entered.
    pub fn parts(&self, roots: &[E]) -> Vec<E> {
        let mut seen = std::collections::HashSet::new();
        let mut stack = roots.to_vec();
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

    /// A value as the language writes it.
    pub fn show(&self, value: Value) -> String {
        match value {
            Value::Bool(true) => "TRUE".into(),
            Value::Bool(false) => "FALSE".into(),
            Value::Int(n) => n.to_string(),
            Value::Symbol(s) => self.symbols[s as usize].clone(),
        }
    }
}
