//! When there is no memory left: the answer is "inconclusive", with its exit code, not a process that aborts.
//!
//! Searches count what they hold and end before that ([`riata::room`]). What they do not count can still be too much, or a
//! limit of the process too small. Then nothing can be allocated any more, so what is said is written beforehand.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// The system's allocator, except that a failure ends the program in an orderly way.
struct Careful;

#[global_allocator]
static ALLOCATOR: Careful = Careful;

/// Is an object wanted on standard output?
static JSON: AtomicBool = AtomicBool::new(false);

/// Says how to answer.
pub fn announce(json: bool) {
    JSON.store(json, Ordering::Relaxed);
}

/// The package of diagrams starts a thread for parallel work, which it does not give any here, with a stack of 1 GiB of
/// address space. Where that is limited, such a thread could not be started, which would be a panic.
///
/// To be called before there is a second thread.
pub fn small_stacks() {
    const NAME: &str = "OXIDD_STACK_SIZE";
    if std::env::var_os(NAME).is_none() {
        // SAFETY: there is no other thread yet that could read the environment.
        unsafe { std::env::set_var(NAME, (16 << 20).to_string()) };
    }
}

/// Ends the program; allocates nothing.
#[cold]
fn give_up() -> ! {
    let _ = std::io::stderr().write_all(b"inconclusive (out of memory)\n");
    if JSON.load(Ordering::Relaxed) {
        const OBJECT: &[u8] = b"{\"schema\":\"riata/1\",\"command\":\"\",\"input\":\"\",\"results\":[{\"verdict\":\
\"inconclusive\",\"reason\":\"out of memory\",\"algorithm\":\"\",\"engine\":\"explicit\",\"store\":\"\",\"counters\":\
{\"states\":0,\"transitions\":0,\"post_calls\":0,\"max_depth\":0,\"max_roots\":0,\"max_active\":0},\"memory_bytes\":0,\
\"cpu_seconds\":0.0,\"lasso\":null}]}\n";
        let _ = std::io::stdout().write_all(OBJECT);
    }
    std::process::exit(crate::output::Exit::Inconclusive as i32)
}

// SAFETY: every call is passed on to the system's allocator with the same arguments, and its answer is returned unless it
// is a failure, after which the program ends.
unsafe impl GlobalAlloc for Careful {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        let p = unsafe { System.alloc(layout) };
        if p.is_null() { give_up() } else { p }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        let p = unsafe { System.alloc_zeroed(layout) };
        if p.is_null() { give_up() } else { p }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        let p = unsafe { System.realloc(old, layout, size) };
        if p.is_null() { give_up() } else { p }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(old, layout) }
    }
}
