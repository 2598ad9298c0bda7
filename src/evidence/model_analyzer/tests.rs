//! Tables and checkpoints written here, one peculiarity each.

use crate::{Bound, Cell, Options, Reading, Refusal, Source, Statistic, samples};

const HEAD: &str = "Model,Batch,Concurrency,Model Config Path,Instance Group,Max Batch Size,Satisfies Constraints,Throughput (infer/sec),p99 Latency (ms)\n";

fn read(files: &[&str]) -> Result<Reading, Refusal> {
    let dir = tempfile::tempdir().unwrap();
    let sources: Vec<Source> = files
        .iter()
        .enumerate()
        .map(|(i, text)| {
            let path = dir.path().join(format!("{i}.csv"));
            std::fs::write(&path, text).unwrap();
            Source::at(path)
        })
        .collect();
    crate::read(&sources, &Options::default())
}

fn value(r: &Reading, name: &str, statistic: Statistic, labels: &[(&str, &str)]) -> Option<f64> {
    let of = |s: &&crate::Signal| {
        s.name == name
            && s.statistic == statistic
            && s.labels.len() == labels.len()
            && labels
                .iter()
                .all(|(k, v)| s.labels.get(*k).map(String::as_str) == Some(*v))
    };
    r.signals.iter().find(of).map(|s| s.value)
}

fn note<'a>(reading: &'a Reading, code: &str) -> Option<&'a crate::Note> {
    reading.notes.iter().find(|n| n.code == code)
}

#[test]
fn tables_of_one_run_are_read_together_one_sweep_per_configuration() {
    let idle = "Model,GPU UUID,GPU Memory Usage (MB),GPU Utilization (%),GPU Power Usage (W)\ntriton-server,GPU-aa,872.0,0.0,56.0\n";
    let reading = read(&[
        &samples::model_analyzer_inference_csv(),
        &samples::model_analyzer_gpu_csv(),
        idle,
    ])
    .unwrap();
    assert_eq!(reading.files.len(), 3);
    let of = [("config", "m_config_1"), ("load", "4")];
    assert_eq!(
        value(&reading, "inference_throughput", Statistic::Rate, &of),
        Some(396.8)
    );
    // Milliseconds leave as seconds.
    let p99 = value(&reading, "e2e_latency", Statistic::P99, &of).unwrap();
    assert!((p99 - 0.0146).abs() < 1e-12);
    let gpu = [
        ("batch", "1"),
        ("config", "m_config_1"),
        ("gpu", "GPU-aa"),
        ("load", "1"),
    ];
    let util = value(&reading, "gpu_device_utilization", Statistic::Mean, &gpu).unwrap();
    assert!((util - 0.435).abs() < 1e-12);
    assert_eq!(
        value(
            &reading,
            "gpu_memory_used",
            Statistic::Max,
            &[("gpu", "GPU-aa"), ("state", "idle")]
        ),
        Some(872e6)
    );
    let series = reading
        .figures
        .iter()
        .find(|f| f.id == "sweep-series")
        .unwrap();
    assert_eq!(series.rows.len(), 2);
    assert_eq!(
        note(&reading, "sweep-best-series").unwrap().args["series"],
        "m_config_1"
    );
    for code in [
        "ma-no-p95",
        "ma-rounded",
        "ma-no-average",
        "perf-closed-loop",
    ] {
        assert!(note(&reading, code).is_some(), "{code}");
    }
    // No configuration speaks for the run by itself.
    assert!(
        reading
            .signals
            .iter()
            .all(|s| s.labels.keys().any(|k| k != "load"))
    );
}

#[test]
fn a_single_configuration_speaks_for_the_run() {
    let reading = read(&[&format!(
        "{HEAD}m,1,1,c,1:GPU,8,Yes,100.0,10.0\nm,1,2,c,1:GPU,8,No,190.0,11.0\n"
    )])
    .unwrap();
    assert_eq!(
        value(&reading, "e2e_latency", Statistic::P99, &[("load", "2")]),
        Some(0.011)
    );
    assert_eq!(note(&reading, "ma-constraints").unwrap().args["count"], "1");
}

#[test]
fn a_load_measured_again_shows_its_spread_and_never_its_best() {
    let reading = read(&[&format!(
        "{HEAD}m,1,16,c,8:GPU,0,Yes,10077.3,2.2\nm,1,16,c,8:GPU,0,Yes,3066.0,6.4\n"
    )])
    .unwrap();
    let said = note(&reading, "perf-load-repeated").unwrap();
    assert_eq!(said.args["spread"], "228.7");
    assert_eq!(
        reading.value("operating_point_throughput", Statistic::Rate),
        Some(3066.0)
    );
    let rates = reading
        .signals
        .iter()
        .filter(|s| s.name == "inference_throughput");
    assert_eq!(rates.count(), 2);
}

#[test]
fn several_models_at_once_are_no_curve() {
    let row = "\"a,b\",\"1,1\",\"4,8\",\"a_1,b_2\",\"2:GPU,1:GPU\",\"1,4\",Yes,\"419.6, [139.9,279.7]\",\"30.1, [31.2,29.0]\"\n";
    let reading = read(&[&format!("{HEAD}{row}")]).unwrap();
    let all = [("config", "a_1,b_2"), ("load", "4,8")];
    assert_eq!(
        value(&reading, "inference_throughput", Statistic::Rate, &all),
        Some(419.6)
    );
    let one = [("config", "a_1,b_2"), ("load", "4,8"), ("model", "b")];
    assert_eq!(
        value(&reading, "inference_throughput", Statistic::Rate, &one),
        Some(279.7)
    );
    assert_eq!(
        value(&reading, "e2e_latency", Statistic::P99, &one),
        Some(0.029)
    );
    assert!(note(&reading, "ma-several-models").is_some());
    assert!(!reading.figures.iter().any(|f| f.id == "perf-sweep"));
    let table = reading
        .figures
        .iter()
        .find(|f| f.id == "ma-measurements")
        .unwrap();
    assert_eq!(table.rows[0][2], Cell::text("4,8"));
}

#[test]
fn configurable_and_old_columns_are_known_or_named() {
    let text = "Model,Batch,Request Rate,Model Config Path,Preferred Batch Sizes,Satisfies Constraints,Throughput (infer/sec),p95 Latency (ms),Avg Latency (ms),Server Queue time (ms),p90 Time To First Token (ms),RAM Usage (MB),backend_parameter/x,Mystery\nm,2,100,c,\"[1,2]\",Yes,200.0,5.0,4.0,1.0,7.5,100,y,z\n";
    let reading = read(&[text]).unwrap();
    let load = [("load", "100")];
    assert_eq!(
        value(&reading, "e2e_latency", Statistic::P95, &load),
        Some(0.005)
    );
    assert_eq!(
        value(&reading, "e2e_latency", Statistic::Mean, &load),
        Some(0.004)
    );
    assert_eq!(
        value(&reading, "queue_time", Statistic::Mean, &load),
        Some(0.001)
    );
    assert_eq!(value(&reading, "ttft", Statistic::P90, &load), Some(0.0075));
    assert_eq!(
        value(&reading, "request_throughput", Statistic::Rate, &load),
        Some(100.0)
    );
    assert_eq!(
        note(&reading, "perf-unknown-columns").unwrap().args["columns"],
        "Mystery"
    );
    assert!(note(&reading, "perf-request-rate").is_some());
}

#[test]
fn a_checkpoint_has_every_digit_and_the_configuration() {
    let reading = read(&[&samples::model_analyzer_checkpoint()]).unwrap();
    let p95 = value(&reading, "e2e_latency", Statistic::P95, &[("load", "2")]).unwrap();
    assert!((p95 - 0.0062248).abs() < 1e-6, "{p95}");
    let network = reading
        .signals
        .iter()
        .find(|s| s.name == "network_time")
        .unwrap();
    assert_eq!(network.bound, Bound::Estimate);
    assert_eq!(note(&reading, "ma-batch-delay").unwrap().args["delay"], "2");
    assert!(note(&reading, "perf-little").is_none());
    let table = reading
        .figures
        .iter()
        .find(|f| f.id == "ma-measurements")
        .unwrap();
    assert_eq!(
        (table.rows.len(), &table.rows[0][3]),
        (3, &Cell::text("2:GPU"))
    );
    let cache = samples::model_analyzer_checkpoint().replace(
        "\"maxBatchSize\":8",
        "\"maxBatchSize\":8,\"responseCache\":{\"enable\":true}",
    );
    assert!(note(&read(&[&cache]).unwrap(), "ma-response-cache").is_some());
}

#[test]
fn damage_is_refused_with_its_place() {
    let row = "m,1,1,c,1:GPU,8,Yes,100.0,10.0\n";
    for (text, code, place) in [
        (HEAD.to_owned(), "ma-no-measurement", None),
        (
            format!("{HEAD}m,1,1,c,1:GPU,8,Yes,1O0.0,10.0\n"),
            "perf-cell",
            Some("line 2"),
        ),
        (
            format!("{HEAD}m,1,1,c,1:GPU,8,Yes,\"1.000,5\",10.0\n"),
            "perf-locale-number",
            Some("line 2"),
        ),
        (
            format!("{HEAD}{row}m,1,1\n"),
            "perf-row-cells",
            Some("line 3"),
        ),
        (
            HEAD.replace("Batch,Con", "Model,Con"),
            "ma-header",
            Some("line 1"),
        ),
        (
            format!("{HEAD}m,1,,c,1:GPU,8,Yes,100.0,10.0\n"),
            "perf-cell",
            Some("line 2"),
        ),
    ] {
        let refusal = read(&[&text]).unwrap_err();
        assert_eq!(
            (refusal.code.as_str(), refusal.place.as_deref()),
            (code, place),
            "{text}"
        );
    }
    let cut = format!("{HEAD}{row}m,1,2,c");
    assert!(note(&read(&[&cut]).unwrap(), "perf-cut-row").is_some());
    let ckpt = samples::model_analyzer_checkpoint();
    assert_eq!(
        read(&[&ckpt[..ckpt.len() / 2]]).unwrap_err().code,
        "export-cut"
    );
    let bent = ckpt.replacen("\"_value\":", "\"_value\":\"x\",\"y\":", 1);
    assert_eq!(read(&[&bent]).unwrap_err().code, "ma-checkpoint-damaged");
    let dressed = format!("\u{feff}{}", format!("{HEAD}{row}").replace('\n', "\r\n"));
    assert_eq!(
        read(&[&dressed]).unwrap().signals,
        read(&[&format!("{HEAD}{row}")]).unwrap().signals
    );
}
