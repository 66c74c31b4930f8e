//! A chain of 20 million states and a component of 5 million, by every check: `cargo run --release --example deep`.

use riata_testkit::deep::{Shape, check_all};

fn main() {
    for (shape, states) in
        [(Shape::Chain, 20_000_000), (Shape::Ring, 5_000_000), (Shape::AcceptingRing, 5_000_000)]
    {
        println!("{shape:?} of {states} states, exact store");
        println!(
            "{:>11} {:>6} {:>10} {:>8} {:>13} {:>12}",
            "check", "empty", "states", "seconds", "bytes/state", "store alone"
        );
        for r in check_all(shape, states) {
            println!(
                "{:>11} {:>6} {:>10} {:>8.2} {:>13.1} {:>12.1}",
                r.algorithm, r.empty, r.states, r.seconds, r.bytes_per_state, r.store_bytes_per_state
            );
            assert_eq!(r.empty, shape != Shape::AcceptingRing);
            assert_eq!(r.states, u64::from(states));
        }
    }
}
