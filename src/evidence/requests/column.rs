//! Columns: one fact of every request, a few bytes each.
//!
//! A column costs nothing until a row has its fact, and grows in pieces, so that millions of rows
//! never need a second copy of it while it grows.

/// Rows of one piece.
const PIECE: usize = 1 << 16;

/// A value with a pattern that says "not captured".
pub trait Slot: Copy {
    /// Not captured.
    const NONE: Self;
    /// Whether it is that.
    fn is_none(self) -> bool;
}

impl Slot for f64 {
    const NONE: Self = Self::NAN;
    fn is_none(self) -> bool {
        self.is_nan()
    }
}

macro_rules! slot {
    ($type:ty, $none:expr) => {
        impl Slot for $type {
            const NONE: Self = $none;
            fn is_none(self) -> bool {
                self == $none
            }
        }
    };
}
slot!(i64, i64::MIN);
slot!(u64, u64::MAX);
slot!(u32, u32::MAX);
slot!(u16, u16::MAX);

/// One fact of every row.
#[derive(Debug, Default)]
pub struct Column<T> {
    pieces: Vec<Vec<T>>,
    len: usize,
}

impl<T: Slot> Column<T> {
    /// Sets the fact of a row; rows before it that have none stay without.
    pub fn set(&mut self, row: usize, value: T) {
        while self.len <= row {
            if self.len.is_multiple_of(PIECE) {
                self.pieces.push(Vec::with_capacity(PIECE));
            }
            let piece = self.pieces.last_mut().expect("a piece was just there");
            piece.push(T::NONE);
            self.len += 1;
        }
        self.pieces[row / PIECE][row % PIECE] = value;
    }

    /// The fact of a row.
    pub fn get(&self, row: usize) -> Option<T> {
        if row >= self.len {
            return None;
        }
        let value = self.pieces[row / PIECE][row % PIECE];
        (!value.is_none()).then_some(value)
    }

    /// Whether no row has it.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes it holds.
    pub fn bytes(&self) -> usize {
        self.pieces.len() * PIECE * size_of::<T>()
    }

    /// Gives its memory back.
    pub fn clear(&mut self) {
        self.pieces = Vec::new();
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_costs_nothing_until_a_row_has_it() {
        let mut column = Column::<u32>::default();
        assert!(column.is_empty() && column.get(7).is_none() && column.bytes() == 0);
        column.set(PIECE + 2, 5);
        assert_eq!(column.get(PIECE + 2), Some(5));
        assert_eq!(column.get(PIECE + 1), None);
        assert_eq!(column.get(PIECE + 3), None);
        column.set(3, 9);
        assert_eq!(column.get(3), Some(9));
    }
}
