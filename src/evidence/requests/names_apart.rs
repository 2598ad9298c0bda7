//! Names and ids of a log kept small: names of classes and models by number, ids as a hash.

/// Most names told apart in a column of classes or models.
pub const MOST_NAMES: usize = 200;

/// Names told apart, by number.
#[derive(Debug, Default)]
pub struct Names {
    names: Vec<String>,
    last: u16,
    /// Whether there were more than [`MOST_NAMES`].
    pub overflow: bool,
}

impl Names {
    /// The number of a name.
    pub fn number(&mut self, name: &[u8]) -> Option<u16> {
        let is = |at: u16, names: &[String]| {
            names
                .get(usize::from(at))
                .is_some_and(|n| n.as_bytes() == name)
        };
        if is(self.last, &self.names) {
            return Some(self.last);
        }
        let known = self.names.iter().position(|n| n.as_bytes() == name);
        let at = match known {
            Some(at) => at,
            None if self.names.len() >= MOST_NAMES => {
                self.overflow = true;
                return None;
            }
            None => {
                let tamed = crate::reading::tame(&String::from_utf8_lossy(name));
                if let Some(at) = self.names.iter().position(|n| *n == tamed) {
                    return Some(at as u16);
                }
                self.names.push(tamed);
                self.names.len() - 1
            }
        };
        self.last = at as u16;
        Some(self.last)
    }

    /// The names, in order of first sight.
    pub fn all(&self) -> &[String] {
        &self.names
    }
}

/// A hash of an id (FNV-1a with a final mix): equal ids are equal, and of ten million different
/// ones two collide about once in half a million logs.
pub fn hash(id: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let (words, rest) = id.as_chunks::<8>();
    for word in words {
        hash = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 29;
    }
    for byte in rest {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= id.len() as u64;
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (hash ^ (hash >> 31)) & (u64::MAX >> 1)
}
