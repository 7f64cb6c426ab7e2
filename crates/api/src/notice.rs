//! Notices: what a visitor is told, in English and as a key with arguments, which the page words in other languages.
//!
//! [`Keyed`] gives the errors of other crates their keys, so that `?` turns them into notices.

mod board;
mod records;
mod tables;

use chuhe_board::{Move, Piece, PieceKind, Side, Square};
use serde::Serialize;

/// Longer texts are cut: they quote long input.
const MAX_TEXT: usize = 400;

/// Something that a visitor is told: mostly why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{text}")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Notice {
    /// What it says.
    key: Key,
    /// What varies in it, in the order in which translations count it.
    args: Vec<Arg>,
    /// In English, at most 400 characters.
    text: String,
}

/// An argument of a notice: a text as it is, or something with a translation of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(untagged, rename = "NoticeArg"))]
pub enum Arg {
    /// Quoted input, a number, a name.
    Text(String),
    /// Words.
    Notice(Box<Notice>),
}

/// An error whose variants have keys; its `Display` is the English text.
pub trait Keyed: ToString {
    /// The key and its arguments.
    fn key(&self) -> (Key, Vec<Arg>);
}

impl Notice {
    /// A notice with this English text.
    pub fn new(key: Key, args: impl Into<Vec<Arg>>, text: impl ToString) -> Self {
        Self { key, args: args.into(), text: shortened(text.to_string()) }
    }

    /// A notice without arguments.
    pub fn plain(key: Key, text: impl ToString) -> Self {
        Self::new(key, [], text)
    }

    /// A notice around a text that has no translation: the words of a library or the operating system.
    pub fn around(key: Key, detail: impl ToString) -> Self {
        let detail = detail.to_string();
        Self::new(key, [Arg::from(&detail)], detail)
    }

    /// Refuses a request that nobody waits for any more; nobody reads the reason.
    pub(crate) fn if_closed(is_stopped: &dyn Fn() -> bool) -> Result<(), Self> {
        if is_stopped() { Err(Self::plain(Key::Closed, "the request was closed")) } else { Ok(()) }
    }

    /// The same as a part of a longer one: `bad FEN: …`.
    pub(crate) fn within(self, key: Key, before: &str) -> Self {
        let text = format!("{before}: {self}");
        Self::new(key, [Arg::from(self)], text)
    }
}

impl<E: Keyed> From<E> for Notice {
    fn from(error: E) -> Self {
        let (key, args) = error.key();
        Self::new(key, args, error.to_string())
    }
}

/// Cuts the middle out of a long text; its beginning and its end say what is wrong.
fn shortened(text: String) -> String {
    let characters = text.chars().count();
    if characters <= MAX_TEXT {
        return text;
    }
    let half = MAX_TEXT / 2;
    let ending = text.chars().skip(characters - half);
    text.chars().take(half).chain(" … ".chars()).chain(ending).collect()
}

impl From<Notice> for Arg {
    fn from(notice: Notice) -> Self {
        Self::Notice(Box::new(notice))
    }
}

/// Arguments that are texts as they are.
macro_rules! texts {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Arg {
            fn from(value: $kind) -> Self {
                Self::Text(shortened(value.to_string()))
            }
        }
    )*};
}

texts!(&str, &String, char, u8, u32, u64, usize, Move, Square);

impl From<Side> for Arg {
    fn from(side: Side) -> Self {
        let key = match side {
            Side::Red => Key::Red,
            Side::Black => Key::Black,
        };
        Notice::plain(key, side).into()
    }
}

impl From<PieceKind> for Arg {
    fn from(kind: PieceKind) -> Self {
        let key = match kind {
            PieceKind::General => Key::General,
            PieceKind::Advisor => Key::Advisor,
            PieceKind::Elephant => Key::Elephant,
            PieceKind::Horse => Key::Horse,
            PieceKind::Chariot => Key::Chariot,
            PieceKind::Cannon => Key::Cannon,
            PieceKind::Soldier => Key::Soldier,
        };
        Notice::plain(key, kind).into()
    }
}

impl From<Piece> for Arg {
    fn from(piece: Piece) -> Self {
        Notice::new(Key::PieceOf, [piece.side().into(), piece.kind().into()], piece).into()
    }
}

/// What a notice says. The page has words for each in `web/src/words/notices.ts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "NoticeKey"))]
#[expect(missing_docs, reason = "the English text beside each use says it")]
pub enum Key {
    // Sides and pieces, as arguments.
    Red,
    Black,
    General,
    Advisor,
    Elephant,
    Horse,
    Chariot,
    Cannon,
    Soldier,
    PieceOf,
    // Positions.
    BadFen,
    BadStart,
    FenEmpty,
    RankCount,
    RankWidth,
    UnknownPiece,
    UnknownSide,
    BadCounter,
    TrailingText,
    TwoPieces,
    NoGeneral,
    TooManyPieces,
    OffLimits,
    GeneralsFacing,
    WaitingSideInCheck,
    Unreachable,
    // Moves.
    IllegalMove,
    NoPiece,
    OwnPiece,
    NotItsMove,
    GeneralExposed,
    NotAMove,
    NotAPoint,
    RankOffBoard,
    SamePoint,
    UnknownCharacter,
    NoSuchPiece,
    Ambiguous,
    NotLegal,
    LineTooLong,
    TooManyMoves,
    // Records.
    InGame,
    AtLine,
    AtByte,
    Truncated,
    Unclosed,
    Misplaced,
    Missing,
    NotThisFormat,
    UnknownVersion,
    BadJson,
    TakesPlace,
    Unreadable,
    NoGameInText,
    NoGameInFile,
    NothingToRead,
    StartPositionOnly,
    OneGameOnly,
    ReadOnly,
    UnknownFormat,
    TooManyTags,
    BadParent,
    TooDeep,
    CannotWrite,
    // What a written record lacks.
    LostTag,
    LostTagEnd,
    LostComments,
    LostCharacters,
    LostMarks,
    LostVariations,
    LostResult,
    LostQuietPlies,
    LostRound,
    // Banqi.
    GameOver,
    InMove,
    IllegalHere,
    NotInPool,
    NothingFaceDown,
    FlipUnknown,
    // Endgame tables.
    BadMaterial,
    NoTable,
    TableTooLarge,
    TableUnreadable,
    NoTableFolder,
    BuildsNoTables,
    AlwaysDrawn,
    TableNeedsMemory,
    TableBusy,
    TableBuildFailed,
    TableBuildStopped,
    LargerTablesNeedServer,
    // The game collection and record files.
    BadResult,
    BadDate,
    NoSuchGame,
    CollectionFailed,
    NoSuchRecord,
    RecordTooLarge,
    FileFailed,
    // Engines.
    NoSuchEngine,
    RivalFailed,
    SearchFailed,
    ReportFailed,
    // The server itself.
    UnknownName,
    Malformed,
    NoSuchRequest,
    NeedsServer,
    NetworkNotLoaded,
    PuzzlesNotLoaded,
    ServerFull,
    AddressFull,
    TooManyRequests,
    TooManyWrongTokens,
    WrongToken,
    TokenNeeded,
    TooSlow,
    TooLarge,
    RequestFailed,
    DoubledHeader,
    OtherSite,
    UnknownHost,
    Closed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_input_is_not_echoed() {
        let input = "車".repeat(100_000);
        let text = format!("'{input}' is not a move: expected four characters");
        let notice = Notice::new(Key::NotAMove, [Arg::from(&input)], text);
        let message = notice.to_string();
        assert!(message.chars().count() < 410, "{message}");
        assert!(message.starts_with("'車車") && message.ends_with("expected four characters"), "{message}");
        assert!(serde_json::to_string(&notice).unwrap().chars().count() < 1000);
    }

    #[test]
    fn a_notice_names_its_parts_for_translation() {
        let error = chuhe_board::fen::parse("4k4/9/9/9/9/9/9/9/9/3AA4 w").unwrap_err();
        let notice = serde_json::to_value(Notice::from(error).within(Key::BadFen, "bad FEN")).unwrap();
        assert_eq!(notice["text"], "bad FEN: Red has no general");
        assert_eq!(notice["key"], "bad_fen");
        assert_eq!(notice["args"][0]["key"], "no_general");
        assert_eq!(notice["args"][0]["args"][0]["key"], "red");
    }
}
