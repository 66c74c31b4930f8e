//! A piece of bytecode as values and blocks.
//!
//! The machine has an accumulator and a stack; both are known when the code is made, so that a value on the stack is a
//! value of the function. All jumps of a piece go forward, and where two ways join, the stack is the same on both.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlags, Value};
use cranelift_frontend::FunctionBuilder;
use riata_program::native::{Instr, Listing, OWN, Op, Question};
use std::collections::BTreeMap;

/// Where the words of a state are.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    /// The first word of the state.
    pub all: Value,
    /// The first word of the frame of the process that runs.
    pub own: Value,
}

/// What the code of a process knows of its turn.
#[derive(Clone, Copy)]
pub(crate) enum Who {
    /// Nobody: a proposition looks at the state.
    Nobody,
    /// A process, told here.
    Turn(Value),
    /// A process of which the pid is known, in a turn that is told here.
    Other(Value, u32),
}

/// Offsets of what is told of a turn.
pub(crate) const EDGE: i32 = 0;
pub(crate) const MINE: i32 = 4;
const TIMEOUT: i32 = 8;
pub(crate) const PID: i32 = 12;
pub(crate) const PROCESSES: i32 = 16;
pub(crate) const WORDS: i32 = 20;
pub(crate) const ALL: i32 = 36;
pub(crate) const TOLD: i32 = 40;
pub(crate) const PASSED: i32 = 44;
pub(crate) const MOST_PASSED: i32 = 48;
pub(crate) const TOLD_FIRST: i32 = 52;

/// Makes code for pieces of bytecode.
pub(crate) struct Code<'a, 'b> {
    pub b: &'a mut FunctionBuilder<'b>,
    pub listing: Listing<'a>,
    pub who: Who,
    /// Has a step been made already? The state after it has not been seen to be stuck, so `timeout` is false there.
    pub later: bool,
}

pub(crate) const PLAIN: MemFlags = MemFlags::trusted();

/// A place in a word.
#[derive(Clone, Copy)]
pub(crate) struct Bits {
    pub pointer: Value,
    pub offset: i32,
    pub shift: u32,
    pub mask: u32,
}

impl Code<'_, '_> {
    pub fn iconst(&mut self, k: i32) -> Value {
        self.b.ins().iconst(I32, i64::from(k as u32))
    }

    /// Where a field is that code names.
    pub fn bits(&self, words: Words, word: u32, shift: u32, mask: u32) -> Bits {
        let (pointer, word) = if word & OWN == 0 { (words.all, word) } else { (words.own, word & !OWN) };
        Bits { pointer, offset: (word * 4) as i32, shift, mask }
    }

    /// The bits of a field.
    pub fn load(&mut self, f: Bits) -> Value {
        if f.mask == 0 {
            return self.iconst(0);
        }
        let mut w = self.b.ins().load(I32, PLAIN, f.pointer, f.offset);
        if f.shift > 0 {
            w = self.b.ins().ushr_imm(w, i64::from(f.shift));
        }
        if f.mask < u32::MAX >> f.shift {
            w = self.b.ins().band_imm(w, i64::from(f.mask));
        }
        w
    }

    /// Stores bits, which are no more than the field has.
    pub fn store(&mut self, f: Bits, raw: Value) {
        if f.mask == 0 {
            return;
        }
        if f.mask == u32::MAX {
            self.b.ins().store(PLAIN, raw, f.pointer, f.offset);
            return;
        }
        let w = self.b.ins().load(I32, PLAIN, f.pointer, f.offset);
        let w = self.b.ins().band_imm(w, i64::from(!(f.mask << f.shift)));
        let raw = if f.shift > 0 { self.b.ins().ishl_imm(raw, i64::from(f.shift)) } else { raw };
        let w = self.b.ins().bor(w, raw);
        self.b.ins().store(PLAIN, w, f.pointer, f.offset);
    }

    /// Stores bits that are known.
    pub fn set(&mut self, f: Bits, raw: u32) {
        if f.mask == 0 {
            return;
        }
        let raw = (raw & f.mask) << f.shift;
        let w = if f.mask == u32::MAX {
            self.iconst(raw as i32)
        } else {
            let w = self.b.ins().load(I32, PLAIN, f.pointer, f.offset);
            let w = self.b.ins().band_imm(w, i64::from(!(f.mask << f.shift)));
            self.b.ins().bor_imm(w, i64::from(raw))
        };
        self.b.ins().store(PLAIN, w, f.pointer, f.offset);
    }

    /// Goes on if `wrong` is zero, otherwise to `away`.
    pub fn unless(&mut self, wrong: Value, away: Block) {
        let next = self.b.create_block();
        self.b.ins().brif(wrong, away, &[], next, &[]);
        self.b.switch_to_block(next);
    }

    /// Goes on if `right` is not zero, otherwise to `away`.
    pub fn when(&mut self, right: Value, away: Block) {
        let next = self.b.create_block();
        self.b.ins().brif(right, next, &[], away, &[]);
        self.b.switch_to_block(next);
    }

    /// 0 or 1.
    fn compare(&mut self, cc: IntCC, a: Value, b: Value) -> Value {
        let c = self.b.ins().icmp(cc, a, b);
        self.b.ins().uextend(I32, c)
    }

    /// An element of an array, whose number is at most `len`: the address of its word, and its shift there if its bits are
    /// not a whole word.
    pub fn element(&mut self, words: Words, i: &Instr, index: Value) -> (Bits, Option<Value>) {
        let base = self.bits(words, i.word, 0, 0);
        self.slot(base, (i.first.into(), i.shift), index)
    }

    /// As above, for elements of `1 << log` bits, the first of which is number `first` in the word at `base`.
    pub fn slot(&mut self, base: Bits, (first, log): (u32, u8), index: Value) -> (Bits, Option<Value>) {
        let mask = u32::MAX >> (32 - (1u32 << log));
        let at = if first > 0 { self.b.ins().iadd_imm(index, i64::from(first)) } else { index };
        let per = 5 - log;
        let word = if per > 0 { self.b.ins().ushr_imm(at, i64::from(per)) } else { at };
        let word = self.b.ins().uextend(I64, word);
        let bytes = self.b.ins().ishl_imm(word, 2);
        let pointer = self.b.ins().iadd(base.pointer, bytes);
        let shift = if per > 0 {
            let inside = self.b.ins().band_imm(at, i64::from((1u32 << per) - 1));
            Some(self.b.ins().ishl_imm(inside, i64::from(log)))
        } else {
            None
        };
        (Bits { pointer, offset: base.offset, shift: 0, mask }, shift)
    }

    /// The bits of an element.
    fn load_element(&mut self, (f, shift): (Bits, Option<Value>)) -> Value {
        let mut w = self.b.ins().load(I32, PLAIN, f.pointer, f.offset);
        if let Some(shift) = shift {
            w = self.b.ins().ushr(w, shift);
            w = self.b.ins().band_imm(w, i64::from(f.mask));
        }
        w
    }

    fn store_element(&mut self, (f, shift): (Bits, Option<Value>), raw: Value) {
        let Some(shift) = shift else {
            self.b.ins().store(PLAIN, raw, f.pointer, f.offset);
            return;
        };
        let raw = self.b.ins().band_imm(raw, i64::from(f.mask));
        let raw = self.b.ins().ishl(raw, shift);
        let mask = self.iconst(f.mask as i32);
        let mask = self.b.ins().ishl(mask, shift);
        let w = self.b.ins().load(I32, PLAIN, f.pointer, f.offset);
        let w = self.b.ins().band_not(w, mask);
        let w = self.b.ins().bor(w, raw);
        self.b.ins().store(PLAIN, w, f.pointer, f.offset);
    }

    /// The answer to a question, if native code knows it.
    fn answer(&mut self, question: Question) -> Option<Value> {
        let offset = match (question, self.who) {
            (Question::Pid, Who::Nobody) => return Some(self.iconst(0)),
            (Question::Pid, Who::Other(_, pid)) => return Some(self.iconst(pid as i32)),
            (Question::Pid, _) => PID,
            (Question::Timeout, _) if self.later => return Some(self.iconst(0)),
            (Question::Timeout, _) => TIMEOUT,
            (Question::Processes, _) => PROCESSES,
            _ => return None,
        };
        match self.who {
            Who::Nobody => None,
            Who::Turn(turn) | Who::Other(turn, _) => Some(self.b.ins().load(I32, PLAIN, turn, offset)),
        }
    }

    /// Runs the code at `pc` over `words`, with a message that it may read and make. What cannot be decided here goes to
    /// `away`. Leaves the accumulator.
    pub fn run(&mut self, pc: u32, words: Words, message: &mut Vec<Value>, away: Block) -> Value {
        let listing = self.listing;
        let mut joins: BTreeMap<u32, Block> = BTreeMap::new();
        let mut stack: Vec<Value> = Vec::new();
        let mut acc = self.iconst(0);
        // After a jump nothing is made until somebody can come.
        let mut dead = false;
        let mut pc = pc;
        loop {
            if let Some(block) = joins.remove(&pc) {
                if !dead {
                    self.b.ins().jump(block, &[acc.into()]);
                }
                self.b.switch_to_block(block);
                acc = self.b.block_params(block)[0];
                dead = false;
            }
            let i = &listing.code[pc as usize];
            pc += 1;
            if dead {
                continue;
            }
            match i.op {
                Op::Return => return acc,
                Op::Jump => {
                    let target = self.join(&mut joins, i.mask);
                    self.b.ins().jump(target, &[acc.into()]);
                    dead = true;
                }
                Op::AndJump | Op::OrJump | Op::ImplyJump | Op::JumpZero => {
                    let target = self.join(&mut joins, i.mask);
                    let next = self.b.create_block();
                    let given = match i.op {
                        Op::AndJump => self.iconst(0),
                        Op::JumpZero => acc,
                        _ => self.iconst(1),
                    };
                    match i.op {
                        Op::OrJump => self.b.ins().brif(acc, target, &[given.into()], next, &[]),
                        _ => self.b.ins().brif(acc, next, &[], target, &[given.into()]),
                    };
                    self.b.switch_to_block(next);
                }
                _ => acc = self.instruction(i, acc, (words, &mut stack, message), away),
            }
        }
    }

    fn join(&mut self, joins: &mut BTreeMap<u32, Block>, pc: u32) -> Block {
        *joins.entry(pc).or_insert_with(|| {
            let block = self.b.create_block();
            self.b.append_block_param(block, I32);
            block
        })
    }

    /// An instruction that does not jump.
    fn instruction(
        &mut self,
        i: &Instr,
        acc: Value,
        (words, stack, message): (Words, &mut Vec<Value>, &mut Vec<Value>),
        away: Block,
    ) -> Value {
        let field = self.bits(words, i.word, i.shift.into(), i.mask);
        match i.op {
            Op::Const => self.iconst(i.k),
            Op::Load => self.field(field, i.k),
            Op::At => {
                let raw = self.load(field);
                let k = self.iconst(i.k);
                self.compare(IntCC::Equal, raw, k)
            }
            Op::LoadElement => {
                self.inside(acc, i.mask, away);
                let place = self.element(words, i, acc);
                let raw = self.load_element(place);
                self.plus(raw, i.k)
            }
            Op::Push => {
                stack.push(acc);
                acc
            }
            Op::Neg => self.b.ins().ineg(acc),
            Op::Complement => self.b.ins().bnot(acc),
            Op::Not => self.truth(IntCC::Equal, acc),
            Op::Bool => self.truth(IntCC::NotEqual, acc),
            Op::DivPop | Op::RemPop => {
                let a = popped(stack);
                self.divide(i.op == Op::DivPop, a, acc, away)
            }
            Op::DivConst | Op::RemConst => match (i.k, i.op) {
                // What the processor would stop at.
                (-1, Op::DivConst) => self.b.ins().ineg(acc),
                (-1, _) => self.iconst(0),
                (k, Op::DivConst) => self.b.ins().sdiv_imm(acc, i64::from(k)),
                (k, _) => self.b.ins().srem_imm(acc, i64::from(k)),
            },
            Op::ShlPop | Op::ShrPop => {
                self.inside(acc, 32, away);
                let a = popped(stack);
                if i.op == Op::ShlPop { self.b.ins().ishl(a, acc) } else { self.b.ins().sshr(a, acc) }
            }
            Op::ShlConst => self.b.ins().ishl_imm(acc, i64::from(i.k & 31)),
            Op::ShrConst => self.b.ins().sshr_imm(acc, i64::from(i.k & 31)),
            Op::StoreWrap => {
                let raw = self.plus(acc, i.k.wrapping_neg());
                let raw =
                    if i.mask == u32::MAX { raw } else { self.b.ins().band_imm(raw, i64::from(i.mask)) };
                self.store(field, raw);
                acc
            }
            Op::StoreFault => {
                let raw = self.within(acc, i, away);
                self.store(field, raw);
                acc
            }
            Op::Check => {
                self.within(acc, i, away);
                acc
            }
            Op::StoreElementWrap | Op::StoreElementFault => {
                let value = popped(stack);
                self.inside(acc, i.mask, away);
                let place = self.element(words, i, acc);
                let raw = self.plus(value, i.k.wrapping_neg());
                if i.op == Op::StoreElementFault {
                    self.at_most(raw, place.0.mask, away);
                }
                self.store_element(place, raw);
                acc
            }
            Op::CheckPushed => {
                let value = popped(stack);
                self.within(value, i, away);
                stack.push(value);
                acc
            }
            Op::WrapPushed => {
                let value = popped(stack);
                let raw = self.plus(value, i.k.wrapping_neg());
                let raw = self.b.ins().band_imm(raw, i64::from(i.mask));
                let value = self.plus(raw, i.k);
                stack.push(value);
                acc
            }
            Op::Set => {
                self.set(field, i.k as u32);
                acc
            }
            Op::ToMessage => {
                // Values are made as they are; the channel cuts them.
                let at = usize::from(i.first);
                let zero = self.iconst(0);
                message.resize(message.len().max(at + 1), zero);
                message[at] = acc;
                acc
            }
            Op::FromMessage => message[usize::from(i.first)],
            Op::Ask => match self.answer(self.listing.questions[i.k as usize]) {
                Some(answer) => answer,
                None => {
                    self.leave(away);
                    acc
                }
            },
            Op::Bound => {
                self.inside(acc, i.mask, away);
                acc
            }
            Op::Assert => {
                self.when(acc, away);
                acc
            }
            Op::Return | Op::Jump | Op::JumpZero | Op::AndJump | Op::OrJump | Op::ImplyJump => acc,
            op => self.operator(op, i, acc, words, stack),
        }
    }

    /// Goes away in any case; what follows is made, but not reached. The compiler must not know that: it has trouble with
    /// variables that are stored to where nobody comes. So it is asked whether there are processes.
    fn leave(&mut self, away: Block) {
        match self.who {
            Who::Turn(turn) | Who::Other(turn, _) => {
                let processes = self.b.ins().load(I32, PLAIN, turn, PROCESSES);
                self.unless(processes, away);
            }
            Who::Nobody => {
                self.b.ins().jump(away, &[]);
                let next = self.b.create_block();
                self.b.switch_to_block(next);
            }
        }
    }

    fn operator(&mut self, op: Op, i: &Instr, acc: Value, words: Words, stack: &mut Vec<Value>) -> Value {
        macro_rules! forms {
            ($($pop:ident $imm:ident $field:ident $what:expr;)*) => {
                match op {
                    $(Op::$pop => { let a = popped(stack); $what(self, a, acc) })*
                    $(Op::$imm => { let k = self.iconst(i.k); $what(self, acc, k) })*
                    $(Op::$field => {
                        let field = self.bits(words, i.word, i.shift.into(), i.mask);
                        let right = self.field(field, i.k);
                        $what(self, acc, right)
                    })*
                    _ => acc,
                }
            };
        }
        forms! {
            AddPop AddConst AddField |c: &mut Self, a, b| c.b.ins().iadd(a, b);
            SubPop SubConst SubField |c: &mut Self, a, b| c.b.ins().isub(a, b);
            MulPop MulConst MulField |c: &mut Self, a, b| c.b.ins().imul(a, b);
            BitAndPop BitAndConst BitAndField |c: &mut Self, a, b| c.b.ins().band(a, b);
            BitOrPop BitOrConst BitOrField |c: &mut Self, a, b| c.b.ins().bor(a, b);
            BitXorPop BitXorConst BitXorField |c: &mut Self, a, b| c.b.ins().bxor(a, b);
            EqPop EqConst EqField |c: &mut Self, a, b| c.compare(IntCC::Equal, a, b);
            NePop NeConst NeField |c: &mut Self, a, b| c.compare(IntCC::NotEqual, a, b);
            LtPop LtConst LtField |c: &mut Self, a, b| c.compare(IntCC::SignedLessThan, a, b);
            LePop LeConst LeField |c: &mut Self, a, b| c.compare(IntCC::SignedLessThanOrEqual, a, b);
            GtPop GtConst GtField |c: &mut Self, a, b| c.compare(IntCC::SignedGreaterThan, a, b);
            GePop GeConst GeField |c: &mut Self, a, b| c.compare(IntCC::SignedGreaterThanOrEqual, a, b);
        }
    }

    fn field(&mut self, field: Bits, min: i32) -> Value {
        let raw = self.load(field);
        self.plus(raw, min)
    }

    fn plus(&mut self, v: Value, k: i32) -> Value {
        if k == 0 { v } else { self.b.ins().iadd_imm(v, i64::from(k)) }
    }

    fn truth(&mut self, cc: IntCC, v: Value) -> Value {
        let zero = self.iconst(0);
        self.compare(cc, v, zero)
    }

    /// Goes away unless `index` is in `0..len`.
    fn inside(&mut self, index: Value, len: u32, away: Block) {
        let k = self.iconst(len as i32);
        let wrong = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, k);
        self.unless(wrong, away);
    }

    fn at_most(&mut self, raw: Value, most: u32, away: Block) {
        if most < u32::MAX {
            let k = self.iconst(most as i32);
            let wrong = self.b.ins().icmp(IntCC::UnsignedGreaterThan, raw, k);
            self.unless(wrong, away);
        }
    }

    /// The distance of a value from the smallest of a domain, if it is in it.
    fn within(&mut self, value: Value, i: &Instr, away: Block) -> Value {
        let raw = self.plus(value, i.k.wrapping_neg());
        self.at_most(raw, i.mask, away);
        raw
    }

    fn divide(&mut self, quotient: bool, a: Value, b: Value, away: Block) -> Value {
        self.when(b, away);
        // The processor would stop at the smallest number by -1.
        let minus = self.iconst(-1);
        let special = self.b.ins().icmp(IntCC::Equal, b, minus);
        let one = self.iconst(1);
        let by = self.b.ins().select(special, one, b);
        if quotient {
            let plain = self.b.ins().sdiv(a, by);
            let negated = self.b.ins().ineg(a);
            self.b.ins().select(special, negated, plain)
        } else {
            self.b.ins().srem(a, by)
        }
    }
}

fn popped(stack: &mut Vec<Value>) -> Value {
    stack.pop().expect("verified bytecode keeps its stack")
}
