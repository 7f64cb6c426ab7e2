//! What ranks say to each other while they search together.

use chuhe_board::{Move, fen};
use chuhe_referee::Game;
use chuhe_search::{Limits, SharedEntry};

use super::tally::Tally;
use crate::wire::{Reader, Wire, WireError, Writer};

/// What ranks say to each other while they search together. Searches are numbered, so that what comes late is known
/// for what it is.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Rank 0: the GUI set an option.
    SetOption {
        /// Its name.
        name: String,
        /// Its value.
        value: Option<String>,
    },
    /// Rank 0: a new game begins.
    Forget,
    /// Rank 0: search this.
    Start(Box<Start>),
    /// Rank 0: the limits count from now on.
    PonderHit(u64),
    /// Rank 0: end the search and vote.
    Stop(u64),
    /// Rank 0: there is nothing more to do.
    Quit,
    /// What ranks know about positions.
    Entries(Vec<Parcel>),
    /// To rank 0: so many positions were looked at.
    Progress(u64, u64),
    /// To rank 0: the search has come to its end by itself, and this is what it found.
    Done(u64, Tally),
    /// Up the tournament tree: the votes of a rank and of those below it.
    Votes(u64, Tally),
    /// To rank 0: something is wrong here.
    Trouble(String),
}

/// Entries that one rank found.
#[derive(Clone, Debug, PartialEq)]
pub struct Parcel {
    /// The rank.
    pub origin: u16,
    /// What it found.
    pub entries: Vec<SharedEntry>,
}

/// A search to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Its number.
    pub search: u64,
    /// The fingerprint of what rank 0 evaluates by.
    pub network: u64,
    /// Whether it begins in the opponent's time.
    pub pondering: bool,
    /// Where the game started.
    pub fen: String,
    /// What was played.
    pub moves: Vec<Move>,
    /// See [`Limits`]; time is rank 0's business.
    pub depth: Option<u32>,
    /// See [`Limits`]; each rank's share.
    pub nodes: Option<u64>,
    /// See [`Limits`].
    pub mate: Option<u32>,
    /// See [`Limits`].
    pub only: Vec<Move>,
    /// See [`Limits`].
    pub banned: Vec<Move>,
}

/// No game is longer.
const MOST_PLIES: usize = 1 << 14;
/// No message holds more parcels.
const MOST_PARCELS: usize = 1 << 16;
/// No parcel holds more entries.
const MOST_ENTRIES: usize = 1 << 16;
/// No position has more moves.
const MOST_MOVES: usize = 256;

/// No win is looked for that takes more moves.
const FARTHEST_MATE: u32 = 1000;

impl Start {
    /// The message that starts a search.
    pub fn new(search: u64, network: u64, game: &Game, limits: &Limits, pondering: bool) -> Self {
        let moves = game.history().plies().iter().filter_map(|ply| ply.mv()).collect();
        Self {
            search,
            network,
            pondering,
            fen: game.start().to_string(),
            moves,
            depth: limits.depth,
            nodes: limits.nodes,
            mate: limits.mate,
            only: limits.only.clone(),
            banned: limits.banned.clone(),
        }
    }

    /// The game to search, or what is wrong with it.
    pub fn game(&self) -> Result<Game, String> {
        let mut game = Game::new(fen::parse(&self.fen).map_err(|error| error.to_string())?);
        for mv in &self.moves {
            game.play(*mv).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }

    /// The limits of a rank that is not 0.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            only: self.only.clone(),
            banned: self.banned.clone(),
            ..Limits::default()
        }
    }
}

impl Wire for Message {
    fn write(&self, writer: &mut Writer) {
        match self {
            Self::SetOption { name, value } => {
                writer.u8(1);
                writer.text(name);
                writer.option(value.as_deref(), Writer::text);
            }
            Self::Forget => writer.u8(2),
            Self::Start(start) => {
                writer.u8(3);
                start.write(writer);
            }
            Self::PonderHit(search) => {
                writer.u8(4);
                writer.u64(*search);
            }
            Self::Stop(search) => {
                writer.u8(5);
                writer.u64(*search);
            }
            Self::Quit => writer.u8(6),
            Self::Entries(parcels) => {
                writer.u8(7);
                writer.list(parcels, |writer, parcel| parcel.write(writer));
            }
            Self::Progress(search, nodes) => {
                writer.u8(8);
                writer.u64(*search);
                writer.u64(*nodes);
            }
            Self::Done(search, tally) => {
                writer.u8(9);
                writer.u64(*search);
                tally.write(writer);
            }
            Self::Votes(search, tally) => {
                writer.u8(10);
                writer.u64(*search);
                tally.write(writer);
            }
            Self::Trouble(text) => {
                writer.u8(11);
                writer.text(text);
            }
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(match reader.u8()? {
            1 => Self::SetOption { name: reader.text()?, value: reader.option(Reader::text)? },
            2 => Self::Forget,
            3 => Self::Start(Box::new(Start::read(reader)?)),
            4 => Self::PonderHit(reader.u64()?),
            5 => Self::Stop(reader.u64()?),
            6 => Self::Quit,
            7 => Self::Entries(reader.list(MOST_PARCELS, Parcel::read)?),
            8 => Self::Progress(reader.u64()?, reader.u64()?),
            9 => Self::Done(reader.u64()?, Tally::read(reader)?),
            10 => Self::Votes(reader.u64()?, Tally::read(reader)?),
            11 => Self::Trouble(reader.text()?),
            kind => return Err(WireError::Kind(kind)),
        })
    }
}

impl Wire for Parcel {
    fn write(&self, writer: &mut Writer) {
        writer.u16(self.origin);
        writer.list(&self.entries, |writer, entry| {
            entry.packed().into_iter().for_each(|word| writer.u64(word))
        });
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let origin = reader.u16()?;
        let entries = reader.list(MOST_ENTRIES, |reader| {
            let words = [reader.u64()?, reader.u64()?];
            SharedEntry::from_packed(words).ok_or(WireError::Impossible("table entry"))
        })?;
        Ok(Self { origin, entries })
    }
}

impl Wire for Start {
    fn write(&self, writer: &mut Writer) {
        writer.u64(self.search);
        writer.u64(self.network);
        writer.u8(self.pondering.into());
        writer.text(&self.fen);
        writer.option(self.depth, Writer::u32);
        writer.option(self.nodes, Writer::u64);
        writer.option(self.mate, Writer::u32);
        for moves in [&self.moves, &self.only, &self.banned] {
            writer.list(moves, |writer, mv| writer.mv(*mv));
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self {
            search: reader.u64()?,
            network: reader.u64()?,
            pondering: reader.u8()? != 0,
            fen: reader.text()?,
            depth: reader.option(Reader::u32)?,
            nodes: reader.option(Reader::u64)?,
            mate: reader.option(Reader::u32)?.map(|moves| moves.min(FARTHEST_MATE)),
            moves: reader.list(MOST_PLIES, Reader::mv)?,
            only: reader.list(MOST_MOVES, Reader::mv)?,
            banned: reader.list(MOST_MOVES, Reader::mv)?,
        })
    }
}
