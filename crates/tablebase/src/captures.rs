//! What captures lead to: the smaller tables, looked up with the codes of the larger one.

use std::sync::Arc;

use chuhe_board::{Bitboard, PieceKind, Side, Square};

use crate::group::Code;
use crate::index::{GROUPS, Index, SLOTS, opposite, slot};
use crate::row::Entry;
use crate::table::Table;
use crate::value::Value;

/// The smaller tables of an endgame, by the piece that is taken.
pub(crate) struct Captures {
    after: Vec<After>,
}

/// What taking one kind of piece of one side leads to.
struct After {
    kind: PieceKind,
    slot: usize,
    /// `None` if nobody can win any more.
    table: Option<Arc<Table>>,
    /// Whether the smaller table names the sides in the other order.
    swapped: bool,
}

impl Captures {
    /// The captures of an endgame; `find` gives the tables that it depends on.
    pub(crate) fn new<E>(
        index: &Index,
        mut find: impl FnMut(&crate::Material) -> Result<Arc<Table>, E>,
    ) -> Result<Self, E> {
        let mut after = Vec::new();
        for side in Side::ALL {
            for kind in PieceKind::ALL {
                let Some(rest) = index.material().without(side, kind) else { continue };
                let (rest, swapped) = rest.canonical();
                let table = if rest.is_harmless() { None } else { Some(find(&rest)?) };
                after.push(After { kind, slot: slot(side, kind), table, swapped });
            }
        }
        Ok(Self { after })
    }

    /// The value, for the side that then is to move, after `side` took the piece on `to` and its own
    /// group in `mover` got the placement `code`. The capture must be legal.
    #[inline]
    pub(crate) fn value(
        &self,
        index: &Index,
        entry: &Entry<'_>,
        side: Side,
        mover: usize,
        code: Code,
        to: Square,
    ) -> Value {
        let victims = (!side).index() * GROUPS..(!side).index() * GROUPS + GROUPS;
        let victim = victims
            .into_iter()
            .find(|&slot| entry.scene.sets[slot].contains(to))
            .expect("captures take a piece");
        let group = &index.groups[victim];
        let squares = group.squares(entry.codes[victim]);
        let member = squares.iter().position(|&square| square == to).expect("the piece stands there");
        let kind = group.kind(member);
        let after = self
            .after
            .iter()
            .find(|after| after.slot == victim && after.kind == kind)
            .expect("every piece but the general can be taken");
        let Some(table) = &after.table else { return Value::Draw };
        let mut codes = entry.codes;
        codes[mover] = code;
        let there = if after.swapped { opposite(victim) } else { victim };
        codes[victim] = group
            .removed(entry.codes[victim], to, &table.index().groups[there])
            .expect("what is left stands");
        if after.swapped {
            codes = std::array::from_fn::<_, SLOTS, _>(|slot| codes[opposite(slot)]);
        }
        let stm = if after.swapped { side } else { !side };
        table.value(table.index().number(&codes), stm)
    }
}

/// The points of the enemy of `side`.
#[inline]
pub(crate) fn enemies(entry: &Entry<'_>, side: Side) -> Bitboard {
    entry.scene.sides[(!side).index()]
}
