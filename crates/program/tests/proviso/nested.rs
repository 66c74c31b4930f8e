//! Nested depth-first search on the product of a small graph and an automaton, with three ways to choose successors.

use super::small::{Automaton, Graph};
use std::collections::HashSet;

/// A state of the product.
type Node = (usize, usize);

/// What a search does.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    /// States of the blue search.
    states: u64,
    /// Successors that were generated, by the blue search and by the red one.
    blue: u64,
    red: u64,
    /// Those of the red one that were thrown away.
    discarded: u64,
}

impl Cost {
    pub fn add(&mut self, other: Cost) {
        self.states += other.states;
        self.blue += other.blue;
        self.red += other.red;
        self.discarded += other.discarded;
    }
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Cost { states, blue, red, discarded } = self;
        write!(f, "{states} states, {blue} blue and {red} red successors, {discarded} discarded")
    }
}

/// The successors of a node, each with whether it is by a step that suffices.
fn after(g: &Graph, a: &Automaton, (s, b): Node) -> Vec<(Node, bool)> {
    let (valuation, steps) = &g[s];
    let fits = |e: &&(usize, u64, u64, usize)| e.0 == b && valuation & e.1 == e.1 && valuation & e.2 == 0;
    a.edges
        .iter()
        .filter(fits)
        .flat_map(|e| steps.iter().map(|&(to, suffices)| ((to, e.3), suffices)))
        .collect()
}

/// The steps that suffice, if there are such and none of them leads to the stack; otherwise all.
fn by_stack(all: Vec<(Node, bool)>, stack: &HashSet<Node>) -> Vec<Node> {
    let reduced = || all.iter().filter(|(_, suffices)| *suffices).map(|(to, _)| *to);
    if reduced().next().is_some() && !reduced().any(|to| stack.contains(&to)) {
        return reduced().collect();
    }
    all.into_iter().map(|(to, _)| to).collect()
}

/// Who sees which successors.
#[derive(Clone, Copy, PartialEq)]
enum Choice {
    /// All of them.
    All,
    /// Each search looks at its own stack.
    OwnStack,
    /// The blue search looks at its stack, the red one takes what the blue one explored.
    Discard,
}

struct Search<'a> {
    g: &'a Graph,
    a: &'a Automaton,
    choice: Choice,
    /// Does the red search look for its seed only, and not for any state of the blue stack?
    seed_only: bool,
    blue: HashSet<Node>,
    on_blue: HashSet<Node>,
    red: HashSet<Node>,
    cost: Cost,
}

impl Search<'_> {
    fn blue_successors(&mut self, node: Node) -> Vec<Node> {
        let all = after(self.g, self.a, node);
        let chosen = match self.choice {
            Choice::All => all.into_iter().map(|(to, _)| to).collect(),
            Choice::OwnStack | Choice::Discard => by_stack(all, &self.on_blue),
        };
        self.cost.blue += chosen.len() as u64;
        chosen
    }

    fn red_successors(&mut self, node: Node, stack: &HashSet<Node>) -> Vec<Node> {
        let all = after(self.g, self.a, node);
        let chosen: Vec<Node> = match self.choice {
            Choice::OwnStack => by_stack(all, stack),
            Choice::All | Choice::Discard => all.into_iter().map(|(to, _)| to).collect(),
        };
        self.cost.red += chosen.len() as u64;
        let explored: Vec<Node> = chosen.iter().copied().filter(|to| self.blue.contains(to)).collect();
        if self.choice == Choice::Discard {
            self.cost.discarded += (chosen.len() - explored.len()) as u64;
            return explored;
        }
        chosen
    }

    /// Is there an accepting cycle?
    fn run(&mut self) -> bool {
        let root = (0, 0);
        let mut stack = vec![(root, self.enter(root))];
        while let Some((node, left)) = stack.last_mut() {
            let node = *node;
            match left.pop() {
                Some(to) if !self.blue.contains(&to) => {
                    let successors = self.enter(to);
                    stack.push((to, successors));
                }
                Some(_) => {}
                None => {
                    if node.1 == self.a.accepting && self.red_from(node) {
                        return true;
                    }
                    self.on_blue.remove(&node);
                    stack.pop();
                }
            }
        }
        false
    }

    fn enter(&mut self, node: Node) -> Vec<Node> {
        self.cost.states += 1;
        self.blue.insert(node);
        self.on_blue.insert(node);
        self.blue_successors(node)
    }

    /// Does a path lead from here to the blue stack?
    fn red_from(&mut self, seed: Node) -> bool {
        if !self.red.insert(seed) {
            return false;
        }
        let mut on_red = HashSet::from([seed]);
        let first = self.red_successors(seed, &on_red);
        let mut stack = vec![(seed, first)];
        while let Some((node, left)) = stack.last_mut() {
            let node = *node;
            match left.pop() {
                Some(to) if to == seed || !self.seed_only && self.on_blue.contains(&to) => return true,
                Some(to) if self.red.insert(to) => {
                    on_red.insert(to);
                    let successors = self.red_successors(to, &on_red);
                    stack.push((to, successors));
                }
                Some(_) => {}
                None => {
                    on_red.remove(&node);
                    stack.pop();
                }
            }
        }
        false
    }
}

fn search(g: &Graph, a: &Automaton, choice: Choice, seed_only: bool) -> (bool, Cost) {
    let empty = HashSet::new;
    let (blue, on_blue, red) = (empty(), empty(), empty());
    let mut search = Search { g, a, choice, seed_only, blue, on_blue, red, cost: Cost::default() };
    (search.run(), search.cost)
}

/// The proviso looks at the stack of the search at hand, and the red search for its seed (CVWY92): wrong.
pub fn naive_stack_proviso(g: &Graph, a: &Automaton) -> (bool, Cost) {
    search(g, a, Choice::OwnStack, true)
}

/// The same, but the red search looks for any state of the blue stack (HPY96).
pub fn naive_to_the_stack(g: &Graph, a: &Automaton) -> (bool, Cost) {
    search(g, a, Choice::OwnStack, false)
}

/// The blue search has a proviso; the red one generates all, and discards what the blue one has not explored.
pub fn discarding_unexplored(g: &Graph, a: &Automaton) -> (bool, Cost) {
    search(g, a, Choice::Discard, true)
}

/// Nested depth-first search on a graph whose states have one set of successors: Riata's reduction.
pub fn function_of_the_state(g: &Graph, a: &Automaton) -> (bool, Cost) {
    search(g, a, Choice::All, true)
}

/// The definition, and how many edges the product has: is there a reachable accepting node on a cycle?
pub fn accepting_cycle(g: &Graph, a: &Automaton) -> (bool, u64) {
    let reach = |from: Vec<Node>| {
        let mut seen: HashSet<Node> = from.iter().copied().collect();
        let mut todo = from;
        let mut edges = 0;
        while let Some(node) = todo.pop() {
            for (to, _) in after(g, a, node) {
                edges += 1;
                if seen.insert(to) {
                    todo.push(to);
                }
            }
        }
        (seen, edges)
    };
    let (all, edges) = reach(vec![(0, 0)]);
    let returns = |node: &Node| {
        node.1 == a.accepting
            && reach(after(g, a, *node).into_iter().map(|(to, _)| to).collect()).0.contains(node)
    };
    (all.iter().any(returns), edges)
}
