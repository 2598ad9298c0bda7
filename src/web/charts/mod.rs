//! Charts: SVG made on the server, geometry in attributes, colour by class, a table beside each.
//!
//! A figure is drawn twice, for half a page and for a phone; the stylesheet shows one. Whatever a
//! file named is escaped here. At most [`POINTS`] points are drawn per line.

pub mod bars;
pub mod decimate;
pub mod figure;
pub mod line;
pub mod scale;
pub mod stacked;

use super::format::Markup;
use std::fmt::Write as _;

/// Points drawn per line at most.
pub const POINTS: usize = 400;
/// Width of a chart on half a page.
pub const WIDE: f64 = 584.0;
/// Width of a chart on a phone or in half a column.
pub const ALT: f64 = 348.0;

/// A chart in both widths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chart {
    /// For half a page.
    pub wide: Markup,
    /// For a phone.
    pub alt: Markup,
}

/// What names a chart for those who do not see it.
#[derive(Debug, Clone)]
pub struct Naming {
    /// Unique on its page.
    pub id: String,
    /// What it is.
    pub title: String,
    /// What it shows, in words.
    pub desc: String,
}

/// An SVG under construction.
pub(crate) struct Svg {
    body: String,
    width: f64,
    height: f64,
}

impl Svg {
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Self {
            body: String::with_capacity(4096),
            width,
            height,
        }
    }

    /// A path with a class and perhaps dashes.
    pub(crate) fn path(&mut self, class: &str, d: &str, dash: Option<&str>) {
        let _ = write!(self.body, "<path class=\"{class}\" d=\"{d}\"");
        if let Some(dash) = dash {
            let _ = write!(self.body, " stroke-dasharray=\"{dash}\"");
        }
        self.body.push_str("/>");
    }

    /// A straight line.
    pub(crate) fn segment(
        &mut self,
        class: &str,
        a: (f64, f64),
        b: (f64, f64),
        dash: Option<&str>,
    ) {
        let d = format!("M{} {}L{} {}", n(a.0), n(a.1), n(b.0), n(b.1));
        self.path(class, &d, dash);
    }

    pub(crate) fn rect(&mut self, class: &str, (x, y): (f64, f64), (w, h): (f64, f64)) {
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            n(x),
            n(y),
            n(w.max(0.0)),
            n(h)
        );
    }

    pub(crate) fn dot(&mut self, class: &str, (x, y): (f64, f64), r: f64) {
        let _ = write!(
            self.body,
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            n(x),
            n(y),
            n(r)
        );
    }

    /// Text; `anchor` is `start`, `middle` or `end`.
    pub(crate) fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: &str, words: &str) {
        let _ = write!(self.body, "<text x=\"{}\" y=\"{}\"", n(x), n(y));
        if !class.is_empty() {
            let _ = write!(self.body, " class=\"{class}\"");
        }
        if anchor != "start" {
            let _ = write!(self.body, " text-anchor=\"{anchor}\"");
        }
        let _ = write!(self.body, ">{}</text>", escape(words));
    }

    /// The whole drawing; `layout` is `wide` or `alt`.
    pub(crate) fn done(self, naming: &Naming, layout: &str) -> Markup {
        let (w, h) = (n(self.width), n(self.height));
        let id = format!("{}-{layout}", escape(&naming.id));
        Markup::trusted(format!(
            "<svg class=\"ch {layout}\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
             aria-labelledby=\"{id}-t {id}-d\"><title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>{}</svg>",
            escape(&naming.title),
            escape(&naming.desc),
            self.body
        ))
    }
}

/// A coordinate with at most one decimal.
pub(crate) fn n(v: f64) -> String {
    let text = format!("{v:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Text for the inside of an element or attribute.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Text cut to what fits `width` at 11.5 px, by a mean width of its letters.
pub(crate) fn fit(text: &str, width: f64) -> String {
    let most = (width / 6.2).floor().max(3.0) as usize;
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(most - 1).collect();
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_files_cannot_leave_its_element() {
        let mut svg = Svg::new(100.0, 20.0);
        svg.text("", (0.0, 10.0), "start", "</text><script>alert(1)</script>");
        let naming = Naming {
            id: "c\"1".to_owned(),
            title: "<b>".to_owned(),
            desc: "a & b".to_owned(),
        };
        let out = svg.done(&naming, "wide").to_string();
        assert!(!out.contains("<script"), "{out}");
        assert!(out.contains("&lt;script&gt;"));
        assert!(out.contains("<title id=\"c&quot;1-wide-t\">&lt;b&gt;</title>"));
        assert!(out.contains("a &amp; b"));
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!(n(12.04), "12");
        assert_eq!(n(12.06), "12.1");
        assert_eq!(n(-0.04), "-0");
    }
}
