//! Captures: conversions into smaller tables, probed with the codes of the larger one.

use std::collections::HashMap;
use std::sync::Arc;

use chuhe_board::{PieceKind, QUIET_PLY_LIMIT, Side, Square};

use crate::Material;
use crate::index::group::Code;
use crate::index::row::Entry;
use crate::index::{GROUPS, Index, SLOTS, opposite, slot};
use crate::kind::Metric;
use crate::table::Table;
use crate::value::Value;

/// Tables by endgame, in canonical order.
pub(crate) type Tables = HashMap<Material, Arc<Table>>;

/// The smaller tables of an endgame, by the piece that is taken.
pub(crate) struct Captures {
    metric: Metric,
    after: Vec<After>,
}

/// The conversion by capturing one kind of piece of one side.
struct After {
    kind: PieceKind,
    slot: usize,
    /// `None` if neither side can win any more.
    table: Option<Arc<Table>>,
    /// Whether the smaller table names the sides in the other order.
    swapped: bool,
}

/// The tables that an endgame depends on, each with the sides to move that are probed.
pub(crate) fn needs(material: &Material) -> HashMap<Material, [bool; 2]> {
    let mut needs: HashMap<Material, [bool; 2]> = HashMap::new();
    for side in Side::ALL {
        for rest in PieceKind::ALL.into_iter().filter_map(|kind| material.without(side, kind)) {
            let (rest, swapped) = rest.canonical();
            if !rest.is_harmless() {
                // The side that lost the piece is to move.
                let mover = if swapped { !side } else { side };
                needs.entry(rest).or_default()[mover.index()] = true;
            }
        }
    }
    needs
}

impl Captures {
    /// The captures of an endgame, whose [`needs`] must be among the tables.
    pub(crate) fn new(index: &Index, metric: Metric, tables: &Tables) -> Self {
        let mut after = Vec::new();
        for side in Side::ALL {
            for kind in PieceKind::ALL {
                let Some(rest) = index.material().without(side, kind) else { continue };
                let (rest, swapped) = rest.canonical();
                let table = (!rest.is_harmless()).then(|| Arc::clone(&tables[&rest]));
                after.push(After { kind, slot: slot(side, kind), table, swapped });
            }
        }
        Self { metric, after }
    }

    /// The value for `side` of a legal capture on `to`, after which its own group in slot `mover` has placement `code`.
    #[inline]
    pub(crate) fn value(
        &self,
        index: &Index,
        entry: &Entry<'_>,
        side: Side,
        (mover, code): (usize, Code),
        to: Square,
    ) -> Value {
        let first = (!side).index() * GROUPS;
        let victim = (first..first + GROUPS)
            .find(|&slot| entry.board.sets[slot].contains(to))
            .expect("a capture has a victim");
        let group = &index.groups[victim];
        let squares = group.squares(entry.codes[victim]);
        let member = squares.iter().position(|&square| square == to).expect("the group has a piece there");
        let kind = group.kind(member);
        let after = self
            .after
            .iter()
            .find(|after| after.slot == victim && after.kind == kind)
            .expect("every piece but the general can be captured");
        let Some(table) = &after.table else { return Value::Draw };
        let mut codes = entry.codes;
        codes[mover] = code;
        let there = &table.index().groups[if after.swapped { opposite(victim) } else { victim }];
        codes[victim] = group.removed(entry.codes[victim], member, there);
        if after.swapped {
            codes = std::array::from_fn::<_, SLOTS, _>(|slot| codes[opposite(slot)]);
        }
        let next = if after.swapped { side } else { !side };
        self.in_metric(table.value(table.index().number(&codes), next).before())
    }

    /// Whether a smaller table has values that depend on chases.
    pub(crate) fn depend_on_chase(&self) -> bool {
        self.after.iter().filter_map(|after| after.table.as_ref()).any(|table| table.depends_on_chase())
    }

    /// The value in the table's metric. With DTC a conversion ends the count, unless the next endgame cannot be won within
    /// the move limit.
    fn in_metric(&self, value: Value) -> Value {
        let is_beyond_limit = |plies: u16| plies > QUIET_PLY_LIMIT + 1;
        match (self.metric, value) {
            (Metric::Dtm, _) | (_, Value::Draw | Value::DependsOnChase(_)) => value,
            (_, Value::Win(plies)) => {
                Value::Win(if is_beyond_limit(plies) { QUIET_PLY_LIMIT + 1 } else { 1 })
            }
            (_, Value::Loss(plies)) => {
                Value::Loss(if is_beyond_limit(plies) { QUIET_PLY_LIMIT + 2 } else { 2 })
            }
        }
    }
}
