//! What exporters say of GPUs.

use super::*;

fn of_gpu(r: &Reading, name: &str, statistic: Statistic, gpu: &str) -> Option<f64> {
    let mut signals = r.signals.iter();
    let is_it = |s: &&Signal| {
        s.name == name
            && s.statistic == statistic
            && s.labels.get("gpu").map(String::as_str) == Some(gpu)
    };
    signals.find(is_it).map(|s| s.value)
}

fn scrape(at: u32, util: [&str; 2], bits: u32) -> String {
    let mut out = format!("# {at}\n");
    for (gpu, util) in util.iter().enumerate() {
        let labels = format!(
            "gpu=\"{gpu}\",UUID=\"GPU-{gpu}\",device=\"nvidia{gpu}\",modelName=\"NVIDIA H200\",Hostname=\"h\""
        );
        writeln!(
            out,
            "DCGM_FI_DEV_GPU_UTIL{{{labels}}} {util}\nDCGM_FI_DEV_FB_USED{{{labels}}} 1024\n\
             DCGM_FI_DEV_SM_CLOCK{{{labels}}} 1980\nDCGM_FI_PROF_SM_ACTIVE{{{labels}}} 0.5\n\
             DCGM_FI_DEV_CLOCKS_EVENT_REASONS{{{labels}}} {bits}\n\
             DCGM_FI_DEV_ECC_DBE_VOL_TOTAL{{{labels}}} {}\nDCGM_FI_DEV_XID_ERRORS{{{labels}}} {}",
            at % 10,
            if gpu == 1 { 79 } else { 0 },
        )
        .expect("memory");
    }
    out
}

#[test]
fn every_gpu_stands_on_its_own() {
    let text = scrape(1_780_000_000, ["99", "9223372036854775794"], 4)
        + &scrape(1_780_000_005, ["100", "20"], 1);
    let r = reading(&[&text]);
    assert_eq!(r.kind, Kind::GpuMetrics);
    assert_eq!(
        of_gpu(&r, "gpu_device_utilization", Statistic::Mean, "0"),
        Some(0.995)
    );
    // "No value" is absent, never a number and never zero.
    assert_eq!(
        of_gpu(&r, "gpu_device_utilization", Statistic::Last, "1"),
        Some(0.2)
    );
    assert_eq!(
        of_gpu(&r, "gpu_device_utilization", Statistic::Mean, "1"),
        None
    );
    assert_eq!(
        of_gpu(&r, "gpu_memory_used", Statistic::Last, "1"),
        Some(1024.0 * 1_048_576.0)
    );
    assert_eq!(
        of_gpu(&r, "gpu_sm_clock", Statistic::Max, "0"),
        Some(1.98e9)
    );
    assert_eq!(of_gpu(&r, "sm_active", Statistic::Mean, "0"), Some(0.5));
    // A power cap in one of two scrapes; being idle does not count.
    assert_eq!(
        of_gpu(&r, "gpu_throttled_share", Statistic::Ratio, "0"),
        Some(0.5)
    );
    assert_eq!(
        of_gpu(&r, "gpu_ecc_uncorrected_errors", Statistic::Total, "0"),
        Some(5.0)
    );
    assert!(r.signals.iter().all(|s| s.labels.contains_key("gpu")));
    assert_eq!(r.environment["gpu_model"], "NVIDIA H200");
    let xid = r.notes.iter().find(|n| n.code == "gpu-xid");
    assert_eq!(xid.map(|n| n.args["code"].as_str()), Some("79"));
    assert!(codes(&r).contains(&"gpu-utilization-says-little"));
    assert_eq!(r.figures[0].rows.len(), 2);
}

#[test]
fn pods_that_come_and_go_do_not_make_new_devices() {
    let one = |pod: &str, util: u32| {
        format!("DCGM_FI_DEV_GPU_UTIL{{gpu=\"0\",Hostname=\"h\",pod=\"{pod}\"}} {util}\n")
    };
    let text = format!(
        "# 1780000000\n{}# 1780000010\n{}",
        one("a", 10),
        one("b", 30)
    );
    let r = reading(&[&text]);
    assert_eq!(
        of_gpu(&r, "gpu_device_utilization", Statistic::Mean, "0"),
        Some(0.2)
    );
}

#[test]
fn shares_above_one_are_no_shares() {
    let r = reading(&["DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 255\nDCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 58\n"]);
    assert_eq!(
        of_gpu(&r, "gpu_device_utilization", Statistic::Last, "0"),
        None
    );
    assert_eq!(
        of_gpu(&r, "gpu_temperature", Statistic::Last, "0"),
        Some(58.0)
    );
}
