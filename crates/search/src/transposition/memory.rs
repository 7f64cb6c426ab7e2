//! How much memory is free.

/// Bytes available without swapping, where the system says so.
pub(crate) fn available() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    read_available(&text)
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
}
