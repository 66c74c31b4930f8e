//! Large arrays on huge pages.
//!
//! A search looks up states all over its tables: with pages of 4 KiB nearly every look-up also misses the
//! translation cache. Where the system grants huge pages on request (Linux, `madvise`), this crate asks for them.
//!
//! Knows nothing of what is in the arrays.

mod chunks;
mod file;
mod once;

pub use chunks::{Cell, Chunks};
pub use file::grows;
pub use once::Once;

/// Arrays below this size gain nothing.
const LARGE: usize = 4 << 20;

/// An empty vector for `n` elements, on huge pages if it is large.
pub fn vector<T>(n: usize) -> Vec<T> {
    let v = Vec::with_capacity(n);
    advise(&v);
    v
}

/// Makes room for `n` elements, on huge pages if they are many. As a rule the system moves the pages, not what is on them: for
/// a moment there is not twice as much.
pub fn reserve<T>(v: &mut Vec<T>, n: usize) {
    if n > v.capacity() {
        v.reserve_exact(n - v.len());
        advise(v);
    }
}

/// A vector of `n` elements, on huge pages if it is large.
pub fn filled<T: Copy>(n: usize, value: T) -> Vec<T> {
    let mut v = vector(n);
    v.resize(n, value);
    v
}

/// A vector of `n` zeros, on huge pages if it is large. None of them is touched: the system's pages are zeros already.
pub fn zeros<T: Zero>(n: usize) -> Vec<T> {
    let v = T::zeros(n);
    advise(&v);
    v
}

/// Numbers whose zero is all bits zero.
pub trait Zero: Sized {
    /// So many, as the allocator has them.
    fn zeros(n: usize) -> Vec<Self>;
}

impl Zero for u32 {
    fn zeros(n: usize) -> Vec<u32> {
        vec![0; n]
    }
}

impl Zero for u64 {
    fn zeros(n: usize) -> Vec<u64> {
        vec![0; n]
    }
}

/// The same elements, on huge pages if there are many.
pub fn settled<T: Copy>(v: Vec<T>) -> Vec<T> {
    if v.len() * size_of::<T>() < LARGE {
        return v;
    }
    let mut settled = vector(v.len());
    settled.extend_from_slice(&v);
    settled
}

/// Makes `v` at least `n` elements long, with room to grow.
#[inline]
pub fn extend_to<T: Copy>(v: &mut Vec<T>, n: usize, value: T) {
    if n > v.len() {
        extend(v, n, value);
    }
}

/// Makes `v` exactly `n` elements long, where it is if the system can do that.
pub fn extend_exactly<T: Copy>(v: &mut Vec<T>, n: usize, value: T) {
    reserve(v, n);
    v.resize(n, value);
}

#[cold]
fn extend<T: Copy>(v: &mut Vec<T>, n: usize, value: T) {
    if n > v.capacity() {
        let larger = n.max(v.capacity() + v.capacity() / 2).max(64);
        reserve(v, larger);
    }
    // All that is there, so that the next call is far away.
    v.resize(v.capacity(), value);
}

/// Gives pages that were used for a while, and are no longer, back to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn trim() {
    // SAFETY: it takes nothing that somebody has.
    unsafe { libc::malloc_trim(0) };
}

/// Elsewhere this does nothing.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn trim() {}

/// Fetches element `i` towards the cache, if there is one; the caller goes on with something else meanwhile.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn prefetch<T>(v: &[T], i: usize) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    if let Some(element) = v.get(i) {
        // SAFETY: the address is of a live element, and a prefetch changes nothing but the cache.
        unsafe { _mm_prefetch(std::ptr::from_ref(element).cast(), _MM_HINT_T0) };
    }
}

/// Elsewhere this does nothing.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub fn prefetch<T>(_: &[T], _: usize) {}

/// Are these the same words? For few of them a call costs more than the comparison.
#[inline]
pub fn same(a: &[u32], b: &[u32]) -> bool {
    let ((fours, rest), (other_fours, other_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    a.len() == b.len()
        && fours.iter().zip(other_fours).all(|(x, y)| x == y)
        && rest.iter().zip(other_rest).all(|(x, y)| x == y)
}

/// Appends words: likewise without a call, as long as there is room.
#[inline]
pub fn append(v: &mut Vec<u32>, words: &[u32]) {
    let (fours, rest) = words.as_chunks::<4>();
    fours.iter().for_each(|four| v.extend_from_slice(four));
    rest.iter().for_each(|&word| v.push(word));
}

/// Fetches the lines with elements `i` to `i + n` towards the cache: the first one and the last one.
#[inline]
pub fn prefetch_both<T>(v: &[T], i: usize, n: usize) {
    prefetch(v, i);
    prefetch(v, i + n.saturating_sub(1));
}

/// Asks for huge pages under the whole capacity of `v`.
///
/// The pages on which it begins and ends are among them. Large arrays have these to themselves, with what the allocator notes
/// there; were they left out, the system would see two neighbours in place of one array, and could no longer move its
/// pages when it grows.
#[cfg(target_os = "linux")]
fn advise<T>(v: &Vec<T>) {
    const PAGE: usize = 4096;
    let start = v.as_ptr() as usize / PAGE * PAGE;
    let end = (v.as_ptr() as usize + v.capacity() * size_of::<T>()).next_multiple_of(PAGE);
    if end - start >= LARGE {
        // SAFETY: MADV_HUGEPAGE changes how memory is mapped, never what it holds. A refusal is of no consequence.
        unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise<T>(_: &Vec<T>) {
    let _ = LARGE;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_that_reaches_keeps_what_it_has() {
        let mut v = vec![7u32, 8];
        for n in [3, 100, 1_000_000, 3_000_000] {
            extend_to(&mut v, n, 1);
            assert!(v.len() >= n);
            assert_eq!((v[0], v[1], v[2], v[n - 1]), (7, 8, 1, 1));
        }
        assert_eq!(filled(5, 2u8), [2; 5]);
    }
}
