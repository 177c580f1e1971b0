import { DEFAULT_DEVICE_TYPE_PRIORITIES, DEFAULT_PROVIDER_PRIORITIES } from '@healthd/model';

/** Names with their numbers as rows. Other defaults need another migration: the text of this one never changes. */
const rows = (priorities: Readonly<Record<string, number>>) =>
  Object.entries(priorities)
    .map(([name, priority]) => `('${name}', ${priority})`)
    .join(', ');

/** Who measured the data, and which source wins. */
export const sources = {
  name: '2026-11-24_03_sources',
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
  primary key (user_key, source_id),
  unique (user_key, id)
);
create unique index data_source_identity on data_source
  (user_key, provider, coalesce(device_model, ''), coalesce(writer, ''), coalesce(device_id, ''));

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

create table provider_priority (
  provider text primary key,
  id uuid not null default gen_random_uuid(),
  priority integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into provider_priority (provider, priority)
  values ${rows(DEFAULT_PROVIDER_PRIORITIES)};

create table device_type_priority (
  device_type text primary key,
  id uuid not null default gen_random_uuid(),
  priority integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into device_type_priority (device_type, priority)
  values ${rows(DEFAULT_DEVICE_TYPE_PRIORITIES)};
`,
};
