//! Conformance: the readers against a folder of sample files with expected values beside them.
//!
//! The folder is named by `PEL_CORPUS`; without it `../shared/corpus` beside the workspace is
//! tried. Where there is no such folder every test says that it was skipped.

mod corpus {
    pub mod engine_config;
    pub mod engine_log;
    pub mod frame;
    pub mod nsight;
    pub mod perf_analyzer;
    pub mod statistics;
    pub mod vllm;
}

#[test]
fn vllm_engine_metrics() {
    corpus::vllm::engine_metrics();
}

#[test]
fn prometheus_odd_files() {
    corpus::vllm::odd();
}

#[test]
fn prometheus_parser_files() {
    corpus::vllm::prom_parser();
}

#[test]
fn perf_analyzer_sweeps() {
    corpus::perf_analyzer::sweeps();
}

#[test]
fn nsight_exports_say_what_is_expected() {
    corpus::nsight::compare();
}

#[test]
fn statistics_equal_the_reference() {
    corpus::statistics::compare();
}

#[test]
fn engine_configurations() {
    corpus::engine_config::configurations();
}

#[test]
fn server_logs() {
    corpus::engine_log::compare();
}
