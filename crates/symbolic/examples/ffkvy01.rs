//! The experiments of FFKVY01 that need no model: Table 1, Figure 3 and the families of Figure 2.
//!
//! ```text
//! cargo run --release -p riata-symbolic --example ffkvy01 -- [--seeds N] [--diagrams N] [--svg FILE]
//! ```
//!
//! The counts do not depend on how a set is stored, so the random graphs use bit sets; `--diagrams N` repeats the
//! first N seeds of each cell with decision diagrams and stops if a count differs.

use riata_symbolic::bits::{BitSet, Bits};
use riata_symbolic::{Algorithm, Counters, Engine, Oxi, Problem, Space, Strength, encode};
use riata_system::Limits;
use std::collections::HashSet;

const ORDER: u32 = 1 << 12;
const ALGORITHMS: [Algorithm; 4] = [Algorithm::Cty, Algorithm::CtyPlus, Algorithm::Owcty, Algorithm::El];
const FAIR: [f64; 6] = [0.01, 0.1, 0.3, 0.5, 0.7, 0.9];
const DENSITY: [f64; 4] = [1.2, 1.6, 2.0, 2.4];
/// Table 1 of the paper: (density, fair share, CTY, CTY+, OWCTY, EL).
const TABLE: [(f64, f64, [f64; 4]); 7] = [
    (1.2, 0.01, [2.18, 2.18, 2.17, 2.66]),
    (1.2, 0.1, [2.41, 2.41, 2.37, 5.36]),
    (1.2, 0.5, [2.09, 2.09, 2.07, 13.20]),
    (1.2, 0.9, [2.00, 2.00, 2.00, 20.89]),
    (1.6, 0.9, [2.00, 2.00, 2.00, 10.37]),
    (2.0, 0.9, [2.00, 2.00, 2.00, 7.02]),
    (2.4, 0.9, [2.00, 2.00, 2.00, 5.09]),
];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((((z ^ (z >> 31)) >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// dn different edges of the n(n − 1) without loops, and a fair set of the given size.
fn random(density: f64, share: f64, seed: u64) -> (Bits, Problem<BitSet>) {
    let mut random =
        Random(seed.wrapping_mul(0x1234_5678_9abc_def1) ^ density.to_bits() ^ share.to_bits().rotate_left(7));
    let mut edges = HashSet::new();
    let mut list = Vec::new();
    while list.len() < (density * f64::from(ORDER)).round() as usize {
        let edge = (random.below(ORDER), random.below(ORDER));
        if edge.0 != edge.1 && edges.insert(edge) {
            list.push(edge);
        }
    }
    let graph = Bits::new(ORDER as usize, &list);
    let mut fair = graph.none();
    let mut left = (share * f64::from(ORDER)).round() as usize;
    while left > 0 {
        let s = random.below(ORDER) as usize;
        if !fair.has(s) {
            fair.insert(s);
            left -= 1;
        }
    }
    let problem = Problem { invariant: graph.all(), fair: vec![fair], strength: Strength::General };
    (graph, problem)
}

fn count<S: Space>(space: &S, problem: &Problem<S::Set>, algorithm: Algorithm) -> Counters {
    let mut engine = Engine::new(space);
    algorithm.fair_states(&mut engine, problem).expect("no limit");
    engine.counters
}

/// The same graph with diagrams must give the same counts.
fn confirm(graph: &Bits, problem: &Problem<BitSet>, algorithm: Algorithm, wanted: &Counters) {
    let bdd = Oxi::new(Limits { memory: Some(256 << 20), ..Limits::default() });
    let vars = encode::interleaved(&bdd, ORDER.ilog2());
    let space = encode::graph(&bdd, &vars, graph).expect("no limit");
    let set = |s: &BitSet| encode::set(&bdd, &vars, s).expect("no limit");
    let problem = Problem {
        invariant: set(&problem.invariant),
        fair: problem.fair.iter().map(set).collect(),
        strength: problem.strength,
    };
    let found = count(&space, &problem, algorithm);
    let key = |c: &Counters| (c.external_iterations, c.ex, c.ey, c.eu, c.es);
    assert_eq!(key(&found), key(wanted), "{} counts something else with diagrams", algorithm.name());
}

/// Means of external iterations and images for each algorithm.
fn cell(density: f64, share: f64, seeds: u64, diagrams: u64) -> [(f64, f64); 4] {
    let mut sums = [(0.0, 0.0); 4];
    for seed in 0..seeds {
        let (graph, problem) = random(density, share, seed);
        for (sum, algorithm) in sums.iter_mut().zip(ALGORITHMS) {
            let c = count(&graph, &problem, algorithm);
            if seed < diagrams {
                confirm(&graph, &problem, algorithm, &c);
            }
            sum.0 += c.external_iterations as f64 / seeds as f64;
            sum.1 += (c.ex + c.ey) as f64 / seeds as f64;
        }
    }
    sums
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|a| a == name)?;
        arguments.get(at + 1).cloned()
    };
    let number = |name: &str, default: u64| option(name).map_or(default, |n| n.parse().expect("a number"));
    let (seeds, diagrams) = (number("--seeds", 100), number("--diagrams", 0));

    println!("Table 1: external iterations, order 2^12, means over {seeds} graphs (the paper's value)\n");
    println!("| density | fair set | CTY | CTY+ | OWCTY | EL − 1 |\n|---|---|---|---|---|---|");
    let mut worst: f64 = 0.0;
    let mut images: Vec<[f64; 4]> = Vec::new();
    for (density, share) in FAIR.map(|f| (1.2, f)).into_iter().chain(DENSITY[1..].iter().map(|&d| (d, 0.9))) {
        let means = cell(density, share, seeds, diagrams);
        if density == 1.2 {
            images.push(means.map(|m| m.1));
        }
        let paper = TABLE.iter().find(|t| t.0 == density && t.1 == share).map(|t| t.2);
        print!("| {density} | {share}n |");
        for (i, mean) in means.iter().enumerate() {
            match paper {
                Some(paper) => {
                    // The paper's numbers for EL are those without the iteration that confirms the fixpoint.
                    let counted = if ALGORITHMS[i] == Algorithm::El { mean.0 - 1.0 } else { mean.0 };
                    worst = worst.max((counted / paper[i] - 1.0).abs());
                    print!(" {counted:.2} ({:.2}) |", paper[i]);
                }
                None if ALGORITHMS[i] == Algorithm::El => print!(" {:.2} |", mean.0 - 1.0),
                None => print!(" {:.2} |", mean.0),
            }
        }
        println!();
    }
    println!("\nLargest deviation from the paper: {:.1} %", 100.0 * worst);
    if diagrams > 0 {
        println!("The first {diagrams} graphs of each cell gave the same counts with decision diagrams.");
    }

    println!("\nFigure 3: images, order 2^12, density 1.2\n");
    println!("| fair set | CTY | CTY+ | OWCTY | EL |\n|---|---|---|---|---|");
    for (share, row) in FAIR.iter().zip(&images) {
        let row: Vec<String> = row.iter().map(|m| format!("{m:.1}")).collect();
        println!("| {share}n | {} |", row.join(" | "));
    }
    if let Some(file) = option("--svg") {
        std::fs::write(&file, plot(&images)).expect("the plot can be written");
    }
    families();
}

/// Figure 2. The first family: n states that are not fair, a fair one with a loop, n more fair ones, and an end that is
/// not fair. The second: k copies of m states that are not fair, a fair one, and one that is not fair with a loop.
fn families() {
    let images = |graph: &Bits, fair: &BitSet| {
        let problem =
            Problem { invariant: graph.all(), fair: vec![fair.clone()], strength: Strength::General };
        [Algorithm::El, Algorithm::Owcty].map(|a| {
            let c = count(graph, &problem, a);
            (c.external_iterations, c.ex)
        })
    };
    println!(
        "\nFigure 2, first family\n\n| n | EL iterations | EL images | OWCTY iterations | OWCTY images |"
    );
    println!("|---|---|---|---|---|");
    for n in [50u32, 100, 200, 400, 800] {
        let mut edges: Vec<(u32, u32)> = (0..=2 * n).map(|i| (i, i + 1)).collect();
        edges.push((n, n));
        let graph = Bits::new(2 * n as usize + 2, &edges);
        let mut fair = graph.none();
        (n as usize..=2 * n as usize).for_each(|i| fair.insert(i));
        let [(ei, ex), (oi, ox)] = images(&graph, &fair);
        println!("| {n} | {ei} | {ex} | {oi} | {ox} |");
    }
    println!(
        "\nFigure 2, second family (m = 8)\n\n| k | EL iterations | EL images | OWCTY iterations | OWCTY images | OWCTY / EL |"
    );
    println!("|---|---|---|---|---|---|");
    for k in [2u32, 4, 8, 16, 32, 64] {
        let m = 8;
        let mut edges = Vec::new();
        let mut members = Vec::new();
        let n = k * (m + 2);
        for copy in 0..k {
            let first = copy * (m + 2);
            members.push(first + m);
            edges.push((first + m + 1, first + m + 1));
        }
        edges.extend((0..n - 1).map(|i| (i, i + 1)));
        let graph = Bits::new(n as usize, &edges);
        let mut fair = graph.none();
        members.iter().for_each(|&i| fair.insert(i as usize));
        let [(ei, ex), (oi, ox)] = images(&graph, &fair);
        println!("| {k} | {ei} | {ex} | {oi} | {ox} | {:.2} |", ox as f64 / ex as f64);
    }
}

/// Figure 3 as a picture.
fn plot(images: &[[f64; 4]]) -> String {
    let (width, height, left, bottom) = (560.0, 360.0, 60.0, 40.0);
    let top = images.iter().flatten().fold(0.0f64, |a, &b| a.max(b)).max(1.0);
    let x = |share: f64| left + share * (width - left - 90.0);
    let y = |n: f64| height - bottom - n / top * (height - bottom - 20.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    let step = 10f64.powf((top / 4.0).log10().floor()).max(1.0);
    let step = [1.0, 2.0, 5.0, 10.0].iter().map(|f| f * step).find(|s| top / s <= 6.0).unwrap_or(step);
    let mut tick = 0.0;
    while tick <= top {
        svg += &format!(
            "<line x1=\"{left}\" x2=\"{}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>\n",
            width - 90.0,
            y(tick),
            y(tick),
            left - 6.0,
            y(tick) + 4.0
        );
        tick += step;
    }
    for share in FAIR {
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{share}n</text>\n",
            x(share),
            height - bottom + 18.0
        );
    }
    let styles =
        [("CTY", "#c44", "6 3"), ("CTY+", "#c84", "2 2"), ("OWCTY", "#248", ""), ("EL", "#282", "9 3 2 3")];
    for (i, (name, colour, dashes)) in styles.iter().enumerate() {
        let points: Vec<String> =
            FAIR.iter().zip(images).map(|(&s, row)| format!("{:.1},{:.1}", x(s), y(row[i]))).collect();
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>\n",
            points.join(" ")
        );
        let last = images.last().map_or(0.0, |row| row[i]);
        svg += &format!(
            "<text x=\"{}\" y=\"{:.1}\" fill=\"{colour}\">{name}</text>\n",
            width - 86.0,
            y(last) + 4.0
        );
    }
    svg += &format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">size of the fair set (order 2^12, density 1.2)</text>\n",
        width / 2.0 - 20.0,
        height - 4.0
    );
    svg += &format!(
        "<text x=\"14\" y=\"{}\" transform=\"rotate(-90 14 {})\" text-anchor=\"middle\">images</text>\n</svg>\n",
        height / 2.0,
        height / 2.0
    );
    svg
}
