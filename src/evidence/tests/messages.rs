//! Whatever evidence can be called has a name in both languages.

use pel_evidence::{Kind, Stage, Statistic, Unit, catalogue};

const CATALOGUES: [&str; 2] = [
    include_str!("../../../locales/en/evidence.ftl"),
    include_str!("../../../locales/pt-BR/evidence.ftl"),
];

fn assert_named(prefix: &str, id: &str, suffix: &str) {
    let key = format!("\n{prefix}-{}{suffix} = ", id.replace('_', "-"));
    for text in CATALOGUES {
        assert_eq!(text.matches(&key).count(), 1, "{key}");
    }
}

#[test]
fn signals_units_kinds_and_stages_have_names() {
    for signal in catalogue::ALL.iter() {
        assert_named("signal", signal.name, "");
    }
    for unit in Unit::ALL {
        assert_named("unit", unit.id(), "");
    }
    for kind in Kind::all() {
        assert_named("kind", kind.id(), "");
    }
    for stage in Stage::ALL {
        assert_named("stage", stage.id(), "");
        assert_named("stage", stage.id(), "-question");
    }
}

#[test]
fn statistics_have_names() {
    use Statistic as S;
    for statistic in [
        S::P50,
        S::P90,
        S::P95,
        S::P99,
        S::Mean,
        S::Min,
        S::Max,
        S::Total,
        S::Count,
        S::Rate,
        S::Ratio,
        S::Last,
    ] {
        assert_named("statistic", &statistic.to_string(), "");
    }
    assert_named("statistic", "quantile", "");
}

#[test]
fn refusals_of_any_file_say_the_way_out() {
    for code in [
        "empty",
        "io",
        "unknown-format",
        "archive",
        "mixed-kinds",
        "one-file-per-reading",
        "no-file",
        "no-signal",
    ] {
        assert_named("refusal", code, "");
        assert_named("refusal", code, "-remedy");
    }
}
