/** What was deleted here stays deleted, whichever way it comes again. */
export const tombstones = {
  name: '2026-11-22_97_tombstones',
  sql: `
-- A session that was deleted through the API, under the id that it had. Its source is told by who it is, because the row
-- of a source goes when all data of its provider is deleted.
create table session_tombstone (
  user_key bigint not null,
  id uuid not null,
  kind text not null check (kind in ('workout', 'sleep_session', 'menstrual_cycle')),
  provider text not null,
  device_model text,
  writer text,
  device_id text,
  external_id text,
  workout_type text,
  start_at timestamptz not null,
  end_at timestamptz not null,
  deleted_at timestamptz not null default now(),
  primary key (user_key, id)
);

-- Which workout, night or cycle it was, where the route names one.
alter table audit_event add column resource_id text;
`,
};
