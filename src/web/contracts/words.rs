//! What a contract version says, in the reader's words: for its page, and line by line for the
//! comparison of two versions.

use crate::{
    ladder::contract::{Limit, LimitPhase, Terms},
    web::{
        Page, format, say,
        typed::{factor, plain},
    },
};
use pel_evidence::Unit;

/// One line of a contract: what it is called and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Part of the contract it stands in.
    pub part: &'static str,
    /// What stays the same when the text changes: `limit:ttft-p99`.
    pub key: String,
    /// What it is called.
    pub label: String,
    /// What it says.
    pub text: String,
}

/// Parts of a contract in the order they are shown; also message keys `contracts-part-…`.
pub const PARTS: [&str; 7] = [
    "general",
    "classes",
    "bands",
    "limits",
    "load",
    "cost",
    "environment",
];

/// Everything a version says, line by line; what it does not say has no line.
pub fn lines(page: &Page, terms: &Terms) -> Vec<Line> {
    let mut lines = general(page, terms);
    lines.extend(terms.classes.iter().map(|c| Line {
        part: "classes",
        key: format!("class:{}", c.name),
        label: c.name.clone(),
        text: c.description.clone(),
    }));
    lines.extend(terms.bands.iter().map(|b| Line {
        part: "bands",
        key: format!("band:{}", b.name),
        label: b.name.clone(),
        text: band(page, b.min, b.max),
    }));
    lines.extend(terms.limits.iter().map(|l| Line {
        part: "limits",
        key: format!("limit:{}", l.id),
        label: l.id.clone(),
        text: limit(page, l),
    }));
    lines.extend(load(page, terms));
    lines.extend(terms.cost.iter().flat_map(|c| {
        let price = format!("{} {}", plain(page.lang, c.price_per_hour), c.currency);
        [
            line(
                page,
                "cost",
                "contracts-cost-resources",
                c.resources.clone(),
            ),
            line(page, "cost", "contracts-cost-price", price),
            line(page, "cost", "contracts-cost-period", c.period.clone()),
        ]
    }));
    lines.extend(terms.environment.iter().map(|(key, value)| Line {
        part: "environment",
        key: format!("environment:{key}"),
        label: key.clone(),
        text: value.clone(),
    }));
    lines
}

fn line(page: &Page, part: &'static str, key: &str, text: String) -> Line {
    Line {
        part,
        key: key.to_owned(),
        label: page.t(key),
        text,
    }
}

fn general(page: &Page, terms: &Terms) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut say = |key: &str, text: String| {
        if !text.is_empty() {
            lines.push(line(page, "general", key, text));
        }
    };
    say("contracts-purpose", terms.purpose.clone());
    say("contracts-acceptance", terms.acceptance.definition.clone());
    let signal = &terms.acceptance.signal;
    if !signal.is_empty() {
        let name = say::signal_name(page.lang, signal);
        say("contracts-acceptance-signal", name);
    }
    if terms.window_seconds > 0 {
        say("contracts-window", window(page, terms));
    }
    if terms.min_samples > 0 {
        say("contracts-min-samples", page.count(terms.min_samples));
    }
    lines
}

/// `15 min`, or seconds when it is no whole number of minutes.
pub fn window(page: &Page, terms: &Terms) -> String {
    let seconds = terms.window_seconds;
    if seconds.is_multiple_of(60) {
        format!("{}{}min", page.count(seconds / 60), format::THIN)
    } else {
        format!("{}{}s", page.count(seconds), format::THIN)
    }
}

fn load(page: &Page, terms: &Terms) -> Vec<Line> {
    let load = &terms.load;
    let ranges = [
        ("contracts-arrival", load.arrival_per_second, "/s"),
        ("contracts-prompt", load.prompt_tokens_mean, "tok"),
        ("contracts-output", load.output_tokens_mean, "tok"),
        ("contracts-prompt-p95", load.prompt_tokens_p95, "tok"),
        ("contracts-output-p95", load.output_tokens_p95, "tok"),
        ("contracts-concurrency", load.concurrency, ""),
    ];
    let mut lines: Vec<Line> = ranges
        .into_iter()
        .filter_map(|(key, range, unit)| {
            let (least, most) = range?;
            let (least, most) = (plain(page.lang, least), plain(page.lang, most));
            let text = format!("{least}–{most}{}{unit}", format::THIN);
            Some(line(page, "load", key, text))
        })
        .collect();
    lines.extend(load.mix.iter().map(|(class, range)| {
        let text = format!(
            "{}{}%",
            super::sheet::share(class, *range, page.lang),
            format::THIN
        );
        line(page, "load", "contracts-mix", text)
    }));
    if !load.note.is_empty() {
        lines.push(line(page, "load", "contracts-load-note", load.note.clone()));
    }
    lines
}

/// `8–16 requests at a time`.
pub fn band(page: &Page, min: u32, max: u32) -> String {
    let range = if min == max {
        page.count(min)
    } else {
        format!("{}–{}", page.count(min), page.count(max))
    };
    page.t1("contracts-band-range", "range", range)
}

/// `TTFT p99 ≤ 800 ms, class chat, band high`.
pub fn limit(page: &Page, limit: &Limit) -> String {
    let mut text = format!("{} {}", what(page, limit), bound(page, limit));
    if let Some(class) = &limit.class {
        text.push_str(&format!(
            ", {}",
            page.t1("contracts-limit-of-class", "class", class)
        ));
    }
    if let Some(band) = &limit.band {
        text.push_str(&format!(
            ", {}",
            page.t1("contracts-limit-of-band", "band", band)
        ));
    }
    if limit.phase == LimitPhase::Cold {
        text.push_str(&format!(", {}", page.t("contracts-phase-cold")));
    }
    if let Some(n) = limit.min_samples {
        text.push_str(&format!(
            ", {}",
            page.t1("contracts-limit-samples", "n", page.count(n))
        ));
    }
    text
}

/// `TTFT p99`.
pub fn what(page: &Page, limit: &Limit) -> String {
    say::listed(page.lang, &limit.signal, limit.statistic)
}

/// `≤ 800 ms`: every digit of the limit, in the unit it was typed in.
pub fn bound(page: &Page, limit: &Limit) -> String {
    let number = plain(
        page.lang,
        limit.value / factor(limit.unit(), &limit.typed_unit),
    );
    let unit = match (limit.unit(), limit.typed_unit.as_str()) {
        (Unit::Count, _) | (_, "ratio") => String::new(),
        (Unit::Tokens, _) => format!("{}tok", format::THIN),
        (Unit::TokensPerSecond, _) => format!("{}tok/s", format::THIN),
        (_, "us") => format!("{}µs", format::THIN),
        (_, unit) => format!("{}{unit}", format::THIN),
    };
    format!("{}{}{number}{unit}", limit.comparator.sign(), format::THIN)
}
