//! The messages of a cluster search.

use chuhe_board::{Move, fen};
use chuhe_referee::Game;
use chuhe_search::{Limits, SharedEntry};

use super::vote::VoteCount;
use crate::wire::{Reader, Wire, WireError, Writer};

/// A message between ranks. Searches have ids, so that late messages are recognised.
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
    /// Rank 0: the ponder move was played; the limits apply from now on.
    PonderHit(u64),
    /// Rank 0: end the search and vote.
    Stop(u64),
    /// Rank 0: the job is over.
    Quit,
    /// Transposition table entries.
    Entries(Vec<EntryBatch>),
    /// To rank 0: nodes searched so far.
    Progress(u64, u64),
    /// To rank 0: the search reached its limit, with this result.
    Done(u64, VoteCount),
    /// To the parent: the votes of a subtree.
    Votes(u64, VoteCount),
    /// To rank 0: a text for the GUI.
    Warning(String),
}

/// Entries of one rank.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryBatch {
    /// The rank.
    pub origin: u16,
    /// Its entries.
    pub entries: Vec<SharedEntry>,
}

/// A search to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Its number.
    pub search: u64,
    /// The fingerprint of rank 0's network.
    pub network: u64,
    /// Whether it starts pondering.
    pub pondering: bool,
    /// The start position of the game.
    pub fen: String,
    /// The moves since.
    pub moves: Vec<Move>,
    /// See [`Limits`]; only rank 0 keeps time.
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

/// The longest accepted game.
const MOST_PLIES: usize = 1 << 14;
/// The most batches in a message.
const MAX_BATCHES: usize = 1 << 16;
/// The most entries in a batch.
const MAX_ENTRIES: usize = 1 << 16;
/// More moves than any position has.
const MOST_MOVES: usize = 256;

/// The longest accepted mate limit.
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

    /// The limits of a worker.
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
            Self::Entries(batches) => {
                writer.u8(7);
                writer.list(batches, |writer, batch| batch.write(writer));
            }
            Self::Progress(search, nodes) => {
                writer.u8(8);
                writer.u64(*search);
                writer.u64(*nodes);
            }
            Self::Done(search, votes) => {
                writer.u8(9);
                writer.u64(*search);
                votes.write(writer);
            }
            Self::Votes(search, votes) => {
                writer.u8(10);
                writer.u64(*search);
                votes.write(writer);
            }
            Self::Warning(text) => {
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
            7 => Self::Entries(reader.list(MAX_BATCHES, EntryBatch::read)?),
            8 => Self::Progress(reader.u64()?, reader.u64()?),
            9 => Self::Done(reader.u64()?, VoteCount::read(reader)?),
            10 => Self::Votes(reader.u64()?, VoteCount::read(reader)?),
            11 => Self::Warning(reader.text()?),
            kind => return Err(WireError::Kind(kind)),
        })
    }
}

impl Wire for EntryBatch {
    fn write(&self, writer: &mut Writer) {
        writer.u16(self.origin);
        writer.list(&self.entries, |writer, entry| {
            entry.packed().into_iter().for_each(|word| writer.u64(word))
        });
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let origin = reader.u16()?;
        let entries = reader.list(MAX_ENTRIES, |reader| {
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
