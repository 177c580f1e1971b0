/**
 * Samples, and the roll-ups from which summaries are read. `slot` distinguishes samples of one series, source and time,
 * and contains their type (`sample-slot.ts` in the model). Foreign keys are not needed: the writer locks the user's
 * row, and an erasure deletes by `user_key`.
 */
export const samples = {
  name: '2026-11-28_04_samples',
  sql: `
create table sample (
  user_key bigint not null,
  start_at timestamptz not null,
  value double precision not null,
  source_id integer not null,
  duration_ms integer,
  type_id smallint not null,
  offset_minutes smallint,
  slot integer not null,
  primary key (user_key, type_id, start_at, source_id, slot)
);
-- A new offset in the user's timeline may move the local date of these samples, and of no others.
create index sample_without_offset on sample (user_key, start_at) where offset_minutes is null;

-- Least and greatest of the readings that a vendor's mean stands for. A table of its own, because a column more would
-- lengthen every row of 'sample' and almost none has them. Key as of the sample; counts only while that is there.
create table sample_extremes (
  user_key bigint not null,
  start_at timestamptz not null,
  minimum double precision not null,
  maximum double precision not null,
  source_id integer not null,
  slot integer not null,
  type_id smallint not null,
  primary key (user_key, type_id, start_at, source_id, slot)
);

-- Which offsets from UTC the user's own data showed on each UTC day: the timeline that gives samples without an offset
-- their local date.
create table offset_day (
  user_key bigint not null,
  utc_date date not null,
  offset_minutes smallint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- The zone that items of this offset named, where any did: it tells what holds on the other side of a clock change.
  zone text,
  primary key (user_key, utc_date, offset_minutes)
);

-- Minutes by which the wall clock of a named zone is ahead of UTC. No row may name a zone that this server does not know.
create function zone_offset_minutes(zone text, at timestamptz) returns integer language sql stable strict as
  $$ select trunc(extract(epoch from (at at time zone zone) - (at at time zone 'UTC')) / 60)::integer $$;

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
create index day_value_date on day_value (local_date);

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

-- One night of one source (the main sessions that end on a date), one series, and one source that measured it.
create table night_value (
  user_key bigint not null,
  wake_date date not null,
  asleep_sum double precision not null,
  window_sum double precision not null,
  aggregate_sum double precision not null,
  near_sum double precision not null,
  stamped_sum double precision not null,
  night_source_id integer not null,
  source_id integer not null,
  asleep_count integer not null,
  window_count integer not null,
  aggregate_count integer not null,
  near_count integer not null,
  stamped_count integer not null,
  type_id smallint not null,
  primary key (user_key, wake_date, night_source_id, type_id, source_id)
);

-- Totals of a day with every instant counted once over all sources of one provider. Filled by the first summary that asks;
-- the writer removes what it makes stale. 'device_order' stands for the priorities of device types that the total was made
-- with: a row made with others is as good as none.
create table day_merged (
  user_key bigint not null,
  local_date date not null,
  total double precision not null,
  device_order bigint not null,
  type_id smallint not null,
  provider text not null,
  account text not null default '',
  primary key (user_key, type_id, local_date, provider, account)
);
`,
};
