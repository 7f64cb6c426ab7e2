//! Report languages and the names of sides and pieces in them.

use std::str::FromStr;

use chuhe_board::{Piece, PieceKind, Side};

/// A report language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese in traditional characters.
    Traditional,
    /// Chinese in simplified characters.
    Simplified,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 3] = [Self::English, Self::Traditional, Self::Simplified];

    /// The tag that [`str::parse`] reads: `en`, `zh-Hant` or `zh-Hans`.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Traditional => "zh-Hant",
            Self::Simplified => "zh-Hans",
        }
    }

    /// The one of three texts in this language.
    pub(crate) const fn pick(self, texts: [&'static str; 3]) -> &'static str {
        match self {
            Self::English => texts[0],
            Self::Traditional => texts[1],
            Self::Simplified => texts[2],
        }
    }

    /// The name of a side.
    pub(crate) const fn side(self, side: Side) -> &'static str {
        match side {
            Side::Red => self.pick(["Red", "紅方", "红方"]),
            Side::Black => self.pick(["Black", "黑方", "黑方"]),
        }
    }

    /// The name of a piece without its side.
    pub(crate) const fn piece(self, piece: Piece) -> &'static str {
        use PieceKind::{Advisor, Cannon, Chariot, Elephant, General, Horse, Soldier};
        let texts = match (piece.kind(), piece.side()) {
            (General, Side::Red) => ["general", "帥", "帅"],
            (General, Side::Black) => ["general", "將", "将"],
            (Advisor, Side::Red) => ["advisor", "仕", "仕"],
            (Advisor, Side::Black) => ["advisor", "士", "士"],
            (Elephant, Side::Red) => ["elephant", "相", "相"],
            (Elephant, Side::Black) => ["elephant", "象", "象"],
            (Horse, _) => ["horse", "馬", "马"],
            (Chariot, _) => ["chariot", "車", "车"],
            (Cannon, Side::Red) => ["cannon", "炮", "炮"],
            (Cannon, Side::Black) => ["cannon", "砲", "炮"],
            (Soldier, Side::Red) => ["soldier", "兵", "兵"],
            (Soldier, Side::Black) => ["soldier", "卒", "卒"],
        };
        self.pick(texts)
    }
}

/// A tag that is no language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a language: expected en, zh-Hant or zh-Hans")]
pub struct UnknownLanguage(String);

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Self, UnknownLanguage> {
        Self::ALL
            .into_iter()
            .find(|language| language.tag().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownLanguage(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_reads_back() {
        for language in Language::ALL {
            assert_eq!(language.tag().parse(), Ok(language));
        }
        assert_eq!("zh-hant".parse(), Ok(Language::Traditional));
        assert!("fr".parse::<Language>().is_err());
    }
}
