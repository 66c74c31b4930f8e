//! States on their way from one part to another.
//!
//! A letter holds some thousand words, so a box is locked once for hundreds of states. Its words are written and read in a row, which
//! is what comes from one core to another with the least delay.

use super::parts::At;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// States in a row; a state tells its own length.
pub(super) struct Letter<K> {
    /// Those that a key stands for.
    pub keys: Vec<K>,
    pub words: Vec<u32>,
    /// The length of each, as long as all have the same.
    pub alike: Option<usize>,
    /// How many states there are in words.
    pub states: u32,
    /// Who wants to know whether his state is new: the number of the state in this letter, and from which state it was reached.
    pub asks: Vec<(u32, At)>,
}

impl<K> Default for Letter<K> {
    fn default() -> Self {
        Letter { keys: Vec::new(), words: Vec::new(), alike: None, states: 0, asks: Vec::new() }
    }
}

impl<K> Letter<K> {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.states as usize + self.keys.len()
    }

    /// How many words it takes.
    pub fn size(&self) -> usize {
        self.words.len() + self.keys.len() * size_of::<K>() / 4
    }

    #[inline]
    pub fn add(&mut self, s: &[u32], asks: Option<At>) {
        if let Some(source) = asks {
            self.asks.push((self.states, source));
        }
        self.alike =
            if self.states == 0 { Some(s.len()) } else { self.alike.filter(|&length| length == s.len()) };
        riata_memory::append(&mut self.words, s);
        self.states += 1;
    }

    pub fn clear(&mut self) {
        self.keys.clear();
        self.words.clear();
        self.asks.clear();
        self.states = 0;
    }
}

/// The letters to one part. On cache lines of its own.
#[repr(align(128))]
pub(super) struct Mailbox<K> {
    /// How many there are, for a look without the lock.
    waiting: AtomicUsize,
    letters: Mutex<Vec<Letter<K>>>,
}

impl<K> Default for Mailbox<K> {
    fn default() -> Self {
        Mailbox { waiting: AtomicUsize::new(0), letters: Mutex::default() }
    }
}

impl<K> Mailbox<K> {
    pub fn put(&self, letter: Letter<K>) {
        let mut letters = self.letters.lock().unwrap_or_else(PoisonError::into_inner);
        letters.push(letter);
        self.waiting.store(letters.len(), Ordering::Release);
    }

    #[inline]
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Acquire)
    }

    /// Takes all letters, in exchange for an empty list.
    pub fn take(&self, empty: &mut Vec<Letter<K>>) {
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
