//! Breadth-first search by several processes against that by one, with checkpoints or without.

mod together;

use riata_cluster::bfs::{Job, Searched, bfs};
use riata_cluster::checkpoint::{Log, Whose};
use riata_cluster::mesh::Mesh;
use riata_cluster::path::path;
use riata_cluster::{AsTheyAre, SUMS};
use riata_explore::bfs as alone;
use riata_explore::parallel::bfs::Visit;
use riata_store::{Exact, Recall, Tree};
use riata_system::{ActionId, Limits, Path as Way, Run, Stop, System, Valuation};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use together::together;

/// Numbers below a bound, with a word that depends on them; n leads to 2n, n + 3 and, sometimes, far back.
struct Numbers(u32);

impl System for Numbers {
    type Cursor = u32;

    fn words(&self) -> usize {
        2
    }

    fn initial(&self, at: &mut u32, dst: &mut [u32]) -> bool {
        dst.copy_from_slice(&[1 + *at * 6, 7]);
        *at += 1;
        *at <= 2
    }

    fn next(&self, src: &[u32], at: &mut u32, dst: &mut [u32]) -> Option<ActionId> {
        loop {
            *at += 1;
            let n = match *at {
                1 => src[0] * 2,
                2 => src[0] + 3,
                3 if src[0].is_multiple_of(5) => src[0] / 5,
                3 => continue,
                _ => return None,
            };
            if n < self.0 && !(n % 97 == 13 && *at == 2) {
                dst.copy_from_slice(&[n, n % 11]);
                return Some(ActionId(*at));
            }
        }
    }

    fn valuation(&self, _: &[u32]) -> Valuation {
        Valuation(0)
    }
}

#[derive(Default)]
struct Tally {
    odd: u64,
    stuck: u64,
}

const LARGE: u32 = 1;
const STUCK: u32 = 2;

/// What is looked for: a number in the nineties of its thousand that is divisible by 23, and one that leads nowhere.
fn look(tally: &mut Tally, v: &Visit<Numbers>) -> u32 {
    tally.odd += u64::from(v.state[0] % 2);
    tally.stuck += u64::from(v.successors == 0);
    let large = v.state[0] % 1000 >= 900 && v.state[0].is_multiple_of(23);
    (u32::from(large) * LARGE) | (u32::from(v.successors == 0) * STUCK)
}

fn job<'a>(system: &'a Numbers, portable: &'a AsTheyAre, enough: u32) -> Job<'a, Numbers, Tally> {
    let sums = |t: &Tally| -> [u64; SUMS] { [t.odd, t.stuck, 0, 0] };
    Job { system, portable, visit: &look, sums, enough }
}

/// What everybody knows in the end.
fn said(done: &Searched, paths: &[Way]) -> (usize, Option<Stop>, [u64; 4], Vec<Way>) {
    let t = done.total();
    assert!(t.bytes > 0);
    (done.starts.len(), done.stopped, [t.states, t.transitions, t.sums[0], t.sums[1]], paths.to_vec())
}

type Said = (usize, Option<Stop>, [u64; 4], Vec<Way>);

fn search<R: Recall>(
    mesh: &mut Mesh,
    mut store: R,
    enough: u32,
    log: Option<&mut Log>,
    limits: Limits,
) -> Said {
    let (system, portable) = (Numbers(20_000), AsTheyAre { most: 2 });
    let job = job(&system, &portable, enough);
    let mut run = Run::new(limits);
    let done = bfs(&job, (&mut store, mesh), log, &mut run);
    let mut paths = Vec::new();
    if done.stopped.is_none() {
        for found in &done.found {
            paths.push(path(&job, (&store, mesh), (&done.starts, found), &mut run).expect("a path"));
        }
    }
    said(&done, &paths)
}

#[test]
fn the_number_of_processes_makes_no_difference() {
    for enough in [0, LARGE, LARGE | STUCK] {
        let one = together(1, |mesh| search(mesh, Exact::new(usize::MAX), enough, None, Limits::default()));
        assert_eq!(one[0].3.len(), if enough == LARGE { 1 } else { 2 });
        for n in [2, 3, 4] {
            let all =
                together(n, |mesh| search(mesh, Tree::new(usize::MAX), enough, None, Limits::default()));
            assert!(all.iter().all(|said| *said == one[0]), "{n} processes: {all:?} and {one:?}");
        }
        if enough == 0 {
            let system = Numbers(20_000);
            let (mut store, mut run, mut tally) =
                (Exact::new(usize::MAX), Run::new(Limits::default()), Tally::default());
            let mut first = [None; 2];
            let done = alone::bfs(&system, &mut store, &mut run, |id, state, successors| {
                let bits = look(&mut tally, &Visit { state, successors, cursor: &0, again: false });
                (0..2).filter(|b| bits >> b & 1 == 1).for_each(|b| _ = first[b as usize].get_or_insert(id));
                ControlFlow::Continue(())
            });
            let c = run.counters;
            assert_eq!(one[0].2, [c.states, c.transitions, tally.odd, tally.stuck]);
            assert_eq!(one[0].0, done.levels.len());
            for way in &one[0].3 {
                let sequential = first.iter().flatten();
                let lengths: Vec<usize> = sequential
                    .map(|&id| alone::shortest_path(&system, &store, &done.levels, id).len())
                    .collect();
                assert!(lengths.contains(&way.len()), "{lengths:?} {}", way.len());
            }
        }
    }
}

fn whose(process: usize, processes: usize) -> Whose {
    Whose { version: "1".into(), search: riata_cluster::fingerprint(&["numbers"]), process, processes }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("riata-cluster-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Searches from the checkpoint on, and stops before the end if told so.
fn resumed(mesh: &mut Mesh, at: &Path, stop: Option<u64>) -> Said {
    let whose = whose(mesh.me(), mesh.processes());
    let mut log = Log::resume(&at.join(mesh.me().to_string()), whose, Duration::ZERO).expect("a checkpoint");
    riata_cluster::checkpoint::agree(&mut log, mesh).expect("a level in common");
    let interrupt = AtomicBool::new(false);
    let limits = Limits { interrupt: Some(&interrupt), ..Limits::default() };
    let flag = Stopping { system: Numbers(20_000), after: stop.map(|n| (n, &interrupt)) };
    let portable = AsTheyAre { most: 2 };
    let visit = |tally: &mut Tally, v: &Visit<Stopping>| {
        look(tally, &Visit { state: v.state, successors: v.successors, cursor: v.cursor, again: false })
    };
    let sums = |t: &Tally| -> [u64; SUMS] { [t.odd, t.stuck, 0, 0] };
    let job = Job { system: &flag, portable: &portable, visit: &visit, sums, enough: 0 };
    let mut store = Exact::new(usize::MAX);
    let mut run = Run::new(limits);
    let done = bfs(&job, (&mut store, mesh), Some(&mut log), &mut run);
    let mut paths = Vec::new();
    if done.stopped.is_none() {
        for found in &done.found {
            paths.push(path(&job, (&store, mesh), (&done.starts, found), &mut run).expect("a path"));
        }
    }
    said(&done, &paths)
}

/// The same numbers; an interrupt comes with one of them.
struct Stopping<'a> {
    system: Numbers,
    after: Option<(u64, &'a AtomicBool)>,
}

impl System for Stopping<'_> {
    type Cursor = u32;

    fn words(&self) -> usize {
        2
    }

    fn initial(&self, at: &mut u32, dst: &mut [u32]) -> bool {
        self.system.initial(at, dst)
    }

    fn next(&self, src: &[u32], at: &mut u32, dst: &mut [u32]) -> Option<ActionId> {
        if let Some((n, interrupt)) = self.after
            && u64::from(src[0]) == n
        {
            interrupt.store(true, Ordering::Relaxed);
        }
        self.system.next(src, at, dst)
    }

    fn valuation(&self, _: &[u32]) -> Valuation {
        Valuation(0)
    }
}

#[test]
fn what_was_interrupted_goes_on() {
    for n in [1, 2, 3] {
        let at = folder(&format!("resume-{n}"));
        let whole = together(1, |mesh| search(mesh, Exact::new(usize::MAX), 0, None, Limits::default()));
        let mut interrupted = 0;
        for stop in [40, 333, 4_001, 9_002, 16_003] {
            let said = together(n, |mesh| resumed(mesh, &at, Some(stop)));
            interrupted += u32::from(said[0].1 == Some(Stop::Interrupted));
            assert!(said.iter().all(|s| s.1 == said[0].1), "{said:?}");
        }
        let all = together(n, |mesh| resumed(mesh, &at, None));
        assert!(all.iter().all(|said| *said == whole[0]), "{n} processes: {all:?} and {whole:?}");
        // And once more, from the last level.
        let all = together(n, |mesh| resumed(mesh, &at, None));
        assert!(all.iter().all(|said| *said == whole[0]), "{n} processes: {all:?} and {whole:?}");
        println!("{n} processes: {interrupted} interrupts");
        std::fs::remove_dir_all(at).expect("it is there");
    }
}

#[test]
fn processes_that_are_a_commit_apart_agree() {
    let at = folder("apart");
    let whole = together(1, |mesh| search(mesh, Exact::new(usize::MAX), 0, None, Limits::default()));
    together(2, |mesh| resumed(mesh, &at, Some(4_001)));
    // The last commit of process 1 did not come to pass: its manifest is the one before.
    let path = at.join("1/manifest");
    let text = std::fs::read_to_string(&path).expect("a manifest");
    let mut lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.iter().filter(|l| l.starts_with("commit")).count(), 2);
    lines.truncate(lines.len() - 2);
    let body = lines.join("\n") + "\n";
    std::fs::write(&path, format!("{body}checksum {}\n", blake3::hash(body.as_bytes()))).expect("room");
    // They agree, and are killed before anything else is committed: that must not have damaged anything.
    together(2, |mesh| {
        let own = at.join(mesh.me().to_string());
        let mut log = Log::resume(&own, whose(mesh.me(), 2), Duration::ZERO).expect("a checkpoint");
        riata_cluster::checkpoint::agree(&mut log, mesh).expect("a level in common");
    });
    let all = together(2, |mesh| resumed(mesh, &at, None));
    assert!(all.iter().all(|said| *said == whole[0]), "{all:?} and {whole:?}");
    // One of them has nothing at all: both begin again.
    std::fs::remove_dir_all(at.join("1")).expect("it is there");
    let all = together(2, |mesh| resumed(mesh, &at, None));
    assert!(all.iter().all(|said| *said == whole[0]), "{all:?} and {whole:?}");
    let all = together(2, |mesh| resumed(mesh, &at, None));
    assert!(all.iter().all(|said| *said == whole[0]), "{all:?} and {whole:?}");
    std::fs::remove_dir_all(at).expect("it is there");
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let at = folder("damaged");
    together(1, |mesh| resumed(mesh, &at, None));
    let states = at.join("0/states");
    let content = std::fs::read(&states).expect("states");
    let open = || Log::resume(&at.join("0"), whose(0, 1), Duration::ZERO);
    assert!(open().is_ok());
    for i in (0..content.len()).step_by(content.len() / 23).chain([content.len() - 1]) {
        let mut other = content.clone();
        other[i] ^= 4;
        std::fs::write(&states, &other).expect("room");
        assert!(open().is_err_and(|why| why.contains("damaged")), "byte {i}");
        std::fs::write(&states, &other[..i]).expect("room");
        assert!(open().is_err_and(|why| why.contains("damaged")), "cut at {i}");
    }
    // What is behind the last commit does not count.
    let longer = [&content[..], &[1, 2, 3]].concat();
    std::fs::write(&states, longer).expect("room");
    let whole = together(1, |mesh| search(mesh, Exact::new(usize::MAX), 0, None, Limits::default()));
    assert_eq!(together(1, |mesh| resumed(mesh, &at, None)), whole);
    std::fs::remove_file(&states).expect("it is there");
    assert!(open().is_err_and(|why| why.contains("states")));
    assert!(
        Log::create(&at.join("0"), whose(0, 1), Duration::ZERO).is_err_and(|why| why.contains("--resume"))
    );
    std::fs::remove_dir_all(at).expect("it is there");
}

/// A device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_what_was_committed() {
    let at = folder("full");
    let own = at.join("0");
    std::fs::create_dir_all(&own).expect("room");
    std::os::unix::fs::symlink("/dev/full", own.join("states")).expect("a link");
    let mut log = Log::create(&own, whose(0, 1), Duration::ZERO).expect("the file can be opened");
    let said = search(&mut Mesh::alone(), Exact::new(usize::MAX), 0, Some(&mut log), Limits::default());
    assert_eq!(said.1, Some(Stop::Disk));
    let trouble = log.trouble().unwrap_or_default();
    assert!(trouble.contains("No space left") && trouble.contains("--resume"), "{trouble}");
    assert!(!own.join("manifest").exists());
    std::fs::remove_dir_all(at).expect("it is there");
}
