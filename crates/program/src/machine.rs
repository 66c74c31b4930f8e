//! The machine that runs bytecode: an accumulator, a small value stack, and the words of a state.
//!
//! An instruction has its operands inside: the common forms "accumulator, operator, field" and "accumulator,
//! operator, constant" are one instruction each. The stack holds left operands only where the right one is not a
//! leaf; how deep it gets is known when code is generated.

use crate::layout::{ArrayField, Field};
use riata_source::Span;

/// A run-time error of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A divisor was zero.
    DivisionByZero,
    /// An index was outside its array.
    IndexOutOfRange {
        /// The index.
        index: i32,
        /// The number of elements.
        len: u32,
    },
    /// A value was outside the domain of the variable it was to be stored to.
    ValueOutOfRange {
        /// The value.
        value: i32,
    },
    /// A shift count was outside `0..32`.
    ShiftOutOfRange {
        /// The count.
        count: i32,
    },
    /// Two processes wrote the same shared variable in one lockstep.
    ConflictingWrites,
    /// An assertion was zero.
    AssertionFailed,
    /// A process was to be created, and there were as many as there can be.
    TooManyProcesses,
    /// A channel was to be created, and there were as many as there can be.
    TooManyChannels,
    /// A state would have more words than are supported.
    StateTooLarge,
    /// A channel was used that was not created, or is no more.
    NoSuchChannel {
        /// Its number.
        channel: i32,
    },
    /// A message had another number of values than the channel's messages have.
    WrongMessage {
        /// How many it had.
        given: u32,
        /// How many the channel's messages have.
        wanted: u32,
    },
    /// A rendezvous channel was polled, or a message copied from it: there is none in it, ever.
    PollsRendezvous,
    /// A process was named that does not exist, or is of another type.
    NoSuchProcess {
        /// Its pid.
        pid: i32,
    },
    /// A deterministic step could not go on.
    BlockedInStep,
    /// A deterministic step did not end.
    EndlessStep,
    /// An atomic sequence did not end, and could not.
    EndlessAtomic,
    /// A rendezvous was tried inside a deterministic step.
    RendezvousInStep,
    /// A process asked whether it can itself move.
    OwnEnabledness,
    /// A message was sent or received that the monitor cannot take.
    EventUnexpected,
    /// The monitor can take a message in two ways.
    EventAmbiguous,
    /// All messages came that the monitor says must not come.
    EventsMatched,
}

impl Fault {
    /// Is it about what a monitor says?
    pub fn is_event(self) -> bool {
        matches!(self, Fault::EventUnexpected | Fault::EventAmbiguous | Fault::EventsMatched)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::DivisionByZero => write!(f, "division by zero"),
            Fault::IndexOutOfRange { index, len } => {
                write!(f, "index {index} is outside an array of {len} elements")
            }
            Fault::ValueOutOfRange { value } => {
                write!(f, "value {value} is outside the range of the variable")
            }
            Fault::ShiftOutOfRange { count } => write!(f, "shift by {count}"),
            Fault::ConflictingWrites => write!(f, "two processes write the same variable in one step"),
            Fault::AssertionFailed => write!(f, "assertion violated"),
            Fault::TooManyProcesses => write!(f, "more than 255 processes"),
            Fault::TooManyChannels => write!(f, "more than 255 channels"),
            Fault::StateTooLarge => write!(f, "the state is too large"),
            Fault::NoSuchChannel { channel: 0 } => write!(f, "the channel is not initialised"),
            Fault::NoSuchChannel { channel } => write!(f, "there is no channel {channel}"),
            Fault::WrongMessage { given, wanted } => {
                write!(f, "a message of {given} values in a channel whose messages have {wanted}")
            }
            Fault::PollsRendezvous => write!(f, "a rendezvous channel cannot be polled"),
            Fault::NoSuchProcess { pid } => write!(f, "there is no process {pid} of this type"),
            Fault::BlockedInStep => write!(f, "a statement inside d_step is not executable"),
            Fault::EndlessStep => write!(f, "a d_step does not end"),
            Fault::EndlessAtomic => write!(f, "an atomic sequence never ends"),
            Fault::RendezvousInStep => write!(f, "a rendezvous inside d_step"),
            Fault::OwnEnabledness => write!(f, "a process asks whether it is itself enabled"),
            Fault::EventUnexpected => write!(f, "the trace expects another message"),
            Fault::EventAmbiguous => write!(f, "the trace can take this message in two ways"),
            Fault::EventsMatched => write!(f, "all messages of the notrace have come"),
        }
    }
}

/// A fault and where it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trap {
    pub fault: Fault,
    pub span: Span,
}

/// An instruction. What the operands mean depends on the operation.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Copy, Debug)]
pub struct Instr {
    pub op: Op,
    /// The lowest bit of a field, or the logarithm of the width of an array's elements.
    pub shift: u8,
    /// The number of an array's first element in its word, or of a value in a message.
    pub first: u16,
    /// The word.
    pub word: u32,
    /// The mask of a field, the length of an array, or a jump target.
    pub mask: u32,
    /// The smallest value of a domain, or a constant.
    pub k: i32,
}

/// The words that code reads and writes.
pub(crate) trait Memory {
    fn word(&self, i: u32) -> u32;
    fn set(&mut self, i: u32, w: u32);
    /// The bits of a field.
    #[inline(always)]
    fn field(&self, word: u32, shift: u32, mask: u32) -> u32 {
        (self.word(word) >> shift) & mask
    }
    /// Are the bits of a field these?
    #[inline(always)]
    fn is(&self, word: u32, shift: u32, mask: u32, raw: u32) -> bool {
        self.field(word, shift, mask) == raw
    }
    /// Stores the bits of a field.
    #[inline(always)]
    fn put(&mut self, word: u32, shift: u32, mask: u32, raw: u32) {
        let w = self.word(word);
        self.set(word, w & !(mask << shift) | (raw & mask) << shift);
    }
    /// What is not in the words at known places: the answer to question number `question`.
    fn ask(&mut self, question: u32, operand: i32) -> Result<i32, Fault>;
    /// An assertion is violated: is that a fault?
    fn violated(&mut self) -> bool;
}

/// The deepest value stack.
pub(crate) const DEEPEST: usize = 1024;
/// The usual one.
pub(crate) const SHALLOW: usize = 12;

#[inline(always)]
fn load(m: &impl Memory, i: &Instr) -> i32 {
    (m.field(i.word, i.shift.into(), i.mask) as i32).wrapping_add(i.k)
}

/// What code leaves that does no more than to load a variable, or to tell a channel by a place in a row of them.
#[inline]
pub(crate) fn loaded(code: &[Instr], pc: u32, m: &impl Memory) -> Option<i32> {
    let [first, second, rest @ ..] = code.get(pc as usize..)? else { return None };
    if first.op != Op::Load {
        return None;
    }
    let value = load(m, first);
    match (second.op, rest) {
        (Op::Return, _) => Some(value),
        (Op::Bound, [add, end, ..]) if add.op == Op::AddConst && end.op == Op::Return => {
            ((value as u32) < second.mask).then(|| value.wrapping_add(add.k))
        }
        _ => None,
    }
}

/// The word, shift and mask of an array element.
#[inline(always)]
fn element(i: &Instr, index: i32) -> Result<(u32, u32, u32), Fault> {
    if index as u32 >= i.mask {
        return Err(Fault::IndexOutOfRange { index, len: i.mask });
    }
    let at = index as u32 + u32::from(i.first);
    let per = 5 - u32::from(i.shift);
    let width = 1u32 << i.shift;
    Ok((i.word + (at >> per), (at & ((1 << per) - 1)) << i.shift, u32::MAX >> (32 - width)))
}

/// Defines the operations that have three forms, and the machine's loop.
macro_rules! machine {
    ($($pop:ident $imm:ident $field:ident |$a:ident, $b:ident| $body:expr;)*) => {
        /// Operations.
        #[allow(missing_docs, reason = "names say it")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Op {
            /// Ends; the accumulator is the result.
            Return,
            Const,
            Load,
            LoadElement,
            /// 1 if the field is the constant.
            At,
            Push,
            Neg,
            Complement,
            Not,
            Bool,
            /// If zero: 0, and jump.
            AndJump,
            /// If not zero: 1, and jump.
            OrJump,
            /// If zero: 1, and jump.
            ImplyJump,
            DivPop,
            RemPop,
            ShlPop,
            ShrPop,
            /// By a constant that is not zero.
            DivConst,
            RemConst,
            /// By a constant in `0..32`.
            ShlConst,
            ShrConst,
            StoreWrap,
            /// For a full domain: faults on other values.
            StoreFault,
            /// Faults if the accumulator is not in `k..=k + mask`.
            Check,
            /// The index is in the accumulator, the value on the stack.
            StoreElementWrap,
            StoreElementFault,
            /// As `Check`, for the value on the stack.
            CheckPushed,
            /// Wraps the value on the stack to `k..=k + mask`.
            WrapPushed,
            /// Stores the raw constant.
            Set,
            /// Keeps a value of a message, wrapped.
            ToMessage,
            FromMessage,
            /// Asks question `k` about the accumulator.
            Ask,
            /// Faults if the accumulator is not in `0..mask`.
            Bound,
            Jump,
            /// If zero: jump.
            JumpZero,
            /// Faults if zero.
            Assert,
            $(
                /// The left operand is on the stack.
                $pop,
                /// The right operand is a constant.
                $imm,
                /// The right operand is a field.
                $field,
            )*
        }

        /// Runs the code at `pc` until it returns.
        #[inline]
        pub(crate) fn run<const N: usize, M: Memory>(
            code: &[Instr],
            pc: u32,
            m: &mut M,
            message: &mut [i32],
        ) -> Result<i32, (Fault, u32)> {
            let mut stack = [0i32; N];
            let mut top = 0usize;
            let mut acc = 0i32;
            let mut pc = pc as usize;
            loop {
                let i = &code[pc];
                let fault = |fault| Err((fault, pc as u32));
                match i.op {
                    Op::Return => return Ok(acc),
                    Op::Const => acc = i.k,
                    Op::Load => acc = load(m, i),
                    Op::LoadElement => match element(i, acc) {
                        Ok((word, shift, mask)) => acc = (m.field(word, shift, mask) as i32).wrapping_add(i.k),
                        Err(f) => return fault(f),
                    },
                    Op::At => acc = i32::from(m.is(i.word, i.shift.into(), i.mask, i.k as u32)),
                    Op::Push => {
                        stack[top] = acc;
                        top += 1;
                    }
                    Op::Neg => acc = acc.wrapping_neg(),
                    Op::Complement => acc = !acc,
                    Op::Not => acc = i32::from(acc == 0),
                    Op::Bool => acc = i32::from(acc != 0),
                    Op::AndJump => if acc == 0 {
                        pc = i.mask as usize;
                        continue;
                    },
                    Op::OrJump => if acc != 0 {
                        acc = 1;
                        pc = i.mask as usize;
                        continue;
                    },
                    Op::ImplyJump => if acc == 0 {
                        acc = 1;
                        pc = i.mask as usize;
                        continue;
                    },
                    Op::DivPop | Op::RemPop => {
                        top -= 1;
                        if acc == 0 {
                            return fault(Fault::DivisionByZero);
                        }
                        let a = stack[top];
                        acc = if i.op == Op::DivPop { a.wrapping_div(acc) } else { a.wrapping_rem(acc) };
                    }
                    Op::ShlPop | Op::ShrPop => {
                        top -= 1;
                        if acc as u32 >= 32 {
                            return fault(Fault::ShiftOutOfRange { count: acc });
                        }
                        acc = if i.op == Op::ShlPop { stack[top] << acc } else { stack[top] >> acc };
                    }
                    Op::DivConst => acc = acc.wrapping_div(i.k),
                    Op::RemConst => acc = acc.wrapping_rem(i.k),
                    Op::ShlConst => acc = acc.wrapping_shl(i.k as u32),
                    Op::ShrConst => acc = acc.wrapping_shr(i.k as u32),
                    Op::StoreWrap => m.put(i.word, i.shift.into(), i.mask, acc.wrapping_sub(i.k) as u32),
                    Op::StoreFault => {
                        let raw = acc.wrapping_sub(i.k) as u32;
                        if raw > i.mask {
                            return fault(Fault::ValueOutOfRange { value: acc });
                        }
                        m.put(i.word, i.shift.into(), i.mask, raw);
                    }
                    Op::Check => if acc.wrapping_sub(i.k) as u32 > i.mask {
                        return fault(Fault::ValueOutOfRange { value: acc });
                    },
                    Op::StoreElementWrap | Op::StoreElementFault => {
                        top -= 1;
                        let value = stack[top];
                        match element(i, acc) {
                            Ok((word, shift, mask)) => {
                                let raw = value.wrapping_sub(i.k) as u32;
                                if i.op == Op::StoreElementFault && raw > mask {
                                    return fault(Fault::ValueOutOfRange { value });
                                }
                                m.put(word, shift, mask, raw);
                            }
                            Err(f) => return fault(f),
                        }
                    }
                    Op::CheckPushed => {
                        let value = stack[top - 1];
                        if value.wrapping_sub(i.k) as u32 > i.mask {
                            return fault(Fault::ValueOutOfRange { value });
                        }
                    }
                    Op::WrapPushed => {
                        let raw = stack[top - 1].wrapping_sub(i.k) as u32 & i.mask;
                        stack[top - 1] = (raw as i32).wrapping_add(i.k);
                    }
                    Op::Set => m.put(i.word, i.shift.into(), i.mask, i.k as u32),
                    Op::ToMessage => {
                        let raw = acc.wrapping_sub(i.k) as u32 & i.mask;
                        message[usize::from(i.first)] = (raw as i32).wrapping_add(i.k);
                    }
                    Op::FromMessage => acc = message[usize::from(i.first)],
                    Op::Ask => match m.ask(i.k as u32, acc) {
                        Ok(answer) => acc = answer,
                        Err(f) => return fault(f),
                    },
                    Op::Bound => if acc as u32 >= i.mask {
                        return fault(Fault::IndexOutOfRange { index: acc, len: i.mask });
                    },
                    Op::Jump => {
                        pc = i.mask as usize;
                        continue;
                    }
                    Op::JumpZero => if acc == 0 {
                        pc = i.mask as usize;
                        continue;
                    },
                    Op::Assert => if acc == 0 && m.violated() {
                        return fault(Fault::AssertionFailed);
                    },
                    $(
                        Op::$pop => {
                            top -= 1;
                            let ($a, $b) = (stack[top], acc);
                            acc = $body;
                        }
                        Op::$imm => {
                            let ($a, $b) = (acc, i.k);
                            acc = $body;
                        }
                        Op::$field => {
                            let ($a, $b) = (acc, load(m, i));
                            acc = $body;
                        }
                    )*
                }
                pc += 1;
            }
        }
    };
}

machine! {
    AddPop AddConst AddField |a, b| a.wrapping_add(b);
    SubPop SubConst SubField |a, b| a.wrapping_sub(b);
    MulPop MulConst MulField |a, b| a.wrapping_mul(b);
    BitAndPop BitAndConst BitAndField |a, b| a & b;
    BitOrPop BitOrConst BitOrField |a, b| a | b;
    BitXorPop BitXorConst BitXorField |a, b| a ^ b;
    EqPop EqConst EqField |a, b| i32::from(a == b);
    NePop NeConst NeField |a, b| i32::from(a != b);
    LtPop LtConst LtField |a, b| i32::from(a < b);
    LePop LeConst LeField |a, b| i32::from(a <= b);
    GtPop GtConst GtField |a, b| i32::from(a > b);
    GePop GeConst GeField |a, b| i32::from(a >= b);
}

/// The three forms of an operator.
pub(crate) struct Forms {
    pub pop: Op,
    /// With a constant for which it cannot fault.
    pub constant: Op,
    pub field: Option<Op>,
}

/// The forms of `op`; none for those that jump.
pub(crate) fn forms(op: crate::Binary) -> Option<Forms> {
    use crate::Binary as B;
    let (pop, constant, field) = match op {
        B::Add => (Op::AddPop, Op::AddConst, Some(Op::AddField)),
        B::Sub => (Op::SubPop, Op::SubConst, Some(Op::SubField)),
        B::Mul => (Op::MulPop, Op::MulConst, Some(Op::MulField)),
        B::BitAnd => (Op::BitAndPop, Op::BitAndConst, Some(Op::BitAndField)),
        B::BitOr => (Op::BitOrPop, Op::BitOrConst, Some(Op::BitOrField)),
        B::BitXor => (Op::BitXorPop, Op::BitXorConst, Some(Op::BitXorField)),
        B::Eq => (Op::EqPop, Op::EqConst, Some(Op::EqField)),
        B::Ne => (Op::NePop, Op::NeConst, Some(Op::NeField)),
        B::Lt => (Op::LtPop, Op::LtConst, Some(Op::LtField)),
        B::Le => (Op::LePop, Op::LeConst, Some(Op::LeField)),
        B::Gt => (Op::GtPop, Op::GtConst, Some(Op::GtField)),
        B::Ge => (Op::GePop, Op::GeConst, Some(Op::GeField)),
        B::Div => (Op::DivPop, Op::DivConst, None),
        B::Rem => (Op::RemPop, Op::RemConst, None),
        B::Shl => (Op::ShlPop, Op::ShlConst, None),
        B::Shr => (Op::ShrPop, Op::ShrConst, None),
        B::And | B::Or | B::Imply => return None,
    };
    Some(Forms { pop, constant, field })
}

/// An expression that nests too deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep {
    /// Where it is.
    pub span: Span,
}

pub(crate) fn instr(op: Op) -> Instr {
    Instr { op, shift: 0, first: 0, word: 0, mask: 0, k: 0 }
}

pub(crate) fn field(op: Op, f: Field) -> Instr {
    Instr { op, shift: f.shift, first: 0, word: f.word, mask: f.mask, k: f.min }
}

pub(crate) fn array(op: Op, a: ArrayField) -> Instr {
    Instr { op, shift: a.log, first: a.first, word: a.word, mask: a.len, k: a.min }
}
