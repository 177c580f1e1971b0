import { seriesTypeByCode } from '@healthd/model';
import type { DateOrInstant, Envelope, SleepSummary } from '@healthd/schemas';
import type pg from 'pg';
import type { Priorities } from '../../priorities/index.js';
import { dayBounds } from '../bounds.js';
import { Cursors } from '../cursors.js';
import { wakingOffsets } from '../events/sleep-sessions.js';
import { pageOf } from '../page.js';
import { pageEnvelope } from '../page-envelope.js';
import { wholeOrNull } from '../presentation.js';
import { sourceMetadata } from '../sources.js';
import type { SummarySource } from '../summary-source.js';
import { joinSessions } from './night.js';
import { type NightRow, type NightValueRow, nightsBackward, nightsForward, nightValues } from './nights.sql.js';
import { rankedSources } from './ranked-sources.js';

export interface SleepSummaryParams {
  start: DateOrInstant;
  end: DateOrInstant;
  cursor?: string;
  limit: number;
}

/** The sessions of one wake date by source, best source first. */
interface SleepDay {
  date: string;
  sources: NightRow[][];
}

const HEART_RATE = seriesTypeByCode('heart_rate').id;
const SDNN = seriesTypeByCode('heart_rate_variability_sdnn').id;
const RMSSD = seriesTypeByCode('heart_rate_variability_rmssd').id;
const RESPIRATION = seriesTypeByCode('respiratory_rate').id;
const OXYGEN = seriesTypeByCode('oxygen_saturation').id;
/** Series whose value of a date is the vendor's figure of the night that ended on it. A heart rate's is the whole day's. */
const DATED_BY_NIGHT = [SDNN, RMSSD, RESPIRATION, OXYGEN];

/** One row per local day of waking, from the best source of that day. At most three statements regardless of the range. */
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
  const [values, localOffsetOf] = await Promise.all([
    valuesOf(pool, userKey, page.rows),
    wakingOffsets(
      pool,
      userKey,
      page.rows.flatMap(({ sources }) => sources[0] ?? []),
    ),
  ]);
  const totalCount = rows[0]?.days ?? 0;
  return pageEnvelope(page, (day) => sleepSummary(day, values, localOffsetOf), { start, end, totalCount });
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

async function valuesOf(pool: pg.Pool, userKey: number, days: readonly SleepDay[]): Promise<NightValueRow[]> {
  if (days.length === 0) return [];
  const dates = days.map((day) => day.date);
  const types = [HEART_RATE, SDNN, RMSSD, RESPIRATION, OXYGEN];
  return (await pool.query<NightValueRow>(nightValues([userKey, dates, types, DATED_BY_NIGHT]))).rows;
}

function sleepSummary(
  day: SleepDay,
  values: readonly NightValueRow[],
  localOffsetOf: (session: NightRow) => string,
): SleepSummary {
  const best = day.sources[0] ?? [];
  const providers = [...new Set(day.sources.map((sessions) => sessions[0]?.provider))];
  const own = values.filter((value) => value.wake_date === day.date);
  /** From the winner's provider, of the night before of the date; from the next one's where that has none of the metric. */
  const average = (typeId: number): number | null => {
    for (const provider of providers) {
      const found = own.filter((value) => value.provider === provider && value.type_id === typeId);
      const [night, date] = [found.find(({ is_dated }) => !is_dated), found.find(({ is_dated }) => is_dated)];
      const mean = (night && meanOfNight(night)) ?? (date && meanOfNight(date));
      if (mean !== undefined) return mean;
    }
    return null;
  };
  return {
    date: day.date,
    source: sourceMetadata(best[0]),
    ...joinSessions(best, localOffsetOf),
    avg_heart_rate_bpm: wholeOrNull(average(HEART_RATE)),
    avg_hrv_sdnn_ms: average(SDNN),
    avg_hrv_rmssd_ms: average(RMSSD),
    avg_respiratory_rate: average(RESPIRATION),
    avg_spo2_percent: average(OXYGEN),
  };
}

/** Readings while asleep, else the provider's own value of the night, else readings from going to bed to getting up. */
function meanOfNight(value: NightValueRow): number | undefined {
  if (value.asleep_count > 0) return value.asleep_sum / value.asleep_count;
  if (value.aggregate_count > 0) return value.aggregate_sum / value.aggregate_count;
  return value.window_count > 0 ? value.window_sum / value.window_count : undefined;
}
