import { round } from '@healthd/model';
import type { DateOrInstant, Envelope, MenstrualCycle } from '@healthd/schemas';
import type pg from 'pg';
import { instantBounds } from '../bounds.js';
import { localOffsets } from '../local-offsets.js';
import { Cursors, pageEnvelope } from '../page.js';
import { instantText, offsetText } from '../presentation.js';
import { filteredSources, type SourceRow, sourceMetadata, sourcesFor, withheldProviders } from '../sources.js';
import type { Withheld } from '../withheld.js';
import { EventList } from './event-list.js';

interface CycleRow extends SourceRow {
  id: string;
  start_at: Date;
  end_at: Date;
  offset_minutes: number | null;
  /** Details as the adapter provided them, under the API's names. */
  details: Record<string, unknown>;
}

/** Reads all cycles of the user, about a dozen a year, to find overlaps with the range. Filter: source ids or null. */
const cycleList = new EventList<CycleRow>({
  name: 'menstrual_cycles',
  table: 'menstrual_cycle',
  alias: 'c',
  columns: 'c.id, c.start_at, c.end_at, c.offset_minutes, c.details',
  selected: `c.user_key = $1 and c.start_at < $3::timestamptz and c.end_at > $2::timestamptz
       and $2::timestamptz < $3::timestamptz and ($4::int4[] is null or c.source_id = any ($4::int4[]))`,
  filterCount: 1,
});

export interface MenstrualCyclesParams {
  start: DateOrInstant;
  end: DateOrInstant;
  cursor?: string;
  limit: number;
  /** Providers whose cycles are omitted. */
  withheld?: Withheld | undefined;
}

/** Reads the cycles that overlap the range, newest first. */
export async function readMenstrualCycles(
  pool: pg.Pool,
  userKey: number,
  params: MenstrualCyclesParams,
): Promise<Envelope<MenstrualCycle>> {
  const { start, end, limit } = params;
  const bounds = instantBounds({ start, end, endName: 'end_date' });
  const cursors = new Cursors(['instant', 'uuid'], { route: 'menstrual cycles', userKey, filters: [] });
  const position = cursors.decode(params.cursor);
  const filter = { withheld: params.withheld };
  const sources = await sourcesFor(pool, userKey, filter);
  const filters = [filteredSources(sources, filter) ?? null];
  const { page, totalCount } = await cycleList.page(pool, userKey, { bounds, filters, position, limit, cursors });
  const localOffsetOf = await localOffsets(pool, userKey, page.rows, ({ start_at }) => start_at.getTime());
  return pageEnvelope(page, (row) => menstrualCycle(row, localOffsetOf(row)), {
    start,
    end,
    totalCount,
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
