//! Names: what is declared, where it is seen, and the variables that it becomes.
//!
//! A structure becomes one variable per scalar field, and an array of structures one array per field: `a[i].b[j]` is
//! element `i · n + j` of the variable `a.b`.

use crate::ast::{self, Name, Reference};
use riata_program::{Binary, Domain, ExprId, ProcId, StoreRule};
use riata_program::{Expr, Place, Shown, Var, Variable};
use riata_source::{Diagnostic, Span};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The values of a scalar type, and how they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub domain: Domain,
    pub shown: Shown,
}

impl Scalar {
    pub fn number(min: i32, max: i32) -> Scalar {
        Scalar { domain: Domain { min, max }, shown: Shown::Number }
    }
    pub const CHANNEL: Scalar = Scalar { domain: Domain::BYTE, shown: Shown::Channel };
}

/// A declared variable or field.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub len: Option<u32>,
    pub kind: DeclaredKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum DeclaredKind {
    /// A scalar or an array of them: its variable, and the channels' declaration if it was initialised with one.
    Leaf { var: u32, scalar: Scalar, channel: Option<u32> },
    /// A structure, or an array of them.
    Fields(Vec<(Arc<str>, Declared)>),
}

/// The type of a field, for `typedef`.
#[derive(Clone, Debug)]
pub(crate) struct FieldType {
    pub name: Arc<str>,
    pub len: Option<u32>,
    pub kind: FieldKind,
    pub initial: i32,
    /// The declaration of the channels that it is initialised with.
    pub channel: Option<u32>,
}

#[derive(Clone, Debug)]
pub(crate) enum FieldKind {
    Scalar(Scalar),
    Structure(Rc<Vec<FieldType>>),
}

/// Whose variables are being declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    Shared,
    Local,
}

impl Home {
    pub fn var(self, v: u32) -> Var {
        match self {
            Home::Shared => Var::Shared(v),
            Home::Local => Var::Local(v),
        }
    }
}

/// Something that a name means.
#[derive(Clone, Debug)]
pub(crate) struct Meaning {
    pub home: Home,
    pub declared: Rc<Declared>,
}

/// Nested scopes; the first is the model's.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    pub maps: Vec<HashMap<Arc<str>, Meaning>>,
    /// Numbers of the open scopes, for labels.
    pub path: Vec<u32>,
    count: u32,
}

impl Scopes {
    pub fn enter(&mut self) {
        self.maps.push(HashMap::new());
        self.count += 1;
        self.path.push(self.count);
    }

    pub fn leave(&mut self) {
        self.maps.pop();
        self.path.pop();
    }

    pub fn get(&self, name: &str) -> Option<&Meaning> {
        self.maps.iter().rev().find_map(|m| m.get(name))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.maps.iter().flat_map(|m| m.keys().map(|k| &**k))
    }
}

/// An index, if one is given, the length of the array, and where.
type Dimension = (Option<ExprId>, u32, Span);

/// What a reference leads to.
pub(crate) enum Referent {
    /// A scalar.
    Scalar { place: Place, scalar: Scalar, channel: Option<u32> },
    /// A whole array or a structure: all its scalars in order, `expand`ed.
    Many(Vec<(Place, Scalar)>),
    /// A symbol.
    Symbol(i32),
}

/// The name most like `name`, if any is.
pub(crate) fn similar<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    let limit = 1 + name.chars().count() / 4;
    known
        .filter(|k| !k.starts_with('_'))
        .map(|k| (distance(name, k), k))
        .filter(|&(d, _)| d <= limit)
        .min()
        .map(|(_, k)| k.to_string())
}

/// Edit distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (corner + usize::from(x != y)).min(above + 1).min(row[j] + 1);
            corner = above;
        }
    }
    row[b.len()]
}

/// How many scalars a structure has.
pub(crate) fn scalars(fields: &[FieldType]) -> usize {
    let of = |f: &FieldType| match &f.kind {
        FieldKind::Scalar(_) => 1,
        FieldKind::Structure(fields) => scalars(fields),
    };
    fields.iter().map(|f| of(f).saturating_mul(f.len.unwrap_or(1) as usize)).fold(0, usize::saturating_add)
}

/// Makes variables of a declaration; `shape` is the product of the lengths around.
pub(crate) fn flatten(
    name: &str,
    kind: &FieldKind,
    len: Option<u32>,
    around: Option<u32>,
    initial: i32,
    span: Span,
    out: &mut Vec<Variable>,
) -> Declared {
    let total = match (around, len) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(1).saturating_mul(b.unwrap_or(1))),
    };
    let kind = match kind {
        FieldKind::Scalar(scalar) => {
            let value = scalar.domain.wrap(initial);
            out.push(Variable {
                name: name.to_string(),
                domain: scalar.domain,
                rule: StoreRule::Wrap,
                len: total,
                initial: vec![value; total.unwrap_or(1) as usize],
                shown: scalar.shown,
                span,
            });
            DeclaredKind::Leaf { var: out.len() as u32 - 1, scalar: *scalar, channel: None }
        }
        FieldKind::Structure(fields) => DeclaredKind::Fields(
            fields
                .iter()
                .map(|f| {
                    let name = format!("{name}.{}", f.name);
                    let mut field = flatten(&name, &f.kind, f.len, total, f.initial, span, out);
                    if let DeclaredKind::Leaf { channel, .. } = &mut field.kind {
                        *channel = f.channel;
                    }
                    (f.name.clone(), field)
                })
                .collect(),
        ),
    };
    Declared { len, kind, span }
}

impl super::Lowering<'_> {
    /// What a reference means. Indices were lowered before: `index` tells them.
    pub(crate) fn find(&mut self, r: &Reference, index: &dyn Fn(ast::ExprId) -> ExprId) -> Option<Referent> {
        let first = &r.steps[0].name;
        let meaning = match self.scopes.get(&first.text) {
            Some(m) => m.clone(),
            None => {
                if let Some(&(value, _)) = self.symbols.get(&first.text)
                    && r.steps.len() == 1
                    && r.steps[0].index.is_none()
                {
                    return Some(Referent::Symbol(value));
                }
                self.unknown(first);
                return None;
            }
        };
        self.follow(&meaning.declared, r, index, |var| Place { var: meaning.home.var(var), index: None })
    }

    pub(crate) fn unknown(&mut self, name: &Name) {
        let d = Diagnostic::error(name.span, format!("`{}` is not declared", name.text));
        let known = self.scopes.names().chain(self.symbols.keys().map(|k| &**k));
        let d = match similar(&name.text, known) {
            Some(other) => d.help(format!("did you mean `{other}`?")),
            None if self.processes.contains_key(&name.text) => {
                d.help("it is a proctype: a process is started with `run`")
            }
            None => d,
        };
        self.error(d, name.origin);
    }

    /// Goes along the steps of a reference, from what its first name is.
    pub(crate) fn follow(
        &mut self,
        declared: &Declared,
        r: &Reference,
        index: &dyn Fn(ast::ExprId) -> ExprId,
        place: impl Fn(u32) -> Place,
    ) -> Option<Referent> {
        let (mut at, mut dims) = (declared, Vec::<Dimension>::new());
        for (i, step) in r.steps.iter().enumerate() {
            if i > 0 {
                let DeclaredKind::Fields(fields) = &at.kind else {
                    let name = &r.steps[i - 1].name;
                    let d = Diagnostic::error(
                        step.name.span,
                        format!("`{}` is no structure: it has no field `{}`", name.text, step.name.text),
                    );
                    self.error(d, step.name.origin);
                    return None;
                };
                match fields.iter().find(|(n, _)| *n == step.name.text) {
                    Some((_, field)) => at = field,
                    None => {
                        let d = Diagnostic::error(step.name.span, format!("no field `{}`", step.name.text));
                        let d = match similar(&step.name.text, fields.iter().map(|(n, _)| &**n)) {
                            Some(other) => d.help(format!("did you mean `{other}`?")),
                            None => d,
                        };
                        self.error(d, step.name.origin);
                        return None;
                    }
                }
            }
            match (at.len, step.index) {
                (Some(n), Some(e)) => dims.push((Some(index(e)), n, step.name.span)),
                (Some(n), None) => dims.push((None, n, step.name.span)),
                // Spin takes a scalar for an array of one element, if the index is the constant 0.
                (None, Some(e)) if self.program.exprs.constant(index(e)) == Some(0) => {}
                (None, Some(_)) => {
                    let d = Diagnostic::error(
                        step.name.span,
                        format!("`{}` is no array, and has no elements", step.name.text),
                    );
                    self.error(d, step.name.origin);
                    return None;
                }
                (None, None) => {}
            }
        }
        if let DeclaredKind::Leaf { var, scalar, channel } = at.kind
            && dims.iter().all(|d| d.0.is_some())
        {
            let index = self.element(&dims);
            let place = Place { index, ..place(var) };
            return Some(Referent::Scalar { place, scalar, channel });
        }
        // All of it.
        let mut many = Vec::new();
        let open = dims.iter().position(|d| d.0.is_none()).unwrap_or(dims.len());
        if open + 1 < dims.len() {
            let d = Diagnostic::error(dims[open].2, "an index is missing");
            self.error(d, r.steps[0].name.origin);
            return None;
        }
        self.leaves(at, &mut dims, &place, &mut many);
        Some(Referent::Many(many))
    }

    fn leaves(
        &mut self,
        at: &Declared,
        dims: &mut Vec<Dimension>,
        place: &dyn Fn(u32) -> Place,
        out: &mut Vec<(Place, Scalar)>,
    ) {
        if let Some(last) = dims.last().copied()
            && last.0.is_none()
        {
            let (n, span) = (last.1, last.2);
            for i in 0..n {
                let e = self.program.exprs.add(Expr::Const(i as i32), span);
                if let Some(last) = dims.last_mut() {
                    last.0 = Some(e);
                }
                self.leaves(at, dims, place, out);
            }
            if let Some(last) = dims.last_mut() {
                last.0 = None;
            }
            return;
        }
        match &at.kind {
            DeclaredKind::Leaf { var, scalar, .. } => {
                let index = self.element(dims);
                out.push((Place { index, ..place(*var) }, *scalar));
            }
            DeclaredKind::Fields(fields) => {
                for (_, field) in fields {
                    if let Some(n) = field.len {
                        dims.push((None, n, field.span));
                    }
                    self.leaves(field, dims, place, out);
                    if field.len.is_some() {
                        dims.pop();
                    }
                }
            }
        }
    }

    /// The number of an element of an array in arrays.
    fn element(&mut self, dims: &[Dimension]) -> Option<ExprId> {
        let mut found: Option<ExprId> = None;
        for &(index, n, span) in dims {
            let index = index?;
            found = Some(match found {
                None if dims.len() == 1 => index,
                None => self.program.exprs.add(Expr::Bounded(index, n), span),
                Some(before) => {
                    let n_expr = self.program.exprs.add(Expr::Const(n as i32), span);
                    let scaled = self.program.exprs.add(Expr::Binary(Binary::Mul, before, n_expr), span);
                    let index = self.program.exprs.add(Expr::Bounded(index, n), span);
                    self.program.exprs.add(Expr::Binary(Binary::Add, scaled, index), span)
                }
            });
        }
        found
    }
}

/// What one pass learns of a process for the next: its labels and variables, for remote references.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub labels: HashMap<Arc<str>, riata_program::LocId>,
    pub variables: HashMap<Arc<str>, Rc<Declared>>,
}

/// A proctype, as those who run it see it.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub id: ProcId,
    pub parameters: usize,
    pub span: Span,
}
