//! The laws of [`Bdd`], against truth tables: the conformance suite of a package of diagrams.

use proptest::prelude::*;
use riata_symbolic::{Bdd, Oxi};
use riata_system::{Limits, Stop};

/// Functions of six variables as truth tables.
const VARS: u32 = 6;

fn manager() -> Oxi<'static> {
    let bdd = Oxi::new(Limits { memory: Some(8 << 20), ..Limits::default() });
    bdd.add_vars(VARS);
    bdd
}

fn literal(v: u32, row: u64) -> bool {
    row >> v & 1 == 1
}

/// The diagram of a truth table.
fn build<B: Bdd>(bdd: &B, table: u64) -> B::F {
    let mut f = bdd.constant(false);
    for row in (0..64).filter(|r| table >> r & 1 == 1) {
        let mut cube = bdd.constant(true);
        for v in 0..VARS {
            let var = bdd.var(v).expect("no limit");
            let l = if literal(v, row) { var } else { bdd.not(&var) };
            cube = bdd.and(&cube, &l).expect("no limit");
        }
        f = bdd.or(&f, &cube).expect("no limit");
    }
    f
}

fn table<B: Bdd>(bdd: &B, f: &B::F) -> u64 {
    (0..64).filter(|&row| bdd.eval(f, &|v| literal(v, row))).fold(0, |t, row| t | 1 << row)
}

/// The truth table of f with the variables of row changed by `change`.
fn map(t: u64, change: impl Fn(u64) -> u64) -> u64 {
    (0..64).filter(|&row| t >> change(row) & 1 == 1).fold(0, |t, row| t | 1 << row)
}

fn exists(t: u64, vars: u64) -> u64 {
    (0..VARS).filter(|v| vars >> v & 1 == 1).fold(t, |t, v| t | map(t, |row| row ^ 1 << v))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn operations_are_those_of_truth_tables(a: u64, b: u64, c: u64, vars in 0u64..64, order in Just((0..VARS).collect::<Vec<_>>()).prop_shuffle()) {
        let bdd = manager();
        bdd.set_order(&order);
        prop_assert_eq!(bdd.order(), order.clone());
        let (f, g, h) = (build(&bdd, a), build(&bdd, b), build(&bdd, c));
        let tt = |f: Result<_, Stop>| table(&bdd, &f.expect("no limit"));
        prop_assert_eq!(table(&bdd, &f), a);
        prop_assert_eq!(table(&bdd, &bdd.not(&f)), !a);
        prop_assert_eq!(tt(bdd.and(&f, &g)), a & b);
        prop_assert_eq!(tt(bdd.or(&f, &g)), a | b);
        prop_assert_eq!(tt(bdd.xor(&f, &g)), a ^ b);
        prop_assert_eq!(tt(bdd.minus(&f, &g)), a & !b);
        prop_assert_eq!(tt(bdd.iff(&f, &g)), !(a ^ b));
        prop_assert_eq!(tt(bdd.ite(&f, &g, &h)), a & b | !a & c);
        let chosen: Vec<u32> = (0..VARS).filter(|v| vars >> v & 1 == 1).collect();
        let cube = bdd.cube(&chosen).expect("no limit");
        prop_assert_eq!(tt(bdd.exists(&f, &cube)), exists(a, vars));
        prop_assert_eq!(tt(bdd.and_exists(&f, &g, &cube)), exists(a & b, vars));
        prop_assert_eq!(bdd.count(&f, VARS), f64::from(a.count_ones()));
        if b != 0 {
            let r = bdd.restrict(&f, &g).expect("no limit");
            prop_assert_eq!(table(&bdd, &r) & b, a & b);
        }
        let support: Vec<u32> = (0..VARS).filter(|&v| map(a, |row| row ^ 1 << v) != a).collect();
        prop_assert_eq!(bdd.support(&f), support);
        let all: Vec<u32> = (0..VARS).collect();
        match bdd.pick(&f, &all) {
            None => prop_assert_eq!(a, 0),
            Some(values) => prop_assert!(bdd.eval(&f, &|v| values[v as usize])),
        }
        // Functions keep their meaning when the order changes.
        let reversed: Vec<u32> = order.into_iter().rev().collect();
        bdd.set_order(&reversed);
        prop_assert_eq!(table(&bdd, &f), a);
        prop_assert!(build(&bdd, a) == f);
    }

    #[test]
    fn renaming_is_substitution(a: u64, to in Just((0..VARS).collect::<Vec<_>>()).prop_shuffle(), order in Just((0..VARS).collect::<Vec<_>>()).prop_shuffle()) {
        let bdd = manager();
        bdd.set_order(&order);
        let f = build(&bdd, a);
        let renaming = bdd.renaming((0..VARS).map(|v| (v, to[v as usize])).collect());
        let renamed = bdd.rename(&f, &renaming).expect("no limit");
        // Variable v of f is read where the new one is.
        let wanted = map(a, |row| (0..VARS).fold(0, |old, v| old | (row >> to[v as usize] & 1) << v));
        prop_assert_eq!(table(&bdd, &renamed), wanted);
        prop_assert!(bdd.rename(&f, &renaming).expect("no limit") == renamed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn sifting_keeps_functions_and_groups(tables in prop::collection::vec(any::<u64>(), 1..4), alone: bool) {
        let bdd = manager();
        let groups: Vec<Vec<u32>> = if alone { vec![] } else { vec![vec![0, 1], vec![2, 3], vec![4, 5]] };
        bdd.keep_together(groups.clone());
        let functions: Vec<_> = tables.iter().map(|&t| build(&bdd, t)).collect();
        let before = bdd.size(&functions.iter().collect::<Vec<_>>());
        bdd.reorder();
        let order = bdd.order();
        for g in groups {
            let at: Vec<usize> = g.iter().map(|v| order.iter().position(|o| o == v).expect("there")).collect();
            prop_assert_eq!(at[0] + 1, at[1]);
        }
        for (f, t) in functions.iter().zip(&tables) {
            prop_assert_eq!(table(&bdd, f), *t);
            prop_assert!(build(&bdd, *t) == *f);
        }
        prop_assert!(bdd.size(&functions.iter().collect::<Vec<_>>()) <= before);
    }
}

#[test]
fn sifting_finds_the_good_order() {
    let bdd = Oxi::new(Limits { memory: Some(64 << 20), ..Limits::default() });
    let n = 10;
    bdd.add_vars(2 * n);
    // Pairs far apart in the order: 2^n nodes; side by side: 2n.
    let f = (0..n).fold(bdd.constant(true), |f, i| {
        let same = bdd.iff(&bdd.var(i).expect("room"), &bdd.var(i + n).expect("room")).expect("room");
        bdd.and(&f, &same).expect("room")
    });
    assert!(bdd.size(&[&f]) > 1000);
    bdd.reorder();
    assert!(bdd.size(&[&f]) < 60, "{}", bdd.size(&[&f]));
}

#[test]
fn limits_are_kept() {
    // The hidden weighted bit needs many nodes.
    let bdd = Oxi::new(Limits { memory: Some(1 << 20), ..Limits::default() });
    let n = 40;
    bdd.add_vars(2 * n);
    let mut f = bdd.constant(true);
    let failed = (0..n).find_map(|i| {
        // Pairs far apart in the order: 2^n nodes.
        let pair = bdd.iff(&bdd.var(i).ok()?, &bdd.var(i + n).ok()?);
        match pair.and_then(|p| bdd.and(&f, &p)) {
            Ok(g) => {
                f = g;
                None
            }
            Err(stop) => Some(stop),
        }
    });
    assert_eq!(failed, Some(Stop::Memory));
    let late = Oxi::new(Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() });
    late.add_vars(1);
    assert_eq!(late.var(0).err(), Some(Stop::Time));
}

#[test]
fn live_nodes_are_counted() {
    let bdd = manager();
    let f = build(&bdd, 0x9669_6996_6996_9669);
    assert_eq!(bdd.size(&[&f]), 7, "parity has one node for each variable with complement edges");
    assert!(bdd.peak_live() >= 6);
    assert!(bdd.settle().is_ok() && bdd.bytes() > 0);
}
