//! One table on many ranks: the index is split, each rank solves its range, and what a visit finds in other ranges is
//! exchanged before the next ply.
//!
//! A rank holds four bytes for each of its own entries and the smaller tables that captures lead to; nobody holds the
//! whole. After each ply every rank saves its range, and any number of ranks can take up what any other number saved.
//! The folder must be the same for all ranks.

use std::time::{Duration, Instant};

use chuhe_board::Side;
use chuhe_tablebase::part::{self, Compressed, CompressedSide, Part};
use chuhe_tablebase::{Folder, FolderError, Kind, Material, Metric, Rules, SolveError, TableFile, Update};

use crate::link::{Link, LinkError};
use crate::wire::{self, Reader, Wire, WireError, Writer};

/// Why a table cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// Ranks cannot talk, or one of them ended the job.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The endgame cannot be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// What happens in a build, as rank 0 tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The file exists already.
    Present,
    /// A build that was killed is taken up again before this ply.
    Resumed(u16),
    /// So many bytes of rank 0's memory hold its entries.
    Opening(u64),
    /// Visiting what ends in so many plies; the longest known so far comes second.
    Ply(u16, u16),
    /// The file was written and has so many bytes.
    Written(u64),
}

/// How a table is built.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What values count.
    pub metric: Metric,
    /// The least time between two checkpoints; with none, one after each ply.
    pub checkpoint_interval: Duration,
    /// Stop before this ply and leave the checkpoint, as if the job had been killed: for tests.
    pub stop_before: Option<u16>,
}

/// Builds the table of an endgame and, before it, all that it depends on and that is not there yet. Whether it was built,
/// or stopped before.
pub fn build(
    link: &mut impl Link,
    folder: &Folder,
    material: &Material,
    plan: &Plan,
    tell: &mut dyn FnMut(&Material, Stage),
) -> Result<bool, TablesError> {
    if link.rank() == 0
        && let Err(error) = std::fs::create_dir_all(folder.path())
    {
        return Err(link.abort(&format!("{}: {error}", folder.path().display())).into());
    }
    let kind = Kind { metric: plan.metric, rules: Rules::Plain };
    for member in material.family() {
        let mut tell = |stage| tell(&member, stage);
        // Only rank 0 looks, lest ranks see the folder differently.
        let present = link.rank() == 0 && TableFile::open(&folder.file(&member, kind)).is_ok();
        if from_first(link, &Number(present.into()))?.0 == 1 {
            tell(Stage::Present);
            continue;
        }
        if !(Build { link, folder, member, plan }).run(&mut tell)? {
            return Ok(false);
        }
    }
    Ok(true)
}

struct Build<'a, L> {
    link: &'a mut L,
    folder: &'a Folder,
    member: Material,
    plan: &'a Plan,
}

impl<L: Link> Build<'_, L> {
    fn run(&mut self, tell: &mut dyn FnMut(Stage)) -> Result<bool, TablesError> {
        let (rank, ranks) = (self.link.rank(), self.link.ranks());
        let part = match Part::new(self.folder, &self.member, self.plan.metric, rank, ranks) {
            Ok(part) => part,
            Err(error) => return Err(self.give_up(&error)),
        };
        let mut ply = match self.resume(&part)? {
            Some(ply) => {
                tell(Stage::Resumed(ply));
                ply
            }
            None => {
                tell(Stage::Opening(part.memory()));
                part.open();
                0
            }
        };
        let mut saved = Instant::now();
        loop {
            let longest = greatest(self.link, part.longest())?;
            if ply > longest {
                part.check_length(longest)?;
                break;
            }
            if self.plan.stop_before == Some(ply) {
                return Ok(false);
            }
            tell(Stage::Ply(ply, longest));
            for side in Side::ALL {
                self.visit(&part, side, ply)?;
            }
            ply += 1;
            // All ranks must agree on when to save, so rank 0's clock decides.
            let due = saved.elapsed() >= self.plan.checkpoint_interval;
            if from_first(self.link, &Number(due.into()))?.0 == 1 {
                saved = Instant::now();
                self.save(&part, ply)?;
            }
        }
        let bytes = self.write(&part)?;
        tell(Stage::Written(bytes));
        Ok(true)
    }

    /// Ends the job on all ranks.
    fn give_up(&mut self, error: &dyn std::fmt::Display) -> TablesError {
        self.link.abort(&format!("{}: {error}", self.member)).into()
    }

    /// Takes up the latest checkpoint that is whole on all ranks.
    fn resume(&mut self, part: &Part) -> Result<Option<u16>, TablesError> {
        let plies = Plies(if self.link.rank() == 0 { part.saved_plies() } else { Vec::new() });
        for ply in from_first(self.link, &plies)?.0 {
            let whole = part.restore(ply);
            if least(self.link, whole.into())? == 1 {
                return Ok(Some(ply));
            }
        }
        Ok(None)
    }

    /// Saves all ranges, and only then removes what was saved before.
    fn save(&mut self, part: &Part, ply: u16) -> Result<(), TablesError> {
        // Without a checkpoint a killed build starts anew; that is no reason to stop this one.
        let saved = part.save(ply).is_ok();
        if least(self.link, saved.into())? == 1 && self.link.rank() == 0 {
            part.remove_saved(Some(ply));
        }
        Ok(())
    }

    /// Visits one side to move on all ranks, as often as it takes until nobody has anything left.
    fn visit(&mut self, part: &Part, side: Side, ply: u16) -> Result<(), TablesError> {
        let mut next = Some(0);
        loop {
            let elsewhere = match next {
                Some(start) => {
                    let visit = part.visit(side, ply, start);
                    next = visit.next;
                    visit.elsewhere
                }
                None => vec![Vec::new(); self.link.ranks()],
            };
            let found = |updates| wire::pack(&Found { more: next.is_some(), updates });
            let parts = elsewhere.into_iter().map(found).collect();
            let mut more = next.is_some();
            for bytes in self.link.all_to_all(parts)? {
                let found: Found = self.understood(&bytes)?;
                more |= found.more;
                if let Err(error) = part.note(ply, &found.updates) {
                    return Err(self.give_up(&error));
                }
            }
            if !more {
                return Ok(());
            }
        }
    }

    fn understood<T: Wire>(&mut self, bytes: &[u8]) -> Result<T, TablesError> {
        wire::unpack(bytes).map_err(|error| self.give_up(&error))
    }

    /// Compresses all ranges where they are and lets rank 0 write the file. Its size.
    fn write(&mut self, part: &Part) -> Result<u64, TablesError> {
        let mut sides = Vec::new();
        for side in Side::ALL {
            sides.push(self.compress(part, side)?);
        }
        let mut size = 0;
        if self.link.rank() == 0 {
            let sides: [CompressedSide; 2] = sides.try_into().expect("there are two sides");
            size = match part.write(sides) {
                Ok(size) => size,
                Err(error) => return Err(self.give_up(&FolderError::from(error))),
            };
            part.remove_saved(None);
        }
        // Nobody goes on before the file is there.
        Ok(from_first(self.link, &Number(size))?.0)
    }

    fn compress(&mut self, part: &Part, side: Side) -> Result<CompressedSide, TablesError> {
        let values = part.values(side).into_iter().map(|values| wire::pack(&Values(values))).collect();
        let mut own = Vec::new();
        for bytes in self.link.all_to_all(values)? {
            own.extend(self.understood::<Values>(&bytes)?.0);
        }
        let packer = match part.packer(own) {
            Ok(packer) => packer,
            Err(error) => return Err(self.give_up(&error)),
        };
        let occurring = self.gathered(&Flags(packer.occurring()))?;
        let ranking = match part::ranking(occurring.into_iter().map(|flags| flags.0)) {
            Ok(ranking) => ranking,
            Err(error) => return Err(self.give_up(&error)),
        };
        let ranking = from_first(self.link, &Plies(ranking))?.0;
        let choices = self.gathered(&Choices(packer.choices(&ranking)))?;
        let choices = part::choices(choices.into_iter().map(|choices| choices.0));
        let choices = from_first(self.link, &Choices(choices))?.0;
        let compressed = match packer.compress(&ranking, &choices) {
            Ok(compressed) => Blocks(compressed),
            Err(error) => return Err(self.give_up(&error)),
        };
        let parts = self.gathered(&compressed)?.into_iter().map(|blocks| blocks.0).collect();
        Ok(CompressedSide { ranking, choices, parts })
    }

    /// A value of every rank, on rank 0; none on the others.
    fn gathered<T: Wire>(&mut self, value: &T) -> Result<Vec<T>, TablesError> {
        let all = self.link.gather(0, &wire::pack(value))?.unwrap_or_default();
        all.iter().map(|bytes| self.understood(bytes)).collect()
    }
}

/// What rank 0 says, on all ranks.
fn from_first<T: Wire>(link: &mut impl Link, value: &T) -> Result<T, TablesError> {
    let said = if link.rank() == 0 { wire::pack(value) } else { Vec::new() };
    let heard = link.all_to_all(vec![said; link.ranks()])?;
    wire::unpack(&heard[0])
        .map_err(|error| link.abort(&format!("rank 0 cannot be understood: {error}")).into())
}

/// A number of every rank, on all ranks.
fn numbers(link: &mut impl Link, number: u64) -> Result<Vec<u64>, TablesError> {
    let heard = link.all_to_all(vec![wire::pack(&Number(number)); link.ranks()])?;
    let numbers: Result<Vec<Number>, WireError> = heard.iter().map(|bytes| wire::unpack(bytes)).collect();
    match numbers {
        Ok(numbers) => Ok(numbers.into_iter().map(|number| number.0).collect()),
        Err(error) => Err(link.abort(&format!("a rank cannot be understood: {error}")).into()),
    }
}

fn greatest(link: &mut impl Link, number: u16) -> Result<u16, TablesError> {
    Ok(numbers(link, number.into())?.into_iter().max().unwrap_or_default().min(u16::MAX.into()) as u16)
}

fn least(link: &mut impl Link, number: u64) -> Result<u64, TablesError> {
    Ok(numbers(link, number)?.into_iter().min().unwrap_or_default())
}

/// A number.
struct Number(u64);

/// Small numbers.
struct Plies(Vec<u16>);

/// Which values occur.
struct Flags(Vec<bool>);

/// How often choices are made.
struct Choices(Vec<[u32; 2]>);

/// Compressed blocks.
struct Blocks(Compressed);

/// Values of entries.
struct Values(Vec<u16>);

/// What a visit found, and whether more follows.
struct Found {
    more: bool,
    updates: Vec<Update>,
}

/// No list of small things is longer.
const MOST: usize = 1 << 24;
/// The bytes of an update: an entry's number and a side, for up to half a million million entries.
const UPDATE_BYTES: usize = 5;

impl Wire for Number {
    fn write(&self, writer: &mut Writer) {
        writer.u64(self.0);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        reader.u64().map(Self)
    }
}

impl Wire for Plies {
    fn write(&self, writer: &mut Writer) {
        writer.list(&self.0, |writer, number| writer.u16(*number));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        reader.list(1 << 16, Reader::u16).map(Self)
    }
}

impl Wire for Flags {
    fn write(&self, writer: &mut Writer) {
        writer.list(&self.0, |writer, flag| writer.u8((*flag).into()));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        reader.list(1 << 16, |reader| Ok(reader.u8()? != 0)).map(Self)
    }
}

impl Wire for Choices {
    fn write(&self, writer: &mut Writer) {
        writer.list(&self.0, |writer, pair| pair.iter().for_each(|count| writer.u32(*count)));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        reader.list(MOST, |reader| Ok([reader.u32()?, reader.u32()?])).map(Self)
    }
}

impl Wire for Blocks {
    fn write(&self, writer: &mut Writer) {
        writer.list(&self.0.places, |writer, (len, check)| {
            writer.u16(*len);
            writer.u16(*check);
        });
        writer.bytes(&self.0.bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let places = reader.list(u32::MAX as usize, |reader| Ok((reader.u16()?, reader.u16()?)))?;
        Ok(Self(Compressed { places, bytes: reader.bytes()?.to_vec() }))
    }
}

impl Wire for Values {
    fn write(&self, writer: &mut Writer) {
        let bytes: Vec<u8> = self.0.iter().flat_map(|value| value.to_le_bytes()).collect();
        writer.bytes(&bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let (values, rest) = reader.bytes()?.as_chunks();
        if !rest.is_empty() {
            return Err(WireError::Impossible("number of values"));
        }
        Ok(Self(values.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect()))
    }
}

impl Wire for Found {
    fn write(&self, writer: &mut Writer) {
        writer.u8(self.more.into());
        let update = |update: &Update| update.to_bits().to_le_bytes().into_iter().take(UPDATE_BYTES);
        let bytes: Vec<u8> = self.updates.iter().flat_map(update).collect();
        writer.bytes(&bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let more = reader.u8()? != 0;
        let (updates, rest) = reader.bytes()?.as_chunks::<UPDATE_BYTES>();
        if !rest.is_empty() {
            return Err(WireError::Impossible("number of updates"));
        }
        let update = |bytes: &[u8; UPDATE_BYTES]| {
            let mut word = [0; 8];
            word[..UPDATE_BYTES].copy_from_slice(bytes);
            Update::from_bits(u64::from_le_bytes(word))
        };
        Ok(Self { more, updates: updates.iter().map(update).collect() })
    }
}
