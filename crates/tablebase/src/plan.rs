//! Plans: what building tables takes, before it begins.

use std::collections::HashSet;

use crate::file::TableFile;
use crate::folder::Folder;
use crate::kind::Kind;
use crate::solve::captures::needs;
use crate::solve::memory_to_solve;
use crate::{Index, Material};

/// A table of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedTable {
    /// The endgame.
    pub material: Material,
    /// Its entries, both sides to move together.
    pub entries: u64,
    /// Bytes of memory that building takes, with the smaller tables it depends on.
    pub memory: u64,
    /// Whether the folder has it already.
    pub is_present: bool,
}

impl PlannedTable {
    fn new(material: Material, kind: Kind, is_present: bool) -> Self {
        let memory = held(&material).saturating_add(memory_to_solve(&material, kind));
        Self { material, entries: entries(&material), memory, is_present }
    }
}

impl Folder {
    /// The tables that building some endgames needs, each once and after those that it depends on.
    pub fn plan(&self, endgames: &[Material], kind: Kind) -> Vec<PlannedTable> {
        let mut known = HashSet::new();
        let members = endgames.iter().flat_map(Material::family).filter(|member| known.insert(*member));
        let is_present =
            |member: &Material| TableFile::open(&self.file(member, kind.serving(member))).is_ok();
        members.map(|member| PlannedTable::new(member, kind, is_present(&member))).collect()
    }
}

/// The entries of a table, both sides to move together.
fn entries(material: &Material) -> u64 {
    Index::len_of(material).unwrap_or(u64::MAX).saturating_mul(2)
}

/// Bytes that the smaller tables that one depends on take while it is built.
pub(crate) fn held(material: &Material) -> u64 {
    let bytes = needs(material).into_iter().map(|(rest, sides)| {
        let sides = sides.into_iter().filter(|needed| *needed).count() as u64;
        Index::len_of(&rest).unwrap_or(u64::MAX).saturating_mul(sides)
    });
    bytes.fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_lists_every_table_once_and_knows_which_are_there() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let endgames = ["KR-KA", "KR-KAA"].map(|name| name.parse().unwrap());
        folder.build(&endgames[0], Kind::default(), 1 << 30, &|_, _| {}).unwrap();
        let plan = folder.plan(&endgames, Kind::default());
        let described: Vec<(String, bool)> =
            plan.iter().map(|table| (table.material.to_string(), table.is_present)).collect();
        let expected = [("KR-K", true), ("KR-KA", true), ("KR-KAA", false)];
        assert_eq!(described, expected.map(|(name, is_present)| (name.to_owned(), is_present)));
        let last = plan.last().unwrap();
        assert_eq!(last.entries, 2 * 9 * 50 * 70);
        assert_eq!(last.memory, 6 * 9 * 50 * 70 + 9 * 50 * 40, "with one side to move of KR-KA");
    }
}
