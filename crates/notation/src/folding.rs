//! Folding of Chinese text for searches: simplified and traditional characters, variants, full and half width, case and
//! spaces compare as equal.
//!
//! `folding.txt` has one line for each folded character: the character, then the one that stands for it. It was
//! generated from public tables of correspondence between simplified, traditional, Taiwan, Hong Kong and Japanese forms
//! (those of OpenCC), limited to characters of GBK, Big5 and Shift JIS; from the compatibility ideographs of Unicode;
//! and from variants that records use (砲 炮, 俥 車, 傌 馬, 仕 士). Characters that stand for one another in either
//! direction are one class, and its commonest simplified character stands for it.

/// Two characters of three bytes each and a line feed.
const LINE: usize = 7;
const TABLE: &str = include_str!("folding.txt");

/// The text in which all that compares as equal is equal.
///
/// ```
/// use chuhe_notation::folding::fold;
///
/// assert_eq!(fold("許銀川"), fold("许 银川"));
/// assert_eq!(fold("中砲對屏風馬"), fold("中炮对屏风马"));
/// assert_eq!(fold("Ｃ２＝５"), "c2=5");
/// ```
pub fn fold(text: &str) -> String {
    let plain = text.chars().map(half_width).filter(|character| !is_space(*character));
    plain.map(fold_character).flat_map(char::to_lowercase).collect()
}

/// Whether a text contains another when both are folded. Everything contains nothing.
pub fn contains(text: &str, part: &str) -> bool {
    fold(text).contains(&fold(part))
}

/// The dot between the parts of a foreign name counts as a space.
fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '·' | '・' | '‧' | '•')
}

fn half_width(character: char) -> char {
    /// From a full-width character to its half-width one.
    const DISTANCE: u32 = 0xFEE0;
    match character {
        '！'..='～' => char::from_u32(character as u32 - DISTANCE).unwrap_or(character),
        _ => character,
    }
}

/// The character that stands for a character.
fn fold_character(character: char) -> char {
    if character < '\u{3400}' {
        return character;
    }
    // UTF-8 sorts as the characters do.
    let (lines, _) = TABLE.as_bytes().as_chunks::<LINE>();
    let mut buffer = [0; 4];
    let wanted = character.encode_utf8(&mut buffer).as_bytes();
    match lines.binary_search_by(|line| line[..3].cmp(wanted)) {
        Ok(found) => {
            let at = found * LINE + 3;
            TABLE[at..].chars().next().unwrap_or(character)
        }
        Err(_) => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_folds_once() {
        let (lines, rest) = TABLE.as_bytes().as_chunks::<LINE>();
        assert!(rest.is_empty() && lines.len() > 3000);
        assert!(lines.is_sorted_by(|one, next| one[..3] < next[..3]));
        for line in TABLE.lines() {
            let [folded, stands]: [char; 2] = line.chars().collect::<Vec<_>>().try_into().unwrap();
            assert_eq!(fold_character(folded), stands);
            assert_eq!(fold_character(stands), stands, "{line}");
        }
    }

    #[test]
    fn both_scripts_widths_and_variants_are_equal() {
        for (one, other) in [
            ("許銀川", "许银川"),
            ("屏風馬", "屏风马"),
            ("呂欽", "吕 钦"),
            ("仕角砲", "士角炮"),
            ("順砲橫俥", "顺炮横车"),
            ("Ａｂ　1", "ab1"),
            ("臺灣", "台湾"),
            ("後手", "后手"),
            ("阮成保 · 越南", "阮成保越南"),
        ] {
            assert_eq!(fold(one), fold(other));
        }
        assert_ne!(fold("胡榮華"), fold("胡荣革"));
        assert!(contains("全國象棋個人賽", "全国象棋") && contains("x", "") && !contains("x", "y"));
    }
}
