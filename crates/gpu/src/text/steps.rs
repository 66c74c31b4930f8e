//! The function `step`: the steps of all processes, one after the other.
//!
//! Code is written for each process, with its words. Where that would be long, it is written once for all processes of a
//! type: its words are taken out of the state before (`o`, and `p` for what becomes of them), and put back when a step is
//! told. They are still indexed by constants; which process it is decides only what is taken.
//!
//! ```text
//! case of a process of type T:  me := who; o := the words of me in s; p := o
//!   the edges of its location, with o for s and p for t
//! own T:  the words of me in t := p; told
//! ```

use super::edge::own_label;
use super::writer::{ANY, Process, Words, Writer};
use crate::plan::Plan;

/// The steps of all processes.
pub(super) fn steps(plan: &Plan) -> String {
    let apart = Shape { plan, together: false }.text();
    let many = (0..plan.listing.types.len()).any(|of| plan.pids(of).count() > 1);
    if apart.len() <= plan.long || !many {
        return apart;
    }
    let together = Shape { plan, together: true }.text();
    if together.len() < apart.len() { together } else { apart }
}

/// How the function is written.
struct Shape<'a> {
    plan: &'a Plan<'a>,
    /// Is there one code for all processes of a type?
    together: bool,
}

impl Shape<'_> {
    /// Is there one code for all processes of this type?
    fn any(&self, of: usize) -> bool {
        self.together && self.plan.pids(of).count() > 1
    }

    fn text(&self) -> String {
        let plan = self.plan;
        let (mut w, listing) = (Writer::new(plan), plan.listing);
        let anys: Vec<usize> = (0..listing.types.len()).filter(|&of| self.any(of)).collect();
        w.line("DEVICE int step(const u32 *s, struct cursor *c, u32 *t) {\ni32 edge, rank, held;");
        let own = anys.iter().map(|&of| plan.own_words(of)).max();
        if let Some(own) = own {
            w.line(format!("i32 me; u32 o[{own}], p[{own}];"));
        }
        w.line("COPY(t, s);\nfor (;;) {\nswitch (c->process) {");
        let count = plan.processes().len();
        let order = |n: usize| if listing.oldest { n } else { count - 1 - n };
        for n in 0..count {
            let (of, base) = plan.processes()[order(n)];
            let of = of as usize;
            if self.any(of) {
                // Once, where the first of them is.
                let mut first = (0..n).map(|before| plan.processes()[order(before)].0 as usize);
                if first.any(|other| other == of) {
                    continue;
                }
                let cases: String = (0..count)
                    .filter(|&n| plan.processes()[order(n)].0 as usize == of)
                    .map(|n| format!("case {n}: "))
                    .collect();
                w.line(cases);
                w.me = Process { pid: order(n) as u32, of, base: ANY };
                w.take();
            } else {
                w.line(format!("case {n}:"));
                w.me = Process { pid: order(n) as u32, of, base };
            }
            locations(&mut w);
            if self.together {
                w.line("goto next;");
            } else {
                w.line("if (c->only) return DONE;");
                w.line(format!("c->process = {}; c->edge = 0; c->mine = 0; c->rank = 0;", n + 1));
                w.line("/* fall through */");
            }
        }
        if self.together {
            w.line("default: goto none;\n}\nnext:\nif (c->only) return DONE;");
            w.line("c->process++; c->edge = 0; c->mine = 0; c->rank = 0; continue;\nnone:");
        } else {
            w.line("default: break;\n}");
        }
        if listing.uses_timeout {
            w.line("if (!c->moved && !c->timeout && !c->only) {");
            w.line("c->timeout = 1; c->process = 0; c->edge = 0; c->mine = 0; c->rank = 0; continue;\n}");
        }
        w.line("return DONE;\n}");
        for &of in &anys {
            w.me = Process { pid: 0, of, base: ANY };
            w.line(format!("{}:", own_label(of)));
            w.put_back();
            w.line("goto told;");
        }
        w.line("told:\nc->edge = edge; c->rank = rank; c->held = held; c->mine = 1; c->moved = 1; return STEP;\n}");
        w.out
    }
}

/// The steps of the process whose turn it is.
fn locations(w: &mut Writer) {
    let listing = w.plan.listing;
    let code = &listing.types[w.me.of];
    let (there, location) = (w.count(), w.location(Words::Before));
    w.line(format!("if ({there} > {}) switch ({location}) {{", w.me.number()));
    for (l, &(lo, hi)) in code.ranges.iter().enumerate() {
        if lo == hi {
            continue;
        }
        w.line(format!("case {l}:"));
        if listing.commits && !code.committed[l] {
            w.line("if (c->committed) break;");
        }
        let edges = &code.edges[lo as usize..hi as usize];
        let mut at = 0;
        for edge in edges {
            if edges.iter().any(|e| e.rank > 0) {
                // A group that was taken of hides those after it.
                let hidden = format!("c->rank > 1 && c->rank != {}", edge.rank + 1);
                w.line(format!("if (c->edge <= {at} && {hidden}) break;"));
            }
            at += w.edge(edge, at);
        }
        w.line("break;");
    }
    w.line("default: break;\n}");
}

impl<'a> Writer<'a> {
    /// The processes for which the code is.
    pub(super) fn pids(&self) -> Vec<usize> {
        if self.me.is_any() { self.plan.pids(self.me.of).collect() } else { vec![self.me.pid as usize] }
    }

    /// How many words a process has of its own.
    pub(super) fn own_words(&self) -> u32 {
        self.plan.own_words(self.me.of)
    }

    /// The words of the process whose turn it is.
    fn take(&mut self) {
        let count = self.plan.processes().len();
        let pid = if self.plan.listing.oldest {
            "c->process".into()
        } else {
            format!("{} - c->process", count - 1)
        };
        self.line(format!("me = {pid};"));
        let bases: Vec<(usize, u32)> =
            self.pids().into_iter().map(|pid| (pid, self.plan.processes()[pid].1)).collect();
        for k in 0..self.own_words() {
            let mut word = String::new();
            for (i, (pid, base)) in bases.iter().enumerate() {
                let last = i + 1 == bases.len();
                let cell = format!("s[{}]", base + k);
                word.push_str(&if last { cell } else { format!("me == {pid} ? {cell} : ") });
            }
            self.line(format!("p[{k}] = o[{k}] = {word};"));
        }
    }

    /// Puts them back into the state after the step.
    fn put_back(&mut self) {
        for pid in self.pids() {
            let base = self.plan.processes()[pid].1;
            let words: String =
                (0..self.own_words()).map(|k| format!(" t[{}] = p[{k}];", base + k)).collect();
            self.line(format!("if (me == {pid}) {{{words} }}"));
        }
    }

    /// Before others look at the state after the step.
    pub(super) fn settle(&mut self, words: Words) {
        if words == Words::After && self.me.is_any() {
            self.put_back();
        }
    }
}
