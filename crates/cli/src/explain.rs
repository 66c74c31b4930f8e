//! `riata ltl --explain`: the construction of the lecture, step by step, for a small formula.

use riata_automata::hoa::{self, Automaton};
use riata_automata::reduce::degeneralise::{self, degeneralise};
use riata_automata::translate::closure::{self, Closure};
use riata_automata::translate::{Budget, Options, Output, TranslateError, translate};
use riata_ltl::past::remove_past;
use riata_ltl::{Dialect, Id, Ltl, print};
use std::fmt::Write as _;

/// More legal sets than this are too many to read.
const LEGAL: usize = 256;

/// The text.
pub fn explain(f: &Ltl, options: &Options) -> Result<String, TranslateError> {
    let mut arena = f.arena.clone();
    let root = remove_past(&mut arena, f.root).root;
    let budget = Budget { states: LEGAL, ..options.budget };
    let c = Closure::new(&arena, root, &budget)?;
    let show = |g: Id| print(&c.arena, g, Dialect::Unicode);
    let show_as = |g: Id, positive: bool| match positive {
        true => show(g),
        false => {
            let mut m = c.arena.clone();
            let n = m.negate(g);
            print(&m, n, Dialect::Unicode)
        }
    };
    let mut out = format!("Formula   {}\n", print(&f.arena, f.root, Dialect::Unicode));
    let _ = writeln!(out, "With ∧, ¬, X and U only: {}\n", show(c.root));
    let _ = writeln!(out, "Closure: subformulas and their negations");
    for &g in &c.positive {
        let _ = writeln!(out, "  {}    {}", show(g), show_as(g, false));
    }
    let _ =
        writeln!(out, "\nLegal subsets: consistent, maximal, and consistent with a U b ⟺ b ∨ (a ∧ X(a U b))");
    let mut count = 0usize;
    for (i, set) in c.legal.iter().enumerate() {
        let members: Vec<String> = c.positive.iter().zip(set).map(|(&g, &b)| show_as(g, b)).collect();
        let initial = if c.holds(set, c.root) { "  initial" } else { "" };
        let next: Vec<String> = (0..c.legal.len())
            .filter(|&j| c.follows(set, &c.legal[j]))
            .map(|j| format!("B{}", j + 1))
            .collect();
        count += next.len();
        let _ = writeln!(out, "  B{:<3} {{{}}}{initial}", i + 1, members.join(", "));
        let _ =
            writeln!(out, "       → {}", if next.is_empty() { "nothing".to_owned() } else { next.join(" ") });
    }
    let untils = c.untils();
    let _ = writeln!(out, "\nAcceptance sets, one for each U: {}", untils.len());
    for (k, &u) in untils.iter().enumerate() {
        let members: Vec<String> = (0..c.legal.len())
            .filter(|&i| c.marks(&c.legal[i]).has(k as u32))
            .map(|i| format!("B{}", i + 1))
            .collect();
        let _ = writeln!(out, "  F{} of {}: {{{}}}", k + 1, show(u), members.join(", "));
    }
    let _ = writeln!(out, "\nGeneralised automaton: {} states, {count} edges", c.legal.len());
    let plain = degeneralise::Options { components: false, orders: false, common: false };
    let nba = degeneralise(closure::translate(&arena, root, &budget)?, plain);
    let _ = writeln!(out, "By the counter construction: {} states, {} edges", nba.states(), nba.edge_count());
    let small = translate(f, &Options { output: Output::Ba, ..*options })?;
    let _ = writeln!(
        out,
        "By {} and all reductions: {} states, {} edges\n",
        options.construction.name(),
        small.states(),
        small.edge_count()
    );
    let name = print(&f.arena, f.root, Dialect::Auto);
    out.push_str(&hoa::to_string(&Automaton { name: Some(name), ..Automaton::from(small) }));
    Ok(out)
}
