//! What a state tells before its variables: which processes there are, who holds control, and whether the run has failed.
//!
//! That is one word: the number of the [shape](crate::shape), and in the upper eight bits one more than the pid of the
//! holder. In the fault state it is all ones, and nothing follows it.
//!
//! Where all processes are there from the start, none ends and none keeps control, there is nothing to tell and no such
//! word. The first process has a location more than it needs, or two: in the fault state it is there, and everything else
//! is zero.

use crate::form::{Program, Statement};
use crate::layout::Field;
use crate::memory::{Reader, Writer};

/// How a run has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failed {
    /// By a run-time error.
    Fault,
    /// By a message that the trace does not allow.
    Event,
}

/// The fault state of a program whose states have a head; one less after what a trace does not allow.
const FAULT: u32 = u32::MAX;
/// The bits of the shape.
const SHAPE: u32 = 0xff_ffff;
/// The first bit of the holder.
pub const HOLDER: u32 = 24;

/// Where a state keeps this.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Head {
    /// In its first word.
    Word,
    /// Nowhere: all states have one shape. The fault state has this value in this field, or one more.
    Known {
        /// The shape.
        shape: u32,
        /// The words of a state.
        words: u32,
        /// The location of the first process.
        marker: Field,
        /// In the fault state.
        fault: u32,
    },
}

/// Is all that a head tells the same in all states?
pub(crate) fn is_known(program: &Program) -> bool {
    let ends = program.statements().any(|s| matches!(s, Statement::Run { .. } | Statement::Exit));
    let keeps = program.processes.iter().flat_map(|p| &p.edges).any(|e| e.keeps);
    !program.start.is_empty() && !ends && !keeps
}

impl Head {
    /// The number of the shape.
    #[inline]
    pub fn shape(&self, s: impl Reader) -> u32 {
        match self {
            Head::Word => s.field(0, 0, SHAPE),
            Head::Known { shape, .. } => *shape,
        }
    }

    /// Changes the shape.
    #[inline]
    pub fn set_shape(&self, s: &mut (impl Writer + ?Sized), shape: u32) {
        if let Head::Word = self {
            s.put(0, 0, SHAPE, shape);
        }
    }

    /// One more than the pid of the holder, 0 if control is free. The run has not failed.
    #[inline]
    pub fn holder(&self, s: impl Reader) -> u32 {
        match self {
            Head::Word => s.field(0, HOLDER, 0xff),
            Head::Known { .. } => 0,
        }
    }

    /// Gives control to one less than `holder`, or frees it.
    #[inline]
    pub fn hold(&self, s: &mut (impl Writer + ?Sized), holder: u32) {
        if let Head::Word = self {
            s.put(0, HOLDER, 0xff, holder);
        }
    }

    /// Has the run failed?
    #[inline]
    pub fn is_fault(&self, s: &[u32]) -> bool {
        match self {
            Head::Word => s[0] >= FAULT - 1,
            Head::Known { marker, fault, .. } => marker.raw(s) >= *fault,
        }
    }

    /// How the run has failed.
    pub fn failed(&self, s: &[u32]) -> Option<Failed> {
        let event = match self {
            Head::Word => s[0] == FAULT - 1,
            Head::Known { marker, fault, .. } => marker.raw(s) == fault + 1,
        };
        self.is_fault(s).then_some(if event { Failed::Event } else { Failed::Fault })
    }

    /// Makes it the fault state, of which this is the length.
    pub fn fail(&self, s: &mut [u32], how: Failed) -> usize {
        let event = u32::from(how == Failed::Event);
        match *self {
            Head::Word => {
                s[0] = FAULT - event;
                1
            }
            Head::Known { words, marker, fault, .. } => {
                s[..words as usize].fill(0);
                marker.store(s, (fault + event) as i32);
                words as usize
            }
        }
    }
}
