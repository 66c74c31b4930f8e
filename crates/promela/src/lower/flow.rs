//! The control graph of a process: from nested statements to locations and edges.
//!
//! Statements become *elements*, in sequences, each with the element that follows it. Which of them are locations,
//! and where an edge leads, follows Spin's rules, so that a model has just the states that Spin gives it:
//!
//! * A basic statement is one edge, from its element to the element that follows.
//! * `goto`, `break` and the end of a selection cost no step of their own when something leads to them: what leads
//!   there leads on to their target ([`Flow::hunt`]). They are a step only where an option begins with them, or
//!   where they lead out of an atomic sequence.
//! * A selection, a repetition, `atomic { … }` and `{ … }` are locations whose edges are those of what they begin
//!   with ([`Flow::starts`]).
//! * An edge keeps control if its statement is inside an atomic sequence and is not its last.
//! * `a unless b`: every element of `a` has the edges with which `b` begins, before its own.
//! * `d_step` is one edge; what is inside is a block.

use riata_program::LocId;
use riata_program::{Action, Block, Edge, Location, Work};
use riata_source::{Diagnostic, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// An element's number.
pub(crate) type El = usize;
/// A sequence's number.
pub(crate) type Seq = usize;

/// What an element is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A statement that is a step.
    Basic(Action),
    /// `goto`, or `break` with the element that it leads to.
    Goto(Target),
    /// Where the options of a selection meet.
    Join,
    /// Behind a repetition.
    After,
    Choice(Vec<Seq>),
    Unless(Seq, Seq),
    Atomic(Seq),
    Group(Seq),
    Step(Seq),
    /// The end of the process.
    End,
}

#[derive(Clone, Debug)]
pub(crate) enum Target {
    Label(Arc<str>, Vec<u32>, Span),
    Element(El),
}

#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub kind: Kind,
    pub next: Option<El>,
    /// Inside an atomic sequence, and not its last.
    pub atomic: bool,
    /// The last of an atomic sequence.
    pub last: bool,
    /// The escapes of this element, outermost first.
    pub escapes: Vec<Seq>,
    pub labels: Vec<Arc<str>>,
    /// The `d_step` it is in.
    pub step: u32,
    /// Spin's number of it, counted from the first of the process.
    pub number: Option<u32>,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Sequence {
    pub first: Option<El>,
    pub last: Option<El>,
    /// The last statement of its own: what is joined to it afterwards does not count.
    pub extent: Option<El>,
}

#[derive(Clone, Debug)]
pub(super) struct Label {
    pub name: Arc<str>,
    scope: Vec<u32>,
    pub element: El,
    pub span: Span,
}

/// The elements of one process.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    pub elements: Vec<Element>,
    pub sequences: Vec<Sequence>,
    open: Vec<Seq>,
    breaks: Vec<El>,
    pub(super) labels: Vec<Label>,
    steps: Vec<u32>,
    step_count: u32,
    /// How many elements Spin has made so far.
    pub made: u32,
    /// Elements that were taken out again.
    pruned: Vec<El>,
    pub wrong: Vec<Diagnostic>,
}

/// The location of a label at which no process ever is.
pub(super) const NOWHERE: u32 = u32::MAX;

/// How far jumps are followed.
const FARTHEST: usize = 500;

impl Flow {
    pub fn open(&mut self) -> Seq {
        self.sequences.push(Sequence::default());
        self.open.push(self.sequences.len() - 1);
        self.sequences.len() - 1
    }

    /// Closes the open sequence. A label must not be at its beginning if `whose` says what it is.
    pub fn close(&mut self, whose: Option<&str>, span: Span) -> Seq {
        let seq = self.open.pop().expect("a sequence is open");
        if self.sequences[seq].first.is_none() {
            // An empty sequence: Spin refuses it; as a step that does nothing it is harmless.
            self.open.push(seq);
            let el = self.element(Kind::Basic(Action::skip(span)), span);
            self.add(el);
            self.open.pop();
        }
        if let (Some(whose), Some(first)) = (whose, self.sequences[seq].first)
            && let Some(label) = self.elements[first].labels.first().cloned()
        {
            let span = self.elements[first].span;
            self.wrong.push(
                Diagnostic::error(span, format!("label `{label}` is at the beginning of {whose}"))
                    .help(format!("write the label before {whose}")),
            );
        }
        let s = &mut self.sequences[seq];
        s.extent = s.last;
        seq
    }

    pub fn element(&mut self, kind: Kind, span: Span) -> El {
        self.made += 1;
        self.elements.push(Element {
            kind,
            next: None,
            atomic: false,
            last: false,
            escapes: Vec::new(),
            labels: Vec::new(),
            step: self.steps.last().copied().unwrap_or(0),
            number: Some(self.made - 1),
            span,
        });
        self.elements.len() - 1
    }

    fn append(&mut self, el: El, seq: Seq) {
        let s = &mut self.sequences[seq];
        match s.last {
            None => s.first = Some(el),
            Some(last) => self.elements[last].next = Some(el),
        }
        self.sequences[seq].last = Some(el);
    }

    /// Adds an element to the open sequence.
    pub fn add(&mut self, el: El) {
        let seq = *self.open.last().expect("a sequence is open");
        let marked = |l: &Arc<str>| ["accept", "end", "progress"].iter().any(|p| l.starts_with(p));
        if matches!(self.elements[el].kind, Kind::Goto(_)) && self.elements[el].labels.iter().any(marked) {
            // The location of a jump would be lost, and with it the label.
            let span = self.elements[el].span;
            let skip = self.element(Kind::Basic(Action::skip(span)), span);
            self.move_labels(el, skip);
            self.append(skip, seq);
        }
        self.append(el, seq);
    }

    fn move_labels(&mut self, from: El, to: El) {
        self.elements[to].labels = std::mem::take(&mut self.elements[from].labels);
        self.labels.iter_mut().filter(|l| l.element == from).for_each(|l| l.element = to);
    }

    pub fn basic(&mut self, action: Action) -> El {
        let span = action.span;
        self.element(Kind::Basic(action), span)
    }

    pub fn label(&mut self, name: &Arc<str>, scope: &[u32], element: El, span: Span) {
        if self.labels.iter().any(|l| l.name == *name && l.scope == scope) {
            self.wrong.push(Diagnostic::error(span, format!("label `{name}` is there already")));
        }
        self.elements[element].labels.push(name.clone());
        self.labels.push(Label { name: name.clone(), scope: scope.to_vec(), element, span });
    }

    /// Begins a repetition: where a `break` leads.
    pub fn begin_loop(&mut self, span: Span) {
        let after = self.element(Kind::After, span);
        // Spin makes it when the loop ends.
        self.made -= 1;
        self.breaks.push(after);
    }

    /// Where `break` leads now.
    pub fn after_loop(&self) -> Option<El> {
        self.breaks.last().copied()
    }

    /// Is this inside a `d_step`?
    pub fn in_step(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Begins a `d_step`.
    pub fn begin_step(&mut self) {
        self.step_count += 1;
        self.steps.push(self.step_count);
    }

    /// Ends it.
    pub fn end_step(&mut self) {
        self.steps.pop();
    }

    /// A selection of options that are written as such. Spin drops steps that do nothing in these only, not in the
    /// bodies of `for` loops.
    pub fn written_choice(&mut self, options: Vec<Seq>, repeat: bool, span: Span) -> El {
        for &o in &options {
            self.warn_of_label(o);
            self.prune(o);
        }
        self.choice(options, repeat, span)
    }

    /// A selection of options; of a repetition that was begun if `repeat`.
    pub fn choice(&mut self, mut options: Vec<Seq>, repeat: bool, span: Span) -> El {
        // `else` comes last.
        let is_else = |f: &Flow, o: Seq| {
            f.sequences[o].first.is_some_and(
                |e| matches!(&f.elements[e].kind, Kind::Basic(a) if a.guard == riata_program::Guard::Else),
            )
        };
        if let Some(i) = options.iter().position(|&o| is_else(self, o)) {
            let last = options.remove(i);
            options.push(last);
        }
        let e = self.element(Kind::Choice(options.clone()), span);
        let join = self.element(Kind::Join, tail(span));
        for &o in &options {
            self.append(join, o);
        }
        let seq = *self.open.last().expect("a sequence is open");
        if repeat {
            let after = self.breaks.pop().expect("a repetition was begun");
            self.elements[after].number = Some(self.made);
            self.elements[after].span = tail(span);
            self.made += 1;
            self.append(join, seq);
            self.append(e, seq);
            self.append(after, seq);
        } else {
            self.append(e, seq);
            self.append(join, seq);
        }
        e
    }

    pub fn unless(&mut self, main: Seq, escape: Seq, span: Span) -> El {
        let e = self.element(Kind::Unless(main, escape), span);
        let join = self.element(Kind::Join, tail(span));
        self.append(join, main);
        self.append(join, escape);
        self.attach(main, escape);
        let seq = *self.open.last().expect("a sequence is open");
        self.append(e, seq);
        self.append(join, seq);
        e
    }

    /// Spin makes the element of a statement before `unless` after those of the escape. What was made of it is
    /// numbered from `first` on, the escape from `second` on; the last `top` of the first are the statement's own.
    pub fn swap_numbers(&mut self, first: u32, second: u32, top: u32) {
        let (end, own) = (self.made, second.saturating_sub(top).max(first));
        let top = second - own;
        for e in &mut self.elements {
            e.number = e.number.map(|n| match n {
                n if (own..second).contains(&n) => n + (end - second),
                n if (second..end).contains(&n) => n - top,
                n => n,
            });
        }
    }

    /// Of several steps in a row that do nothing, only the first counts.
    fn prune(&mut self, seq: Seq) {
        let s = self.sequences[seq].clone();
        let (mut before, mut at, mut count): (Option<El>, _, _) = (None, s.first, 0);
        while let Some(e) = at {
            let next = self.elements[e].next;
            let (skip, prints) = match &self.elements[e].kind {
                Kind::Basic(a) => idle(a),
                _ => (false, false),
            };
            if skip && self.elements[e].labels.is_empty() {
                count += 1;
                if count > 1
                    && !prints
                    && Some(e) != s.first
                    && Some(e) != s.last
                    && let Some(b) = before
                {
                    self.elements[b].next = next;
                    self.pruned.push(e);
                    at = next;
                    continue;
                }
            } else {
                count = 0;
            }
            before = Some(e);
            at = next;
        }
    }

    fn members(&self, seq: Seq, end: Option<El>) -> Vec<El> {
        let (mut members, mut at) = (Vec::new(), self.sequences[seq].first);
        while let Some(e) = at {
            members.push(e);
            if Some(e) == end {
                break;
            }
            at = self.elements[e].next;
        }
        members
    }

    fn attach(&mut self, seq: Seq, escape: Seq) {
        for e in self.members(seq, self.sequences[seq].extent) {
            self.attach_element(e, escape);
        }
    }

    fn attach_element(&mut self, e: El, escape: Seq) {
        if self.elements[e].escapes.contains(&escape) {
            return;
        }
        for lower in self.elements[e].escapes.clone() {
            self.attach(lower, escape);
        }
        self.elements[e].escapes.insert(0, escape);
        match self.elements[e].kind.clone() {
            Kind::Unless(main, _) => self.attach(main, escape),
            Kind::Choice(options) => options.into_iter().for_each(|o| self.attach(o, escape)),
            Kind::Step(seq) => {
                if let Some(first) = self.sequences[seq].first {
                    self.attach_element(first, escape);
                }
            }
            Kind::Atomic(seq) | Kind::Group(seq) => self.attach(seq, escape),
            _ => {}
        }
    }

    /// Marks a sequence as atomic.
    pub fn make_atomic(&mut self, seq: Seq) {
        self.walk_atomic(seq, self.sequences[seq].last);
        let Some(last) = self.sequences[seq].last else { return };
        match self.elements[last].kind.clone() {
            Kind::Atomic(inner) | Kind::Group(inner) => self.make_atomic(inner),
            Kind::Unless(main, _) => self.make_atomic(main),
            _ => {
                self.elements[last].atomic = false;
                self.elements[last].last = true;
            }
        }
    }

    fn walk_atomic(&mut self, seq: Seq, end: Option<El>) {
        for e in self.members(seq, end) {
            self.elements[e].atomic = true;
            match self.elements[e].kind.clone() {
                Kind::Atomic(inner) | Kind::Group(inner) => {
                    self.elements[e].kind = Kind::Group(inner);
                    self.walk_atomic(inner, self.sequences[inner].last);
                }
                Kind::Choice(options) => {
                    options.into_iter().for_each(|o| self.walk_atomic(o, self.sequences[o].last));
                }
                Kind::Unless(a, b) => {
                    [a, b].into_iter().for_each(|o| self.walk_atomic(o, self.sequences[o].last))
                }
                _ => {}
            }
        }
    }

    /// The element of a label that a jump from `scope` means: the one in the same scope, else one around, else any.
    fn find_label(&self, name: &str, scope: &[u32]) -> Option<El> {
        let named = || self.labels.iter().filter(|l| &*l.name == name);
        named()
            .rfind(|l| l.scope == scope)
            .or_else(|| named().filter(|l| scope.starts_with(&l.scope)).max_by_key(|l| l.scope.len()))
            .or_else(|| self.labels.iter().rev().find(|l| &*l.name == name))
            .map(|l| l.element)
    }

    fn target(&self, target: &Target) -> Option<El> {
        match target {
            Target::Element(e) => Some(*e),
            Target::Label(name, scope, _) => self.find_label(name, scope),
        }
    }

    /// Ties the ends of groups to what follows them, resolves jumps, and tells what is wrong with them.
    fn tie(&mut self) {
        // What is around has a higher number, and must be tied first.
        for e in (0..self.elements.len()).rev() {
            if let Kind::Atomic(s) | Kind::Group(s) | Kind::Step(s) = self.elements[e].kind
                && let Some(last) = self.sequences[s].last
            {
                self.elements[last].next = self.elements[e].next;
            }
        }
        for e in 0..self.elements.len() {
            let Kind::Goto(target) = self.elements[e].kind.clone() else { continue };
            let Some(to) = self.target(&target) else {
                if let Target::Label(name, _, span) = &target {
                    let d = Diagnostic::error(*span, format!("there is no label `{name}`"));
                    let labels: Vec<&str> = self.labels.iter().map(|l| &*l.name).collect();
                    let d = match super::names::similar(name, labels.into_iter()) {
                        Some(other) => d.help(format!("did you mean `{other}`?")),
                        None => d,
                    };
                    self.wrong.push(d);
                }
                self.elements[e].kind = Kind::Goto(Target::Element(e));
                continue;
            };
            if self.elements[e].step != self.elements[to].step {
                let span = self.elements[e].span;
                self.wrong.push(Diagnostic::error(span, "a jump into or out of d_step"));
            }
            self.elements[e].kind = Kind::Goto(Target::Element(to));
            let (from, into) = (&self.elements[e], &self.elements[to]);
            let inside = into.atomic || into.last;
            if (from.atomic || from.last) && !inside {
                self.elements[e].atomic = false;
                self.elements[e].last = true;
            } else if from.last && inside {
                // From the end of one atomic sequence into another.
                self.elements[e].last = false;
                self.elements[e].atomic = true;
            }
        }
    }

    /// Where control is after something leads to `to`: jumps and joins are followed. `atomic` is what leads there.
    fn hunt(&self, to: El, atomic: bool) -> El {
        let mut e = to;
        for _ in 0..FARTHEST {
            let next = match &self.elements[e].kind {
                Kind::Goto(Target::Element(t)) if *t != e => Some(*t),
                Kind::Join | Kind::After => self.elements[e].next,
                Kind::Unless(main, _) => self.sequences[*main].first,
                _ => return e,
            };
            let Some(next) = next else { return e };
            if atomic && !self.elements[next].atomic {
                return e;
            }
            e = next;
        }
        e
    }

    /// Where a sequence begins.
    pub(super) fn hunt_start(&self, seq: Seq) -> Option<El> {
        let mut e = self.sequences[seq].first?;
        for _ in 0..FARTHEST {
            let next = match &self.elements[e].kind {
                Kind::Join => self.elements[e].next,
                Kind::Unless(main, _) => self.sequences[*main].first,
                _ => None,
            };
            match next {
                Some(next) => e = next,
                None => break,
            }
        }
        Some(e)
    }

    /// The elements that are steps and with which `e` begins.
    pub(super) fn starts(&self, e: El) -> Vec<El> {
        let mut found = Vec::new();
        let mut todo = vec![e];
        let mut seen = Vec::new();
        while let Some(e) = todo.pop() {
            if seen.contains(&e) {
                continue;
            }
            seen.push(e);
            match &self.elements[e].kind {
                Kind::Choice(options) => {
                    todo.extend(options.iter().rev().filter_map(|&o| self.hunt_start(o)));
                }
                Kind::Atomic(s) | Kind::Group(s) => todo.extend(self.hunt_start(*s)),
                Kind::Unless(main, _) => todo.extend(self.hunt_start(*main)),
                _ => found.push(e),
            }
        }
        found
    }

    /// Where the step of an element leads; none is the end of all.
    pub(super) fn leads(&self, e: El) -> Option<El> {
        let element = &self.elements[e];
        let to = match &element.kind {
            Kind::Goto(Target::Element(t)) => Some(*t),
            _ => element.next,
        };
        to.map(|t| self.hunt(t, element.atomic))
    }

    /// What an element does as a step.
    fn work(&self, e: El, blocks: &mut Vec<Block>) -> Work {
        let element = &self.elements[e];
        match &element.kind {
            Kind::Basic(action) => Work::Action(action.clone()),
            Kind::Step(seq) => {
                blocks.push(self.block(*seq));
                Work::Block(blocks.len() as u32 - 1, element.span)
            }
            Kind::End => {
                let effect = vec![riata_program::Statement::Exit];
                Work::Action(Action { effect, ..Action::skip(element.span) })
            }
            _ => Work::Action(Action::skip(element.span)),
        }
    }

    /// The inside of a `d_step`.
    fn block(&self, seq: Seq) -> Block {
        let step = self.sequences[seq].first.map_or(0, |e| self.elements[e].step);
        let mut nodes: Vec<El> = self.hunt_start(seq).into_iter().collect();
        let mut block = Block { nodes: Vec::new() };
        let mut at = 0;
        while at < nodes.len() {
            let mut options = Vec::new();
            for e in self.starts(nodes[at]) {
                let Work::Action(action) = self.work(e, &mut Vec::new()) else { continue };
                let to = self.leads(e).filter(|&t| self.elements[t].step == step);
                let to = to.map(|t| match nodes.iter().position(|&n| n == t) {
                    Some(i) => i as u32,
                    None => {
                        nodes.push(t);
                        nodes.len() as u32 - 1
                    }
                });
                options.push((action, to));
            }
            block.nodes.push(options);
            at += 1;
        }
        block
    }
}

/// The end of a compound statement, where its parts meet: `fi`, `od`.
fn tail(span: Span) -> Span {
    Span { start: span.end.saturating_sub(2).max(span.start), end: span.end }
}

/// Does an action do nothing, and does it print?
fn idle(a: &Action) -> (bool, bool) {
    use riata_program::{Guard, Offer, Statement};
    let prints = a.effect.iter().any(|s| matches!(s, Statement::Print(_)));
    (a.guard == Guard::Always && a.offer == Offer::None && (a.effect.is_empty() || prints), prints)
}

/// A control graph.
pub(crate) struct Graph {
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
    pub initial: LocId,
    /// Where labels are: name and location.
    pub labels: Vec<(Arc<str>, LocId)>,
    /// For each edge, Spin's number of its element, counted from the first of the process.
    pub numbers: Vec<Option<u32>>,
    /// All statements, also those that control cannot come to.
    pub statements: Vec<Span>,
}

impl Flow {
    /// The control graph of the process whose body is the sequence `seq`; its blocks are added to `blocks`.
    pub fn finish(&mut self, seq: Seq, blocks: &mut Vec<Block>) -> Graph {
        self.tie();
        let mut numbers: HashMap<El, u32> = HashMap::new();
        let mut order: Vec<El> = Vec::new();
        let number = |e: El, order: &mut Vec<El>, numbers: &mut HashMap<El, u32>| {
            *numbers.entry(e).or_insert_with(|| {
                order.push(e);
                order.len() as u32 - 1
            })
        };
        let first = self.sequences[seq].first.map_or(0, |f| self.hunt(f, false));
        number(first, &mut order, &mut numbers);
        let mut edges = Vec::new();
        let mut statements = Vec::new();
        let mut made: HashMap<El, Work> = HashMap::new();
        let mut at = 0;
        while at < order.len() {
            let from = order[at];
            let starts = self.starts(from);
            let mut groups: Vec<Seq> = Vec::new();
            for &e in &starts {
                let escapes = &self.elements[e].escapes;
                if !matches!(self.elements[e].kind, Kind::Join) {
                    escapes.iter().for_each(|s| {
                        if !groups.contains(s) {
                            groups.push(*s);
                        }
                    });
                }
            }
            let escaping = groups.iter().flat_map(|&g| {
                let starts = self.hunt_start(g).map_or(Vec::new(), |s| self.starts(s));
                starts.into_iter().map(move |e| (e, g as u32 + 1))
            });
            let all: Vec<(El, u32)> = escaping.chain(starts.into_iter().map(|e| (e, 0))).collect();
            for (e, rank) in all {
                let to = self.leads(e).unwrap_or(e);
                let to = number(to, &mut order, &mut numbers);
                let work = made.entry(e).or_insert_with(|| self.work(e, blocks)).clone();
                statements.push(self.elements[e].number);
                edges.push(Edge {
                    from: LocId(at as u32),
                    to: LocId(to),
                    work,
                    keeps: self.elements[e].atomic,
                    rank,
                    merged: Vec::new(),
                });
            }
            at += 1;
        }
        let labels: Vec<(Arc<str>, LocId)> = self
            .labels
            .iter()
            .map(|l| (l.name.clone(), LocId(numbers.get(&l.element).copied().unwrap_or(NOWHERE))))
            .collect();
        let marks = self.marks();
        let locations = order
            .iter()
            .map(|&e| {
                let element = &self.elements[e];
                Location {
                    labels: element.labels.iter().map(|l| l.to_string()).collect(),
                    number: element.number.map_or(0, |n| n as i32 + 1),
                    end: marks[e].end,
                    accepting: marks[e].accepting,
                    progress: marks[e].progress,
                    span: element.span,
                    ..Location::default()
                }
            })
            .collect();
        let counts = |e: &El| {
            let element = &self.elements[*e];
            let is = matches!(element.kind, Kind::Basic(_) | Kind::Step(_) | Kind::End);
            is && element.step == 0 && !self.pruned.contains(e)
        };
        let mut all: Vec<Span> =
            (0..self.elements.len()).filter(counts).map(|e| self.elements[e].span).collect();
        all.sort();
        all.dedup();
        Graph { locations, edges, initial: LocId(0), labels, numbers: statements, statements: all }
    }
}
