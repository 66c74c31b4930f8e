//! Where the time of a search goes: a thread looks about a thousand times a second at what the search is doing
//! ([`Doing`]), and the time since its last look counts for that. So the parts make up the whole, however busy the machine
//! is; how the whole is divided is known as well as there are samples.

use riata_report::answer::Stats;
use riata_system::{Doing, Mark};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long the thread sleeps between two looks.
const SLEEP: Duration = Duration::from_millis(1);

/// A profile of searches in the making.
pub struct Profile {
    shared: Arc<Shared>,
    looker: Option<JoinHandle<()>>,
}

struct Shared {
    doing: AtomicU8,
    ended: AtomicBool,
    seen: Mutex<Seen>,
}

/// What was seen since the last search ended.
struct Seen {
    /// The last look.
    last: Instant,
    parts: [Duration; Doing::ALL.len()],
    samples: u64,
    /// When the search began; nothing before the first one.
    began: Option<Instant>,
}

impl Seen {
    /// The time since the last look belongs to this.
    fn add(&mut self, doing: u8) {
        let now = Instant::now();
        self.parts[Doing::of(doing) as usize] += now - self.last;
        self.last = now;
    }
}

impl Shared {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self) {
        let mut seen = self.seen();
        seen.add(self.doing.load(Ordering::Relaxed));
        seen.samples += 1;
    }
}

impl Profile {
    /// Begins to look; what comes is prepared for, and that has taken so long already.
    pub fn new(prepared: Duration) -> Profile {
        let mut seen = Seen { last: Instant::now(), parts: Default::default(), samples: 0, began: None };
        seen.parts[Doing::Preparing as usize] = prepared;
        let (doing, ended) = (AtomicU8::new(Doing::Preparing as u8), AtomicBool::new(false));
        let shared = Arc::new(Shared { doing, ended, seen: Mutex::new(seen) });
        let looking = shared.clone();
        let looker = thread::Builder::new().name("profile".into()).spawn(move || {
            while !looking.ended.load(Ordering::Relaxed) {
                thread::park_timeout(SLEEP);
                looking.look();
            }
        });
        // Without the thread the whole is known, and there are no samples.
        Profile { shared, looker: looker.ok() }
    }

    /// Where a search says what it is doing.
    pub fn mark(&self) -> Mark<'_> {
        Mark::new(&self.shared.doing)
    }

    /// What comes now is for another property: what came after the last search is forgotten.
    pub fn prepares(&self) {
        let mut seen = self.shared.seen();
        if seen.began.is_some() {
            seen.add(Doing::Preparing as u8);
            seen.parts = Default::default();
        }
    }

    /// A search begins; all before was for it.
    pub fn begins(&self) {
        let mut seen = self.shared.seen();
        seen.add(Doing::Preparing as u8);
        let all = seen.parts.iter().sum();
        seen.parts = Default::default();
        seen.parts[Doing::Preparing as usize] = all;
        seen.samples = 0;
        seen.began = Some(seen.last);
        self.mark().set(Doing::Search);
    }

    /// The search has ended.
    pub fn ends(&self) -> Taken {
        let mut seen = self.shared.seen();
        seen.add(self.shared.doing.load(Ordering::Relaxed));
        self.mark().set(Doing::Preparing);
        let parts = std::mem::take(&mut seen.parts);
        Taken { parts, samples: std::mem::take(&mut seen.samples), began: seen.began, ended: seen.last }
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        if let Some(looker) = self.looker.take() {
            looker.thread().unpark();
            // It cannot panic, and if it did nobody would miss it.
            let _ = looker.join();
        }
    }
}

/// The time that a search took.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    parts: [Duration; Doing::ALL.len()],
    samples: u64,
    began: Option<Instant>,
    ended: Instant,
}

impl Taken {
    /// The same, where native code was made at this moment and took so long. That is done where the first successors are
    /// wanted from it, and is no part of them.
    #[must_use]
    pub fn native(mut self, made: Option<(Instant, Duration)>) -> Taken {
        if let Some((at, took)) = made
            && self.began.is_some_and(|began| began <= at && at <= self.ended)
        {
            let took = took.min(self.parts[Doing::Successors as usize]);
            self.parts[Doing::Successors as usize] -= took;
            self.parts[Doing::Preparing as usize] += took;
        }
        self
    }

    /// What is told of it.
    pub fn told(&self) -> Stats {
        let seconds = |doing: Doing| self.parts[doing as usize].as_secs_f64();
        Stats {
            preparing_seconds: seconds(Doing::Preparing),
            successors_seconds: seconds(Doing::Successors),
            store_seconds: seconds(Doing::Store),
            product_seconds: seconds(Doing::Product),
            search_seconds: seconds(Doing::Search),
            samples: self.samples,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleep(milliseconds: u64) {
        thread::sleep(Duration::from_millis(milliseconds));
    }

    #[test]
    fn time_counts_for_what_was_done() {
        let profile = Profile::new(Duration::from_secs(7));
        profile.begins();
        let mark = profile.mark();
        mark.during(Doing::Product, || {
            mark.during(Doing::Successors, || sleep(80));
            sleep(40);
        });
        let stats = profile.ends().told();
        assert!(stats.preparing_seconds >= 7.0 && stats.samples > 10, "{stats:?}");
        assert!(stats.successors_seconds > 0.06 && stats.product_seconds > 0.03, "{stats:?}");
        assert!(stats.store_seconds == 0.0 && stats.successors_seconds > stats.search_seconds, "{stats:?}");
    }

    #[test]
    fn what_comes_after_a_search_is_not_for_the_next() {
        let profile = Profile::new(Duration::ZERO);
        profile.prepares();
        sleep(50);
        profile.begins();
        assert!(profile.ends().told().preparing_seconds >= 0.05);
        sleep(300);
        profile.prepares();
        profile.begins();
        assert!(profile.ends().told().preparing_seconds < 0.25);
    }

    #[test]
    fn native_code_is_no_successor() {
        let profile = Profile::new(Duration::ZERO);
        let before = Instant::now();
        profile.begins();
        profile.mark().set(Doing::Successors);
        sleep(60);
        let during = Instant::now();
        let taken = profile.ends();
        let half = Duration::from_millis(30);
        let told = |made| taken.native(made).told();
        assert_eq!(told(None), told(Some((before, half))));
        let (plain, apart) = (told(None), told(Some((during, half))));
        assert!((apart.preparing_seconds - plain.preparing_seconds - 0.03).abs() < 1e-6);
        assert!((plain.successors_seconds - apart.successors_seconds - 0.03).abs() < 1e-6);
    }
}
