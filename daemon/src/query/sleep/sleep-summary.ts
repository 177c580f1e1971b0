import type { DateOrInstant, Envelope, SleepSummary } from '@healthd/schemas';
import type { Priorities } from '../../priorities/index.js';
import { dayBounds } from '../bounds.js';
import { Cursors } from '../cursors.js';
import { wakingOffsets } from '../events/sleep-sessions.js';
import { pageOf } from '../page.js';
import { pageEnvelope } from '../page-envelope.js';
import { sourceMetadata } from '../sources.js';
import type { SummarySource } from '../summary-source.js';
import { joinSessions } from './night.js';
import { type NightPhysiology, readPhysiology, type SleepDay } from './night-physiology.js';
import { type NightRow, nightsBackward, nightsForward } from './nights.sql.js';
import { rankedSources } from './ranked-sources.js';

export interface SleepSummaryParams {
  start: DateOrInstant;
  end: DateOrInstant;
  cursor?: string;
  limit: number;
}

/** One row per local day of waking, from the best source of that day. At most four statements regardless of the range. */
export async function readSleepSummary(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  params: SleepSummaryParams,
): Promise<Envelope<SleepSummary>> {
  const { start, end, limit } = params;
  const bounds = dayBounds({ start, end, endName: 'end_date' });
  const cursors = new Cursors(['date'], { route: 'sleep summary', userKey, filters: [] });
  const position = cursors.decode(params.cursor);
  const statement = position?.before ? nightsBackward : nightsForward;
  const [{ rows }, priorities] = await Promise.all([
    pool.query<NightRow>(statement([userKey, bounds.fromDate, bounds.beforeDate, position?.key[0] ?? null, limit + 1])),
    store.current(),
  ]);
  const page = pageOf(daysOf(rows, priorities), limit, position, cursors, (day) => [day.date]);
  const [physiologyOf, localOffsetOf] = await Promise.all([
    readPhysiology(pool, userKey, page.rows, priorities),
    wakingOffsets(
      pool,
      userKey,
      page.rows.flatMap(({ sources }) => sources[0] ?? []),
    ),
  ]);
  const totalCount = rows[0]?.days ?? 0;
  return pageEnvelope(page, (day) => sleepSummary(day, physiologyOf(day), localOffsetOf), { start, end, totalCount });
}

function daysOf(rows: readonly NightRow[], priorities: Priorities): SleepDay[] {
  const byDate = new Map<string, NightRow[]>();
  for (const row of rows) {
    if (row.wake_date === null) continue;
    const day = byDate.get(row.wake_date);
    if (day) day.push(row);
    else byDate.set(row.wake_date, [row]);
  }
  return [...byDate].map(([date, sessions]) => ({ date, sources: rankedSources(sessions, priorities) }));
}

function sleepSummary(
  day: SleepDay,
  physiology: NightPhysiology,
  localOffsetOf: (session: NightRow) => string,
): SleepSummary {
  const best = day.sources[0] ?? [];
  return { date: day.date, source: sourceMetadata(best[0]), ...joinSessions(best, localOffsetOf), ...physiology };
}
