/** Speeds up the search for feed entries without an ordinal while a backup or another long snapshot is open. */
export const feedHorizon = {
  name: '2026-11-29_29_feed_horizon',
  sql: `
-- While a snapshot is open, Postgres keeps index entries of all rows that got their ordinal since then. The index begins
-- with the transaction, so that a search skips the entries of transactions that ended before the last assignment.
alter table change add column xid xid8 not null default '0';
alter table change alter column xid set default pg_current_xact_id();
drop index change_without_ordinal;
create index change_without_ordinal on change (xid) where ordinal is null;
-- All committed entries of earlier transactions have an ordinal.
alter table feed_state add column numbered_before xid8 not null default '0';

drop function assign_ordinals(integer);
-- Assigns ordinals to at most that many entries without one, and returns their number. One process at a time assigns.
-- Each statement of the function sees what was committed before it, so the update sees everything that was committed
-- before the lock was held. With from_start it searches all entries: another database's transactions have other numbers,
-- so after a dump was loaded into it, the usual search may skip entries until one search has begun at the start.
create function assign_ordinals(at_once integer, from_start boolean default false) returns integer language plpgsql as $$
declare
  first_xid xid8 := '0';
  horizon xid8;
  assigned integer;
begin
  if not from_start then
    select numbered_before into first_xid from feed_state;
  end if;
  if not from_start and not exists (select from change where ordinal is null and xid >= first_xid) then
    return 0;
  end if;
  perform from feed_state for update;
  if not from_start then
    select numbered_before into first_xid from feed_state;
  end if;
  -- Every transaction before this one has ended, and the following update sees its entries.
  select pg_snapshot_xmin(pg_current_snapshot()) into horizon;
  with entry as (
    select user_key, is_data, number, row_number() over (order by at, user_key, is_data, number) as place
      from (select at, user_key, is_data, number from change where ordinal is null and xid >= first_xid
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
  if assigned < at_once then
    update feed_state set numbered_before = horizon where numbered_before <> horizon;
  end if;
  return assigned;
end $$;
`,
};
