//! A share of an endgame with all that machines need which solve it together: what to tell each other in bounded
//! portions, checkpoints that any other number of machines can take up, and compression where the values are.
//!
//! After the last round values move a little, so that each machine has whole blocks of the file; it compresses them, and
//! no machine ever holds the whole table.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use chuhe_board::Side;

use crate::file::{self, FileError, file_name};
use crate::kind::{Kind, Metric, Rules};
use crate::model::Layout;
use crate::pack::{self, Codec, PackError, Packing, Place, Source};
use crate::solve::SolveError;
use crate::value::{Packed, Values};
use crate::{Folder, FolderError, Material, Share, Update, checkpoint};

/// One of several shares of an endgame while it is being solved by several machines.
pub struct Part {
    share: Share,
    layout: Layout,
    kind: Kind,
    which: usize,
    parts: usize,
    folder: Folder,
}

/// What a visit found.
pub struct Visit {
    /// What it means for entries of other parts, by part.
    pub elsewhere: Vec<Vec<Update>>,
    /// Where to go on; `None` if everything was visited.
    pub next: Option<usize>,
}

/// An entry that belongs to another part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {0} belongs to another part")]
pub struct NotHere(pub u64);

/// The compressed blocks of one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compressed {
    /// The length and the check value of each block.
    pub places: Vec<(u16, u16)>,
    /// The blocks one after the other.
    pub bytes: Vec<u8>,
}

/// One side to move of a table, as the parts have compressed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompressedSide {
    /// The values that occur, in the order of [`ranking`].
    pub ranking: Vec<u16>,
    /// The choices of all parts together.
    pub choices: Vec<[u32; 2]>,
    /// The blocks of all parts in their order.
    pub parts: Vec<Compressed>,
}

/// Chunks that are visited before what was found is counted.
const CHUNKS_AT_ONCE: usize = 64;
/// Entries of other parts that are held before they are handed over.
const MOST_HELD: usize = 1 << 22;

impl Part {
    /// Part `which` of `parts`, ready for [`Self::open`] or [`Self::restore`]. The smaller tables that captures lead to
    /// must be in the folder.
    pub fn new(
        folder: &Folder,
        material: &Material,
        metric: Metric,
        which: usize,
        parts: usize,
    ) -> Result<Self, FolderError> {
        let share = folder.share(material, metric, which, parts)?;
        let layout = Layout::new(share.index());
        let kind = Kind { metric, rules: Rules::Plain };
        Ok(Self { share, layout, kind, which, parts, folder: folder.clone() })
    }

    /// Bytes of memory that the entries of this part take while they are solved.
    pub fn memory(&self) -> u64 {
        let numbers = self.share.numbers();
        4 * (numbers.end - numbers.start)
    }

    /// Looks at every entry for the first time.
    pub fn open(&self) {
        self.share.open(&|_, _| {});
    }

    /// The greatest number of plies that any entry of this part got so far.
    pub fn longest(&self) -> u16 {
        self.share.longest()
    }

    /// Fails if the greatest number of plies of all parts is more than a table can hold.
    pub fn check_length(&self, longest: u16) -> Result<(), SolveError> {
        SolveError::check_longest(self.share.index().material(), longest)
    }

    /// Visits entries with `side` to move that end in exactly so many plies, from `start` on (0 at first), until all are
    /// visited or there is much to tell.
    pub fn visit(&self, side: Side, ply: u16, start: usize) -> Visit {
        let elsewhere = Mutex::new((vec![Vec::new(); self.parts], 0));
        let mut at = start;
        while at < self.share.chunks()
            && elsewhere.lock().unwrap_or_else(PoisonError::into_inner).1 < MOST_HELD
        {
            let end = (at + CHUNKS_AT_ONCE).min(self.share.chunks());
            self.share.visit(side, ply, at..end, &|part, updates| {
                let (parts, held) = &mut *elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
                parts[part].extend_from_slice(updates);
                *held += updates.len();
            });
            at = end;
        }
        let (elsewhere, _) = elsewhere.into_inner().unwrap_or_else(PoisonError::into_inner);
        Visit { elsewhere, next: (at < self.share.chunks()).then_some(at) }
    }

    /// Takes in what another part found in its visits of `ply`.
    pub fn note(&self, ply: u16, updates: &[Update]) -> Result<(), NotHere> {
        let numbers = self.share.numbers();
        if let Some(update) = updates.iter().find(|update| !numbers.contains(&update.number())) {
            return Err(NotHere(update.number()));
        }
        self.share.receive(ply, updates);
        Ok(())
    }

    fn checkpoint_prefix(&self) -> String {
        format!("{}.unfinished-", file_name(self.share.index().material(), self.kind))
    }

    /// Saves this part before the visit of `ply`.
    pub fn save(&self, ply: u16) -> Result<(), FileError> {
        let Range { start, end } = self.share.numbers();
        let path = self.folder.path().join(format!("{}{ply}-{start}-{end}", self.checkpoint_prefix()));
        checkpoint::save(&path, ply, start, &self.share.cells).map_err(|error| FileError::Io { path, error })
    }

    /// What was saved of any parts: the ply and the entries by the file's name, and the file.
    fn saved(&self) -> Vec<(u16, Range<u64>, PathBuf)> {
        let prefix = self.checkpoint_prefix();
        let parse = |name: &str| {
            let mut words = name.strip_prefix(&prefix)?.split('-').map(str::parse::<u64>);
            let (ply, start, end) = (words.next()?.ok()?, words.next()?.ok()?, words.next()?.ok()?);
            words.next().is_none().then_some((u16::try_from(ply).ok()?, start..end))
        };
        let files = fs::read_dir(self.folder.path()).into_iter().flatten().flatten();
        let saved = files.filter_map(|file| {
            let (ply, entries) = parse(file.file_name().to_str()?)?;
            Some((ply, entries, file.path()))
        });
        saved.collect()
    }

    /// The plies before which something was saved, the last first.
    pub fn saved_plies(&self) -> Vec<u16> {
        let mut plies: Vec<u16> = self.saved().into_iter().map(|(ply, ..)| ply).collect();
        plies.sort_unstable_by(|a, b| b.cmp(a));
        plies.dedup();
        plies
    }

    /// Takes up what was saved before `ply`, by any number of parts. Whether all entries of this part were there; if not,
    /// it must be opened anew.
    pub fn restore(&self, ply: u16) -> bool {
        let range = self.share.numbers();
        let mut missing = range.end - range.start;
        for (_, entries, path) in self.saved().into_iter().filter(|(saved, ..)| *saved == ply) {
            let shared = entries.start.max(range.start)..entries.end.min(range.end);
            if shared.is_empty() {
                continue;
            }
            let read = checkpoint::read(&path, range.clone(), &self.share.cells);
            if read.is_some_and(|saved| saved.ply == ply && saved.entries == entries) {
                missing = missing.saturating_sub(shared.end - shared.start);
            }
        }
        if missing == 0 {
            self.share.fill_calendar();
        }
        missing == 0
    }

    /// Removes what all parts have saved before earlier plies; with `None` all of it.
    pub fn remove_saved(&self, before: Option<u16>) {
        for (ply, _, path) in self.saved() {
            if before.is_none_or(|before| ply < before) {
                // What cannot be removed is in nobody's way.
                let _ = fs::remove_file(path);
            }
        }
    }

    /// The blocks of the file that a part compresses.
    fn blocks(&self, part: usize) -> Range<usize> {
        let first = |part: usize| (self.layout.blocks() as u128 * part as u128 / self.parts as u128) as usize;
        first(part)..first(part + 1)
    }

    /// The entries of these blocks.
    fn packed_by(&self, part: usize) -> Range<u64> {
        let blocks = self.blocks(part);
        let len = self.share.index().len();
        let first =
            |block: usize| if block < self.layout.blocks() { self.layout.entries(block).start } else { len };
        first(blocks.start)..first(blocks.end)
    }

    /// The values of one side to move, by the part that compresses them.
    pub fn values(&self, side: Side) -> Vec<Vec<u16>> {
        let (values, own) = (self.share.values(side, self.kind.metric), self.share.numbers());
        let shared = |part| {
            let range = self.packed_by(part);
            let (start, end) = (range.start.max(own.start), range.end.min(own.end).max(own.start));
            values[(start.min(end) - own.start) as usize..(end - own.start) as usize].to_vec()
        };
        (0..self.parts).map(shared).collect()
    }

    /// What this part compresses, from the values that all parts gave it, in their order.
    pub fn packer(&self, values: Vec<u16>) -> Result<Packer<'_>, WrongValues> {
        let entries = self.packed_by(self.which);
        match values.len() as u64 == entries.end - entries.start {
            true => Ok(Packer { part: self, first: entries.start, values: Values::Words(values) }),
            false => Err(WrongValues(values.len())),
        }
    }

    /// Writes the file of the whole table and returns its size in bytes.
    pub fn write(&self, sides: [CompressedSide; 2]) -> Result<u64, FileError> {
        let sides = sides.map(|side| Packing {
            codec: Codec::new(side.ranking, &side.choices),
            places: side
                .parts
                .iter()
                .flat_map(|part| part.places.iter().map(|&(len, check)| Place { len, check }))
                .collect(),
            bytes: side.parts.into_iter().flat_map(|part| part.bytes).collect(),
        });
        file::write_packed(self.share.index(), &self.layout, &sides, self.kind, self.folder.path())
    }
}

/// The values that occur, the worst for the mover first, from what occurs in each part.
pub fn ranking(occurring: impl IntoIterator<Item = Vec<bool>>) -> Result<Vec<u16>, PackError> {
    pack::ranking(&occurring.into_iter().reduce(pack::either).unwrap_or_default())
}

/// The choices of all parts together.
pub fn choices(parts: impl IntoIterator<Item = Vec<[u32; 2]>>) -> Vec<[u32; 2]> {
    parts.into_iter().fold(pack::no_choices(), pack::added)
}

/// Values that do not fit the entries they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} values do not fit the entries that they are for")]
pub struct WrongValues(usize);

/// The values of whole blocks of one side to move, ready to be compressed.
pub struct Packer<'a> {
    part: &'a Part,
    first: u64,
    values: Values,
}

impl Packer<'_> {
    fn blocks(&self) -> Range<usize> {
        self.part.blocks(self.part.which)
    }

    /// Which values occur here.
    pub fn occurring(&self) -> Vec<bool> {
        pack::occurring(self, &self.part.layout, self.blocks())
    }

    /// How often the choices of the compression are made here.
    pub fn choices(&self, ranking: &[u16]) -> Vec<[u32; 2]> {
        pack::choices(self, &self.part.layout, ranking, self.blocks())
    }

    /// Compresses the blocks; the choices are those of all parts together.
    pub fn compress(&self, ranking: &[u16], choices: &Vec<[u32; 2]>) -> Result<Compressed, PackError> {
        let codec = Codec::new(ranking.to_vec(), choices);
        let (places, bytes) = pack::pack_blocks(self, &self.part.layout, &codec, self.blocks())?;
        let places = places.into_iter().map(|place| (place.len, place.check)).collect();
        Ok(Compressed { places, bytes })
    }
}

impl Source for Packer<'_> {
    fn each(&self, range: Range<u64>, visit: impl FnMut(usize, Packed)) {
        self.values.each(range.start - self.first..range.end - self.first, visit);
    }
}
