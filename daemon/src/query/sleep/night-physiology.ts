import { seriesTypeByCode } from '@healthd/model';
import type { SleepSummary } from '@healthd/schemas';
import type pg from 'pg';
import type { Priorities } from '../../priorities/index.js';
import { wholeOrNull } from '../presentation.js';
import { borrowedNightValues } from './borrowed-nights.sql.js';
import { type NightRow, type NightValueRow, nightValues } from './nights.sql.js';

const HEART_RATE = seriesTypeByCode('heart_rate').id;
const SDNN = seriesTypeByCode('heart_rate_variability_sdnn').id;
const RMSSD = seriesTypeByCode('heart_rate_variability_rmssd').id;
const RESPIRATION = seriesTypeByCode('respiratory_rate').id;
const OXYGEN = seriesTypeByCode('oxygen_saturation').id;
const TYPES = [HEART_RATE, SDNN, RMSSD, RESPIRATION, OXYGEN] as const;
/** Series whose value of a date is the vendor's figure of the night that ended on it. A heart rate's is the whole day's. */
const DATED_BY_NIGHT = [SDNN, RMSSD, RESPIRATION, OXYGEN];

/** The sessions of one wake date by source, best source first. */
export interface SleepDay {
  date: string;
  sources: NightRow[][];
}

/** The part of a sleep summary that was measured during the night. */
export type NightPhysiology = Pick<
  SleepSummary,
  'avg_heart_rate_bpm' | 'avg_hrv_sdnn_ms' | 'avg_hrv_rmssd_ms' | 'avg_respiratory_rate' | 'avg_spo2_percent'
>;

/**
 * What was measured in each night: from the provider of the best source, and of a metric that it does not have from the
 * next one, by rank of their nights and then, without a night of their own, by priority. Two statements at most.
 */
export async function readPhysiology(
  pool: pg.Pool,
  userKey: number,
  days: readonly SleepDay[],
  priorities: Priorities,
): Promise<(day: SleepDay) => NightPhysiology> {
  const values = new Map<string, NightValueRow[]>();
  const add = (rows: readonly NightValueRow[]) => {
    for (const row of rows) values.set(row.wake_date, [...(values.get(row.wake_date) ?? []), row]);
  };
  const valuesOf = (day: SleepDay, typeId: number) =>
    (values.get(day.date) ?? []).filter(({ type_id }) => type_id === typeId);
  if (days.length > 0) {
    const dates = days.map((day) => day.date);
    add((await pool.query<NightValueRow>(nightValues([userKey, dates, TYPES, DATED_BY_NIGHT]))).rows);
  }
  const open = days.flatMap((day) => {
    const lender = day.sources[0]?.find((session) => !session.is_nap)?.source_id;
    return TYPES.flatMap((typeId) =>
      lender === undefined || meanOfBest(valuesOf(day, typeId), nightProviders(day)) !== null
        ? []
        : [{ date: day.date, typeId, lender }],
    );
  });
  if (open.length > 0) {
    const asked = [open.map(({ date }) => date), open.map(({ typeId }) => typeId), open.map(({ lender }) => lender)];
    add((await pool.query<NightValueRow>(borrowedNightValues([userKey, ...asked]))).rows);
  }
  const mean = (day: SleepDay, typeId: number) => {
    const found = valuesOf(day, typeId);
    const withNight = nightProviders(day);
    return meanOfBest(found, withNight.length === 0 ? [] : [...withNight, ...byPriority(found, priorities)]);
  };
  return (day) => ({
    avg_heart_rate_bpm: wholeOrNull(mean(day, HEART_RATE)),
    avg_hrv_sdnn_ms: mean(day, SDNN),
    avg_hrv_rmssd_ms: mean(day, RMSSD),
    avg_respiratory_rate: mean(day, RESPIRATION),
    avg_spo2_percent: mean(day, OXYGEN),
  });
}

/** Providers with a night of the day, in the order of their sources. */
function nightProviders({ sources }: SleepDay): string[] {
  return sources.flatMap((sessions) => sessions.find((session) => !session.is_nap)?.provider ?? []);
}

function byPriority(values: readonly NightValueRow[], priorities: Priorities): string[] {
  const rank = (provider: string) => priorities.provider({ provider });
  return values.map(({ provider }) => provider).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** From the first provider that has a value: of the night before of the date. */
function meanOfBest(values: readonly NightValueRow[], providers: readonly string[]): number | null {
  for (const provider of providers) {
    const own = values.filter((value) => value.provider === provider);
    const [night, date] = [own.find(({ is_dated }) => !is_dated), own.find(({ is_dated }) => is_dated)];
    const mean = (night && meanOfNight(night)) ?? (date && meanOfNight(date));
    if (mean !== undefined) return mean;
  }
  return null;
}

/**
 * Readings while asleep, else the provider's own value of the night, else readings from going to bed to getting up. The
 * provider's own variability comes first, as in the recovery of the date: a vendor leaves out readings that it distrusts.
 */
function meanOfNight(value: NightValueRow): number | undefined {
  const asleep = { count: value.asleep_count, sum: value.asleep_sum };
  const given = { count: value.aggregate_count, sum: value.aggregate_sum };
  const window = { count: value.window_count, sum: value.window_sum };
  const isVariability = value.type_id === SDNN || value.type_id === RMSSD;
  const found = (isVariability ? [given, asleep, window] : [asleep, given, window]).find(({ count }) => count > 0);
  return found && found.sum / found.count;
}
