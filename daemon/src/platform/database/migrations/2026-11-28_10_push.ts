/**
 * Pushes and deletions by phones. A batch is stored here before it is acknowledged, and stays until it is processed.
 * Its body is stored byte for byte. `queued_told` is true once the first event of its run is written. The batch is
 * accepted before that, because another writer may hold the user's lock.
 */
export const push = {
  name: '2026-11-28_10_push',
  sql: `
create table device_batch (
  seq bigint generated always as identity primary key,
  batch_id uuid not null unique,
  user_key bigint not null references health_user (user_key) on delete cascade,
  provider text not null,
  state text not null default 'received' check (state in ('received', 'done', 'failed')),
  encoding text not null check (encoding in ('identity', 'gzip')),
  byte_size integer not null,
  sha256 bytea not null,
  key_hash bytea,
  attempts smallint not null default 0,
  queued_told boolean not null,
  received_at timestamptz not null default now(),
  ended_at timestamptz,
  body bytea,
  retried_at timestamptz,
  -- Which phone sent a batch.
  device text not null default ''
);
create index device_batch_waiting on device_batch (user_key, seq) where state = 'received';
create index device_batch_ended on device_batch (ended_at) where state <> 'received';
create unique index device_batch_key on device_batch (user_key, key_hash) where key_hash is not null;
create index device_batch_newest on device_batch (user_key, seq);
-- Bodies are packed by the client or not at all: packing them here would cost more than it saves.
alter table device_batch alter column body set storage external;

-- The phones that push for a user, under the names that they give themselves; empty for those that give none.
create table push_device (
  user_key bigint not null,
  device smallint not null,
  provider text not null,
  name text not null,
  primary key (user_key, device),
  unique (user_key, provider, name)
);

-- Which phone pushed a sample under which id. id_hash is 53 bits of the id, or -1 of a sample without one.
create table pushed_sample (
  user_key bigint not null,
  id_hash bigint not null,
  start_at timestamptz not null,
  source_id integer not null,
  slot integer not null,
  type_id smallint not null,
  device smallint not null,
  -- Of the item that it is a part of.
  parent_hash bigint,
  primary key (user_key, id_hash, type_id, start_at, source_id, slot, device)
);
create index pushed_sample_parent on pushed_sample (user_key, parent_hash) where parent_hash is not null;

-- What phones reported as deleted. An id has source_id 0 and content 0; type_id -2 means items of any kind. A deleted item
-- has its source, its start in whole seconds, what distinguishes items of one start (content), and in id_hash what its row
-- knew of its id, or -1.
create table pushed_tombstone (
  user_key bigint not null,
  id_hash bigint not null,
  content integer not null,
  start_at timestamptz not null,
  source_id integer not null,
  type_id smallint not null,
  provider text not null,
  deleted_at timestamptz not null default now(),
  primary key (user_key, provider, source_id, id_hash, type_id, start_at, content)
);
`,
};
