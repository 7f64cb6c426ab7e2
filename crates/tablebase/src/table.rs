//! A complete table in memory.

use std::sync::Arc;

use chuhe_board::{Position, Side};

use crate::Index;
use crate::kind::Kind;
use crate::value::{Value, Values};

/// A solved endgame in memory; one side to move may be missing if only the other is needed.
pub struct Table {
    index: Arc<Index>,
    kind: Kind,
    values: [Option<Values>; 2],
}

impl Table {
    pub(crate) fn new(index: Arc<Index>, kind: Kind, values: [Option<Values>; 2]) -> Self {
        Self { index, kind, values }
    }

    /// What its values measure, and by which rules.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How positions are numbered.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The values for one side to move.
    pub(crate) fn values(&self, side: Side) -> &Values {
        self.values[side.index()].as_ref().expect("the side was loaded")
    }

    /// Whether a value of the loaded sides depends on chases.
    pub(crate) fn depends_on_chase(&self) -> bool {
        self.values.iter().flatten().any(Values::depend_on_chase)
    }

    /// The value of an entry for the side to move; `side` in the table's order of sides.
    #[inline]
    pub(crate) fn value(&self, number: u64, side: Side) -> Value {
        self.values(side).get(number)
    }

    /// The value of a legal position; `None` if it does not belong to this endgame.
    pub fn probe(&self, position: &Position) -> Option<Value> {
        let (number, side) = self.index.find(position)?;
        Some(self.value(number, side))
    }
}
