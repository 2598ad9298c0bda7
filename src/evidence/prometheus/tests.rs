use super::*;
use crate::{Kind, detect};
use std::io::Write;

struct Seen {
    before: Option<f64>,
    after: Option<f64>,
    values: Vec<(String, f64)>,
    cut: bool,
}

fn scrapes(text: &[u8]) -> (Vec<Seen>, Tally) {
    let mut reader = Reader::default();
    let mut out = Vec::new();
    reader
        .read(&mut &text[..], "m.prom", &mut |s| {
            let values = s.ids.iter().map(|id| {
                let key = &s.table.series()[*id as usize].key;
                (key.name.clone(), s.values[*id as usize])
            });
            out.push(Seen {
                before: s.before.and_then(Stamp::unix),
                after: s.after.and_then(Stamp::unix),
                values: values.collect(),
                cut: s.cut,
            });
            Ok(())
        })
        .expect("memory can be read")
        .expect("nothing is refused");
    (out, reader.tally().clone())
}

fn source(dir: &tempfile::TempDir, name: &str, bytes: &[u8]) -> Source {
    let path = dir.path().join(name);
    std::fs::write(&path, bytes).expect("the folder is ours");
    Source::at(path)
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).expect("memory");
    packer.finish().expect("memory")
}

#[test]
fn a_returning_series_begins_a_scrape_but_a_repeated_line_does_not() {
    let (seen, tally) = scrapes(b"a 1\na 2\nb 1\na 3\nb 4\n");
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0].values, [("a".into(), 2.0), ("b".into(), 1.0)]);
    assert_eq!(seen[1].values, [("a".into(), 3.0), ("b".into(), 4.0)]);
    assert_eq!((tally.duplicates, tally.scrapes, tally.samples), (1, 2, 5));
}

#[test]
fn time_lines_cut_scrapes_and_stand_before_or_after_them() {
    let (seen, tally) = scrapes(b"# 1780000000\na 1\n==== 1780000060 ====\na 2\n");
    assert_eq!(seen[0].before, Some(1_780_000_000.0));
    assert_eq!(seen[0].after, Some(1_780_000_060.0));
    assert_eq!(seen[1].before, Some(1_780_000_060.0));
    assert_eq!(seen[1].after, None);
    assert_eq!(tally.skipped, 0);
}

#[test]
fn headers_of_each_answer_give_its_time() {
    let one = "HTTP/1.1 200 OK\r\ndate: Thu, 28 May 2026 20:27:40 GMT\r\ncontent-type: application/openmetrics-text; version=1.0.0\r\n\r\n# TYPE a counter\r\na_total 1\r\n# EOF\r\n";
    let two = one.replace("20:27:40", "20:28:40");
    let (seen, tally) = scrapes(format!("{one}{two}").as_bytes());
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[1].before, Some(1_780_000_120.0));
    assert_eq!((tally.open_metrics, tally.without_eof), (1, 0));
    let (_, tally) = scrapes(one.replace("# EOF\r\n", "").as_bytes());
    assert_eq!(tally.without_eof, 1);
}

#[test]
fn a_cut_file_loses_one_line_and_says_which() {
    let (seen, tally) = scrapes(b"a 1\nb{x=\"1");
    assert_eq!(seen[0].values.len(), 1);
    assert!(seen[0].cut);
    assert_eq!(tally.first_skipped, Some((2, "m.prom".to_owned())));
    assert_eq!((tally.lines, tally.skipped, tally.cut), (2, 1, 1));
}

#[test]
fn gzip_of_several_members_is_one_text_and_damage_is_seen() {
    let dir = tempfile::tempdir().expect("a folder");
    let both = [gz(b"a 1\nb 1\n"), gz(b"a 2\nb 2\n")].concat();
    let whole = scan(&source(&dir, "m.gz", &both)).expect("it is readable");
    assert_eq!((whole.tally.scrapes, whole.tally.samples), (2, 4));
    let cut = source(&dir, "cut.gz", &both[..both.len() - 6]);
    let mut reader = Reader::default();
    assert_eq!(read_source(&mut reader, &cut, &mut |_| Ok(())), Ok(true));
    assert!(reader.tally().samples >= 2);
}

#[test]
fn more_series_than_the_cap_are_refused_with_the_line() {
    let mut text = Vec::new();
    for i in 0..=table::MOST_SERIES {
        writeln!(text, "a{{i=\"{i}\"}} 1").expect("memory");
    }
    let answer = Reader::default()
        .read(&mut &text[..], "m", &mut |_| Ok(()))
        .expect("memory can be read")
        .expect_err("it is too much");
    assert_eq!(answer.code, "metrics-too-many-series");
    assert_eq!(answer.place.as_deref(), Some("line 200001"));
}

fn kind(bytes: &[u8]) -> Result<Kind, Refusal> {
    let dir = tempfile::tempdir().expect("a folder");
    detect::kind_of(&[source(&dir, "upload", bytes)])
}

#[test]
fn content_decides_what_it_is() {
    let vllm = b"# HELP python_info x\npython_info 1\nvllm:num_requests_running 1\n";
    for text in [
        vllm.to_vec(),
        gz(vllm),
        [b"\xef\xbb\xbf".as_slice(), vllm].concat(),
        [b"HTTP/1.1 200 OK\r\nserver: x\r\n\r\n".as_slice(), vllm].concat(),
        [b"Thu May 28 20:27:40 UTC 2026\n".as_slice(), vllm].concat(),
        b"ray_vllm_num_requests_running{replica=\"a\"} 1\n".to_vec(),
    ] {
        assert_eq!(kind(&text), Ok(Kind::VllmMetrics));
    }
}

#[test]
fn families_far_down_the_file_are_found() {
    let mut text = Vec::new();
    while text.len() < 2 * detect::HEAD_BYTES {
        writeln!(text, "python_gc{{n=\"{}\"}} 1", text.len()).expect("memory");
    }
    let without = kind(&text).expect_err("no engine");
    assert_eq!(without.code, "metrics-without-engine");
    assert_eq!(without.args["families"], "python_gc");
    text.extend_from_slice(b"vllm:prompt_tokens_total 1\n");
    assert_eq!(kind(&text), Ok(Kind::VllmMetrics));
}

#[test]
fn what_cannot_be_read_is_refused_by_name() {
    for (text, code) in [
        ("<html><head><title>404 Not Found</title>", "web-error-page"),
        ("\n<!DOCTYPE html>\n<p>no", "web-error-page"),
        (r#"{"detail":"Not Found"}"#, "web-error-page"),
        (
            "HTTP/1.1 503 Service Unavailable\r\n\r\nupstream",
            "web-error-page",
        ),
        (
            "HTTP/1.1 200 OK\r\n\r\n{\"error\": \"x\"}",
            "web-error-page",
        ),
        (
            r#"{"status":"success","data":{"resultType":"matrix","result":[]}}"#,
            "prometheus-empty-answer",
        ),
        (
            r#"{"status":"success","data":{"resultType":"vector","result":[{"metric":{"engine":"0"},"value":[1780000000,"7.2"]}]}}"#,
            "prometheus-expression",
        ),
        (
            r#"{"status":"success","data":{"resultType":"scalar","result":[1780000000,"15"]}}"#,
            "prometheus-expression",
        ),
        (
            r#"{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"vllm:x"},"histogram":[1,{"count":"3"}]}]}}"#,
            "prometheus-native-histograms",
        ),
        (
            r#"{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"vllm:x"},"value":[1780000000,"1"#,
            "prometheus-api-damaged",
        ),
        (
            r#"{"status":"error","errorType":"bad_data","error":"x"}"#,
            "web-error-page",
        ),
        (
            r#"{__name__="up", job="a"} 1 1780000000000"#,
            "metrics-without-engine",
        ),
        ("{job=\"a\"} => 1 @[1780000000]", "prometheus-expression"),
        ("# TYPE x gauge\n# HELP x y\n", "metrics-no-sample"),
        ("up 1\n", "metrics-without-engine"),
        ("Dear reader,\nthis is a letter.\n", "unknown-format"),
    ] {
        assert_eq!(
            kind(text.as_bytes()).map_err(|r| r.code),
            Err(code.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn engines_and_devices_are_told_apart() {
    for (text, expected) in [
        ("sglang:num_running_reqs 1\n", Kind::EngineMetrics),
        ("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 99\n", Kind::GpuMetrics),
        (
            "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 99\nnv_inference_count{model=\"m\"} 1\n",
            Kind::EngineMetrics,
        ),
        (
            "{__name__=\"vllm:num_requests_running\", engine=\"0\"} 3 1780000000000\n",
            Kind::VllmMetrics,
        ),
        (
            "tgi_queue_size{a=\"b\"} =>\n3 @[1780000000]\n4 @[1780000015]\n",
            Kind::EngineMetrics,
        ),
        (
            r#"[{"metric":{"__name__":"llamacpp:requests_processing"},"values":[[1780000000,"1"]]}]"#,
            Kind::EngineMetrics,
        ),
    ] {
        assert_eq!(kind(text.as_bytes()), Ok(expected), "{text}");
    }
}

/// One round of an answer: its time, and values by name.
type Round = (Option<f64>, Vec<(String, f64)>);

fn rounds(text: &[u8]) -> Vec<Round> {
    let dir = tempfile::tempdir().expect("a folder");
    let mut reader = Reader::default();
    let mut out = Vec::new();
    let mut take = |s: &Scrape<'_>| {
        let values = s.ids.iter().map(|id| {
            let key = &s.table.series()[*id as usize].key;
            let instance = key.labels.first().map_or("", |(_, v)| v.as_str());
            (format!("{}{instance}", key.name), s.values[*id as usize])
        });
        out.push((s.sampled_at, values.collect()));
        Ok(())
    };
    read_source(&mut reader, &source(&dir, "a", text), &mut take).expect("readable");
    reader.finish(&mut take).expect("readable");
    out
}

#[test]
fn series_by_series_becomes_instant_by_instant() {
    let api = br#"{"status":"success","data":{"resultType":"matrix","result":[
        {"metric":{"__name__":"a","i":"1"},"values":[[1780000000,"1"],[1780000015,"2"],[1780000030,"NaN"]]},
        {"metric":{"__name__":"a","i":"2"},"values":[[1780000000,"5"],[1780000030,"7"]]}]},"warnings":["x"]}"#;
    let dump = b"{__name__=\"a\", i=\"1\"} 1 1780000000000\n{__name__=\"a\", i=\"1\"} 2 1780000015000\n{__name__=\"a\", i=\"1\"} NaN 1780000030000\n{__name__=\"a\", i=\"2\"} 5 1780000000000\n{__name__=\"a\", i=\"2\"} 7 1780000030000\n";
    let query = b"a{i=\"1\"} =>\n1 @[1780000000]\n2 @[1780000015]\nNaN @[1780000030]\na{i=\"2\"} =>\n5 @[1780000000]\n7 @[1780000030]\n";
    for text in [&api[..], dump, query] {
        let seen = rounds(text);
        assert_eq!(seen.len(), 3, "{}", String::from_utf8_lossy(text));
        assert_eq!(seen[0].0, Some(1_780_000_000.0));
        assert_eq!(seen[0].1, [("a1".into(), 1.0), ("a2".into(), 5.0)]);
        // A gap stays a gap.
        assert_eq!(seen[1].1, [("a1".into(), 2.0)]);
        assert!(seen[2].1[0].1.is_nan());
        assert_eq!(seen[2].1[1], ("a2".to_owned(), 7.0));
    }
}

#[test]
fn targets_asked_one_after_the_other_are_one_round() {
    let mut text = String::new();
    for (instance, offset) in [("1", 0), ("2", 7000), ("3", 11_003)] {
        for step in 0..4 {
            let at = 1_780_000_000_000_i64 + offset + step * 15_000 + (step % 2) * 3;
            text += &format!("{{__name__=\"a\", i=\"{instance}\"}} {step} {at}\n");
        }
    }
    let seen = rounds(text.as_bytes());
    assert_eq!(seen.len(), 4);
    for (step, (_, values)) in seen.iter().enumerate() {
        assert_eq!(values.len(), 3);
        assert!(values.iter().all(|(_, v)| *v == step as f64));
    }
}
