//! What people call the facts of a request: names of columns, and the formats whose names leave
//! no doubt.

use crate::mapping::{Field, Named, Numbers};

/// Names by field; those of the second list are looser and give way to the first.
const NAMES: &[(Field, &[&str], &[&str])] = &[
    (
        Field::RequestId,
        &["request_id", "req_id", "requestid", "x_request_id", "rid"],
        &["id", "uuid", "trace_id", "traceid", "call_id"],
    ),
    (
        Field::Session,
        &["session_id", "conversation_id", "session", "conversation"],
        &["chat_id", "thread_id", "dialog_id"],
    ),
    (
        Field::ParentId,
        &["parent_id", "parent_request_id", "retry_of"],
        &["original_request_id", "root_id", "root_request_id"],
    ),
    (
        Field::Attempt,
        &["attempt", "attempt_number", "attempt_no", "attempt_index"],
        &["try", "try_number"],
    ),
    (
        Field::Model,
        &["model", "model_name", "model_id"],
        &["served_model", "request_model", "response_model"],
    ),
    (
        Field::Class,
        &["class", "task_class", "workload_class", "request_class"],
        &[
            "task",
            "task_type",
            "request_type",
            "workload",
            "category",
            "use_case",
            "usecase",
            "route",
            "log_type",
            "classe",
            "tipo",
        ],
    ),
    (
        Field::Status,
        &["status", "status_code", "http_status", "http_status_code"],
        &[
            "response_code",
            "code",
            "outcome",
            "result",
            "state",
            "finish_reason",
            "finished_reason",
            "stop_reason",
            "success",
            "ok",
        ],
    ),
    (
        Field::Error,
        &["error", "error_message", "error_type", "exception"],
        &[
            "err",
            "error_code",
            "error_msg",
            "failure",
            "failure_reason",
            "erro",
        ],
    ),
    (
        Field::Accepted,
        &["accepted", "is_accepted", "acceptance"],
        &[
            "accept",
            "passed",
            "aceito",
            "aceita",
            "accepted_by_product",
        ],
    ),
    (
        Field::Retries,
        &["retries", "retry_count", "num_retries", "n_retries"],
        &["retry", "retried"],
    ),
    (
        Field::IntendedTime,
        &[
            "intended_time",
            "intended_start",
            "intended_start_time",
            "intended_send_time",
            "planned_start",
            "planned_time",
            "scheduled_send_time",
            "expected_start_time",
        ],
        &["credit_issued", "target_time", "due_time"],
    ),
    (
        Field::StartTime,
        &[
            "start_time",
            "start_ts",
            "start_timestamp",
            "arrival_time",
            "arrival_ts",
            "arrival_timestamp",
            "arrived_at",
            "started_at",
            "sent_at",
            "send_time",
            "received_at",
            "request_start",
            "request_start_time",
            "submit_time",
            "submitted_at",
            "inicio",
        ],
        &[
            "timestamp",
            "start",
            "arrival",
            "ts",
            "time",
            "datetime",
            "created_at",
            "created",
            "date_time",
            "request_timestamp",
            "begin",
        ],
    ),
    (
        Field::QueuedTime,
        &[
            "queued_ts",
            "queued_at",
            "enqueued_at",
            "queued_timestamp",
            "enqueue_ts",
        ],
        &[],
    ),
    (
        Field::ScheduledTime,
        &[
            "scheduled_ts",
            "scheduled_at",
            "first_scheduled_time",
            "scheduled_timestamp",
        ],
        &[],
    ),
    (
        Field::FirstTokenTime,
        &["first_token_ts", "first_token_at", "first_token_timestamp"],
        &[],
    ),
    (
        Field::FinishTime,
        &[
            "finish_time",
            "finish_ts",
            "finished_at",
            "end_time",
            "end_ts",
            "end_timestamp",
            "ended_at",
            "completed_at",
            "last_token_ts",
            "last_token_at",
            "finish_timestamp",
            "request_end",
            "request_end_time",
            "fim",
        ],
        &[
            "end",
            "finish",
            "done_at",
            "last_token_time",
            "completion_ts",
        ],
    ),
    (
        Field::Ttft,
        &[
            "ttft",
            "time_to_first_token",
            "first_token_latency",
            "client_ttft",
        ],
        &["first_token", "first_token_time", "time_to_first"],
    ),
    (
        Field::Itl,
        &[
            "itl",
            "itls",
            "inter_token_latency",
            "inter_token_latencies",
        ],
        &["intertoken_latency", "token_gaps"],
    ),
    (
        Field::Tpot,
        &["tpot", "time_per_output_token"],
        &["time_per_token", "per_token_latency"],
    ),
    (
        Field::E2e,
        &[
            "e2e",
            "e2e_latency",
            "e2el",
            "end_to_end",
            "end_to_end_latency",
            "e2e_time",
            "request_latency",
            "total_latency",
            "latencia_total",
        ],
        &[
            "latency",
            "duration",
            "elapsed",
            "elapsed_time",
            "total_time",
            "response_time",
            "request_duration",
            "total_duration",
            "request_time",
            "latencia",
            "duracao",
        ],
    ),
    (
        Field::QueueTime,
        &[
            "queue_time",
            "queue_latency",
            "queue_wait",
            "time_in_queue",
            "queueing_time",
        ],
        &[
            "queue",
            "queued",
            "wait_time",
            "waiting_time",
            "queue_delay",
            "queue_duration",
            "fila",
        ],
    ),
    (
        Field::PrefillTime,
        &["prefill_time", "prefill_latency", "time_in_model_prefill"],
        &["prefill", "prefill_duration"],
    ),
    (
        Field::DecodeTime,
        &["decode_time", "decode_latency", "time_in_model_decode"],
        &["decode", "decode_duration", "generation_time"],
    ),
    (
        Field::PromptTokens,
        &[
            "prompt_tokens",
            "input_tokens",
            "prompt_len",
            "input_len",
            "prompt_length",
            "input_length",
            "num_prompt_tokens",
            "num_input_tokens",
            "prompt_token_count",
            "input_token_count",
            "context_tokens",
            "input_toks",
            "isl",
        ],
        &[
            "tokens_in",
            "request_tokens",
            "n_prompt_tokens",
            "n_input_tokens",
            "prompt_toks",
        ],
    ),
    (
        Field::CachedTokens,
        &["cached_tokens", "cached_prompt_tokens", "num_cached_tokens"],
        &[
            "cache_hit_tokens",
            "cache_read_input_tokens",
            "prefix_hit_tokens",
        ],
    ),
    (
        Field::OutputTokens,
        &[
            "output_tokens",
            "completion_tokens",
            "generated_tokens",
            "output_len",
            "output_length",
            "num_output_tokens",
            "num_generated_tokens",
            "output_token_count",
            "completion_token_count",
            "output_toks",
            "osl",
        ],
        &[
            "tokens_out",
            "response_tokens",
            "gen_tokens",
            "n_output_tokens",
            "generation_tokens",
        ],
    ),
];

/// What a column's name says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The fact.
    pub field: Field,
    /// Whether the name is one of the looser ones.
    pub loose: bool,
    /// The unit that the name states.
    pub unit: Option<&'static str>,
}

/// The fact that a column's name means, if it is a name people use. A name that states a
/// statistic (`ttft_p99`) is no fact about one request; a mean of the gaps of one request is.
pub fn said(column: &str) -> Option<Said> {
    let named = Named::of(column);
    let tail = column.rsplit('.').next().map(Named::of);
    for named in std::iter::once(named).chain(tail) {
        let found = NAMES.iter().find_map(|(field, sure, loose)| {
            let is = |names: &[&str]| names.contains(&named.stem.as_str());
            (is(sure) || is(loose)).then(|| (*field, !is(sure)))
        });
        let Some((field, loose)) = found else {
            continue;
        };
        let mean = named.statistic == Some(crate::Statistic::Mean)
            && matches!(field, Field::Itl | Field::Tpot);
        if named.statistic.is_some() && !mean {
            return None;
        }
        return Some(Said {
            field,
            loose,
            unit: named.unit,
        });
    }
    None
}

/// Numbers of a spreadsheet that separates by semicolons: `0,5` in a cell is a half.
pub fn numbers(delimiter: u8, cells: &[String]) -> Numbers {
    let halves = |cell: &String| {
        cell.split_once(',').is_some_and(|(a, b)| {
            let digits = |t: &str| !t.is_empty() && t.bytes().all(|c| c.is_ascii_digit());
            digits(a.strip_prefix('-').unwrap_or(a)) && digits(b)
        })
    };
    Numbers {
        decimal_comma: delimiter == b';' && cells.iter().any(halves),
        ..Numbers::default()
    }
}
