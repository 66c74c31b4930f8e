//! The call stack of a depth-first search, in the heap.
//!
//! States lie one after the other in an arena. The next successor is generated in the slot above the top, so that
//! pushing it copies nothing; and while its own search runs, it stays there, which is what [`Graph::next`] asks for.

use riata_automata::Marks;
use riata_system::watch::{Event, Procedure};
use riata_system::{Doing, Graph, Path, Run};

struct Frame<C, D> {
    start: usize,
    cursor: C,
    data: D,
}

/// A stack of states with their cursors and, for each, the `D` that the algorithm keeps.
pub(crate) struct Stack<C, D> {
    /// Whose calls these are, for who watches.
    procedure: Procedure,
    arena: Vec<u32>,
    frames: Vec<Frame<C, D>>,
    /// Where the slot above the top begins.
    end: usize,
    /// Words of the slot.
    words: usize,
}

impl<C: Default, D> Stack<C, D> {
    pub fn new<G: Graph<Cursor = C>>(g: &G, procedure: Procedure) -> Self {
        Stack { procedure, arena: vec![0; g.words()], frames: Vec::new(), end: 0, words: g.words() }
    }

    /// Calls in progress.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub fn bytes(&self) -> usize {
        self.arena.capacity() * 4 + self.frames.capacity() * size_of::<Frame<C, D>>()
    }

    /// The slot above the top.
    pub fn slot(&mut self) -> &mut [u32] {
        &mut self.arena[self.end..self.end + self.words]
    }

    /// The state in the slot above the top.
    #[inline]
    pub fn target<G: Graph<Cursor = C>>(&self, g: &G) -> &[u32] {
        let slot = &self.arena[self.end..self.end + self.words];
        &slot[..g.len(slot)]
    }

    /// Generates the next successor of the top in the slot; counts it.
    #[inline]
    pub fn next<G: Graph<Cursor = C>>(&mut self, g: &G, run: &mut Run) -> Option<Marks> {
        let top = self.frames.last_mut()?;
        let (below, slot) = self.arena.split_at_mut(self.end);
        run.doing(Doing::Product);
        let marks = g.next(&below[top.start..], &mut top.cursor, &mut slot[..self.words]);
        run.doing(Doing::Search);
        let marks = marks?;
        run.transition();
        g.watch(|| Event::Edge(self.procedure, self.target(g)[0], marks));
        Some(marks)
    }

    /// The state in the slot becomes the top; the enumeration of its successors begins, and is counted.
    #[inline]
    pub fn push<G: Graph<Cursor = C>>(&mut self, g: &G, data: D, run: &mut Run) {
        g.watch(|| Event::Call(self.procedure, self.target(g)[0]));
        let start = self.end;
        self.end += self.target(g).len();
        self.frames.push(Frame { start, cursor: C::default(), data });
        let need = self.end + self.words;
        if self.arena.len() < need {
            self.arena.resize(need + need / 2, 0);
        }
        run.counters.post_calls += 1;
    }

    /// Removes the top; its state stays in the slot.
    #[inline]
    pub fn pop<G: Graph<Cursor = C>>(&mut self, g: &G) -> Option<D> {
        let frame = self.frames.pop()?;
        g.watch(|| Event::Return(self.procedure));
        self.end = frame.start;
        Some(frame.data)
    }

    /// What is kept of the top.
    #[inline]
    pub fn top(&mut self) -> Option<&mut D> {
        self.frames.last_mut().map(|f| &mut f.data)
    }

    /// The state of call `i`, counted from the bottom.
    pub fn state(&self, i: usize) -> &[u32] {
        let end = self.frames.get(i + 1).map_or(self.end, |f| f.start);
        &self.arena[self.frames[i].start..end]
    }

    /// The enumeration of the top's successors begins again, and is counted.
    pub fn rewind<G: Graph<Cursor = C>>(&mut self, g: &G, run: &mut Run) {
        g.watch(|| Event::Again(self.procedure));
        if let Some(top) = self.frames.last_mut() {
            top.cursor = C::default();
            run.counters.post_calls += 1;
        }
    }

    /// The states from the bottom to the top.
    pub fn path(&self) -> Path {
        (0..self.depth()).map(|i| self.state(i)).collect()
    }
}
