//! Whatever bytes come, a reader answers: a reading whose numbers are numbers, or a refusal. It
//! never panics.
//!
//! One test per family of files mutates samples of our own making. The dice are fixed, so a failure
//! comes back; `PEL_FUZZ_ROUNDS` raises the number of rounds.

use pel_evidence::{Options, Source, read, samples};
use std::{fs, panic};

/// Rounds of a family unless the environment asks for more.
const ROUNDS: u32 = 2000;

/// Words that break assumptions about numbers, ends and brackets.
const WORDS: [&[u8]; 24] = [
    b"NaN",
    b"-1",
    b"1e308",
    b"99999999999999999999",
    b"0x7f",
    b"inf",
    b"",
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r\n",
    b"\n\n",
    b"\r",
    b"\"",
    b"'",
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b"<",
    b",",
    b": ",
    b"\x1b[0m",
];

/// Repeatable numbers (64-bit LCG, upper bits).
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most.max(1)
    }
}

/// A sample with a few things done to it.
fn mutated(samples: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = samples[dice.below(samples.len())].clone();
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len() + 1);
        let reach = 1 << dice.below(12);
        let to = (at + dice.below(reach)).min(bytes.len());
        match dice.below(8) {
            0 => bytes.truncate(at),
            1 => {
                bytes.drain(at..to);
            }
            2 => {
                let piece = bytes[at..to].to_vec();
                bytes.splice(at..at, piece);
            }
            3 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = dice.below(256) as u8;
                }
            }
            4 => {
                let other = &samples[dice.below(samples.len())];
                let from = dice.below(other.len() + 1);
                let end = (from + dice.below(4096)).min(other.len());
                bytes.splice(at..at, other[from..end].iter().copied());
            }
            // A number or a word in place of one.
            5 => {
                let end = (at + dice.below(6)).min(bytes.len());
                bytes.splice(at..end, WORDS[dice.below(WORDS.len())].iter().copied());
            }
            6 => bytes.rotate_left(at),
            _ => {
                let digit = b'0' + dice.below(10) as u8;
                let end = (at + 1).min(bytes.len());
                bytes.splice(at..end, std::iter::repeat_n(digit, 1 + dice.below(40)));
            }
        }
    }
    bytes
}

/// Mutates the samples of a family and reads what comes out.
fn family(name: &str, samples: &[Vec<u8>]) {
    let rounds = std::env::var("PEL_FUZZ_ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(ROUNDS);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    let mut dice = Dice(name.bytes().fold(7, |seed, b| seed * 31 + u64::from(b)));
    let (mut read_well, mut refused) = (0, 0);
    for round in 0..rounds {
        let bytes = mutated(samples, &mut dice);
        fs::write(&path, &bytes).expect("the file can be written");
        let source = Source::at(&path);
        let answer = panic::catch_unwind(|| read(&[source], &Options::default()));
        match answer {
            Ok(Ok(reading)) => {
                read_well += 1;
                for signal in &reading.signals {
                    assert!(signal.value.is_finite(), "{name} {round}: {}", signal.name);
                }
                for distribution in &reading.distributions {
                    assert!(distribution.data.is_sound(), "{name} {round}");
                }
                for figure in &reading.figures {
                    let columns = figure.columns.len();
                    assert!(figure.rows.iter().all(|row| row.len() == columns));
                }
                serde_json::to_string(&reading).expect("a reading can be written");
            }
            Ok(Err(refusal)) => {
                refused += 1;
                assert!(!refusal.code.is_empty());
            }
            Err(_) => panic!("{name}: round {round} panicked"),
        }
    }
    println!("{name}: {rounds} rounds, {read_well} read, {refused} refused");
    assert!(read_well > 0 && refused > 0, "{name}: the dice are loaded");
}

#[test]
fn engine_logs() {
    let beats = samples::beats(12, 10, 3);
    let vllm = samples::vllm_log(&beats);
    let wrapped: String = vllm
        .lines()
        .map(|line| {
            let line = serde_json::to_string(line).expect("text");
            format!("{{\"log\":{line},\"time\":\"2026-08-20T22:10:00Z\"}}\n")
        })
        .collect();
    family(
        "engine logs",
        &[
            vllm.into_bytes(),
            samples::sglang_log(&beats).into_bytes(),
            wrapped.into_bytes(),
        ],
    );
}
