//! Searches by several processes, and searches that are written down as they go.
//!
//! Every process does the same, from the reading of the model to the answer; what they find together they all know. So the
//! text of a check is the same for one process and for many, and only the first one is listened to.

use crate::error::Error;
use crate::how::How;
use crate::options::Store;
use riata_cluster::bfs::{Job, Searched, bfs};
use riata_cluster::checkpoint::{Log, Whose, agree};
use riata_cluster::mesh::Mesh;
use riata_cluster::path::path;
use riata_cluster::{Apart, fingerprint};
use riata_report::answer;
use riata_store::{Exact, Recall, Tree};
use riata_system::{Counters, Path, Run, Stop, System};

/// What a search leaves behind.
#[derive(Default)]
pub struct Spread {
    /// What was searched.
    pub done: Searched,
    /// For each bit that was found, a shortest path.
    paths: Vec<(u32, Path)>,
    /// The level from which it went on.
    resumed: Option<u64>,
}

impl Spread {
    /// One that did not begin.
    fn stopped(stop: Stop) -> Spread {
        Spread { done: Searched { stopped: Some(stop), ..Searched::default() }, ..Spread::default() }
    }

    /// What all processes counted.
    pub fn counters(&self) -> Counters {
        let total = self.done.total();
        Counters {
            states: total.states,
            transitions: total.transitions,
            post_calls: total.states,
            bytes: total.bytes,
            max_depth: self.done.starts.len() as u64,
            ..Counters::default()
        }
    }

    /// The processor time of all of them.
    pub fn cpu_seconds(&self) -> f64 {
        self.done.total().micros as f64 / 1e6
    }

    /// The path to what a bit tells.
    pub fn path(&mut self, bits: u32) -> Option<Path> {
        let at = self.paths.iter().position(|(bit, _)| 1 << bit == bits)?;
        Some(self.paths.swap_remove(at).1)
    }

    /// What only such a search knows.
    pub fn told(&self) -> answer::Cluster {
        let counts = &self.done.counts;
        answer::Cluster {
            processes: counts.len(),
            states: counts.iter().map(|c| c.states).collect(),
            bytes: counts.iter().map(|c| c.bytes).collect(),
            sent_bytes: self.done.total().sent,
            resumed: self.resumed,
        }
    }
}

/// A search that is about to begin.
pub struct Begun<'a> {
    how: &'a How<'a>,
    /// The processes.
    pub mesh: Mesh,
    log: Option<Log>,
}

impl<'a> Begun<'a> {
    /// Comes together with the others, for a search that these texts tell apart from all others. An error of the second
    /// kind ends the search, not the call.
    pub fn new(how: &'a How, (what, texts): (&str, &[&str])) -> Result<Result<Begun<'a>, Stop>, Error> {
        let Some(cluster) = how.cluster else { return Err(Error::usage("there is one process only")) };
        let all = [&[cluster.version(), what][..], texts].concat();
        let (search, number) = (fingerprint(&all), cluster.next_search());
        let mut mesh = match cluster.connect(search, how.interrupt) {
            Ok(mesh) => mesh,
            Err(Apart::Refused(why)) => return Err(Error::Usage(why)),
            Err(Apart::Interrupted) => return Ok(Err(Stop::Interrupted)),
            Err(Apart::Lost(why)) => {
                how.warn(why);
                return Ok(Err(Stop::Lost));
            }
        };
        let log = match &cluster.keeping {
            None => None,
            Some(keeping) => {
                let (process, processes) = (cluster.me(), cluster.processes());
                let whose = Whose { version: cluster.version().into(), search, process, processes };
                let folder = keeping.folder.join(format!("search-{number}"));
                if number == 0 && keeping.resume && !folder.exists() {
                    return Err(Error::usage(format!(
                        "there is no checkpoint in {}",
                        keeping.folder.display()
                    )));
                }
                let own = folder.join(format!("process-{process}"));
                let open = if keeping.resume { Log::resume } else { Log::create };
                let mut log = open(&own, whose, keeping.every).map_err(Error::Usage)?;
                agree(&mut log, &mut mesh).map_err(Error::Usage)?;
                Some(log)
            }
        };
        Ok(Ok(Begun { how, mesh, log }))
    }

    /// The search itself, and the paths to what it finds; `run` is told how far it is.
    pub fn search<S: System, R: Recall, T: Default>(
        &mut self,
        job: &Job<S, T>,
        (store, run): (&mut R, &mut Run),
    ) -> Spread {
        let resumed = self.log.as_ref().and_then(|log| log.committed().first().map(|&l| l as u64 - 1));
        let mut done = bfs(job, (store, &mut self.mesh), self.log.as_mut(), run);
        if let Some(trouble) = self.log.as_ref().and_then(Log::trouble) {
            self.how.warn(trouble);
        }
        let mut paths = Vec::new();
        // Who is lost cannot help to find the way.
        let found = if done.stopped == Some(Stop::Lost) { Vec::new() } else { done.found.clone() };
        for found in found {
            match path(job, (store, &mut self.mesh), (&done.starts, &found), run) {
                Ok(path) => paths.push((found.bit, path)),
                Err(stop) => done.stopped = done.stopped.or(Some(stop)),
            }
        }
        Spread { done, paths, resumed }
    }
}

/// Searches all states of a system; `program` tells it apart from others.
pub fn states<S: System, T: Default>(
    how: &How,
    (what, program): (&str, &str),
    job: &Job<S, T>,
) -> Result<Spread, Error> {
    let mut begun = match Begun::new(how, (what, &[program]))? {
        Ok(begun) => begun,
        Err(stop) => return Ok(Spread::stopped(stop)),
    };
    let limits = how.limits();
    let room = limits.memory.unwrap_or(usize::MAX);
    let mut progress = how.listener.search(what, limits.memory);
    let mut run = Run::new(limits).listen(&mut *progress);
    let spread = match how.store() {
        Store::Tree => begun.search(job, (&mut Tree::new(room), &mut run)),
        _ => begun.search(job, (&mut Exact::new(room), &mut run)),
    };
    begun.mesh.part();
    Ok(spread)
}
