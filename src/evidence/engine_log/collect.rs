//! Lines in, lives out: takes the lines of one or more log files in their order and sorts each into
//! the life of the server it belongs to.

use super::{
    event::{self, Event},
    front::{self, Front, Level, Ranks},
    life::{Life, MOST_ENGINES, Owner},
    sample::{Gauge, Sample},
    sglang,
    stamp::Stamps,
    start::{self, Fact},
    vllm,
};
use crate::engine_config::{Engine, Printed, printed};

/// Most lives that are kept; of more, the newest.
pub const MOST_LIVES: usize = 16;

/// Most classes of error kept of one life.
const MOST_CLASSES: usize = 50;

/// Everything taken from the lines.
#[derive(Debug, Default)]
pub struct Collected {
    /// Lives in order; the last one is still open.
    pub lives: Vec<Life>,
    /// Lives that began.
    pub begun: u64,
    /// Lines seen, over all files.
    pub lines: u64,
    /// Lines of an engine's own making, of any kind.
    pub known: u64,
    /// Periodic lines that could not be read, and the first of them.
    pub broken: (u64, u64),
    /// The newest times of a line with some: uvicorn's lines have none of their own.
    newest: Stamps,
    /// Whether a file ends in the middle of a periodic line.
    pub cut: bool,
}

impl Collected {
    /// Takes one line; `ended` says whether a line feed ended it.
    pub fn line(&mut self, bytes: &[u8], ended: bool) {
        self.lines += 1;
        let line = front::plain(bytes);
        let line = line.trim_ascii();
        if (line.starts_with(b"{\"") || line.starts_with(b"{ \""))
            && let Some(inner) = super::json::unwrap(line)
        {
            // One document may hold several lines.
            for text in inner.text.as_bytes().split(|b| *b == b'\n') {
                let text = front::plain(text);
                let mut front = front::split(&text);
                if let Some((kind, seconds)) = inner.time {
                    front.stamps.0[kind] = Some(seconds);
                }
                self.message(&front, true);
            }
            return;
        }
        let front = front::split(line);
        if self.message(&front, ended) {
            return;
        }
        // A progress bar does not end its line before the next message begins.
        if memchr::memmem::find(line, b"%|").is_some()
            && let Some(at) = glued(line)
        {
            self.message(&front::split(&line[at..]), ended);
        }
    }

    fn life(&mut self) -> &mut Life {
        if self.lives.is_empty() {
            self.lives.push(Life::default());
            self.begun = 1;
        }
        let last = self.lives.len() - 1;
        &mut self.lives[last]
    }

    /// Sorts a message; `false` when it says nothing.
    fn message(&mut self, front: &Front<'_>, ended: bool) -> bool {
        let message = front.message;
        if !front.stamps.is_empty() {
            self.newest = front.stamps;
        }
        if let Some(line) = vllm::read(message) {
            self.known += 1;
            if !ended && !message.trim_ascii_end().ends_with(b"%") {
                self.cut = true;
                return true;
            }
            self.vllm(line, front);
            return true;
        }
        if let Some(line) = sglang::read(message) {
            self.known += 1;
            if !ended {
                self.cut = true;
                return true;
            }
            self.sglang(line, front);
            return true;
        }
        if let Some(fact) = start::read(message).filter(|_| ended) {
            self.known += 1;
            self.fact(fact, front);
            return true;
        }
        let error = front.level == Level::Error;
        match event::read(message, error) {
            Some(event) => {
                self.event(event, message);
                true
            }
            None => {
                self.known += u64::from(front.has_source);
                false
            }
        }
    }

    fn broken(&mut self) {
        if self.broken.0 == 0 {
            self.broken.1 = self.lines;
        }
        self.broken.0 += 1;
    }

    fn vllm(&mut self, line: vllm::Line, front: &Front<'_>) {
        match line {
            vllm::Line::Broken => self.broken(),
            vllm::Line::Stats(number, sample) => {
                self.sample(Engine::Vllm, number, &sample, front);
            }
            vllm::Line::PrefixHit(rate) => {
                // It follows the line of its interval.
                let life = self.life();
                if let Some(owner) = life.owners.first_mut() {
                    let mut sample = Sample::default();
                    sample.set(Gauge::PrefixHit, Some(rate));
                    owner.levels.take(&sample);
                    owner.newest.set(Gauge::PrefixHit, Some(rate));
                }
            }
            vllm::Line::Speculation(line) => self.life().speculated.take(&line),
            vllm::Line::Preempted(count) => {
                let counted = &mut self.life().counted_preemptions;
                let first = counted.map_or(count, |(first, _)| first);
                *counted = Some((first, count));
            }
        }
    }

    fn sglang(&mut self, line: sglang::Line, front: &Front<'_>) {
        match line {
            sglang::Line::Broken => self.broken(),
            sglang::Line::Retracted(n) => {
                let retracted = &mut self.life().retracted;
                *retracted = Some(retracted.unwrap_or(0.0) + n);
            }
            sglang::Line::Prefill(sample) | sglang::Line::Decode(sample) => {
                self.sample(Engine::Sglang, front.ranks.dp, &sample, front);
            }
        }
    }

    fn sample(&mut self, engine: Engine, number: Option<u32>, sample: &Sample, front: &Front<'_>) {
        let line = self.lines;
        let life = self.life();
        life.engine = Some(engine);
        let Some(at) = owner(life, engine, number, front) else {
            return;
        };
        life.take(sample, &front.stamps, line, at);
    }

    fn fact(&mut self, fact: Fact<'_>, front: &Front<'_>) {
        let begins = matches!(
            fact,
            Fact::Release(_) | Fact::Arguments(_) | Fact::Namespace(_) | Fact::ServerArguments(_)
        ) || matches!(fact, Fact::Engine(_)) && self.life().start.began.is_none();
        if begins {
            if self.life().is_over() {
                self.next_life();
            }
            let line = self.lines;
            let began = &mut self.life().start.began;
            began.get_or_insert((line, front.stamps));
        }
        let times = if front.stamps.is_empty() {
            self.newest
        } else {
            front.stamps
        };
        let number = suffix(front.process, b"EngineCore_DP").or(front.ranks.dp);
        let life = self.life();
        match fact {
            Fact::Release(text) => {
                life.engine = Some(Engine::Vllm);
                life.start.release = start::release(text).or(life.start.release.take());
            }
            Fact::Arguments(text) => given(life, Engine::Vllm, text, Printed::Set),
            Fact::Namespace(text) => given(life, Engine::Vllm, text, Printed::All),
            Fact::ServerArguments(text) => given(life, Engine::Sglang, text, Printed::All),
            Fact::Engine(text) => {
                life.engine = Some(Engine::Vllm);
                life.start.release = life.start.release.take().or_else(|| start::release(text));
                let config = memchr::memmem::find(text, b"with config: ")
                    .and_then(|at| std::str::from_utf8(&text[at + 13..]).ok())
                    .and_then(|text| printed(Engine::Vllm, text, Printed::All));
                life.start.resolved = config.or(life.start.resolved.take());
            }
            Fact::Ready(sure) => {
                if sure && !life.start.sure {
                    life.start.ready = None;
                    life.start.sure = true;
                }
                life.start.ready.get_or_insert(times);
            }
            Fact::Step(step, seconds, bytes) => {
                let adds = life.engine == Some(Engine::Sglang);
                let process = process(front);
                life.start.step(step, &process, seconds, bytes, adds);
            }
            Fact::KvTokens(tokens) => {
                // Every worker says it; what all of them can hold counts.
                let kept = life.start.kv_tokens.entry(number).or_insert(tokens);
                *kept = kept.min(tokens);
            }
            Fact::KvBlocks(blocks) => life.start.kv_blocks = Some(blocks),
            Fact::Concurrency(times) => {
                let kept = life.start.concurrency.get_or_insert(times);
                *kept = kept.min(times);
            }
            Fact::Backend(name) => {
                let name = String::from_utf8_lossy(name).into_owned();
                life.start.backend.get_or_insert(name);
            }
        }
    }

    fn next_life(&mut self) {
        self.begun += 1;
        self.lives.push(Life::default());
        // Starts that never came to anything leave first.
        while self.lives.len() > MOST_LIVES {
            let last = self.lives.len() - 1;
            let empty = self.lives[..last].iter().position(|l| !l.has_lines());
            self.lives.remove(empty.unwrap_or(0));
        }
    }

    fn event(&mut self, event: Event<'_>, message: &[u8]) {
        let line = self.lines;
        let life = self.life();
        match event {
            Event::Answer { endpoint, status } => {
                *life.answers.entry((endpoint, status)).or_default() += 1;
            }
            Event::Trace => {
                if life.traces.0 == 0 {
                    life.traces.1 = line;
                }
                life.traces.0 += 1;
            }
            Event::Dead => {
                life.dead.get_or_insert(line);
            }
            Event::Error(class) => {
                if event::is_out_of_memory(class, message) {
                    life.out_of_memory.get_or_insert(line);
                }
                if class == "EngineDeadError" {
                    life.dead.get_or_insert(line);
                }
                let room = life.errors.len() < MOST_CLASSES;
                if let Some(kept) = life.errors.get_mut(class) {
                    kept.0 += 1;
                } else if room {
                    life.errors.insert(class.to_owned(), (1, line));
                }
            }
        }
    }
}

fn given(life: &mut Life, engine: Engine, text: &[u8], how: Printed) {
    life.engine = Some(engine);
    let config = std::str::from_utf8(text)
        .ok()
        .and_then(|text| printed(engine, text, how));
    life.start.given = config.or(life.start.given.take());
}

/// The process that a step belongs to: its name in brackets, or SGLang's ranks.
fn process(front: &Front<'_>) -> Vec<u8> {
    let Ranks { dp, tp, pp } = front.ranks;
    let mut out = front.process.to_vec();
    for rank in [dp, tp, pp].into_iter().flatten() {
        out.extend_from_slice(format!(" {rank}").as_bytes());
    }
    out
}

/// The number behind `prefix` in the name of a process.
fn suffix(process: &[u8], prefix: &[u8]) -> Option<u32> {
    let rest = process.strip_prefix(prefix)?;
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

/// The place of the engine of a line; `None` when the line repeats another rank's, or when there
/// are too many engines.
fn owner(life: &mut Life, engine: Engine, number: Option<u32>, front: &Front<'_>) -> Option<usize> {
    // `APIServer` alone is the only one; `ApiServer_1` is one of several.
    let process = front
        .process
        .split(|b| *b == b' ')
        .next()
        .unwrap_or_default();
    let server = match (engine, suffix(process, b"ApiServer_")) {
        (Engine::Vllm, Some(n)) => n.to_string(),
        _ => String::new(),
    };
    let found = life
        .owners
        .iter()
        .position(|o| o.number == number && o.server == server);
    let rank = (front.ranks.tp, front.ranks.pp);
    if let Some(at) = found {
        if life.owners[at].rank != rank {
            life.repeated += 1;
            return None;
        }
        return Some(at);
    }
    if life.owners.len() >= MOST_ENGINES {
        life.more_owners += 1;
        return None;
    }
    life.owners.push(Owner {
        number,
        server,
        rank,
        ..Owner::default()
    });
    Some(life.owners.len() - 1)
}

/// Where the message behind a progress bar begins.
fn glued(line: &[u8]) -> Option<usize> {
    let starts: [&[u8]; 5] = [b"(APIServer", b"(EngineCore", b"INFO ", b"[20", b"WARNING "];
    let bar = memchr::memmem::rfind(line, b"%|")?;
    let found = starts
        .iter()
        .filter_map(|start| memchr::memmem::find(&line[bar..], start));
    found.min().map(|at| bar + at)
}
