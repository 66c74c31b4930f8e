//! What depends on what: the order of definitions, and circles.

use crate::ast::{Kind, When};
use crate::model::{Assign, E, Model, Op};
use riata_source::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};

/// Orders the definitions, and tells circular definitions and assignments.
pub(crate) fn check(model: &mut Model, wrong: &mut Vec<Diagnostic>) {
    let uses: Vec<Vec<usize>> = model
        .defines
        .iter()
        .map(|d| {
            let parts = model.parts(&[d.body]);
            parts
                .iter()
                .filter_map(|&e| if let Op::Define(d) = model.node(e).op { Some(d as usize) } else { None })
                .collect()
        })
        .collect();
    match order(&uses) {
        Ok(order) => model.define_order = order.into_iter().map(|d| d as u32).collect(),
        Err(circle) => {
            let names: Vec<&str> = circle.iter().map(|&d| model.defines[d].name.as_str()).collect();
            let d = &model.defines[circle[0]];
            let message = format!("`{}` is defined by itself: {}", d.name, names.join(" → "));
            wrong.push(Diagnostic::error(d.span, message));
            return;
        }
    }
    assignments(model, wrong);
}

/// A value that is assigned: of a variable, in this state or the next.
type Place = (u32, bool);

fn assignments(model: &Model, wrong: &mut Vec<Diagnostic>) {
    // Nobody assigns twice. The value in the next state may be assigned by several processes, once by each: only one of
    // them runs.
    let mut first: HashMap<(u32, When, usize), Span> = HashMap::new();
    let mut kinds: HashMap<u32, Vec<(When, Span)>> = HashMap::new();
    for a in &model.assigns {
        let name = &model.vars[a.var as usize].name;
        let again = first.insert((a.var, a.when, if a.when == When::Next { a.process } else { 0 }), a.span);
        let clash = kinds.entry(a.var).or_default();
        let other =
            clash.iter().find(|(w, _)| (*w == When::Always) != (a.when == When::Always)).map(|(_, s)| *s);
        if let Some(at) = again.or(other) {
            let message = format!("`{name}` is assigned twice");
            wrong.push(Diagnostic::error(a.span, message).note(at, "first here"));
        }
        clash.push((a.when, a.span));
    }
    // Nobody depends on itself.
    let mut places: HashMap<Place, usize> = HashMap::new();
    let mut list: Vec<(Place, E, bool, Span)> = Vec::new();
    for a in &model.assigns {
        // An assignment for all states holds in this one and in the next.
        let modes: &[(bool, bool)] = match a.when {
            When::Always => &[(false, false), (true, true)],
            When::Next => &[(true, false)],
            When::Init => &[],
        };
        for &(of_next, read_next) in modes {
            places.insert((a.var, of_next), list.len());
            list.push(((a.var, of_next), a.value, read_next, a.span));
        }
    }
    let memo: Vec<HashSet<Place>> = define_reads(model);
    let uses: Vec<Vec<usize>> = list
        .iter()
        .map(|(place, e, read_next, _)| {
            let mut found: Vec<usize> = reads(model, *e, &memo)
                .into_iter()
                .map(|(v, next)| (v, next || *read_next))
                // `next(x) := x` is no circle: it reads this state.
                .filter(|p| place.1 == p.1)
                .filter_map(|p| places.get(&p).copied())
                .collect();
            found.sort_unstable();
            found
        })
        .collect();
    if let Err(circle) = order(&uses) {
        let names: Vec<&str> =
            circle.iter().map(|&i| model.vars[list[i].0.0 as usize].name.as_str()).collect();
        let message = format!("`{}` depends on itself: {}", names[0], names.join(" → "));
        wrong.push(Diagnostic::error(list[circle[0]].3, message));
        return;
    }
    initial(model, &memo, wrong);
}

/// No initial value depends on itself, either.
fn initial(model: &Model, memo: &[HashSet<Place>], wrong: &mut Vec<Diagnostic>) {
    let list: Vec<&Assign> = model.assigns.iter().filter(|a| a.when != When::Next).collect();
    let places: HashMap<u32, usize> = list.iter().enumerate().map(|(i, a)| (a.var, i)).collect();
    let uses: Vec<Vec<usize>> = list
        .iter()
        .map(|a| {
            let read = reads(model, a.value, memo).into_iter().filter(|(_, next)| !next);
            let mut found: Vec<usize> = read.filter_map(|(v, _)| places.get(&v).copied()).collect();
            found.sort_unstable();
            found
        })
        .collect();
    if let Err(circle) = order(&uses) {
        let names: Vec<&str> =
            circle.iter().map(|&i| model.vars[list[i].var as usize].name.as_str()).collect();
        let message = format!("the initial `{}` depends on itself: {}", names[0], names.join(" → "));
        wrong.push(Diagnostic::error(list[circle[0]].span, message));
    }
}

/// What each definition reads, relative to the state in which it is evaluated.
pub(crate) fn define_reads(model: &Model) -> Vec<HashSet<Place>> {
    let mut memo = vec![HashSet::new(); model.defines.len()];
    for &d in &model.define_order {
        memo[d as usize] = reads(model, model.defines[d as usize].body, &memo);
    }
    memo
}

/// The variables that an expression reads, in this state or the next.
pub(crate) fn reads(model: &Model, e: E, memo: &[HashSet<Place>]) -> HashSet<Place> {
    let mut found = HashSet::new();
    let mut seen = HashSet::new();
    let mut stack = vec![(e, false)];
    while let Some((e, next)) = stack.pop() {
        if !seen.insert((e, next)) {
            continue;
        }
        let node = model.node(e);
        match &node.op {
            Op::Var(v) => {
                found.insert((*v, next));
            }
            Op::Define(d) => found.extend(memo[*d as usize].iter().map(|&(v, n)| (v, n || next))),
            Op::Apply(Kind::Next) => stack.extend(node.kids.iter().map(|&k| (k, true))),
            _ => stack.extend(node.kids.iter().map(|&k| (k, next))),
        }
    }
    found
}

/// An order in which each comes after those that it uses, or a circle.
fn order(uses: &[Vec<usize>]) -> Result<Vec<usize>, Vec<usize>> {
    let mut state = vec![0u8; uses.len()]; // 0 new, 1 on the path, 2 done
    let mut done = Vec::new();
    for root in 0..uses.len() {
        if state[root] != 0 {
            continue;
        }
        state[root] = 1;
        let mut path = vec![(root, 0)];
        while let Some((d, i)) = path.last_mut() {
            let Some(&next) = uses[*d].get(*i) else {
                state[*d] = 2;
                done.push(*d);
                path.pop();
                continue;
            };
            *i += 1;
            match state[next] {
                0 => {
                    state[next] = 1;
                    path.push((next, 0));
                }
                1 => {
                    let at = path.iter().position(|(d, _)| *d == next).unwrap_or(0);
                    let mut circle: Vec<usize> = path[at..].iter().map(|(d, _)| *d).collect();
                    circle.push(next);
                    return Err(circle);
                }
                _ => {}
            }
        }
    }
    Ok(done)
}
