/**
 * Sleep, workouts, cycles and scores, and tombstones of sessions deleted here. IDs are stable: a correction updates the
 * row. Postgres computes the sums that summaries need from a night's stages when the night is stored. Otherwise a
 * summary of 90 days would parse 300 kB of stages.
 */
export const sessions = {
  name: '2026-11-28_05_sessions',
  sql: `
-- Start and end of each stretch asleep in turn, in milliseconds since 1970; touching stages make one stretch.
create function asleep_spans(stages jsonb) returns double precision[]
language sql immutable parallel safe as $$
  select case when stages is not null then array(
    select extract(epoch from edge)::float8 * 1000
      from unnest((select range_agg(tstzrange(start_time, end_time))
                     from jsonb_to_recordset(case when jsonb_typeof(stages) = 'array' then stages end)
                       as listed (stage text, start_time timestamptz, end_time timestamptz)
                    where stage in ('sleeping', 'light', 'deep', 'rem') and start_time < end_time)) as stretch,
           unnest(array[lower(stretch), upper(stretch)]) as edge
     order by edge
  ) end
$$;

-- Times awake for a minute or more between falling asleep and waking up; null where the stages do not tell waking from
-- sleeping.
create function awakenings(stages jsonb) returns integer
language sql immutable parallel safe as $$
  select case when bool_or(stage in ('awake', 'light', 'deep', 'rem')) then count(*) filter (
      where stage = 'awake' and end_time - start_time >= interval '1 minute'
        and start_time >= asleep_at and end_time <= woken_at
    ) end
    from (
      select stage, start_time, end_time,
             min(start_time) filter (where stage in ('sleeping', 'light', 'deep', 'rem')) over () as asleep_at,
             max(end_time) filter (where stage in ('sleeping', 'light', 'deep', 'rem')) over () as woken_at
        from jsonb_to_recordset(case when jsonb_typeof(stages) = 'array' then stages end)
             as listed (stage text, start_time timestamptz, end_time timestamptz)
    ) spans
$$;

create table sleep_stage (
  user_key bigint not null,
  source_id integer not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  stage text not null,
  offset_minutes smallint,
  -- The vendor's id of the session a stage belongs to; stages of one id are one session.
  session_id text,
  -- It came by files alone: a later file may take it away.
  from_file boolean not null default false,
  -- Hash of the id under which a phone pushed it.
  pushed_id bigint,
  primary key (user_key, source_id, start_at, end_at, stage)
);
create index sleep_stage_pushed_id on sleep_stage (user_key, pushed_id) where pushed_id is not null;
create index sleep_stage_session on sleep_stage (user_key, session_id) where session_id is not null;

-- A night or nap. assembled: built from sleep_stage rows, so re-assembly owns it; otherwise the vendor's own session.
create table sleep_session (
  user_key bigint not null,
  id uuid not null default gen_random_uuid(),
  source_id integer not null,
  external_id text,
  assembled boolean not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  offset_minutes smallint,
  wake_date date not null,
  is_nap boolean not null,
  asleep_seconds integer,
  in_bed_seconds integer,
  awake_seconds integer,
  light_seconds integer,
  deep_seconds integer,
  rem_seconds integer,
  efficiency_percent double precision,
  stages jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  asleep_spans double precision[] generated always as (asleep_spans(stages)) stored,
  awakenings integer generated always as (awakenings(stages)) stored,
  primary key (user_key, id)
);
create unique index sleep_session_external on sleep_session (user_key, source_id, external_id) where external_id is not null;
create unique index sleep_session_start on sleep_session (user_key, source_id, start_at, assembled, is_nap)
  where external_id is null;
create index sleep_session_wake on sleep_session (user_key, wake_date);
create index sleep_session_by_start on sleep_session (user_key, start_at, id);

create table workout (
  user_key bigint not null,
  id uuid not null default gen_random_uuid(),
  source_id integer not null,
  external_id text,
  type text not null,
  name text,
  start_at timestamptz not null,
  end_at timestamptz not null,
  offset_minutes smallint,
  local_date date not null,
  duration_seconds double precision,
  moving_seconds double precision,
  distance_meters double precision,
  calories_kcal double precision,
  basal_calories_kcal double precision,
  total_calories_kcal double precision,
  steps_count integer,
  heart_rate_min double precision,
  heart_rate_avg double precision,
  heart_rate_max double precision,
  average_speed double precision,
  max_speed double precision,
  average_watts double precision,
  max_watts double precision,
  average_cadence double precision,
  elevation_gain_meters double precision,
  elevation_low_meters double precision,
  elevation_high_meters double precision,
  indoor boolean,
  user_entered boolean,
  events jsonb,
  activities jsonb,
  metadata jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Heart rates that the workout's own source measured in it and that archival removed since.
  archived_heart_rate_count integer not null default 0,
  archived_heart_rate_sum double precision not null default 0,
  -- A push wrote it, whoever else did.
  pushed boolean,
  -- Hash of the id under which it was pushed.
  pushed_id bigint,
  archived_heart_rate_max double precision,
  primary key (user_key, id)
);
create unique index workout_external on workout (user_key, source_id, external_id) where external_id is not null;
create unique index workout_start on workout (user_key, source_id, start_at, end_at, type) where external_id is null;
create index workout_by_start on workout (user_key, start_at, id);
create index workout_by_day on workout (user_key, local_date);
create index workout_pushed_id on workout (user_key, pushed_id) where pushed_id is not null;

create table menstrual_cycle (
  user_key bigint not null,
  id uuid not null default gen_random_uuid(),
  source_id integer not null,
  external_id text,
  start_at timestamptz not null,
  end_at timestamptz not null,
  offset_minutes smallint,
  details jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_key, id)
);
create unique index menstrual_cycle_external on menstrual_cycle (user_key, source_id, external_id) where external_id is not null;
create unique index menstrual_cycle_start on menstrual_cycle (user_key, source_id, start_at) where external_id is null;

create table health_score (
  user_key bigint not null,
  id uuid not null default gen_random_uuid(),
  source_id integer not null,
  provider text not null,
  category text not null,
  external_id text,
  value double precision,
  qualifier text,
  recorded_at timestamptz not null,
  offset_minutes smallint,
  components jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_key, id)
);
create unique index health_score_external on health_score (user_key, source_id, category, external_id) where external_id is not null;
create unique index health_score_time on health_score (user_key, source_id, category, recorded_at) where external_id is null;
create index health_score_by_time on health_score (user_key, recorded_at desc, id);

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
  account text,
  primary key (user_key, id)
);
`,
};
