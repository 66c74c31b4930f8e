//! The states of a program, for other processes.

use riata_cluster::{AsTheyAre, Portable};
use riata_program::Interpreter;
use riata_system::System;

/// The states of a program, for others.
pub struct States<'a>(pub &'a Interpreter);

impl Portable for States<'_> {
    fn export(&self, s: &[u32], out: &mut Vec<u32>) {
        if self.0.is_portable() {
            return AsTheyAre { most: self.0.words() }.export(s, out);
        }
        *out = self.0.export(s);
    }

    fn import(&self, words: &[u32], out: &mut Vec<u32>) -> bool {
        if self.0.is_portable() {
            return AsTheyAre { most: self.0.words() }.import(words, out);
        }
        self.0.import(words).map(|s| *out = s).is_some()
    }
}

impl States<'_> {
    /// What tells the program apart from others.
    pub fn text(&self) -> String {
        riata_program::print(self.0.program())
    }
}
