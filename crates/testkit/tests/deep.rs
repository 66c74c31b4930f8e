//! Deep and wide systems: no check uses the machine's stack for a path of the model.
//!
//! The same at full size (20 and 5 million states) is the example `deep`, which CI runs.

use riata_testkit::deep::{Shape, check_all};

#[test]
fn a_chain_of_a_million_states() {
    for row in check_all(Shape::Chain, 1_000_000) {
        assert!(row.empty, "{}", row.algorithm);
        assert_eq!(row.states, 1_000_000, "{}", row.algorithm);
    }
}

#[test]
fn a_component_of_a_quarter_million_states() {
    for row in check_all(Shape::Ring, 250_000) {
        assert!(row.empty, "{}", row.algorithm);
        assert_eq!(row.states, 250_000, "{}", row.algorithm);
    }
    for row in check_all(Shape::AcceptingRing, 250_000) {
        assert!(!row.empty, "{}", row.algorithm);
    }
}
