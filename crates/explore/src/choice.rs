//! The table of the checks, what each asks for, and which to take.

use riata_system::Strength;
use std::fmt;
use std::str::FromStr;

/// The emptiness checks, by citation key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Algorithm {
    Cvwy92,
    Hpy96,
    Gmz04,
    Se05,
    And,
    Sd,
    Reach,
    Tarjan72,
    Gv04,
    Couvreur99,
    Ascc,
    Tau03,
    Cndfs,
    Ufscc,
}

/// What is known of a check: one row of the table.
struct Row {
    algorithm: Algorithm,
    name: &'static str,
    /// Needs one acceptance set, on states.
    one_set: bool,
    /// Needs a number for each state, so not bitstate.
    numbered: bool,
    strength: Strength,
    /// Is it one for several threads, with a shared store?
    threads: bool,
    summary: &'static str,
}

const fn row(
    algorithm: Algorithm,
    name: &'static str,
    (one_set, numbered): (bool, bool),
    strength: Strength,
    summary: &'static str,
) -> Row {
    Row { algorithm, name, one_set, numbered, strength, threads: false, summary }
}

const ON_STATES: (bool, bool) = (true, false);
const ANY: (bool, bool) = (false, false);
const SCC: (bool, bool) = (false, true);

/// In the order of the enumeration.
const TABLE: [Row; 14] = {
    use Algorithm::*;
    use Strength::*;
    [
        row(Cvwy92, "cvwy92", ON_STATES, General, "nested DFS, Courcoubetis et al. 1992"),
        row(Hpy96, "hpy96", ON_STATES, General, "nested DFS as in Spin, Holzmann et al. 1996"),
        row(Gmz04, "gmz04", ON_STATES, General, "nested DFS with black states, Gastin et al. 2004"),
        row(Se05, "se05", ON_STATES, General, "nested DFS with four colours, Schwoon and Esparza 2005"),
        row(And, "and", ON_STATES, General, "amended nested DFS, Gaiser and Schwoon 2009"),
        row(Sd, "sd", ANY, Weak, "simple DFS, weak automata only"),
        row(Reach, "reach", ANY, Terminal, "reachability, terminal automata only"),
        row(Tarjan72, "tarjan72", SCC, General, "components, tested when complete, Tarjan 1972"),
        row(Gv04, "gv04", (true, true), General, "components with early report, Geldenhuys and Valmari 2004"),
        row(Couvreur99, "couvreur99", SCC, General, "components without their stack, Couvreur 1999"),
        row(Ascc, "ascc", SCC, General, "amended Couvreur, Gaiser and Schwoon 2009"),
        row(Tau03, "tau03", SCC, General, "generalised nested DFS, Tauriainen 2003"),
        Row {
            threads: true,
            ..row(
                Cndfs,
                "cndfs",
                (true, true),
                General,
                "nested DFS by several threads, Evangelista et al. 2012",
            )
        },
        Row {
            threads: true,
            ..row(Ufscc, "ufscc", SCC, General, "components by several threads, Bloemen et al. 2016")
        },
    ]
};

impl Algorithm {
    /// All checks for one thread, in the order of the table.
    pub const ALL: [Algorithm; 12] = {
        let mut all = [Algorithm::Ascc; 12];
        let mut i = 0;
        while i < 12 {
            all[i] = TABLE[i].algorithm;
            i += 1;
        }
        all
    };

    /// The checks for several threads.
    pub const SHARED: [Algorithm; 2] = [Algorithm::Cndfs, Algorithm::Ufscc];

    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The name by which the command line knows it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What it is, in a line.
    pub fn summary(self) -> &'static str {
        self.row().summary
    }

    /// Does it need an automaton with one acceptance set, on states? Others are degeneralised for it.
    pub fn needs_one_set(self) -> bool {
        self.row().one_set
    }

    /// Does it need a store that numbers the states?
    pub fn needs_numbers(self) -> bool {
        self.row().numbered
    }

    /// Is it made for several threads? Then it needs a shared store, which keeps the states.
    pub fn needs_shared(self) -> bool {
        self.row().threads
    }

    /// Why it cannot be used on a graph of this strength, or with a store that does not number states.
    pub fn refuses(self, strength: Strength, numbered: bool) -> Option<Refused> {
        if strength > self.row().strength {
            Some(Refused::Strength { check: self, has: strength })
        } else if self.row().numbered && !numbered {
            Some(Refused::Store { check: self })
        } else {
            None
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        TABLE.iter().find(|r| r.name == name).map(|r| r.algorithm).ok_or_else(|| {
            let names: Vec<_> = TABLE.iter().map(|r| r.name).collect();
            format!("unknown algorithm `{name}`; there are {}", names.join(", "))
        })
    }
}

/// Why a check will not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is right only for a smaller class of automata.
    Strength {
        /// The check.
        check: Algorithm,
        /// What the automaton is.
        has: Strength,
    },
    /// It keeps a number for each state, and the store has no place for one.
    Store {
        /// The check.
        check: Algorithm,
    },
    /// It needs one acceptance set, on states, and this graph has others.
    Acceptance {
        /// The check.
        check: Algorithm,
    },
    /// It is for one thread, or for several with a shared store that keeps the states; and it was given the other.
    Threads {
        /// The check.
        check: Algorithm,
    },
    /// It does not need one acceptance set on states, and this graph is a view that was made for checks that do.
    View {
        /// The check.
        check: Algorithm,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Strength { check, has } => {
                let wants = if check.row().strength == Strength::Terminal { "terminal" } else { "weak" };
                let has = if *has == Strength::Weak { "weak but not terminal" } else { "not weak" };
                write!(f, "`{check}` is correct only on {wants} automata, and this one is {has}")
            }
            Refused::Store { check } => {
                write!(f, "`{check}` keeps a number for each state, which the bitstate store cannot hold")
            }
            Refused::Acceptance { check } => {
                write!(f, "`{check}` needs one acceptance set on states; degeneralise first")
            }
            Refused::Threads { check } if check.needs_shared() => {
                write!(f, "`{check}` is for threads that share a store: exact or tree")
            }
            Refused::Threads { check } => {
                write!(f, "`{check}` searches with one thread (--threads): `cndfs` and `ufscc` take several")
            }
            Refused::View { check } => {
                write!(f, "`{check}` takes any acceptance; give it the graph itself, not one made for others")
            }
        }
    }
}

impl std::error::Error for Refused {}

/// A check and why it was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The check.
    pub algorithm: Algorithm,
    /// The reason, for the user.
    pub reason: &'static str,
}

/// What several threads do on a graph of any strength, with a shared store.
pub fn choose_shared() -> Choice {
    let reason =
        "several threads: each transition by one of them where components are large, any number of sets";
    Choice { algorithm: Algorithm::Ufscc, reason }
}

/// The papers' advice (SE05 section 5.3, GS09 section 5) for a graph of this strength, and for a store that numbers
/// its states or does not.
pub fn choose(strength: Strength, numbered: bool) -> Choice {
    let (algorithm, reason) = match (strength, numbered) {
        (Strength::Terminal, _) => (Algorithm::Reach, "the automaton is terminal: reachability suffices"),
        (Strength::Weak, _) => {
            (Algorithm::Sd, "the automaton is weak: a simple search finds every cycle at once")
        }
        (Strength::General, true) => {
            (Algorithm::Ascc, "general automaton: earliest report, each transition once, any number of sets")
        }
        (Strength::General, false) => {
            (Algorithm::And, "general automaton with bitstate hashing: the best nested search")
        }
    };
    Choice { algorithm, reason }
}
