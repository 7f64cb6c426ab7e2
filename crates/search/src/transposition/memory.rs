//! How much memory is free.

use std::fs;
use std::path::Path;

/// Bytes available without swapping, where the system says so: in the machine and in the control group of a container.
pub(super) fn available() -> Option<usize> {
    let machine = read_available(&fs::read_to_string("/proc/meminfo").ok()?)?;
    Some(control_group().map_or(machine, |group| machine.min(group)))
}

/// What the control group (v2) of this process may still allocate; `None` without a limit.
fn control_group() -> Option<usize> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let folder = Path::new("/sys/fs/cgroup").join(path);
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    left_in_group(&read("memory.max")?, &read("memory.stat")?)
}

/// The limit less anonymous memory; the page cache counts as free.
fn left_in_group(limit: &str, stat: &str) -> Option<usize> {
    let limit: usize = limit.trim().parse().ok()?;
    let used: usize = stat.lines().find_map(|line| line.strip_prefix("anon "))?.trim().parse().ok()?;
    Some(limit.saturating_sub(used))
}

fn read_available(text: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read_from_meminfo() {
        let text = "MemTotal:       24658572 kB\nMemFree: 1 kB\nMemAvailable:   23158572 kB\n";
        assert_eq!(read_available(text), Some(23_158_572 * 1024));
        assert_eq!(read_available("MemTotal: 3 kB"), None);
        assert_eq!(read_available("MemAvailable: much"), None);
    }

    #[test]
    fn a_control_group_without_a_limit_does_not_count() {
        assert_eq!(left_in_group("max\n", "anon 5\nfile 7\n"), None);
        assert_eq!(left_in_group("1000\n", "anon 400\nfile 7\n"), Some(600));
        assert_eq!(left_in_group("1000\n", "anon 4000\n"), Some(0));
    }
}
