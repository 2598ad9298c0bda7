//! Damaged, foreign and hostile files, and the sentences for them.

use super::*;
use crate::{Kind, detect};
use proptest::prelude::*;
use std::io::Write;

#[test]
fn damage_is_refused_with_its_line_and_field() {
    let cases = [
        (format!("{HEADER}\n"), "no-measured-load-level", None),
        (
            csv(HEADER, &[rows()[0].replacen(",90,", ",9O,", 1)]),
            "perf-cell",
            Some("line 2"),
        ),
        (csv(HEADER, &[row(0.0, 10.0)]), "perf-cell", Some("line 2")),
        (
            csv(HEADER, &["1,2,3".to_owned()]),
            "perf-row-cells",
            Some("line 2"),
        ),
        (
            format!("{HEADER},p50 latency\n"),
            "perf-header",
            Some("line 1"),
        ),
        (
            csv(HEADER, &["1".repeat(MOST_LINE_BYTES + 1)]),
            "perf-line-too-long",
            Some("line 2"),
        ),
        (
            csv(HEADER, &vec![row(1.0, 10.0); MOST_POINTS + 1]),
            "perf-too-many-points",
            Some("line 1002"),
        ),
    ];
    for (text, code, place) in cases {
        let refusal = parse(&text).unwrap_err();
        assert_eq!(
            (refusal.code.as_str(), refusal.place.as_deref()),
            (code, place)
        );
    }
    let refusal = parse(&csv(HEADER, &[rows()[0].replacen(",90,", ",9O,", 1)])).unwrap_err();
    assert_eq!(refusal.args["field"], "Network+Server Send/Recv");
    assert_eq!(refusal.args["text"], "9O");
}

#[test]
fn a_last_row_cut_in_the_middle_is_left_out_and_said() {
    let text = csv(HEADER, &rows());
    let reading = read_ok(&text[..text.len() - 20]);
    assert_eq!(reading.figures[0].rows.len(), 4);
    let note = reading
        .notes
        .iter()
        .find(|n| n.code == "perf-cut-row")
        .unwrap();
    assert_eq!(note.args["line"], "6");
}

#[test]
fn bom_crlf_blank_lines_and_gzip_change_nothing() {
    let plain = whole("a.csv", csv(HEADER, &rows()).as_bytes()).unwrap();
    let dressed = format!("\u{feff}{}\r\n", csv(HEADER, &rows()).replace('\n', "\r\n"));
    let dressed = whole("a.csv", dressed.as_bytes()).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(csv(HEADER, &rows()).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let unpacked = whole("a.csv", &packed).unwrap();
    for other in [dressed, unpacked] {
        assert_eq!(plain.signals, other.signals);
        assert_eq!(plain.figures, other.figures);
    }
    let cut = whole("a.csv", &packed[..packed.len() - 12]).unwrap_err();
    assert_eq!(cut.code, "perf-gzip-damaged");
}

#[test]
fn files_of_the_family_are_told_apart() {
    let refused = [
        (
            "Concurrency;Inferences/Second;p50 latency\n",
            "perf-csv-delimiter",
        ),
        ("Concurrency,Throughput\n1,2\n", "needs-mapping"),
    ];
    for (text, code) in refused {
        assert_eq!(
            whole("f", text.as_bytes()).unwrap_err().code,
            code,
            "{text}"
        );
    }
    let known = [
        (
            "\"Request Rate\",\"Inferences/Second\"\n",
            Kind::PerfAnalyzerCsv,
        ),
        (
            "*** Measurement Settings ***\n  Batch size: 1\n",
            Kind::PerfAnalyzerConsole,
        ),
        (
            "$ x\nConcurrency: 4, 69.2 infer/sec, latency 14443 usec\n",
            Kind::PerfAnalyzerConsole,
        ),
        (
            "{\"experiments\": [{\"experiment\": {}}]}",
            Kind::PerfAnalyzerExport,
        ),
        (
            "Model,Batch,Concurrency,Satisfies Constraints\n",
            Kind::ModelAnalyzerCsv,
        ),
        (
            "{\"ResultManager.results\": {}}",
            Kind::ModelAnalyzerCheckpoint,
        ),
    ];
    for (text, kind) in known {
        let (_dir, file) = source("f", text.as_bytes());
        assert_eq!(detect::kind_of(&[file]), Ok(kind), "{text}");
    }
}

#[test]
fn a_number_of_another_locale_is_refused_not_guessed() {
    let comma = rows()[0].replacen("100.000", "\"100,000\"", 1);
    let refusal = parse(&csv(HEADER, &[comma])).unwrap_err();
    assert_eq!(refusal.code, "perf-locale-number");
    assert_eq!(refusal.args["field"], "Inferences/Second");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        let mut after_header = format!("{HEADER},Avg GPU Utilization\n").into_bytes();
        after_header.extend(&bytes);
        for bytes in [bytes, after_header] {
            let _ = Table::from_csv("f", &mut bytes.as_slice()).map(|s| reading(&s));
        }
    }

    #[test]
    fn whatever_looks_like_a_sweep_never_panics(
        rate in any::<bool>(),
        columns in 2usize..14,
        cells in proptest::collection::vec("[0-9]{1,4}|-?[0-9]\\.[0-9]e[+-][0-9]{1,3}|nan|inf||0", 0..140),
    ) {
        let header: Vec<&str> = HEADER.split(',').take(columns).collect();
        let header = header.join(",");
        let header = if rate { header.replace("Concurrency", "Request Rate") } else { header };
        let lines: Vec<String> = cells.chunks(columns).map(|c| c.join(",")).collect();
        if let Ok(reading) = parse(&csv(&header, &lines)) {
            for signal in &reading.signals {
                prop_assert!(signal.value.is_finite() && signal.value >= 0.0);
            }
            for figure in &reading.figures {
                prop_assert!(figure.rows.iter().all(|r| r.len() == figure.columns.len()));
            }
        }
    }

    #[test]
    fn the_order_of_rows_plays_no_part(
        order in Just((0..6usize).collect::<Vec<_>>()).prop_shuffle()
    ) {
        let mut all = rows();
        all.push(row(4.0, 16.0));
        let shuffled: Vec<String> = order.iter().map(|i| all[*i].clone()).collect();
        let (one, other) = (read_ok(&csv(HEADER, &all)), read_ok(&csv(HEADER, &shuffled)));
        prop_assert_eq!(one.signals, other.signals);
        prop_assert_eq!(one.figures, other.figures);
    }
}
