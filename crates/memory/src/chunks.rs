//! Arrays that grow behind a shared reference: by chunks, each twice as long as the one before, that never move.

use crate::{Once, advise};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

/// The first chunk has so many rows.
const FIRST: usize = 1 << 10;
/// Enough for more than 2^40 rows.
const CHUNKS: usize = 31;

mod sealed {
    pub trait Sealed {}
}

/// What can be in such an array: a number that many threads may read and write.
pub trait Cell: sealed::Sealed + Sized + Send + Sync {
    /// So many zeros, in memory that is not touched before it is used.
    fn zeros(n: usize) -> Box<[Self]>;
}

macro_rules! cell {
    ($atomic:ty, $plain:ty) => {
        impl sealed::Sealed for $atomic {}

        impl Cell for $atomic {
            fn zeros(n: usize) -> Box<[Self]> {
                const { assert!(size_of::<$atomic>() == size_of::<$plain>()) };
                const { assert!(align_of::<$atomic>() == align_of::<$plain>()) };
                let zeros: Vec<$plain> = vec![0; n];
                advise(&zeros);
                let raw = Box::into_raw(zeros.into_boxed_slice());
                // SAFETY: an atomic has the size and the bit validity of its plain type, and its alignment here, as
                // asserted above; the box is the only owner of the memory.
                unsafe { Box::from_raw(raw as *mut [$atomic]) }
            }
        }
    };
}

cell!(AtomicU8, u8);
cell!(AtomicU32, u32);
#[cfg(target_pointer_width = "64")]
cell!(AtomicU64, u64);

/// Rows of `width` numbers, all zero at first. A row is in memory when somebody has asked for it, or for one near it.
pub struct Chunks<T> {
    width: usize,
    chunks: [Once<Box<[T]>>; CHUNKS],
}

/// The chunk of a row, and its place there.
#[inline]
fn place(row: usize) -> (usize, usize) {
    let shifted = row + FIRST;
    let chunk = (shifted / FIRST).ilog2() as usize;
    (chunk, shifted - (FIRST << chunk))
}

impl<T: Cell> Chunks<T> {
    /// Rows of so many numbers.
    pub fn new(width: usize) -> Self {
        Chunks { width, chunks: [const { Once::new() }; CHUNKS] }
    }

    /// Are `n` rows from `row` on in one chunk?
    #[inline]
    pub fn together(&self, row: usize, n: usize) -> bool {
        n == 0 || place(row).0 == place(row + n - 1).0
    }

    /// Rows from `row` on, `n` of them, which are [together](Chunks::together).
    #[inline]
    pub fn rows(&self, row: usize, n: usize) -> &[T] {
        let (chunk, at) = place(row);
        let cells = self.chunks[chunk].get_or_init(|| T::zeros((FIRST << chunk) * self.width));
        &cells[at * self.width..(at + n) * self.width]
    }

    /// The first number of a row.
    #[inline]
    pub fn get(&self, row: usize) -> &T {
        &self.rows(row, 1)[0]
    }

    /// Asks for a row, if it is in memory.
    #[inline]
    pub fn prefetch(&self, row: usize) {
        let (chunk, at) = place(row);
        if let Some(cells) = self.chunks[chunk].get() {
            crate::prefetch(cells, at * self.width);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn rows_are_zero_and_stay_where_they_are() {
        let rows = Chunks::<AtomicU32>::new(3);
        for i in (0..20_000).rev() {
            assert_eq!(rows.rows(i, 1)[2].swap(i as u32 + 1, Relaxed), 0);
        }
        let first: *const AtomicU32 = rows.get(0);
        for i in 0..20_000 {
            let row = rows.rows(i, 1);
            assert_eq!((row.len(), row[0].load(Relaxed), row[2].load(Relaxed)), (3, 0, i as u32 + 1));
        }
        assert!(std::ptr::eq(first, rows.get(0)));
        assert!(rows.together(0, FIRST) && !rows.together(FIRST - 1, 2) && rows.together(FIRST, 2 * FIRST));
    }

    #[test]
    fn threads_share_one_array() {
        let rows = Chunks::<AtomicU64>::new(1);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for i in 0..5_000 {
                        rows.get(i).fetch_add(1, Relaxed);
                    }
                });
            }
        });
        assert!((0..5_000).all(|i| rows.get(i).load(Relaxed) == 4));
    }
}
