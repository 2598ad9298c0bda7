//! Loading the snapshot that everything is judged on: five statements, whatever the case's size.

use super::evidence::state as evidence_state;
use super::{Error, Result, contracts};
use crate::ladder::attested::Attested;
use crate::ladder::break_glass::Override;
use crate::ladder::case::{
    CaseFile, CaseState, Declaration, Hypothesis, Outcome, PersonRef, Symptom,
};
use crate::ladder::change::Change;
use crate::ladder::condition::Record;
use crate::ladder::contract::{Terms, Version};
use crate::ladder::environment::Environment;
use crate::ladder::evidence::{
    Acceptance, Evidence, EvidenceFile, Extraction, Held, Link, Redaction, Sealed,
};
use crate::ladder::life::{Ancestor, Consent, Flag, Life, Part, Pin, Reopening};
use crate::ladder::numbers::Policy;
use crate::ladder::policy::Role;
use crate::ladder::reread::Reread;
use crate::ladder::run::{Phase, Profiled, Run, RunRole, Statement};
use crate::ladder::weigh::Calculated;
use pel_evidence::{Hint, Kind, Note, Signal, Window};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sqlx::PgConnection;
use sqlx::types::Json;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// Loads the snapshot of a case.
///
/// # Errors
/// `NotFound`; `Inconsistent` names a row that does not make sense.
pub async fn load(conn: &mut PgConnection, case_id: Uuid) -> Result<CaseFile> {
    let case = head(conn, Some(case_id), None).await?;
    rest(conn, case).await
}

/// Loads the snapshot of the case with this number, in as many statements.
///
/// # Errors
/// As [`load`].
pub async fn load_numbered(conn: &mut PgConnection, number: i64) -> Result<CaseFile> {
    let case = head(conn, None, Some(number)).await?;
    rest(conn, case).await
}

async fn rest(conn: &mut PgConnection, mut case: CaseFile) -> Result<CaseFile> {
    case.runs = runs(conn, case.id).await?;
    case.evidence = evidence(conn, case.id).await?;
    said(conn, &mut case).await?;
    case.people = people(conn, &case).await?;
    Ok(case)
}

fn odd(table: &'static str, id: impl ToString, what: impl ToString) -> Error {
    Error::Inconsistent {
        table,
        id: id.to_string(),
        what: what.to_string(),
    }
}

async fn head(
    conn: &mut PgConnection,
    case_id: Option<Uuid>,
    number: Option<i64>,
) -> Result<CaseFile> {
    let r = sqlx::query!(
        r#"select c.id, c.number, c.title, c.service_id, s.name as service_name, c.problem,
                  c.symptom as "symptom: Json<Symptom>", c.first_seen, c.classes, c.state, c.state_since,
                  c.owner_id, array(select o.person_id from case_owner o where o.case_id = c.id) as "owners!",
                  c.opened_by, c.opened_at, c.outcome, c.on_hold_until, c.on_hold_reason, c.version,
                  c.problem_version, c.contract_link_version,
                  v.id as "v_id?", v.contract_id as "contract_id?", k.name as "contract_name?",
                  v.number as "v_number?", v.state as "v_state?", v.terms as "v_terms?: Json<Terms>",
                  v.digest as v_digest,
                  (select n.number from contract_version n where n.contract_id = v.contract_id
                     and n.state = 'published' and n.number > v.number) as newer,
                  (select 'CH-' || g.number || ' (PEL-' || lpad(o.number::text, 4, '0') || ')'
                     from change g join case_file o on o.id = g.case_id
                     where g.service_id = c.service_id and g.case_id <> c.id
                       and (g.state in ('canary_running', 'canary_paused', 'canary_ended', 'awaiting_promotion', 'accepted')
                         or (g.state in ('rolled_back', 'expired')
                           and (select e.kind = 'recalled' or (g.state = 'expired' and e.kind not in ('rolled_back', 'restored'))
                                from canary_event e where e.change_id = g.id order by e.seq desc limit 1)))
                     limit 1) as other_live,
                  (select jsonb_agg(jsonb_build_object('id', t.id, 'number', t.number, 'component', t.component,
                      'setting', t.setting, 'unit', t.unit, 'least', t.least, 'most', t.most, 'reason', t.reason,
                      'by', t.by_person, 'at', t.at, 'agreed', (select jsonb_build_array(a.agrees, a.by_person, a.at)
                        from template_agreement a where a.template_id = t.id order by a.seq desc limit 1))
                      order by t.number)
                     from change_template t where t.service_id = c.service_id) as templates,
                  (select jsonb_agg(jsonb_build_object('id', f.id, 'from', f.from_at, 'to', f.to_at,
                      'reason', f.reason, 'by', w.name) order by f.from_at)
                     from freeze_window f join person w on w.id = f.by_person
                     where f.service_id = c.service_id
                       and not exists (select from freeze_lift l where l.freeze_id = f.id)) as freezes,
                  c.owner_accepted_at,
                  (select jsonb_agg(jsonb_build_object('part', x.part, 'person', x.person_id, 'reason', x.reason,
                     'by', x.by_person, 'at', x.at) order by x.at, x.person_id) from case_parts(c.id) x) as "parts: Json<Vec<Part>>",
                  (select jsonb_agg(jsonb_build_object('flag', f.flag, 'raised', f.raised, 'until', f.until,
                     'reason', f.reason, 'by', f.by_person, 'at', f.at) order by f.flag)
                     from (select distinct on (flag) * from case_flag where case_id = c.id order by flag, seq desc) f)
                     as "flags: Json<Vec<Flag>>",
                  (select jsonb_agg(jsonb_build_object('reason', e.reason, 'by', e.by_person, 'at', e.at) order by e.seq)
                     from case_ending e where e.case_id = c.id and e.kind = 'reopened') as "reopenings: Json<Vec<Reopening>>",
                  (select d.number from case_file d where d.id = c.duplicate_of) as duplicate_of,
                  array(select d.number from case_file d where d.duplicate_of = c.id order by d.number) as "duplicates!",
                  (select jsonb_agg(jsonb_build_object('id', a.id, 'number', a.number, 'digest', a.digest) order by a.number)
                     from contract_version a where a.contract_id = v.contract_id and a.number < v.number and a.state <> 'draft'
                       and not exists (select from contract_version m where m.contract_id = v.contract_id
                         and m.number > a.number and m.number <= v.number and m.state <> 'draft'
                         and m.compatibility is distinct from 'editorial')) as "editorial: Json<Vec<Ancestor>>",
                  (select jsonb_agg(jsonb_build_object('version', pv.id, 'label', pk.name || ' v' || pv.number,
                     'terms', pv.terms, 'at', i.at) order by i.seq)
                     from case_contract i join contract_version pv on pv.id = i.contract_version_id
                     join contract pk on pk.id = pv.contract_id where i.case_id = c.id) as "pins: Json<Vec<Pin>>",
                  (select jsonb_agg(jsonb_build_object('version', o.contract_version_id, 'reason', o.reason,
                     'by', o.by_person, 'at', o.at) order by o.at) from contract_consent o where o.case_id = c.id)
                     as "consents: Json<Vec<Consent>>",
                  (select count(*) from person where deactivated_at is null) as team,
                  p.number as policy_number, p.numbers as "policy: Json<Policy>"
           from case_file c join service s on s.id = c.service_id
           cross join (select number, numbers from policy_version order by number desc limit 1) p
           left join contract_version v on v.id = c.contract_version_id
           left join contract k on k.id = v.contract_id
           where c.id = coalesce($1, (select id from case_file where number = $2))"#,
        case_id,
        number
    )
    .fetch_one(conn)
    .await?;
    let contract = match (
        r.v_id,
        r.contract_id,
        r.contract_name,
        r.v_number,
        r.v_state,
        r.v_terms,
    ) {
        (
            Some(id),
            Some(contract_id),
            Some(contract_name),
            Some(number),
            Some(state),
            Some(terms),
        ) => Some(Version {
            id,
            contract_id,
            contract_name,
            number,
            state: contracts::state(&state, id)?,
            terms: terms.0,
            digest: r.v_digest,
        }),
        _ => None,
    };
    Ok(CaseFile {
        id: r.id,
        number: r.number,
        title: r.title,
        service: (r.service_id, r.service_name),
        problem: r.problem,
        symptom: r.symptom.0,
        first_seen: r.first_seen,
        classes: r.classes,
        state: CaseState::from_id(&r.state).ok_or_else(|| odd("case_file", r.id, &r.state))?,
        state_since: r.state_since,
        owner: r.owner_id,
        owners: r.owners,
        opened_by: r.opened_by,
        opened_at: r.opened_at,
        outcome: r.outcome.as_deref().and_then(Outcome::from_id),
        on_hold: r.on_hold_until.zip(r.on_hold_reason),
        version: r.version,
        problem_version: r.problem_version,
        contract_link_version: r.contract_link_version,
        contract,
        newer_contract: r.newer,
        people: Vec::new(),
        runs: Vec::new(),
        evidence: Vec::new(),
        declarations: Vec::new(),
        hypotheses: Vec::new(),
        records: Vec::new(),
        changes: Vec::new(),
        acceptances: Vec::new(),
        attested: Vec::new(),
        rereads: Vec::new(),
        calculated: Vec::new(),
        life: Life {
            accepted_at: r.owner_accepted_at,
            parts: r.parts.map(|j| j.0).unwrap_or_default(),
            flags: r.flags.map(|j| j.0).unwrap_or_default(),
            reopenings: r.reopenings.map(|j| j.0).unwrap_or_default(),
            duplicate_of: r.duplicate_of,
            duplicates: r.duplicates,
            editorial: r.editorial.map(|j| j.0).unwrap_or_default(),
            pins: r.pins.map(|j| j.0).unwrap_or_default(),
            consents: r.consents.map(|j| j.0).unwrap_or_default(),
        },
        overrides: Vec::new(),
        team: r.team,
        policy: Policy {
            version: r.policy_number,
            ..r.policy.0
        },
        other_live_change: r.other_live,
        templates: from_json(r.templates, "change_template", r.id)?,
        freezes: from_json(r.freezes, "freeze_window", r.id)?,
    })
}

async fn runs(conn: &mut PgConnection, case_id: Uuid) -> Result<Vec<Run>> {
    let rows = sqlx::query!(
        r#"select r.id, r.number, s.number as statement_number, s.role, s.phase, s.profiled, s.contract_version_id,
                  s.environment as "environment: Json<Environment>", s.class, s.band, s.started_at, s.ended_at,
                  s.note, s.by_person, s.at
           from run r
           join lateral (select * from run_statement where run_id = r.id order by number desc limit 1) s on true
           where r.case_id = $1 order by r.number"#,
        case_id
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|r| {
            let odd = |what: &str| odd("run_statement", r.id, what);
            Ok(Run {
                id: r.id,
                number: r.number,
                statement_number: r.statement_number,
                stated: Statement {
                    role: RunRole::from_id(&r.role).ok_or_else(|| odd(&r.role))?,
                    phase: Phase::from_id(&r.phase).ok_or_else(|| odd(&r.phase))?,
                    profiled: Profiled::from_id(&r.profiled).ok_or_else(|| odd(&r.profiled))?,
                    contract_version_id: r.contract_version_id,
                    environment: r.environment.0,
                    class: r.class,
                    band: r.band,
                    window: r.started_at.zip(r.ended_at),
                    note: r.note,
                },
                by: r.by_person,
                at: r.at,
            })
        })
        .collect()
}

async fn evidence(conn: &mut PgConnection, case_id: Uuid) -> Result<Vec<Evidence>> {
    let rows = sqlx::query!(
        r#"select e.id, e.number, e.run_id, e.by_person, e.at, e.attested,
                  f.files as "files!: Json<Vec<EvidenceFile>>",
                  v.state, v.reason, v.at as state_since,
                  x.id as "x_id?", x.kind as "x_kind?", x.tool as "x_tool?", x.parser as "x_parser?",
                  x.reading_window as "x_window?: Json<Window>",
                  x.environment as "x_environment?: Json<BTreeMap<String, String>>",
                  x.hints as "x_hints?: Json<Vec<Hint>>", x.signals as "x_signals?: Json<Vec<Signal>>",
                  x.notes as "x_notes?: Json<Vec<Note>>",
                  coalesce((select a.numbers from extraction a where a.id = x.anchor_id), x.numbers) as "x_anchor?",
                  (select jsonb_build_object('number', o.number, 'case_id', o.case_id, 'case_number', c.number)
                   from evidence_file m join evidence_file p on p.sha256 = m.sha256 and p.case_id <> m.case_id
                   join evidence o on o.id = p.evidence_id and o.number < e.number
                   join case_file c on c.id = o.case_id
                   where m.evidence_id = e.id order by o.number limit 1) as "link?: Json<Link>",
                  (select jsonb_build_object('digest', s.digest, 'counts', s.counts) from sealed_summary s
                   where s.evidence_id = e.id order by s.seq desc limit 1) as "sealed?: Json<Sealed>",
                  (select jsonb_build_object('original_id', d.original_id, 'removed', d.removed) from redaction d
                   where d.evidence_id = e.id) as "redaction?: Json<Redaction>",
                  h.held as "x_held?: Json<Vec<Held>>"
           from evidence e
           join lateral (select jsonb_agg(jsonb_build_object('name', name, 'sha256', sha256, 'bytes', bytes)
                                          order by ordinal) as files
                         from evidence_file where evidence_id = e.id) f on true
           join lateral (select state, reason, at from evidence_event where evidence_id = e.id
                         order by seq desc limit 1) v on true
           left join lateral (select id, kind, tool, parser, reading_window, environment, hints, signals, notes,
                                     anchor_id, numbers
                              from extraction where evidence_id = e.id order by seq desc limit 1) x on true
           left join lateral (select jsonb_agg(jsonb_build_object('signal', signal, 'labels', labels, 'form', form,
                                'n', n, 'digest', digest) order by ordinal) as held
                              from distribution where extraction_id = x.id) h on true
           where e.case_id = $1 order by e.number"#,
        case_id
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|r| {
            let extraction = match (r.x_id, r.x_kind, r.x_tool, r.x_parser) {
                (Some(id), Some(kind), Some(tool), Some(parser)) => Some(Extraction {
                    id,
                    kind: Kind::from_id(&kind).ok_or_else(|| odd("extraction", id, &kind))?,
                    tool,
                    parser,
                    window: r.x_window.map(|j| j.0),
                    environment: r.x_environment.map(|j| j.0).unwrap_or_default(),
                    hints: r.x_hints.map(|j| j.0).unwrap_or_default(),
                    signals: r.x_signals.map(|j| j.0).unwrap_or_default(),
                    notes: r.x_notes.map(|j| j.0).unwrap_or_default(),
                    anchor: r.x_anchor,
                    held: r.x_held.map(|j| j.0).unwrap_or_default(),
                }),
                _ => None,
            };
            Ok(Evidence {
                id: r.id,
                number: r.number,
                run_id: r.run_id,
                files: r.files.0,
                state: evidence_state(&r.state, r.id)?,
                state_reason: r.reason,
                state_since: r.state_since,
                added_by: r.by_person,
                added_at: r.at,
                extraction,
                link: r.link.map(|j| j.0),
                attested: r.attested,
                sealed: r.sealed.map(|j| j.0),
                redaction: r.redaction.map(|j| j.0),
            })
        })
        .collect()
}

/// Declarations, hypotheses, condition records, changes and calculated comparisons, in one statement. The JSON that
/// PostgreSQL builds has the shape of the ladder's own types.
async fn said(conn: &mut PgConnection, case: &mut CaseFile) -> Result<()> {
    let r = sqlx::query!(
        r#"select
      (select jsonb_agg(jsonb_build_object('id', id, 'stage', (array['request_trace', 'gpu_execution_memory',
          'kernel_operator', 'serving_scheduler_cache', 'distributed_capacity'])[stage],
          'kind', kind, 'reason', reason, 'by', by_person, 'at', at) order by seq)
       from stage_declaration where case_id = $1) as declarations,
      (select jsonb_agg(jsonb_build_object('id', h.id, 'number', h.number, 'stage', (array['request_trace',
          'gpu_execution_memory', 'kernel_operator', 'serving_scheduler_cache', 'distributed_capacity'])[h.stage],
          'text', h.text, 'by', h.by_person, 'at', h.at, 'arguments', coalesce(
            (select jsonb_agg(jsonb_build_object('evidence_id', a.evidence_id, 'supports', a.supports,
               'note', a.note, 'by', a.by_person, 'at', a.at) order by a.seq)
             from hypothesis_argument a where a.hypothesis_id = h.id), '[]')) order by h.number)
       from hypothesis h where h.case_id = $1) as hypotheses,
      (select jsonb_agg(jsonb_build_object('id', c.id, 'number', c.number, 'claim', c.claim, 'basis', c.basis,
          'basis_digest', c.basis_digest, 'by', c.by_person, 'at', c.at, 'retracted',
          case when t.record_id is null then null else jsonb_build_array(t.by_person, t.at, t.reason) end)
          order by c.number)
       from condition_record c left join condition_retraction t on t.record_id = c.id where c.case_id = $1) as records,
      (select jsonb_agg(jsonb_build_object('id', g.id, 'number', g.number, 'state', g.state,
          'state_since', g.state_since, 'author', g.author_id, 'version', g.version,
          'revisions', (select jsonb_agg(jsonb_build_object('id', v.id, 'number', v.number, 'terms', v.terms,
              'digest', v.digest, 'submitted_at', v.submitted_at, 'authors',
              (select jsonb_agg(a.person_id) from revision_author a where a.revision_id = v.id)) order by v.number)
              from change_revision v where v.change_id = g.id),
          'approvals', coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'purpose', a.purpose,
              'by', a.by_person, 'at', a.at, 'revision_digest', a.revision_digest, 'basis_digest', a.basis_digest,
              'contract_version_id', a.contract_version_id, 'seen', a.seen) order by a.seq)
              from approval a where a.change_id = g.id), '[]'),
          'requests', coalesce((select jsonb_agg(jsonb_build_object('id', q.id, 'by', q.by_person, 'at', q.at,
              'points', q.points, 'cleared', case when l.request_id is null then null
                else jsonb_build_array(l.by_person, l.at, l.reason) end) order by q.seq)
              from change_request q left join change_request_clearing l on l.request_id = q.id
              where q.change_id = g.id), '[]'),
          'canary', coalesce((select jsonb_agg(jsonb_build_object('kind', e.kind, 'by', e.by_person, 'at', e.at,
              'run_id', e.run_id, 'share', e.share, 'requests', e.requests,
              'revision_digest', e.revision_digest, 'note', e.note, 'verdict', e.verdict, 'why', e.why,
              'extension', e.extension) order by e.seq)
              from canary_event e where e.change_id = g.id), '[]'),
          'presence', coalesce((select jsonb_agg(jsonb_build_object('by', w.by_person, 'at', w.at) order by w.seq)
              from watcher_presence w where w.change_id = g.id), '[]'),
          'samples', coalesce((select jsonb_agg(jsonb_build_object('arm', m.arm, 'starts_at', m.starts_at,
              'ends_at', m.ends_at, 'class', m.class, 'band', m.band, 'region', m.region, 'signal', m.signal,
              'statistic', m.statistic, 'value', m.value, 'samples', m.samples, 'requests', m.requests,
              'share', m.share, 'at', m.at, 'by', m.by_person) order by m.starts_at, m.seq)
              from canary_sample m where m.change_id = g.id), '[]'),
          'consents', coalesce((select jsonb_agg(jsonb_build_object('id', b.id, 'by', b.by_person, 'at', b.at,
              'revision_digest', b.revision_digest, 'note', b.note) order by b.seq)
              from bundle_consent b where b.change_id = g.id), '[]')) order by g.number)
       from change g where g.case_id = $1) as changes,
      (select jsonb_agg(jsonb_build_object('id', a.id, 'evidence_id', a.evidence_id, 'field', a.field,
          'stated', a.stated, 'found', a.found, 'code', a.code, 'reason', a.reason, 'by', a.by_person, 'at', a.at)
          order by a.seq) from contradiction_acceptance a where a.case_id = $1) as acceptances,
      (select jsonb_agg(jsonb_build_object('id', s.id, 'number', s.number, 'run_id', s.run_id,
          'evidence_id', s.evidence_id, 'signal', s.signal, 'typed', jsonb_build_array(s.typed_value, s.typed_unit),
          'class', s.class, 'window', jsonb_build_array(s.started_at, s.ended_at), 'place', s.place,
          'by', s.by_person, 'at', s.at, 'extraction_id', s.extraction_id, 'answers', coalesce((select jsonb_agg(jsonb_build_object(
            'agrees', w.agrees, 'reason', w.reason, 'by', w.by_person, 'at', w.at) order by w.seq)
            from attested_answer w where w.attested_id = s.id), '[]')) order by s.number)
       from attested_signal s where s.case_id = $1) as attested,
      (select jsonb_agg(jsonb_build_object('evidence_id', x.evidence_id, 'parser', x.parser, 'at', x.at,
          'moved', x.moved) order by x.seq)
       from extraction x join evidence e on e.id = x.evidence_id
       where e.case_id = $1 and x.moved is not null) as rereads,
      (select jsonb_agg(q.result order by q.seq) from (select result, seq from comparison_result
          where case_id = $1 order by seq desc limit 500) q) as calculated,
      (select jsonb_agg(jsonb_build_object('id', o.id, 'change_id', o.change_id, 'target', o.target, 'what', o.what,
          'category', o.category, 'reason', o.reason, 'revision_digest', o.revision_digest,
          'basis_digest', o.basis_digest, 'by', o.by_person, 'at', o.at, 'until', o.until,
          'alone_from', o.alone_from, 'review_due', o.review_due,
          'cosigned', case when s.override_id is null then null
            else jsonb_build_object('by', s.by_person, 'at', s.at, 'note', s.note) end,
          'review', case when w.override_id is null then null
            else jsonb_build_object('by', w.by_person, 'at', w.at, 'verdict', w.verdict, 'words', w.words) end)
          order by o.seq)
       from override_record o left join override_cosignature s on s.override_id = o.id
       left join override_review w on w.override_id = o.id where o.case_id = $1) as overrides"#,
        case.id
    )
    .fetch_one(conn)
    .await?;
    case.declarations = from_json::<Declaration>(r.declarations, "stage_declaration", case.id)?;
    case.hypotheses = from_json::<Hypothesis>(r.hypotheses, "hypothesis", case.id)?;
    case.records = from_json::<Record>(r.records, "condition_record", case.id)?;
    case.changes = from_json::<Change>(r.changes, "change", case.id)?;
    case.acceptances = from_json::<Acceptance>(r.acceptances, "contradiction_acceptance", case.id)?;
    case.attested = from_json::<Attested>(r.attested, "attested_signal", case.id)?;
    case.rereads = from_json::<Reread>(r.rereads, "extraction", case.id)?;
    case.calculated = from_json::<Calculated>(r.calculated, "comparison_result", case.id)?;
    case.overrides = from_json::<Override>(r.overrides, "override_record", case.id)?;
    Ok(())
}

fn from_json<T: DeserializeOwned>(
    value: Option<Value>,
    table: &'static str,
    case_id: Uuid,
) -> Result<Vec<T>> {
    value.map_or_else(
        || Ok(Vec::new()),
        |v| serde_json::from_value(v).map_err(|e| odd(table, format!("of case {case_id}"), e)),
    )
}

/// Everybody the case mentions, and every active reviewer and manager, with the roles they hold now.
async fn people(conn: &mut PgConnection, case: &CaseFile) -> Result<Vec<PersonRef>> {
    let ids: Vec<Uuid> = mentioned(case).into_iter().collect();
    let rows = sqlx::query!(
        r#"select p.id, p.name, p.deactivated_at is null as "active!", p.left_at, p.pseudonym_at is not null as "erased!",
                  coalesce(p.identity_id, p.id) as "identity!",
                  coalesce(array_agg(r.role) filter (where r.role is not null), '{}') as "roles!"
           from person p left join person_role r on r.person_id = p.id
           where p.id = any($1) or (p.deactivated_at is null
             and exists (select from person_role q where q.person_id = p.id and q.role in ('reviewer', 'manager')))
           group by p.id order by lower(p.name)"#,
        &ids
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|r| PersonRef {
            id: r.id,
            name: r.name,
            roles: r.roles.iter().filter_map(|r| Role::from_id(r)).collect(),
            active: r.active,
            identity: r.identity,
            left_at: r.left_at,
            erased: r.erased,
        })
        .collect())
}

fn mentioned(case: &CaseFile) -> BTreeSet<Uuid> {
    let mut ids = BTreeSet::from([case.opened_by]);
    ids.extend(case.owner);
    ids.extend(case.life.mentioned());
    ids.extend(&case.owners);
    ids.extend(case.runs.iter().map(|r| r.by));
    ids.extend(case.evidence.iter().map(|e| e.added_by));
    ids.extend(case.declarations.iter().map(|d| d.by));
    for h in &case.hypotheses {
        ids.insert(h.by);
        ids.extend(h.arguments.iter().map(|a| a.by));
    }
    ids.extend(case.acceptances.iter().map(|a| a.by));
    for a in &case.attested {
        ids.insert(a.by);
        ids.extend(a.answers.iter().map(|w| w.by));
    }
    for r in &case.records {
        ids.insert(r.by);
        ids.extend(r.retracted.as_ref().map(|t| t.0));
    }
    for o in &case.overrides {
        ids.insert(o.by);
        ids.extend(o.cosigned.as_ref().map(|c| c.by));
        ids.extend(o.review.as_ref().map(|r| r.by));
    }
    for c in &case.changes {
        ids.insert(c.author);
        ids.extend(c.revisions.iter().flat_map(|r| r.authors.iter().copied()));
        ids.extend(c.approvals.iter().map(|a| a.by));
        ids.extend(c.canary.iter().filter_map(|e| e.by));
        ids.extend(c.presence.iter().map(|p| p.by));
        ids.extend(c.revisions.iter().filter_map(|r| r.terms.plan.watcher_id));
        ids.extend(c.consents.iter().map(|b| b.by));
        for q in &c.requests {
            ids.insert(q.by);
            ids.extend(q.cleared.as_ref().map(|t| t.0));
        }
    }
    ids
}
