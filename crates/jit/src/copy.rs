//! A successor begins as a copy of the state.
//!
//! A short state is in registers from the beginning of a function on, sixteen bytes in each, and is stored as often as there
//! are successors. A longer one, or one whose length differs, is copied by a function of its own.

use crate::expression::{PLAIN, Words};
use crate::steps::Process;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8X16, I32, I64};
use cranelift_codegen::ir::{InstBuilder, Type, Value};
use cranelift_frontend::FunctionBuilder;
use riata_program::native::{HOLDER, Listing};

/// States of more words are copied by a function of their own.
const INLINE: usize = 24;

/// Are states copied by a function of their own?
pub(crate) fn has_copier(listing: Listing) -> bool {
    listing.length.is_none_or(|words| words > INLINE)
}

/// Makes that function: from the first argument to the second, so many bytes, without a holder.
pub(crate) fn define_copier(b: &mut FunctionBuilder, listing: Listing) {
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [src, dst, bytes] = b.block_params(entry).try_into().expect("three arguments");
    match listing.length {
        Some(words) if words <= 256 => {
            for (ty, at) in pieces(words) {
                let v = b.ins().load(ty, PLAIN, src, at);
                b.ins().store(PLAIN, v, dst, at);
            }
        }
        _ => copy_loop(b, bytes, (src, dst)),
    }
    free_control(b, listing, dst);
    let nothing = b.ins().iconst(I32, 0);
    b.ins().return_(&[nothing]);
}

/// Nobody holds control.
fn free_control(b: &mut FunctionBuilder, listing: Listing, state: Value) {
    if listing.keeps {
        let head = b.ins().load(I32, PLAIN, state, 0);
        let head = b.ins().band_imm(head, (1i64 << HOLDER) - 1);
        b.ins().store(PLAIN, head, state, 0);
    }
}

/// So many words as pieces, of a type and from a byte on. The last two may overlap.
fn pieces(words: usize) -> impl Iterator<Item = (Type, i32)> {
    let (ty, size) = match words {
        4.. => (I8X16, 4),
        2.. => (I64, 2),
        _ => (I32, 1),
    };
    (0..words.div_ceil(size)).map(move |n| (ty, ((n * size).min(words - size) * 4) as i32))
}

/// The pieces of the state, where it is not copied by a function of its own.
pub(crate) fn loaded(b: &mut FunctionBuilder, listing: Listing, src: Value) -> Vec<(Value, i32)> {
    let words = listing.length.filter(|_| !has_copier(listing)).unwrap_or(0);
    pieces(words).map(|(ty, at)| (b.ins().load(ty, PLAIN, src, at), at)).collect()
}

/// Four words at a time, then the rest.
fn copy_loop(b: &mut FunctionBuilder, bytes: Value, (src, dst): (Value, Value)) {
    let whole = b.ins().band_imm(bytes, !15);
    let zero = b.ins().iconst(I64, 0);
    for (ty, size, end, from) in [(I8X16, 16, whole, zero), (I32, 4, bytes, whole)] {
        let (head, body, after) = (b.create_block(), b.create_block(), b.create_block());
        let at = b.append_block_param(head, I64);
        b.ins().jump(head, &[from.into()]);
        b.switch_to_block(head);
        let more = b.ins().icmp(IntCC::UnsignedLessThan, at, end);
        b.ins().brif(more, body, &[], after, &[]);
        b.switch_to_block(body);
        let from = b.ins().iadd(src, at);
        let to = b.ins().iadd(dst, at);
        let v = b.ins().load(ty, PLAIN, from, 0);
        b.ins().store(PLAIN, v, to, 0);
        let next = b.ins().iadd_imm(at, size);
        b.ins().jump(head, &[next.into()]);
        b.switch_to_block(after);
    }
}

impl Process<'_, '_> {
    /// Makes `dst` a copy of `src`, without a holder.
    pub fn copy(&mut self) {
        if self.chain.inside {
            return;
        }
        let listing = self.code.listing;
        let slot = self.code.b.use_var(self.told.slot);
        self.dst = Words { all: slot, own: self.own_of(slot) };
        let (src, dst) = (self.src.all, self.dst.all);
        let Some(copier) = self.copier else {
            for &(v, at) in self.state {
                self.code.b.ins().store(PLAIN, v, dst, at);
            }
            free_control(self.code.b, listing, dst);
            return;
        };
        let words = listing.length.unwrap_or_default();
        let size = self.size.unwrap_or_else(|| self.code.b.ins().iconst(I64, words as i64 * 4));
        self.code.b.ins().call(copier, &[src, dst, size]);
    }
}
