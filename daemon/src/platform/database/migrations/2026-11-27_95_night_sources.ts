/**
 * Readings of a night by the source of the sleep and by the source of the readings, so that summaries can choose both.
 * Archived readings were kept by provider: they go to the source of that provider that slept longest. A repair fills
 * `night_value` again, user by user; until then summaries read the samples of the user's nights.
 */
export const nightSources = {
  name: '2026-11-27_95_night_sources',
  sql: `
drop table night_value;

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

alter table night_archive rename to night_archive_by_provider;
alter table night_archive_by_provider rename constraint night_archive_pkey to night_archive_by_provider_pkey;
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
insert into night_archive (user_key, wake_date, night_source_id, type_id, source_id, asleep_count, asleep_sum,
                           window_count, window_sum)
select old.user_key, old.wake_date, longest.source_id, old.type_id, longest.source_id, old.asleep_count, old.asleep_sum,
       old.window_count, old.window_sum
  from night_archive_by_provider old
 cross join lateral (
   select s.source_id
     from sleep_session s
     join data_source d on d.user_key = s.user_key and d.source_id = s.source_id
    where s.user_key = old.user_key and s.wake_date = old.wake_date and not s.is_nap and d.provider = old.provider
    group by s.source_id
    order by sum(coalesce(s.asleep_seconds, 0)) desc, s.source_id
    limit 1
 ) longest;
drop table night_archive_by_provider;

insert into pending_repair (user_key, repair)
select distinct user_key, 'night_sources' from sleep_session
on conflict (user_key, repair) do nothing;
`,
};
