//! The processes of a state as one function, or one process type.
//!
//! Where no process is created after the start, one function has all of them, in the order in which they are asked. Whoever
//! wants all successors at once calls it once. Otherwise each process type has a function.
//!
//! ```text
//! steps(src, dst, base, from, turn):
//!   if from is START: go to the first process
//!   go to the edge with this number, or to the process with this number less that of all edges
//! process n:  if it is not there, go to process n + 1
//!             tell who it is; go to its type
//! type t:     go to the first edge of its location; the edges are those of `steps`
//! end of t:   if the next process is wanted, go to process n + 1
//! last:       return DONE
//! ```

use crate::Compiled;
use crate::chain::Chain;
use crate::copy::loaded;
use crate::expression::{
    ALL, Code, EDGE, MINE, MOST_PASSED, PASSED, PID, PLAIN, PROCESSES, TOLD_FIRST, WORDS, Who, Words,
};
use crate::steps::{Kind, Process, Told, kind_of, location};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, Value};
use cranelift_frontend::{FunctionBuilder, Switch};
use riata_program::native::{ASK, DONE, LARGE, Listing, MOST, ROW, START, STEP};

/// What a function has.
pub(crate) struct Row {
    /// The process types.
    pub types: Vec<usize>,
    /// For each of them, the number of its first edge.
    pub first: Vec<u32>,
    /// How many edges there are.
    pub edges: u32,
    /// The most successors that one call tells.
    pub most: usize,
    /// The processes, with their types and the first words of their frames, in the order in which they are asked; none if it
    /// is one type.
    order: Vec<(u32, usize, u32)>,
}

impl Row {
    fn new(listing: Listing, types: Vec<usize>, order: Vec<(u32, usize, u32)>, most: usize) -> Row {
        let mut edges = 0;
        let count = |&of: &usize| {
            edges += listing.types[of].edges.len() as u32;
            edges - listing.types[of].edges.len() as u32
        };
        let first = types.iter().map(count).collect();
        Row { types, first, edges, most, order }
    }

    /// One process type.
    pub fn of_type(listing: Listing, (of, most): (usize, usize)) -> Row {
        Row::new(listing, vec![of], Vec::new(), most)
    }

    /// How many processes there are.
    pub fn processes(&self) -> u32 {
        self.order.len() as u32
    }

    /// All processes, if these are known and one call can tell all their successors.
    pub fn of_all(listing: Listing, most: &[usize]) -> Option<Row> {
        let processes = listing.processes.filter(|all| !all.is_empty() && !listing.commits)?;
        let mut order: Vec<(u32, usize, u32)> =
            (0..).zip(processes).map(|(pid, &(of, base))| (pid, of as usize, base)).collect();
        if !listing.oldest {
            order.reverse();
        }
        let mut types: Vec<usize> = Vec::new();
        for &(_, of, _) in &order {
            if !types.contains(&of) {
                types.push(of);
            }
        }
        let most = order.iter().map(|&(_, of, _)| most[of]).sum();
        (most <= MOST).then(|| Row::new(listing, types, order, most))
    }
}

/// A process type in a function.
struct Part {
    of: usize,
    /// The number of its first edge.
    first: u32,
    edges: Vec<Block>,
    /// Where a process comes in that is one of several of this type: told the bytes before its frame, and the edge.
    enters: Option<Block>,
    /// From the location of the process on.
    starts: Block,
    /// After its last edge.
    ends: Block,
}

/// Makes a function.
pub(crate) fn define<'a, 'b>(
    b: &'a mut FunctionBuilder<'b>,
    listing: Listing<'a>,
    row: &Row,
    copier: Option<FuncRef>,
    compiled: &mut Compiled,
) {
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [src, dst, base, from, turn] = b.block_params(entry).try_into().expect("five arguments");
    let told = Told { slot: b.declare_var(I64), next: b.declare_var(I64), mine: b.declare_var(I32) };
    b.def_var(told.slot, dst);
    let first = b.ins().iadd_imm(turn, i64::from(TOLD_FIRST));
    b.def_var(told.next, first);
    let edges = || row.types.iter().flat_map(|&of| &listing.types[of].edges);
    if edges().any(|edge| matches!(kind_of(listing, edge), Kind::Else(_))) {
        let mine = b.ins().load(I32, PLAIN, turn, MINE);
        b.def_var(told.mine, mine);
    }
    let all = b.ins().load(I32, PLAIN, turn, ALL);
    let large = b.ins().band_imm(all, i64::from(LARGE));
    let size = listing.length.is_none().then(|| {
        let words = b.ins().load(I32, PLAIN, turn, WORDS);
        let words = b.ins().uextend(I64, words);
        b.ins().ishl_imm(words, 2)
    });
    let state = loaded(b, listing, src);
    // The place of a frame is known, or told, or that of one of several.
    let several = |of: usize| !row.order.is_empty() && !listing.frames.types[of].fixed;
    let told_frame = row.order.is_empty() && !listing.frames.types[row.types[0]].fixed;
    let bytes = told_frame.then(|| b.ins().ishl_imm(base, 2));
    let frame = (bytes, bytes.map_or(src, |bytes| b.ins().iadd(src, bytes)));
    let part = |(&of, &first)| Part::new(b, listing, (of, first), several(of));
    let parts: Vec<Part> = row.types.iter().zip(&row.first).map(part).collect();
    let processes: Vec<Block> = row.order.iter().map(|_| b.create_block()).collect();
    let last = b.create_block();
    enter(b, (&parts, &processes, last), (base, from));
    let exits = (b.create_block(), b.create_block());
    for (n, &(pid, of, base)) in row.order.iter().enumerate() {
        b.switch_to_block(processes[n]);
        if listing.length.is_none() {
            let there = b.ins().load(I32, PLAIN, turn, PROCESSES);
            let gone = b.ins().icmp_imm(IntCC::UnsignedLessThanOrEqual, there, i64::from(pid));
            let here = b.create_block();
            b.ins().brif(gone, after(&processes, n, last), &[], here, &[]);
            b.switch_to_block(here);
        }
        let nothing = b.ins().iconst(I32, 0);
        b.def_var(told.mine, nothing);
        let Some(part) = parts.iter().find(|part| part.of == of) else { continue };
        if let Some(enters) = part.enters {
            let me = b.ins().iconst(I32, i64::from(pid));
            b.ins().store(PLAIN, me, turn, PID);
            let bytes = b.ins().iconst(I64, i64::from(base) * 4);
            let start = b.ins().iconst(I32, i64::from(START));
            b.ins().jump(enters, &[bytes.into(), start.into()]);
        } else {
            b.ins().jump(part.starts, &[]);
        }
    }
    for part in &parts {
        // The only process of its type is known.
        let only = row.order.iter().find(|p| p.1 == part.of).filter(|_| part.enters.is_none());
        let who = only.map_or(Who::Turn(turn), |p| Who::Other(turn, p.0));
        let (bytes, own) = part.enters.map_or(frame, |enters| {
            b.switch_to_block(enters);
            // A block has all of its parameters before its first instruction.
            let (bytes, from) = (b.append_block_param(enters, I64), b.append_block_param(enters, I32));
            let own = b.ins().iadd(src, bytes);
            part.resume(b, from, last);
            (Some(bytes), own)
        });
        b.switch_to_block(part.starts);
        let at = location(b, listing, part.of, Words { all: src, own });
        let mut switch = Switch::new();
        for (l, &(lo, hi)) in listing.types[part.of].ranges.iter().enumerate() {
            if lo < hi {
                switch.set_entry(l as u128, part.edges[lo as usize]);
            }
        }
        switch.emit(b, at, part.ends);
        let chain = Chain::new(b, listing, part.of, large);
        let mut process = Process {
            code: Code { b, listing, who, later: false },
            src: Words { all: src, own },
            dst: Words { all: dst, own: dst },
            told,
            bytes,
            all,
            turn,
            of: part.of,
            next: part.ends,
            sender: None,
            chain,
            exits,
            size,
            state: &state,
            copier,
        };
        process.edges(&part.edges, part.ends, compiled);
        let chains = process.chain.is_used();
        part.end(b, row, (&processes, last), (turn, all, chains));
    }
    b.switch_to_block(exits.0);
    let edge = b.append_block_param(exits.0, I32);
    b.ins().store(PLAIN, edge, turn, EDGE);
    answer(b, STEP);
    b.switch_to_block(exits.1);
    let (edge, pid) = (b.append_block_param(exits.1, I32), b.append_block_param(exits.1, I32));
    b.ins().store(PLAIN, edge, turn, EDGE);
    b.ins().store(PLAIN, pid, turn, PID);
    told.tell(b, (turn, first));
    answer(b, ASK);
    b.switch_to_block(last);
    told.tell(b, (turn, first));
    answer(b, DONE);
}

fn after(processes: &[Block], n: usize, last: Block) -> Block {
    processes.get(n + 1).copied().unwrap_or(last)
}

fn answer(b: &mut FunctionBuilder, said: u32) {
    let said = b.ins().iconst(I32, i64::from(said));
    b.ins().return_(&[said]);
}

/// The way in.
fn enter(
    b: &mut FunctionBuilder,
    (parts, processes, last): (&[Part], &[Block], Block),
    (base, from): (Value, Value),
) {
    let (start, resume) = (b.create_block(), b.create_block());
    let starts = b.ins().icmp_imm(IntCC::Equal, from, i64::from(START as i32));
    b.ins().brif(starts, start, &[], resume, &[]);
    b.switch_to_block(resume);
    let mut switch = Switch::new();
    let mut edges = 0;
    let mut others = Vec::new();
    for part in parts {
        let other = b.create_block();
        if let Some(enters) = part.enters {
            others.push((other, enters));
        }
        for &edge in &part.edges {
            switch.set_entry(edges, if part.enters.is_none() { edge } else { other });
            edges += 1;
        }
    }
    for (n, &process) in processes.iter().enumerate() {
        switch.set_entry(edges + n as u128, process);
    }
    switch.emit(b, from, last);
    for (block, enters) in others {
        b.switch_to_block(block);
        let bytes = b.ins().ishl_imm(base, 2);
        b.ins().jump(enters, &[bytes.into(), from.into()]);
    }
    b.switch_to_block(start);
    let first = processes.first().copied().unwrap_or(parts[0].starts);
    b.ins().jump(first, &[]);
}

impl Part {
    fn new(b: &mut FunctionBuilder, listing: Listing, (of, first): (usize, u32), several: bool) -> Part {
        Part {
            of,
            first,
            edges: listing.types[of].edges.iter().map(|_| b.create_block()).collect(),
            enters: several.then(|| b.create_block()),
            starts: b.create_block(),
            ends: b.create_block(),
        }
    }

    /// Goes to the edge that was told, or to those of the location.
    fn resume(&self, b: &mut FunctionBuilder, from: Value, last: Block) {
        let mut switch = Switch::new();
        switch.set_entry(START.into(), self.starts);
        for (e, &edge) in self.edges.iter().enumerate() {
            switch.set_entry(u128::from(self.first) + e as u128, edge);
        }
        switch.emit(b, from, last);
    }

    /// What comes after the last edge.
    fn end(
        &self,
        b: &mut FunctionBuilder,
        row: &Row,
        (processes, last): (&[Block], Block),
        (turn, all, chains): (Value, Value, bool),
    ) {
        b.switch_to_block(self.ends);
        let mine = || row.order.iter().enumerate().filter(|(_, p)| p.1 == self.of);
        if row.order.is_empty() {
            b.ins().jump(last, &[]);
            return;
        }
        if chains {
            // What is counted is counted for each process.
            let passed = b.ins().load(I32, PLAIN, turn, PASSED);
            let most = b.ins().load(I32, PLAIN, turn, MOST_PASSED);
            let most = b.ins().umax(most, passed);
            b.ins().store(PLAIN, most, turn, MOST_PASSED);
            let nothing = b.ins().iconst(I32, 0);
            b.ins().store(PLAIN, nothing, turn, PASSED);
        }
        let further = b.create_block();
        let goes_on = b.ins().band_imm(all, i64::from(ROW));
        b.ins().brif(goes_on, further, &[], last, &[]);
        b.switch_to_block(further);
        if self.enters.is_none() {
            let next = mine().next().map_or(last, |(n, _)| after(processes, n, last));
            b.ins().jump(next, &[]);
            return;
        }
        let me = b.ins().load(I32, PLAIN, turn, PID);
        let mut switch = Switch::new();
        for (n, &(pid, ..)) in mine() {
            switch.set_entry(pid.into(), after(processes, n, last));
        }
        switch.emit(b, me, last);
    }
}
