//! Spin's never claims: writing, and reading what Spin, LTL2BA, LTL3BA and Spot write.

mod reader;
mod writer;

pub use reader::read;
pub use writer::write;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::product::disjoint;
    use crate::translate::{Options, Output, translate};
    use riata_ltl::{Dialect, parse};

    #[test]
    fn what_is_written_is_read_back() {
        for text in ["G(a -> F b)", "a U (b U c)", "G F a & G F b", "false", "true", "F G (x > 3)", "G a"] {
            let f = parse(text, Dialect::Auto).unwrap();
            let options = Options { output: Output::Ba, ..Options::default() };
            let a = translate(&f, &options).unwrap();
            let not_f = translate(&f.negated(), &options).unwrap();
            let claim = write(&a, text);
            let b = read(&claim).unwrap_or_else(|d| panic!("{d:?}\n{claim}"));
            let complement = read(&write(&not_f, text)).unwrap();
            assert!(disjoint(&b, &not_f) && disjoint(&a, &complement), "{claim}");
            assert_eq!(disjoint(&b, &a), disjoint(&a, &a), "{claim}");
        }
    }

    #[test]
    fn claims_of_other_tools() {
        // Spin 6: a terminal state that asserts; LTL2BA: comments and a last `skip`.
        let claim = "never  {    /* !([]p) */\nT0_init:\n\tdo\n\t:: atomic { (! ((p))) -> assert(!(! ((p)))) }\n\
                     \t:: (1) -> goto T0_init\n\tod;\naccept_all:\n\tskip\n}\n";
        let a = read(claim).unwrap();
        assert_eq!((a.states(), a.sets), (3, 1));
        let f = parse("F !p", Dialect::Spot).unwrap();
        let b = translate(&f.negated(), &Options::default()).unwrap();
        assert!(disjoint(&a, &b) && !disjoint(&a, &translate(&f, &Options::default()).unwrap()));
    }

    #[test]
    fn errors_have_a_place() {
        for (text, at) in [
            ("never { T0: if :: a -> goto Nowhere fi }", 28),
            ("never { T0: if :: a -> goto T0", 30),
            ("newer { }", 0),
            ("never { T0: do :: a -> break od }", 23),
            ("never { }", 8),
            ("never { T0: if :: (a -> goto T0 fi }", 29),
        ] {
            assert_eq!(read(text).unwrap_err().span.start, at, "{text}");
        }
    }
}
