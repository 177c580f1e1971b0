/** Lists of all users find a page by an index, however rare what is asked for is: users, runs, connections, audit records. */
export const listsOfAllUsers = {
  name: '2026-11-25_20_lists_of_all_users',
  sql: `
-- All runs of three characters of a text. A GIN index of them finds a part of a word without an extension of Postgres. The
-- cost keeps the planner from computing them for each row of a table instead.
create function search_trigrams(text) returns text[] language sql immutable strict parallel safe cost 5000 as $$
  select array(select substr($1, i, 3) from generate_series(1, length($1) - 2) i)
$$;
create index health_user_search on health_user using gin (search_trigrams(search_text));
create index health_user_email on health_user (email, id);
create index health_user_first_name on health_user (first_name, id);
create index health_user_last_name on health_user (last_name, id);

-- The newest ended run of each user that brought data. It is no part of health_user, whose indexes would all be written with
-- each run, and it stays when the run is removed because of its age.
create table user_last_sync (
  user_key bigint primary key references health_user (user_key) on delete cascade,
  last_synced_at timestamptz not null,
  provider text not null
);
insert into user_last_sync (user_key, last_synced_at, provider)
select distinct on (user_key) user_key, ended_at, provider from sync_run
where status in ('success', 'partial') and ended_at is not null
order by user_key, ended_at desc;
create index user_last_sync_order on user_last_sync (last_synced_at);

drop index sync_run_time;
create index sync_run_order on sync_run (created_at, run_id);
create index sync_run_provider on sync_run (provider, created_at, run_id);
create index sync_run_source on sync_run (source, created_at, run_id);
-- Most runs succeed: those are found in the order of all.
create index sync_run_status on sync_run (status, created_at, run_id) where status <> 'success';

create index connection_provider on connection (provider, created_at, id);
create index connection_failing on connection (created_at, id) where status = 'active' and failing_since is not null;
create index connection_ended on connection (created_at, id) where status <> 'active';

create index audit_event_outcome on audit_event (outcome, at, seq) where outcome <> 'success';
create index audit_event_action on audit_event (action, at, seq) where action <> 'read';
`,
};
