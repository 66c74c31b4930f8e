//! Room for native code: what compiled successors look like to the interpreter, and what a compiler sees of a program.
//!
//! Native code knows the steps of one process type. It is entered at an edge of the type, tries it and those that follow
//! it in the same location, and says which one can be taken ([`STEP`], the successor is in `dst`), that none is left
//! ([`DONE`]), or that it does not know ([`ASK`]): a fault, a violated assertion, a rendezvous, a process that is
//! created. Such an edge the interpreter tries itself, so whatever is rare or difficult has one meaning and one text. The
//! cursor is the interpreter's own: the two can take turns in one state.
//!
//! Where no process is created after the start, one function has all process types, each with its own numbers for its edges
//! ([`Type::first`]). Entered at a process, it goes on to the processes after it, if that is wanted ([`ROW`]).

use crate::context::Context;
use crate::form::Statement;
use crate::ids::EdgeId;
use crate::interp::{Cursor, Interpreter, Step};
use crate::shape::Shape;
use crate::step::range;
use riata_system::{ActionId, Successors, System, Valuation};
use std::any::Any;
use std::mem::MaybeUninit;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

pub use crate::code::{
    ActionCode, BlockCode, ChannelCode, EdgeCode, GuardCode, OWN, OfferCode, PatternCode, Piece, Question,
    ReceiveCode, RunCode, WorkCode,
};
pub use crate::frame::{Frame, Frames, Queue};
pub use crate::head::HOLDER;
pub use crate::interp::TypeCode;
pub use crate::machine::{Instr, Op};

/// No edge is left.
pub const DONE: u32 = 0;
/// The edge in [`Turn::edge`] was taken.
pub const STEP: u32 = 1;
/// The edge in [`Turn::edge`] is left to the interpreter.
pub const ASK: u32 = 2;
/// For [`Turn::all`]: all successors are wanted, and states in which control is held may be passed through.
pub const LARGE: u32 = 2;
/// For [`Turn::all`], one more bit: those of all processes from this one on.
pub const ROW: u32 = 4;
/// The most successors that one call tells.
pub const MOST: usize = 512;
/// In place of an edge: from the first one of the location where the process is; if the function has all processes, that of the
/// first of them.
pub const START: u32 = u32::MAX;

/// What native code is told of the process whose turn it is, and where it says which edge it means.
#[repr(C)]
#[derive(Debug)]
pub struct Turn {
    /// Out: the edge that was taken or is left to the interpreter, counted from the first one of its type.
    pub edge: u32,
    /// Has the process a step of its own already?
    pub mine: u32,
    /// Can no process move without a timeout?
    pub timeout: u32,
    /// Who moves. Out: whose edge is left to the interpreter.
    pub pid: u32,
    /// How many processes there are.
    pub processes: u32,
    /// How many words the state has.
    pub words: u32,
    /// For each channel its kind and its first word.
    pub channels: *const [u32; 2],
    /// How many channels there are.
    pub channel_count: u32,
    /// Are all successors wanted, each in the slot after the one before? Then a step is counted, and no reason to return.
    pub all: u32,
    /// Out: how many were told so.
    pub told: u32,
    /// Out: how many states were passed through on the way to those of the process at hand.
    pub passed: u32,
    /// Out: the most that were for one of the processes before it.
    pub most_passed: u32,
    /// Out: the actions of those that were told.
    pub actions: [MaybeUninit<u32>; MOST],
}

impl Turn {
    fn new(shape: &Shape, pid: u32) -> Turn {
        Turn {
            edge: 0,
            mine: 0,
            timeout: 0,
            pid,
            processes: shape.processes.len() as u32,
            words: shape.words,
            channels: shape.doors.as_ptr(),
            channel_count: shape.doors.len() as u32,
            all: 0,
            told: 0,
            passed: 0,
            most_passed: 0,
            actions: [MaybeUninit::uninit(); MOST],
        }
    }
}

impl Turn {
    /// Keeps the successors that were told.
    #[inline]
    fn keep(&self, out: &mut Successors) {
        // SAFETY: native code writes one for each successor that it counts.
        let actions = self.actions[..self.told as usize].iter().map(|a| ActionId(unsafe { a.assume_init() }));
        out.keep_all(self.words as usize, actions);
    }
}

/// Steps: from the state in the first argument to the second, the frame of the process at so many words, from this edge on, or, if
/// the function has all processes, from a process on: its place among them, and the number of all edges.
pub type Steps = unsafe extern "C" fn(*const u32, *mut u32, u64, u32, *mut Turn) -> u32;

/// The native code of a process type.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// The function.
    pub steps: Steps,
    /// The number of the type's first edge there.
    pub first: u32,
    /// The most successors of one process.
    pub most: usize,
}

/// The truth of the propositions in a state; false if that is left to the interpreter.
pub type Valuations = unsafe extern "C" fn(*const u32, *mut u64) -> u32;

/// Compiled code.
pub struct Native {
    /// For each process type, if it is compiled.
    types: Vec<Option<Type>>,
    row: Option<Row>,
    /// So many edges are compiled, and so many are left to the interpreter.
    edges: (usize, usize),
    valuation: Option<Valuations>,
    /// When it was ready, and how long that took.
    made: Option<(Instant, Duration)>,
    /// What owns the code.
    _memory: Box<dyn Any + Send + Sync>,
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "native code of {} process types", self.types.iter().flatten().count())
    }
}

impl Native {
    /// Code for the process types of an interpreter, or for all processes.
    ///
    /// # Safety
    /// The functions were made for the interpreter that they are made by, read a state of it and
    /// write one, no more, and live as long as `memory`.
    pub unsafe fn new(
        (types, row): (Vec<Option<Type>>, Option<Row>),
        valuation: Option<Valuations>,
        edges: (usize, usize),
        memory: Box<dyn Any + Send + Sync>,
    ) -> Native {
        Native { types, row, edges, valuation, made: None, _memory: memory }
    }

    /// The truth of the propositions in `s`, which is not the fault state, if that can be told.
    #[inline]
    pub(crate) fn valuation(&self, s: &[u32]) -> Option<Valuation> {
        let mut bits = 0;
        // SAFETY: the code was made for this program, and reads a state of it.
        let said = unsafe { self.valuation?(s.as_ptr(), &mut bits) };
        (said != 0).then_some(Valuation(bits))
    }
}

/// Makes native code of a program, or tells why not.
pub type Compiler = fn(&Interpreter) -> Result<Native, String>;

/// The native code of all processes.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The function.
    pub steps: Steps,
    /// How many edges it has.
    pub edges: u32,
    /// How many processes.
    pub processes: u32,
    /// The most successors of a state.
    pub most: usize,
}

/// Native code is made after so many states for each edge, unless somebody says otherwise. To compile an edge takes about as
/// long as to interpret so many states, so that the two together take at most twice the time of the better one.
const PER_EDGE: u32 = 128;

/// A state of which all steps are wanted counts as so many of which those of some processes are: native code gains that much more there.
const WHOLE: u32 = 8;

/// What a compiler sees of a program.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    /// The bytecode.
    pub code: &'a [Instr],
    /// What the code can ask.
    pub questions: &'a [Question],
    /// For each process type, its edges and for each location which of them are its own.
    pub types: &'a [TypeCode],
    /// The receives.
    pub receives: &'a [Option<ReceiveCode>],
    /// Where everything is.
    pub frames: &'a Frames,
    /// The code of the propositions.
    pub propositions: &'a [u32],
    /// The length of all states but the fault state, if they have one.
    pub length: Option<usize>,
    /// Is a process at its next location before its effect?
    pub early: bool,
    /// Does an edge keep control?
    pub keeps: bool,
    /// Has a process type a committed location?
    pub commits: bool,
    /// Are the oldest processes tried first?
    pub oldest: bool,
    /// Is a message evaluated only once somebody is found who may receive it?
    pub lazy: bool,
    /// If no process is created after the start: the types of all, and the first words of their frames.
    pub processes: Option<&'a [(u32, u32)]>,
    /// The deterministic steps.
    pub blocks: &'a [Option<BlockCode>],
    /// Does some code ask for a timeout?
    pub uses_timeout: bool,
}

/// The processes of a state, and so where everything in it is.
#[allow(missing_docs, reason = "names say it")]
#[derive(Clone, Copy, Debug)]
pub struct Stack<'a> {
    /// What the head of a state says, if it has one.
    pub number: u32,
    /// The stack without the youngest process.
    pub parent: u32,
    /// For each process its type and the first word of its frame.
    pub processes: &'a [(u32, u32)],
    /// For each channel its kind and its first word; channel `i` has the number `i + 1`.
    pub channels: &'a [(u32, u32)],
    pub words: u32,
}

impl Interpreter {
    /// The program as a compiler sees it; none if nothing of it can be compiled: with priorities, `provided`, `_last`, a
    /// monitor, or in lockstep, everything is left to the interpreter.
    pub fn listing(&self) -> Option<Listing<'_>> {
        let program = &*self.program;
        let ends = |s: &Statement| matches!(s, Statement::Run { .. } | Statement::Exit);
        let simple = !self.scheduled && self.last.is_none() && self.monitor.is_none() && !self.lockstep;
        simple.then_some(Listing {
            code: &self.code,
            questions: &self.questions,
            types: &self.types,
            receives: &self.receives,
            frames: &self.frames,
            propositions: self.proposition_codes(),
            length: (!program.start.is_empty() && !program.statements().any(ends))
                .then(|| self.shape(self.first_state()).words as usize),
            early: self.early,
            keeps: self.keeps,
            commits: self.commits,
            oldest: self.oldest,
            lazy: self.program.scheduling.lazy,
            processes: (!self.frames.grows).then(|| &self.shape(self.first_state()).processes[..]),
            blocks: &self.blocks,
            uses_timeout: self.uses_timeout,
        })
    }

    /// The processes of a state, which is not the fault state.
    pub fn stack(&self, s: &[u32]) -> Stack<'_> {
        self.stack_of(self.head.shape(s))
    }

    /// The stack with this number, which must have occurred.
    pub fn stack_of(&self, number: u32) -> Stack<'_> {
        let shape = self.shapes.get(number);
        let Shape { parent, words, .. } = *shape;
        Stack { number, parent, processes: &shape.processes, channels: &shape.channels, words }
    }

    /// The same, with native code once so many states have been expanded; if that is not said, once it is likely to pay.
    pub fn compiled_by(mut self, compiler: Compiler, after: Option<u32>) -> Interpreter {
        let edges = self.types.iter().map(|code| code.edges.len() as u32).sum::<u32>();
        let after = after.unwrap_or(edges.saturating_mul(PER_EDGE));
        self.compiler = Some((compiler, after.saturating_mul(WHOLE)));
        self
    }

    /// The same, with native code from the start, if it can be made.
    pub fn compiled(self, compiler: Compiler) -> Interpreter {
        let this = self.compiled_by(compiler, Some(0));
        let _ = this.native_for(0);
        this
    }

    /// How many edges are native code and how many are left to the interpreter, or why there is none; nothing if nobody
    /// made any, or not yet.
    pub fn native_edges(&self) -> Option<Result<(usize, usize), &str>> {
        self.native.get().map(|made| made.as_ref().map(|native| native.edges).map_err(String::as_str))
    }

    /// When native code was ready, if there is some, and how long it took to make.
    pub fn native_made(&self) -> Option<(Instant, Duration)> {
        self.native.get()?.as_ref().ok()?.made
    }

    /// Native code, if there is some.
    #[inline]
    pub(crate) fn native(&self) -> Option<&Native> {
        self.native.get()?.as_ref().ok()
    }

    /// The same, for somebody who begins with a state: he wants the steps of these processes, or of all if it is 0.
    #[inline]
    pub(crate) fn native_for(&self, only: u64) -> Option<&Native> {
        match self.native.get() {
            Some(made) => made.as_ref().ok(),
            None => self.warm(if only == 0 { WHOLE } else { 1 }),
        }
    }

    /// Forgets how many states were expanded.
    pub(crate) fn cool(&self) {
        self.heat.store(0, Ordering::Relaxed);
    }

    fn warm(&self, weight: u32) -> Option<&Native> {
        let (compiler, after) = self.compiler?;
        // Several threads may lose each other's counts; then it takes longer.
        let heat = self.heat.load(Ordering::Relaxed);
        if heat < after {
            self.heat.store(heat.saturating_add(weight), Ordering::Relaxed);
            return None;
        }
        let made = self.native.get_or_init(|| {
            let start = Instant::now();
            let mut native = compiler(self)?;
            native.made = Some((Instant::now(), start.elapsed()));
            Ok(native)
        });
        made.as_ref().ok()
    }

    /// The next step from `src`, which is not the fault state: as `advance`.
    pub(crate) fn native_next(
        &self,
        native: &Native,
        src: &[u32],
        at: &mut Cursor,
        dst: &mut [u32],
    ) -> Option<ActionId> {
        let shape = self.shape(src);
        if !at.started {
            at.started = true;
            self.begin(src, at);
        }
        let holder = self.head.holder(src);
        loop {
            while at.process > 0 {
                let pid = self.pid(at.process, shape);
                if !at.wants(pid) {
                    at.process -= 1;
                    continue;
                }
                if let Some(action) = self.native_step(native, src, pid, at, dst) {
                    at.moved = true;
                    return Some(action);
                }
                at.process = if holder > 0 { 0 } else { at.process - 1 };
                at.edge = 0;
                at.rank = 0;
                at.mine = false;
                at.allowed = false;
            }
            if at.moved || at.timeout || at.only != 0 || !self.uses_timeout {
                at.ended = true;
                return None;
            }
            at.timeout = true;
            self.begin(src, at);
        }
    }

    /// The next step of a process.
    #[inline]
    fn native_step(
        &self,
        native: &Native,
        src: &[u32],
        pid: u32,
        at: &mut Cursor,
        dst: &mut [u32],
    ) -> Option<ActionId> {
        let shape = self.shape(src);
        let (of, base) = shape.processes[pid as usize];
        let Some(Type { steps, first, .. }) = native.types[of as usize] else {
            let context = Context { timeout: at.timeout, ..Context::new(self, src, pid) };
            return self.own_step(context, at, dst);
        };
        let code = &self.types[of as usize];
        let (lo, hi) = range(code, self.at(src, of, base), at.committed);
        debug_assert!(src.len() >= shape.words as usize && dst.len() >= shape.words as usize);
        let mut turn = Turn::new(shape, pid);
        (turn.mine, turn.timeout) = (at.mine.into(), at.timeout.into());
        while lo + at.edge < hi {
            // SAFETY: both slices have as many words as the state's shape says, and the code was made for this program.
            let said = unsafe {
                steps(src.as_ptr(), dst.as_mut_ptr(), base.into(), first + lo + at.edge, &mut turn)
            };
            match said {
                DONE => return None,
                STEP => {
                    at.edge = turn.edge + 1 - lo;
                    at.mine = true;
                    let number = code.edges[turn.edge as usize].number;
                    at.step = Some(Step { pid, edge: EdgeId(number), partner: None });
                    return Some(ActionId(pid | pid << 8));
                }
                _ => {
                    at.edge = turn.edge - lo;
                    let edge = &code.edges[turn.edge as usize];
                    let mut context = Context { timeout: at.timeout, ..Context::new(self, src, pid) };
                    if let Some(action) = self.try_edge(edge, &mut context, at, dst) {
                        at.mine = true;
                        return Some(action);
                    }
                }
            }
        }
        None
    }

    /// As `expand`, for those who pass through states in which control is held: some of these may be left out, and what
    /// comes after them is told instead.
    pub(crate) fn expand_larger(&self, src: &[u32], at: &mut Cursor, out: &mut Successors) -> u64 {
        match self.native() {
            Some(native) if !self.is_fault(src) => self.native_expand((native, LARGE), src, at, out),
            _ => self.expand(src, at, out),
        }
    }

    /// Appends all successors of `src`, which is not the fault state, to `out`: as `native_next`, told at once. The cursor
    /// is new; it knows in the end how many assertions were violated.
    pub(crate) fn native_expand(
        &self,
        (native, all): (&Native, u32),
        src: &[u32],
        at: &mut Cursor,
        out: &mut Successors,
    ) -> u64 {
        let shape = self.shape(src);
        at.started = true;
        let holder = self.head.holder(src);
        let before = out.len();
        let mut turn = Turn::new(shape, 0);
        debug_assert!(src.len() >= shape.words as usize);
        if let Some(row) = native.row.filter(|_| holder == 0) {
            turn.all = all | ROW;
            loop {
                let room = row.most * shape.words as usize;
                self.expand_from(native, (row.steps, room), (START, 0), src, &mut turn, (at, out));
                if out.len() > before || at.timeout || !self.uses_timeout {
                    at.ended = true;
                    return (out.len() - before) as u64;
                }
                (at.timeout, turn.timeout) = (true, 1);
            }
        }
        turn.all = all;
        self.begin(src, at);
        while at.process > 0 {
            let pid = self.pid(at.process, shape);
            let (of, base) = shape.processes[pid as usize];
            match native.types[of as usize] {
                // Where some location is committed, the edges of others are not tried.
                Some(Type { steps, most, .. }) if !at.committed => {
                    (turn.pid, turn.passed, turn.mine) = (pid, 0, 0);
                    let room = most * shape.words as usize;
                    let from = self.entry(native, pid);
                    self.expand_from(native, (steps, room), (from, base), src, &mut turn, (at, out));
                }
                _ => self.expand_process(pid, src, at, out),
            }
            at.process = if holder > 0 { 0 } else { at.process - 1 };
            (at.edge, at.rank, at.mine, at.allowed) = (0, 0, false, false);
            if at.process == 0 && out.len() == before && !at.timeout && self.uses_timeout {
                (at.timeout, turn.timeout) = (true, 1);
                self.begin(src, at);
            }
        }
        at.ended = true;
        (out.len() - before) as u64
    }

    /// Where native code begins with a process.
    fn entry(&self, native: &Native, pid: u32) -> u32 {
        let Some(row) = native.row else { return START };
        row.edges + if self.oldest { pid } else { row.processes - 1 - pid }
    }

    /// Appends the successors that native code tells from an edge or a process on; an edge that it leaves to the interpreter is tried
    /// here.
    #[inline(always)]
    fn expand_from(
        &self,
        native: &Native,
        (steps, words): (Steps, usize),
        (mut from, mut base): (u32, u32),
        src: &[u32],
        turn: &mut Turn,
        (at, out): (&mut Cursor, &mut Successors),
    ) {
        let before = out.len();
        loop {
            let room = out.slot(words);
            // SAFETY: as in `native_step`; there is room for all states that one call tells.
            let said = unsafe { steps(src.as_ptr(), room.as_mut_ptr(), base.into(), from, turn) };
            if turn.told > 0 {
                turn.keep(out);
            }
            at.passed = at.passed.max(turn.passed).max(turn.most_passed);
            if said != ASK {
                return;
            }
            match self.expand_asked(native, src, (turn, before), at, out) {
                Some(next) => (from, base) = next,
                None => return,
            }
        }
    }

    /// The steps by an edge that native code has left to the interpreter, of those that were told from `before` on. Tells
    /// where native code goes on, and with which frame.
    #[inline(never)]
    fn expand_asked(
        &self,
        native: &Native,
        src: &[u32],
        (turn, before): (&mut Turn, usize),
        at: &mut Cursor,
        out: &mut Successors,
    ) -> Option<(u32, u32)> {
        let (shape, pid) = (self.shape(src), turn.pid);
        let (of, base) = shape.processes[pid as usize];
        let code = &self.types[of as usize];
        let (lo, hi) = code.ranges[self.at(src, of, base) as usize];
        at.edge = turn.edge - lo;
        at.mine = out.len() > before && Interpreter::movers(out.get(out.len() - 1).1).0 == pid;
        let edge = &code.edges[turn.edge as usize];
        let mut context = Context { timeout: at.timeout, ..Context::new(self, src, pid) };
        while lo + at.edge == turn.edge {
            let dst = out.slot(self.words);
            if let Some(action) = self.try_edge(edge, &mut context, at, dst) {
                let len = self.len(dst);
                out.keep(len, action);
                at.mine = true;
            }
        }
        if lo + at.edge < hi {
            turn.mine = at.mine.into();
            return Some((native.types[of as usize]?.first + lo + at.edge, base));
        }
        (at.edge, at.rank, at.mine, at.allowed) = (0, 0, false, false);
        turn.passed = 0;
        (turn.all & ROW != 0).then(|| (self.entry(native, pid) + 1, 0))
    }

    /// The steps of a process, by the interpreter.
    fn expand_process(&self, pid: u32, src: &[u32], at: &mut Cursor, out: &mut Successors) {
        loop {
            let dst = out.slot(self.words);
            let context = Context { timeout: at.timeout, ..Context::new(self, src, pid) };
            let Some(action) = self.own_step(context, at, dst) else { return };
            let len = self.len(dst);
            out.keep(len, action);
        }
    }
}
