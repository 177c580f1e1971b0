/** Sources of the data, and their priorities. */
export const sources = {
  name: '2026-11-28_03_sources',
  sql: `
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
  -- Days of an app's items when it was last compared with the apps that it may be the same as. Null: never.
  compared_from date,
  compared_until date,
  -- The vendor's id of the account, or the mark of a consent while that id is unknown. Null: pushes, files, and clouds'
  -- sources that may hold the data of several accounts.
  account text,
  -- Given by a vendor's cloud.
  from_cloud boolean not null default false,
  -- Samples of it may have been pushed before their ids were kept.
  has_unlisted_ids boolean not null default false,
  primary key (user_key, source_id),
  unique (user_key, id)
);
create unique index data_source_identity on data_source
  (user_key, provider, coalesce(account, ''), coalesce(device_model, ''), coalesce(writer, ''), coalesce(device_id, ''));

-- Which sources that phones give by bundle id are sources that exports name, learnt from items that both brought. An empty
-- device_model stands for none. Sources are told by who they are, because the row of one goes when it is joined, or when
-- all data of its provider is deleted.
create table source_alias (
  user_key bigint not null,
  provider text not null,
  writer text not null,
  device_model text not null default '',
  named_writer text not null,
  named_device_model text not null default '',
  learnt_at timestamptz not null default now(),
  primary key (user_key, provider, writer, device_model)
);

-- The number of every known provider; lower wins.
create table provider_priority (
  provider text primary key,
  id uuid not null default gen_random_uuid(),
  priority integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into provider_priority (provider, priority) values
  ('apple', 1), ('garmin', 2), ('polar', 3), ('suunto', 4), ('whoop', 5), ('oura', 6), ('ultrahuman', 7),
  ('google', 8), ('samsung', 9), ('strava', 10);

create table device_type_priority (
  device_type text primary key,
  id uuid not null default gen_random_uuid(),
  priority integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into device_type_priority (device_type, priority) values
  ('watch', 1), ('band', 2), ('ring', 3), ('phone', 4), ('scale', 5), ('other', 6);
`,
};
