//! A graph whose successors come in another order: from one of them on, round to the one before.

use riata_automata::Marks;
use riata_store::hash;
use riata_system::{Choice, ForStateMarked, Graph, StateMarked, Strength};

/// The same graph, each state's successors turned round.
pub struct Shuffled<'a, G> {
    /// The graph.
    pub graph: &'a G,
    /// Another seed is another order; 0 is that of the graph.
    pub seed: u64,
}

/// Where it is among the successors.
#[derive(Default)]
pub struct ShuffledCursor<C> {
    inner: C,
    /// How many successors there are and which came first, once they were counted.
    round: Option<(usize, usize)>,
    told: usize,
}

impl<G: Graph> Shuffled<'_, G> {
    /// Counts the successors, and goes to the one that comes first.
    fn begin(&self, src: &[u32], at: &mut ShuffledCursor<G::Cursor>, dst: &mut [u32]) -> (usize, usize) {
        let mut n = 0;
        let mut counting = G::Cursor::default();
        while self.graph.next(src, &mut counting, dst).is_some() {
            n += 1;
        }
        let first = hash::words(&src[..self.graph.len(src)], self.seed) as usize % n.max(1);
        (0..first).for_each(|_| {
            self.graph.next(src, &mut at.inner, dst);
        });
        (n, first)
    }
}

impl<G: Graph> Graph for Shuffled<'_, G> {
    type Cursor = ShuffledCursor<G::Cursor>;

    fn words(&self) -> usize {
        self.graph.words()
    }
    fn len(&self, s: &[u32]) -> usize {
        self.graph.len(s)
    }
    fn all(&self) -> Marks {
        self.graph.all()
    }
    fn initial(&self, at: &mut Self::Cursor, dst: &mut [u32]) -> bool {
        self.graph.initial(&mut at.inner, dst)
    }
    fn next(&self, src: &[u32], at: &mut Self::Cursor, dst: &mut [u32]) -> Option<Marks> {
        if self.seed == 0 {
            return self.graph.next(src, &mut at.inner, dst);
        }
        let (n, first) = match at.round {
            Some(round) => round,
            None => {
                let round = self.begin(src, at, dst);
                at.round = Some(round);
                round
            }
        };
        if at.told == n {
            return None;
        }
        if at.told == n - first && first > 0 {
            at.inner = G::Cursor::default();
        }
        at.told += 1;
        self.graph.next(src, &mut at.inner, dst)
    }
    fn choice(&self, at: &Self::Cursor) -> Choice {
        self.graph.choice(&at.inner)
    }
    fn strength(&self) -> Strength {
        self.graph.strength()
    }

    const FOR_ONE_SET: bool = G::FOR_ONE_SET;

    fn if_state_marked<W: ForStateMarked>(&self, work: W) -> Result<W::Output, W> {
        let turned = Turned { work, seed: self.seed };
        self.graph.if_state_marked(turned).map_err(|turned| turned.work)
    }
}

impl<G: StateMarked> StateMarked for Shuffled<'_, G> {
    fn marks(&self, s: &[u32]) -> Marks {
        self.graph.marks(s)
    }
}

/// Work on a graph whose successors are turned round.
struct Turned<W> {
    work: W,
    seed: u64,
}

impl<W: ForStateMarked> ForStateMarked for Turned<W> {
    type Output = W::Output;

    fn with<G: StateMarked>(self, graph: &G) -> W::Output {
        self.work.with(&Shuffled { graph, seed: self.seed })
    }
}
