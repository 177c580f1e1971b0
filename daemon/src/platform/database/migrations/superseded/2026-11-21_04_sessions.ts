/** Sleep, workouts, cycles and scores. Ids are stable: a correction updates the row in place. */
export const sessions = {
  name: '2026-11-21_04_sessions',
  sql: `
create table sleep_stage (
  user_key bigint not null,
  source_id integer not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  stage text not null,
  offset_minutes smallint,
  primary key (user_key, source_id, start_at, end_at, stage)
);

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
  primary key (user_key, id)
);
create unique index sleep_session_external on sleep_session (user_key, source_id, external_id) where external_id is not null;
create unique index sleep_session_start on sleep_session (user_key, source_id, start_at, assembled) where external_id is null;
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
  primary key (user_key, id)
);
create unique index workout_external on workout (user_key, source_id, external_id) where external_id is not null;
create unique index workout_start on workout (user_key, source_id, start_at) where external_id is null;
create index workout_by_start on workout (user_key, start_at, id);
create index workout_by_day on workout (user_key, local_date);

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
`,
};
