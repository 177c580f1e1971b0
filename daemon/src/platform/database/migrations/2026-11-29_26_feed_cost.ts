/** Fewer writes and round trips for each entry of the feed. */
export const feedCost = {
  name: '2026-11-29_26_feed_cost',
  sql: `
-- Old entries are found by their ordinals.
drop index change_at;

-- Assigns ordinals to at most that many entries without one, and returns their number. One process at a time assigns.
-- Each statement of the function sees what was committed before it, so the update sees everything that was committed
-- before the lock was held.
create function assign_ordinals(at_once integer) returns integer language plpgsql as $$
declare
  assigned integer;
begin
  if not exists (select from change where ordinal is null) then
    return 0;
  end if;
  perform from feed_state for update;
  with entry as (
    select user_key, is_data, number, row_number() over (order by at, user_key, is_data, number) as place
      from (select at, user_key, is_data, number from change where ordinal is null
             order by at, user_key, is_data, number limit at_once) oldest
  ), numbered as (
    update change c set ordinal = state.last_ordinal + entry.place
      from entry, feed_state state
     where c.user_key = entry.user_key and c.is_data = entry.is_data and c.number = entry.number
    returning c.ordinal
  ), counted as (
    update feed_state set last_ordinal = (select max(ordinal) from numbered) where exists (select from numbered)
    returning pg_notify('healthd_feed', '')
  )
  select (select count(*) from numbered) into assigned from (select count(*) from counted) notified;
  return assigned;
end $$;
`,
};
