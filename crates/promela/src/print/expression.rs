//! Printing expressions and formulas, all brackets written, with an explicit stack.

use crate::ast::{
    BinaryOp, ChannelTest, ExprId, Exprs, Formula, FormulaBinary, FormulaNode, FormulaUnary, Node, Pattern,
    PatternKind, ProcessTest, Reference, Special, Spelling, UnaryOp,
};

/// What is still to be printed.
enum Work<'a> {
    Text(&'a str),
    Expr(ExprId),
    Reference(&'a Reference),
    Pattern(&'a Pattern),
    Formula(usize),
}

use Work::{Expr, Text};

/// The operator as written.
pub(crate) fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => " + ",
        BinaryOp::Sub => " - ",
        BinaryOp::Mul => " * ",
        BinaryOp::Div => " / ",
        BinaryOp::Rem => " % ",
        BinaryOp::BitAnd => " & ",
        BinaryOp::BitOr => " | ",
        BinaryOp::BitXor => " ^ ",
        BinaryOp::Shl => " << ",
        BinaryOp::Shr => " >> ",
        BinaryOp::Lt => " < ",
        BinaryOp::Le => " <= ",
        BinaryOp::Gt => " > ",
        BinaryOp::Ge => " >= ",
        BinaryOp::Eq => " == ",
        BinaryOp::Ne => " != ",
        BinaryOp::And => " && ",
        BinaryOp::Or => " || ",
    }
}

fn character(value: i32) -> String {
    match u8::try_from(value) {
        Ok(b'\n') => "'\\n'".to_string(),
        Ok(b'\r') => "'\\r'".to_string(),
        Ok(b'\t') => "'\\t'".to_string(),
        Ok(0x0c) => "'\\f'".to_string(),
        Ok(c @ (b'\'' | b'\\')) => format!("'\\{}'", c as char),
        Ok(c) if c.is_ascii_graphic() || c == b' ' => format!("'{}'", c as char),
        _ => value.to_string(),
    }
}

/// Prints expressions of one arena.
pub(crate) struct Printer<'a> {
    pub exprs: &'a Exprs,
    pub out: String,
}

impl<'a> Printer<'a> {
    pub fn expr(&mut self, e: ExprId) {
        self.work(vec![Expr(e)], None);
    }

    pub fn reference(&mut self, reference: &'a Reference) {
        self.work(vec![Work::Reference(reference)], None);
    }

    pub fn exprs(&mut self, list: &'a [ExprId]) {
        let mut work = Vec::new();
        separated(&mut work, list.iter().map(|&e| Expr(e)));
        self.work(work, None);
    }

    pub fn patterns(&mut self, list: &'a [Pattern]) {
        let mut work = Vec::new();
        separated(&mut work, list.iter().map(Work::Pattern));
        self.work(work, None);
    }

    pub fn formula(&mut self, formula: &'a Formula) {
        if !formula.nodes.is_empty() {
            self.work(vec![Work::Formula(formula.nodes.len() - 1)], Some(formula));
        }
    }

    /// Prints what is on the stack, last first.
    fn work(&mut self, mut stack: Vec<Work<'a>>, formula: Option<&'a Formula>) {
        stack.reverse();
        let mut parts: Vec<Work<'a>> = Vec::new();
        while let Some(work) = stack.pop() {
            match work {
                Text(text) => self.out.push_str(text),
                Expr(e) => self.node(self.exprs.node(e), &mut parts),
                Work::Reference(r) => reference_parts(r, &mut parts),
                Work::Pattern(p) => match &p.kind {
                    PatternKind::Reference(r) => parts.push(Work::Reference(r)),
                    PatternKind::Constant(e) => match self.exprs.node(*e) {
                        Node::Unary(UnaryOp::Negate, e) => parts.extend([Text("-"), Expr(*e)]),
                        _ => parts.push(Expr(*e)),
                    },
                    PatternKind::Eval(e) => parts.extend([Text("eval("), Expr(*e), Text(")")]),
                    PatternKind::Anything => parts.push(Text("_")),
                },
                Work::Formula(i) => {
                    if let Some(formula) = formula {
                        formula_parts(formula.nodes[i], &mut parts);
                    }
                }
            }
            stack.extend(parts.drain(..).rev());
        }
    }

    fn node(&mut self, node: &'a Node, parts: &mut Vec<Work<'a>>) {
        match node {
            Node::Constant(value, spelling) => {
                let text = match spelling {
                    Spelling::Decimal => value.to_string(),
                    Spelling::Character => character(*value),
                    Spelling::True => "true".to_string(),
                    Spelling::False => "false".to_string(),
                    Spelling::Skip => "skip".to_string(),
                };
                self.out.push_str(&text);
            }
            Node::Variable(reference) => parts.push(Work::Reference(reference)),
            Node::Special(special) => self.out.push_str(match special {
                Special::Timeout => "timeout",
                Special::NonProgress => "np_",
                Special::Pid => "_pid",
                Special::NrPr => "_nr_pr",
                Special::Last => "_last",
            }),
            Node::Unary(op, a) => {
                let op = match op {
                    UnaryOp::Negate => "(-",
                    UnaryOp::Complement => "(~",
                    UnaryOp::Not => "(!",
                };
                parts.extend([Text(op), Expr(*a), Text(")")]);
            }
            Node::Binary(op, a, b) => {
                parts.extend([Text("("), Expr(*a), Text(binary(*op)), Expr(*b), Text(")")]);
            }
            Node::Conditional(c, a, b) => {
                parts.extend([Text("("), Expr(*c), Text(" -> "), Expr(*a), Text(" : "), Expr(*b), Text(")")]);
            }
            Node::Run(run) => {
                parts.extend([Text("run "), Text(&run.process.text), Text("(")]);
                separated(parts, run.arguments.iter().map(|&e| Expr(e)));
                parts.push(Text(")"));
                if let Some(priority) = run.priority {
                    parts.extend([Text(" priority "), Expr(priority)]);
                }
            }
            Node::Channel(test, channel) => {
                let test = match test {
                    ChannelTest::Len => "len(",
                    ChannelTest::Empty => "empty(",
                    ChannelTest::Nempty => "nempty(",
                    ChannelTest::Full => "full(",
                    ChannelTest::Nfull => "nfull(",
                };
                parts.extend([Text(test), Work::Reference(channel), Text(")")]);
            }
            Node::Poll(poll) => {
                parts.push(Work::Reference(&poll.channel));
                parts.push(Text(if poll.random { "??[" } else { "?[" }));
                separated(parts, poll.patterns.iter().map(Work::Pattern));
                parts.push(Text("]"));
            }
            Node::Process(test, e) => {
                let test = match test {
                    ProcessTest::Enabled => "enabled(",
                    ProcessTest::PcValue => "pc_value(",
                    ProcessTest::GetPriority => "get_priority(",
                };
                parts.extend([Text(test), Expr(*e), Text(")")]);
            }
            Node::RemoteLabel(remote) => {
                instance(&remote.process.text, remote.instance, parts);
                parts.extend([Text("@"), Text(&remote.label.text)]);
            }
            Node::RemoteVariable(remote) => {
                instance(&remote.process.text, remote.instance, parts);
                parts.extend([Text(":"), Work::Reference(&remote.variable)]);
            }
            Node::CExpr(c) => {
                parts.push(Text("c_expr"));
                if let Some(precondition) = &c.precondition {
                    parts.extend([Text(" ["), Text(precondition), Text("]")]);
                }
                parts.extend([Text(" { "), Text(&c.text), Text(" }")]);
            }
        }
    }
}

fn instance<'a>(process: &'a str, instance: Option<ExprId>, parts: &mut Vec<Work<'a>>) {
    parts.push(Text(process));
    if let Some(e) = instance {
        parts.extend([Text("["), Expr(e), Text("]")]);
    }
}

fn reference_parts<'a>(reference: &'a Reference, parts: &mut Vec<Work<'a>>) {
    for (i, step) in reference.steps.iter().enumerate() {
        if i > 0 {
            parts.push(Text("."));
        }
        instance(&step.name.text, step.index, parts);
    }
}

fn formula_parts(node: FormulaNode, parts: &mut Vec<Work<'_>>) {
    match node {
        FormulaNode::Proposition(e) => parts.push(Expr(e)),
        FormulaNode::Unary(op, a) => {
            let op = match op {
                FormulaUnary::Not => "(! ",
                FormulaUnary::Next => "(X ",
                FormulaUnary::Always => "([] ",
                FormulaUnary::Eventually => "(<> ",
            };
            parts.extend([Text(op), Work::Formula(a), Text(")")]);
        }
        FormulaNode::Binary(op, a, b) => {
            let op = match op {
                FormulaBinary::And => " && ",
                FormulaBinary::Or => " || ",
                FormulaBinary::Implies => " -> ",
                FormulaBinary::Equivalent => " <-> ",
                FormulaBinary::Until => " U ",
                FormulaBinary::WeakUntil => " W ",
                FormulaBinary::Release => " V ",
            };
            parts.extend([Text("("), Work::Formula(a), Text(op), Work::Formula(b), Text(")")]);
        }
    }
}

fn separated<'a>(parts: &mut Vec<Work<'a>>, items: impl Iterator<Item = Work<'a>>) {
    for (i, item) in items.enumerate() {
        if i > 0 {
            parts.push(Text(", "));
        }
        parts.push(item);
    }
}
