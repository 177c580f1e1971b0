/** Records the events of a transaction that spans the moment at which the feed is turned on. */
export const feedSwitch = {
  name: '2026-11-30_30_feed_switch',
  sql: `
-- As before, but asks for the switch with its lock. Without the lock, the feed could be turned on between the question
-- and the commit. A reader of the new epoch would then see neither the event nor the data.
create or replace function record_feed_event(owner bigint, event_kind text, event_body jsonb) returns void
language plpgsql as $$
begin
  if current_setting('healthd.restoring', true) = 'on' then
    return;
  end if;
  if not is_feed_on() then
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
