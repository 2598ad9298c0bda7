-- What `pel inspect` works out of an Nsight Systems export, as far as plain SQL says it in one
-- pass per question: the reference of the bench. It leaves out what pel does beyond this (gap
-- attribution over nested calls, timeline, the vendor's rules), which only makes it faster.
pragma temp_store = memory;

-- Kernels: count, and per name count, sum, mean, extremes and exact quantiles.
select 'kernels', count(*) from CUPTI_ACTIVITY_KIND_KERNEL;
create temp table total as
select demangledName as name, count(*) as n, sum(end - start) as d, avg(end - start) as mean,
       min(end - start) as least, max(end - start) as most
from CUPTI_ACTIVITY_KIND_KERNEL where end > start and start > 0 group by demangledName;
with ranked as (
  select demangledName as name, end - start as d,
         row_number() over (partition by demangledName order by end - start) as r
  from CUPTI_ACTIVITY_KIND_KERNEL where end > start and start > 0),
middle as (
  select t.name, max(r.d) filter (where r.r = (n + 1) / 2) as p50, max(r.d) filter (where r.r = (n * 95 + 99) / 100) as p95,
         max(r.d) filter (where r.r = (n * 99 + 99) / 100) as p99
  from ranked r join total t on t.name = r.name group by t.name)
select s.value, t.n, t.d, t.mean, t.least, t.most, p50, p95, p99
from total t join middle m on m.name = t.name left join StringIds s on s.id = t.name order by t.d desc;

-- Busy time and gaps of a device: operations merged by a running maximum of their ends.
create temp table gap as
with op as (
  select deviceId, start, end, correlationId, globalPid from CUPTI_ACTIVITY_KIND_KERNEL where end > start and start > 0
  union all
  select deviceId, start, end, correlationId, globalPid from CUPTI_ACTIVITY_KIND_MEMCPY where end > start and start > 0),
seen as (
  select *, max(end) over (partition by deviceId order by start, end
                           rows between unbounded preceding and 1 preceding) as before from op)
select deviceId, before as start, start as end, correlationId, globalPid from seen where start > before;

select 'busy', max(end) - min(start) - (select sum(end - start) from gap) from (
  select start, end from CUPTI_ACTIVITY_KIND_KERNEL union all select start, end from CUPTI_ACTIVITY_KIND_MEMCPY);
with ranked as (
  select end - start as d, row_number() over (order by end - start) as r, (select count(*) from gap) as n from gap)
select 'gaps', n, sum(d), avg(d), min(d), max(d), max(d) filter (where r = (n + 1) / 2),
       max(d) filter (where r = (n * 95 + 99) / 100), max(d) filter (where r = (n * 99 + 99) / 100) from ranked;
select case when end - start < 10000 then 0 when end - start < 100000 then 1 when end - start < 1000000 then 2
            when end - start < 10000000 then 3 when end - start < 100000000 then 4
            when end - start < 500000000 then 5 else 6 end as class, count(*), sum(end - start)
from gap group by class;

-- Busy time of kernels alone.
with seen as (
  select start, end, max(end) over (order by start, end rows between unbounded preceding and 1 preceding) as before
  from CUPTI_ACTIVITY_KIND_KERNEL where end > start and start > 0)
select 'kernel busy', sum(case when before is null or start >= before then end - start
                               when end > before then end - before else 0 end) from seen;

-- Launches: every kernel with the call it came from.
create temp table launch as
select r.end - r.start as api, k.start - r.end as delay
from CUPTI_ACTIVITY_KIND_KERNEL k join CUPTI_ACTIVITY_KIND_RUNTIME r
  on r.correlationId = k.correlationId and (r.globalTid & ~16777215) = k.globalPid
where k.graphNodeId is null;
with ranked as (
  select api as d, row_number() over (order by api) as r, (select count(*) from launch) as n from launch)
select 'launch call', n, avg(d), min(d), max(d), max(d) filter (where r = (n + 1) / 2),
       max(d) filter (where r = (n * 95 + 99) / 100), max(d) filter (where r = (n * 99 + 99) / 100) from ranked;
with ranked as (
  select delay as d, row_number() over (order by delay) as r,
         (select count(*) from launch where delay >= 0) as n from launch where delay >= 0)
select 'launch delay', n, avg(d), min(d), max(d), max(d) filter (where r = (n + 1) / 2),
       max(d) filter (where r = (n * 95 + 99) / 100), max(d) filter (where r = (n * 99 + 99) / 100) from ranked;

-- Gaps: how much of each lies after the call that launched what ended it.
select 'launch latency', sum(g.end - max(g.start, min(r.start, g.end)))
from gap g join CUPTI_ACTIVITY_KIND_RUNTIME r
  on r.correlationId = g.correlationId and (r.globalTid & ~16777215) = g.globalPid;

-- Copies by kind, and those with a pageable side.
select copyKind, count(*), sum(bytes), sum(end - start), sum(bytes) * 1e9 / sum(end - start)
from CUPTI_ACTIVITY_KIND_MEMCPY group by copyKind;
select 'pageable', count(*), sum(bytes) from CUPTI_ACTIVITY_KIND_MEMCPY where srcKind = 0 or dstKind = 0;

-- Waiting and calls.
select syncType, count(*), sum(end - start) from CUPTI_ACTIVITY_KIND_SYNCHRONIZATION group by syncType;
select s.value, count(*), sum(r.end - r.start), max(r.end - r.start)
from CUPTI_ACTIVITY_KIND_RUNTIME r left join StringIds s on s.id = r.nameId group by r.nameId order by 3 desc;
select 'errors', count(*) from CUPTI_ACTIVITY_KIND_RUNTIME where returnValue not in (0, 600);
