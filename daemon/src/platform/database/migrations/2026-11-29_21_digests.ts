/** Digests, with which applications prove that their copies are complete, and events of users and connections. */
export const digests = {
  name: '2026-11-29_21_digests',
  sql: `
-- The key of a user's digests. A row exists once digests or a snapshot were requested. Erased explicitly.
create table user_digest (
  user_key bigint primary key,
  digest_key_sealed text not null,
  -- Position up to which changes have deleted rows of day_digest.
  position bigint not null default 0
);

-- Digests of a local day, computed at a request and kept until the day changes.
create table day_digest (
  user_key bigint not null,
  local_date date not null,
  digests jsonb not null,
  primary key (user_key, local_date)
);

-- Series whose samples of days before a date were deleted because of their age.
create table expired_series (
  user_key bigint not null,
  type_id smallint not null,
  before date not null,
  primary key (user_key, type_id)
);

-- The feed of one user among all users.
create index change_of_user on change (user_key, ordinal) where ordinal is not null;

-- Settings that select figures of summaries. A different value at a start is an event.
alter table feed_state add column settings jsonb;

-- Writes an event that is not about health data, if the feed is on. 0 is the key of events without a user. A restore
-- writes the rows of other tables without new events.
create function record_feed_event(owner bigint, event_kind text, event_body jsonb) returns void language plpgsql as $$
begin
  if current_setting('healthd.restoring', true) = 'on' or not exists (select from feed_state where is_on) then
    return;
  end if;
  with state as (
    insert into user_state as stored (user_key, events, changed_at) values (owner, 1, clock_timestamp())
    on conflict (user_key) do update
       set events = stored.events + 1, changed_at = greatest(excluded.changed_at, stored.changed_at)
    returning events, changed_at
  )
  insert into change (user_key, is_data, number, at, kind, body)
  select owner, false, state.events, state.changed_at, event_kind, event_body from state;
  perform pg_notify('healthd_feed_event', '');
end $$;

-- Connections begin and end in many statements. Triggers record each of them.
create function record_connection_event() returns trigger language plpgsql as $$
begin
  perform record_feed_event(new.user_key, 'connection', jsonb_strip_nulls(jsonb_build_object(
    'action', case new.status when 'active' then 'created' when 'revoked' then 'revoked' else 'needs_attention' end,
    'provider', new.provider, 'connection_id', new.id, 'reason', new.status_reason)));
  return null;
end $$;
create trigger connection_created after insert on connection for each row execute function record_connection_event();
create trigger connection_changed after update of status on connection for each row
  when (new.status is distinct from old.status) execute function record_connection_event();

create function record_user_event() returns trigger language plpgsql as $$
begin
  perform record_feed_event(new.user_key, 'user', '{"action": "created"}');
  return null;
end $$;
create trigger health_user_created after insert on health_user for each row execute function record_user_event();
`,
};
