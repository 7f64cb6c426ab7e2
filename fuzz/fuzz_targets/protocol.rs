//! No line makes a protocol reader panic; a command or reply read from a line without control characters, which are written
//! as spaces, is written in a form that can be read. That it reads back the same is a law only of well-formed values
//! (`round_trip` of the crate): UCCI writes the spaces of an option's name as underscores, and skips a leading `name`.
//! The first byte chooses the protocol and the rank style.
#![no_main]

use chuhe_board::coords::RankStyle;
use chuhe_protocol::{ucci, uci, xboard};
use libfuzzer_sys::fuzz_target;

/// Reads, writes, reads again.
macro_rules! law {
    ($parse:path, $write:expr, $line:expr, $style:expr) => {
        if let Ok(read) = $parse($line, $style)
            && !$line.contains(char::is_control)
            && let Some(written) = Option::<String>::from($write(&read, $style))
        {
            $parse(&written, $style).expect("what we write can be read");
        }
    };
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(bytes);
    let style = if choice & 8 == 0 { RankStyle::FromZero } else { RankStyle::FromOne };
    for line in text.lines() {
        match choice % 6 {
            0 => law!(uci::parse_command, uci::write_command, line, style),
            1 => law!(uci::parse_reply, uci::write_reply, line, style),
            2 => law!(ucci::parse_command, ucci::write_command, line, style),
            3 => law!(ucci::parse_reply, ucci::write_reply, line, style),
            4 => {
                let _ = xboard::parse_command(line, style);
            }
            _ => {
                let _ = xboard::parse_reply(line, style);
            }
        }
    }
});
