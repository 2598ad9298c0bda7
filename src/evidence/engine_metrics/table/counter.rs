//! The counters that engines export, under one name each.

/// A counter the reader knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Counter {
    /// Sequences thrown out of the batch.
    Preemptions,
    /// Prompt tokens.
    PromptTokens,
    /// Prompt tokens taken from a cache.
    CachedPromptTokens,
    /// Prompt tokens computed.
    ComputedPromptTokens,
    /// Generated tokens.
    GenerationTokens,
    /// Finished requests, by reason where the engine states one.
    Finished,
    /// Of the finished ones, those that failed, where they are counted apart.
    FailedOfFinished,
    /// Requests aborted; whether they count as finished is the engine's affair.
    Aborted,
    /// Requests refused at the door.
    Rejections,
    /// Requests whose output was found corrupt.
    Corrupted,
    /// Answers of the HTTP layer by status.
    Http,
    /// Prefix cache queries.
    PrefixQueries,
    /// Prefix cache hits.
    PrefixHits,
    /// Queries of the cache behind a KV connector.
    ExternalQueries,
    /// Hits of the cache behind a KV connector.
    ExternalHits,
    /// Queries of the cache of multimodal inputs.
    MultimodalQueries,
    /// Hits of the cache of multimodal inputs.
    MultimodalHits,
    /// Drafts of speculative decoding.
    Drafts,
    /// Draft tokens proposed.
    DraftTokens,
    /// Draft tokens accepted.
    AcceptedTokens,
    /// KV transfers that failed.
    FailedTransfers,
    /// KV notifications that failed.
    FailedNotifications,
    /// Requests whose KV blocks expired before they were fetched.
    ExpiredTransfers,
    /// Steps or decode calls of the engine.
    Steps,
    /// Inferences: a batch of n counts n.
    Inferences,
    /// Executions of a model: a batch counts one.
    Executions,
    /// Seconds of all requests together, in the server.
    RequestSeconds,
    /// Seconds of all requests together in the queue.
    QueueSeconds,
    /// Seconds of all requests together preparing inputs.
    ComputeInputSeconds,
    /// Seconds of all requests together in the model.
    ComputeInferSeconds,
    /// Seconds of all requests together taking outputs.
    ComputeOutputSeconds,
    /// Answers from the response cache.
    ResponseCacheHits,
    /// Answers not found in the response cache.
    ResponseCacheMisses,
    /// Seconds of answers from the response cache.
    ResponseCacheHitSeconds,
    /// Seconds spent on misses of the response cache.
    ResponseCacheMissSeconds,
    /// Seconds of prompt processing.
    PrefillSeconds,
    /// Seconds of token generation.
    DecodeSeconds,
}
