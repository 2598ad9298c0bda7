//! Properties: neither order nor cutting changes a total, and quantiles never fall.

use super::*;
use proptest::prelude::*;

/// One scrape of an engine with counters, a gauge and a histogram, in shuffled lines.
fn scrape(values: &[u32; 4], order: &[usize], flip: bool) -> String {
    let [tokens, first, second, waiting] = *values;
    let labels = |more: &str| {
        let parts = ["engine=\"0\"", "model_name=\"m\"", more];
        let mut parts: Vec<&str> = parts.into_iter().filter(|p| !p.is_empty()).collect();
        if flip {
            parts.reverse();
        }
        parts.join(",")
    };
    let lines = [
        format!("vllm:generation_tokens_total{{{}}} {tokens}", labels("")),
        format!("vllm:num_requests_waiting{{{}}} {waiting}", labels("")),
        format!("{TTFT}_bucket{{{}}} {first}", labels("le=\"0.1\"")),
        format!(
            "{TTFT}_bucket{{{}}} {}",
            labels("le=\"1.0\""),
            first + second
        ),
        format!(
            "{TTFT}_bucket{{{}}} {}",
            labels("le=\"+Inf\""),
            first + second
        ),
        format!("{TTFT}_count{{{}}} {}", labels(""), first + second),
        format!("{TTFT}_sum{{{}}} {first}", labels("")),
    ];
    let mut out = String::new();
    for at in order {
        out += &lines[*at];
        out.push('\n');
    }
    out
}

fn numbers(r: &Reading) -> Vec<(String, String, String, u64)> {
    let mut all: Vec<_> = r
        .signals
        .iter()
        .map(|s| {
            let labels = format!("{:?}", s.labels);
            (
                s.name.clone(),
                s.statistic.to_string(),
                labels,
                s.value.to_bits(),
            )
        })
        .collect();
    all.sort();
    all
}

/// Values that only rise, as counters do.
fn rising() -> impl Strategy<Value = Vec<[u32; 4]>> {
    proptest::collection::vec((0u32..50, 0u32..50, 0u32..50, 0u32..50), 2..6).prop_map(|steps| {
        let mut sum = [10u32, 10, 10, 0];
        steps
            .into_iter()
            .map(|(a, b, c, d)| {
                sum = [sum[0] + a, sum[1] + b, sum[2] + c, d];
                sum
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn order_of_lines_and_labels_does_not_matter(
        values in rising(),
        order in Just((0..7usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let text = |order: &[usize], flip: bool| {
            let mut out = String::new();
            for (i, v) in values.iter().enumerate() {
                out += &format!("# {}\n{}", 1_780_000_000 + i, scrape(v, order, flip && i % 2 == 1));
            }
            out
        };
        let plain = reading(&[&text(&[0, 1, 2, 3, 4, 5, 6], false)]);
        let shuffled = reading(&[&text(&order, true)]);
        prop_assert_eq!(numbers(&plain), numbers(&shuffled));
    }

    #[test]
    fn cutting_a_file_between_scrapes_changes_nothing(values in rising(), at in 0usize..6) {
        let order = [0, 1, 2, 3, 4, 5, 6];
        let parts: Vec<String> = values
            .iter()
            .enumerate()
            .map(|(i, v)| format!("# {}\n{}", 1_780_000_000 + 15 * i, scrape(v, &order, false)))
            .collect();
        let at = 1 + at % (parts.len() - 1);
        let whole = reading(&[&parts.concat()]);
        let cut = reading(&[&parts[..at].concat(), &parts[at..].concat()]);
        prop_assert_eq!(numbers(&whole), numbers(&cut));
    }

    #[test]
    fn totals_of_parts_add_up_to_the_whole(values in rising(), at in 0usize..6) {
        let order = [0, 1, 2, 3, 4, 5, 6];
        let part = |values: &[[u32; 4]]| -> String {
            let texts = values.iter().enumerate();
            texts.map(|(i, v)| format!("# {}\n{}", 1_780_000_000 + i, scrape(v, &order, false))).collect()
        };
        let at = at % values.len();
        let total = |values: &[[u32; 4]]| {
            if values.len() < 2 {
                return 0.0;
            }
            reading(&[&part(values)]).value("generation_tokens", Statistic::Total).expect("a total")
        };
        prop_assert_eq!(total(&values), total(&values[..=at]) + total(&values[at..]));
    }

    #[test]
    fn quantiles_never_fall(counts in proptest::collection::vec(0u32..40, 2..12)) {
        let mut sum = 0;
        let last = counts.len() - 1;
        let mut text = String::new();
        for (i, n) in counts.iter().enumerate() {
            sum += n;
            let le = if i == last { "+Inf".to_owned() } else { format!("{}", (i + 1) as f64 * 0.25) };
            text += &format!("{TTFT}_bucket{{le=\"{le}\"}} {sum}\n");
        }
        text += &format!("{TTFT}_count {sum}\n{TTFT}_sum {sum}\nvllm:num_requests_running 1\n");
        let r = reading(&[&text]);
        let quantiles: Vec<f64> = [Statistic::P50, Statistic::P90, Statistic::P95, Statistic::P99]
            .into_iter()
            .filter_map(|s| r.value("ttft", s))
            .collect();
        prop_assert!(quantiles.is_empty() || quantiles.len() == 4);
        prop_assert!(quantiles.windows(2).all(|w| w[0] <= w[1]));
    }
}
