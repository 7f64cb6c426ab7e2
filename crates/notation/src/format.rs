//! One interface to all formats: detect the format of a file, read its games, write games.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use chuhe_board::coords::RankStyle;

use crate::failure::{CannotHold, Loss, RecordError};
use crate::pgn::MoveStyle;
use crate::record::Game;
use crate::{cbf, cbl, cbr, ccm, che, chn, dhtmlxq, encoding, json, mxq, pgn, prose, text, xqf};

/// A format of game records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Portable game notation, `.pgn`.
    Pgn,
    /// XQStudio, `.xqf`.
    Xqf,
    /// CCBridge, one game, `.cbr`.
    Cbr,
    /// CCBridge, a library, `.cbl`.
    Cbl,
    /// DhtmlXQ, `.ubb` or `.dhtmlxq`.
    DhtmlXq,
    /// CCBridge, one game as XML, `.cbf`.
    Cbf,
    /// Ourgame, `.chn`.
    Chn,
    /// A list with one game a line, `.txt`.
    Text,
    /// JSON, `.json`.
    Json,
    /// MoveSky, `.mxq`; only read.
    Mxq,
    /// 17pk, `.ccm`; only read.
    Ccm,
    /// QQ, `.che`; only read.
    Che,
}

impl Format {
    /// All formats that are read and written.
    pub const ALL: [Self; 9] = [
        Self::Pgn,
        Self::Xqf,
        Self::Cbr,
        Self::Cbl,
        Self::DhtmlXq,
        Self::Cbf,
        Self::Chn,
        Self::Text,
        Self::Json,
    ];
    /// The formats that are only read.
    pub const READ_ONLY: [Self; 3] = [Self::Mxq, Self::Ccm, Self::Che];

    /// How the names of files in this format end, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Xqf => "xqf",
            Self::Cbr => "cbr",
            Self::Cbl => "cbl",
            Self::DhtmlXq => "ubb",
            Self::Cbf => "cbf",
            Self::Chn => "chn",
            Self::Text => "txt",
            Self::Json => "json",
            Self::Mxq => "mxq",
            Self::Ccm => "ccm",
            Self::Che => "che",
        }
    }

    /// The format by the extension of a file.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        let is_named = |name: &&str| name.eq_ignore_ascii_case(extension);
        let mut formats = Self::ALL.into_iter().chain(Self::READ_ONLY);
        let known = formats.find(|format| is_named(&format.extension()));
        // Pages of dpxq.com and others hold DhtmlXQ; PlayOK's and XieXie's `.wxf` is a text.
        known
            .or_else(|| ["dhtmlxq", "html", "htm"].iter().any(is_named).then_some(Self::DhtmlXq))
            .or_else(|| is_named(&"wxf").then_some(Self::Text))
    }

    /// The format by the first bytes of a file, if they are distinctive.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        let starts = [
            (&b"XQ"[..], Self::Xqf),
            (b"CCBridge Record\0", Self::Cbr),
            (b"CCBridgeLibrary\0", Self::Cbl),
            (b"CCBridge\x15", Self::Cbl),
            (b"GL\xd0\x07", Self::Chn),
        ];
        starts.into_iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, found)| found)
    }

    /// The format of a file: by its first bytes where they are distinctive, else by its name. Where the bytes
    /// contradict the name or the name says nothing, by what the text looks like: on the web, many a `.xqf` is a text.
    pub fn of_file(path: &Path, bytes: &[u8]) -> Self {
        if let Some(found) = Self::of_content(bytes) {
            return found;
        }
        let head = &bytes[..bytes.len().min(HEAD)];
        match Self::of_path(path) {
            None => Self::of_text(head),
            Some(named @ (Self::Xqf | Self::Cbr | Self::Cbl)) => {
                if is_text(head) {
                    Self::of_text(head)
                } else {
                    named
                }
            }
            Some(Self::Pgn) if dhtmlxq::is_dhtmlxq(&encoding::decode(head)) => Self::DhtmlXq,
            Some(named) => named,
        }
    }

    /// The format that a content most resembles; the list of games if it resembles none.
    ///
    /// ```
    /// use chuhe_notation::Format;
    ///
    /// assert_eq!(Format::guess(b"[Red \"A\"]\n1. h2e2 *"), Format::Pgn);
    /// assert_eq!(Format::guess(b"[{\"moves\": []}]"), Format::Json);
    /// assert_eq!(Format::guess(b"XQ\x12"), Format::Xqf);
    /// assert_eq!(Format::guess(b"1-0\th2e2 h9g7\n"), Format::Text);
    /// assert_eq!(Format::guess(b"[DhtmlXQ]\n[DhtmlXQ_title]x"), Format::DhtmlXq);
    /// ```
    pub fn guess(bytes: &[u8]) -> Self {
        Self::of_file(Path::new(""), bytes)
    }

    /// The format of a text by its beginning.
    fn of_text(head: &[u8]) -> Self {
        let text = encoding::decode(head);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let is_json = text.starts_with('{')
            || text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('{'));
        let is_tag = |line: &str| line.starts_with('[') && line.contains('"');
        if is_json {
            Self::Json
        } else if text.contains("<ChineseChessRecord") {
            Self::Cbf
        } else if dhtmlxq::is_dhtmlxq(text) {
            Self::DhtmlXq
        } else if text.lines().any(is_tag) {
            Self::Pgn
        } else {
            Self::Text
        }
    }

    /// About how many games a file has, without reading them; 1 if that is not to be seen.
    pub(crate) fn estimated_games(self, bytes: &[u8]) -> usize {
        let count = |part: &[u8]| bytes.windows(part.len()).filter(|window| *window == part).count();
        let found = match self {
            Self::Pgn => count(b"[Result ").max(count(b"[Red ")).max(count(b"[Event ")),
            Self::Cbl => count(b"CCBridge Record\0"),
            Self::DhtmlXq => count(b"[DhtmlXQ]"),
            Self::Text => count(b"\n"),
            Self::Json => count(b"\"tags\""),
            Self::Xqf | Self::Cbr | Self::Cbf | Self::Chn | Self::Mxq | Self::Ccm | Self::Che => 1,
        };
        found.max(1)
    }

    /// Whether a file in this format holds only one game.
    pub const fn holds_one_game(self) -> bool {
        !matches!(self, Self::Pgn | Self::Cbl | Self::Text | Self::Json)
    }
}

/// How many bytes at the start of a file show what it is.
const HEAD: usize = 1 << 13;

/// Whether bytes are a text: not empty, and without the zeros of binary files and of UTF-16.
fn is_text(bytes: &[u8]) -> bool {
    !bytes.is_empty() && !bytes.contains(&0)
}

/// How records are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// How coordinates count ranks.
    pub ranks: RankStyle,
    /// Whether a game with a fault is refused. Otherwise all that is legal is kept, and [`Game::faults`] says what
    /// is not.
    pub is_strict: bool,
}

/// Reads tolerantly.
impl From<RankStyle> for Reading {
    fn from(ranks: RankStyle) -> Self {
        Self { ranks, is_strict: false }
    }
}

/// Reads the games of a file and calls `each` with every game or error until it breaks.
///
/// Texts may be UTF-8, UTF-16, GBK or Big5.
pub fn read_records(
    format: Format,
    bytes: &[u8],
    reading: impl Into<Reading>,
    mut each: impl FnMut(Result<Game, RecordError>) -> ControlFlow<()>,
) {
    let Reading { ranks, is_strict } = reading.into();
    let each =
        |game: Result<Game, RecordError>| each(if is_strict { game.and_then(Game::strict) } else { game });
    // The caller knows whether it broke off.
    let _ = match format {
        Format::Xqf => std::iter::once(xqf::read_tolerantly(bytes)).try_for_each(each),
        Format::Cbr => std::iter::once(cbr::read_tolerantly(bytes)).try_for_each(each),
        Format::Chn => std::iter::once(chn::read_tolerantly(bytes)).try_for_each(each),
        Format::Mxq => std::iter::once(mxq::read_tolerantly(bytes)).try_for_each(each),
        Format::Ccm => std::iter::once(ccm::read_tolerantly(bytes)).try_for_each(each),
        Format::Che => std::iter::once(che::read_tolerantly(&encoding::decode(bytes))).try_for_each(each),
        Format::Cbf => std::iter::once(cbf::read_tolerantly(&encoding::decode(bytes))).try_for_each(each),
        Format::Cbl => cbl::read_tolerantly(bytes).try_for_each(each),
        Format::Pgn => {
            let text = encoding::decode(bytes);
            let text = if pgn::has_tags(&text) { text } else { prose::as_pgn(&text).into() };
            pgn::read_tolerantly(&text, ranks).try_for_each(each)
        }
        Format::DhtmlXq => dhtmlxq::read_tolerantly(&encoding::decode(bytes)).try_for_each(each),
        Format::Text => text::read_tolerantly(&encoding::decode(bytes), ranks).try_for_each(each),
        Format::Json => json::read_tolerantly(&encoding::decode(bytes)).try_for_each(each),
    };
}

/// Writes games one after the other in a format.
pub struct RecordWriter<W> {
    format: Format,
    style: MoveStyle,
    sink: W,
    count: usize,
    /// The games of a library wait here, because its index stands before them.
    library: cbl::Library,
}

impl<W: Write> RecordWriter<W> {
    /// Prepares to write games. `style` says how moves are written where the format leaves a choice.
    pub fn new(format: Format, style: MoveStyle, sink: W) -> Self {
        Self { format, style, sink, count: 0, library: cbl::Library::default() }
    }

    /// Writes a game; says what of it the format lacks, or why it cannot hold it.
    pub fn add(&mut self, game: &Game) -> io::Result<Result<Vec<Loss>, CannotHold>> {
        if self.count == 1 && self.format.holds_one_game() {
            return Ok(Err(CannotHold::ManyGames(self.format.extension(), 2)));
        }
        if self.format == Format::Cbl {
            self.count += 1;
            return Ok(Ok(self.library.add(game)));
        }
        let (bytes, losses) = match self.encode(game) {
            Ok(encoded) => encoded,
            Err(reason) => return Ok(Err(reason)),
        };
        self.sink.write_all(&bytes)?;
        self.count += 1;
        Ok(Ok(losses))
    }

    fn encode(&self, game: &Game) -> Result<(Vec<u8>, Vec<Loss>), CannotHold> {
        let as_bytes = |(text, losses): (String, Vec<Loss>)| (text.into_bytes(), losses);
        Ok(match self.format {
            Format::Pgn => {
                let written = pgn::write(game, self.style);
                (written.text.into_bytes(), written.losses)
            }
            Format::Xqf => xqf::write(game),
            Format::Cbr | Format::Cbl => cbr::write(game),
            Format::DhtmlXq => as_bytes(dhtmlxq::write(game)),
            Format::Cbf => as_bytes(cbf::write(game)),
            Format::Chn => chn::write(game)?,
            Format::Mxq | Format::Ccm | Format::Che => {
                return Err(CannotHold::ReadOnly(self.format.extension()));
            }
            Format::Text => as_bytes(text::write(game, self.style)?),
            Format::Json => {
                let separator = if self.count == 0 { "[" } else { ",\n" };
                (format!("{separator}{}", json::write(game)).into_bytes(), Vec::new())
            }
        })
    }

    /// Writes what stands behind the last game and gives back the sink.
    pub fn finish(mut self, library_name: &str) -> io::Result<W> {
        match self.format {
            Format::Cbl => self.sink.write_all(&self.library.write(library_name))?,
            Format::Json => self.sink.write_all(if self.count == 0 { b"[]\n" } else { b"]\n" })?,
            _ => {}
        }
        self.sink.flush()?;
        Ok(self.sink)
    }
}
