//! Notes: what a reader must know before trusting the numbers of a log.

use super::{
    collect::{Collected, MOST_LIVES},
    facts,
    life::Life,
    sample::Gauge,
    stamp,
};
use crate::{
    Note,
    NoteLevel::{Info, NotCaptured, Warning},
    Reading,
    engine_config::Engine,
};

/// Notes on the text: lines that could not be read, a cut end, several starts.
pub fn on_the_text(reading: &mut Reading, all: &Collected, shown: &[&Life]) {
    if all.broken.0 > 0 {
        reading.note(
            Note::new(Warning, "engine-log-lines-broken")
                .arg("count", all.broken.0)
                .arg("line", all.broken.1),
        );
    }
    if all.cut {
        reading.note(Note::new(Warning, "engine-log-cut"));
    }
    if all.begun > 1 {
        reading.note(
            Note::new(Warning, "engine-log-several-starts")
                .arg("count", all.begun)
                .arg("shown", shown.len()),
        );
    }
    if all.begun > MOST_LIVES as u64 {
        reading.note(Note::new(Warning, "engine-log-many-starts").arg("most", MOST_LIVES));
    }
}

/// Notes on the life whose numbers carry no label.
pub fn on_the_life(reading: &mut Reading, life: &Life) {
    went_wrong(reading, life);
    if life.has_lines() {
        time(reading, life);
        lines(reading, life);
    } else {
        reading.note(Note::new(NotCaptured, "engine-log-no-lines"));
    }
    let start = &life.start;
    if start.began.is_none() {
        reading.note(Note::new(Info, "engine-log-no-start"));
    } else if start.ready.is_none() {
        reading.note(Note::new(Warning, "engine-log-not-ready"));
    }
    if start.kv_blocks.is_some() && facts::kv_tokens(start).is_none() {
        reading.note(Note::new(NotCaptured, "engine-log-block-size"));
    }
    if life
        .answers
        .keys()
        .any(|(path, _)| super::event::is_work(path))
    {
        reading.note(Note::new(Info, "engine-log-answers"));
    }
    reading.note(Note::new(NotCaptured, "engine-log-no-latency"));
}

fn went_wrong(reading: &mut Reading, life: &Life) {
    if let Some(line) = life.out_of_memory {
        reading.note(Note::new(Warning, "engine-log-out-of-memory").arg("line", line));
    }
    if let Some(line) = life.dead {
        reading.note(Note::new(Warning, "engine-log-dead").arg("line", line));
    }
    let (traces, line) = life.traces;
    if traces > 0 {
        reading.note(
            Note::new(Warning, "engine-log-traces")
                .arg("count", traces)
                .arg("line", line),
        );
    }
}

fn time(reading: &mut Reading, life: &Life) {
    let course = &life.course;
    match course.kind() {
        None => reading.note(Note::new(NotCaptured, "engine-log-no-time")),
        Some(stamp::UTC) => {}
        Some(stamp::LOCAL) => reading.note(Note::new(NotCaptured, "engine-log-no-zone")),
        Some(_) => reading.note(Note::new(NotCaptured, "engine-log-no-year")),
    }
    if let Some((times, line)) = course.back() {
        reading.note(
            Note::new(Warning, "engine-log-time-back")
                .arg("count", times)
                .arg("line", line),
        );
    }
    let usual = course.seconds().map(|s| s / (life.lines - 1).max(1) as f64);
    if let Some((usual, longest)) = usual.zip(course.longest())
        && longest > 60.0
        && longest > 10.0 * usual
    {
        reading.note(Note::new(Info, "engine-log-gap").arg("seconds", format!("{longest:.0}")));
    }
}

fn lines(reading: &mut Reading, life: &Life) {
    let code = match life.engine {
        Some(Engine::Sglang) => "engine-log-averages-sglang",
        _ => "engine-log-averages",
    };
    reading.note(Note::new(Info, code).arg("lines", life.lines));
    if life.owners.iter().any(|o| !o.server.is_empty()) && life.owners.len() > 1 {
        reading.note(Note::new(Warning, "engine-log-api-servers"));
    }
    if life.aggregated > 0 {
        reading.note(Note::new(NotCaptured, "engine-log-aggregated"));
    }
    if life.repeated > 0 {
        reading.note(Note::new(Info, "engine-log-ranks").arg("count", life.repeated));
    }
    if life.more_owners > 0 {
        reading.note(
            Note::new(Warning, "engine-log-many-engines").arg("most", super::life::MOST_ENGINES),
        );
    }
    let hits = |o: &super::life::Owner| o.levels.get(Gauge::PrefixHit).map(|l| l.over > 0);
    let hits: Vec<bool> = life.owners.iter().filter_map(hits).collect();
    if hits.iter().any(|some| *some) {
        reading.note(Note::new(Info, "engine-log-hit-rate"));
    } else if !hits.is_empty() && !facts::prefix_cache_on(&life.start) {
        reading.note(Note::new(NotCaptured, "engine-log-hit-rate-zero"));
    }
    if life.counted_preemptions.is_some() {
        reading.note(Note::new(Warning, "engine-log-preemptions-sampled"));
    } else if life.retracted.is_none() && life.owners.iter().all(|o| o.preempted.is_none()) {
        reading.note(Note::new(NotCaptured, "engine-log-no-preemptions"));
    }
}
