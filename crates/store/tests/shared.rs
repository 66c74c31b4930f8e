//! One suite that every shared store passes: what a store for one thread has to do, and many threads with the same
//! states.

use riata_store::shared::{Any, Bitstate, Compact, Exact, Kept, SEATS, Seen, Shared, Tree};
use riata_store::{Full, StateSet, Store};
use std::collections::{HashMap, HashSet};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

fn numbers(mut x: u64) -> impl FnMut(u64) -> u64 {
    move |n| {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (x >> 33) % n
    }
}

/// States of `length` words (any length up to it when `varied`) with many repetitions.
fn states(count: usize, length: usize, varied: bool, seed: u64) -> Vec<Vec<u32>> {
    let mut r = numbers(seed);
    let values = [2, 5, 300, 70_000, u64::from(u32::MAX)];
    let state = |_| {
        let n = if varied { r(length as u64 + 1) as usize } else { length };
        let range = values[r(5) as usize];
        (0..n).map(|_| r(range) as u32).collect()
    };
    (0..count).map(state).collect()
}

/// The same state has the same identity for ever, different states different ones, and there are no gaps.
fn identities<S: Shared>(store: S, states: &[Vec<u32>]) {
    let seat = store.seat().expect("a seat");
    let (mut known, mut back) = (HashMap::new(), HashMap::new());
    for _ in 0..2 {
        for s in states {
            let before = store.find(&seat, s);
            assert_eq!(before, known.get(s).copied(), "{s:?}");
            let id = store.intern(&seat, s).expect("room");
            assert_eq!(*known.entry(s).or_insert(id), id, "{s:?}");
            assert_eq!(*back.entry(id).or_insert(s), s);
            assert_eq!(store.len(), known.len());
        }
    }
    assert!(back.keys().all(|&id| (id as usize) < store.len()));
    assert!(store.bytes() < 1 << 30 && store.is_empty() == states.is_empty());
}

/// The words come back.
fn words<S: Kept>(store: S, states: &[Vec<u32>]) {
    let seat = store.seat().expect("a seat");
    let ids: Vec<u32> = states.iter().map(|s| store.intern(&seat, s).expect("room")).collect();
    let mut out = Vec::new();
    for (s, id) in states.iter().zip(ids) {
        store.load(id, &mut out);
        assert_eq!(&out, s);
    }
}

/// Threads that intern the same states in different orders, one by one and in batches, agree about all of them; each state
/// is there once.
fn hammered<S: Shared>(store: S, states: &[Vec<u32>]) {
    const THREADS: usize = 8;
    let start = Barrier::new(THREADS);
    let told: Vec<Vec<u32>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|w| {
                let (store, start) = (&store, &start);
                scope.spawn(move || {
                    let seat = store.seat().expect("a seat");
                    let mut ids = vec![u32::MAX; states.len()];
                    // The same order for two of them, so that they meet; others begin elsewhere.
                    let order: Vec<usize> =
                        (0..states.len()).map(|i| (i + w / 2 * 997) % states.len()).collect();
                    let mut told = Vec::new();
                    start.wait();
                    for batch in order.chunks([1, 32, 45][w % 3]) {
                        let inside = seat.enter();
                        let coming: Vec<_> =
                            batch.iter().map(|&i| store.comes(&inside, &states[i]).expect("room")).collect();
                        store.arrive(&inside, &coming, |i| &states[batch[i]], &mut told).expect("room");
                        for (&i, &id) in batch.iter().zip(&told) {
                            ids[i] = id;
                            assert_eq!(store.find(&seat, &states[i]), Some(ids[i]));
                        }
                    }
                    ids
                })
            })
            .collect();
        workers.into_iter().map(|w| w.join().expect("no panic")).collect()
    });
    let different: HashSet<&Vec<u32>> = states.iter().collect();
    let given: HashSet<u32> = told[0].iter().copied().collect();
    assert!(told.iter().all(|ids| *ids == told[0]), "threads disagree");
    assert_eq!((store.len(), given.len()), (different.len(), different.len()));
    assert!(given.iter().all(|&id| (id as usize) < store.len()));
}

/// What one thread has written, others read while it goes on.
fn read_at_once<S: Kept>(store: S, states: &[Vec<u32>]) {
    by_four(|w| {
        let seat = store.seat().expect("a seat");
        let mut out = Vec::new();
        for s in states.iter().skip(w % 2 * states.len() / 2).chain(states) {
            let id = store.intern(&seat, s).expect("room");
            store.load(id, &mut out);
            assert_eq!(&out, s);
        }
    });
}

/// Four threads, each told its number. They are joined one by one: that is what ThreadSanitizer sees.
fn by_four(work: impl Fn(usize) + Sync) {
    std::thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = (0..4).map(|w| scope.spawn(move || work(w))).collect();
        workers.into_iter().for_each(|w| w.join().expect("no panic"));
    });
}

/// Of threads that add the same states one is told that a state is new, and of bitstate perhaps several; and then nobody any more.
fn seen<S: Seen>(store: S, states: &[Vec<u32>], once: bool) {
    let new: Vec<AtomicUsize> = states.iter().map(|_| AtomicUsize::new(0)).collect();
    let mut places = HashMap::new();
    let first: Vec<usize> = states.iter().enumerate().map(|(i, s)| *places.entry(s).or_insert(i)).collect();
    by_four(|w| {
        let seat = store.seat().expect("a seat");
        for i in (0..states.len()).map(|i| (i + w / 2 * 997) % states.len()) {
            let coming = store.comes(&seat.enter(), &states[i]);
            if store.add(&seat, coming).expect("room") {
                new[first[i]].fetch_add(1, Ordering::Relaxed);
            }
            assert!(!store.add(&seat, coming).expect("room"));
        }
    });
    let told = |i: usize| new[i].load(Ordering::Relaxed);
    assert!(places.values().all(|&i| if once { told(i) == 1 } else { (1..=4).contains(&told(i)) }));
    let seat = store.seat().expect("a seat");
    for s in states {
        let coming = store.comes(&seat.enter(), s);
        assert!(!store.add(&seat, coming).expect("room"));
    }
}

macro_rules! suite {
    ($name:ident, $new:expr, $states:expr, [$($test:ident),*]) => {
        mod $name {
            use super::*;
            $(#[test]
            fn $test() {
                for seed in 0..3 {
                    let make: fn(u64) -> Vec<Vec<u32>> = $states;
                    super::$test($new, &make(seed));
                }
            })*
        }
    };
}

const ROOM: usize = 1 << 30;

suite!(
    exact,
    Exact::new(ROOM, 5, 5),
    |s| states(20_000, 5, false, s),
    [identities, words, hammered, read_at_once]
);
suite!(
    exact_one_word,
    Exact::new(ROOM, 1, 1),
    |s| states(20_000, 1, false, s),
    [identities, words, hammered, read_at_once]
);
suite!(
    exact_shorter,
    Exact::new(ROOM, 9, 9),
    |s| states(20_000, 9, true, s),
    [identities, words, hammered, read_at_once]
);
suite!(
    exact_varied,
    Exact::new(ROOM, 9, 4),
    |s| states(20_000, 9, true, s),
    [identities, words, hammered, read_at_once]
);

suite!(
    tree,
    Tree::new(ROOM, 13, 13),
    |s| states(20_000, 13, false, s),
    [identities, words, hammered, read_at_once]
);
suite!(
    tree_one_word,
    Tree::new(ROOM, 1, 1),
    |s| states(20_000, 1, false, s),
    [identities, words, hammered, read_at_once]
);
suite!(
    tree_two_words,
    Tree::new(ROOM, 2, 2),
    |s| states(20_000, 2, true, s),
    [identities, words, hammered, read_at_once]
);
suite!(
    tree_shorter,
    Tree::new(ROOM, 9, 9),
    |s| states(20_000, 9, true, s),
    [identities, words, hammered, read_at_once]
);
suite!(
    tree_varied,
    Tree::new(ROOM, 9, 4),
    |s| states(20_000, 9, true, s),
    [identities, words, hammered, read_at_once]
);

suite!(
    any,
    Any::Tree(Tree::new(ROOM, 5, 4)),
    |s| states(5_000, 5, true, s),
    [identities, words, hammered, read_at_once]
);

suite!(compact, Compact::new(ROOM, 1), |s| states(20_000, 5, true, s), [identities, hammered]);

#[test]
fn sets_forget_nothing_and_tell_each_state() {
    for seed in 0..3 {
        let states = states(20_000, 5, true, seed);
        seen(Compact::new(ROOM, seed), &states, true);
        // So many bits that no state is taken for another.
        seen(Bitstate::new(1 << 26, 3, seed), &states, false);
    }
}

/// A crowded plane takes states for others, as many as that of one thread with the same states in the same order.
#[test]
fn a_shared_plane_is_the_plane_of_one_thread() {
    let states = states(20_000, 5, true, 7);
    for (bytes, hashes) in [(8, 1), (1 << 10, 2), (1 << 13, 3), (1 << 16, 5)] {
        let mut one = riata_store::Bitstate::new(bytes, hashes, 3);
        let [mut plane] = one.sets();
        let many = Bitstate::new(bytes, hashes, 3);
        let seat = many.seat().expect("a seat");
        assert_eq!(many.bytes(), plane.bytes());
        for s in &states {
            let id = one.intern(s).expect("room");
            let coming = many.comes(&seat.enter(), s);
            assert_eq!(many.add(&seat, coming), Ok(!plane.contains(id)));
            plane.insert(id);
        }
    }
}

/// A store that has reached its limit says so to all threads, and has not taken more than it was given.
fn ends_cleanly<S: Shared>(store: S, limit: usize) {
    by_four(|w| {
        let seat = store.seat().expect("a seat");
        let mut r = numbers(w as u64);
        let mut state = || (0..8).map(|_| r(1 << 20) as u32).collect::<Vec<_>>();
        let full = (0..10_000_000).find_map(|_| {
            assert!(store.bytes() <= limit, "{} > {limit}", store.bytes());
            store.intern(&seat, &state()).err()
        });
        assert_eq!(full, Some(Full::Memory));
        // And it stays that way, without harm.
        (0..100).for_each(|_| {
            let _ = store.intern(&seat, &state());
        });
    });
    assert!(store.len() > 100, "ended after {} states", store.len());
}

#[test]
fn limits_are_kept() {
    for limit in [1 << 17, 1 << 20, 5_000_000] {
        ends_cleanly(Exact::new(limit, 8, 8), limit);
        ends_cleanly(Exact::new(limit, 8, 7), limit);
        if limit > 1 << 17 {
            ends_cleanly(Compact::new(limit, 0), limit);
        }
        if limit > 1 << 20 {
            // Its tables take more than that to begin with.
            ends_cleanly(Tree::new(limit, 8, 8), limit);
            ends_cleanly(Tree::new(limit, 8, 7), limit);
        }
    }
}

#[test]
fn seats_are_given_back() {
    let store = Exact::new(ROOM, 1, 1);
    let seats: Vec<_> = (0..SEATS).map(|_| store.seat().expect("a seat")).collect();
    assert!(store.seat().is_none());
    drop(seats);
    assert!(store.seat().is_some());
}
