import { round } from '@healthd/model';
import type { DateOrInstant, Envelope, MenstrualCycle } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { instantBounds } from '../bounds.js';
import { Cursors } from '../cursors.js';
import { localOffsets } from '../local-offsets.js';
import { pageEnvelope, pageOf } from '../page.js';
import { instantText, offsetText } from '../presentation.js';
import {
  filteredSources,
  SOURCE_COLUMNS,
  type SourceRow,
  sourceMetadata,
  sourcesFor,
  withheldProviders,
} from '../sources.js';
import { sqlInstant } from '../sql-instant.js';
import type { Withheld } from '../withheld.js';

interface CycleRow extends SourceRow {
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
const olderCycles = cyclePage('menstrual_cycles_older', '<', 'desc');
const newerCycles = cyclePage('menstrual_cycles_newer', '>', 'asc');

/** Parameters: user, from, before, source ids or null. */
const cycleCount = statement(
  'menstrual_cycles_count',
  `select count(*) as count from menstrual_cycle c where ${SELECTED}`,
);

export interface MenstrualCyclesParams {
  start: DateOrInstant;
  end: DateOrInstant;
  cursor?: string;
  limit: number;
  /** Providers whose cycles are left out. */
  withheld?: Withheld | undefined;
}

/** Cycles of which any part is in the range, newest first. */
export async function readMenstrualCycles(
  pool: pg.Pool,
  userKey: number,
  params: MenstrualCyclesParams,
): Promise<Envelope<MenstrualCycle>> {
  const { start, end, limit } = params;
  const { fromMs, beforeMs } = instantBounds({ start, end, endName: 'end_date' });
  const cursors = new Cursors(['instant', 'uuid'], { route: 'menstrual cycles', userKey, filters: [] });
  const position = cursors.decode(params.cursor);
  const sources = await sourcesFor(pool, userKey, { withheld: params.withheld });
  const shown = filteredSources(sources, { withheld: params.withheld }) ?? null;
  const selected = [userKey, sqlInstant(fromMs), sqlInstant(beforeMs), shown];
  const key = position ? [sqlInstant(Number(position.key[0])), position.key[1]] : [null, null];
  const statement = position?.before ? newerCycles : olderCycles;
  const [{ rows }, counted] = await Promise.all([
    pool.query<CycleRow>(statement([...selected, ...key, limit + 1])),
    pool.query<{ count: number }>(cycleCount(selected)),
  ]);
  const page = pageOf(rows, limit, position, cursors, (row) => [row.start_at.getTime(), row.id]);
  const localOffsetOf = await localOffsets(pool, userKey, page.rows, ({ start_at }) => start_at.getTime());
  return pageEnvelope(page, (row) => menstrualCycle(row, localOffsetOf(row)), {
    start,
    end,
    totalCount: counted.rows[0]?.count ?? 0,
    withheld: withheldProviders(sources, params.withheld),
  });
}

function menstrualCycle({ details, ...row }: CycleRow, localOffset: string): MenstrualCycle {
  const count = (name: string) => {
    const value = details[name];
    return typeof value === 'number' ? round(value) : null;
  };
  const flag = (name: string) => {
    const value = details[name];
    return typeof value === 'boolean' ? value : null;
  };
  const phaseType = details.current_phase_type;
  const snapshot = details.pregnancy_snapshot;
  return {
    id: row.id,
    start_time: instantText(row.start_at),
    end_time: instantText(row.end_at),
    zone_offset: offsetText(row.offset_minutes),
    local_offset: localOffset,
    source: sourceMetadata(row),
    current_phase: count('current_phase'),
    current_phase_type: typeof phaseType === 'string' ? phaseType : null,
    day_in_cycle: count('day_in_cycle'),
    cycle_length: count('cycle_length'),
    predicted_cycle_length: count('predicted_cycle_length'),
    is_predicted_cycle: flag('is_predicted_cycle'),
    period_length: count('period_length'),
    length_of_current_phase: count('length_of_current_phase'),
    days_until_next_phase: count('days_until_next_phase'),
    fertile_window_start: count('fertile_window_start'),
    length_of_fertile_window: count('length_of_fertile_window'),
    last_updated_at: instantOf(details.last_updated_at),
    has_specified_cycle_length: flag('has_specified_cycle_length'),
    has_specified_period_length: flag('has_specified_period_length'),
    pregnancy_snapshot: Array.isArray(snapshot) ? snapshot.filter(isObject) : null,
  };
}

function instantOf(value: unknown): string | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : instantText(ms);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
