/** Work of the service and its progress: runs, their events, and received files. */
export const runs = {
  name: '2026-11-28_06_runs',
  sql: `
create table sync_run (
  run_id text primary key,
  user_key bigint not null references health_user (user_key) on delete cascade,
  provider text not null,
  source text not null,
  stage text not null,
  status text not null,
  message text,
  progress double precision,
  items_processed bigint,
  items_total bigint,
  error text,
  primary_user_id uuid,
  metadata jsonb not null default '{}',
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A run that waits for another attempt says why, which attempt comes and when.
  retry_reason text,
  retry_attempt integer,
  retry_max_attempts integer,
  -- Set while the run waits for another attempt, and only then.
  next_try_at timestamptz
);
create index sync_run_user on sync_run (user_key, created_at desc);
create index sync_run_retry on sync_run ((metadata ->> 'retry_of')) where metadata ? 'retry_of';
create index sync_run_confirmation on sync_run ((metadata ->> 'confirms')) where metadata ? 'confirms';
create index sync_run_retrying on sync_run (user_key, provider) where next_try_at is not null;
create index sync_run_failed on sync_run (ended_at) where status = 'failed';
create index sync_run_open on sync_run (user_key, provider) where ended_at is null;
create index sync_run_order on sync_run (created_at, run_id);
create index sync_run_provider on sync_run (provider, created_at, run_id);
create index sync_run_source on sync_run (source, created_at, run_id);
-- Most runs succeed: those are found in the order of all.
create index sync_run_status on sync_run (status, created_at, run_id) where status <> 'success';
-- A provider and a kind of run that are both frequent, and never together.
create index sync_run_provider_source on sync_run (provider, source, created_at, run_id);

create table sync_event (
  seq bigint generated always as identity primary key,
  event_id uuid not null,
  user_key bigint not null references health_user (user_key) on delete cascade,
  run_id text not null,
  event jsonb not null,
  created_at timestamptz not null default now()
);
create index sync_event_user on sync_event (user_key, seq desc);
create index sync_event_time on sync_event (created_at);

-- An uploaded export in the spool. The row exists before the upload is answered; its job carries the id only.
create table import_file (
  id uuid primary key,
  run_id text not null unique,
  user_key bigint not null references health_user (user_key) on delete cascade,
  provider text not null,
  spool_name text not null,
  byte_size bigint not null,
  sha256 bytea not null,
  state text not null check (state in ('received', 'done', 'partial', 'failed', 'awaiting_confirmation')),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  file_deleted_at timestamptz,
  retried_at timestamptz,
  mode text not null default 'merge' check (mode in ('merge', 'replace')),
  -- It is only compared with what is stored.
  dry_run boolean not null default false
);
create index import_file_open on import_file (created_at) where state = 'received';
create index import_file_kept on import_file (finished_at) where file_deleted_at is null;
`,
};
