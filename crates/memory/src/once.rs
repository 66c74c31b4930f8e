//! What is made once, by whoever needs it first: `OnceLock` of the standard library.
//!
//! ThreadSanitizer does not see what code does that was compiled without it, and so takes no notice of the standard library's
//! word that the value is there. Under `--cfg riata_tsan` that is said once more, where it sees it (`bench/parallel`).

#[cfg(not(riata_tsan))]
pub use std::sync::OnceLock as Once;

#[cfg(riata_tsan)]
pub use told::Once;

#[cfg(riata_tsan)]
#[allow(missing_docs)]
mod told {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};

    pub struct Once<T> {
        value: OnceLock<T>,
        told: AtomicBool,
    }

    impl<T> Once<T> {
        pub const fn new() -> Self {
            Once { value: OnceLock::new(), told: AtomicBool::new(false) }
        }

        pub fn get(&self) -> Option<&T> {
            self.value.get().map(|value| self.heard(value))
        }

        pub fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
            let mut made = false;
            let value = self.value.get_or_init(|| {
                made = true;
                make()
            });
            if made {
                self.told.store(true, Ordering::Release);
            }
            self.heard(value)
        }

        fn heard<'a>(&'a self, value: &'a T) -> &'a T {
            while !self.told.load(Ordering::Acquire) {
                std::hint::spin_loop();
            }
            value
        }
    }
}
