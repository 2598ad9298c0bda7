//! Fields of nvidia-smi: what a column's heading means and how its cells are read.
//!
//! Cells may carry their unit (`99 %`, `612.31 W`) or leave it to the heading (`power.draw [W]`);
//! with `nounits` neither states it. A number may be written with a decimal comma where the
//! system's language does so.

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Time of the sample.
    Time,
    /// Index of the GPU.
    Index,
    /// Identifier of the GPU, when there is no index.
    Uuid,
    /// Model of the GPU.
    Model,
    /// Version of the driver.
    Driver,
    /// A number of a signal, with the unit it has when none is stated.
    Number(&'static str, Unit),
    /// A set of reasons, in bits, that hold the clocks down.
    Reasons,
    /// One such reason: `Active` or `Not Active`.
    Reason,
    /// A column that is not read.
    Other,
}

/// Units of nvidia-smi.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Percent.
    Percent,
    /// Mebibytes.
    MiB,
    /// Watts.
    Watts,
    /// Megahertz.
    MHz,
    /// Degrees Celsius, never stated.
    Celsius,
    /// A number of things, never stated.
    Count,
    /// Megabytes per second.
    MBps,
}

impl Unit {
    /// Factor to the base unit.
    pub fn factor(self) -> f64 {
        match self {
            Self::Percent => 1e-2,
            Self::MiB => 1_048_576.0,
            Self::MHz | Self::MBps => 1e6,
            Self::Watts | Self::Celsius | Self::Count => 1.0,
        }
    }

    /// Whether the tool ever states it.
    pub fn is_stated(self) -> bool {
        !matches!(self, Self::Celsius | Self::Count)
    }

    /// The unit and factor that a text names.
    fn named(text: &str) -> Option<f64> {
        Some(match text {
            "%" | "ratio" => 1e-2,
            "MiB" => 1_048_576.0,
            "KiB" => 1024.0,
            "GiB" => 1_073_741_824.0,
            "B" | "bytes" => 1.0,
            "W" | "C" => 1.0,
            "mW" => 1e-3,
            "MHz" | "MB/s" => 1e6,
            "kHz" => 1e3,
            "GHz" => 1e9,
            "Hz" => 1.0,
            _ => return None,
        })
    }
}

/// Columns of `--query-gpu`, by name.
const QUERY: &[(&str, Field)] = &[
    ("timestamp", Field::Time),
    ("index", Field::Index),
    ("gpu_uuid", Field::Uuid),
    ("uuid", Field::Uuid),
    ("pci.bus_id", Field::Uuid),
    ("gpu_bus_id", Field::Uuid),
    ("name", Field::Model),
    ("gpu_name", Field::Model),
    ("driver_version", Field::Driver),
    (
        "utilization.gpu",
        Field::Number("gpu_device_utilization", Unit::Percent),
    ),
    (
        "utilization.memory",
        Field::Number("gpu_memory_utilization", Unit::Percent),
    ),
    ("memory.used", Field::Number("gpu_memory_used", Unit::MiB)),
    ("memory.total", Field::Number("gpu_memory_total", Unit::MiB)),
    ("power.draw", Field::Number("gpu_power", Unit::Watts)),
    (
        "power.draw.average",
        Field::Number("gpu_power", Unit::Watts),
    ),
    (
        "power.draw.instant",
        Field::Number("gpu_power", Unit::Watts),
    ),
    (
        "enforced.power.limit",
        Field::Number("gpu_power_limit", Unit::Watts),
    ),
    ("power.limit", Field::Number("gpu_power_limit", Unit::Watts)),
    (
        "clocks.current.sm",
        Field::Number("gpu_sm_clock", Unit::MHz),
    ),
    ("clocks.sm", Field::Number("gpu_sm_clock", Unit::MHz)),
    (
        "clocks.current.memory",
        Field::Number("gpu_memory_clock", Unit::MHz),
    ),
    ("clocks.mem", Field::Number("gpu_memory_clock", Unit::MHz)),
    (
        "clocks.memory",
        Field::Number("gpu_memory_clock", Unit::MHz),
    ),
    (
        "temperature.gpu",
        Field::Number("gpu_temperature", Unit::Celsius),
    ),
    (
        "temperature.memory",
        Field::Number("gpu_memory_temperature", Unit::Celsius),
    ),
    (
        "ecc.errors.corrected.volatile.total",
        Field::Number("gpu_ecc_corrected_errors", Unit::Count),
    ),
    (
        "ecc.errors.uncorrected.volatile.total",
        Field::Number("gpu_ecc_uncorrected_errors", Unit::Count),
    ),
    ("clocks_throttle_reasons.active", Field::Reasons),
    ("clocks_event_reasons.active", Field::Reasons),
];

/// Reasons that hold clocks down, each a column of `Active` and `Not Active`. Being idle and a
/// chosen clock are not among them.
const REASONS: &[&str] = &[
    "hw_slowdown",
    "hw_thermal_slowdown",
    "hw_power_brake_slowdown",
    "sw_thermal_slowdown",
    "sw_power_cap",
];

/// What a heading of the CSV means, and the factor of the unit it states in brackets.
pub fn of_query(heading: &str) -> (Field, Option<f64>) {
    let (name, unit) = match heading
        .trim()
        .strip_suffix(']')
        .and_then(|h| h.rsplit_once('['))
    {
        Some((name, unit)) => (name.trim(), Unit::named(unit.trim())),
        None => (heading.trim(), None),
    };
    let is_reason = ["clocks_throttle_reasons.", "clocks_event_reasons."]
        .iter()
        .filter_map(|start| name.strip_prefix(start))
        .any(|reason| REASONS.contains(&reason));
    if is_reason {
        return (Field::Reason, None);
    }
    let known = QUERY.iter().find(|(known, _)| *known == name);
    (known.map_or(Field::Other, |(_, field)| *field), unit)
}

/// Whether a heading is one of nvidia-smi's own, read or not.
pub fn is_query_heading(heading: &str) -> bool {
    let (field, _) = of_query(heading);
    !matches!(
        field,
        Field::Other | Field::Index | Field::Model | Field::Time | Field::Uuid
    )
}

/// What a column of `dmon` means, by its name and the unit in the second line.
pub fn of_dmon(name: &str, unit: &str) -> (Field, Option<f64>) {
    let field = match name {
        "gpu" => Field::Index,
        "Time" | "Date" => Field::Time,
        "pwr" => Field::Number("gpu_power", Unit::Watts),
        "gtemp" | "temp" => Field::Number("gpu_temperature", Unit::Celsius),
        "mtemp" => Field::Number("gpu_memory_temperature", Unit::Celsius),
        "sm" => Field::Number("gpu_device_utilization", Unit::Percent),
        "mem" => Field::Number("gpu_memory_utilization", Unit::Percent),
        "mclk" => Field::Number("gpu_memory_clock", Unit::MHz),
        "pclk" => Field::Number("gpu_sm_clock", Unit::MHz),
        "fb" => Field::Number("gpu_memory_used", Unit::MiB),
        "rxpci" => Field::Number("pcie_rx_throughput", Unit::MBps),
        "txpci" => Field::Number("pcie_tx_throughput", Unit::MBps),
        _ => Field::Other,
    };
    let factor = match unit {
        "MB" if matches!(field, Field::Number("gpu_memory_used", _)) => Some(1_048_576.0),
        other => Unit::named(other),
    };
    (field, factor)
}

/// A cell without a value.
pub fn is_absent(cell: &str) -> bool {
    let cell = cell.trim();
    let inner = cell
        .strip_prefix('[')
        .and_then(|c| c.strip_suffix(']'))
        .unwrap_or(cell)
        .to_ascii_lowercase();
    matches!(
        inner.as_str(),
        "" | "-"
            | "n/a"
            | "not supported"
            | "unknown error"
            | "insufficient permissions"
            | "gpu is lost"
            | "gpu requires reset"
            | "not available"
            | "no data"
            | "not found"
    )
}

/// A number of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// In base units, when the cell or its heading stated a unit, else as it stands.
    pub value: f64,
    /// Whether a unit was stated.
    pub stated: bool,
    /// Whether it is written with a decimal comma.
    pub comma: bool,
}

/// The number of a cell, with the unit it states or its heading's.
pub fn number(cell: &str, heading: Option<f64>) -> Option<Cell> {
    let cell = cell.trim();
    let end = cell
        .find(|c: char| !(c.is_ascii_digit() || "+-.,".contains(c)))
        .unwrap_or(cell.len());
    let (digits, unit) = cell.split_at(end);
    let unit = unit.trim_matches(|c: char| c.is_whitespace() || c == '\u{a0}');
    let comma = digits.contains(',');
    // A thousands separator would make two readings possible: only one comma, and no point.
    if comma && (digits.contains('.') || digits.matches(',').count() > 1) {
        return None;
    }
    let value: f64 = digits.replace(',', ".").parse().ok()?;
    let factor = if unit.is_empty() {
        heading
    } else {
        Some(Unit::named(unit)?)
    };
    Some(Cell {
        value: value * factor.unwrap_or(1.0),
        stated: factor.is_some(),
        comma,
    })
}

/// Bits of `clocks_throttle_reasons.active`, as `0x0000000000000004`.
pub fn bits(cell: &str) -> Option<f64> {
    let digits = cell.trim().strip_prefix("0x")?;
    u64::from_str_radix(digits, 16).ok().map(|bits| bits as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_state_what_and_in_which_unit() {
        let power = Field::Number("gpu_power", Unit::Watts);
        assert_eq!(of_query(" power.draw [W]"), (power, Some(1.0)));
        assert_eq!(of_query("power.draw"), (power, None));
        assert_eq!(of_query("fan.speed [%]").0, Field::Other);
        assert_eq!(
            of_query("clocks_event_reasons.sw_power_cap").0,
            Field::Reason
        );
        assert_eq!(of_query("clocks_event_reasons.gpu_idle").0, Field::Other);
    }

    #[test]
    fn cells_with_and_without_units_and_with_a_decimal_comma() {
        let of = |cell, heading| number(cell, heading).map(|c| (c.value, c.stated, c.comma));
        assert_eq!(of("99 %", Some(1e-2)), Some((0.99, true, false)));
        assert_eq!(of(" 612.31 W", None), Some((612.31, true, false)));
        assert_eq!(of("612,31 W", None), Some((612.31, true, true)));
        assert_eq!(of("99", None), Some((99.0, false, false)));
        assert_eq!(of("99", Some(1e-2)), Some((0.99, true, false)));
        assert_eq!(of("1.024,5 MiB", None), None);
        assert_eq!(of("12 bananas", None), None);
        assert_eq!(of("W", None), None);
        for absent in [
            "-",
            "[N/A]",
            "N/A",
            "[Not Supported]",
            " ",
            "[Unknown Error]",
        ] {
            assert!(is_absent(absent), "{absent}");
        }
        assert!(!is_absent("0 %"));
        assert_eq!(bits("0x0000000000000004"), Some(4.0));
    }
}
