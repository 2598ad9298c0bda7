//! Settings as Python prints them in a log: a dictionary, `Name(key=value, …)`, or `key=value, …`
//! to the end of the line. Enough of Python's notation for values; calls are mappings, and what
//! only Python knows, such as functions, is left out.

use super::names::{Engine, is_cosmetic};
use super::value::{DEEPEST, Node, Value};
use super::{Config, put};

/// How much of the settings a log prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Printed {
    /// Those that somebody set.
    Set,
    /// All of them, with their defaults and with what the engine chose itself.
    All,
}

/// Longest text that is read, in bytes.
const LONGEST: usize = 256 * 1024;

/// Settings that bear on performance, for where an engine prints all it has: others are chosen anew
/// at every start (seeds, ports) or mean nothing to a comparison.
const COUNTED: [&str; 58] = [
    "async_scheduling",
    "attention_backend",
    "block_size",
    "chunked_prefill_size",
    "compilation_config",
    "context_length",
    "cpu_offload_gb",
    "cuda_graph_bs",
    "cuda_graph_max_bs",
    "data_parallel_size",
    "decode_attention_backend",
    "disable_cuda_graph",
    "disable_overlap_schedule",
    "disable_radix_cache",
    "disaggregation_mode",
    "dp_size",
    "dtype",
    "enable_chunked_prefill",
    "enable_dp_attention",
    "enable_expert_parallel",
    "enable_hierarchical_cache",
    "enable_mixed_chunk",
    "enable_prefix_caching",
    "enable_torch_compile",
    "enforce_eager",
    "ep_size",
    "gpu_memory_utilization",
    "kv_cache_dtype",
    "kv_transfer_config",
    "load_format",
    "max_model_len",
    "max_num_batched_tokens",
    "max_num_seqs",
    "max_prefill_tokens",
    "max_queued_requests",
    "max_running_requests",
    "max_total_tokens",
    "mem_fraction_static",
    "model",
    "model_path",
    "num_continuous_decode_steps",
    "num_scheduler_steps",
    "page_size",
    "pipeline_parallel_size",
    "pp_size",
    "prefill_attention_backend",
    "quantization",
    "revision",
    "sampling_backend",
    "schedule_conservativeness",
    "schedule_policy",
    "scheduling_policy",
    "speculative_algorithm",
    "speculative_config",
    "speculative_num_draft_tokens",
    "swap_space",
    "tp_size",
    "tensor_parallel_size",
];

/// Settings that a log prints beside the arguments and that nobody set.
const NOT_SET: [&str; 4] = ["model_tag", "subparser", "dispatch_function", "config"];

/// Reads the settings that `engine` printed; `None` when the text holds none.
pub fn printed(engine: Engine, text: &str, how: Printed) -> Option<Config> {
    let mut reader = Reader {
        text: &text.as_bytes()[..text.len().min(LONGEST)],
        at: 0,
    };
    let fields = reader.settings();
    let mut config = Config {
        engine: Some(engine),
        whole: true,
        ..Config::default()
    };
    for (key, node) in fields {
        let key = engine.canonical(match key.as_str() {
            "max_seq_len" => "max_model_len",
            "chunked_prefill_enabled" => "enable_chunked_prefill",
            other => other,
        });
        let head = key.split(['.', '[']).next().unwrap_or_default().to_owned();
        let counted = how == Printed::Set && !is_cosmetic(&key)
            || COUNTED.contains(&head.as_str())
            || head == "served_model_name";
        // A secret is handed on so that it is dropped where all are, and counted.
        let secret = super::names::is_secret(&key);
        if NOT_SET.contains(&head.as_str()) || !(counted || secret) || is_none(&node) {
            continue;
        }
        node.flatten(&key, &mut |key, value| {
            if value != Value::Null && value != Value::Unknown {
                put(&mut config, Some(engine), &key, short(value), 0);
            }
        });
    }
    (!config.settings.is_empty()).then_some(config)
}

fn is_none(node: &Node) -> bool {
    *node == Node::Scalar(Value::Null) || *node == Node::Scalar(Value::Unknown)
}

/// `torch.bfloat16` is the data type `bfloat16`.
fn short(value: Value) -> Value {
    match value {
        Value::Text(t) => match t.strip_prefix("torch.") {
            Some(kind) => Value::Text(kind.to_owned()),
            None => Value::Text(t),
        },
        other => other,
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// The settings at the top; what breaks off is left out.
    fn settings(&mut self) -> Vec<(String, Node)> {
        self.blanks();
        if self.peek() == Some(b'{') {
            return match self.value(0) {
                Some(Node::Map(fields)) => fields,
                // A cut dictionary is no whole start.
                _ => Vec::new(),
            };
        }
        let start = self.at;
        let name = self.word();
        if !name.is_empty() && self.peek() == Some(b'(') {
            self.at += 1;
            return self.pairs(0, Some(b')')).unwrap_or_default();
        }
        self.at = start;
        self.pairs(0, None).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn takes(&mut self, byte: u8) -> bool {
        self.blanks();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// `key=value, …` up to the bracket that closes it, or to the end.
    fn pairs(&mut self, depth: usize, close: Option<u8>) -> Option<Vec<(String, Node)>> {
        let mut out = Vec::new();
        loop {
            self.blanks();
            if self.peek().is_none() {
                return close.is_none().then_some(out);
            }
            if close.is_some_and(|close| self.takes(close)) {
                return Some(out);
            }
            let key = self.word();
            if !key.is_empty() && self.takes(b'=') {
                out.push((key, self.value(depth + 1)?));
            } else if close.is_none() {
                return Some(out);
            } else {
                // An argument without a name says nothing about a setting.
                self.at -= key.len();
                self.value(depth + 1)?;
            }
            if !self.takes(b',') && close.is_none() {
                self.blanks();
                return Some(out);
            }
        }
    }

    /// A name: letters, digits, underscores and dots.
    fn word(&mut self) -> String {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|b| b.is_ascii_alphanumeric() || b"_.".contains(&b))
        {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.text[start..self.at]).into_owned()
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        if depth > DEEPEST {
            return None;
        }
        self.blanks();
        match self.peek()? {
            b'{' => self.dictionary(depth),
            b'[' => self.list(depth, b']'),
            b'(' => self.list(depth, b')'),
            b'\'' | b'"' => Some(Node::Scalar(Value::Text(self.string()?))),
            b'<' => self.object(),
            _ => self.bare(depth),
        }
    }

    fn dictionary(&mut self, depth: usize) -> Option<Node> {
        self.at += 1;
        let mut out = Vec::new();
        while !self.takes(b'}') {
            let key = self.value(depth + 1)?;
            if self.takes(b':') {
                let value = self.value(depth + 1)?;
                if let Some(key) = key.text() {
                    out.push((key, value));
                }
            }
            if !self.takes(b',') {
                return self.takes(b'}').then_some(Node::Map(out));
            }
        }
        Some(Node::Map(out))
    }

    fn list(&mut self, depth: usize, close: u8) -> Option<Node> {
        self.at += 1;
        let mut out = Vec::new();
        while !self.takes(close) {
            out.push(self.value(depth + 1)?);
            if !self.takes(b',') {
                return self.takes(close).then_some(Node::List(out));
            }
        }
        Some(Node::List(out))
    }

    fn string(&mut self) -> Option<String> {
        let quote = self.peek()?;
        self.at += 1;
        let mut out = Vec::new();
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'\\' => {
                    let escaped = self.peek()?;
                    self.at += 1;
                    out.push(match escaped {
                        b'n' => b'\n',
                        b't' => b'\t',
                        other => other,
                    });
                }
                b if b == quote => return Some(String::from_utf8_lossy(&out).into_owned()),
                b => out.push(b),
            }
        }
    }

    /// `<LoadFormat.AUTO: 'auto'>` is the value it names; `<function serve at 0x7f>` is unknown.
    fn object(&mut self) -> Option<Node> {
        self.at += 1;
        self.word();
        let mut value = Node::Scalar(Value::Unknown);
        if self.takes(b':') {
            value = self.value(DEEPEST)?;
        }
        let mut open = 1;
        while open > 0 {
            match self.peek()? {
                b'<' => open += 1,
                b'>' => open -= 1,
                _ => {}
            }
            self.at += 1;
        }
        Some(value)
    }

    /// A number, `True`, `None`, a name, or a call.
    fn bare(&mut self, depth: usize) -> Option<Node> {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|b| !b",)]}({=\n".contains(&b) && b != b':')
        {
            self.at += 1;
        }
        let word = String::from_utf8_lossy(&self.text[start..self.at])
            .trim()
            .to_owned();
        if self.peek() == Some(b'(') {
            self.at += 1;
            return self.pairs(depth, Some(b')')).map(Node::Map);
        }
        if word.is_empty() {
            return None;
        }
        Some(Node::Scalar(Value::word(&word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(config: &Config, key: &str) -> String {
        config.value(key).map_or("-".to_owned(), Value::to_string)
    }

    #[test]
    fn arguments_that_somebody_set() {
        let text = "{'model_tag': 'm/x', 'port': 8080, 'api_key': ['sk-123'], 'model': 'm/x', 'max_model_len': 8192, 'served_model_name': ['a', 'b'], 'enable_prefix_caching': False, 'compilation_config': {'level': 3}, 'kv_cache_dtype': 'fp8_e4m3', 'lora_modules': [LoRAModulePath(name='n', path='p', base_model_name=None)], 'hf_token': 'hf_abcdefghijklmnop'}";
        let config = printed(Engine::Vllm, text, Printed::Set).unwrap();
        assert_eq!(of(&config, "max_model_len"), "8192");
        assert_eq!(of(&config, "compilation_config.level"), "3");
        assert_eq!(of(&config, "enable_prefix_caching"), "false");
        assert_eq!(of(&config, "served_model_name"), "[a, b]");
        assert_eq!(of(&config, "port"), "-");
        assert_eq!(config.secrets, 2);
        assert!(!format!("{config:?}").contains("sk-123"));
        assert!(!format!("{config:?}").contains("hf_abc"));
    }

    #[test]
    fn all_arguments_of_sglang_keep_what_bears_on_performance() {
        let text = "ServerArgs(model_path='q/x', random_seed=419274107, context_length=None, dtype='auto', mem_fraction_static=0.835, tp_size=16, cuda_graph_bs=[1, 2, 4], api_key='very-secret', disable_radix_cache=False, load_format='auto')";
        let config = printed(Engine::Sglang, text, Printed::All).unwrap();
        assert_eq!(of(&config, "tp_size"), "16");
        assert_eq!(of(&config, "cuda_graph_bs"), "[1, 2, 4]");
        assert_eq!(of(&config, "random_seed"), "-");
        assert_eq!(of(&config, "context_length"), "-");
        assert!(!format!("{config:?}").contains("very-secret"));
    }

    #[test]
    fn a_resolved_configuration_with_objects_in_it() {
        let text = "model='m/x', speculative_config=SpeculativeConfig(method='mtp', num_spec_tokens=3), dtype=torch.bfloat16, load_format=<LoadFormat.AUTO: 'auto'>, tensor_parallel_size=2, dispatch=<function serve at 0x7602e53ec700>, compilation_config={\"level\":3,\"sizes\":[]}, use_cached_outputs=False, ";
        let config = printed(Engine::Vllm, text, Printed::All).unwrap();
        assert_eq!(of(&config, "dtype"), "bfloat16");
        assert_eq!(of(&config, "tensor_parallel_size"), "2");
        assert_eq!(of(&config, "speculative_config.num_spec_tokens"), "3");
        assert_eq!(of(&config, "load_format"), "auto");
    }

    #[test]
    fn what_breaks_off_is_not_half_a_start() {
        for text in [
            "{'model': 'x', 'max_num_seqs': 12",
            "ServerArgs(model_path='x', tp_size=1",
            "{",
            "",
            "((((",
            "{'a': {'b': ",
        ] {
            assert_eq!(printed(Engine::Vllm, text, Printed::Set), None, "{text}");
        }
        let deep = format!("{{'model': {}", "[".repeat(100_000));
        assert_eq!(printed(Engine::Vllm, &deep, Printed::Set), None);
    }
}
