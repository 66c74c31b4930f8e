//! One suite that every store passes.

use riata_store::{
    Any, Bitstate, Colour, Colours, Compact, Dense, Exact, Full, Palette, Recall, Row, StateSet, Store, Tree,
};
use std::collections::HashMap;

/// A stream of small pseudo-random numbers.
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

/// The same state has the same identity for ever, different states different ones (if the store is exact).
fn identities<S: Store>(mut store: S, states: &[Vec<u32>])
where
    S::Id: std::hash::Hash,
{
    let mut known = HashMap::new();
    let mut back = HashMap::new();
    for _ in 0..2 {
        for s in states {
            let id = store.intern(s).expect("room");
            assert_eq!(*known.entry(s).or_insert(id), id, "{s:?}");
            assert_eq!(*back.entry(id).or_insert(s), s);
        }
    }
    assert!(store.bytes() < 1 << 30);
}

/// Numbers are given in order of arrival, can be looked up, and give the words back.
fn numbered<S: Recall>(mut store: S, states: &[Vec<u32>]) {
    let mut order: Vec<&Vec<u32>> = Vec::new();
    let mut words = Vec::new();
    for s in states {
        let before = store.find(s);
        let id = store.intern(s).expect("room");
        if id as usize == order.len() {
            assert_eq!(before, None);
            order.push(s);
        }
        assert_eq!(store.find(s), Some(id));
        assert_eq!(store.len(), order.len());
    }
    for (id, s) in order.iter().enumerate() {
        store.load(id as u32, &mut words);
        assert_eq!(&words, *s);
    }
    assert_eq!(store.is_empty(), order.is_empty());
}

/// States arrive as in a search: some are loaded, a few words of them change, and those that come of it arrive together, some
/// of them twice. They have the numbers that a plain table gives them.
fn searched<S: Recall>(mut store: S, states: &[Vec<u32>]) {
    let (mut numbers_of, mut order) = (HashMap::new(), Vec::new());
    let mut number = |s: &Vec<u32>| {
        *numbers_of.entry(s.clone()).or_insert_with(|| {
            order.push(s.clone());
            order.len() as u32 - 1
        })
    };
    // The first ones arrive at an empty store.
    let (first, others) = states[..states.len() / 20].split_at(states.len().min(160) / 20);
    let mut coming: Vec<_> = first.iter().map(|s| store.comes(s).expect("room")).collect();
    coming.iter_mut().for_each(|coming| store.nears(coming));
    for (s, coming) in first.iter().zip(coming) {
        assert_eq!(store.arrives(s, coming), Ok(number(s)));
    }
    for s in others {
        assert_eq!(store.intern(s), Ok(number(s)));
    }
    let mut r = numbers(11);
    let mut source = Vec::new();
    for s in states {
        let mut all = Vec::new();
        for _ in 0..r(4) {
            store.load(r(store.len() as u64) as u32, &mut source);
            assert_eq!(store.find(&source), Some(number(&source)));
            for _ in 0..r(12) {
                let mut t = source.clone();
                for _ in 0..r(3) {
                    if let Some(i) = t.len().checked_sub(1) {
                        t[r(i as u64 + 1) as usize] = r(6) as u32;
                    }
                }
                all.push((store.comes(&t).expect("room"), t));
            }
        }
        if r(5) == 0 {
            all.push((store.comes(s).expect("room"), s.clone()));
        }
        all.iter_mut().for_each(|(coming, _)| store.nears(coming));
        for (coming, t) in &all {
            assert_eq!(store.arrives(t, *coming), Ok(number(t)), "{t:?}");
        }
    }
    assert_eq!(store.len(), order.len());
    for (id, s) in order.iter().enumerate() {
        store.load(id as u32, &mut source);
        assert_eq!(&source, s);
    }
}

/// Colours and sets hold what they were given.
fn tags<S: Store>(mut store: S, states: &[Vec<u32>])
where
    S::Id: std::hash::Hash,
{
    let colours = [Colour::Cyan, Colour::Blue, Colour::Red, Colour::Black];
    for (palette, n) in [(Palette::Three, 2), (Palette::Four, 3), (Palette::Five, 4)] {
        let mut colour = store.colours(palette);
        let mut known = HashMap::new();
        let mut r = numbers(7);
        for s in states {
            let id = store.intern(s).expect("room");
            // Cyan, then one of the others, then nothing but worse: as a search does it.
            let at: &mut usize = known.entry(id).or_insert(0);
            assert_eq!(colour.get(id), if *at == 0 { Colour::White } else { colours[*at - 1] });
            let next = (*at + 1 + r(2) as usize).min(n);
            colour.set(id, colours[next - 1]);
            *at = next;
        }
        for (&id, &at) in &known {
            assert_eq!(colour.get(id), colours[at - 1]);
        }
        assert!(colour.bytes() > 0);
    }
    let [mut a, b] = store.sets::<2>();
    for s in states.iter().step_by(3) {
        let id = store.intern(s).expect("room");
        a.insert(id);
        assert!(a.contains(id) && !b.contains(id));
    }
}

/// The conformance suite for one kind of store over one kind of states.
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

suite!(exact, Exact::new(ROOM), |s| states(20_000, 5, false, s), [identities, numbered, searched, tags]);
suite!(
    exact_one_word,
    Exact::new(ROOM),
    |s| states(20_000, 1, false, s),
    [identities, numbered, searched, tags]
);
suite!(
    exact_varied,
    Exact::new(ROOM),
    |s| states(20_000, 9, true, s),
    [identities, numbered, searched, tags]
);
suite!(
    exact_few_bits,
    Exact::new(ROOM),
    |s| states(20_000, 11, false, s).iter().map(|t| t.iter().map(|w| w & 0x8040_1020).collect()).collect(),
    [identities, numbered, searched, tags]
);
suite!(
    tree_few_bits,
    Tree::new(ROOM),
    |s| states(20_000, 11, false, s).iter().map(|t| t.iter().map(|w| w & 0x8040_1020).collect()).collect(),
    [identities, numbered, searched, tags]
);
suite!(
    exact_many_words,
    Exact::new(ROOM),
    |s| states(5_000, 40, false, s),
    [identities, numbered, searched, tags]
);
suite!(tree, Tree::new(ROOM), |s| states(20_000, 13, false, s), [identities, numbered, searched, tags]);
suite!(
    tree_one_word,
    Tree::new(ROOM),
    |s| states(20_000, 1, false, s),
    [identities, numbered, searched, tags]
);
suite!(tree_varied, Tree::new(ROOM), |s| states(20_000, 9, true, s), [identities, numbered, searched, tags]);
suite!(compact, Compact::new(ROOM, 1), |s| states(20_000, 5, false, s), [identities, tags]);
suite!(any, Any::Tree(Tree::new(ROOM)), |s| states(5_000, 5, true, s), [identities, tags]);
suite!(bitstate, Bitstate::new(1 << 24, 3, 1), |s| states(2_000, 5, false, s), [identities, tags]);
suite!(
    dense,
    Dense,
    |s| states(5_000, 1, false, s).into_iter().map(|s| vec![s[0] % 100_000]).collect(),
    [identities, tags]
);

/// A store that has reached its limit says so, and has not taken more than it was given.
fn ends_cleanly<S: Store>(mut store: S, limit: usize) {
    let mut r = numbers(3);
    for n in 0.. {
        let s: Vec<u32> = (0..8).map(|_| r(1 << 20) as u32).collect();
        match store.intern(&s) {
            Ok(_) => assert!(n < 10_000_000, "no end"),
            Err(full) => {
                assert_eq!(full, Full::Memory);
                assert!(n > 100, "ended after {n} states");
                break;
            }
        }
        assert!(store.bytes() <= limit, "{} > {limit}", store.bytes());
    }
    // And it stays that way, without harm.
    for _ in 0..100 {
        let s: Vec<u32> = (0..8).map(|_| r(1 << 20) as u32).collect();
        let _ = store.intern(&s);
    }
}

#[test]
fn limits_are_kept() {
    for limit in [1 << 17, 1 << 20, 5_000_000] {
        ends_cleanly(Exact::new(limit), limit);
        ends_cleanly(Tree::new(limit), limit);
        ends_cleanly(Compact::new(limit, 0), limit);
    }
}

#[test]
fn the_tree_is_small_where_states_are_alike() {
    // Words of which a step changes one: the states of a product of counters. At first what varies of them is kept, and when
    // that is more than 128 bits, a tree.
    for (words, most) in [(20, 16), (40, 24), (60, 64)] {
        let mut tree = Tree::new(ROOM);
        let mut exact = Exact::new(ROOM);
        let mut s = vec![0u32; words];
        let mut r = numbers(1);
        for _ in 0..300_000 {
            s[r(words as u64) as usize] = r(6) as u32;
            tree.intern(&s).expect("room");
            exact.intern(&s).expect("room");
        }
        assert_eq!(tree.len(), exact.len());
        assert!(tree.bytes() * 3 < exact.bytes(), "{} against {}", tree.bytes(), exact.bytes());
        assert!(tree.bytes() < tree.len() * most, "{words}: {} for {}", tree.bytes(), tree.len());
    }
}

#[test]
fn bitstate_estimates_what_it_left_out() {
    let mut store = Bitstate::new(1 << 12, 2, 0);
    let [mut seen] = store.sets::<1>();
    let (mut entered, mut omitted) = (0, 0);
    for x in 0..20_000u32 {
        let id = store.intern(&[x, x / 3]).expect("room");
        if seen.contains(id) {
            omitted += 1;
        } else {
            entered += 1;
            seen.insert(id);
        }
    }
    let real = f64::from(entered) / f64::from(entered + omitted);
    let estimate = seen.coverage(entered as u64);
    assert!(omitted > 1000 && (real - estimate).abs() < 0.25, "{real} against {estimate}");
    assert!(seen.false_positive() > 0.1);
}
