use super::*;
use pel_evidence::{Kind, Statistic, Tool};

#[test]
fn values_carry_the_prefix_a_person_reads() {
    for (unit, number, text) in [
        (Unit::Seconds, 0.012_345, "12.35 ms"),
        (Unit::Seconds, 93.0, "93 s"),
        (Unit::Seconds, 2.5e-7, "250 ns"),
        (Unit::Seconds, 0.0, "0 s"),
        (Unit::Seconds, -0.5, "-500 ms"),
        (Unit::Bytes, 1536.0, "1.5 KiB"),
        (Unit::Bytes, 12.0, "12 B"),
        (Unit::BytesPerSecond, 3.0 * 1_073_741_824.0, "3 GiB/s"),
        (Unit::Ratio, 0.9937, "99.37 %"),
        (Unit::Count, 1_234_567.0, "1 234 567"),
        (Unit::TokensPerSecond, 843.21, "843.2 tokens/s"),
        (Unit::PerSecond, 0.5, "0.5 /s"),
    ] {
        assert_eq!(value(unit, number), text);
    }
}

fn sample() -> Reading {
    let tool = Tool {
        name: "vLLM".to_owned(),
        version: None,
        format: None,
    };
    let mut reading = Reading::new(Kind::VllmMetrics, "1", tool);
    let ttft = Signal::new("ttft", Statistic::P99, 1.5).samples(1200);
    reading.push(ttft.bound(Bound::AtLeast).label("engine", 0));
    reading.push(Signal::new("ttft", Statistic::P50, 0.2).scope(Scope::SinceStart));
    reading.note(Note::new(NoteLevel::NotCaptured, "no-such-note-here").arg("what", "itl"));
    reading
}

#[test]
fn a_reading_is_one_line_per_signal_and_its_notes() {
    let text = reading(Lang::En, &sample());
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert!(
        lines.contains(&vec![
            "ttft", "p99", "≥", "1.5", "s", "1", "200", "engine=0"
        ]),
        "{text}"
    );
    let second = lines
        .iter()
        .find(|l| l.get(1) == Some(&"p50"))
        .expect("a line");
    assert_eq!(second[2..4], ["200", "ms"]);
    assert!(text.contains("? no-such-note-here (what=itl)"), "{text}");
}

#[test]
fn both_languages_have_the_words_of_the_table() {
    for lang in Lang::ALL {
        let text = reading(lang, &sample());
        assert!(!text.contains("inspect-"), "{text}");
    }
    assert_ne!(reading(Lang::En, &sample()), reading(Lang::PtBr, &sample()));
}

#[test]
fn a_refusal_names_file_reason_place_and_way_out() {
    let text = refusal(
        Lang::En,
        &Refusal::new("bad\u{1b}[31m.csv", "unknown-format")
            .at("line 3")
            .command("nsys export x"),
    );
    let first = text.lines().next().expect("a line");
    assert!(
        first.starts_with("bad[31m.csv: ") && first.ends_with("(line 3)"),
        "{text}"
    );
    assert!(
        text.lines().count() >= 3 && text.ends_with("  nsys export x\n"),
        "{text}"
    );
    assert!(!text.contains("unknown-format"), "in words: {text}");
}

#[test]
fn a_refusal_without_a_sentence_still_says_its_code_and_arguments() {
    let text = refusal(
        Lang::PtBr,
        &Refusal::new("a", "not-in-any-catalogue").arg("n", 3),
    );
    assert_eq!(text, "a: not-in-any-catalogue (n=3)\n");
}
