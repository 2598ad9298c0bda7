//! Which signals a table may hold: any of the catalogue, since a person says what they are. The
//! catalogue lists none of them under this kind, so that no form promises them of a table.

/// None by itself: see [`crate::Kind::is_attested`].
pub const YIELDS: &[&str] = &[];
