//! What every [`Row`] promises to a breadth-first search: states come in batches, and those that are new get the next numbers.

use riata_store::{Exact, Full, Keyed, Row, Tree};
use std::collections::HashMap;

/// A stream of small pseudo-random numbers.
fn numbers(mut x: u64) -> impl FnMut(u64) -> u64 {
    move |n| {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (x >> 33) % n
    }
}

/// States of a search.
struct Kind {
    words: usize,
    /// So many bits vary from the start, and so many later, one by one.
    bits: usize,
    late: usize,
    /// One in so many states is shorter; none, if it is zero. The first ones only, if so it says.
    shorter: u64,
    at_first: bool,
    /// Batches, and the most states of one.
    batches: usize,
    most: u64,
}

const PLAIN: Kind =
    Kind { words: 7, bits: 40, late: 0, shorter: 0, at_first: false, batches: 400, most: 100 };

/// Searches: states are loaded, some bits of them change, and what comes of it is added.
fn searched<R: Row>(mut row: R, kind: &Kind, seed: u64) {
    let mut r = numbers(seed);
    let places: Vec<usize> = (0..kind.bits + kind.late).map(|_| r(32 * kind.words as u64) as usize).collect();
    let mut s: Vec<u32> = (0..kind.words).map(|_| r(u64::from(u32::MAX)) as u32).collect();
    let (mut known, mut order) = (HashMap::new(), Vec::new());
    let mut batch = R::Batch::default();
    for round in 0..kind.batches {
        let now = kind.bits + kind.late * round / kind.batches;
        let count = r(kind.most);
        let states: Vec<Vec<u32>> = (0..count)
            .map(|_| {
                let mut t = s.clone();
                for _ in 0..r(4) {
                    let bit = places[r(now as u64) as usize];
                    if bit / 32 < t.len() {
                        t[bit / 32] ^= 1 << (bit % 32);
                    }
                }
                if kind.shorter > 0 && r(kind.shorter) == 0 && (!kind.at_first || round < 5) {
                    t.truncate(r(kind.words as u64 + 1) as usize);
                } else if t.len() < kind.words {
                    t.resize(kind.words, 0);
                }
                t
            })
            .collect();
        // Some at a time; all of one length as one array.
        let mut rest = &states[..];
        while !rest.is_empty() {
            let (some, others) = rest.split_at(r(rest.len() as u64) as usize + 1);
            let length = some[0].len();
            if length > 0 && some.iter().all(|t| t.len() == length) && r(4) > 0 {
                row.come_alike(&some.concat(), length, &mut batch).expect("room");
            } else {
                row.come(some.iter().map(Vec::as_slice), &mut batch).expect("room");
            }
            rest = others;
        }
        let mut told = Vec::new();
        row.add(states.iter().map(Vec::as_slice), &mut batch, |number| told.push(number)).expect("room");
        assert_eq!(told.len(), states.len());
        for (t, number) in states.iter().zip(told) {
            let next = order.len() as u32;
            let &mut own = known.entry(t.clone()).or_insert(next);
            if own == next {
                order.push(t.clone());
                assert_eq!(number, own, "{t:?} is new");
            } else {
                assert!(number == 0 || number == own, "{t:?} is {own}, not {number}");
            }
        }
        assert_eq!(row.len(), order.len());
        if !order.is_empty() {
            row.load(r(order.len() as u64) as u32, &mut s);
        }
    }
    for (number, t) in order.iter().enumerate() {
        row.load(number as u32, &mut s);
        assert_eq!(&s, t);
    }
    assert!(row.held() > 0 && !row.is_empty());
}

fn all(kind: &Kind) {
    for seed in 0..4 {
        searched(Exact::new(1 << 30), kind, seed);
        searched(Tree::new(1 << 30), kind, seed);
        searched(Keyed::new(1 << 30), kind, seed);
    }
}

#[test]
fn states_of_every_length() {
    for words in [1, 2, 3, 6, 7, 8, 9, 12, 15, 16, 17, 40] {
        all(&Kind { words, bits: 30, ..PLAIN });
    }
}

#[test]
fn any_number_of_bits() {
    for bits in [1, 5, 20, 60, 64, 66, 90, 125, 128, 132, 300] {
        all(&Kind { words: 13, bits, ..PLAIN });
    }
}

#[test]
fn bits_that_begin_to_vary_late() {
    for (bits, late) in [(3, 20), (20, 40), (40, 40), (60, 10), (60, 80), (100, 40), (120, 200)] {
        all(&Kind { words: 11, bits, late, batches: 900, ..PLAIN });
    }
}

#[test]
fn states_of_other_lengths() {
    for (shorter, at_first) in [(2, false), (40, false), (1000, false), (2, true), (1, true)] {
        all(&Kind { words: 9, bits: 30, shorter, at_first, ..PLAIN });
        all(&Kind { words: 9, bits: 60, late: 30, shorter, at_first, ..PLAIN });
    }
}

#[test]
fn many_states() {
    let kind = Kind { words: 10, bits: 26, late: 4, batches: 3000, most: 300, ..PLAIN };
    searched(Keyed::new(1 << 30), &kind, 1);
    searched(Keyed::new(1 << 30), &Kind { bits: 90, ..kind }, 2);
}

/// A row that has reached its limit says so, and has not taken more than it was given.
#[test]
fn limits_are_kept() {
    for (limit, bits) in [(1 << 16, 24), (1 << 20, 24), (5_000_000, 50), (5_000_000, 100), (5_000_000, 256)] {
        let (mut row, mut batch) = (Keyed::new(limit), Default::default());
        let mut r = numbers(3);
        let full = (0..1_000_000)
            .find_map(|n| {
                let s: Vec<u32> = (0..8)
                    .map(|i| {
                        if 32 * i < bits {
                            r(1 << 31) as u32 & ((1 << (bits - 32 * i).min(31)) - 1)
                        } else {
                            0
                        }
                    })
                    .collect();
                let come = row.come([&s[..]].into_iter(), &mut batch);
                let added = come.and_then(|()| row.add([&s[..]].into_iter(), &mut batch, |_| ()));
                assert!(row.held() <= limit, "{} > {limit} after {n}", row.held());
                added.err().map(|full| (full, n))
            })
            .expect("there is an end");
        assert!(full.0 == Full::Memory && full.1 > 300, "{full:?}");
    }
}
