import { ABSENT_PRIORITY } from '@healthd/model';

/**
 * SQL for the rank of a source by the priorities in force, the same order as `Priorities.compare` has.
 * @param source alias of the `data_source` in question
 */
export function sourceRank(source: string): string {
  return `coalesce((select priority from provider_priority p where p.provider = ${source}.provider), ${ABSENT_PRIORITY}),
  coalesce((select priority from device_type_priority d where d.device_type = coalesce(${source}.device_type, 'unknown')), ${ABSENT_PRIORITY})`;
}

/**
 * SQL for what a source does not know of a night, over its sessions `o` of one wake date: 0 nothing, 1 how long the person
 * slept in it, 2 the night itself. The same as `rankedSources` has.
 */
export const NIGHT_GAP = `min(case when o.is_nap then 2 when o.asleep_seconds > 0 or (o.asleep_seconds is null and o.in_bed_seconds is null) then 0 else 1 end)`;
