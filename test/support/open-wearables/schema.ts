/** Tables of Open Wearables that contain data, with their keys and nullable columns. */
export const SCHEMA = `
create table "user" (
  id uuid primary key, created_at timestamptz not null default now(), first_name varchar(100), last_name varchar(100),
  email text, external_user_id varchar(255) unique);
create table personal_record (
  id uuid primary key, created_at timestamptz not null default now(),
  user_id uuid not null unique references "user" on delete cascade, birth_date date, sex boolean, gender varchar(32));
create table user_connection (
  id uuid primary key, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  user_id uuid not null references "user" on delete cascade, provider varchar(64) not null, provider_user_id text,
  provider_username text, access_token text, refresh_token text, token_expires_at timestamptz, scope text,
  status varchar(16) not null, last_synced_at timestamptz, unique (user_id, provider));
create table data_source (
  id uuid primary key, created_at timestamptz not null default now(),
  user_id uuid not null references "user" on delete cascade, provider varchar(64),
  user_connection_id uuid references user_connection on delete set null, device_model varchar(100),
  software_version varchar(50), source varchar(100), device_type varchar(32), original_source_name varchar(100));
create unique index on data_source (user_id, provider, coalesce(device_model, ''), coalesce(source, ''));
create table series_type_definition (id integer primary key, code varchar(64) not null unique, unit varchar(10) not null);
create table data_point_series (
  id uuid primary key, created_at timestamptz not null default now(), external_id varchar(100),
  data_source_id uuid not null references data_source on delete cascade, recorded_at timestamptz not null,
  zone_offset varchar(10), value numeric(10,3) not null,
  series_type_definition_id integer not null references series_type_definition on delete restrict, is_daily_total boolean,
  unique (data_source_id, series_type_definition_id, recorded_at));
create table data_point_series_archive (
  id uuid primary key, created_at timestamptz not null default now(),
  data_source_id uuid not null references data_source on delete cascade,
  series_type_definition_id integer not null references series_type_definition on delete restrict,
  bucket_start_at timestamptz not null, aggregation_type varchar(8) not null, value numeric(10,3) not null,
  sample_count integer not null, unique (data_source_id, series_type_definition_id, bucket_start_at, aggregation_type));
create table event_record (
  id uuid primary key, created_at timestamptz not null default now(), external_id varchar(100),
  data_source_id uuid not null references data_source on delete cascade, category varchar(32) not null, type varchar(32),
  source_name varchar(64) not null, duration_seconds integer, start_datetime timestamptz not null,
  end_datetime timestamptz not null, zone_offset varchar(10), unique (data_source_id, start_datetime, end_datetime));
create index on event_record (data_source_id, category);
create table sleep_details (
  record_id uuid primary key references event_record on delete cascade, sleep_total_duration_minutes integer,
  sleep_time_in_bed_minutes integer, sleep_efficiency_score numeric(5,2), sleep_deep_minutes integer,
  sleep_rem_minutes integer, sleep_light_minutes integer, sleep_awake_minutes integer, is_nap boolean, sleep_stages jsonb);
create table workout_details (
  record_id uuid primary key references event_record on delete cascade, heart_rate_min integer, heart_rate_max integer,
  heart_rate_avg numeric(5,2), energy_burned numeric(10,3), distance numeric(10,3), steps_count integer,
  max_speed numeric(5,2), average_speed numeric(5,2), average_cadence numeric(5,2), max_watts numeric(10,3),
  average_watts numeric(10,3), moving_time_seconds integer, total_elevation_gain numeric(10,3), elev_high numeric(10,3),
  elev_low numeric(10,3), segments jsonb, hr_zones jsonb, power_zones jsonb);
create table menstrual_cycle_details (
  record_id uuid primary key references event_record on delete cascade, created_at timestamptz not null default now(),
  day_in_cycle integer, current_phase integer, current_phase_type varchar(64), length_of_current_phase integer,
  days_until_next_phase integer, predicted_cycle_length integer, is_predicted_cycle boolean, cycle_length integer,
  last_updated_at timestamptz, has_specified_cycle_length boolean, has_specified_period_length boolean,
  period_length integer, fertile_window_start integer, length_of_fertile_window integer, pregnancy_snapshot jsonb);
create table health_score (
  id uuid primary key, created_at timestamptz not null default now(),
  user_id uuid not null references "user" on delete cascade, data_source_id uuid references data_source on delete cascade,
  provider varchar(64) not null, category varchar(32) not null, value numeric(6,3), qualifier varchar(32),
  recorded_at timestamptz not null, zone_offset varchar(10), components jsonb,
  sleep_record_id uuid references event_record on delete cascade, unique (user_id, provider, category, recorded_at));
create table provider_priority (
  id uuid primary key default gen_random_uuid(), provider varchar(64) not null unique, priority integer not null,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now());
create table device_type_priority (
  id uuid primary key default gen_random_uuid(), device_type varchar(32) not null unique, priority integer not null,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now());
create table provider_settings (
  provider varchar(64) primary key, is_enabled boolean not null, live_sync_mode varchar(16), webhook_secret text,
  data_granularity varchar(16));
create table archival_settings (
  id integer primary key, created_at timestamptz not null default now(), archive_after_days integer,
  delete_after_days integer);
create table developer (
  id uuid primary key, created_at timestamptz not null default now(), email varchar(255) not null unique,
  hashed_password varchar(255) not null);
create table api_key (
  id varchar(64) primary key, created_at timestamptz not null default now(), name text not null,
  created_by uuid references developer on delete set null);
create table application (
  id uuid primary key, created_at timestamptz not null default now(), app_id varchar(64) not null unique,
  name varchar(100) not null, app_secret_hash varchar(255) not null, developer_id uuid not null references developer);
create table refresh_token (id varchar(64) primary key, created_at timestamptz not null default now());
create table invitation (id uuid primary key, created_at timestamptz not null default now(), email text not null);
create table user_invitation_code (
  id uuid primary key, created_at timestamptz not null default now(), code varchar(8) not null unique);
`;
