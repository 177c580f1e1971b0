/**
 * A run that waits for another attempt says why, which attempt comes and when. A connection keeps its last error and since
 * when it fails, until a run of it succeeds.
 */
export const retryingRuns = {
  name: '2026-11-23_30_retrying_runs',
  sql: `
alter table sync_run
  add column retry_reason text,
  add column retry_attempt integer,
  add column retry_max_attempts integer,
  -- Set while the run waits for another attempt, and only then.
  add column next_try_at timestamptz;
create index sync_run_retrying on sync_run (user_key, provider) where next_try_at is not null;
create index sync_run_failed on sync_run (ended_at) where status = 'failed';
update sync_run r set retry_reason = 'unavailable', retry_attempt = p.failures + 1, next_try_at = p.resume_at
  from pull_run p where p.run_id = r.run_id and p.failures > 0 and r.ended_at is null;

alter table connection
  add column last_error text,
  add column last_error_at timestamptz,
  add column failing_since timestamptz;
`,
};
