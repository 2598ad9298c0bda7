//! Records that were sealed by earlier versions: they are read for ever.

use super::super::canonical;
use super::super::decision::{Act, Kind, Sealed, Soundness, seal, soundness};
use super::super::fixture::*;
use super::super::gate::Policy;
use super::super::policy::Role;
use serde_json::Value;

/// A record as the first version wrote it, and the digest it had.
fn first() -> (Value, String) {
    let stored: Value = serde_json::from_str(include_str!("records/accepted_0_1.json")).unwrap();
    let digest = stored["digest"].as_str().unwrap().to_owned();
    (stored["record"].clone(), digest)
}

#[test]
fn a_record_of_the_first_version_is_still_read_with_every_number() {
    let (record, digest) = first();
    let sealed: Sealed = serde_json::from_value(record.clone()).unwrap();
    assert_eq!(sealed.case, "PEL-0042");
    assert_eq!((sealed.format, sealed.act.kind), (1, Kind::Accepted));
    assert!(sealed.overrides.is_empty());
    assert_eq!(
        sealed.gate.lines.len(),
        record["gate"]["lines"].as_array().unwrap().len()
    );
    assert_eq!(sealed.comparisons.len(), 2);
    let row = &sealed.comparisons[0].rows[0];
    assert_eq!(
        Some(row.limit),
        record["comparisons"][0]["rows"][0]["limit"].as_f64()
    );
    assert!(sealed.canary.is_some());
    // Whoever cannot check a digest says so, and accuses nobody.
    assert_ne!(soundness(&record, &digest), Soundness::Changed);
}

#[test]
fn a_record_of_now_is_sound_as_stored_and_one_changed_number_is_seen() {
    let case = ready();
    let act = Act {
        kind: Kind::Accepted,
        by: REVIEWER,
        name: "R. Costa".to_owned(),
        role: Role::Reviewer,
        at: now(),
        note: "all limits hold".to_owned(),
        app_version: "0.1.0".to_owned(),
    };
    let sealed = seal(
        &case,
        &case.changes[0],
        accept(&case),
        act,
        &Policy::default(),
    )
    .unwrap();
    let mut record = serde_json::to_value(&sealed).unwrap();
    // The store keeps neither the order of keys nor the spelling of numbers.
    let text = serde_json::to_string(&record).unwrap();
    let again: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(soundness(&again, &sealed.digest()), Soundness::Sound);
    assert_eq!(canonical::digest(&record), sealed.digest());
    assert_eq!(serde_json::from_value::<Sealed>(again).unwrap(), sealed);
    record["comparisons"][0]["rows"][0]["limit"] = Value::from(0.81);
    assert_eq!(soundness(&record, &sealed.digest()), Soundness::Changed);
    // Leaving the format out does not make a changed record pass for an old one.
    record.as_object_mut().unwrap().remove("format");
    assert_ne!(soundness(&record, &sealed.digest()), Soundness::Sound);
}
