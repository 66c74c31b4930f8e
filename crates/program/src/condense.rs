//! The same system with larger steps: states in which a process holds control are passed through.
//!
//! Claims and formulas see a state only where control can be lost, and so does a search for bad states: a step here is a
//! step of the interpreter and then as many more as the holder takes. These are the states that Spin stores. Faults on
//! the way are seen: the fault state has no holder.
//!
//! Where a holder goes round in a circle, the circle is walked once. If it can come to a state from which no way leads
//! out, one more step is a fault: an atomic sequence that never ends (`Condensed::trap`).

use crate::head::Failed;
use crate::interp::{Cursor as Small, Interpreter, Step};
use crate::stubborn::Reduction;
use arrayvec::ArrayVec;
use riata_system::{ActionId, Successors, System, Valuation};
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};

/// A program whose steps run until control is free, all of them or those of a stubborn set.
#[derive(Clone, Copy, Debug)]
pub struct Condensed<'a> {
    pub(crate) interpreter: &'a Interpreter,
    reduction: Option<&'a Reduction>,
    /// Are the steps of all processes wanted, even if those of some suffice?
    whole: bool,
}

/// States of so many words are kept on the stack.
const SHORT: usize = 128;
/// So many steps that suffice are taken in a row.
const LONGEST: u32 = 1 << 10;
/// After so many states on the way they are remembered, in case they are met again.
const REMEMBER: u32 = 64;

/// Those who took part in a step, as bits.
fn moved(action: ActionId) -> u64 {
    let (mover, partner) = Interpreter::movers(action);
    [mover, partner].into_iter().filter(|pid| *pid < 64).fold(0, |all, pid| all | 1 << pid)
}

/// Where to resume.
#[derive(Default)]
pub struct Cursor {
    own: Small,
    /// Were some processes left out, and did a step of the others fail?
    failed: bool,
    /// Are only those wanted that were left out?
    rest: bool,
    /// Are all steps told of a state of which only some would suffice ([`Condensed::whole`])?
    more: bool,
    action: Option<ActionId>,
    /// The states on the way, one after the other, with their starts and cursors.
    states: Vec<u32>,
    stack: Vec<(usize, Small)>,
    passed: u32,
    seen: Option<HashSet<Box<[u32]>>>,
    /// Was a state on the way met again?
    again: bool,
    /// Is the step just told an atomic sequence without an end?
    endless: bool,
    /// Then the small steps from its first state to one from which no way leads out.
    trap: Vec<Step>,
    /// How many assertions were violated since the step before.
    violations: u32,
}

impl Cursor {
    /// How many violated assertions were met on the way to the step just told, since the one before.
    pub fn violations(&self) -> u32 {
        self.violations
    }

    /// Is the step just told an atomic sequence that never ends?
    pub fn endless(&self) -> bool {
        self.endless
    }

    /// Who may go on after the step just told. Where all steps are taken, it is not worth it to ask those who did not move:
    /// mostly they would have sufficed before.
    pub(crate) fn goes_on(&self) -> u64 {
        if self.own.only == 0 && !self.more { self.action.map_or(0, moved) } else { u64::MAX }
    }

    /// The small steps of the step just told.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        let way = self.stack.iter().filter_map(|(_, small)| small.step);
        self.own.step.into_iter().chain(way).chain(self.trap.iter().copied())
    }
}

impl<'a> Condensed<'a> {
    /// All steps of a program.
    pub fn new(interpreter: &'a Interpreter) -> Self {
        Condensed { interpreter, reduction: None, whole: false }
    }

    /// The same of another interpreter of the program.
    pub(crate) fn of<'b>(&self, interpreter: &'b Interpreter) -> Condensed<'b>
    where
        'a: 'b,
    {
        Condensed { interpreter, ..*self }
    }

    /// Only the steps that suffice, if there is a reduction.
    pub fn reduced(self, reduction: Option<&'a Reduction>) -> Self {
        Condensed { reduction, ..self }
    }

    /// The steps of all processes, but to the same states as those of [`Condensed::reduced`].
    pub fn whole(self) -> Self {
        Condensed { whole: true, ..self }
    }

    /// Goes on from the state in `dst` as long as there is one step that suffices: such states need not be kept. Tells `taken`
    /// the small steps. The first one is one of these processes.
    pub(crate) fn go_on(&self, mut of: u64, dst: &mut [u32], mut taken: impl FnMut(Step)) {
        let Some(reduction) = self.reduction else { return };
        let (i, plain) = (self.interpreter, Condensed::new(self.interpreter));
        let mut short = ArrayVec::<u32, SHORT>::new();
        let (mut long, mut other) = (Vec::new(), Vec::new());
        for _ in 0..LONGEST {
            let Some((set, small)) = reduction.lone(i, dst, of) else { return };
            of = u64::MAX;
            reduction.passed();
            let now = &dst[..i.len(dst)];
            let src = if now.len() <= SHORT {
                short.clear();
                short.extend(now.iter().copied());
                &short[..]
            } else {
                long.clear();
                long.extend_from_slice(now);
                &long[..]
            };
            // One that fails or violates an assertion, or leads to several states, is left to those who expand the state.
            if small {
                let mut step = Small { only: set, ..Small::default() };
                i.next(src, &mut step, dst);
                if i.is_fault(dst) || step.violations > 0 {
                    dst[..src.len()].copy_from_slice(src);
                    return;
                }
                step.step.into_iter().for_each(&mut taken);
            } else {
                let mut step = Cursor::default();
                step.own.only = set;
                plain.large(src, &mut step, dst);
                let way: SmallVec<[Step; 8]> = step.steps().collect();
                let fails = i.is_fault(dst) || step.violations > 0;
                if other.is_empty() {
                    other = vec![0; i.words()];
                }
                if fails || plain.large(src, &mut step, &mut other).is_some() {
                    dst[..src.len()].copy_from_slice(src);
                    return;
                }
                way.into_iter().for_each(&mut taken);
            }
        }
    }

    /// The next small step from `src`.
    #[inline]
    fn first(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        let Some(reduction) = self.reduction else { return self.interpreter.next(src, &mut at.own, dst) };
        if !at.own.started && !at.rest && !self.whole && at.own.only == 0 {
            at.own.only = reduction.expand(self.interpreter, src);
        }
        if self.whole && !at.own.started {
            at.more = reduction.choose(self.interpreter, src) != 0;
        }
        let action = self.interpreter.next(src, &mut at.own, dst);
        if action.is_none() && std::mem::take(&mut at.failed) {
            // What fails ends the run: the steps of the others come after it.
            if !at.rest && self.others(src, at.own.only, at) {
                return self.interpreter.next(src, &mut at.own, dst);
            }
        }
        action
    }

    /// Goes on with the processes that are not among the chosen; false if there are none.
    fn others(&self, src: &[u32], chosen: u64, at: &mut Cursor) -> bool {
        let all = u64::MAX >> (64 - self.interpreter.processes(src));
        at.rest = true;
        at.own = Small { only: !chosen & all, ..Small::default() };
        at.own.only != 0
    }

    /// Tells the step whose target is `dst`.
    #[inline]
    fn told(&self, at: &mut Cursor, dst: &[u32]) -> Option<ActionId> {
        at.failed |= at.own.only != 0 && !self.whole && self.interpreter.is_fault(dst);
        at.action
    }

    /// Follows the state in `dst`, in which a process holds control.
    fn enter(&self, at: &mut Cursor, dst: &[u32]) {
        let len = self.interpreter.len(dst);
        at.passed += 1;
        if at.passed > REMEMBER && !at.seen.get_or_insert_default().insert(dst[..len].into()) {
            at.again = true;
            return;
        }
        at.stack.push((at.states.len(), Small::default()));
        at.states.extend_from_slice(&dst[..len]);
    }
}

/// A state in which control is held, as it was found: from which one, by which step, and whether control is freed by one of
/// its own steps.
struct Held {
    state: Box<[u32]>,
    from: Option<(usize, Step)>,
    exits: bool,
}

impl Condensed<'_> {
    /// The small steps from `first`, in which a process holds control, to the nearest state from which control is never
    /// free again; nothing if there is none.
    fn trap(&self, first: &[u32]) -> Option<Vec<Step>> {
        let mut held = vec![Held { state: first.into(), from: None, exits: false }];
        let mut numbers: HashMap<Box<[u32]>, usize> = HashMap::from([(first.into(), 0)]);
        let mut edges: Vec<(usize, usize)> = Vec::new();
        let mut slot = vec![0; self.interpreter.words()];
        let mut i = 0;
        while i < held.len() {
            let mut at = Small::default();
            let src = held[i].state.clone();
            while self.interpreter.next(&src, &mut at, &mut slot).is_some() {
                if self.interpreter.holder(&slot).is_none() {
                    held[i].exits = true;
                    continue;
                }
                let state: Box<[u32]> = slot[..self.interpreter.len(&slot)].into();
                let next = *numbers.entry(state.clone()).or_insert_with(|| {
                    held.push(Held { state, from: at.step.map(|step| (i, step)), exits: false });
                    held.len() - 1
                });
                edges.push((next, i));
            }
            i += 1;
        }
        edges.sort_unstable();
        let mut leaves: Vec<bool> = held.iter().map(|h| h.exits).collect();
        let mut todo: Vec<usize> = (0..held.len()).filter(|&i| leaves[i]).collect();
        while let Some(i) = todo.pop() {
            let first = edges.partition_point(|&(to, _)| to < i);
            for &(_, from) in edges[first..].iter().take_while(|&&(to, _)| to == i) {
                if !std::mem::replace(&mut leaves[from], true) {
                    todo.push(from);
                }
            }
        }
        // They were found breadth-first.
        let nearest = leaves.iter().position(|leaves| !leaves)?;
        let mut steps: Vec<Step> =
            std::iter::successors(held[nearest].from, |&(i, _)| held[i].from).map(|(_, step)| step).collect();
        steps.reverse();
        Some(steps)
    }
}

impl Condensed<'_> {
    /// The next large step.
    fn large(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        if !self.interpreter.keeps {
            at.action = self.first(src, at, dst);
            at.violations = at.own.violations;
            at.action?;
            return self.told(at, dst);
        }
        (at.endless, at.violations) = (false, 0);
        at.trap.clear();
        loop {
            let Some((start, cursor)) = at.stack.last_mut() else {
                at.action = Some(self.first(src, at, dst)?);
                at.violations += at.own.violations;
                if self.interpreter.holder(dst).is_none() {
                    return self.told(at, dst);
                }
                (at.passed, at.again) = (0, false);
                at.seen = None;
                self.enter(at, dst);
                continue;
            };
            let action = self.interpreter.next(&at.states[*start..], cursor, dst);
            at.violations += cursor.violations;
            match action {
                None => {
                    let (start, last) = (*start, at.stack.len() == 1);
                    // Without a state that was met again all ways come to an end.
                    if at.again && last {
                        let trap = self.trap(&at.states[start..]);
                        at.endless = trap.is_some();
                        at.trap = trap.unwrap_or_default();
                    }
                    at.states.truncate(start);
                    at.stack.pop();
                    if at.endless {
                        self.interpreter.head.fail(dst, Failed::Fault);
                        return self.told(at, dst);
                    }
                }
                Some(_) if self.interpreter.holder(dst).is_none() => return self.told(at, dst),
                Some(_) => self.enter(at, dst),
            }
        }
    }
}

impl Condensed<'_> {
    /// Appends the ends of all large steps from `src`, and tells how many assertions were violated on the way; none if a way is
    /// so long that it may go round in a circle.
    fn ends(&self, src: &[u32], out: &mut Successors) -> Option<u32> {
        let (i, before) = (self.interpreter, out.len());
        let mut first = Small::default();
        i.expand_larger(src, &mut first, out);
        let mut violations = first.violations;
        // Mostly nobody holds control, and what was told stays where it is.
        let Some(held) = (before..out.len()).find(|&n| i.holder(out.get(n).0).is_some()) else {
            return Some(violations);
        };
        let mut all = out.lend();
        (held..out.len()).for_each(|n| {
            let (s, action) = out.get(n);
            all.push(s, action);
        });
        out.truncate(held);
        // The states on the way whose successors are being looked at, each with the next of them.
        let mut way: Vec<(Successors, usize)> = Vec::new();
        let mut short = true;
        for n in 0..all.len() {
            let (s, action) = all.get(n);
            if i.holder(s).is_none() {
                out.push(s, action);
                continue;
            }
            // Native code passes through some of them: they count, so that a way is as long as for the interpreter.
            let mut passed = first.passed;
            let mut enter = |s: &[u32], out: &mut Successors| {
                let (mut at, mut steps) = (Small::default(), out.lend());
                i.expand_larger(s, &mut at, &mut steps);
                passed += 1 + at.passed;
                violations += at.violations;
                (passed <= REMEMBER).then_some((steps, 0))
            };
            let mut top = enter(s, out);
            short &= top.is_some();
            while let Some((steps, next)) = &mut top {
                if *next == steps.len() {
                    let (done, _) = top.take().expect("it is there");
                    out.give_back(done);
                    top = way.pop();
                    continue;
                }
                *next += 1;
                let (s, _) = steps.get(*next - 1);
                if i.holder(s).is_none() {
                    out.push(s, action);
                    continue;
                }
                let deeper = enter(s, out);
                short &= deeper.is_some();
                way.extend(std::mem::replace(&mut top, deeper));
            }
            if !short {
                break;
            }
        }
        out.give_back(all);
        short.then_some(violations)
    }
}

impl Condensed<'_> {
    /// As `expand`, where all steps are taken: each goes on as far as one suffices.
    fn expand_whole(&self, src: &[u32], at: &mut Cursor, out: &mut Successors) -> u64 {
        let (before, i) = (out.len(), self.interpreter);
        let count = Condensed::new(i).expand(src, at, out);
        let goes_on = |n: &usize| {
            let (s, action) = out.get(*n);
            self.reduction.is_some_and(|r| r.lone(i, s, moved(action)).is_some())
        };
        // Mostly none does, and what was told stays where it is.
        let Some(first) = (before..out.len()).find(goes_on) else { return count };
        let mut all = out.lend();
        (first..out.len()).for_each(|n| {
            let (s, action) = out.get(n);
            all.push(s, action);
        });
        out.truncate(first);
        for n in 0..all.len() {
            let (s, action) = all.get(n);
            let dst = out.slot(self.words());
            dst[..s.len()].copy_from_slice(s);
            self.go_on(moved(action), dst, |_| ());
            let len = self.len(dst);
            out.keep(len, action);
        }
        out.give_back(all);
        count
    }
}

impl System for Condensed<'_> {
    type Cursor = Cursor;

    fn words(&self) -> usize {
        self.interpreter.words()
    }

    #[inline]
    fn len(&self, s: &[u32]) -> usize {
        self.interpreter.len(s)
    }

    fn initial(&self, at: &mut Cursor, dst: &mut [u32]) -> bool {
        self.interpreter.initial(&mut at.own, dst)
    }

    #[inline]
    fn next(&self, src: &[u32], at: &mut Cursor, dst: &mut [u32]) -> Option<ActionId> {
        let action = self.large(src, at, dst)?;
        if self.reduction.is_some() {
            self.go_on(at.goes_on(), dst, |_| ());
        }
        Some(action)
    }

    fn expand(&self, src: &[u32], at: &mut Cursor, out: &mut Successors) -> u64 {
        if self.reduction.is_none() && !at.own.started {
            if !self.interpreter.keeps {
                let count = self.interpreter.expand(src, &mut at.own, out);
                at.violations = at.own.violations;
                return count;
            }
            let before = out.len();
            if let Some(violations) = self.ends(src, out) {
                at.violations = violations;
                return (out.len() - before) as u64;
            }
            out.truncate(before);
        }
        if let Some(reduction) = self.reduction
            && !at.own.started
            && !at.rest
        {
            let chosen = match self.whole {
                true => reduction.choose(self.interpreter, src),
                false => reduction.expand(self.interpreter, src),
            };
            if chosen == 0 {
                return self.expand_whole(src, at, out);
            }
            if !self.whole {
                at.own.only = chosen;
            }
        }
        let (mut count, mut violations) = (0, 0);
        loop {
            let dst = out.slot(self.words());
            let action = self.next(src, at, dst);
            violations += at.violations;
            let Some(action) = action else { break };
            let len = self.len(dst);
            out.keep(len, action);
            count += 1;
        }
        at.violations = violations;
        count
    }

    fn left_out(&self, at: &Cursor) -> bool {
        at.own.only != 0 && !at.rest && self.reduction.is_some_and(Reduction::asks_search)
    }

    fn rest(&self, src: &[u32], at: &mut Cursor) -> bool {
        let Some(reduction) = self.reduction.filter(|r| r.asks_search()) else { return false };
        let chosen = reduction.choose(self.interpreter, src);
        chosen != 0 && self.others(src, chosen, at)
    }

    fn valuation(&self, s: &[u32]) -> Valuation {
        self.interpreter.valuation(s)
    }

    fn failed(&self, s: &[u32]) -> bool {
        self.interpreter.failed(s)
    }

    fn undefined(&self, s: &[u32]) -> Valuation {
        self.interpreter.undefined(s)
    }
}
