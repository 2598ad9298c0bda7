//! Checkpoints of the audit log: what a chain of hashes alone cannot show is that its tail was cut
//! off. A checkpoint says how many events there were and what the last one's hash was; it is
//! signed, and whoever keeps it elsewhere can hold the log against it later.
//!
//! Nothing here touches the database: a log is walked row by row, wherever the rows come from.

use super::audit::Body;
use super::{Error, Result};
use crate::ladder::canonical;
use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// What a checkpoint is called in its own file.
pub const KIND: &str = "pel.audit.checkpoint";
/// The most steps back of the clock that one checkpoint lists; their number is always said.
pub const CLOCK_STEPS: usize = 100;

/// The server's clock was behind an earlier event: the order is that of the sequence all the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockStep {
    /// The event.
    pub seq: i64,
    /// What the clock said at the event before, microseconds since the Unix epoch.
    pub before_us: i64,
    /// What it said at this one.
    pub at_us: i64,
}

/// What is signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// [`KIND`].
    pub kind: String,
    /// Version of this shape.
    pub format: u32,
    /// Number, from 1, without gaps.
    pub number: i32,
    /// When it was made, RFC 3339.
    pub made_at: String,
    /// First event it covers: the one after the last of the checkpoint before.
    pub first_seq: i64,
    /// Last event it covers; events are numbered without gaps, so this is also their count.
    pub last_seq: i64,
    /// Hash of the last event, in hex.
    pub last_hash: String,
    /// Root of the Merkle tree over the hashes of the events it covers, in hex.
    pub merkle_root: String,
    /// SHA-256 of the canonical text of the checkpoint before.
    pub previous: Option<String>,
    /// How often the clock stepped back among the events it covers.
    pub clock_steps: u64,
    /// The first of those.
    pub clock: Vec<ClockStep>,
}

impl Checkpoint {
    /// The bytes that are signed.
    pub fn text(&self) -> String {
        // Plain fields: it always becomes a value.
        canonical::text(&serde_json::to_value(self).unwrap_or_default())
    }

    /// Digest of the text, which the next checkpoint names.
    pub fn digest(&self) -> String {
        hex::encode(Sha256::digest(self.text().as_bytes()))
    }
}

/// A checkpoint with its signature: the content of the file that is kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signed {
    /// What is signed: the canonical text of this object.
    pub checkpoint: Checkpoint,
    /// Ed25519 signature, in hex.
    pub signature: String,
    /// The key it verifies with, in hex. Compare it with what you noted down.
    pub public_key: String,
}

impl Signed {
    /// Whether the signature is that of the named key over the checkpoint.
    pub fn is_genuine(&self) -> bool {
        let (Ok(key), Ok(signature)) =
            (hex::decode(&self.public_key), hex::decode(&self.signature))
        else {
            return false;
        };
        self.checkpoint.kind == KIND
            && UnparsedPublicKey::new(&ED25519, key)
                .verify(self.checkpoint.text().as_bytes(), &signature)
                .is_ok()
    }
}

/// The key checkpoints are signed with.
pub struct Key(Ed25519KeyPair);

impl Key {
    /// A fresh key as it is kept in a file: PKCS#8 in hex.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn fresh() -> Result<String> {
        let made = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new())
            .map_err(|_| Error::Unstorable("the system gave no random bytes".to_owned()))?;
        Ok(hex::encode(made.as_ref()))
    }

    /// The key of a file's text.
    ///
    /// # Errors
    /// When the text is no key.
    pub fn read(text: &str) -> Result<Self> {
        let no_key = |what: &str| Error::Unstorable(format!("not an audit key: {what}"));
        let bytes = hex::decode(text.trim()).map_err(|_| no_key("it is not hex"))?;
        let pair = Ed25519KeyPair::from_pkcs8(&bytes).map_err(|e| no_key(&e.to_string()))?;
        Ok(Self(pair))
    }

    /// The public half, in hex.
    pub fn public(&self) -> String {
        hex::encode(self.0.public_key().as_ref())
    }

    /// Signs a checkpoint.
    pub fn sign(&self, checkpoint: Checkpoint) -> Signed {
        Signed {
            signature: hex::encode(self.0.sign(checkpoint.text().as_bytes()).as_ref()),
            public_key: self.public(),
            checkpoint,
        }
    }
}

/// A Merkle tree over hashes in order, with memory for one hash per level. A node is
/// `SHA-256(1 ‖ left ‖ right)`, a leaf `SHA-256(0 ‖ hash)`, so that neither passes for the other;
/// a last node without a partner moves up as it is.
#[derive(Debug, Clone, Default)]
pub struct Merkle {
    /// Complete subtrees, the largest first: height and root.
    peaks: Vec<(u32, [u8; 32])>,
}

impl Merkle {
    /// Adds the next hash.
    pub fn push(&mut self, hash: &[u8]) {
        let mut leaf = Sha256::new();
        leaf.update([0]);
        leaf.update(hash);
        let (mut height, mut root): (u32, [u8; 32]) = (0, leaf.finalize().into());
        while let Some((h, left)) = self.peaks.last().copied() {
            if h != height {
                break;
            }
            self.peaks.pop();
            root = join(&left, &root);
            height += 1;
        }
        self.peaks.push((height, root));
    }

    /// The root in hex; of nothing, that of the empty text.
    pub fn root(&self) -> String {
        let mut peaks = self.peaks.iter().rev().map(|(_, root)| *root);
        let Some(mut root) = peaks.next() else {
            return hex::encode(Sha256::digest([]));
        };
        for left in peaks {
            root = join(&left, &root);
        }
        hex::encode(root)
    }
}

fn join(left: &[u8; 32], right: &[u8; 32]) -> [u8; 32] {
    let mut node = Sha256::new();
    node.update([1]);
    node.update(left);
    node.update(right);
    node.finalize().into()
}

/// One row of the log, as stored or exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Place in the chain.
    pub seq: i64,
    /// The canonical body.
    pub body: String,
    /// Hash of the row before.
    pub prev_hash: Vec<u8>,
    /// Its own hash.
    pub hash: Vec<u8>,
}

/// A row of an export: one per line, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exported {
    /// Place in the chain.
    pub seq: i64,
    /// The canonical body, as the text that is hashed.
    pub body: String,
    /// Hash of the row before, in hex.
    pub prev_hash: String,
    /// Its own hash, in hex.
    pub hash: String,
}

impl From<&Row> for Exported {
    fn from(row: &Row) -> Self {
        Self {
            seq: row.seq,
            body: row.body.clone(),
            prev_hash: hex::encode(&row.prev_hash),
            hash: hex::encode(&row.hash),
        }
    }
}

impl Exported {
    /// The row of a line.
    ///
    /// # Errors
    /// When a hash is no hex.
    pub fn row(&self) -> Result<Row> {
        let bytes = |text: &str| {
            hex::decode(text).map_err(|e| Error::Unstorable(format!("event {}: {e}", self.seq)))
        };
        Ok(Row {
            seq: self.seq,
            body: self.body.clone(),
            prev_hash: bytes(&self.prev_hash)?,
            hash: bytes(&self.hash)?,
        })
    }
}

/// What a walk found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// Every row continues the chain, and every checkpoint agrees.
    Intact {
        /// Rows walked.
        events: i64,
        /// Last hash in hex, to be kept elsewhere.
        last_hash: String,
    },
    /// The first row that does not.
    Broken {
        /// Sequence number at which the chain breaks.
        seq: i64,
        /// What is wrong there.
        what: &'static str,
    },
}

/// The link of a row to the one before: what its hash must be.
pub fn link(prev: &[u8], body: &str) -> Vec<u8> {
    let mut hasher = Sha256::new();
    hasher.update(prev);
    hasher.update(body.as_bytes());
    hasher.finalize().to_vec()
}

/// Walks a log row by row and holds it against checkpoints. Memory does not grow with the log.
#[derive(Debug, Clone)]
pub struct Walk {
    expected: i64,
    prev: Vec<u8>,
    at_us: Option<i64>,
    marks: Vec<(Checkpoint, Merkle)>,
    broken: Option<(i64, &'static str)>,
}

impl Walk {
    /// A walk from the first event.
    pub fn new(checkpoints: Vec<Checkpoint>) -> Self {
        Self {
            expected: 1,
            prev: vec![0; 32],
            at_us: None,
            marks: checkpoints
                .into_iter()
                .map(|c| (c, Merkle::default()))
                .collect(),
            broken: None,
        }
    }

    /// Takes the next row. False: the log is broken there, and nothing after it is looked at.
    pub fn step(&mut self, row: &Row) -> bool {
        if self.broken.is_some() {
            return false;
        }
        if let Some(what) = self.fault(row) {
            self.broken = Some((self.expected, what));
            return false;
        }
        for (mark, merkle) in &mut self.marks {
            if !(mark.first_seq..=mark.last_seq).contains(&row.seq) {
                continue;
            }
            merkle.push(&row.hash);
            if mark.last_seq != row.seq {
                continue;
            }
            if hex::encode(&row.hash) != mark.last_hash {
                self.broken = Some((row.seq, "a checkpoint knows another event here"));
            } else if merkle.root() != mark.merkle_root {
                let what = "a checkpoint knows other events up to here";
                self.broken = Some((mark.first_seq, what));
            }
        }
        self.expected += 1;
        self.prev.clone_from(&row.hash);
        self.broken.is_none()
    }

    fn fault(&mut self, row: &Row) -> Option<&'static str> {
        if row.seq != self.expected {
            return Some("a row is missing");
        }
        if row.prev_hash != self.prev {
            return Some("the link to the row before is wrong");
        }
        if link(&self.prev, &row.body) != row.hash {
            return Some("the row was changed after it was written");
        }
        match serde_json::from_str::<Body>(&row.body) {
            Ok(body) if body.seq == row.seq => self.at_us = Some(body.at_us),
            _ => return Some("the body cannot be read"),
        }
        None
    }

    /// What was found, once the last row was taken.
    pub fn verdict(self) -> Verdict {
        let cut = || {
            self.marks
                .iter()
                .any(|(mark, _)| mark.last_seq >= self.expected)
                .then_some((
                    self.expected,
                    "the log was cut: a checkpoint knows later events",
                ))
        };
        match self.broken.or_else(cut) {
            Some((seq, what)) => Verdict::Broken { seq, what },
            None => Verdict::Intact {
                events: self.expected - 1,
                last_hash: hex::encode(self.prev),
            },
        }
    }
}

/// Reads the events since the last checkpoint and makes the next one of them.
#[derive(Debug, Clone)]
pub struct Maker {
    first_seq: i64,
    last: Option<(i64, String)>,
    merkle: Merkle,
    before_us: Option<i64>,
    clock_steps: u64,
    clock: Vec<ClockStep>,
}

impl Maker {
    /// For the events from `first_seq` on; `before_us` is the clock at the event before it.
    pub fn new(first_seq: i64, before_us: Option<i64>) -> Self {
        Self {
            first_seq,
            last: None,
            merkle: Merkle::default(),
            before_us,
            clock_steps: 0,
            clock: Vec::new(),
        }
    }

    /// Takes the next event: its place, hash and clock.
    pub fn push(&mut self, seq: i64, hash: &[u8], at_us: i64) {
        self.merkle.push(hash);
        if let Some(before_us) = self.before_us.filter(|b| at_us < *b) {
            self.clock_steps += 1;
            if self.clock.len() < CLOCK_STEPS {
                self.clock.push(ClockStep {
                    seq,
                    before_us,
                    at_us,
                });
            }
        }
        self.before_us = Some(at_us);
        self.last = Some((seq, hex::encode(hash)));
    }

    /// The checkpoint; `None` when there was no event.
    pub fn made(self, previous: Option<&Checkpoint>, made_at: String) -> Option<Checkpoint> {
        let (last_seq, last_hash) = self.last?;
        Some(Checkpoint {
            kind: KIND.to_owned(),
            format: 1,
            number: previous.map_or(1, |p| p.number + 1),
            made_at,
            first_seq: self.first_seq,
            last_seq,
            last_hash,
            merkle_root: self.merkle.root(),
            previous: previous.map(Checkpoint::digest),
            clock_steps: self.clock_steps,
            clock: self.clock,
        })
    }
}

/// A checkpoint file's content.
///
/// # Errors
/// A sentence saying what is wrong with it.
pub fn read(text: &str) -> std::result::Result<Signed, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| format!("it is no JSON: {e}"))?;
    let signed: Signed =
        serde_json::from_value(value).map_err(|e| format!("it is no checkpoint: {e}"))?;
    if signed.is_genuine() {
        Ok(signed)
    } else {
        Err("its signature does not fit its content".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A log of so many events, the clock as given.
    fn log(clock: &[i64]) -> Vec<Row> {
        let mut prev = vec![0u8; 32];
        let mut rows = Vec::new();
        for (i, at_us) in clock.iter().enumerate() {
            let seq = i as i64 + 1;
            let body = json!({
                "seq": seq, "at_us": at_us, "person_id": null, "name": "app", "role": null, "act": "x",
                "object_kind": "o", "object_id": "1", "case_id": null, "before": null, "after": null,
                "request_id": null, "network": null, "reason": null, "detail": null,
            })
            .to_string();
            let hash = link(&prev, &body);
            rows.push(Row {
                seq,
                body,
                prev_hash: prev.clone(),
                hash: hash.clone(),
            });
            prev = hash;
        }
        rows
    }

    fn walk(rows: &[Row], checkpoints: &[&Checkpoint]) -> Verdict {
        let mut walk = Walk::new(checkpoints.iter().map(|c| (*c).clone()).collect());
        for row in rows {
            if !walk.step(row) {
                break;
            }
        }
        walk.verdict()
    }

    fn checkpoint(rows: &[Row], previous: Option<&Checkpoint>) -> Checkpoint {
        let first = previous.map_or(1, |p| p.last_seq + 1);
        let mut maker = Maker::new(first, None);
        for row in rows.iter().filter(|r| r.seq >= first) {
            let body: Body = serde_json::from_str(&row.body).unwrap();
            maker.push(row.seq, &row.hash, body.at_us);
        }
        maker
            .made(previous, "2026-11-30T00:05:00Z".to_owned())
            .unwrap()
    }

    fn broken_at(verdict: Verdict) -> i64 {
        match verdict {
            Verdict::Broken { seq, .. } => seq,
            Verdict::Intact { .. } => 0,
        }
    }

    #[test]
    fn x11_a_row_edited_removed_inserted_or_moved_is_found_at_its_place() {
        let rows = log(&[1, 2, 3, 4, 5]);
        assert_eq!(broken_at(walk(&rows, &[])), 0);
        let mut edited = rows.clone();
        edited[2].body = edited[2].body.replace("\"x\"", "\"y\"");
        assert_eq!(broken_at(walk(&edited, &[])), 3);
        let mut rehashed = edited.clone();
        rehashed[2].hash = link(&rehashed[2].prev_hash, &rehashed[2].body);
        assert_eq!(
            broken_at(walk(&rehashed, &[])),
            4,
            "the next link gives it away"
        );
        let mut removed = rows.clone();
        removed.remove(1);
        assert_eq!(broken_at(walk(&removed, &[])), 2);
        let mut inserted = rows.clone();
        inserted.insert(3, rows[3].clone());
        assert_eq!(broken_at(walk(&inserted, &[])), 5);
        let mut moved = rows.clone();
        moved.swap(1, 2);
        assert_eq!(broken_at(walk(&moved, &[])), 2);
    }

    #[test]
    fn x12_a_tail_that_was_cut_is_found_against_the_checkpoint_kept_elsewhere() {
        let rows = log(&[1, 2, 3, 4, 5]);
        let kept = checkpoint(&rows, None);
        assert_eq!(broken_at(walk(&rows, &[&kept])), 0);
        assert_eq!(
            broken_at(walk(&rows[..3], &[])),
            0,
            "the chain alone does not show it"
        );
        assert_eq!(broken_at(walk(&rows[..3], &[&kept])), 4);
        // Cut and written on: other events stand where the checkpoint knows its own.
        let mut regrown = log(&[1, 2, 3, 7, 8, 9]);
        assert_eq!(broken_at(walk(&regrown, &[])), 0);
        assert_eq!(broken_at(walk(&regrown, &[&kept])), 5);
        regrown.truncate(0);
        assert_eq!(broken_at(walk(&regrown, &[&kept])), 1);
    }

    #[test]
    fn x12_each_of_several_checkpoints_is_compared() {
        let rows = log(&[1, 2, 3, 4, 5, 6, 7]);
        let first = checkpoint(&rows[..3], None);
        let second = checkpoint(&rows, Some(&first));
        assert_eq!(
            (second.first_seq, second.last_seq, second.number),
            (4, 7, 2)
        );
        assert_eq!(second.previous.as_deref(), Some(first.digest().as_str()));
        assert_eq!(broken_at(walk(&rows, &[&first, &second])), 0);
        let mut wrong = second.clone();
        wrong.merkle_root = first.merkle_root.clone();
        assert_eq!(broken_at(walk(&rows, &[&first, &wrong])), 4);
    }

    #[test]
    fn x13_a_clock_that_was_set_back_changes_no_order_and_is_noted() {
        let rows = log(&[10, 20, 15, 16, 5]);
        assert_eq!(broken_at(walk(&rows, &[])), 0, "the sequence orders");
        let made = checkpoint(&rows, None);
        assert_eq!(made.clock_steps, 2);
        let steps: Vec<(i64, i64, i64)> = made
            .clock
            .iter()
            .map(|s| (s.seq, s.before_us, s.at_us))
            .collect();
        assert_eq!(steps, [(3, 20, 15), (5, 16, 5)]);
    }

    #[test]
    fn a_signature_fits_one_checkpoint_and_one_key() {
        let key = Key::read(&Key::fresh().unwrap()).unwrap();
        let signed = key.sign(checkpoint(&log(&[1, 2, 3]), None));
        let text = serde_json::to_string_pretty(&signed).unwrap();
        assert_eq!(read(&text).unwrap(), signed);
        let mut fewer = signed.clone();
        fewer.checkpoint.last_seq = 2;
        assert!(!fewer.is_genuine());
        let other = Key::read(&Key::fresh().unwrap()).unwrap();
        let mut foreign = signed.clone();
        foreign.public_key = other.public();
        assert!(!foreign.is_genuine());
        assert!(read("{}").is_err() && read("no").is_err());
        assert!(Key::read("zz").is_err() && Key::read("00").is_err());
    }

    #[test]
    fn a_merkle_root_knows_each_leaf_and_its_place() {
        let root = |leaves: &[&[u8]]| {
            let mut tree = Merkle::default();
            leaves.iter().for_each(|l| tree.push(l));
            tree.root()
        };
        let all: Vec<String> = vec![
            root(&[]),
            root(&[b"a"]),
            root(&[b"a", b"b"]),
            root(&[b"b", b"a"]),
            root(&[b"a", b"b", b"c"]),
            root(&[b"a", b"b", b"c", b"c"]),
            root(&[b"a", b"b", b"c", b"d", b"e"]),
        ];
        let distinct: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
    }
}
