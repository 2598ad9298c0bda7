//! The ladder: five stages with their standing, the signal that matters and the number of files.

use super::stage_name;
use crate::{
    ladder::{
        CaseFile, Stage,
        stage::{self, Standing, StandingWord},
    },
    web::{Page, say},
};

/// One rung.
pub struct Rung {
    /// 1 to 5.
    pub number: u8,
    /// Name of the stage.
    pub name: String,
    /// Drawing: `full`, `empty`, `read`, `own`, `na`, `dis`.
    pub kind: &'static str,
    /// Tone of the line: `own`, `bad` or nothing.
    pub tone: &'static str,
    /// Where the stage stands, in words.
    pub word: String,
    /// The signal that matters.
    pub signal: Option<Shown>,
    /// Number of usable files, in words.
    pub files: String,
}

/// The signal of a rung.
pub struct Shown {
    /// Its name and statistic.
    pub words: String,
    /// Its value.
    pub value: String,
    /// Run and item it was read from, `R-2 · EV-3`.
    pub from: String,
}

/// The drawing of a standing.
pub fn drawing(word: StandingWord) -> &'static str {
    match word {
        StandingWord::Empty => "empty",
        StandingWord::Collecting => "read",
        StandingWord::Evidenced => "full",
        StandingWord::OwnerLayer => "own",
        StandingWord::NotApplicable | StandingWord::NotExamined => "na",
        StandingWord::Disputed => "dis",
    }
}

/// The tone of a standing; most have none, because a standing is no judgement.
pub fn tone(word: StandingWord) -> &'static str {
    match word {
        StandingWord::OwnerLayer => "own",
        StandingWord::Disputed => "bad",
        _ => "",
    }
}

/// Where every stage stands.
pub fn standings(case: &CaseFile) -> Vec<(Stage, Standing)> {
    stage::standings(case).into()
}

/// A standing in words.
pub fn standing_word(page: &Page, standing: &Standing) -> String {
    page.t1(
        &say::key("standing", standing.word.id()),
        "count",
        standing.reading,
    )
}

/// The rungs, from the top.
pub fn rungs(page: &Page, standings: &[(Stage, Standing)]) -> Vec<Rung> {
    standings
        .iter()
        .map(|(stage, standing)| Rung {
            number: stage.number(),
            name: stage_name(page, *stage),
            kind: drawing(standing.word),
            tone: tone(standing.word),
            word: standing_word(page, standing),
            signal: standing.main_signal.as_ref().map(|main| Shown {
                words: super::cards::signal_words(page, &main.signal),
                value: say::value(page.lang, &main.signal),
                from: main.from(),
            }),
            files: if standing.usable == 0 {
                "–".to_owned()
            } else {
                page.t1("case-files", "count", standing.usable)
            },
        })
        .collect()
}
