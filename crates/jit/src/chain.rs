//! Sequences in which control is kept and there is nothing to choose.
//!
//! For those who want large steps: where an edge keeps control and its target has one edge only, that edge is taken at once, in the
//! same slot, and so on. The states on the way are neither copied nor told.
//!
//! ```text
//! chain l, with the one edge f from l:
//!   one more state is passed through
//!   if not ready(f, dst), control is free: the step ends here
//!   do what f does, in dst
//!   if f keeps control: go to the chain of its target, or, if that has several edges, hold control, if the process can go on
//!   ends: count it, dst := the next slot, go to the edge after the one that began the step
//! ```
//!
//! A sequence that may go round in a circle is none of these.

use crate::expression::{PASSED, PLAIN, Words};
use crate::steps::{Kind, Process, kind_of};
use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::{FunctionBuilder, Switch, Variable};
use riata_program::native::Listing;

/// What the code of a process knows of its chains.
pub(crate) struct Chain {
    /// For each location, the code of its one edge.
    pub blocks: Vec<Option<Block>>,
    /// Are large steps wanted?
    pub large: Value,
    /// The edge that began the step.
    pub origin: Variable,
    /// Where a step ends that went on.
    pub ends: Block,
    /// Is the code at hand that of a chain: source and target are one?
    pub inside: bool,
}

/// The one edge of a location, if native code can take it at once.
fn only(listing: Listing, of: usize, location: u32) -> Option<u32> {
    let (lo, hi) = listing.types[of].ranges[location as usize];
    let edge = listing.types[of].edges.get(lo as usize).filter(|_| hi == lo + 1)?;
    match kind_of(listing, edge) {
        Kind::Passive | Kind::Left => None,
        _ if edge.keeps && !crate::meet::can_tell(listing, of, edge.to) => None,
        _ => Some(lo),
    }
}

/// Does a chain that begins here come to an end?
fn ends(listing: Listing, of: usize, mut location: u32) -> bool {
    for _ in 0..=listing.types[of].ranges.len() {
        let edge = only(listing, of, location).map(|e| &listing.types[of].edges[e as usize]);
        match edge {
            Some(edge) if edge.keeps => location = edge.to,
            _ => return true,
        }
    }
    false
}

impl Chain {
    pub fn new(b: &mut FunctionBuilder, listing: Listing, of: usize, large: Value) -> Chain {
        let count = listing.types[of].ranges.len() as u32;
        let mut kept = vec![false; count as usize];
        if !listing.commits {
            let keeping = listing.types[of].edges.iter().filter(|e| e.keeps);
            keeping.for_each(|e| kept[e.to as usize] = true);
        }
        let chain = |l: u32| kept[l as usize] && only(listing, of, l).is_some() && ends(listing, of, l);
        let blocks = (0..count).map(|l| chain(l).then(|| b.create_block())).collect();
        let origin = b.declare_var(I32);
        Chain { blocks, large, origin, ends: b.create_block(), inside: false }
    }

    /// Is there any?
    pub fn is_used(&self) -> bool {
        self.blocks.iter().any(Option::is_some)
    }
}

impl Process<'_, '_> {
    /// The code of all chains; `next` tells for each edge where to go on after it.
    pub fn chains(&mut self, next: &[Block], done: Block) {
        if !self.chain.is_used() {
            // Nobody comes here.
            self.code.b.switch_to_block(self.chain.ends);
            self.code.b.ins().jump(done, &[]);
            return;
        }
        let listing = self.code.listing;
        let src = self.src;
        let astray = self.code.b.create_block();
        (self.chain.inside, self.code.later) = (true, true);
        for l in 0..self.chain.blocks.len() {
            let Some(block) = self.chain.blocks[l] else { continue };
            let Some(e) = only(listing, self.of, l as u32) else { continue };
            self.code.b.switch_to_block(block);
            let passed = self.code.b.ins().load(I32, PLAIN, self.turn, PASSED);
            let passed = self.code.b.ins().iadd_imm(passed, 1);
            self.code.b.ins().store(PLAIN, passed, self.turn, PASSED);
            let slot = self.code.b.use_var(self.told.slot);
            self.dst = Words { all: slot, own: self.own_of(slot) };
            self.src = self.dst;
            let edge = &listing.types[self.of].edges[e as usize];
            self.compiled(edge, e, &kind_of(listing, edge), (self.chain.ends, astray));
        }
        (self.chain.inside, self.code.later) = (false, false);
        self.src = src;
        self.code.b.switch_to_block(astray);
        let origin = self.code.b.use_var(self.chain.origin);
        self.ask(origin);
        self.code.b.switch_to_block(self.chain.ends);
        let slot = self.code.b.use_var(self.told.slot);
        self.dst = Words { all: slot, own: slot };
        self.count(None);
        let origin = self.code.b.use_var(self.chain.origin);
        let mut switch = Switch::new();
        for (e, &block) in next.iter().enumerate() {
            switch.set_entry(e as u128, block);
        }
        switch.emit(self.code.b, origin, done);
    }
}
