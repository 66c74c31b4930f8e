//! A device of NVIDIA: driver and compiler, loaded when they are first needed.
//!
//! Everything happens on the default stream, one thing after the other.

use crate::compiler::image;
use crate::device::{Device, Failed, Job, NotReady, Room, Sweep, Tally, ToldEdges, Wave};
use cudarc::driver::{result, sys};
use cudarc::nvrtc;
use riata_system::Limits;
use std::ffi::{CString, c_void};
use std::time::Instant;

/// Threads of a block; `THREADS` in the text.
const THREADS: u32 = 256;
/// Blocks for each processor, at most.
const BLOCKS: u32 = 32;

#[repr(C)]
#[derive(Clone, Copy)]
struct Table {
    slots: u64,
    states: u64,
    buckets: u64,
    capacity: u64,
}

/// A device, with the text of a program.
pub struct Cuda {
    expand: sys::CUfunction,
    insert: sys::CUfunction,
    /// Of products: `riata_sweep` and `riata_find`.
    waves: Option<(sys::CUfunction, sys::CUfunction)>,
    module: sys::CUmodule,
    device: sys::CUdevice,
    processors: u32,
    packed: usize,
    table: Table,
    /// Is the row of states in the memory of the host?
    outside: bool,
    tally: u64,
    asks: u64,
    wanted: u64,
    keys: (u64, usize),
    /// Of a set of states: the job, with what was allocated for it.
    sets: Job,
    seconds: f64,
    /// Seconds to compile and load.
    ready: f64,
    /// Was the text compiled before?
    cached: bool,
}

fn driver(what: &str) -> impl Fn(result::DriverError) -> Failed + '_ {
    move |e| Failed(format!("CUDA: {what}: {e:?}"))
}

impl Cuda {
    /// The first device of this machine, with a text whose states have so many packed words. The compiler is waited for as long
    /// as the limits allow.
    pub fn new(text: &str, packed: usize, limits: &Limits) -> Result<Cuda, NotReady> {
        // SAFETY: it is only looked whether the libraries can be loaded.
        let (driven, compiles) = unsafe { (sys::is_culib_present(), nvrtc::sys::is_culib_present()) };
        if !driven {
            return Err(Failed("the driver of CUDA (libcuda) is not on this machine".into()).into());
        }
        let start = Instant::now();
        result::init().map_err(driver("no device can be used"))?;
        let device = result::device::get(0).map_err(driver("there is no device"))?;
        // SAFETY: the device is there.
        let context = unsafe { result::primary_ctx::retain(device) }.map_err(driver("context"))?;
        // SAFETY: the context was just made, and is kept until the process ends.
        unsafe { result::ctx::set_current(context) }.map_err(driver("context"))?;
        let attribute = |what| {
            // SAFETY: the device is there.
            unsafe { result::device::get_attribute(device, what) }.map_err(driver("attribute"))
        };
        use sys::CUdevice_attribute as A;
        let major = attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        if major < 7 {
            let message = format!("this device is of compute capability {major}.{minor}; 7.0 is needed");
            return Err(Failed(message).into());
        }
        let processors = attribute(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u32;
        let (image, cached) = image(text, (major, minor), compiles, limits)?;
        // SAFETY: the image is a module for this device, with a zero at its end.
        let module = unsafe { result::module::load_data(image.as_ptr().cast()) }.map_err(driver("module"))?;
        let function = |name: &str| {
            let name = CString::new(name).map_err(|e| Failed(e.to_string()))?;
            // SAFETY: the module was just loaded.
            unsafe { result::module::get_function(module, name) }.map_err(driver("function"))
        };
        let (expand, insert) = (function("riata_expand")?, function("riata_insert")?);
        let waves = function("riata_sweep").ok().zip(function("riata_find").ok());
        let mut cuda = Cuda {
            expand,
            insert,
            waves,
            module,
            device,
            processors,
            packed,
            table: Table { slots: 0, states: 0, buckets: 0, capacity: 0 },
            outside: false,
            tally: 0,
            asks: 0,
            wanted: 0,
            keys: (0, 0),
            sets: Job::default(),
            seconds: 0.0,
            ready: 0.0,
            cached,
        };
        cuda.tally = allocate(Tally::WORDS as u64 * 8)?;
        cuda.wanted = allocate(packed as u64 * 8)?;
        cuda.ready = start.elapsed().as_secs_f64();
        Ok(cuda)
    }

    fn launch(
        &self,
        function: sys::CUfunction,
        items: u64,
        arguments: &mut [*mut c_void],
    ) -> Result<(), Failed> {
        let blocks = items.div_ceil(THREADS.into()).clamp(1, u64::from(self.processors * BLOCKS)) as u32;
        let (grid, block) = ((blocks, 1, 1), (THREADS, 1, 1));
        let stream = std::ptr::null_mut();
        // SAFETY: the arguments are those of the function, and live until it has ended: whoever calls waits for it.
        unsafe { result::launch_kernel(function, grid, block, 0, stream, arguments) }
            .map_err(driver("launch"))?;
        result::ctx::synchronize().map_err(driver("kernel"))
    }

    /// Expands states.
    fn work(&mut self, mut job: Job) -> Result<(), Failed> {
        let (mut table, mut tally) = (self.table, self.tally);
        let start = Instant::now();
        let arguments = &mut [argument(&mut table), argument(&mut tally), argument(&mut job)];
        self.launch(self.expand, job.hi - job.lo, arguments)?;
        self.seconds += start.elapsed().as_secs_f64();
        Ok(())
    }

    fn waves(&self) -> Result<(sys::CUfunction, sys::CUfunction), Failed> {
        self.waves.ok_or_else(|| Failed("the text is of no product".into()))
    }

    /// Brings keys to the device.
    fn bring(&mut self, keys: &[u64]) -> Result<(), Failed> {
        if self.keys.1 < keys.len() {
            free(self.keys.0);
            self.keys = (0, 0);
            let room = keys.len().next_power_of_two();
            self.keys = (allocate(room as u64 * 8)?, room);
        }
        // SAFETY: there is room for them.
        unsafe { result::memcpy_htod_sync(self.keys.0, keys) }.map_err(driver("copy"))
    }

    /// Gives the memory of sets back.
    fn forget(&mut self) {
        let Job { marks, todo, next, from, first, to, lent, .. } = self.sets;
        [marks, todo, next, from, first, to, lent].into_iter().for_each(free);
        self.sets = Job::default();
    }

    /// Numbers, on the device.
    fn upload(&self, numbers: &[u64]) -> Result<u64, Failed> {
        let at = allocate(numbers.len().max(1) as u64 * 8)?;
        if !numbers.is_empty() {
            // SAFETY: there is room for them.
            unsafe { result::memcpy_htod_sync(at, numbers) }.map_err(driver("copy"))?;
        }
        Ok(at)
    }

    fn read_tally(&self) -> Result<Tally, Failed> {
        let mut words = [Tally::new()];
        // SAFETY: there is one at this address.
        unsafe { result::memcpy_dtoh_sync(&mut words, self.tally) }.map_err(driver("copy"))?;
        Ok(words[0])
    }

    fn write_tally(&self, tally: Tally) -> Result<(), Failed> {
        // SAFETY: as above.
        unsafe { result::memcpy_htod_sync(self.tally, &[tally]) }.map_err(driver("copy"))
    }

    fn release(&mut self) {
        [self.table.slots, self.asks].into_iter().for_each(free);
        if self.outside && self.table.states != 0 {
            // SAFETY: it came from `allocate_outside`, and nobody uses it.
            let _ = unsafe { result::free_host(self.table.states as *mut c_void) };
        } else {
            free(self.table.states);
        }
        (self.table.slots, self.table.states, self.asks) = (0, 0, 0);
    }
}

fn allocate(bytes: u64) -> Result<u64, Failed> {
    // SAFETY: it is given back by `free`.
    unsafe { result::malloc_sync(bytes as usize) }.map_err(driver("memory"))
}

/// Memory of the host that the device sees at the same address: addresses are unified wherever there is a device that is used here.
fn allocate_outside(bytes: u64) -> Result<u64, Failed> {
    // SAFETY: it is given back by `release`.
    unsafe { result::malloc_host(bytes as usize, sys::CU_MEMHOSTALLOC_DEVICEMAP) }
        .map(|at| at as u64)
        .map_err(driver("memory of the host"))
}

/// Half of the memory that the host could give, in bytes, where that is known.
fn half_of_the_host() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024 / 2)
}

fn free(at: u64) {
    if at != 0 {
        // SAFETY: it came from `allocate`, and nobody uses it.
        let _ = unsafe { result::free_sync(at) };
    }
}

/// The address of an argument.
fn argument<T>(value: &mut T) -> *mut c_void {
    std::ptr::from_mut(value).cast()
}

impl Device for Cuda {
    fn ready(&self) -> (f64, bool) {
        (self.ready, self.cached)
    }

    fn name(&self) -> String {
        result::device::get_name(self.device).unwrap_or_else(|_| "a device".into())
    }

    fn memory(&self) -> Result<u64, Failed> {
        result::mem_get_info().map(|(free, _)| free as u64).map_err(driver("memory"))
    }

    fn spare(&self) -> u64 {
        half_of_the_host().unwrap_or(0)
    }

    fn usual(&self) -> (u64, u64) {
        (1 << 27, 1 << 23)
    }

    fn start(&mut self, room: Room) -> Result<(), Failed> {
        self.release();
        let packed = self.packed as u64;
        self.table.slots = allocate(room.buckets * 32)?;
        self.outside = room.outside;
        let row = room.capacity * 8 * packed;
        self.table.states = if room.outside { allocate_outside(row)? } else { allocate(row)? };
        self.asks = allocate(room.chunk * 8 * packed)?;
        (self.table.buckets, self.table.capacity) = (room.buckets, room.capacity);
        // SAFETY: the table is this long.
        unsafe { result::memset_d8_sync(self.table.slots, 0, (room.buckets * 32) as usize) }
            .map_err(driver("clear"))?;
        self.write_tally(Tally::new())
    }

    fn expand(&mut self, lo: u64, hi: u64, wanted: Option<&[u64]>) -> Result<Tally, Failed> {
        let before = self.read_tally()?;
        self.write_tally(Tally { asked: 0, found: u64::MAX, ..before })?;
        let mut target = 0;
        if let Some(wanted) = wanted {
            // SAFETY: there is room for a state.
            unsafe { result::memcpy_htod_sync(self.wanted, wanted) }.map_err(driver("copy"))?;
            target = self.wanted;
        }
        self.work(Job { lo, hi, asks: self.asks, target, ..Job::default() })?;
        let now = self.read_tally()?;
        if wanted.is_some() {
            self.write_tally(before)?;
        }
        Ok(now)
    }

    fn asked(&mut self, count: u64) -> Result<Vec<u64>, Failed> {
        let mut states = vec![0u64; count as usize * self.packed];
        // SAFETY: so many were written.
        unsafe { result::memcpy_dtoh_sync(&mut states, self.asks) }.map_err(driver("copy"))?;
        Ok(states)
    }

    fn insert(&mut self, keys: &[u64]) -> Result<Tally, Failed> {
        if keys.is_empty() {
            return self.read_tally();
        }
        self.bring(keys)?;
        let mut count = (keys.len() / self.packed) as u64;
        let (mut table, mut tally, mut keys) = (self.table, self.tally, self.keys.0);
        let arguments =
            &mut [argument(&mut table), argument(&mut tally), argument(&mut keys), argument(&mut count)];
        self.launch(self.insert, count, arguments)?;
        self.read_tally()
    }

    fn state(&mut self, number: u64) -> Result<Vec<u64>, Failed> {
        let mut state = vec![0u64; self.packed];
        let at = self.table.states + number * 8 * self.packed as u64;
        // SAFETY: the number is that of a state.
        unsafe { result::memcpy_dtoh_sync(&mut state, at) }.map_err(driver("copy"))?;
        Ok(state)
    }

    fn find(&mut self, keys: &[u64]) -> Result<Vec<u64>, Failed> {
        let (_, find) = self.waves()?;
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        self.bring(keys)?;
        let mut numbers = vec![0u64; keys.len() / self.packed];
        let mut count = numbers.len() as u64;
        let mut out = allocate(count * 8)?;
        let (mut table, mut keys) = (self.table, self.keys.0);
        let arguments =
            &mut [argument(&mut table), argument(&mut keys), argument(&mut count), argument(&mut out)];
        self.launch(find, count, arguments)?;
        // SAFETY: so many were written.
        unsafe { result::memcpy_dtoh_sync(&mut numbers, out) }.map_err(driver("copy"))?;
        free(out);
        Ok(numbers)
    }

    fn sets(&mut self, states: u64, edges: &ToldEdges) -> Result<(), Failed> {
        self.forget();
        self.sets.hi = states;
        self.sets.marks = allocate(states * 4)?;
        self.sets.todo = allocate(states * 4)?;
        self.sets.next = allocate(states * 4)?;
        self.sets.asked = edges.from.len() as u64;
        self.sets.from = self.upload(&edges.from)?;
        self.sets.first = self.upload(&edges.first)?;
        self.sets.to = self.upload(&edges.to)?;
        self.sets.lent = self.upload(&edges.marks)?;
        Ok(())
    }

    fn wave(&mut self, op: Wave, marks: u64, list: Option<u64>) -> Result<Tally, Failed> {
        let before = self.read_tally()?;
        self.write_tally(Tally { listed: 0, ..before })?;
        let job = Job { op: op as u64, wanted: marks, ..self.sets };
        let job = match list {
            None => Job { todo: 0, ..job },
            Some(hi) => {
                std::mem::swap(&mut self.sets.todo, &mut self.sets.next);
                Job { todo: self.sets.todo, next: self.sets.next, hi, ..job }
            }
        };
        self.work(job)?;
        self.read_tally()
    }

    fn sweep(&mut self, op: Sweep) -> Result<Tally, Failed> {
        let (sweep, _) = self.waves()?;
        let before = self.read_tally()?;
        self.write_tally(Tally { listed: 0, members: 0, ..before })?;
        let mut job = Job { op: op as u64, ..self.sets };
        if op == Sweep::Flag {
            job.hi = job.asked;
        }
        let (items, mut tally) = (job.hi, self.tally);
        let start = Instant::now();
        self.launch(sweep, items, &mut [argument(&mut tally), argument(&mut job)])?;
        self.seconds += start.elapsed().as_secs_f64();
        self.read_tally()
    }

    fn members(&mut self, lo: u64, hi: u64) -> Result<(Vec<u64>, Vec<u32>), Failed> {
        let n = (hi - lo) as usize;
        let (mut states, mut marks) = (vec![0u64; n * self.packed], vec![0u32; n]);
        // SAFETY: the numbers are those of states.
        unsafe {
            result::memcpy_dtoh_sync(&mut states, self.table.states + lo * 8 * self.packed as u64)
                .and_then(|()| result::memcpy_dtoh_sync(&mut marks, self.sets.marks + lo * 4))
        }
        .map_err(driver("copy"))?;
        Ok((states, marks))
    }

    fn seconds(&self) -> f64 {
        self.seconds
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        self.release();
        self.forget();
        [self.tally, self.wanted, self.keys.0].into_iter().for_each(free);
        // SAFETY: nobody uses its functions any more.
        let _ = unsafe { result::module::unload(self.module) };
    }
}
