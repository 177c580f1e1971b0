/** Feed of changes, with which applications keep a copy of the data. */
export const feed = {
  name: '2026-11-29_19_feed',
  sql: `
-- Counters of each user's changes. A transaction that changes a user's data holds the user's lock, so positions have no gaps.
-- The key 0 counts events that belong to no user. Erased explicitly, like all rows that only a user_key identifies.
create table user_state (
  user_key bigint primary key,
  -- Number of the newest change of the user's data.
  position bigint not null default 0,
  -- Number of the newest other event: connections, runs, and events without a user.
  events bigint not null default 0,
  -- Time of the newest change. It never moves back, so times order a user's changes like positions do.
  changed_at timestamptz not null
);

-- The outbox: rows are written in the transaction that changes the data, and get an ordinal after its commit.
create table change (
  user_key bigint not null,
  -- True for a change of health data, which is numbered by position; false for other events.
  is_data boolean not null,
  number bigint not null,
  at timestamptz not null,
  -- Place in the feed of all users; null until the sequencer assigns it.
  ordinal bigint,
  kind text not null,
  -- Days, ids, cause, origin and run, in the form of the API.
  body jsonb not null,
  primary key (user_key, is_data, number)
);
create unique index change_ordinal on change (ordinal) where ordinal is not null;
create index change_without_ordinal on change (at, user_key, is_data, number) where ordinal is null;
create index change_at on change (at);

-- One row. Locking it makes one process at a time assign ordinals.
create table feed_state (
  is_only boolean primary key default true check (is_only),
  -- Cursors of another epoch are no longer valid.
  epoch uuid not null default gen_random_uuid(),
  last_ordinal bigint not null default 0,
  -- Highest ordinal that was deleted because of its age.
  deleted_ordinal bigint not null default 0,
  is_on boolean not null default false
);
insert into feed_state default values;
`,
};
