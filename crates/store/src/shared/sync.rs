//! Atomics: those of the standard library, or those of `loom` when its model checker looks at the protocol.

#[cfg(loom)]
pub(crate) use loom::{
    cell::UnsafeCell,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence},
    thread::yield_now,
};
#[cfg(not(loom))]
pub(crate) use std::{
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence},
    thread::yield_now,
};

/// The cell of the standard library, with the interface of `loom`'s.
#[cfg(not(loom))]
#[derive(Debug)]
pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    pub fn new(value: T) -> Self {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }

    #[inline(always)]
    pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        f(self.0.get())
    }

    #[inline(always)]
    pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.0.get())
    }
}

/// On cache lines of its own: a counter that all threads write takes what is beside it away from all others.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Apart<T>(pub T);

impl<T> std::ops::Deref for Apart<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// Waits a little: first by spinning, then by giving the processor away, since who is waited for may need it.
#[derive(Default)]
pub(crate) struct Patience(u32);

impl Patience {
    pub fn wait(&mut self) {
        if cfg!(loom) || self.0 >= 64 {
            yield_now();
        } else {
            self.0 += 1;
            std::hint::spin_loop();
        }
    }
}
