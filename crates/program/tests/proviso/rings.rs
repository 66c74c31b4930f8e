//! Random programs of two or three processes that go round, most of their steps their own business.

use std::fmt::Write as _;

/// Numbers that are random enough (Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let order = if random.below(2) == 0 { "youngest" } else { "oldest" };
    let mut text = format!("program {order}\nshared x: 0..1 wrap = 0\nshared y: 0..1 wrap = 0\n");
    let processes = 2 + random.below(2);
    for p in 0..processes {
        let locations = 1 + random.below(4);
        let _ = writeln!(text, "process P{p} priority 1 {{");
        for l in 0..locations {
            let _ = writeln!(text, "  location L{l}{}", if l == 0 { " initial" } else { "" });
        }
        for l in 0..locations {
            for _ in 0..1 + random.below(2) {
                let guard = ["", "", "", " when (x == 1)", " when (y == 1)", " when (x == 0)"];
                let effect = ["", "", "", "", " do x := 1", " do x := 0", " do y := 1", " do y := 0"];
                let guard = guard[random.below(6) as usize];
                let effect = effect[random.below(8) as usize];
                let _ = writeln!(text, "  edge L{l} -> L{}{guard}{effect}", random.below(locations));
            }
        }
        text.push_str("}\n");
    }
    for p in 0..processes {
        let _ = writeln!(text, "start P{p}");
    }
    text.push_str("proposition p = (x == 1)\nproposition q = (y == 1)\n");
    text
}
