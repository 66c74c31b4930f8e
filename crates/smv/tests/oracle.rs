//! Random models against their meaning: the symbolic engine agrees with an explicit search that evaluates the model's
//! expressions state by state, on reachable states and on every specification, by every algorithm.

use proptest::prelude::*;
use riata_smv::ast::{Logic, Sort, When};
use riata_smv::check::{Automaton, Explored, Length, Method, Session};
use riata_smv::evaluate::{self, Concrete, State, Step};
use riata_smv::machine::Layout;
use riata_smv::model::{Domain, E, Model, Op, Value};
use riata_smv::{Types, parse};
use riata_symbolic::bits::{BitSet, Bits};
use riata_symbolic::relation::Shape;
use riata_symbolic::{Algorithm, Engine, Oxi, Problem, Space, Strength};
use riata_system::Limits;
use std::collections::{BTreeSet, HashMap};

fn condition(inputs: bool) -> BoxedStrategy<String> {
    let mut leaves = vec![
        "b",
        "c",
        "x = 1",
        "x < 2",
        "e = p",
        "e in {p, q}",
        "x + 1 > y",
        "x != y",
        "w = 0ud2_1",
        "w + 0ud2_1 < 0ud2_2",
        "d",
        "count(b, c, d) = 2",
        "word1(b) :: w[0:0] = w",
        "toint(w) = x",
        "max(x, y) = 2",
        "TRUE",
    ];
    if inputs {
        leaves.extend(["i", "i & b"]);
    }
    let leaf = prop::sample::select(leaves).prop_map(String::from);
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            (inner.clone(), prop::sample::select(vec!["&", "|", "->", "<->", "xor", "xnor"]), inner.clone())
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            inner.clone().prop_map(|a| format!("!({a})")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(a, b, c)| format!("case {a} : {b}; TRUE : {c}; esac")),
        ]
    })
    .boxed()
}

fn value(of: &'static [&'static str], inputs: bool) -> BoxedStrategy<String> {
    let leaf = prop::sample::select(of).prop_map(String::from);
    (leaf.clone(), leaf, condition(inputs))
        .prop_flat_map(|(a, b, c)| {
            prop_oneof![
                Just(a.clone()),
                Just(format!("case {c} : {a}; TRUE : {b}; esac")),
                Just(format!("({a}) union ({b})")),
                Just(format!("({c} ? {a} : {b})")),
            ]
        })
        .boxed()
}

fn ctl() -> BoxedStrategy<String> {
    let leaf = condition(false).prop_map(|c| format!("({c})"));
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            (prop::sample::select(vec!["EX", "AX", "EF", "AF", "EG", "AG"]), inner.clone())
                .prop_map(|(op, a)| format!("{op} ({a})")),
            (prop::sample::select(vec!["EBF", "ABF", "EBG", "ABG"]), 0..3u32, 0..3u32, inner.clone())
                .prop_map(|(op, from, more, a)| format!("{op} {from}..{} ({a})", from + more)),
            (prop::sample::select(vec!["E", "A"]), inner.clone(), inner.clone())
                .prop_map(|(op, a, b)| format!("{op} [{a} U {b}]")),
            (0..3u32, 0..3u32, inner.clone(), inner.clone())
                .prop_map(|(from, more, a, b)| format!("E [{a} BU {from}..{} {b}]", from + more)),
            (inner.clone(), prop::sample::select(vec!["&", "|", "->", "<->"]), inner)
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
        ]
    })
    .boxed()
}

fn ltl() -> BoxedStrategy<String> {
    let leaf = condition(false).prop_map(|c| format!("({c})"));
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            (prop::sample::select(vec!["X", "F", "G", "Y", "Z", "O", "H", "!"]), inner.clone())
                .prop_map(|(op, a)| format!("{op} ({a})")),
            (inner.clone(), prop::sample::select(vec!["U", "V", "S", "T", "&", "|", "->"]), inner)
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
        ]
    })
    .boxed()
}

const INTS: &[&str] = &["x", "y", "0", "2", "(x + 1) mod 3", "{0, 1}", "1 union 2", "(x * y) mod 3"];
const ENUMS: &[&str] = &["e", "p", "q", "r", "{p, r}", "e union q"];
const WORDS: &[&str] = &["w", "w + 0ud2_1", "w * w", "!w", "-w", "w << 1", "w / 0ud2_2", "0ud2_3"];

/// A model of 2·2·2·3·3·3·4 states at most.
fn model() -> BoxedStrategy<String> {
    let next = (condition(true), value(INTS, true), value(ENUMS, true), value(WORDS, true), condition(true));
    let constraints = (condition(false), condition(true), any::<u8>());
    let fair = prop::collection::vec(condition(true), 0..=2);
    let strong = prop::collection::vec((condition(false), condition(false)), 0..=1);
    let specs = (ctl(), ltl(), condition(false), ctl(), ltl());
    (next, constraints, fair, strong, specs)
        .prop_map(|((b, x, e, w, y), (invar, trans, flags), fair, strong, (c1, l1, i1, c2, l2))| {
            let mut text = String::from("MODULE cell(b, x)\nVAR y : 0..2;\n");
            if flags & 1 == 1 {
                text += "ASSIGN next(y) := b ? x : y;\n";
            }
            text += "MODULE main\nVAR b : boolean; c : boolean; x : 0..2; e : {p, q, r}; w : word[2];\n";
            text += &format!("m : {}cell(c, x);\n", if flags & 2 == 2 { "process " } else { "" });
            text += "IVAR i : boolean;\nFROZENVAR d : boolean;\nDEFINE y := m.y;\n";
            let w = if w.contains("union") { "w".into() } else { w };
            text += &format!("ASSIGN next(b) := {b}; next(x) := {x}; next(e) := {e}; next(w) := {w}; init(x) := {{0, 1}};\n");
            if flags & 4 == 4 {
                text += &format!("c := {};\n", y.replace('i', "TRUE").replace("TRUEn", "in").replace("toTRUEnt", "toint").replace("c", "b").replace("bount", "count").replace("base", "case").replace("esab", "esac"));
            }
            if flags & 8 == 8 {
                text += &format!("INVAR {invar}\n");
            }
            if flags & 16 == 16 {
                text += &format!("TRANS ({trans}) | next(c) = b\n");
            }
            text += &format!("INIT w = 0ud2_0 | {invar}\n");
            fair.iter().for_each(|f| text += &format!("FAIRNESS {f}\n"));
            strong.iter().for_each(|(p, q)| text += &format!("COMPASSION({p}, {q})\n"));
            text += &format!("COMPUTE MIN [{i1}, {c1}]\nCOMPUTE MAX [{i1}, {invar}]\nCOMPUTE MAX [{invar}, {c2}]\n");
            text += &format!("SPEC {c1}\nLTLSPEC {l1}\nINVARSPEC {i1}\nCTLSPEC {c2}\nLTLSPEC {l2}\n");
            text
        })
        .boxed()
}

/// p after `from` to `to` steps, all of them or some, as `join` says. The sets are those with k steps to go.
fn bounded(
    ex: &mut impl FnMut(&BitSet) -> BitSet,
    p: &BitSet,
    from: u32,
    to: u32,
    join: &impl Fn(&BitSet, &BitSet) -> BitSet,
) -> BitSet {
    (0..to).rev().fold(p.clone(), |later, k| {
        let step = ex(&later);
        if k >= from { join(p, &step) } else { step }
    })
}

fn domain(d: &Domain) -> Vec<Concrete> {
    match d {
        Domain::Bool => [false, true].map(|b| Concrete::Value(Value::Bool(b))).to_vec(),
        Domain::Values(v) => v.iter().map(|v| Concrete::Value(*v)).collect(),
        Domain::Word { signed, width } => {
            (0..1 << width).map(|x| Concrete::Word(*width, *signed, x)).collect()
        }
    }
}

/// All combinations of values of the variables of some sorts; the others have their first value.
fn combinations(model: &Model, wanted: impl Fn(Sort) -> bool) -> Vec<State> {
    let mut all: Vec<State> = vec![Vec::new()];
    for v in &model.vars {
        let mut values = domain(&v.domain);
        if !wanted(v.sort) {
            values.truncate(1);
        }
        all = all
            .iter()
            .flat_map(|s| values.iter().map(move |x| s.iter().copied().chain([*x]).collect()))
            .collect();
    }
    all
}

/// The states that the assignments allow after `now`; what else is asked of a step is left to [`evaluate::transition`].
fn followers(model: &Model, now: &State) -> Vec<State> {
    let step = Step { now, then: None };
    let mut all: Vec<State> = vec![Vec::new()];
    for (v, variable) in (0u32..).zip(&model.vars) {
        let assigns = model.assigns.iter().filter(|a| a.var == v && a.when == When::Next);
        let (mut values, mut assigned) = (Vec::new(), false);
        for a in assigns {
            assigned = true;
            if a.running.is_none_or(|r| evaluate::holds(model, step, r)) {
                values = evaluate::values(model, step, a.value);
            }
        }
        if assigned && values.is_empty() || variable.sort == Sort::Frozen {
            values = vec![now[v as usize]];
        } else if !assigned {
            values = domain(&variable.domain);
            if variable.sort == Sort::Input {
                values.truncate(1);
            }
        }
        all = all
            .iter()
            .flat_map(|s| values.iter().map(move |x| s.iter().copied().chain([*x]).collect()))
            .collect();
    }
    all
}

/// A graph that is written down: a node is a state with what the last step fulfilled.
struct Explicit {
    graph: Bits,
    nodes: Vec<(usize, u32)>,
    states: Vec<State>,
    initial: Vec<usize>,
    justice: Vec<BitSet>,
    compassion: Vec<(BitSet, BitSet)>,
}

fn explicit(model: &Model) -> Explicit {
    let candidates = combinations(model, |s| s != Sort::Input);
    let inputs = combinations(model, |s| s == Sort::Input);
    let ok = |s: &State| evaluate::state(model, Step { now: s, then: None }).is_ok();
    let states: Vec<State> = candidates.into_iter().filter(ok).collect();
    let with = |s: &State, i: &State| -> State {
        model.vars.iter().enumerate().map(|(v, x)| if x.sort == Sort::Input { i[v] } else { s[v] }).collect()
    };
    let places: HashMap<State, usize> = states.iter().cloned().zip(0..).collect();
    let mut nodes: Vec<(usize, u32)> = Vec::new();
    let mut number: HashMap<(usize, u32), usize> = HashMap::new();
    for (i, s) in states.iter().enumerate() {
        if evaluate::initial(model, s).is_ok() {
            number.insert((i, 0), nodes.len());
            nodes.push((i, 0));
        }
    }
    let initial: Vec<usize> = (0..nodes.len()).collect();
    let mut successors: HashMap<usize, Vec<(usize, u32)>> = HashMap::new();
    let mut edges = Vec::new();
    let mut at = 0;
    while at < nodes.len() {
        let s = nodes[at].0;
        let after = successors.entry(s).or_insert_with(|| {
            let mut found = Vec::new();
            for input in &inputs {
                let now = with(&states[s], input);
                for then in followers(model, &now) {
                    let Some(&t) = places.get(&then) else { continue };
                    let step = Step { now: &now, then: Some(&then) };
                    if evaluate::transition(model, step, &then).is_ok() {
                        let marks = model.justice.iter().enumerate();
                        let marks = marks
                            .filter(|(_, j)| evaluate::holds(model, step, **j))
                            .fold(0, |m, (k, _)| m | 1 << k);
                        found.push((t, marks));
                    }
                }
            }
            found.sort_unstable();
            found.dedup();
            found
        });
        for &node in after.iter() {
            let to = *number.entry(node).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            });
            edges.push((at as u32, to as u32));
        }
        at += 1;
    }
    let n = nodes.len();
    let graph = Bits::new(n, &edges);
    let set = |of: &dyn Fn(usize) -> bool| {
        let mut set = BitSet::new(n);
        (0..n).filter(|&i| of(i)).for_each(|i| set.insert(i));
        set
    };
    let holds = |i: usize, e: E| evaluate::holds(model, Step { now: &states[nodes[i].0], then: None }, e);
    let justice = (0..model.justice.len()).map(|k| set(&|i| nodes[i].1 >> k & 1 == 1)).collect();
    let compassion =
        model.compassion.iter().map(|&(p, q)| (set(&|i| holds(i, p)), set(&|i| holds(i, q)))).collect();
    Explicit { graph, nodes, states, initial, justice, compassion }
}

impl Explicit {
    fn fair(&self, invariant: &BitSet) -> BitSet {
        let problem =
            Problem { invariant: invariant.clone(), fair: self.justice.clone(), strength: Strength::General };
        let mut e = Engine::new(&self.graph);
        riata_symbolic::algorithms::streett::fair_states(&mut e, &problem, &self.compassion)
            .expect("no limit")
            .1
    }

    /// The nodes where a CTL formula holds.
    fn ctl(&self, model: &Model, types: &Types, e: E) -> BitSet {
        use riata_smv::ast::{Binary, Kind, Modal, Modal2, Unary};
        let g = &self.graph;
        let mut engine = Engine::new(g);
        let not = |a: &BitSet| g.minus(&g.all(), a).expect("no limit");
        if !types.of(e).ctl {
            let mut set = g.none();
            for (i, (s, _)) in self.nodes.iter().enumerate() {
                if evaluate::holds(model, Step { now: &self.states[*s], then: None }, e) {
                    set.insert(i);
                }
            }
            return set;
        }
        let node = model.node(e);
        let kids: Vec<BitSet> = node.kids.iter().map(|&k| self.ctl(model, types, k)).collect();
        let fair = self.fair(&g.all());
        let Op::Apply(kind) = &node.op else { panic!("a temporal operator") };
        let or = |a: &BitSet, b: &BitSet| g.or(a, b).expect("no limit");
        let and = |a: &BitSet, b: &BitSet| g.and(a, b).expect("no limit");
        let mut ex = |a: &BitSet| engine.ex(&and(a, &fair)).expect("no limit");
        let mut until = Engine::new(g);
        let mut eu = |a: &BitSet, b: &BitSet| until.eu(a, &and(b, &fair)).expect("no limit");
        match kind {
            Kind::Unary(Unary::Not) => not(&kids[0]),
            Kind::Binary(Binary::And) => and(&kids[0], &kids[1]),
            Kind::Binary(Binary::Or) => or(&kids[0], &kids[1]),
            Kind::Binary(Binary::Implies) => or(&not(&kids[0]), &kids[1]),
            Kind::Binary(_) => or(&and(&kids[0], &kids[1]), &and(&not(&kids[0]), &not(&kids[1]))),
            Kind::Modal(Modal::Ex) => ex(&kids[0]),
            Kind::Modal(Modal::Ax) => not(&ex(&not(&kids[0]))),
            Kind::Modal(Modal::Ef) => eu(&g.all(), &kids[0]),
            Kind::Modal(Modal::Ag) => not(&eu(&g.all(), &not(&kids[0]))),
            Kind::Modal(Modal::Eg) => self.fair(&kids[0]),
            Kind::Modal(Modal::Af) => not(&self.fair(&not(&kids[0]))),
            Kind::Modal(Modal::Ebf(from, to)) => bounded(&mut ex, &kids[0], *from, *to, &or),
            Kind::Modal(Modal::Ebg(from, to)) => bounded(&mut ex, &kids[0], *from, *to, &and),
            Kind::Modal(Modal::Abf(from, to)) => not(&bounded(&mut ex, &not(&kids[0]), *from, *to, &and)),
            Kind::Modal(Modal::Abg(from, to)) => not(&bounded(&mut ex, &not(&kids[0]), *from, *to, &or)),
            Kind::Modal2(Modal2::Ebu(from, to)) => {
                let (mut now, go) = (kids[1].clone(), |a: &BitSet| and(&kids[0], a));
                (*from..*to).for_each(|_| now = or(&kids[1], &go(&ex(&now))));
                (0..*from).for_each(|_| now = go(&ex(&now)));
                now
            }
            Kind::Modal2(Modal2::Eu) => eu(&kids[0], &kids[1]),
            _ => {
                let (p, q) = (not(&kids[0]), not(&kids[1]));
                not(&or(&eu(&q, &and(&p, &q)), &self.fair(&q)))
            }
        }
    }

    /// The length of a shortest or longest path, by walking all of them.
    fn length(&self, model: &Model, types: &Types, e: E) -> Length {
        use riata_smv::ast::{Kind, Modal2};
        let node = model.node(e);
        let fair = self.fair(&self.graph.all());
        let within = |e: E| -> Vec<bool> {
            let set = self.ctl(model, types, e);
            (0..self.nodes.len()).map(|i| set.has(i) && fair.has(i)).collect()
        };
        let (p, q) = (within(node.kids[0]), within(node.kids[1]));
        let next = |i: usize| self.graph.post[i].iter().map(|&j| j as usize).filter(|&j| fair.has(j));
        if node.op == Op::Apply(Kind::Modal2(Modal2::Shortest)) {
            let mut seen = p.clone();
            let mut front: Vec<usize> = (0..p.len()).filter(|&i| p[i]).collect();
            for steps in 0.. {
                if front.iter().any(|&i| q[i]) {
                    return Length::Steps(steps);
                }
                let after: Vec<usize> = front.iter().flat_map(|&i| next(i)).collect();
                front = after.into_iter().filter(|&j| !std::mem::replace(&mut seen[j], true)).collect();
                if front.is_empty() {
                    break;
                }
            }
            return Length::Infinite;
        }
        if !p.contains(&true) || !q.contains(&true) {
            return Length::Undefined;
        }
        // The states outside q on a longest path from here; a path with more of them than there are is a circle.
        let mut longest: Vec<u64> = (0..p.len()).map(|i| u64::from(fair.has(i) && !q[i])).collect();
        for _ in 0..=p.len() {
            let before = longest.clone();
            for i in 0..p.len() {
                if before[i] > 0 {
                    longest[i] = 1 + next(i).map(|j| before[j]).max().unwrap_or(0);
                }
            }
        }
        let most = (0..p.len()).filter(|&i| p[i]).map(|i| longest[i]).max().unwrap_or(0);
        if most > p.len() as u64 { Length::Infinite } else { Length::Steps(most) }
    }

    /// Is there a fair path that the automaton accepts?
    fn accepts(&self, model: &Model, automaton: &Automaton) -> bool {
        let a = automaton.tgba.as_ref().expect("an automaton");
        let letter = |s: usize, ap: u32| {
            let number: usize = a.aps[ap as usize][1..].parse().expect("p0, p1 …");
            evaluate::holds(model, Step { now: &self.states[s], then: None }, automaton.linear.atoms[number])
        };
        // Nodes: (node, state of the automaton, marks of the edge that led here).
        let mut nodes: Vec<(usize, u32, u64)> = Vec::new();
        let mut number = HashMap::new();
        for &i in &self.initial {
            for &q in &a.initial {
                number.entry((i, q, 0)).or_insert_with(|| {
                    nodes.push((i, q, 0));
                    nodes.len() - 1
                });
            }
        }
        let (mut at, mut edges) = (0, Vec::new());
        while at < nodes.len() {
            let (i, q, _) = nodes[at];
            for edge in a.edges(q) {
                if !a.labels.eval(edge.label, |ap| letter(self.nodes[i].0, ap)) {
                    continue;
                }
                for &j in &self.graph.post[i] {
                    let node = (j as usize, edge.to, edge.marks.0);
                    let to = *number.entry(node).or_insert_with(|| {
                        nodes.push(node);
                        nodes.len() - 1
                    });
                    edges.push((at as u32, to as u32));
                }
            }
            at += 1;
        }
        let n = nodes.len();
        let graph = Bits::new(n, &edges);
        let set = |of: &dyn Fn(usize) -> bool| {
            let mut set = BitSet::new(n);
            (0..n).filter(|&i| of(i)).for_each(|i| set.insert(i));
            set
        };
        let mut fair: Vec<BitSet> = (0..a.sets).map(|m| set(&|i| nodes[i].2 >> m & 1 == 1)).collect();
        fair.extend(self.justice.iter().map(|j| set(&|i| j.has(nodes[i].0))));
        let pairs: Vec<_> = self
            .compassion
            .iter()
            .map(|(p, q)| (set(&|i| p.has(nodes[i].0)), set(&|i| q.has(nodes[i].0))))
            .collect();
        let problem = Problem { invariant: graph.all(), fair, strength: Strength::General };
        let mut e = Engine::new(&graph);
        let (_, states) =
            riata_symbolic::algorithms::streett::fair_states(&mut e, &problem, &pairs).expect("no limit");
        states.iter().next().is_some()
    }
}

/// What `explore` counts.
#[derive(Debug, PartialEq)]
struct Numbers {
    initial: f64,
    levels: usize,
    transitions: Option<f64>,
    deadlocks: Option<f64>,
    /// States of the run to one of them.
    way: Option<usize>,
    fair: Option<f64>,
}

impl Numbers {
    fn of(e: Explored) -> Numbers {
        let Explored { initial, levels, transitions, deadlocks, fair, .. } = e;
        Numbers { initial, levels, transitions, deadlocks, way: e.way.map(|t| t.stem.len()), fair }
    }
}

impl Explicit {
    /// What `explore` is to count: of states, whatever the steps to them fulfilled.
    fn numbers(&self) -> Numbers {
        let post = |i: usize| self.graph.post[i].iter().map(|&j| self.nodes[j as usize].0);
        let mut steps: HashMap<usize, BTreeSet<usize>> = HashMap::new();
        for (i, (s, _)) in self.nodes.iter().enumerate() {
            steps.entry(*s).or_default().extend(post(i));
        }
        let mut level: BTreeSet<usize> = self.initial.iter().map(|&i| self.nodes[i].0).collect();
        let (initial, mut levels, mut way) = (level.len() as f64, 0, None);
        let mut seen = BTreeSet::new();
        while !level.is_empty() {
            levels += 1;
            if way.is_none() && level.iter().any(|s| steps[s].is_empty()) {
                way = Some(levels);
            }
            seen.extend(&level);
            let after: BTreeSet<usize> = level.iter().flat_map(|s| &steps[s]).copied().collect();
            level = after.difference(&seen).copied().collect();
        }
        let fair: BTreeSet<usize> = self.fair(&self.graph.all()).iter().map(|i| self.nodes[i].0).collect();
        let fairness = !self.justice.is_empty() || !self.compassion.is_empty();
        Numbers {
            initial,
            levels,
            transitions: Some(steps.values().map(BTreeSet::len).sum::<usize>() as f64),
            deadlocks: Some(steps.values().filter(|after| after.is_empty()).count() as f64),
            way,
            fair: (fairness && !self.nodes.is_empty()).then_some(fair.len() as f64),
        }
    }
}

fn compare(text: &str) -> Result<(), TestCaseError> {
    let (model, types) = match parse(text) {
        Ok(parsed) => parsed,
        Err(wrong) => return Err(TestCaseError::fail(format!("{wrong:?}\n{text}"))),
    };
    let wanted = explicit(&model);
    let of = |method| -> Vec<Option<Automaton>> {
        let one = |s| Automaton::new(&model, &types, s, false, method).expect("a small formula");
        model.specs.iter().map(one).collect()
    };
    let (automata, tableaux) = (of(Method::Automaton), of(Method::Tableau));
    let bdd = Oxi::new(Limits { memory: Some(64 << 20), ..Limits::default() });
    let fresh = automata.iter().chain(&tableaux).flatten().map(Automaton::bits).max().unwrap_or(0);
    let layout = Layout::new(&bdd, &model, &types, fresh, &[]);
    let session = match Session::new(&bdd, &model, &types, &layout, Shape::Clusters(30)) {
        Ok(session) => session,
        Err(riata_smv::Fail::Wrong(d)) => return Err(TestCaseError::fail(format!("{d:?}\n{text}"))),
        Err(riata_smv::Fail::Stop(stop)) => return Err(TestCaseError::fail(stop.to_string())),
    };
    let mut reached: Vec<usize> = wanted.nodes.iter().map(|n| n.0).collect();
    reached.sort_unstable();
    reached.dedup();
    prop_assert_eq!(session.states().ok(), Some(reached.len() as f64), "reachable states\n{}", text);
    let explored = Session::explore(&bdd, &model, &types, &layout, Shape::Clusters(30)).ok();
    prop_assert_eq!(explored.map(Numbers::of), Some(wanted.numbers()), "{}", text);
    for ((spec, automaton), tableau) in model.specs.iter().zip(&automata).zip(&tableaux) {
        let expected = match spec.logic {
            Logic::Ctl => {
                let sat = wanted.ctl(&model, &types, spec.formula);
                let fair = wanted.fair(&wanted.graph.all());
                let any = wanted.initial.iter().any(|&i| fair.has(i));
                wanted.initial.iter().all(|&i| sat.has(i) || any && !fair.has(i))
            }
            Logic::Ltl | Logic::Psl => !wanted.accepts(&model, automaton.as_ref().expect("LTL")),
            Logic::Compute => {
                let value = wanted.length(&model, &types, spec.formula);
                let Ok(answer) = session.check(spec, None, None) else {
                    return Err(TestCaseError::fail("a limit, or a wrong model"));
                };
                prop_assert_eq!(answer.value, Some(value), "{}\n{}", &spec.name, text);
                true
            }
            Logic::Invariant => wanted.nodes.iter().all(|n| {
                evaluate::holds(&model, Step { now: &wanted.states[n.0], then: None }, spec.formula)
            }),
        };
        for algorithm in [None].into_iter().chain(Algorithm::ALL.map(Some)) {
            let Ok(answer) = session.check(spec, automaton.as_ref(), algorithm) else {
                return Err(TestCaseError::fail("a limit, or a wrong model"));
            };
            let name = algorithm.map_or("auto", Algorithm::name);
            prop_assert_eq!(answer.holds, expected, "{} by {}\n{}", &spec.name, name, text);
            if tableau.is_some() {
                let Ok(answer) = session.check(spec, tableau.as_ref(), algorithm) else {
                    return Err(TestCaseError::fail("a limit, or a wrong model"));
                };
                prop_assert_eq!(answer.holds, expected, "{} by {} and tableau\n{}", &spec.name, name, text);
            }
        }
    }
    Ok(())
}

/// `RIATA_CASES=1000` for a long night.
fn cases() -> u32 {
    std::env::var("RIATA_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn the_engine_agrees_with_the_meaning(text in model()) {
        compare(&text)?;
    }
}
