/** Which sources that phones give by bundle id are sources that exports name. */
export const sourceAliases = {
  name: '2026-11-23_50_source_aliases',
  sql: `
-- Learnt from items that both brought. An empty device_model stands for none. Sources are told by who they are, because
-- the row of one goes when it is joined, or when all data of its provider is deleted.
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

-- What is stored already may be the same under both.
insert into pending_repair (user_key, repair)
select distinct told.user_key, 'join_sources'
  from data_source told
  join data_source named on named.user_key = told.user_key and named.provider = told.provider
 where told.provider = 'apple' and told.device_id is null and named.device_id is null
   and told.writer ~ '^[A-Za-z0-9-]+(\\.[A-Za-z0-9_-]+)+$' and named.writer !~ '^[A-Za-z0-9-]+(\\.[A-Za-z0-9_-]+)+$';
`,
};
