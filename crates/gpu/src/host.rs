//! The host as a device: the same text, compiled by a C compiler, run by threads. For tests, and where there is no other.

use crate::device::{Device, Failed, Job, Room, Sweep, Tally, ToldEdges, Wave};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

#[repr(C)]
struct Table {
    slots: *mut u64,
    states: *mut u64,
    buckets: u64,
    capacity: u64,
}

type Expand = unsafe extern "C" fn(*const Table, *mut Tally, *const Job);
type Insert = unsafe extern "C" fn(*const Table, *mut Tally, *const u64, u64);
type Sweeps = unsafe extern "C" fn(*mut Tally, *const Job);
type Find = unsafe extern "C" fn(*const Table, *const u64, u64, *mut u64);

/// Compiled text, of one program or several.
#[derive(Clone, Debug)]
pub struct Compiled(Arc<libloading::Library>);

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, Failed> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("riata-gpu-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|e| Failed(format!("{}: {e}", path.display())))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The C compiler, if there is one.
pub fn compiler() -> Option<&'static str> {
    ["cc", "gcc", "clang"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
}

impl Compiled {
    /// Compiles texts, each with a tag of its own, into one library.
    pub fn new(texts: &[String], flags: &[&str]) -> Result<Compiled, Failed> {
        let compiler = compiler().ok_or_else(|| Failed("there is no C compiler".into()))?;
        let folder = Folder::new()?;
        let written = |(i, text): (usize, &String)| {
            let path = folder.0.join(format!("p{i}.c"));
            std::fs::write(&path, text).map_err(|e| Failed(format!("{}: {e}", path.display())))?;
            Ok(path)
        };
        let files = texts.iter().enumerate().map(written).collect::<Result<Vec<_>, Failed>>()?;
        let library = folder.0.join("program.so");
        compile(compiler, &files, flags, &library)?;
        // SAFETY: the library is the text above, and does nothing when it is loaded.
        let library = unsafe { libloading::Library::new(&library) };
        library.map(|library| Compiled(Arc::new(library))).map_err(|e| Failed(e.to_string()))
    }
}

fn compile(compiler: &str, files: &[PathBuf], flags: &[&str], library: &Path) -> Result<(), Failed> {
    let mut command = Command::new(compiler);
    command.args(["-w", "-shared", "-fPIC", "-o"]).arg(library).args(flags).args(files);
    let output = command.output().map_err(|e| Failed(format!("{compiler}: {e}")))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(Failed(format!("{compiler}: {said}"))) }
}

/// The host.
pub struct Host {
    _library: Compiled,
    expand: Expand,
    insert: Insert,
    /// Of products.
    waves: Option<(Sweeps, Find)>,
    threads: usize,
    packed: usize,
    room: Room,
    /// The bytes that are not of the device, for tests.
    spare: u64,
    slots: Vec<u64>,
    states: Vec<u64>,
    asks: Vec<u64>,
    tally: Tally,
    sets: Sets,
    seconds: f64,
}

/// A set of states.
#[derive(Default)]
struct Sets {
    marks: Vec<u32>,
    /// The last list, and the next.
    lists: [Vec<u32>; 2],
    edges: ToldEdges,
}

/// What threads share: the table, which they change by atomic instructions.
struct Shared(Table, *mut Tally);

// SAFETY: the text changes what others read by atomic instructions only.
unsafe impl Sync for Shared {}

impl Host {
    /// The program with a tag, in compiled text, whose states have so many packed words.
    pub fn new(library: &Compiled, tag: &str, packed: usize, threads: usize) -> Result<Host, Failed> {
        let failed = |e: libloading::Error| Failed(e.to_string());
        // SAFETY: `search.h` has these functions, with these signatures.
        let (expand, insert, waves) = unsafe {
            let expand = library.0.get::<Expand>(format!("riata_expand_{tag}").as_bytes()).map_err(failed)?;
            let insert = library.0.get::<Insert>(format!("riata_insert_{tag}").as_bytes()).map_err(failed)?;
            let sweep = library.0.get::<Sweeps>(format!("riata_sweep_{tag}").as_bytes());
            let find = library.0.get::<Find>(format!("riata_find_{tag}").as_bytes());
            (*expand, *insert, sweep.ok().zip(find.ok()).map(|(sweep, find)| (*sweep, *find)))
        };
        Ok(Host {
            _library: library.clone(),
            expand,
            insert,
            waves,
            threads,
            packed,
            room: Room { capacity: 0, buckets: 0, chunk: 0, outside: false },
            spare: 0,
            slots: Vec::new(),
            states: Vec::new(),
            asks: Vec::new(),
            tally: Tally::new(),
            sets: Sets::default(),
            seconds: 0.0,
        })
    }

    /// The same with so many bytes that a device would find in the memory of its host.
    pub fn with_spare(self, spare: u64) -> Host {
        Host { spare, ..self }
    }

    /// Is the row of states where only the spare bytes are?
    pub fn is_outside(&self) -> bool {
        self.room.outside
    }

    fn shared(&mut self) -> Shared {
        let table = Table {
            slots: self.slots.as_mut_ptr(),
            states: self.states.as_mut_ptr(),
            buckets: self.room.buckets,
            capacity: self.room.capacity,
        };
        Shared(table, &mut self.tally)
    }

    /// Threads do a job, piece by piece.
    fn share(&mut self, job: Job, work: impl Fn(&Shared, &Job) + Sync) {
        let start = Instant::now();
        let threads = self.threads as u64;
        let each = (job.hi - job.lo).div_ceil(threads).clamp(1, 256);
        let next = AtomicU64::new(job.lo);
        let shared = self.shared();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let (shared, next, work) = (&shared, &next, &work);
                scope.spawn(move || {
                    loop {
                        let lo = next.fetch_add(each, Ordering::Relaxed);
                        if lo >= job.hi {
                            return;
                        }
                        work(shared, &Job { lo, hi: job.hi.min(lo + each), ..job });
                    }
                });
            }
        });
        self.seconds += start.elapsed().as_secs_f64();
    }

    /// The part of a job that is about sets.
    fn job(&mut self) -> Job {
        let Sets { marks, lists, edges } = &mut self.sets;
        Job {
            hi: marks.len() as u64,
            marks: marks.as_mut_ptr() as u64,
            next: lists[1].as_mut_ptr() as u64,
            asked: edges.from.len() as u64,
            from: edges.from.as_ptr() as u64,
            first: edges.first.as_ptr() as u64,
            to: edges.to.as_ptr() as u64,
            lent: edges.marks.as_ptr() as u64,
            ..Job::default()
        }
    }

    fn waves(&self) -> Result<(Sweeps, Find), Failed> {
        self.waves.ok_or_else(|| Failed("the text is of no product".into()))
    }
}

impl Device for Host {
    fn ready(&self) -> (f64, bool) {
        (0.0, false)
    }

    fn name(&self) -> String {
        format!("the host, {} threads", self.threads)
    }

    fn memory(&self) -> Result<u64, Failed> {
        Ok(4 << 30)
    }

    fn spare(&self) -> u64 {
        self.spare
    }

    fn usual(&self) -> (u64, u64) {
        (1 << 14, 1 << 14)
    }

    fn start(&mut self, room: Room) -> Result<(), Failed> {
        self.room = room;
        self.slots = vec![0; room.buckets as usize * 4];
        self.states = vec![0; room.capacity as usize * self.packed];
        self.asks = vec![0; room.chunk as usize * self.packed];
        self.tally = Tally::new();
        Ok(())
    }

    fn expand(&mut self, lo: u64, hi: u64, wanted: Option<&[u64]>) -> Result<Tally, Failed> {
        self.tally.asked = 0;
        self.tally.found = u64::MAX;
        let before = (self.tally.transitions, self.tally.stuck);
        let expand = self.expand;
        let target = wanted.map_or(0, |w| w.as_ptr() as u64);
        let job = Job { lo, hi, asks: self.asks.as_mut_ptr() as u64, target, ..Job::default() };
        // SAFETY: the arrays have the room that the table says, and the numbers are those of states.
        self.share(job, |Shared(table, tally), job| unsafe { expand(table, *tally, job) });
        if wanted.is_some() {
            (self.tally.transitions, self.tally.stuck) = before;
        }
        Ok(self.tally)
    }

    fn asked(&mut self, count: u64) -> Result<Vec<u64>, Failed> {
        Ok(self.asks[..count as usize * self.packed].to_vec())
    }

    fn insert(&mut self, keys: &[u64]) -> Result<Tally, Failed> {
        let (insert, count) = (self.insert, keys.len() / self.packed);
        let Shared(table, tally) = self.shared();
        // SAFETY: as above.
        unsafe { insert(&table, tally, keys.as_ptr(), count as u64) };
        Ok(self.tally)
    }

    fn state(&mut self, number: u64) -> Result<Vec<u64>, Failed> {
        let first = number as usize * self.packed;
        Ok(self.states[first..first + self.packed].to_vec())
    }

    fn find(&mut self, keys: &[u64]) -> Result<Vec<u64>, Failed> {
        let (_, find) = self.waves()?;
        let mut out = vec![0; keys.len() / self.packed];
        let Shared(table, _) = self.shared();
        // SAFETY: as above; there is room for so many numbers.
        unsafe { find(&table, keys.as_ptr(), out.len() as u64, out.as_mut_ptr()) };
        Ok(out)
    }

    fn sets(&mut self, states: u64, edges: &ToldEdges) -> Result<(), Failed> {
        let n = states as usize;
        self.sets = Sets { marks: vec![0; n], lists: [vec![0; n], vec![0; n]], edges: edges.clone() };
        Ok(())
    }

    fn wave(&mut self, op: Wave, marks: u64, list: Option<u64>) -> Result<Tally, Failed> {
        self.tally.listed = 0;
        let mut todo = 0;
        if list.is_some() {
            self.sets.lists.swap(0, 1);
            todo = self.sets.lists[0].as_ptr() as u64;
        }
        let job = self.job();
        let job = Job { hi: list.unwrap_or(job.hi), op: op as u64, wanted: marks, todo, ..job };
        let expand = self.expand;
        // SAFETY: as above; there are as many marks and places in a list as states.
        self.share(job, |Shared(table, tally), job| unsafe { expand(table, *tally, job) });
        Ok(self.tally)
    }

    fn sweep(&mut self, op: Sweep) -> Result<Tally, Failed> {
        let (sweep, _) = self.waves()?;
        (self.tally.listed, self.tally.members) = (0, 0);
        let job = self.job();
        let hi = if op == Sweep::Flag { job.asked } else { job.hi };
        // SAFETY: as above.
        self.share(Job { hi, op: op as u64, ..job }, |Shared(_, tally), job| unsafe { sweep(*tally, job) });
        Ok(self.tally)
    }

    fn members(&mut self, lo: u64, hi: u64) -> Result<(Vec<u64>, Vec<u32>), Failed> {
        let (lo, hi) = (lo as usize, hi as usize);
        Ok((self.states[lo * self.packed..hi * self.packed].to_vec(), self.sets.marks[lo..hi].to_vec()))
    }

    fn seconds(&self) -> f64 {
        self.seconds
    }
}
