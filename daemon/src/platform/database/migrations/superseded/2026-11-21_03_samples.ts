/**
 * Samples and the roll-ups that summaries read. `kind` of a sample: 0 sample, 1 daily total, 2 aggregate of a night or
 * workout. No foreign keys here: the writer holds the user's row locked, and erasing a user deletes by `user_key`.
 */
export const samples = {
  name: '2026-11-21_03_samples',
  sql: `
create table sample (
  user_key bigint not null,
  start_at timestamptz not null,
  value double precision not null,
  source_id integer not null,
  duration_ms integer,
  type_id smallint not null,
  offset_minutes smallint,
  kind smallint not null,
  primary key (user_key, type_id, start_at, source_id, kind)
);
-- A new offset in the user's timeline may move the local date of these samples, and of no others.
create index sample_without_offset on sample (user_key, start_at) where offset_minutes is null;

-- Which offsets from UTC the user's own data showed on each UTC day: the timeline that gives samples without an offset
-- their local date.
create table offset_day (
  user_key bigint not null,
  utc_date date not null,
  offset_minutes smallint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (user_key, utc_date, offset_minutes)
);

-- One local day of one series from one source. sample_* over kind 0, total_* over kind 1, aggregate_* over kind 2.
create table day_value (
  user_key bigint not null,
  local_date date not null,
  sample_sum double precision,
  sample_min double precision,
  sample_max double precision,
  last_value double precision,
  last_at timestamptz,
  total_sum double precision,
  aggregate_sum double precision,
  source_id integer not null,
  sample_count integer not null,
  total_count integer not null,
  aggregate_count integer not null,
  covered_minutes smallint not null,
  type_id smallint not null,
  primary key (user_key, type_id, local_date, source_id)
);

-- Minutes of one local day (bit 0 is 00:00) of one source, and seconds per heart rate. A bin of the histogram is
-- 2 * floor(bpm), plus 1 when there is a fraction, so that every comparison with a whole number stays exact.
create table day_minutes (
  user_key bigint not null,
  local_date date not null,
  source_id integer not null,
  heart_rate_bins smallint[],
  heart_rate_seconds real[],
  heart_rate_minutes bit(1440),
  step_minutes bit(1440),
  active_minutes bit(1440),
  primary key (user_key, local_date, source_id)
);

-- Physiology of one night of one provider: over its asleep intervals, and over the whole window of its main sessions.
create table night_value (
  user_key bigint not null,
  wake_date date not null,
  provider text not null,
  type_id smallint not null,
  asleep_count integer not null,
  asleep_sum double precision not null,
  window_count integer not null,
  window_sum double precision not null,
  aggregate_count integer not null,
  aggregate_sum double precision not null,
  primary key (user_key, wake_date, provider, type_id)
);
`,
};
