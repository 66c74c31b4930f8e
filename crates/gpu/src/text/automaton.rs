//! The automaton beside a program: which letter it reads in a state, and which of its edges the letter opens.
//!
//! ```text
//! read_letter(s):       bit i is the truth of its proposition i; ASK if one has no value
//! open_edges(q, l):     a bit for each edge of q whose label l satisfies: the nodes of the labels, children first
//! EDGE_TO, EDGE_MARKS:  where an edge leads, and the sets that it is in
//! ```

use super::writer::{Process, Words, Writer};
use crate::beside::Beside;
use crate::plan::Plan;
use riata_automata::{Label, Tgba};
use std::collections::BTreeSet;

/// Nobody: a proposition looks at the state.
pub(crate) const NOBODY: Process = Process { pid: u32::MAX, of: 0, base: 0 };

/// The functions and tables of an automaton.
pub fn automaton(plan: &Plan, beside: &Beside) -> String {
    let mut w = Writer::new(plan);
    w.me = NOBODY;
    w.line("DEVICE int read_letter(const u32 *s, const struct cursor *c, u64 *letter) {");
    w.line("u64 l = 0; (void)s; (void)c;");
    for (i, &p) in beside.propositions.iter().enumerate() {
        w.block(|w| {
            let value = w.run(plan.listing.propositions[p], Words::Before, &mut Vec::new());
            w.line(format!("if ({value}) l |= 1ull << {i};"));
        });
    }
    w.line("*letter = l; return STEP;\n}");
    let a = beside.automaton;
    w.line("DEVICE u64 open_edges(u32 q, u64 l, u32 *first) {\n(void)l;\nswitch (q) {");
    for q in 0..a.states() as u32 {
        w.line(format!("case {q}: {{"));
        for node in nodes(a, q) {
            if let Some((variable, low, high)) = a.labels.node(node) {
                let (low, high) = (truth(low), truth(high));
                w.line(format!("int b{} = (l >> {variable} & 1u) ? {high} : {low};", node.0));
            }
        }
        let open = |(i, e): (usize, &riata_automata::Edge)| format!("(u64){} << {i}", truth(e.label));
        let open: Vec<String> = a.edges(q).iter().enumerate().map(open).collect();
        let open = if open.is_empty() { "0ull".into() } else { open.join(" | ") };
        w.line(format!("*first = {}u; return {open};\n}}", a.range(q).start));
    }
    w.line("default: return 0ull;\n}\n}");
    let table = |w: &mut Writer, head: &str, values: Vec<String>| {
        let values = if values.is_empty() { "0".into() } else { values.join(", ") };
        w.line(format!("TABLE {head}[] = {{{values}}};"));
    };
    let edges = || (0..a.edge_count() as u32).map(|e| a.edge(e));
    table(&mut w, "u32 EDGE_TO", edges().map(|e| e.to.to_string()).collect());
    table(&mut w, "u64 EDGE_MARKS", edges().map(|e| format!("{:#x}ull", e.marks.0)).collect());
    w.out
}

/// The labels that those of the edges of `q` consist of, children first.
fn nodes(a: &Tgba, q: u32) -> BTreeSet<Label> {
    let mut all = BTreeSet::new();
    let mut todo: Vec<Label> = a.edges(q).iter().map(|e| e.label).collect();
    while let Some(label) = todo.pop() {
        if let Some((_, low, high)) = a.labels.node(label)
            && all.insert(label)
        {
            todo.extend([low, high]);
        }
    }
    // A node is made after its children.
    all
}

/// The truth of a label whose children are known.
fn truth(label: Label) -> String {
    match label {
        Label::FALSE => "0".into(),
        Label::TRUE => "1".into(),
        Label(n) => format!("b{n}"),
    }
}
