//! Sample files: small, plausible, made by our own code from a seed.
//!
//! The demo and the tests that need whole files use them; they are shaped like what the tools
//! write, and their numbers are invented. Nothing here reads anything.

mod engine_log;
mod nsight;
mod perf_analyzer;
mod serving;

pub use engine_log::{Beat, beats, sglang_log, vllm_line, vllm_log};
pub use nsight::{DecodeTrace, write_nsight};
pub use perf_analyzer::{Sweep, perf_analyzer_csv};
pub use serving::{Load, Scrapes, vllm_scrapes};

/// A small generator of repeatable numbers (64-bit LCG, upper bits); no source of chance.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    /// Uniform in 0–1, never 0.
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64 + 1.0) / (1u64 << 53) as f64
    }

    /// Log-normal with this median and spread (sigma of the logarithm).
    pub(crate) fn log_normal(&mut self, median: f64, sigma: f64) -> f64 {
        let (a, b) = (self.uniform(), self.uniform());
        let normal = (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos();
        median * (sigma * normal).exp()
    }
}
