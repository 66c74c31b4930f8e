//! Choices from a tape of numbers. A shorter tape with smaller numbers makes a simpler program, so that a failing
//! program shrinks with its tape.

/// What is left of a tape.
pub struct Tape<'t> {
    left: std::slice::Iter<'t, u16>,
}

impl<'t> Tape<'t> {
    pub fn new(tape: &'t [u16]) -> Self {
        Tape { left: tape.iter() }
    }

    /// A number less than `n`; 0 at the end of the tape.
    pub fn below(&mut self, n: usize) -> usize {
        usize::from(self.left.next().copied().unwrap_or(0)) % n.max(1)
    }

    /// True once in `n`.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) + 1 == n
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}
