/** One row per user with the user's lock, last sync and position. */
export const userState = {
  name: '2026-11-29_28_user_state',
  sql: `
-- Numbers of the entries that are not about health data. They have their own rows, because the statements that begin or
-- end a connection count an event without the user's lock. Waiting for that lock while they hold the connection's row
-- would be a deadlock with a transaction that holds the lock and updates the connection.
-- The key 0 counts events that belong to no user. Erased explicitly.
create table user_events (
  user_key bigint primary key,
  number bigint not null default 0,
  -- Time of the newest event. It never moves back.
  changed_at timestamptz not null
);
insert into user_events (user_key, number, changed_at)
  select user_key, events, changed_at from user_state where events > 0;
delete from user_state where user_key = 0;
alter table user_state drop column events;

-- Every user has a row, which is the user's lock. A transaction that changes the row holds the lock.
alter table user_state alter column changed_at drop not null;
-- Time and provider of the newest ended run with data. They stay when the run is removed because of its age.
alter table user_state add column last_synced_at timestamptz;
alter table user_state add column last_synced_provider text;
insert into user_state as stored (user_key, last_synced_at, last_synced_provider)
  select u.user_key, s.last_synced_at, s.provider from health_user u left join user_last_sync s using (user_key)
  on conflict (user_key) do update
     set last_synced_at = excluded.last_synced_at, last_synced_provider = excluded.last_synced_provider;
drop table user_last_sync;
create index user_state_last_sync on user_state (last_synced_at) where last_synced_at is not null;
-- Changes of data update only the counter, without writing to an index if the page has space.
alter table user_state set (fillfactor = 70);

-- A restore copies the rows of user_state.
create or replace function record_user_event() returns trigger language plpgsql as $$
begin
  if current_setting('healthd.restoring', true) is distinct from 'on' then
    insert into user_state (user_key) values (new.user_key);
    perform record_feed_event(new.user_key, 'user', '{"action": "created"}');
  end if;
  return null;
end $$;

-- An erasure deletes these rows itself. Someone who deletes a user with SQL must not leave a lock of a missing user.
create function delete_user_state() returns trigger language plpgsql as $$
begin
  delete from user_state where user_key = old.user_key;
  delete from user_events where user_key = old.user_key;
  return null;
end $$;
create trigger health_user_deleted after delete on health_user for each row execute function delete_user_state();

-- As before, but with the numbers of user_events.
create or replace function record_feed_event(owner bigint, event_kind text, event_body jsonb) returns void
language plpgsql as $$
begin
  if current_setting('healthd.restoring', true) = 'on' or not exists (select from feed_state where is_on) then
    return;
  end if;
  if owner <> 0 then
    -- Waits for a running erasure.
    perform from health_user where user_key = owner for key share;
    if not found then
      return;
    end if;
  end if;
  with counter as (
    insert into user_events as stored (user_key, number, changed_at) values (owner, 1, clock_timestamp())
    on conflict (user_key) do update
       set number = stored.number + 1, changed_at = greatest(excluded.changed_at, stored.changed_at)
    returning number, changed_at
  )
  insert into change (user_key, is_data, number, at, kind, body)
  select owner, false, counter.number, counter.changed_at, event_kind, event_body from counter;
  perform pg_notify('healthd_feed_event', '');
end $$;
`,
};
