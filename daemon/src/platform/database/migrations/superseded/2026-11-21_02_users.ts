/**
 * Users and who measured their data. `user_key` is internal, short, and leads every table of health data, so that the
 * schema can be spread over machines by user; `id` is what the API shows.
 */
export const users = {
  name: '2026-11-21_02_users',
  sql: `
create table health_user (
  user_key bigint generated always as identity primary key,
  id uuid not null unique,
  email text,
  first_name varchar(100),
  last_name varchar(100),
  external_user_id varchar(255) unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index health_user_created on health_user (created_at desc, id);

create table personal_record (
  user_key bigint primary key references health_user (user_key) on delete cascade,
  birth_date date,
  gender text check (gender in ('female', 'male', 'nonbinary', 'other')),
  updated_at timestamptz not null default now()
);

create table data_source (
  user_key bigint not null references health_user (user_key) on delete cascade,
  source_id integer generated always as identity,
  id uuid not null default gen_random_uuid(),
  provider text not null,
  device_model text,
  writer text,
  device_id text,
  device_type text,
  software_version text,
  original_source_name text,
  user_connection_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_key, source_id),
  unique (user_key, id)
);
create unique index data_source_identity on data_source
  (user_key, provider, coalesce(device_model, ''), coalesce(writer, ''), coalesce(device_id, ''));

create table provider_priority (
  provider text primary key,
  id uuid not null default gen_random_uuid(),
  priority integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into provider_priority (provider, priority)
  values ('apple', 1), ('garmin', 2), ('polar', 3), ('suunto', 4), ('whoop', 5);

create table device_type_priority (
  device_type text primary key,
  id uuid not null default gen_random_uuid(),
  priority integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into device_type_priority (device_type, priority)
  values ('watch', 1), ('band', 2), ('ring', 3), ('phone', 4), ('scale', 5), ('other', 6);
`,
};
