//! Where the value of a variable is not read again before it is written, it is set to 0, so that states that differ in
//! nothing else are the same.
//!
//! Liveness is the usual backward fixpoint over the control graph, blocks statement by statement.
//!
//! **Condition.** The variable is a scalar of one process, no channel; no other process and no proposition looks at it,
//! nor does the process's own `provided` clause. Then the program is bisimilar to the original one: fairness, steps
//! and all propositions are the same.

use crate::form::{Action, Edge, Expr, Guard, Offer, Pattern, Place, Program, Shown, Statement, Var, Work};
use crate::ids::{ExprId, ProcId};
use riata_source::Span;
use std::collections::HashSet;

/// The variables of processes that others look at.
pub(super) struct Seen {
    variables: HashSet<(ProcId, u32)>,
}

impl Seen {
    pub fn new(spoken: &[Expr]) -> Seen {
        let reads = spoken.iter().filter_map(|&expr| match expr {
            Expr::Read(Place { var: Var::Remote(p, v, _), .. }) => Some((p, v)),
            _ => None,
        });
        Seen { variables: reads.collect() }
    }
}

type Live = HashSet<u32>;

fn read(program: &Program, e: ExprId, reads: &mut Live) {
    program.walk(e, &mut |expr| {
        if let Expr::Read(Place { var: Var::Local(v), .. }) = expr {
            reads.insert(v);
        }
    });
}

/// `writes` are those before; what is read after it was written does not count.
fn action_uses(program: &Program, action: &Action, reads: &mut Live, writes: &mut Live) {
    let fresh = |e: ExprId, reads: &mut Live, writes: &Live| {
        let mut now = Live::new();
        read(program, e, &mut now);
        reads.extend(now.difference(writes));
    };
    if let Guard::When(e) = action.guard {
        fresh(e, reads, writes);
    }
    let store = |place: Place, reads: &mut Live, writes: &mut Live| {
        if let Some(i) = place.index {
            fresh(i, reads, writes);
        } else if let Var::Local(v) = place.var {
            writes.insert(v);
        }
    };
    match &action.offer {
        Offer::None => {}
        Offer::Send { channel, values, .. } => {
            fresh(*channel, reads, writes);
            values.iter().for_each(|&v| fresh(v, reads, writes));
        }
        Offer::Receive(r) => {
            let receive = &program.receives[*r as usize];
            fresh(receive.channel, reads, writes);
            for pattern in &receive.patterns {
                if let Pattern::Match(e) = pattern {
                    fresh(*e, reads, writes);
                }
            }
            for pattern in &receive.patterns {
                if let Pattern::Bind(place) = pattern {
                    store(*place, reads, writes);
                }
            }
        }
    }
    for statement in &action.effect {
        match statement {
            Statement::Assign(place, value) => {
                fresh(*value, reads, writes);
                store(*place, reads, writes);
            }
            Statement::Assert(e) => fresh(*e, reads, writes),
            Statement::Run { arguments, priority, pid, .. } => {
                arguments.iter().chain(priority).for_each(|&e| fresh(e, reads, writes));
                if let Some(place) = pid {
                    store(*place, reads, writes);
                }
            }
            Statement::Print(p) => {
                program.prints[*p as usize].arguments.iter().for_each(|&e| fresh(e, reads, writes));
            }
            Statement::SetPriority(a, b) => [a, b].into_iter().for_each(|&e| fresh(e, reads, writes)),
            Statement::Exit => {}
        }
    }
}

/// An action between two points of control: locations, and the nodes of blocks after them.
struct Arc {
    from: usize,
    to: usize,
    /// The own variables that it reads, and the scalars that it writes for certain.
    reads: Live,
    writes: Live,
}

/// The actions of a process, those in blocks one by one.
fn arcs(program: &Program, p: ProcId) -> (usize, Vec<Arc>) {
    let process = &program.processes[p.index()];
    let mut points = process.locations.len();
    let mut arcs = Vec::new();
    let mut add = |from, to, action: &Action| {
        let (mut reads, mut writes) = (Live::new(), Live::new());
        action_uses(program, action, &mut reads, &mut writes);
        if action.effect.contains(&Statement::Exit) {
            writes.extend(0..process.locals.len() as u32);
        }
        arcs.push(Arc { from, to, reads, writes });
    };
    for edge in &process.edges {
        match &edge.work {
            Work::Action(a) => add(edge.from.index(), edge.to.index(), a),
            Work::Block(b, _) => {
                let nodes = &program.blocks[*b as usize].nodes;
                // The first node is where the edge starts.
                let point = |node: usize| if node == 0 { edge.from.index() } else { points + node };
                for (i, node) in nodes.iter().enumerate() {
                    for (action, next) in node {
                        let to = next.map_or(edge.to.index(), |n| points + n as usize);
                        add(point(i), to, action);
                        // The first node can be met again, too.
                        if i == 0 {
                            add(points, to, action);
                        }
                    }
                }
                points += nodes.len();
            }
        }
    }
    (points, arcs)
}

/// Which variables are live at each location.
fn liveness(program: &Program, p: ProcId) -> Vec<Live> {
    let (points, arcs) = arcs(program, p);
    let mut live: Vec<Live> = vec![Live::new(); points];
    let mut changed = true;
    while changed {
        changed = false;
        for arc in arcs.iter().rev() {
            let mut now: Live = live[arc.to].difference(&arc.writes).copied().collect();
            now.extend(&arc.reads);
            let at = &mut live[arc.from];
            let before = at.len();
            at.extend(now);
            changed |= at.len() > before;
        }
    }
    live
}

fn exits(edge: &Edge) -> bool {
    matches!(&edge.work, Work::Action(a) if a.effect.contains(&Statement::Exit))
}

pub(super) fn reset_dead(program: &mut Program, p: ProcId, seen: &Seen) {
    let process = &program.processes[p.index()];
    let mut always = Live::new();
    if let Some(e) = process.provided {
        read(program, e, &mut always);
    }
    // Initial values may speak of other variables, and a channel's number never changes.
    process.initialisers.iter().for_each(|&(_, e)| read(program, e, &mut always));
    let candidate = |v: u32| {
        let variable = &process.locals[v as usize];
        variable.len.is_none()
            && variable.domain.contains(0)
            && variable.shown != Shown::Channel
            && !always.contains(&v)
            && !seen.variables.contains(&(p, v))
    };
    let candidates: Vec<u32> = (0..process.locals.len() as u32).filter(|&v| candidate(v)).collect();
    if candidates.is_empty() {
        return;
    }
    let live = liveness(program, p);
    let mut resets: Vec<(usize, u32)> = Vec::new();
    for (i, edge) in process.edges.iter().enumerate() {
        if exits(edge) {
            continue;
        }
        let written = touched(program, edge);
        for &v in &candidates {
            let dead = !live[edge.to.index()].contains(&v);
            if dead && (live[edge.from.index()].contains(&v) || written.contains(&v)) {
                resets.push((i, v));
            }
        }
    }
    let initial = process.initial;
    let fresh: Vec<u32> = candidates
        .iter()
        .copied()
        .filter(|&v| {
            let given = v < process.parameters || process.locals[v as usize].initial != [0];
            let stored = process.initialisers.iter().any(|(place, _)| place.var == Var::Local(v));
            !live[initial.index()].contains(&v) && (given || stored)
        })
        .collect();
    let zero = program.exprs.add(Expr::Const(0), Span::default());
    let place = |v| Place { var: Var::Local(v), index: None };
    let process = &mut program.processes[p.index()];
    for resets in resets.chunk_by(|a, b| a.0 == b.0) {
        let assign =
            |a: &mut Action| a.effect.extend(resets.iter().map(|&(_, v)| Statement::Assign(place(v), zero)));
        match &mut process.edges[resets[0].0].work {
            Work::Action(a) => assign(a),
            Work::Block(b, _) => {
                // Other edges may have the same block.
                let mut block = program.blocks[*b as usize].clone();
                let last = block.nodes.iter_mut().flatten().filter(|(_, next)| next.is_none());
                last.for_each(|(a, _)| assign(a));
                *b = program.blocks.len() as u32;
                program.blocks.push(block);
            }
        }
    }
    process.initialisers.extend(fresh.into_iter().map(|v| (place(v), zero)));
}

/// The own variables that an edge may write.
fn touched(program: &Program, edge: &Edge) -> Live {
    let mut touched = Live::new();
    match &edge.work {
        Work::Action(a) => action_touches(program, a, &mut touched),
        Work::Block(b, _) => {
            let actions = program.blocks[*b as usize].nodes.iter().flatten();
            actions.for_each(|(a, _)| action_touches(program, a, &mut touched));
        }
    }
    touched
}

fn action_touches(program: &Program, action: &Action, touched: &mut Live) {
    let mut note = |place: &Place| {
        if let Var::Local(v) = place.var {
            touched.insert(v);
        }
    };
    if let Offer::Receive(r) = action.offer {
        for pattern in &program.receives[r as usize].patterns {
            if let Pattern::Bind(place) = pattern {
                note(place);
            }
        }
    }
    for s in &action.effect {
        match s {
            Statement::Assign(place, _) => note(place),
            Statement::Run { pid: Some(place), .. } => note(place),
            _ => {}
        }
    }
}
