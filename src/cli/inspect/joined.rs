//! Several files of one run at once: a folder, or files of different kinds. Files that belong
//! together are read together, everything else by itself, and what they say is shown as one
//! reading by stage, each value with the source it came from.

use super::show;
use crate::i18n::{self, Lang};
use crate::intake::grouping;
use pel_evidence::{Kind, Options, Reading, Refusal, Signal, Source, Stage, catalogue, detect};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io,
    path::{Path, PathBuf},
};

/// Version of the JSON layout of [`Joined`].
pub(super) const SCHEMA: &str = "pel.inspection/1";

/// What the files of one run say together.
#[derive(Debug, Serialize)]
pub(super) struct Joined {
    /// Layout version, [`SCHEMA`].
    schema: &'static str,
    /// One reading per file, or per group of files that belong together.
    pub readings: Vec<Reading>,
    /// Files that were not read, each with its reason.
    pub refusals: Vec<Refusal>,
}

/// The files that `paths` name: a folder stands for the files directly in it, in the order of
/// their names with runs of digits as numbers. Hidden files are left out.
///
/// # Errors
/// A folder cannot be listed.
pub(super) fn files(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let mut inside: Vec<(String, PathBuf)> = Vec::new();
        for entry in std::fs::read_dir(path)? {
            let path = entry?.path();
            let name = name_of(&path);
            if path.is_file() && !name.starts_with('.') {
                inside.push((name, path));
            }
        }
        inside.sort_by(|a, b| grouping::by_name(&a.0, &b.0));
        found.extend(inside.into_iter().map(|(_, path)| path));
    }
    Ok(found)
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// Whether the sources are of more than one kind, so that one reader cannot take them all.
pub(super) fn is_mixed(sources: &[Source]) -> bool {
    sources.len() > 1 && detect::kind_of(sources).is_err_and(|r| r.code == "mixed-kinds")
}

/// Reads everything. A file that is refused takes no other with it.
pub(super) fn read(sources: &[Source], options: &Options) -> Joined {
    let mut groups: BTreeMap<(Kind, usize), Vec<Source>> = BTreeMap::new();
    let mut refusals = Vec::new();
    for (i, source) in sources.iter().enumerate() {
        match detect::kind_of(std::slice::from_ref(source)) {
            Ok(kind) => {
                let place = if kind.format().joins_files { 0 } else { i };
                groups
                    .entry((kind, place))
                    .or_default()
                    .push(source.clone());
            }
            Err(refusal) => refusals.push(refusal),
        }
    }
    let mut readings = Vec::new();
    for group in groups.values() {
        match pel_evidence::read(group, options) {
            Ok(reading) => readings.push(reading),
            Err(refusal) if group.len() == 1 => refusals.push(refusal),
            // They do not belong together after all: two engines, or two tools.
            Err(_) => {
                for source in group {
                    match pel_evidence::read(std::slice::from_ref(source), options) {
                        Ok(reading) => readings.push(reading),
                        Err(refusal) => refusals.push(refusal),
                    }
                }
            }
        }
    }
    Joined {
        schema: SCHEMA,
        readings,
        refusals,
    }
}

/// Everything as text: the sources, the values by stage, the notes.
pub(super) fn text(lang: Lang, joined: &Joined) -> String {
    let t = |key: &str| i18n::text(lang, key, &[]);
    let mut out = String::new();
    for (i, reading) in joined.readings.iter().enumerate() {
        let files: Vec<&str> = reading.files.iter().map(|f| f.name.as_str()).collect();
        let _ = writeln!(
            out,
            "[{}] {}  {}",
            i + 1,
            i18n::text(
                lang,
                &format!("kind-{}", reading.kind.id().replace('_', "-")),
                &[]
            ),
            pel_evidence::reading::tame(&files.join(", "))
        );
    }
    for stage in Stage::ALL {
        let of: Vec<(usize, &Signal)> = joined
            .readings
            .iter()
            .enumerate()
            .flat_map(|(i, r)| r.signals.iter().map(move |s| (i + 1, s)))
            .filter(|(_, s)| catalogue::find(&s.name).is_some_and(|d| d.stage == stage))
            .collect();
        let name = t(&format!("stage-{}", stage.id().replace('_', "-")));
        let _ = writeln!(out, "\n{} {name}", stage.number());
        if of.is_empty() {
            let _ = writeln!(out, "  {}", t("inspect-stage-empty"));
        } else {
            show::table(&mut out, lang, &of);
        }
    }
    let noted = joined.readings.iter().any(|r| !r.notes.is_empty());
    if noted {
        let _ = writeln!(out, "\n{}", t("inspect-notes"));
    }
    for (i, reading) in joined.readings.iter().enumerate() {
        for note in &reading.notes {
            let _ = writeln!(out, "  [{}] {}", i + 1, show::note(lang, note));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use pel_evidence::samples;

    #[test]
    fn a_folder_of_one_run_is_one_reading_and_a_strange_file_spoils_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let scrapes = samples::vllm_scrapes(&samples::Load::default());
        for (name, text) in [
            ("t10.prom", scrapes.after),
            ("t9.prom", scrapes.before),
            ("notes.bin", "\u{1}\u{2}\u{3}".to_owned()),
            (".hidden", "x".to_owned()),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let files = files(&[folder.path().to_owned()]).unwrap();
        let names: Vec<String> = files.iter().map(|f| name_of(f)).collect();
        assert_eq!(names, ["notes.bin", "t9.prom", "t10.prom"]);
        let sources: Vec<Source> = files.iter().map(Source::at).collect();
        let joined = read(&sources, &Options::default());
        assert_eq!((joined.readings.len(), joined.refusals.len()), (1, 1));
        assert_eq!(joined.readings[0].files.len(), 2);
        let text = text(Lang::En, &joined);
        assert!(text.contains("t9.prom, t10.prom"), "{text}");
        assert!(text.contains("ttft"), "{text}");
    }
}
