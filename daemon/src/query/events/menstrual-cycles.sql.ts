import { statement } from '../../platform/database/index.js';
import { SOURCE_COLUMNS, type SourceRow } from '../sources.js';

export interface CycleRow extends SourceRow {
  id: string;
  start_at: Date;
  end_at: Date;
  offset_minutes: number | null;
  /** By the names of the contract, as the adapter gave them. */
  details: Record<string, unknown>;
}

const SELECTED = `c.user_key = $1 and c.start_at < $3::timestamptz and c.end_at > $2::timestamptz
  and $2::timestamptz < $3::timestamptz and ($4::int4[] is null or c.source_id = any ($4::int4[]))`;

/**
 * One page of the cycles that overlap the range, from all of the user's by primary key: a dozen a year.
 * Parameters: user, from, before, source ids or null, position (instant, id) or nulls, limit + 1.
 */
function cyclePage(name: string, after: '>' | '<', order: 'asc' | 'desc') {
  return statement(
    name,
    `select c.id, c.start_at, c.end_at, c.offset_minutes, c.details, ${SOURCE_COLUMNS}
     from menstrual_cycle c join data_source s on s.user_key = $1 and s.source_id = c.source_id
     where ${SELECTED}
       and ($5::timestamptz is null or (c.start_at, c.id) ${after} ($5::timestamptz, $6::uuid))
     order by c.start_at ${order}, c.id ${order} limit $7`,
  );
}

/** Newest first, so that going on means going back in time. */
export const olderCycles = cyclePage('menstrual_cycles_older', '<', 'desc');
export const newerCycles = cyclePage('menstrual_cycles_newer', '>', 'asc');

/** Parameters: user, from, before, source ids or null. */
export const cycleCount = statement(
  'menstrual_cycles_count',
  `select count(*) as count from menstrual_cycle c where ${SELECTED}`,
);
