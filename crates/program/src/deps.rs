//! Which edge reads and writes what: the base of partial-order reduction, of slicing and of changed-word masks.
//!
//! A *cell* is a thing that an edge can depend on: a shared variable, a local variable of one instance, the location
//! of one instance, or the content of one buffered channel. Arrays count as a whole.

use crate::expr::{Expr, Owner, Place};
use crate::ids::{ChanId, EdgeId, ExprId, InstanceId, VarId};
use crate::layout::Layout;
use crate::program::{Guard, Offer, Pattern, Program, Statement};

/// A matrix of bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitMatrix {
    columns: usize,
    bits: Vec<u64>,
}

impl BitMatrix {
    /// All false.
    pub fn new(rows: usize, columns: usize) -> Self {
        BitMatrix { columns, bits: vec![0; rows * columns.div_ceil(64)] }
    }

    fn at(&self, row: usize, column: usize) -> (usize, u64) {
        assert!(column < self.columns);
        (row * self.columns.div_ceil(64) + column / 64, 1 << (column % 64))
    }

    /// Makes a bit true.
    pub fn set(&mut self, row: usize, column: usize) {
        let (word, bit) = self.at(row, column);
        self.bits[word] |= bit;
    }

    /// Is it true?
    pub fn get(&self, row: usize, column: usize) -> bool {
        let (word, bit) = self.at(row, column);
        self.bits[word] & bit != 0
    }

    /// The columns that are true in a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.columns).filter(move |&c| self.get(row, c))
    }

    /// Have two rows, of matrices of equal width, a column in common?
    pub fn meet(&self, row: usize, other: &BitMatrix, other_row: usize) -> bool {
        assert_eq!(self.columns, other.columns);
        let n = self.columns.div_ceil(64);
        let (a, b) = (&self.bits[row * n..][..n], &other.bits[other_row * n..][..n]);
        a.iter().zip(b).any(|(a, b)| a & b != 0)
    }
}

/// A thing that an edge can depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A shared variable.
    Shared(VarId),
    /// A local variable of one instance.
    Local(VarId, InstanceId),
    /// Where an instance is.
    Location(InstanceId),
    /// The messages in a buffered channel.
    Content(ChanId),
}

/// The dependencies of a program. A row is an edge of an instance, a column a cell.
#[derive(Clone, Debug)]
pub struct Dependencies {
    /// The cells.
    pub cells: Vec<Access>,
    /// What decides whether the edge can be taken: its guard, its location, its channel.
    pub tests: BitMatrix,
    /// What the edge reads when it is taken.
    pub reads: BitMatrix,
    /// What it may write.
    pub writes: BitMatrix,
    rows: Vec<usize>,
    vars: Vec<usize>,
    instances: usize,
}

impl Dependencies {
    /// Analyses a well-formed program.
    pub fn new(program: &Program) -> Self {
        let instances = program.instances.len();
        let mut cells: Vec<Access> = program.instance_ids().map(Access::Location).collect();
        cells.extend((0..program.channels.len()).map(|c| Access::Content(ChanId::new(c))));
        // Locals have one column per instance of the program, used or not: simple, and programs are small.
        let mut vars = Vec::new();
        for (v, var) in program.vars.iter().enumerate() {
            vars.push(cells.len());
            match var.owner {
                None => cells.push(Access::Shared(VarId::new(v))),
                Some(owner) => {
                    let own =
                        program.instance_ids().filter(|i| program.instances[i.index()].process == owner);
                    cells.extend(own.map(|i| Access::Local(VarId::new(v), i)));
                }
            }
        }
        let mut rows = vec![0];
        for i in program.instance_ids() {
            rows.push(rows[i.index()] + program.process_of(i).edges.len());
        }
        let n = rows[instances];
        let matrix = BitMatrix::new(n, cells.len());
        let mut this = Dependencies {
            tests: matrix.clone(),
            reads: matrix.clone(),
            writes: matrix,
            cells,
            rows,
            vars,
            instances,
        };
        for i in program.instance_ids() {
            for e in 0..program.process_of(i).edges.len() {
                this.edge(program, i, EdgeId::new(e));
            }
        }
        this
    }

    /// The row of an edge of an instance.
    pub fn row(&self, instance: InstanceId, edge: EdgeId) -> usize {
        self.rows[instance.index()] + edge.index()
    }

    /// Do two edges commute wherever both can be taken, and neither enables or disables the other?
    pub fn independent(&self, a: usize, b: usize) -> bool {
        let clear = |a: usize, b: usize| {
            !self.writes.meet(a, &self.writes, b)
                && !self.writes.meet(a, &self.reads, b)
                && !self.writes.meet(a, &self.tests, b)
        };
        clear(a, b) && clear(b, a)
    }

    /// The words that the edge in `row` may change, as a mask; words beyond the 64th share the last bit.
    pub fn words(&self, layout: &Layout, row: usize) -> u64 {
        let mut mask = 0;
        let mut add = |word: u32| mask |= 1u64 << word.min(63);
        for c in self.writes.row(row) {
            match self.cells[c] {
                Access::Shared(v) => layout.slot(v, InstanceId(0)).fields().for_each(|f| add(f.word)),
                Access::Local(v, i) => layout.slot(v, i).fields().for_each(|f| add(f.word)),
                Access::Location(i) => add(layout.location(i).word),
                Access::Content(c) => {
                    if let Some(l) = layout.channel(c) {
                        add(l.count.word);
                        for a in &l.fields {
                            (0..a.len).for_each(|i| add(a.element(i).word));
                        }
                    }
                }
            }
        }
        mask
    }

    fn cell(&self, program: &Program, me: InstanceId, place: Place) -> usize {
        let Some(process) = program.vars[place.var.index()].owner else {
            return self.vars[place.var.index()];
        };
        let owner = match place.owner {
            Owner::Own => me,
            Owner::Of(i) => i,
        };
        let before = program.instances[..owner.index()].iter().filter(|i| i.process == process).count();
        self.vars[place.var.index()] + before
    }

    fn edge(&mut self, program: &Program, me: InstanceId, edge: EdgeId) {
        let row = self.row(me, edge);
        let e = &program.process_of(me).edges[edge.index()];
        let mut tests = vec![me.index()];
        let mut reads = Vec::new();
        let mut writes = vec![me.index()];
        if let Guard::When(g) = e.guard {
            self.expr(program, me, g, &mut tests);
        }
        let content =
            |c: ChanId| (program.channels[c.index()].capacity > 0).then_some(self.instances + c.index());
        match &e.offer {
            Offer::None => {}
            Offer::Send(c, values) => {
                tests.extend(content(*c));
                writes.extend(content(*c));
                values.iter().for_each(|&v| self.expr(program, me, v, &mut reads));
            }
            Offer::Receive(c, patterns) => {
                tests.extend(content(*c));
                reads.extend(content(*c));
                writes.extend(content(*c));
                for pattern in patterns {
                    if let Pattern::Bind(place) = pattern {
                        writes.push(self.cell(program, me, *place));
                        place.index.iter().for_each(|&i| self.expr(program, me, i, &mut reads));
                    }
                }
            }
        }
        for &Statement::Assign(place, value) in &e.effect {
            self.expr(program, me, value, &mut reads);
            place.index.iter().for_each(|&i| self.expr(program, me, i, &mut reads));
            writes.push(self.cell(program, me, place));
        }
        tests.into_iter().for_each(|c| self.tests.set(row, c));
        reads.into_iter().for_each(|c| self.reads.set(row, c));
        writes.into_iter().for_each(|c| self.writes.set(row, c));
    }

    fn expr(&self, program: &Program, me: InstanceId, root: ExprId, out: &mut Vec<usize>) {
        program.exprs.walk(root, |_, expr| match expr {
            Expr::Read(place) => out.push(self.cell(program, me, place)),
            Expr::At(i, _) => out.push(i.index()),
            Expr::Len(c) => out.push(self.instances + c.index()),
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) => {}
        });
    }
}
