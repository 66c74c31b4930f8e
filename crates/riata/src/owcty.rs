//! Properties of infinite runs by several processes, or with a checkpoint: OWCTY on the product.
//!
//! The search of the reachable states is what a checkpoint keeps; what follows is begun again.

use crate::error::Error;
use crate::how::How;
use crate::infinite::{Apart, Done, Question, titled};
use crate::options::Store;
use crate::search::{Clock, Outcome};
use crate::spread::{Begun, Spread};
use riata_automata::hoa;
use riata_cluster::bfs::Job;
use riata_cluster::edges::Edges;
use riata_cluster::lasso::lasso;
use riata_cluster::owcty::{members, owcty};
use riata_cluster::wave::Waves;
use riata_cluster::{Portable, SUMS, Signals};
use riata_explore::parallel::bfs::Visit;
use riata_store::{Exact, Recall, Tree};
use riata_system::{Counters, Graph, Lasso, Product, Run, Stop, System, Verdict, replay};

/// States of a product: those of the system, and a word for the automaton.
struct Pairs<'a>(&'a dyn Portable);

impl Portable for Pairs<'_> {
    fn export(&self, s: &[u32], out: &mut Vec<u32>) {
        if let Some((q, s)) = s.split_last() {
            self.0.export(s, out);
            out.push(*q);
        }
    }

    fn import(&self, words: &[u32], out: &mut Vec<u32>) -> bool {
        let Some((q, words)) = words.split_last() else { return false };
        let known = self.0.import(words, out);
        out.push(*q);
        known
    }
}

/// Is there a run that the automaton accepts?
pub fn decide<S: System + Sync>(
    how: &How,
    name: &str,
    (product, q): (&Product<S>, &Question),
    apart: &Apart,
) -> Result<Done, Error> {
    let automaton = hoa::Automaton { tgba: q.automaton.0.clone(), ..hoa::Automaton::default() };
    let rest = format!("{:?} {:?}", q.ends, q.failures);
    let texts = [apart.program, &hoa::to_string(&automaton), &rest];
    let clock = Clock::start(1);
    let limits = how.limits();
    let (spread, verdict, counters) = match Begun::new(how, ("owcty", &texts))? {
        Err(stop) => (Spread::default(), Verdict::Inconclusive(stop), Counters::default()),
        Ok(begun) => {
            let mut progress = how.listener.search(&titled(name, "owcty"), limits.memory);
            let mut run = Run::new(limits).listen(&mut *progress);
            let pairs = Pairs(apart.portable);
            let room = limits.memory.unwrap_or(usize::MAX);
            match how.store() {
                Store::Tree => search((product, &pairs), begun, (Tree::new(room), room), &mut run),
                _ => search((product, &pairs), begun, (Exact::new(room), room), &mut run),
            }
        }
    };
    let outcome = Outcome {
        verdict,
        counters,
        store: how.store(),
        degeneralised: false,
        coverage: None,
        // That of the others after the search of the states is not told.
        cpu_seconds: clock.seconds().max(spread.cpu_seconds()),
        threads: 1,
        taken: None,
    };
    Ok(Done {
        algorithm: "owcty",
        why: Some("several processes, or a checkpoint: no depth-first order is needed"),
        strength: product.strength(),
        outcome,
        shortest: None,
        product: None,
        cluster: Some(spread.told()),
    })
}

fn search<G: Graph + Sync, R: Recall>(
    (graph, portable): (&G, &dyn Portable),
    mut begun: Begun,
    (mut store, room): (R, usize),
    run: &mut Run,
) -> (Spread, Verdict, Counters) {
    let system = Edges(graph);
    let visit = |_: &mut (), _: &Visit<Edges<G>>| 0;
    let job = Job { system: &system, portable, visit: &visit, sums: |_| [0; SUMS], enough: 0 };
    let spread = begun.search(&job, (&mut store, run));
    let mut counters = spread.counters();
    let verdict = match spread.done.stopped {
        Some(stop) => Err(stop),
        None => {
            let before = run.counters.transitions;
            let signals = Signals::new(begun.mesh.processes());
            let mut waves = Waves { graph, portable, store: &store, mesh: &mut begun.mesh, run, signals };
            let found = cycles(&mut waves, &job, &spread.done.starts, room);
            // What is counted is counted by all.
            if found.is_ok() {
                let more = waves.run.counters.transitions - before;
                counters.transitions += waves.sum(more).unwrap_or(more);
            }
            found
        }
    };
    begun.mesh.part();
    let verdict = match verdict {
        Err(stop) => Verdict::Inconclusive(stop),
        Ok(None) => Verdict::Empty,
        Ok(Some(lasso)) => match replay(graph, &lasso) {
            Ok(choices) => Verdict::Accepting(Lasso { choices, ..lasso }),
            Err(e) => panic!("internal error: the lasso cannot be replayed: {e}"),
        },
    };
    (spread, verdict, counters)
}

/// A lasso, if there is one.
fn cycles<G: Graph + Sync, R: Recall>(
    waves: &mut Waves<G, R>,
    job: &Job<Edges<G>, ()>,
    starts: &[u32],
    room: usize,
) -> Result<Option<Lasso>, Stop> {
    let (s, size) = owcty(waves)?;
    if size == 0 {
        return Ok(None);
    }
    lasso(waves, job, (&members(&s), starts), room.saturating_sub(waves.store.bytes())).map(Some)
}
