//! The memory that a call may use when nobody says how much: most of what is left to the process by the machine, by its
//! control groups and by its limits, so that a search that is too large ends with an answer and not with the process.

use std::fs::read_to_string;
use std::path::Path;

/// The share of what is left that a search may hold. Tables grow by being copied, and the rest is not counted.
const SHARE: (usize, usize) = (2, 3);

/// How much a search may hold; nothing if the system does not tell.
pub fn default() -> Option<usize> {
    available().map(|bytes| bytes / SHARE.1 * SHARE.0)
}

/// How many bytes are left to this process.
pub fn available() -> Option<usize> {
    [machine(), groups(), address_space()].into_iter().flatten().min()
}

fn machine() -> Option<usize> {
    let text = read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib.saturating_mul(1024))
}

/// The control groups of the process, from its own to the root: each may have a limit.
fn groups() -> Option<usize> {
    let text = read_to_string("/proc/self/cgroup").ok()?;
    let left = |line: &str| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        // The second version has one hierarchy without a name, the first one for memory.
        let (root, limit, used) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            c if c.split(',').any(|c| c == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
            }
            _ => return None,
        };
        let own = Path::new(path.trim_start_matches('/'));
        let number = |group: &Path, file| -> Option<usize> {
            read_to_string(Path::new(root).join(group).join(file)).ok()?.trim().parse().ok()
        };
        let in_group =
            |group: &Path| Some(number(group, limit)?.saturating_sub(number(group, used).unwrap_or(0)));
        own.ancestors().filter_map(in_group).min()
    };
    text.lines().filter_map(left).min()
}

/// What `ulimit -v` leaves.
fn address_space() -> Option<usize> {
    let text = read_to_string("/proc/self/limits").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("Max address space"))?;
    let limit: usize = line.split_whitespace().next()?.parse().ok()?;
    let used = read_to_string("/proc/self/statm").ok()?;
    let pages: usize = used.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(pages * 4096))
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn there_is_a_default() {
        let (all, default) = (super::available().unwrap(), super::default().unwrap());
        assert!(default < all && default > all / 2);
    }
}
