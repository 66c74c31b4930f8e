//! Pages of the program's own file.
//!
//! Whoever reads a model, takes steps from its first states and makes native code passes over megabytes of instructions once. The
//! search needs few of them. They are in the file, unchanged, so they can be given back at any time and come again when somebody
//! needs them.

/// A table of so many bytes is long work: what was read to begin it is no longer needed.
const LONG: usize = 1 << 20;

/// A table grows from so many bytes to so many. When it becomes a large one, pages of the program's file are given back.
#[inline]
pub fn grows(from: usize, to: usize) {
    if from < LONG && to >= LONG {
        forget();
    }
}

/// Gives the pages of files that nothing has been written to back to the system: the program's instructions and constants, and
/// those of its libraries. What is needed again comes back, a few pages at a time.
#[cfg(target_os = "linux")]
fn forget() {
    let Ok(mappings) = std::fs::read_to_string("/proc/self/smaps") else { return };
    let mut pages = None;
    for line in mappings.lines() {
        if let Some(mapping) = unwritten(line) {
            pages = mapping;
        } else if line.starts_with("Anonymous:") {
            // Pages that are no longer those of the file: addresses that the loader has put in, or what a debugger has.
            if let Some((start, end)) = pages.take().filter(|_| line.split_whitespace().nth(1) == Some("0")) {
                // SAFETY: the kernel has just said that these are pages of a file, mapped without leave to write, and that
                // none of them differs from the file: whoever touches one reads the same as before.
                unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_DONTNEED) };
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn forget() {}

/// If this is the first line of a mapping: its pages, where they are of a file that may not be written to.
#[cfg(target_os = "linux")]
fn unwritten(line: &str) -> Option<Option<(usize, usize)>> {
    let mut words = line.split_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    let pages = (address(start)?, address(end)?);
    let (rights, inode) = (words.next()?, words.nth(2)?);
    Some((rights.starts_with("r-") && inode != "0").then_some(pages))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_told_from_what_is_said_of_them() {
        let text = "558bc9486000-558bca35e000 r-xp 003cf000 fe:00 5431346   /a/file";
        assert_eq!(unwritten(text), Some(Some((0x558b_c948_6000, 0x558b_ca35_e000))));
        for other in [
            "558bc9486000-558bca35e000 rw-p 003cf000 fe:00 5431346   /a/file",
            "7fd70604e000-7fd706826000 r-xp 00000000 00:00 0",
        ] {
            assert_eq!(unwritten(other), Some(None), "{other}");
        }
        for other in ["Rss:  12 kB", "VmFlags: rd ex mr mw me", "", "a-b"] {
            assert_eq!(unwritten(other), None, "{other}");
        }
    }

    /// Constants are there as they were, and there are fewer pages.
    #[test]
    fn what_is_needed_comes_back() {
        let words = include_str!("lib.rs");
        let before: u64 = words.bytes().map(u64::from).sum();
        forget();
        assert_eq!(words.bytes().map(u64::from).sum::<u64>(), before);
    }
}
