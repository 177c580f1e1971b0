/**
 * Zones that place what came without an offset: those that items named, one of the user, one of each connection. What is
 * stored is placed anew by the rule that knows them, in portions.
 */
export const timeZones = {
  name: '2026-11-22_99_time_zones',
  sql: `
-- IANA names. The user's is set by hand; a connection's is what the vendor's account or the phone told.
alter table health_user add column time_zone text;
alter table connection add column time_zone text;
-- The zone that items of this offset named, where any did: it tells what holds on the other side of a clock change.
alter table offset_day add column zone text;

-- Minutes by which the wall clock of a named zone is ahead of UTC. No row may name a zone that this server does not know.
create function zone_offset_minutes(zone text, at timestamptz) returns integer language sql stable strict as
  $$ select trunc(extract(epoch from (at at time zone zone) - (at at time zone 'UTC')) / 60)::integer $$;

-- Where a repair that takes several transactions goes on.
alter table pending_repair add column resume_at timestamptz;

insert into pending_repair (user_key, repair)
select user_key, 'place_items' from health_user u
 where exists (select from sample s where s.user_key = u.user_key and s.offset_minutes is null)
    or exists (select from sleep_session s where s.user_key = u.user_key and s.offset_minutes is null)
    or exists (select from workout w where w.user_key = u.user_key and w.offset_minutes is null);
`,
};
