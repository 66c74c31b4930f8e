//! Every algorithm against Tarjan, on 10,000 random graphs with 0 to 4 fair sets, with diagrams and with bits.

use proptest::prelude::*;
use riata_symbolic::bits::{BitSet, Bits};
use riata_symbolic::witness::{fair_lasso, path};
use riata_symbolic::{Algorithm, Bdd, Engine, Oxi, Problem, Space, Strength, Symbolic, algorithms, encode};
use riata_system::Limits;

/// The components of the graph inside `within`, by Tarjan's text.
fn tarjan(g: &Bits, within: &BitSet) -> Vec<Vec<usize>> {
    struct Search<'a> {
        g: &'a Bits,
        within: &'a BitSet,
        index: Vec<Option<usize>>,
        low: Vec<usize>,
        stack: Vec<usize>,
        found: Vec<Vec<usize>>,
        next: usize,
    }
    impl Search<'_> {
        fn visit(&mut self, v: usize) {
            (self.index[v], self.low[v]) = (Some(self.next), self.next);
            self.next += 1;
            self.stack.push(v);
            for &w in &self.g.post[v] {
                let w = w as usize;
                if !self.within.has(w) {
                    continue;
                }
                match self.index[w] {
                    None => {
                        self.visit(w);
                        self.low[v] = self.low[v].min(self.low[w]);
                    }
                    Some(i) if self.stack.contains(&w) => self.low[v] = self.low[v].min(i),
                    Some(_) => {}
                }
            }
            if Some(self.low[v]) == self.index[v] {
                let at = self.stack.iter().position(|&w| w == v).expect("on the stack");
                self.found.push(self.stack.split_off(at));
            }
        }
    }
    let n = g.post.len();
    let (index, low) = (vec![None; n], vec![0; n]);
    let mut search = Search { g, within, index, low, stack: vec![], found: vec![], next: 0 };
    for v in within.iter() {
        if search.index[v].is_none() {
            search.visit(v);
        }
    }
    search.found
}

fn before(g: &Bits, within: &BitSet, target: &BitSet) -> BitSet {
    let mut reached = target.clone();
    let mut stack: Vec<usize> = target.iter().collect();
    while let Some(s) = stack.pop() {
        for &p in &g.pre[s] {
            if within.has(p as usize) && !reached.has(p as usize) {
                reached.insert(p as usize);
                stack.push(p as usize);
            }
        }
    }
    reached
}

/// EG_fair by the definition.
fn oracle(g: &Bits, invariant: &BitSet, fair: &[BitSet]) -> BitSet {
    let mut good = g.none();
    for c in tarjan(g, invariant) {
        let cyclic = c.len() > 1 || g.post[c[0]].contains(&(c[0] as u32));
        if cyclic && fair.iter().all(|f| c.iter().any(|&s| f.has(s))) {
            c.iter().for_each(|&s| good.insert(s));
        }
    }
    before(g, invariant, &good)
}

/// EG_fair with strong fairness, by decomposing again without the p-states of components that miss q.
fn streett_oracle(g: &Bits, invariant: &BitSet, fair: &[BitSet], pairs: &[(BitSet, BitSet)]) -> BitSet {
    let mut good = g.none();
    let mut parts = vec![invariant.clone()];
    while let Some(part) = parts.pop() {
        for c in tarjan(g, &part) {
            let cyclic = c.len() > 1 || g.post[c[0]].contains(&(c[0] as u32));
            if !cyclic || !fair.iter().all(|f| c.iter().any(|&s| f.has(s))) {
                continue;
            }
            let meets = |set: &BitSet| c.iter().any(|&s| set.has(s));
            match pairs.iter().find(|(p, q)| meets(p) && !meets(q)) {
                None => c.iter().for_each(|&s| good.insert(s)),
                Some((p, _)) => {
                    let mut rest = g.none();
                    c.iter().filter(|&&s| !p.has(s)).for_each(|&s| rest.insert(s));
                    parts.push(rest);
                }
            }
        }
    }
    before(g, invariant, &good)
}

#[derive(Clone, Debug)]
struct Case {
    bits: u32,
    edges: Vec<(u32, u32)>,
    fair: Vec<Vec<u32>>,
    outside: Vec<u32>,
    /// Fair sets are made of whole components.
    weak: bool,
}

fn case() -> impl Strategy<Value = Case> {
    (3u32..=5, any::<bool>()).prop_flat_map(|(bits, weak)| {
        let n = 1u32 << bits;
        let edges = prop::collection::vec((0..n, 0..n), 0..=(2 * n as usize));
        let fair = prop::collection::vec(prop::collection::vec(0..n, 0..=(n as usize / 2)), 0..=4);
        let outside = prop_oneof![Just(vec![]), prop::collection::vec(0..n, 0..=(n as usize / 4))];
        (edges, fair, outside).prop_map(move |(edges, fair, outside)| Case {
            bits,
            edges,
            fair,
            outside,
            weak,
        })
    })
}

fn bit_set(n: usize, members: &[u32]) -> BitSet {
    let mut set = BitSet::new(n);
    members.iter().for_each(|&i| set.insert(i as usize));
    set
}

impl Case {
    fn graph(&self) -> Bits {
        Bits::new(1 << self.bits, &self.edges)
    }

    fn problem(&self, g: &Bits) -> Problem<BitSet> {
        let n = g.post.len();
        let outside = bit_set(n, &self.outside);
        let invariant = g.minus(&g.all(), &outside).expect("no limit");
        let mut fair: Vec<BitSet> = self.fair.iter().map(|f| bit_set(n, f)).collect();
        let mut strength = Strength::General;
        if self.weak && self.outside.is_empty() {
            strength = Strength::Weak;
            for f in &mut fair {
                let whole = tarjan(g, &invariant).into_iter().filter(|c| f.has(c[0])).flatten();
                let mut closed = g.none();
                whole.for_each(|s| closed.insert(s));
                *f = closed;
            }
        }
        Problem { invariant, fair, strength }
    }
}

/// The members of a set of a symbolic graph.
fn members<B: Bdd>(g: &Symbolic<B>, n: usize, set: &B::F) -> BitSet {
    let mut found = BitSet::new(n);
    let bits = g.vars.current.len();
    for s in 0..n {
        let value = |v| (s >> (bits - 1 - v as usize / 2 % bits)) & 1 == 1;
        if g.bdd.eval(set, &value) {
            found.insert(s);
        }
    }
    found
}

/// Is it a run of the graph through every fair set, inside the invariant?
fn is_fair_lasso<S: Space>(
    e: &mut Engine<S>,
    lasso: &riata_symbolic::witness::Lasso<S::Set>,
    fair: &[S::Set],
    invariant: &S::Set,
) -> bool {
    let all: Vec<&S::Set> = lasso.stem.iter().chain(&lasso.cycle).chain(lasso.cycle.first()).collect();
    let meets = |e: &Engine<S>, a: &S::Set, b: &S::Set| !e.is_empty(&e.and(a, b).expect("no limit"));
    let steps = all.windows(2).all(|w| {
        let after = e.ey(w[0]).expect("no limit");
        meets(e, &after, w[1]) && meets(e, w[0], invariant)
    });
    let visits = fair.iter().all(|f| lasso.cycle.iter().any(|s| meets(e, s, f)));
    steps && visits && !lasso.cycle.is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn all_algorithms_agree_with_tarjan(case in case()) {
        thread_local! {
            static BDD: (Oxi<'static>, Vec<riata_symbolic::relation::Vars>) = {
                let bdd = Oxi::new(Limits { memory: Some(32 << 20), ..Limits::default() });
                let vars = (3..=5).map(|bits| encode::interleaved(&bdd, bits)).collect();
                (bdd, vars)
            };
        }
        let g = case.graph();
        let problem = case.problem(&g);
        let wanted = oracle(&g, &problem.invariant, &problem.fair);
        BDD.with(|(bdd, vars)| {
            let vars = &vars[case.bits as usize - 3];
            let s = encode::graph(bdd, vars, &g).expect("no limit");
            let set = |b: &BitSet| encode::set(bdd, vars, b).expect("no limit");
            let symbolic = Problem {
                invariant: set(&problem.invariant),
                fair: problem.fair.iter().map(set).collect(),
                strength: problem.strength,
            };
            let wanted_set = set(&wanted);
            for a in Algorithm::ALL {
                let mut bits = Engine::new(&g);
                let found = a.fair_states(&mut bits, &problem).expect("no limit");
                prop_assert_eq!(&found, &wanted, "{} with bits", a.name());
                let mut engine = s.engine();
                let found = a.fair_states(&mut engine, &symbolic).expect("no limit");
                prop_assert!(found == wanted_set, "{} with diagrams", a.name());
                // What is counted does not depend on how sets are stored, unless states are picked.
                if !matches!(a, Algorithm::Lockstep | Algorithm::Chain) {
                    let (c, d) = (&bits.counters, &engine.counters);
                    prop_assert_eq!(
                        (c.external_iterations, c.ex, c.ey, c.eu, c.es),
                        (d.external_iterations, d.ex, d.ey, d.eu, d.es)
                    );
                }
            }
            if wanted.iter().next().is_some() {
                let mut e = s.engine();
                let start = s.pick(&wanted_set).expect("no limit");
                let lasso = fair_lasso(&mut e, &start, &wanted_set, &symbolic.fair).expect("no limit");
                let lasso = lasso.expect("a fair state has a fair path");
                prop_assert!(is_fair_lasso(&mut e, &lasso, &symbolic.fair, &symbolic.invariant));
                let short = lasso.clone().shortened();
                prop_assert!(is_fair_lasso(&mut e, &short, &symbolic.fair, &symbolic.invariant));
                prop_assert!(short.stem.len() <= lasso.stem.len() && short.cycle.len() == lasso.cycle.len());
                prop_assert!(short.stem.iter().all(|x| !short.cycle.contains(x)));
            }
            Ok(())
        })?;
    }

    #[test]
    fn strong_fairness_agrees_with_its_definition(case in case()) {
        let g = case.graph();
        let mut problem = case.problem(&g);
        // Two of the fair sets make a pair.
        let mut pairs = Vec::new();
        while problem.fair.len() >= 3 || (problem.fair.len() == 2 && !case.weak) {
            let (q, p) = (problem.fair.pop().expect("two"), problem.fair.pop().expect("one"));
            pairs.push((p, q));
        }
        let mut e = Engine::new(&g);
        let (_, found) = algorithms::streett::fair_states(&mut e, &problem, &pairs).expect("no limit");
        prop_assert_eq!(found, streett_oracle(&g, &problem.invariant, &problem.fair, &pairs));
    }

    #[test]
    fn paths_are_shortest(case in case()) {
        let g = case.graph();
        let problem = case.problem(&g);
        let (Some(from), Some(to)) = (problem.fair.first(), problem.fair.get(1)) else { return Ok(()) };
        let mut e = Engine::new(&g);
        let found = path(&mut e, from, to, &g.all()).expect("no limit");
        // Breadth-first search by distances.
        let mut distance = vec![None; g.post.len()];
        let mut queue: std::collections::VecDeque<usize> = from.iter().collect();
        from.iter().for_each(|s| distance[s] = Some(1));
        while let Some(s) = queue.pop_front() {
            for &t in &g.post[s] {
                if distance[t as usize].is_none() {
                    distance[t as usize] = distance[s].map(|d: usize| d + 1);
                    queue.push_back(t as usize);
                }
            }
        }
        prop_assert_eq!(found.map(|p| p.len()), to.iter().filter_map(|t| distance[t]).min());
    }
}

#[test]
fn a_set_is_the_set_of_its_members() {
    let bdd = Oxi::new(Limits { memory: Some(16 << 20), ..Limits::default() });
    let vars = encode::interleaved(&bdd, 3);
    let g = Bits::new(8, &[(0, 5), (5, 6)]);
    let s = encode::graph(&bdd, &vars, &g).expect("no limit");
    let one = encode::set(&bdd, &vars, &bit_set(8, &[0])).expect("no limit");
    let after = s.post(&one).expect("no limit");
    assert_eq!(members(&s, 8, &after), bit_set(8, &[5]));
    let before = s.pre(&encode::set(&bdd, &vars, &bit_set(8, &[6])).expect("no limit")).expect("no limit");
    assert_eq!(members(&s, 8, &before), bit_set(8, &[5]));
    assert_eq!(s.count(&s.all()), 8.0);
}
