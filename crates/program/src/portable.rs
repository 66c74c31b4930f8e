//! States as words that mean the same in every run, on every machine.
//!
//! A state tells its processes by the number of a shape, and numbers are given in the order in which shapes occur. A
//! portable state names the types instead. Whoever runs the same program can read it.

use crate::head::{Failed, Head};
use crate::interp::Interpreter;

/// The state after a run-time error, and after a message that a trace does not allow.
const FAULT: u32 = 0;
const EVENT: u32 = 1;
/// Any other: who holds control, how many processes there are, their types, and then the words behind the head.
const STATE: u32 = 2;

impl Interpreter {
    /// Are states portable as they are? So they are where the processes are always the same.
    pub fn is_portable(&self) -> bool {
        matches!(self.head, Head::Known { .. })
    }

    /// A state in portable words.
    pub fn export(&self, s: &[u32]) -> Vec<u32> {
        match self.head.failed(s) {
            Some(Failed::Fault) => return vec![FAULT],
            Some(Failed::Event) => return vec![EVENT],
            None => {}
        }
        let shape = self.shape(s);
        let mut words = vec![STATE, self.head.holder(s), shape.processes.len() as u32];
        words.extend(shape.processes.iter().map(|&(of, _)| of));
        words.extend_from_slice(&s[self.head_words()..shape.words as usize]);
        words
    }

    /// The state that was told in portable words; none if this program has no such state.
    pub fn import(&self, words: &[u32]) -> Option<Vec<u32>> {
        let (&kind, rest) = words.split_first()?;
        if kind != STATE {
            let how = if kind == FAULT { Failed::Fault } else { Failed::Event };
            let mut s = vec![0; self.words];
            let len = self.head.fail(&mut s, how);
            s.truncate(len);
            return (kind <= EVENT && rest.is_empty()).then_some(s);
        }
        let [holder, count, rest @ ..] = rest else { return None };
        let (types, rest) = rest.split_at_checked(*count as usize)?;
        if *holder > *count || types.iter().any(|&of| of as usize >= self.types.len()) {
            return None;
        }
        let grown = types.iter().try_fold(0, |shape, &of| self.shapes.child(shape, of, &self.frames).ok());
        let shape = grown?;
        let len = self.shapes.get(shape).words as usize;
        let mut s = vec![0; self.head_words()];
        s.extend_from_slice(rest);
        let fits = match self.head {
            Head::Word => s.len() == len,
            Head::Known { shape: only, .. } => s.len() == len && shape == only && *holder == 0,
        };
        if !fits {
            return None;
        }
        self.head.set_shape(&mut s[..], shape);
        self.head.hold(&mut s[..], *holder);
        (!self.is_fault(&s)).then_some(s)
    }

    fn head_words(&self) -> usize {
        usize::from(matches!(self.head, Head::Word))
    }
}
