//! States on their way from one part to another.
//!
//! A letter holds some thousand words, so a box is locked once for hundreds of states. Its words are written and read in a row, which
//! is what comes from one core to another with the least delay.

use super::parts::At;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// States in a row; a state tells its own length.
#[derive(Default)]
pub(super) struct Letter {
    pub words: Vec<u32>,
    /// How many states there are.
    pub states: u32,
    /// Who wants to know whether his state is new: the number of the state in this letter, and from which state it was reached.
    pub asks: Vec<(u32, At)>,
}

impl Letter {
    #[inline]
    pub fn add(&mut self, s: &[u32], asks: Option<At>) {
        if let Some(source) = asks {
            self.asks.push((self.states, source));
        }
        riata_memory::append(&mut self.words, s);
        self.states += 1;
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.asks.clear();
        self.states = 0;
    }
}

/// The letters to one part. On cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Mailbox {
    /// How many there are, for a look without the lock.
    waiting: AtomicUsize,
    letters: Mutex<Vec<Letter>>,
}

impl Mailbox {
    pub fn put(&self, letter: Letter) {
        let mut letters = self.letters.lock().unwrap_or_else(PoisonError::into_inner);
        letters.push(letter);
        self.waiting.store(letters.len(), Ordering::Release);
    }

    #[inline]
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Acquire)
    }

    /// Takes all letters, in exchange for an empty list.
    pub fn take(&self, empty: &mut Vec<Letter>) {
        let mut letters = self.letters.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut *letters, empty);
        self.waiting.store(letters.len(), Ordering::Release);
    }
}

/// Waits a little, and longer if it goes on.
#[derive(Default)]
pub(super) struct Patience(u32);

impl Patience {
    pub fn wait(&mut self) {
        if self.0 < 64 {
            self.0 += 1;
            std::hint::spin_loop();
        } else {
            thread::yield_now();
        }
    }
}
