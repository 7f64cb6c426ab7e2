//! A family of endgames solved in memory: small ones that no file holds.

use std::sync::Arc;

use chuhe_board::Position;

use crate::kind::Kind;
use crate::repetition::MoveRules;
use crate::solve::captures::{Captures, Tables};
use crate::solve::{SolveError, Stage, solve};
use crate::value::Value;
use crate::{Index, Material, Table};

/// An endgame with all that captures lead to.
#[derive(Default)]
pub struct Family {
    kind: Kind,
    referee: Option<&'static dyn MoveRules>,
    tables: Tables,
}

impl Family {
    /// Solves an endgame and all that it depends on within `memory` bytes.
    pub fn solve(
        material: &Material,
        kind: Kind,
        memory: u64,
        on_progress: &(dyn Fn(&Material, Stage) + Sync),
    ) -> Result<Self, SolveError> {
        let mut family = Self::of(kind, None);
        family.add(material, memory, on_progress)?;
        Ok(family)
    }

    /// A family without members as yet; kinds that know perpetual chase need a referee.
    pub fn of(kind: Kind, referee: Option<&'static dyn MoveRules>) -> Self {
        Self { kind, referee, tables: Tables::new() }
    }

    /// Adds an endgame and all that it depends on.
    pub fn add(
        &mut self,
        material: &Material,
        memory: u64,
        on_progress: &(dyn Fn(&Material, Stage) + Sync),
    ) -> Result<(), SolveError> {
        SolveError::check_memory(material, self.kind, 0, memory)?;
        for member in material.family() {
            if self.tables.contains_key(&member) {
                continue;
            }
            let held: u64 = self.tables.values().map(|table| 2 * table.index().len()).sum();
            SolveError::check_memory(&member, self.kind, held, memory)?;
            let index = Arc::new(Index::new(&member));
            let captures = Captures::new(&index, self.kind.metric, &self.tables);
            let (kind, watch) = (self.kind.serving(&member), |stage| on_progress(&member, stage));
            let table = solve(&index, captures, kind, self.referee, None, &watch)?;
            self.tables.insert(member, Arc::new(table));
        }
        Ok(())
    }

    /// The table of an endgame, in either order of its sides.
    pub fn table(&self, material: &Material) -> Option<&Arc<Table>> {
        self.tables.get(&material.canonical().0)
    }

    /// The value of a legal position; `None` if its endgame was not solved.
    pub fn probe(&self, position: &Position) -> Option<Value> {
        let (material, _) = Material::of(position).canonical();
        if material.is_harmless() {
            return Some(Value::Draw);
        }
        self.tables.get(&material)?.probe(position)
    }
}
