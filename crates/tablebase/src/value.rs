//! The value of a position, and its packed form.

use std::fmt;

/// The result of best play for the side to move, with the distance in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Neither side can force a win.
    Draw,
    /// The side to move wins; an odd number of plies.
    Win(u16),
    /// The side to move loses; an even number of plies, 0 if it has no move.
    Loss(u16),
    /// Nobody wins without the help of the repetition rules, and what they decide is not proved: it depends on chases.
    DependsOnChase(Bounds),
}

/// What is proved of a position whose value depends on chases, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// It does not lose.
    AtLeastDraw,
    /// It does not win.
    AtMostDraw,
    /// Nothing.
    Unknown,
}

impl Bounds {
    /// The same for the other side.
    const fn swapped(self) -> Self {
        match self {
            Self::AtLeastDraw => Self::AtMostDraw,
            Self::AtMostDraw => Self::AtLeastDraw,
            Self::Unknown => Self::Unknown,
        }
    }

    /// From whether the side to move and the other one may lose; `None` if neither may.
    pub(crate) const fn of_risks(mover: bool, other: bool) -> Option<Self> {
        match (mover, other) {
            (false, false) => None,
            (false, true) => Some(Self::AtLeastDraw),
            (true, false) => Some(Self::AtMostDraw),
            (true, true) => Some(Self::Unknown),
        }
    }
}

/// Packed numbers that stand for no distance.
const AT_LEAST_DRAW: Packed = 1021;
const AT_MOST_DRAW: Packed = 1022;
const UNKNOWN: Packed = 1023;

/// A value as a small number: 0 for a draw, otherwise the plies plus one, so that the parity
/// separates losses from wins.
pub(crate) type Packed = u16;

impl Value {
    /// The packed number of the value.
    pub(crate) const fn packed(self) -> Packed {
        match self {
            Self::Draw => 0,
            Self::Win(plies) | Self::Loss(plies) => plies + 1,
            Self::DependsOnChase(Bounds::AtLeastDraw) => AT_LEAST_DRAW,
            Self::DependsOnChase(Bounds::AtMostDraw) => AT_MOST_DRAW,
            Self::DependsOnChase(Bounds::Unknown) => UNKNOWN,
        }
    }

    /// The value of a packed number.
    pub(crate) const fn from_packed(packed: Packed) -> Self {
        match packed {
            0 => Self::Draw,
            AT_LEAST_DRAW => Self::DependsOnChase(Bounds::AtLeastDraw),
            AT_MOST_DRAW => Self::DependsOnChase(Bounds::AtMostDraw),
            UNKNOWN => Self::DependsOnChase(Bounds::Unknown),
            _ if packed.is_multiple_of(2) => Self::Win(packed - 1),
            _ => Self::Loss(packed - 1),
        }
    }

    /// The value, for the side that moved, of a move to a position with this value.
    pub const fn before(self) -> Self {
        match self {
            Self::Draw => Self::Draw,
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Loss(plies) => Self::Win(plies + 1),
            Self::DependsOnChase(bounds) => Self::DependsOnChase(bounds.swapped()),
        }
    }

    /// The value without its distance: a win in 1, a loss in 2, or a draw.
    pub(crate) const fn wdl(self) -> Self {
        match self {
            Self::Draw | Self::DependsOnChase(_) => self,
            Self::Win(_) => Self::Win(1),
            Self::Loss(_) => Self::Loss(2),
        }
    }

    /// Orders values by preference of the side to move: short wins first, long losses before short ones; a certain draw
    /// before a risk.
    pub const fn preference(self) -> i32 {
        match self {
            Self::Draw => 0,
            Self::DependsOnChase(Bounds::AtLeastDraw) => 1,
            Self::DependsOnChase(Bounds::Unknown) => -1,
            Self::DependsOnChase(Bounds::AtMostDraw) => -2,
            Self::Win(plies) => 0x1_0000 - plies as i32,
            Self::Loss(plies) => plies as i32 - 0x1_0000,
        }
    }
}

/// `win in 5`, `loss in 4`, `draw`: plies.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw => f.write_str("draw"),
            Self::Win(plies) => write!(f, "win in {plies}"),
            Self::Loss(plies) => write!(f, "loss in {plies}"),
            Self::DependsOnChase(_) => f.write_str("depends on chase"),
        }
    }
}

/// The values of one side to move, a byte each if that suffices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

/// Marks illegal entries, whose value is free.
pub(crate) const FREE_BYTE: u8 = u8::MAX;
/// The same where values take two bytes.
pub(crate) const FREE_WORD: u16 = u16::MAX;

impl Values {
    #[inline]
    pub(crate) fn packed(&self, number: u64) -> Packed {
        match self {
            Self::Bytes(values) => values[number as usize].into(),
            Self::Words(values) => values[number as usize],
        }
    }

    /// Whether a value depends on chases.
    pub(crate) fn depend_on_chase(&self) -> bool {
        match self {
            Self::Bytes(_) => false,
            Self::Words(values) => values.iter().any(|packed| (AT_LEAST_DRAW..=UNKNOWN).contains(packed)),
        }
    }

    #[inline]
    pub(crate) fn get(&self, number: u64) -> Value {
        Value::from_packed(self.packed(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_values() {
        for value in [Value::Draw, Value::Loss(0), Value::Win(1), Value::Loss(2), Value::Win(253)] {
            assert_eq!(Value::from_packed(value.packed()), value);
        }
        for bounds in [Bounds::AtLeastDraw, Bounds::AtMostDraw, Bounds::Unknown] {
            let value = Value::DependsOnChase(bounds);
            assert_eq!(Value::from_packed(value.packed()), value);
            assert_eq!(value.before().before(), value);
        }
    }

    #[test]
    fn quick_wins_and_slow_losses_are_preferred() {
        let order = [Value::Loss(0), Value::Loss(4), Value::Draw, Value::Win(9), Value::Win(1)];
        assert!(order.windows(2).all(|pair| pair[0].preference() < pair[1].preference()));
        assert_eq!(Value::Loss(0).before(), Value::Win(1));
    }
}
