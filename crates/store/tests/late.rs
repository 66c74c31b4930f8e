//! States whose bits begin to vary late: the stores that keep only what varies are right about them.

use proptest::prelude::*;
use riata_store::{Exact, Full, Recall, Tree};
use std::collections::HashMap;

/// From some state on, these bits vary too.
#[derive(Clone, Debug)]
struct Phase {
    states: usize,
    length: usize,
    bits: Vec<(usize, u32)>,
}

fn phases() -> impl Strategy<Value = Vec<Phase>> {
    // Single bits, the counters of a few bits, and whole words.
    let bits = prop_oneof![
        6 => (0u32..32).prop_map(|i| 1 << i),
        3 => (0u32..28).prop_map(|i| 15 << i),
        1 => Just(u32::MAX),
    ];
    let length = prop_oneof![8 => Just(9), 1 => 0usize..14];
    let phase = (1usize..1500, length, prop::collection::vec((0usize..14, bits), 0..7));
    prop::collection::vec(phase.prop_map(|(states, length, bits)| Phase { states, length, bits }), 1..9)
}

/// The states of all phases.
fn states(phases: &[Phase], first: u32) -> Vec<Vec<u32>> {
    let mut random = u64::from(first) | 1;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 32) as u32
    };
    let (mut masks, mut all) = (vec![0; 14], Vec::new());
    for phase in phases {
        phase.bits.iter().for_each(|&(word, bits)| masks[word] |= bits);
        for _ in 0..phase.states {
            // Few bits at once, so that states come again.
            let words = masks[..phase.length].iter().enumerate();
            all.push(
                words
                    .map(|(i, mask)| (first.rotate_left(i as u32)) ^ (next() & next() & next() & mask))
                    .collect(),
            );
        }
    }
    all
}

/// Batches of states have the numbers that a map gives them, and come back as they were.
fn as_a_map<S: Recall>(mut store: S, states: &[Vec<u32>], batch: usize) {
    let (mut numbers, mut order): (HashMap<&[u32], u32>, Vec<&[u32]>) = (HashMap::new(), Vec::new());
    let mut loaded = Vec::new();
    for (i, batch) in states.chunks(batch).enumerate() {
        if i % 7 == 0 {
            for s in batch {
                assert_eq!(store.find(s), numbers.get(&s[..]).copied());
            }
        }
        let mut coming: Vec<_> = batch.iter().map(|s| store.comes(s).expect("room")).collect();
        coming.iter_mut().for_each(|coming| store.nears(coming));
        for (s, coming) in batch.iter().zip(coming) {
            let number = *numbers.entry(s).or_insert_with(|| {
                order.push(s);
                order.len() as u32 - 1
            });
            assert_eq!(store.arrives(s, coming), Ok(number), "{s:x?}");
        }
        assert_eq!(store.len(), order.len());
        let some = (i * 31) % order.len();
        store.load(some as u32, &mut loaded);
        assert_eq!(loaded, order[some]);
    }
    for (number, s) in order.iter().enumerate() {
        store.load(number as u32, &mut loaded);
        assert_eq!(&loaded, s);
        assert_eq!(store.find(s), Some(number as u32));
        assert_eq!(store.intern(s), Ok(number as u32));
    }
}

/// With little memory: what has a number is right, and what has none was refused for want of memory.
fn as_far_as_it_goes<S: Recall>(mut store: S, states: &[Vec<u32>], limit: usize) {
    let mut order: Vec<&Vec<u32>> = Vec::new();
    let mut loaded = Vec::new();
    for s in states {
        match store.intern(s) {
            Ok(number) if number as usize == order.len() => order.push(s),
            Ok(number) => assert_eq!(order[number as usize], s),
            Err(full) => {
                assert_eq!(full, Full::Memory);
                break;
            }
        }
        assert!(
            store.bytes() <= limit,
            "{}: {} of {limit} with {} states",
            std::any::type_name::<S>(),
            store.bytes(),
            store.len()
        );
    }
    for (number, s) in order.iter().enumerate() {
        store.load(number as u32, &mut loaded);
        assert_eq!(&&loaded, s);
        assert_eq!(store.find(s), Some(number as u32));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn numbers_are_those_of_a_map(phases in phases(), first: u32, batch in 1usize..90) {
        let states = states(&phases, first);
        as_a_map(Exact::new(usize::MAX), &states, batch);
        as_a_map(Tree::new(usize::MAX), &states, batch);
    }

    #[test]
    fn limits_are_kept(phases in phases(), first: u32, limit in 5_000usize..400_000) {
        let states = states(&phases, first);
        as_far_as_it_goes(Exact::new(limit), &states, limit);
        as_far_as_it_goes(Tree::new(limit), &states, limit);
    }
}
