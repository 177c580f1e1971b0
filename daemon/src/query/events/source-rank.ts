import { ABSENT_PRIORITY } from '@healthd/model';

/**
 * SQL for the rank of a source by the priorities in force, the same order as `Priorities.compare` has.
 * @param source alias of the `data_source` in question
 */
export function sourceRank(source: string): string {
  return `coalesce((select priority from provider_priority p where p.provider = ${source}.provider), ${ABSENT_PRIORITY}),
  coalesce((select priority from device_type_priority d where d.device_type = coalesce(${source}.device_type, 'unknown')), ${ABSENT_PRIORITY})`;
}
