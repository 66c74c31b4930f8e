//! Places for states, arrows and labels.
//!
//! Layers are distances from the initial states, so that an arrow forward leads one layer down (but
//! what cannot be reached begins at the top, too); between two layers of
//! states there is one for labels, in which every arrow has a place of its own. A longer arrow passes through all layers on
//! its way, an arrow inside a layer goes round through the labels below.
//!
//! The order in a layer is found by barycentres, swept down and up, of which the one with the fewest crossings is kept;
//! then each layer moves as near to its neighbours as the order and the widths allow: that is the isotonic regression,
//! and the pooling of adjacent violators solves it exactly.

use crate::{Picture, shown};
use std::cmp::Ordering;
use std::collections::VecDeque;
use unicode_width::UnicodeWidthStr;

/// Width of a character.
pub(crate) const CHAR: f64 = 6.7;
/// Distance between lines.
pub(crate) const LINE: f64 = 14.0;
/// How far a loop stands out to the right of its state.
pub(crate) const LOOP: f64 = 26.0;
/// The margin around everything.
const MARGIN: f64 = 16.0;
/// The least distance beside one another.
const BESIDE: f64 = 18.0;
/// The least distance between a layer of states and one of labels.
const BELOW: f64 = 20.0;
/// How long the arrow to an initial state is.
const START: f64 = 24.0;
/// Sweeps for the order, and for the places.
const SWEEPS: (usize, usize) = (24, 40);

/// Where everything is.
#[derive(Clone, Debug, Default)]
pub struct Placed {
    /// The whole picture.
    pub size: (f64, f64),
    /// The middle of each state, and its size.
    pub nodes: Vec<((f64, f64), (f64, f64))>,
    /// The way of each arc.
    pub arcs: Vec<Route>,
    /// The arrows from nowhere.
    pub starts: Vec<Route>,
}

/// The way of an arrow.
#[derive(Clone, Debug, Default)]
pub struct Route {
    /// From border to border; none of a loop.
    pub points: Vec<(f64, f64)>,
    /// The middle of its label.
    pub label: (f64, f64),
}

/// Something with a place in a layer: a state, a label, or a bend of an arrow.
#[derive(Clone, Debug, Default)]
struct Vertex {
    layer: usize,
    /// How far it reaches from its middle to the left and to the right.
    left: f64,
    right: f64,
    height: f64,
    x: f64,
    /// How much it wants to be near its neighbours.
    weight: f64,
    up: Vec<usize>,
    down: Vec<usize>,
}

fn width(lines: &[String]) -> f64 {
    lines.iter().map(|l| l.width()).max().unwrap_or(0) as f64 * CHAR
}

/// The size of a state.
fn size(node: &crate::Node) -> (f64, f64) {
    let lines = shown(&node.lines);
    let rows = lines.len().max(1) + usize::from(node.note);
    let least = if node.note { 46.0 } else { 34.0 };
    let border = if node.accepting { 6.0 } else { 0.0 };
    ((width(&lines) + 16.0 + border).max(least), rows as f64 * LINE + 14.0 + border)
}

/// Finds places.
pub fn place(picture: &Picture) -> Placed {
    let mut plan = Plan::new(picture);
    plan.order();
    plan.spread();
    plan.placed(picture)
}

struct Plan {
    sizes: Vec<(f64, f64)>,
    /// The states first.
    vertices: Vec<Vertex>,
    /// For each arc the vertices on its way, its label among them.
    ways: Vec<(Vec<usize>, usize)>,
    layers: Vec<Vec<usize>>,
}

impl Plan {
    fn new(picture: &Picture) -> Plan {
        let sizes: Vec<(f64, f64)> = picture.nodes.iter().map(size).collect();
        let ranks = ranks(picture);
        let vertex = |(i, &(w, height)): (usize, &(f64, f64))| Vertex {
            layer: 2 * ranks[i],
            left: w / 2.0,
            right: w / 2.0,
            height,
            weight: 1.0,
            ..Vertex::default()
        };
        let vertices = sizes.iter().enumerate().map(vertex).collect();
        let mut plan = Plan { sizes, vertices, ways: Vec::new(), layers: Vec::new() };
        for arc in &picture.arcs {
            let lines = shown(&arc.lines);
            let (w, h) = (width(&lines), lines.len() as f64 * LINE);
            if arc.from == arc.to {
                let v = &mut plan.vertices[arc.from];
                v.right += LOOP + w + 4.0;
                v.height = v.height.max(h);
                plan.ways.push((Vec::new(), 0));
            } else {
                plan.way((arc.from, arc.to), (ranks[arc.from], ranks[arc.to]), (w, h));
            }
        }
        let last = plan.vertices.iter().map(|v| v.layer).max().unwrap_or(0);
        plan.layers = vec![Vec::new(); last + 1];
        for (i, v) in plan.vertices.iter().enumerate() {
            plan.layers[v.layer].push(i);
        }
        plan
    }

    /// The vertices of an arc that is no loop.
    fn way(&mut self, (from, to): (usize, usize), (a, b): (usize, usize), (w, h): (f64, f64)) {
        // Through every layer between; inside a layer of states, through the labels below.
        let between: Vec<usize> = match a.cmp(&b) {
            Ordering::Less => (2 * a + 1..2 * b).collect(),
            Ordering::Equal => vec![2 * a + 1],
            Ordering::Greater => (2 * b + 1..2 * a).rev().collect(),
        };
        // The label is in the middle of the way, in a layer of labels.
        let middle = (0..between.len()).find(|&k| between[k] % 2 == 1 && 2 * k + 1 >= between.len());
        let middle = middle.unwrap_or(0);
        let mut path = Vec::new();
        let mut before = from;
        for (k, &layer) in between.iter().enumerate() {
            let (half, height) = if k == middle { (w / 2.0 + 3.0, h) } else { (3.0, 0.0) };
            let weight = if between.len() > 1 { 3.0 } else { 1.0 };
            let vertex = Vertex { layer, left: half, right: half, height, weight, ..Vertex::default() };
            self.vertices.push(vertex);
            let at = self.vertices.len() - 1;
            self.join(before, at);
            path.push(at);
            before = at;
        }
        self.join(before, to);
        self.ways.push((path, middle));
    }

    fn join(&mut self, a: usize, b: usize) {
        let (upper, lower) = if self.vertices[a].layer < self.vertices[b].layer { (a, b) } else { (b, a) };
        self.vertices[upper].down.push(lower);
        self.vertices[lower].up.push(upper);
    }

    /// Orders the layers so that few arrows cross.
    fn order(&mut self) {
        let mut place = vec![0.0f64; self.vertices.len()];
        let note = |layer: &[usize], place: &mut Vec<f64>| {
            // By share of the layer, as layers differ in size.
            let n = layer.len() as f64;
            layer.iter().enumerate().for_each(|(k, &v)| place[v] = (k as f64 + 0.5) / n);
        };
        self.layers.iter().for_each(|layer| note(layer, &mut place));
        let mut best = (self.crossings(), self.layers.clone());
        for sweep in 0..SWEEPS.0 {
            let downward = sweep % 2 == 0;
            let n = self.layers.len();
            for k in 0..n {
                let at = if downward { k } else { n - 1 - k };
                let mean = |v: usize| {
                    let vertex = &self.vertices[v];
                    let near = if downward { &vertex.up } else { &vertex.down };
                    let sum: f64 = near.iter().map(|&u| place[u]).sum();
                    if near.is_empty() { place[v] } else { sum / near.len() as f64 }
                };
                let mut layer = std::mem::take(&mut self.layers[at]);
                let mut keyed: Vec<(f64, usize)> = layer.iter().map(|&v| (mean(v), v)).collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                layer.clear();
                layer.extend(keyed.into_iter().map(|(_, v)| v));
                note(&layer, &mut place);
                self.layers[at] = layer;
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
        }
        self.layers = best.1;
    }

    /// How many pairs of arrows cross between neighbouring layers.
    fn crossings(&self) -> usize {
        let mut place = vec![0usize; self.vertices.len()];
        for layer in &self.layers {
            layer.iter().enumerate().for_each(|(k, &v)| place[v] = k);
        }
        let mut all = 0;
        for (k, layer) in self.layers.iter().enumerate() {
            let below = self.layers.get(k + 1).map_or(0, Vec::len);
            // Ends seen so far, as a tree of sums.
            let mut sums = vec![0usize; below + 1];
            let mut seen = 0;
            for &v in layer {
                let mut ends: Vec<usize> = self.vertices[v].down.iter().map(|&d| place[d]).collect();
                ends.sort_unstable();
                for &end in &ends {
                    let (mut not_after, mut i) = (0, end + 1);
                    while i > 0 {
                        not_after += sums[i];
                        i &= i - 1;
                    }
                    all += seen - not_after;
                }
                for &end in &ends {
                    let mut i = end + 1;
                    while i <= below {
                        sums[i] += 1;
                        i += i & i.wrapping_neg();
                    }
                    seen += 1;
                }
            }
        }
        all
    }

    /// Moves every layer as near to its neighbours as its order allows.
    fn spread(&mut self) {
        for layer in 0..self.layers.len() {
            self.settle(layer, |_| 0.0);
        }
        let n = self.layers.len();
        for sweep in 0..SWEEPS.1 {
            let downward = sweep % 2 == 0;
            for k in 0..n {
                let at = if downward { k } else { n - 1 - k };
                let wishes: Vec<f64> = self.layers[at]
                    .iter()
                    .map(|&v| {
                        let vertex = &self.vertices[v];
                        let near: &[&Vec<usize>] = match sweep + 2 >= SWEEPS.1 {
                            true => &[&vertex.up, &vertex.down],
                            false if downward => &[&vertex.up],
                            false => &[&vertex.down],
                        };
                        let (sum, count) =
                            near.iter().flat_map(|l| l.iter()).fold((0.0, 0.0), |(s, c), &u| {
                                let other = &self.vertices[u];
                                (s + other.x * other.weight, c + other.weight)
                            });
                        if count == 0.0 { vertex.x } else { sum / count }
                    })
                    .collect();
                self.settle(at, |i| wishes[i]);
            }
        }
    }

    /// The places of a layer nearest to what is wished, in its order and with its distances.
    fn settle(&mut self, layer: usize, wish: impl Fn(usize) -> f64) {
        let members = &self.layers[layer];
        let mut offset = 0.0;
        // Blocks that move together: the sum of wishes and of weights, how many there are, and where they are.
        let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
        let mut offsets = Vec::with_capacity(members.len());
        for (i, &v) in members.iter().enumerate() {
            let vertex = &self.vertices[v];
            if let Some(&before) = i.checked_sub(1).and_then(|k| members.get(k)) {
                offset += self.vertices[before].right + BESIDE + vertex.left;
            }
            offsets.push(offset);
            blocks.push(((wish(i) - offset) * vertex.weight, vertex.weight, 1));
            while let [.., a, b] = &blocks[..]
                && a.0 / a.1 >= b.0 / b.1
            {
                let joined = (a.0 + b.0, a.1 + b.1, a.2 + b.2);
                blocks.truncate(blocks.len() - 2);
                blocks.push(joined);
            }
        }
        let mut at = 0;
        for (sum, weight, count) in blocks {
            for _ in 0..count {
                self.vertices[members[at]].x = sum / weight + offsets[at];
                at += 1;
            }
        }
    }

    fn placed(self, picture: &Picture) -> Placed {
        let left = self.vertices.iter().map(|v| v.x - v.left).fold(f64::INFINITY, f64::min);
        let shift = if left.is_finite() { MARGIN - left } else { 0.0 };
        let mut y = MARGIN + START;
        let mut middles = Vec::with_capacity(self.layers.len());
        for layer in &self.layers {
            let height = layer.iter().map(|&v| self.vertices[v].height).fold(0.0, f64::max);
            middles.push(y + height / 2.0);
            y += height + BELOW;
        }
        let at = |v: usize| (self.vertices[v].x + shift, middles[self.vertices[v].layer]);
        let nodes = self.sizes.iter().enumerate().map(|(i, &size)| (at(i), size)).collect();
        let mut placed = Placed { nodes, ..Placed::default() };
        for (arc, (way, middle)) in picture.arcs.iter().zip(&self.ways) {
            if way.is_empty() {
                let ((x, y), (w, _)) = placed.nodes[arc.from];
                let label = (x + w / 2.0 + LOOP + width(&shown(&arc.lines)) / 2.0, y);
                placed.arcs.push(Route { points: Vec::new(), label });
                continue;
            }
            let mut points = vec![(0.0, 0.0)];
            points.extend(way.iter().map(|&v| at(v)));
            points.push((0.0, 0.0));
            placed.arcs.push(Route { points, label: at(way[*middle]) });
        }
        ports(picture, &mut placed);
        for (node, ((x, y), (w, h))) in picture.nodes.iter().zip(&placed.nodes) {
            if node.initial {
                let end = (x - w / 4.0, y - h / 2.0);
                placed.starts.push(Route { points: vec![(end.0 - 8.0, end.1 - START), end], label: end });
            }
        }
        let right = self.vertices.iter().map(|v| v.x + v.right).fold(0.0 - shift, f64::max);
        placed.size = (right + shift + MARGIN, (y - BELOW + MARGIN).max(2.0 * MARGIN));
        placed
    }
}

/// How far each state is from the initial ones. What cannot be reached stands above what it leads to, if that can be.
fn ranks(picture: &Picture) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let n = picture.nodes.len();
    let (mut after, mut before) = (vec![Vec::new(); n], vec![Vec::new(); n]);
    for arc in &picture.arcs {
        after[arc.from].push(arc.to);
        before[arc.to].push(arc.from);
    }
    let mut ranks = vec![NONE; n];
    let mut queue: VecDeque<usize> = (0..n).filter(|&i| picture.nodes[i].initial).collect();
    queue.iter().for_each(|&i| ranks[i] = 0);
    loop {
        let mut ranked = Vec::from(queue.clone());
        while let Some(s) = queue.pop_front() {
            for &t in after[s].iter().filter(|t| ranks[**t] == NONE).collect::<Vec<_>>() {
                ranks[t] = ranks[s] + 1;
                queue.push_back(t);
                ranked.push(t);
            }
        }
        queue.extend(ranked);
        while let Some(t) = queue.pop_front() {
            for &s in before[t].iter().filter(|s| ranks[**s] == NONE).collect::<Vec<_>>() {
                ranks[s] = ranks[t].saturating_sub(1);
                queue.push_back(s);
            }
        }
        // What else such states lead to comes after them, and then what nothing of all this has to do with.
        let led = (0..n).find_map(|t| {
            let from = before[t].iter().copied().find(|s| ranks[*s] != NONE)?;
            (ranks[t] == NONE).then_some((t, ranks[from] + 1))
        });
        let Some((s, rank)) = led.or_else(|| ranks.iter().position(|r| *r == NONE).map(|s| (s, 0))) else {
            return ranks;
        };
        ranks[s] = rank;
        queue.push_back(s);
    }
}

/// Spreads the ends of arrows along the upper and the lower border of each state, in the order in which they come.
fn ports(picture: &Picture, placed: &mut Placed) {
    let mut ends: Vec<[Vec<(f64, usize, bool)>; 2]> = vec![Default::default(); placed.nodes.len()];
    for (i, (arc, way)) in picture.arcs.iter().zip(&placed.arcs).enumerate() {
        let n = way.points.len();
        if n == 0 {
            continue;
        }
        let (first, last) = (way.points[1], way.points[n - 2]);
        for (state, near, begin) in [(arc.from, first, true), (arc.to, last, false)] {
            let below = near.1 > placed.nodes[state].0.1;
            ends[state][usize::from(below)].push((near.0, i, begin));
        }
    }
    for (state, sides) in ends.iter_mut().enumerate() {
        let ((x, y), (w, h)) = placed.nodes[state];
        for (below, side) in sides.iter_mut().enumerate() {
            side.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let room = (w - 20.0).min(22.0 * side.len() as f64);
            for (k, &(_, i, begin)) in side.iter().enumerate() {
                let share = (k as f64 + 0.5) / side.len() as f64 - 0.5;
                let end = (x + room * share, if below == 1 { y + h / 2.0 } else { y - h / 2.0 });
                let points = &mut placed.arcs[i].points;
                let place = if begin { 0 } else { points.len() - 1 };
                points[place] = end;
            }
        }
    }
}
