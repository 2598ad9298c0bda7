//! Capacity and cost: what a reviewer asks about load after the limits hold.

/// Load against what the replicas sustain, whole and after the largest failure domain is lost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capacity {
    /// Share of the sustainable load that is free.
    pub headroom: f64,
    /// The same without the failure domain; negative = it would not carry the load. `None` when
    /// no replica is left.
    pub headroom_after_loss: Option<f64>,
    /// Whether the rest carries the load.
    pub survives: bool,
    /// Replicas needed for the load and the failure domain.
    pub least_replicas: u64,
}

impl Capacity {
    /// `per_replica` is the sustainable load of one replica, in the unit of `load`; `domain` the
    /// replicas lost together. `None` without replicas or for loads that are no numbers.
    pub fn of(replicas: u64, per_replica: f64, load: f64, domain: u64) -> Option<Self> {
        let sound = per_replica.is_finite() && per_replica > 0.0 && load.is_finite() && load >= 0.0;
        if replicas == 0 || !sound {
            return None;
        }
        let free = |n: u64| 1.0 - load / (n as f64 * per_replica);
        let left = replicas.saturating_sub(domain);
        Some(Self {
            headroom: free(replicas),
            headroom_after_loss: (left > 0).then(|| free(left)),
            survives: load <= left as f64 * per_replica,
            least_replicas: (load / per_replica).ceil() as u64 + domain,
        })
    }
}

/// Sustainable load of a sweep: the last step, by load, before the first that does not hold.
/// Nothing is interpolated. `None` when the least load does not hold.
pub fn sustainable(steps: &[(f64, bool)]) -> Option<f64> {
    let mut steps: Vec<_> = steps.iter().filter(|s| s.0.is_finite()).collect();
    steps.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    // Of a load tried twice the failure sorts first: it holds when it held both times.
    steps.iter().take_while(|s| s.1).last().map(|s| s.0)
}

/// How far in-flight requests are from arrival rate × time in system (Little's law), as a share.
pub fn little_residual(in_flight: f64, per_second: f64, seconds: f64) -> Option<f64> {
    let residual = per_second * seconds / in_flight - 1.0;
    (in_flight > 0.0 && residual.is_finite()).then_some(residual)
}

/// Cost per accepted task; undefined, not 0, when none was accepted.
pub fn cost_per_accepted(gpu_hours: f64, price: f64, other: f64, accepted: u64) -> Option<f64> {
    let cost = gpu_hours * price + other;
    (accepted > 0 && cost.is_finite()).then(|| cost / accepted as f64)
}
