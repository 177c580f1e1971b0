/** What the service was told to do and how far it is: runs, their events, received files, the audit trail. */
export const runs = {
  name: '2026-11-21_05_runs',
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
  updated_at timestamptz not null default now()
);
create index sync_run_user on sync_run (user_key, created_at desc);
create index sync_run_time on sync_run (created_at desc);

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
  state text not null check (state in ('received', 'done', 'failed')),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  file_deleted_at timestamptz
);
create index import_file_open on import_file (created_at) where state = 'received';
create index import_file_kept on import_file (finished_at) where file_deleted_at is null;

create table audit_event (
  seq bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_type text not null,
  actor_id text,
  user_id uuid,
  resource text not null,
  action text not null,
  outcome text not null,
  status integer,
  route text not null,
  request_id text,
  address text
);
create index audit_event_time on audit_event (at);
create index audit_event_user on audit_event (user_id, at) where user_id is not null;
`,
};
