//! Which files Model Analyzer wrote.

use crate::{Kind, Refusal, Source, detect::Head};

/// Recognises tables by the names of their columns and checkpoints by their first key.
pub fn recognise(_source: &Source, head: &Head) -> Option<Result<Kind, Refusal>> {
    let text = String::from_utf8_lossy(&head.text);
    let start: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .take(4000)
        .collect();
    if start.starts_with('{') {
        let known = [
            "\"ResultManager.results\":",
            "\"ResultManager.server_only_data\":",
        ];
        return known
            .iter()
            .any(|key| start.contains(key))
            .then_some(Ok(Kind::ModelAnalyzerCheckpoint));
    }
    let first = text.lines().map(str::trim).find(|l| !l.is_empty())?;
    let plain = first.replace('"', "");
    let cells: Vec<&str> = plain.split(',').map(str::trim).collect();
    let has = |name: &str| cells.contains(&name);
    let own = has("Satisfies Constraints") || has("Model Config Path") || has("GPU UUID");
    (has("Model") && own).then_some(Ok(Kind::ModelAnalyzerCsv))
}
