//! The task mix of a contract as it is typed: one class a line with its share of the requests.

use super::sheet_read::Form;
use crate::web::typed;
use std::collections::BTreeMap;

impl Form<'_> {
    /// Lines of `class = least - most`, in per cent of the requests.
    pub(super) fn mix(&mut self) -> BTreeMap<String, (f64, f64)> {
        let mut mix = BTreeMap::new();
        for line in self.sheet.get("mix").lines().map(str::trim) {
            if line.is_empty() {
                continue;
            }
            let said = line.rsplit_once('=').and_then(|(class, range)| {
                let (least, most) = range.split_once(['-', '–'])?;
                let share = |text: &str| {
                    let text = text.trim().trim_end_matches('%').trim();
                    typed::number(self.page.lang, text).filter(|n| (0.0..=100.0).contains(n))
                };
                let (least, most) = (share(least)?, share(most)?);
                let base = |n: f64| pel_evidence::Unit::Ratio.to_base(n, "%");
                let range = (base(least)?, base(most)?);
                let class = class.trim();
                let sound = !class.is_empty() && class.chars().count() <= 80 && least <= most;
                sound.then(|| (class.to_owned(), range))
            });
            let key = match said {
                Some((class, range)) => match mix.insert(class, range) {
                    None => continue,
                    Some(_) => "contracts-mix-twice-fault",
                },
                None => "contracts-mix-fault",
            };
            let fault = self.page.t1(key, "line", line);
            self.faults.add("mix", fault);
        }
        mix
    }
}
