//! Query CSV and dmon, as the tool writes them and damaged.

use super::*;
use crate::{Kind, detect, read as read_any};
use proptest::prelude::*;

const HEADING: &str = "timestamp, index, name, utilization.gpu [%], memory.used [MiB], power.draw [W], clocks.current.sm [MHz], temperature.gpu, clocks_event_reasons.active\n";

fn row(second: u32, gpu: u32, util: &str, power: &str, bits: u32) -> String {
    format!(
        "2026/05/28 20:27:{second:02}.125, {gpu}, NVIDIA H200, {util}, 1024 MiB, {power}, 1980 MHz, 58, 0x{bits:016x}\n"
    )
}

fn read_text(text: &[u8]) -> Result<Reading, Refusal> {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("gpu.csv");
    std::fs::write(&path, text).expect("the folder is ours");
    read_any(&[Source::at(path)], &Options::default())
}

fn ok(text: &str) -> Reading {
    read_text(text.as_bytes()).expect("it is readable")
}

fn value(r: &Reading, name: &str, statistic: Statistic, gpu: &str) -> Option<f64> {
    let is_it = |s: &&Signal| s.name == name && s.statistic == statistic && s.labels["gpu"] == gpu;
    r.signals.iter().find(is_it).map(|s| s.value)
}

fn note<'a>(r: &'a Reading, code: &str) -> Option<&'a Note> {
    r.notes.iter().find(|n| n.code == code)
}

fn sample() -> String {
    HEADING.to_owned()
        + &row(40, 0, "99 %", "612.31 W", 4)
        + &row(40, 1, "10 %", "100.00 W", 1)
        + &row(41, 0, "100 %", "[N/A]", 0)
        + &row(41, 1, "20 %", "200.00 W", 1)
}

#[test]
fn a_query_gives_means_per_gpu() {
    let r = ok(&sample());
    assert_eq!(r.kind, Kind::NvidiaSmi);
    assert_eq!(
        value(&r, "gpu_device_utilization", Statistic::Mean, "0"),
        Some(0.995)
    );
    assert_eq!(
        value(&r, "gpu_device_utilization", Statistic::Max, "1"),
        Some(0.2)
    );
    assert_eq!(value(&r, "gpu_power", Statistic::Mean, "1"), Some(150.0));
    // One of two cells was not available: one value is left, and it is an instant.
    assert_eq!(value(&r, "gpu_power", Statistic::Last, "0"), Some(612.31));
    assert_eq!(value(&r, "gpu_power", Statistic::Mean, "0"), None);
    assert_eq!(
        value(&r, "gpu_memory_used", Statistic::Last, "0"),
        Some(1024.0 * 1_048_576.0)
    );
    assert_eq!(
        value(&r, "gpu_sm_clock", Statistic::Mean, "0"),
        Some(1.98e9)
    );
    assert_eq!(
        value(&r, "gpu_temperature", Statistic::Max, "0"),
        Some(58.0)
    );
    assert_eq!(
        value(&r, "gpu_throttled_share", Statistic::Ratio, "0"),
        Some(0.5)
    );
    assert_eq!(
        value(&r, "gpu_throttled_share", Statistic::Ratio, "1"),
        Some(0.0)
    );
    assert_eq!(r.window.as_ref().and_then(|w| w.seconds), Some(1.0));
    assert_eq!(r.environment["gpu_model"], "NVIDIA H200");
    assert_eq!(
        note(&r, "nvidia-smi-absent").map(|n| n.args["gpu"].as_str()),
        Some("0")
    );
    assert!(note(&r, "gpu-utilization-says-little").is_some());
    let ids: Vec<&str> = r.figures.iter().map(|f| f.id.as_str()).collect();
    assert_eq!(ids, ["gpu-devices", "gpu-series"]);
    assert_eq!(r.figures[1].rows.len(), 2);
}

#[test]
fn headings_may_come_again_and_several_spellings_are_one() {
    let twice = sample() + &sample();
    let r = ok(&twice);
    assert_eq!(r.figures[0].rows.len(), 2);
    assert_eq!(note(&r, "nvidia-smi-lines-skipped"), None);
    let crlf = format!("\u{feff}{}", sample().replace('\n', "\r\n"));
    assert_eq!(ok(&crlf).signals, ok(&sample()).signals);
    let bare = "timestamp, index, utilization.gpu, memory.used\n2026/05/28 20:27:40.125, 0, 99, 1024\n2026/05/28 20:27:41.125, 0, 100, 1024\n";
    let r = ok(bare);
    assert_eq!(
        value(&r, "gpu_device_utilization", Statistic::Mean, "0"),
        Some(0.995)
    );
    assert_eq!(
        value(&r, "gpu_memory_used", Statistic::Max, "0"),
        Some(1024.0 * 1_048_576.0)
    );
    assert!(note(&r, "nvidia-smi-units-assumed").is_some());
}

#[test]
fn decimal_commas_are_put_back_and_said() {
    let text = sample()
        .replace("612.31 W", "612,31 W")
        .replace("200.00 W", "200,00 W");
    let r = ok(&text);
    assert_eq!(value(&r, "gpu_power", Statistic::Last, "0"), Some(612.31));
    assert_eq!(value(&r, "gpu_power", Statistic::Mean, "1"), Some(150.0));
    assert!(note(&r, "nvidia-smi-decimal-comma").is_some());
    assert_eq!(note(&r, "nvidia-smi-lines-skipped"), None);
}

#[test]
fn reasons_as_columns_count_together() {
    let text = "index, power.draw [W], clocks_throttle_reasons.sw_power_cap, clocks_throttle_reasons.hw_slowdown, clocks_throttle_reasons.gpu_idle\n0, 10 W, Active, Not Active, Active\n0, 10 W, Not Active, Not Active, Active\n0, 10 W, Not Active, Active, Not Active\n0, 10 W, [N/A], [N/A], Active\n";
    let r = ok(text);
    let share = value(&r, "gpu_throttled_share", Statistic::Ratio, "0").expect("a share");
    assert!((share - 2.0 / 3.0).abs() < 1e-12);
    assert!(note(&r, "nvidia-smi-no-time").is_some());
}

const DMON: &str = "# gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk     fb  rxpci\n# Idx      W      C      C      %      %    MHz    MHz     MB   MB/s\n    0    612     58     63     99     46   2619   1980   1024     10\n    1      -     41      -      0      0   2619    345      0      0\n# gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk     fb  rxpci\n# Idx      W      C      C      %      %    MHz    MHz     MB   MB/s\n    0    598     58     63    100     44   2619   1980   1024     20\n";

#[test]
fn dmon_has_headings_every_few_rows_and_dashes_for_nothing() {
    let r = ok(DMON);
    assert_eq!(
        value(&r, "gpu_device_utilization", Statistic::Mean, "0"),
        Some(0.995)
    );
    assert_eq!(value(&r, "gpu_power", Statistic::Mean, "0"), Some(605.0));
    assert_eq!(value(&r, "gpu_power", Statistic::Last, "1"), None);
    assert_eq!(
        value(&r, "gpu_device_utilization", Statistic::Last, "1"),
        Some(0.0)
    );
    assert_eq!(
        value(&r, "pcie_rx_throughput", Statistic::Max, "0"),
        Some(2e7)
    );
    assert_eq!(
        value(&r, "gpu_memory_used", Statistic::Last, "0"),
        Some(1024.0 * 1_048_576.0)
    );
    assert_eq!(r.window.as_ref().and_then(|w| w.seconds), None);
    let timed = DMON
        .replace("# gpu ", "#Date       Time        gpu ")
        .replace("# Idx ", "#YYYYMMDD   HH:MM:SS    Idx ");
    let mut second = 0;
    let timed: String = timed
        .lines()
        .map(|l| {
            if l.starts_with('#') {
                return format!("{l}\n");
            }
            second += 5;
            format!(" 20260528   20:27:{second:02} {l}\n")
        })
        .collect();
    let r = ok(&timed);
    assert_eq!(r.window.as_ref().and_then(|w| w.seconds), Some(10.0));
    assert_eq!(value(&r, "gpu_power", Statistic::Mean, "0"), Some(605.0));
}

#[test]
fn damage_is_said_and_nothing_is_invented() {
    let cut = &sample()[..sample().len() - 30];
    let r = read_text(cut.as_bytes()).expect("three rows are whole");
    assert!(note(&r, "nvidia-smi-cut").is_some());
    assert_eq!(
        value(&r, "gpu_device_utilization", Statistic::Last, "1"),
        Some(0.1)
    );
    let odd = sample()
        .replacen("10 %", "250 %", 1)
        .replacen("100.00 W", "hot", 1);
    let r = ok(&odd);
    assert_eq!(
        value(&r, "gpu_device_utilization", Statistic::Last, "1"),
        Some(0.2)
    );
    let impossible = note(&r, "nvidia-smi-impossible").expect("it is said");
    assert_eq!(impossible.args["count"], "2");
    assert_eq!(impossible.args["value"], "250 %");
    assert_eq!(
        read_text(HEADING.as_bytes()).map_err(|r| r.code),
        Err("nvidia-smi-no-row".to_owned())
    );
    let screen = "Thu May 28 20:27:40 2026\n+----+\n| NVIDIA-SMI 550.54 Driver Version: 550.54 |\n";
    let refused = read_text(screen.as_bytes()).expect_err("a screen");
    assert_eq!(refused.code, "nvidia-smi-screen");
    assert!(refused.command.is_some());
    let many: String = (0..300).map(|gpu| row(1, gpu, "1 %", "1 W", 0)).collect();
    let refused = read_text((HEADING.to_owned() + &many).as_bytes()).expect_err("too many");
    assert_eq!(refused.code, "nvidia-smi-too-many-devices");
}

#[test]
fn other_tables_are_not_taken() {
    for text in [
        "a,b\n1,2\n",
        "index,name\n1,x\n",
        "# gpu cost\n1\n",
        "name,timestamp\nx,1\n",
    ] {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("x");
        std::fs::write(&path, text).expect("the folder is ours");
        assert_ne!(
            detect::kind_of(&[Source::at(path)]),
            Ok(Kind::NvidiaSmi),
            "{text}"
        );
    }
}

#[test]
fn a_long_file_keeps_few_points_and_its_greatest() {
    let mut text = "index, utilization.gpu [%]\n".to_owned();
    for i in 0..5000 {
        text += &format!("0, {} %\n", if i == 3777 { 100 } else { 1 });
    }
    let r = ok(&text);
    let series = r
        .figures
        .iter()
        .find(|f| f.id == "gpu-series")
        .expect("a series");
    assert!(series.rows.len() <= 400);
    assert_eq!(series.rows.len() as u64 + series.rows_left_out, 5000);
    let greatest = series.rows.iter().filter(|row| row[4] == Cell::Number(1.0));
    assert_eq!(greatest.count(), 1);
}

proptest! {
    #[test]
    fn damaged_text_never_panics_nor_invents(
        dmon in any::<bool>(),
        hits in proptest::collection::vec((0usize..2000, any::<u8>()), 0..30),
        cut in 1usize..2000,
    ) {
        let mut text = if dmon { DMON.to_owned() } else { sample() }.into_bytes();
        for (at, byte) in hits {
            let at = at % text.len();
            text[at] = byte;
        }
        text.truncate(cut);
        if let Ok(reading) = read_text(&text) {
            for signal in &reading.signals {
                prop_assert!(signal.value.is_finite() && signal.value >= 0.0, "{:?}", signal);
            }
        }
    }
}
