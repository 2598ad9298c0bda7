//! `pel inspect FILE…`: reads the files of one run and shows what they say, with no database and
//! no network. With `--json` standard output carries the `Reading` and nothing else; this is also
//! how the service reads evidence, in a confined process of its own (`--sandbox`).
//!
//! A folder, or files of several kinds, are one run's evidence: they are read side by side and shown
//! as one ([`joined`]). With `--diff` two configurations are compared instead ([`diff`]).
//!
//! Ends with 0 when the files were read, 2 when they were refused (of several, all), 1 when a file is
//! not there or the reader itself failed.

mod diff;
mod joined;
mod show;

use crate::i18n::{self, Lang};
use crate::intake::sandbox;
use clap::Args as ClapArgs;
use pel_evidence::{Mapping, Options, Reading, Refusal, Source, reading::tame};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
};

/// The files were refused.
const REFUSED: u8 = 2;
/// The reader itself failed.
const FAILED: u8 = 1;

/// Arguments of `pel inspect`.
#[derive(Debug, Clone, ClapArgs)]
pub struct Args {
    /// Files of one run, or a folder of them: an export, a report, several scrapes in order
    #[arg(required_unless_present = "diff", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Compare configurations of an engine: two files, or the files before against these
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["sandbox", "interval"])]
    pub diff: Vec<PathBuf>,
    /// Print the reading as one JSON object and nothing else
    #[arg(long)]
    pub json: bool,
    /// Time between two scrapes that carry none, e.g. 60s, 500ms, 5min
    #[arg(long, value_name = "TIME", value_parser = parse_interval)]
    pub interval: Option<f64>,
    /// What the columns of a table mean: JSON, or a file that holds it
    ///
    /// Without one a table of numbers is refused with `needs-mapping`. With --json the refusal
    /// holds a guess under `refusal.asks.guess`, which can be edited and given here.
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub mapping: Option<String>,
    /// Ask what the columns of a request log mean even where their names say it
    #[arg(long)]
    pub ask: bool,
    /// Confine this process to the given files before reading them
    #[arg(long)]
    pub sandbox: bool,
    /// Name to show for a file, in the order of the files
    #[arg(
        long = "name",
        value_name = "NAME",
        hide = true,
        allow_hyphen_values = true
    )]
    pub names: Vec<String>,
    /// Address space of the confined process, bytes
    #[arg(long, hide = true, default_value_t = sandbox::Limits::default().memory_bytes)]
    pub sandbox_memory: u64,
    /// Processor time of the confined process, seconds
    #[arg(long, hide = true, default_value_t = sandbox::Limits::default().cpu_seconds)]
    pub sandbox_cpu: u64,
}

/// Runs the command; everything it has to say goes to standard output and standard error.
pub fn run(args: &Args) -> ExitCode {
    if !args.diff.is_empty() {
        return diff::run(&args.files, &args.diff, args.json);
    }
    // The service hands over files of its own store; what a person typed may be no file at all.
    if !args.sandbox
        && let Some(problem) = args.files.iter().find_map(|path| unreadable(path))
    {
        return fail(&problem);
    }
    let mapping = match args.mapping.as_deref().map(read_mapping).transpose() {
        Ok(mapping) => mapping,
        Err(error) => return fail(&error),
    };
    let folder = args.files.iter().any(|path| path.is_dir());
    let sources = match joined::files(&args.files) {
        Ok(files) if !args.sandbox => sources(&files, &args.names),
        Ok(_) => sources(&args.files, &args.names),
        Err(error) => return fail(&error.to_string()),
    };
    if args.sandbox
        && let Err(error) = confine(args)
    {
        return fail(&error);
    }
    let options = Options {
        interval_seconds: args.interval,
        mapping,
        ask: args.ask,
    };
    if !args.sandbox && (folder || joined::is_mixed(&sources)) {
        return run_joined(&sources, &options, args.json);
    }
    let (code, said) = match guarded(|| pel_evidence::read(&sources, &options)) {
        Ok(Ok(reading)) => (0, say_reading(&reading, args.json)),
        Ok(Err(refusal)) => (REFUSED, say_refusal(&refusal, args.json)),
        Err(panic) => return fail(&panic),
    };
    match said {
        Ok(()) => ExitCode::from(code),
        // Whoever read our output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(code),
        Err(error) => fail(&format!("the result could not be written: {error}")),
    }
}

/// Reads files side by side and says what they say together.
fn run_joined(sources: &[Source], options: &Options, json: bool) -> ExitCode {
    let joined = match guarded(|| joined::read(sources, options)) {
        Ok(joined) => joined,
        Err(panic) => return fail(&panic),
    };
    let mut said = if json {
        print_json(&joined)
    } else {
        print(&joined::text(Lang::En, &joined))
    };
    for refusal in &joined.refusals {
        said = said.and(write!(io::stderr(), "{}", show::refusal(Lang::En, refusal)));
    }
    match said {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            fail(&format!("the result could not be written: {error}"))
        }
        _ if joined.readings.is_empty() => ExitCode::from(REFUSED),
        _ => ExitCode::SUCCESS,
    }
}

/// Why a path cannot be read at all, in words for the terminal. `None` when it can be opened.
fn unreadable(path: &Path) -> Option<String> {
    let say = |key: &str, args: &[(&str, &str)]| {
        let name = tame(&path.to_string_lossy());
        Some(format!("{name}: {}", i18n::text(Lang::En, key, args)))
    };
    match path.metadata() {
        Ok(known) if known.is_dir() => match path.read_dir().map(Iterator::count) {
            Ok(0) => say("inspect-folder-empty", &[]),
            Ok(_) => None,
            Err(error) => say("inspect-not-opened", &[("error", &error.to_string())]),
        },
        // Opening a pipe would wait for whoever writes to it.
        Ok(known) if !known.is_file() => None,
        Ok(_) => match std::fs::File::open(path) {
            Ok(_) => None,
            Err(error) => say("inspect-not-opened", &[("error", &error.to_string())]),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => say("inspect-no-file", &[]),
        Err(error) => say("inspect-not-opened", &[("error", &error.to_string())]),
    }
}

fn sources(files: &[PathBuf], names: &[String]) -> Vec<Source> {
    let mut sources: Vec<Source> = files.iter().map(Source::at).collect();
    for (source, name) in sources.iter_mut().zip(names) {
        source.name.clone_from(name);
    }
    for source in &mut sources {
        source.name = tame(&source.name);
    }
    sources
}

fn confine(args: &Args) -> Result<(), String> {
    let limits = sandbox::Limits {
        memory_bytes: args.sandbox_memory,
        cpu_seconds: args.sandbox_cpu,
    };
    let report = sandbox::enter(limits, &args.files).map_err(|e| e.to_string())?;
    let report = serde_json::to_string(&report).map_err(|e| e.to_string())?;
    // A closed standard error is no reason not to read.
    let _ = writeln!(io::stderr(), "{}{report}", sandbox::REPORT_PREFIX);
    Ok(())
}

/// Runs a reader; a panic of it comes back as its message.
fn guarded<T>(reader: impl FnOnce() -> T) -> Result<T, String> {
    let message = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&message);
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        *seen.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(reader));
    std::panic::set_hook(usual);
    result.map_err(|_| {
        let message = message.lock().unwrap_or_else(PoisonError::into_inner);
        format!("the reader broke, which is a fault of the program: {message}")
    })
}

fn say_reading(reading: &Reading, json: bool) -> io::Result<()> {
    if json {
        return print_json(reading);
    }
    print(&show::reading(Lang::En, reading))
}

fn say_refusal(refusal: &Refusal, json: bool) -> io::Result<()> {
    let said = write!(io::stderr(), "{}", show::refusal(Lang::En, refusal));
    if json {
        print_json(&serde_json::json!({
            "refusal": refusal,
            "reason": show::reason(Lang::En, refusal),
            "advice": show::advice(Lang::En, refusal),
        }))?;
    }
    said
}

fn print_json(value: &impl serde::Serialize) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")?;
    out.flush()
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn fail(message: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "pel inspect: {message}");
    ExitCode::from(FAILED)
}

/// The mapping in a text, or in the file that it names.
fn read_mapping(given: &str) -> Result<Mapping, String> {
    let text = match given.trim_start().starts_with('{') {
        true => given.to_owned(),
        false => std::fs::read_to_string(given)
            .map_err(|e| format!("the mapping {} cannot be read: {e}", tame(given)))?,
    };
    serde_json::from_str(&text).map_err(|e| format!("the mapping is not one: {e}"))
}

/// Seconds of a time as typed: a number with `ms`, `s`, `min` or `h`; a bare number is seconds.
fn parse_interval(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let factor = match unit.trim() {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        other => return Err(format!("{other:?} is no unit of time: use ms, s, min or h")),
    };
    let number = &text[..text.len() - unit.len()];
    match number.parse::<f64>() {
        Ok(n) if n > 0.0 && n.is_finite() => Ok(n * factor),
        _ => Err("a time above zero is needed, e.g. 60s".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_read_in_their_units() {
        assert_eq!(parse_interval("60s"), Ok(60.0));
        assert_eq!(parse_interval("500ms"), Ok(0.5));
        assert_eq!(parse_interval("5 min"), Ok(300.0));
        assert_eq!(parse_interval("1.5h"), Ok(5400.0));
        assert_eq!(parse_interval("15"), Ok(15.0));
        for wrong in ["", "0s", "-5s", "fast", "5 parsecs", "1e400", "."] {
            assert!(parse_interval(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn names_given_replace_those_of_the_path_and_are_tamed() {
        let files = ["/blobs/ab/cd".into(), "/blobs/ef/01".into()];
        let sources = sources(&files, &["before\u{202e}\n.prom".to_owned()]);
        assert_eq!(sources[0].name, "before.prom");
        assert_eq!(sources[1].name, "01");
    }
}
