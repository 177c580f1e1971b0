/** Events of the feed after an erasure, an index of events, and the feed's switch. */
export const feedEvents = {
  name: '2026-11-29_24_feed_events',
  sql: `
-- Readers of events skip the changes of data, of which there may be millions.
create index change_events on change (ordinal) where not is_data and ordinal is not null;

-- As before, but an erased user gets no new events: a connection may end during the erasure.
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

-- True if changes are recorded. Until the transaction ends, no process can turn the feed on or off. Each statement of
-- the function sees what was committed before it, so the answer is from after the wait for the lock.
create function is_feed_on() returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('healthd feed'));
  return exists (select from feed_state where is_on);
end $$;
`,
};
