/**
 * Data that archival keeps of removed samples. Every roll-up is the sum of these tables and the remaining samples, so
 * each sample counts exactly once.
 */
export const archival = {
  name: '2026-11-28_11_archival',
  sql: `
-- One row. A run is due from next_run_at on; null while both limits are off.
create table archival_setting (
  only_row boolean primary key default true check (only_row),
  archive_after_days integer check (archive_after_days between 1 and 3650),
  delete_after_days integer check (delete_after_days between 1 and 7300),
  next_run_at timestamptz,
  task_id uuid,
  updated_at timestamptz not null default now()
);
insert into archival_setting default values;

-- Local days before this one may have been archived. Users without a row have nothing in the tables below.
create table user_archive (
  user_key bigint primary key,
  archived_before date not null,
  -- Counts up with every window of days archived, so that a reader notices one beside it.
  windows bigint not null default 0
);

-- Removed ordinary samples of one local day of one series from one source. Minutes are those of the local day, as in
-- day_minutes; the histogram is in double precision so that later samples add to it without loss.
create table day_archive (
  user_key bigint not null,
  local_date date not null,
  sample_sum double precision not null,
  sample_min double precision not null,
  sample_max double precision not null,
  last_value double precision not null,
  last_at timestamptz not null,
  source_id integer not null,
  sample_count integer not null,
  type_id smallint not null,
  minutes bit(1440) not null,
  heart_rate_bins smallint[],
  heart_rate_seconds double precision[],
  heart_rate_minutes bit(1440),
  active_minutes bit(1440),
  primary key (user_key, type_id, local_date, source_id)
);

-- Minutes of one UTC day (bit 0 is 00:00Z) that removed samples cover. Instants, so that no later knowledge of offsets
-- moves them.
create table archived_minute (
  user_key bigint not null,
  utc_date date not null,
  source_id integer not null,
  type_id smallint not null,
  minutes bit(1440) not null,
  primary key (user_key, type_id, utc_date, source_id)
);

-- What removed samples gave to the day's total when every instant was counted once over the sources of a provider.
create table merged_archive (
  user_key bigint not null,
  local_date date not null,
  amount double precision not null,
  source_id integer not null,
  type_id smallint not null,
  primary key (user_key, type_id, local_date, source_id)
);

-- What removed samples gave to a night, by the sessions as they were then.
create table night_archive (
  user_key bigint not null,
  wake_date date not null,
  asleep_sum double precision not null,
  window_sum double precision not null,
  night_source_id integer not null,
  source_id integer not null,
  asleep_count integer not null,
  window_count integer not null,
  type_id smallint not null,
  primary key (user_key, wake_date, night_source_id, type_id, source_id)
);

-- The source of each group of figures of a night when its samples were archived. It stays, whatever arrives later.
create table night_source (
  user_key bigint not null,
  wake_date date not null,
  source_id integer not null,
  figure_group text not null,
  primary key (user_key, wake_date, figure_group)
);
`,
};
