/**
 * Connections of users to vendors' clouds. Tokens lie under ENCRYPTION_KEY. A phone's push makes a connection without
 * tokens. `account_state` says why a connection that is active brings nothing.
 */
export const connections = {
  name: '2026-11-24_07_connections',
  sql: `
create table connection (
  id uuid primary key default gen_random_uuid(),
  user_key bigint not null references health_user (user_key) on delete cascade,
  provider text not null,
  status text not null default 'active' check (status in ('active', 'revoked', 'expired')),
  status_reason text,
  provider_user_id text,
  -- The last account that was known; while provider_user_id is empty it tells whose data the cursors stand for.
  cursor_account text,
  provider_username text,
  scope text,
  access_token text,
  refresh_token text,
  token_expires_at timestamptz,
  -- Counts up with each new pair of tokens, so that a loser of a race for the renewal sees that it is done.
  token_version integer not null default 0,
  account_state text not null default 'linked' check (account_state in ('linked', 'not_linked', 'not_ready')),
  account_checked_at timestamptz,
  -- When the first consent came; the backfill follows the first one only, whatever happens later.
  consented_at timestamptz,
  backfill_started_at timestamptz,
  last_synced_at timestamptz,
  last_notified_at timestamptz,
  -- When the scheduler last asked for a pull.
  polled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- An IANA name: what the vendor's account or the phone told.
  time_zone text,
  -- Kept, and since when it fails, until a run of it succeeds.
  last_error text,
  last_error_at timestamptz,
  failing_since timestamptz,
  unique (user_key, provider)
);
create index connection_vendor_account on connection (provider, provider_user_id) where status = 'active';

-- How far each kind of data of a connection is. A cursor moves in the transaction that stores the window before it.
create table connection_data_type (
  connection_id uuid not null references connection (id) on delete cascade,
  data_type text not null,
  cursor_at timestamptz,
  last_outcome text,
  last_error text,
  last_run_at timestamptz,
  last_success_at timestamptz,
  primary key (connection_id, data_type)
);

-- A run that reads from a vendor and has not ended. A connection has one of each kind at most, and whoever asks for a second
-- one is given the first, except of webhooks: while a long run reads again what a vendor told of, what it tells of next has
-- a run of its own. \`failures\`: how often it was put off since it last stored something.
create table pull_run (
  run_id text primary key references sync_run (run_id) on delete cascade,
  connection_id uuid not null references connection (id) on delete cascade,
  kind text not null check (kind in ('webhook', 'manual', 'live', 'backfill')),
  data_types text[],
  from_at timestamptz,
  resume_at timestamptz not null default now(),
  failures integer not null default 0
);
create index pull_run_due on pull_run (resume_at);
create unique index pull_run_one_of_kind on pull_run (connection_id, kind) where kind <> 'webhook';
create index pull_run_connection on pull_run (connection_id);

-- The ranges that a run reads: newest window first, and on from there after a crash. Most runs have one for each kind of
-- data, those that follow notifications may have many.
create table pull_progress (
  run_id text not null references sync_run (run_id) on delete cascade,
  data_type text not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- Everything from here to to_at is stored.
  done_from_at timestamptz not null,
  outcome text,
  error text,
  windows integer not null default 0,
  received bigint not null default 0,
  inserted bigint not null default 0,
  updated bigint not null default 0,
  deleted bigint not null default 0,
  rejected bigint not null default 0,
  -- What became of the items; all outcomes together are \`read\`.
  read bigint not null default 0,
  unchanged bigint not null default 0,
  superseded bigint not null default 0,
  duplicates bigint not null default 0,
  archived bigint not null default 0,
  suppressed bigint not null default 0,
  no_value bigint not null default 0,
  unsupported bigint not null default 0,
  rejected_by_reason jsonb not null default '{}',
  primary key (run_id, data_type, from_at)
);

-- Runs of other users with the same vendor account: they are given what the first run reads.
create table linked_run (
  run_id text primary key references sync_run (run_id) on delete cascade,
  primary_run_id text not null references sync_run (run_id) on delete cascade,
  connection_id uuid not null references connection (id) on delete cascade,
  unique (primary_run_id, connection_id)
);

create table oauth_state (
  state_hash bytea primary key,
  provider text not null,
  user_key bigint not null references health_user (user_key) on delete cascade,
  redirect_uri text,
  verifier_secret text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index oauth_state_expiry on oauth_state (expires_at);

-- What the operator chose for a provider; no row is the default.
create table provider_setting (
  provider text primary key,
  is_enabled boolean not null default true,
  live_sync_mode text check (live_sync_mode in ('pull', 'webhook')),
  data_granularity text check (data_granularity in ('raw', 'hourly', 'daily')),
  subscriber_state text check (subscriber_state in ('unmanaged', 'registering', 'active', 'failed')),
  subscriber_error text,
  first_notified_at timestamptz,
  updated_at timestamptz not null default now(),
  -- What the vendor's subscriber was last registered with, or could not be, so that a start with other settings registers it
  -- anew. The webhook secret is in it as a keyed digest. Null: nothing was, or nobody knows.
  subscriber_registration jsonb
);

-- What vendors told, kept from before it is answered until what it names has been read again.
create table provider_notification (
  seq bigint generated always as identity primary key,
  provider text not null,
  provider_user_id text not null,
  data_type text not null,
  operation text not null check (operation in ('upsert', 'delete')),
  start_at timestamptz not null,
  end_at timestamptz not null,
  state text not null default 'received' check (state in ('received', 'done', 'failed')),
  -- The run that reads its window again; none while it waits for one.
  run_id text,
  received_at timestamptz not null default now(),
  ended_at timestamptz
);
create index provider_notification_waiting on provider_notification (provider, provider_user_id, seq) where run_id is null and state = 'received';
create index provider_notification_run on provider_notification (run_id) where run_id is not null;
create index provider_notification_account on provider_notification (provider, provider_user_id, received_at);
create index provider_notification_ended on provider_notification (ended_at) where state <> 'received';

-- Token buckets over all processes: \`tokens\` as of \`updated_at\`.
create table request_budget (
  provider text not null,
  subject text not null,
  tokens double precision not null,
  updated_at timestamptz not null,
  primary key (provider, subject)
);
`,
};
