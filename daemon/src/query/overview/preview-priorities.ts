import { ABSENT_PRIORITY } from '@healthd/model';
import type { PrioritiesPreview } from '@healthd/schemas';
import { FAMILIES } from '../activity/families.js';
import { NIGHT_GAP } from '../events/source-rank.js';
import type { AllUserCounts } from './all-user-counts.js';

/** A name with its priority now and after the change. */
export interface ChangedRank {
  name: string;
  before: number;
  after: number;
}

/**
 * The winners of each day and family, and of each night, chosen twice by the rules of `families.ts`, `ranked-sources.ts` and
 * `Priorities.compare`. Only users are looked at who have several sources and one whose rank changes. Parameters: names and ranks of providers, of device types,
 * the rank of what has none, then types with their family and place in it.
 */
const PREVIEW = `
with provider_rank as (select * from unnest($1::text[], $2::int4[], $3::int4[]) r (name, before, after)),
device_rank as (select * from unnest($4::text[], $5::int4[], $6::int4[]) r (name, before, after)),
family as (select * from unnest($8::int2[], $9::text[], $10::int4[]) f (type_id, family, place)),
ranked as materialized (
  select s.user_key, s.source_id,
         coalesce(p.before, $7) as provider_before, coalesce(d.before, $7) as device_before,
         coalesce(p.after, $7) as provider_after, coalesce(d.after, $7) as device_after
    from data_source s
    left join provider_rank p on p.name = s.provider
    left join device_rank d on d.name = coalesce(s.device_type, 'unknown')
), concerned as (
  select user_key from ranked group by user_key
  having count(*) > 1 and bool_or((provider_before, device_before) <> (provider_after, device_after))
), value as (
  select v.user_key, v.local_date, f.family, f.place, v.source_id, v.covered_minutes,
         v.sample_count + v.total_count as samples,
         r.provider_before, r.device_before, r.provider_after, r.device_after,
         min(f.place) over (partition by v.user_key, v.local_date, f.family) as lead
    from concerned
    join day_value v using (user_key)
    join family f using (type_id)
    join ranked r using (user_key, source_id)
   where v.sample_count + v.total_count > 0
), placed as (
  select user_key, local_date, samples,
         row_number() over (partition by user_key, local_date, family
                            order by provider_before, device_before, covered_minutes desc, source_id) as now,
         row_number() over (partition by user_key, local_date, family
                            order by provider_after, device_after, covered_minutes desc, source_id) as later
    from value where place = lead
), changed_day as (
  select user_key, sum(samples) as samples from placed where later = 1 and now > 1 group by user_key, local_date
), slept as (
  select o.user_key, o.wake_date, o.source_id, ${NIGHT_GAP} as gap, sum(coalesce(o.asleep_seconds, 0)) as asleep_seconds,
         r.provider_before, r.device_before, r.provider_after, r.device_after
    from concerned
    join sleep_session o using (user_key)
    join ranked r using (user_key, source_id)
   where o.wake_date is not null
   group by o.user_key, o.wake_date, o.source_id,
            r.provider_before, r.device_before, r.provider_after, r.device_after
), placed_night as (
  select user_key,
         row_number() over (partition by user_key, wake_date
                            order by gap, provider_before, device_before, asleep_seconds desc, source_id) as now,
         row_number() over (partition by user_key, wake_date
                            order by gap, provider_after, device_after, asleep_seconds desc, source_id) as later
    from slept
), changed as (
  select user_key, 1 as days, 0 as nights, samples from changed_day
  union all
  select user_key, 0, 1, 0 from placed_night where later = 1 and now > 1
)
select count(distinct user_key)::int4 as users, coalesce(sum(days), 0)::int8 as days,
       coalesce(sum(nights), 0)::int8 as nights, coalesce(sum(samples), 0)::int8 as samples
  from changed`;

/**
 * Days of activity summaries and nights that other priorities would take from another source.
 * @throws Failure `unavailable` when counting takes too long
 */
export async function previewPriorities(
  counts: AllUserCounts,
  { providers, deviceTypes }: { providers: readonly ChangedRank[]; deviceTypes: readonly ChangedRank[] },
): Promise<PrioritiesPreview> {
  const members = Object.entries(FAMILIES).flatMap(([family, types]) =>
    types.map((type, place) => ({ type, family, place })),
  );
  const row = await counts.row<PrioritiesPreview>(PREVIEW, [
    ...columnsOf(providers),
    ...columnsOf(deviceTypes),
    ABSENT_PRIORITY,
    members.map(({ type }) => type),
    members.map(({ family }) => family),
    members.map(({ place }) => place),
  ]);
  return row ?? { users: 0, days: 0, nights: 0, samples: 0 };
}

function columnsOf(ranks: readonly ChangedRank[]): [string[], number[], number[]] {
  return [ranks.map(({ name }) => name), ranks.map(({ before }) => before), ranks.map(({ after }) => after)];
}
