/** Runs that read from a vendor, vendors' notifications, and the number of sent requests. */
export const pulls = {
  name: '2026-11-28_08_pulls',
  sql: `
-- A run that reads from a vendor and has not ended. A connection has one of each kind at most, and whoever asks for a second
-- one is given the first, except of webhooks: while a long run reads again what a vendor told of, what it tells of next has
-- a run of its own. 'failures': how often it was put off since it last stored something.
create table pull_run (
  run_id text primary key references sync_run (run_id) on delete cascade,
  connection_id uuid not null references connection (id) on delete cascade,
  kind text not null check (kind in ('webhook', 'manual', 'live', 'backfill')),
  data_types text[],
  from_at timestamptz,
  resume_at timestamptz not null default now(),
  failures integer not null default 0,
  -- Priority of a run that waits for the application's quota.
  waits_as text check (waits_as in ('manual', 'first_sync', 'webhook', 'live', 'backfill'))
);
create index pull_run_due on pull_run (resume_at);
create unique index pull_run_one_of_kind on pull_run (connection_id, kind) where kind <> 'webhook';
create index pull_run_connection on pull_run (connection_id);
create index pull_run_waiting on pull_run (waits_as, resume_at) where waits_as is not null;

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
  -- What became of the items; all outcomes together are 'read'.
  read bigint not null default 0,
  unchanged bigint not null default 0,
  superseded bigint not null default 0,
  duplicates bigint not null default 0,
  archived bigint not null default 0,
  suppressed bigint not null default 0,
  no_value bigint not null default 0,
  unsupported bigint not null default 0,
  rejected_by_reason jsonb not null default '{}',
  -- Ids of the items of the range that are to be read; all of them where it is null.
  only_items jsonb,
  -- Of the items of the last millisecond before done_from_at those up to this id are stored too.
  done_item text,
  primary key (run_id, data_type, from_at)
);

-- Runs of other users with the same vendor account: they are given what the first run reads.
create table linked_run (
  run_id text primary key references sync_run (run_id) on delete cascade,
  primary_run_id text not null references sync_run (run_id) on delete cascade,
  connection_id uuid not null references connection (id) on delete cascade,
  unique (primary_run_id, connection_id)
);

-- Items of which a vendor gives a part later: they are requested again.
create table awaited_item (
  connection_id uuid not null references connection (id) on delete cascade,
  data_type text not null,
  item_id text not null,
  -- Where the item stands in the time of its kind of data.
  item_at timestamptz not null,
  -- How often the vendor did not give it.
  requests integer not null,
  next_at timestamptz not null,
  primary key (connection_id, data_type, item_id)
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
  ended_at timestamptz,
  -- Of vendors whose notifications name an item and no time.
  item_id text
);
create index provider_notification_waiting on provider_notification (provider, provider_user_id, seq)
  where run_id is null and state = 'received';
create index provider_notification_run on provider_notification (run_id) where run_id is not null;
create index provider_notification_account on provider_notification (provider, provider_user_id, received_at);
create index provider_notification_ended on provider_notification (ended_at) where state <> 'received';

-- Changes that vendors reported, by the day in UTC on which they came and by what became of them.
create table notification_count (
  provider text not null,
  day date not null,
  outcome text not null,
  notifications bigint not null,
  last_at timestamptz,
  primary key (provider, day, outcome)
);

-- Token buckets over all processes: 'tokens' as of 'updated_at'.
create table request_budget (
  provider text not null,
  subject text not null,
  tokens double precision not null,
  updated_at timestamptz not null,
  -- Requests sent in the window under way, which is counted since 1970, and in the one before.
  window_no bigint not null default 0,
  spent bigint not null default 0,
  spent_before bigint not null default 0,
  primary key (provider, subject)
);
`,
};
