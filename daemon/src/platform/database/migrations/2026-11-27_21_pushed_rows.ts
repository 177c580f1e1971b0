/**
 * Rows remember that a push wrote them: a file that replaces earlier files does not take them away, and a phone may delete
 * them by the ids under which it sent them. A sample keeps 28 bits of its id only, so its whole id has a table of its own.
 */
export const pushedRows = {
  name: '2026-11-27_21_pushed_rows',
  sql: `
alter table workout
  -- A push wrote it, whoever else did.
  add column pushed boolean,
  -- Hash of the id under which it was pushed.
  add column pushed_id bigint;
create index workout_pushed_id on workout (user_key, pushed_id) where pushed_id is not null;
alter table sleep_stage add column pushed_id bigint;
create index sleep_stage_pushed_id on sleep_stage (user_key, pushed_id) where pushed_id is not null;
create index sleep_stage_session on sleep_stage (user_key, session_id) where session_id is not null;

-- Export files carry no ids, so what has one and is not a cloud's was pushed.
update workout w set pushed = true from data_source s
 where s.user_key = w.user_key and s.source_id = w.source_id and not s.from_cloud and w.external_id is not null;
-- Samples of it may have been pushed before their ids were kept.
alter table data_source add column has_unlisted_ids boolean not null default false;
update data_source set has_unlisted_ids = true where not from_cloud;

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

-- What phones reported as deleted. An id has source_id 0 and content 0; type_id -2 means items of any kind. An item that went has its source, its start in whole
-- seconds, what tells items of one start apart (content), and in id_hash what its row knew of its id, or -1.
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

-- Which phone sent a batch.
alter table device_batch add column device text not null default '';
create index device_batch_newest on device_batch (user_key, seq);
`,
};
