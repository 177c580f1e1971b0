import { dayNumber, round, SAMPLE_KIND_CODE } from '@healthd/model';
import type { DateOrInstant, Envelope, RecoverySummary } from '@healthd/schemas';
import type pg from 'pg';
import { sampleKind, statement } from '../../platform/database/index.js';
import { type DayBounds, dayBounds, daysAfter } from '../bounds.js';
import { Cursors, pageEnvelope, pageOfAll } from '../page.js';
import { tenths, wholeOrNull } from '../presentation.js';
import { type SummarySource, sourceOrNull } from '../sources.js';
import { countedOnce } from './counted-once.js';
import { efficiency } from './night.js';
import { FIGURE_TYPES, figure, type NightFigures, readNightFigures, scoreOf } from './night-figures.js';
import { type Nights, readNights } from './night-sessions.js';
import { netSeconds } from './session-seconds.js';

export interface RecoveryParams {
  start: DateOrInstant;
  end: DateOrInstant;
  cursor?: string;
  limit: number;
}

/**
 * Reads one row per date of waking, computed from stored series. Each group of figures has one source. Sleep, HRV and
 * oxygen saturation equal the sleep summary. For a range longer than a page, first determines the dates that have a
 * row. If resting heart rates prove most of them, reads full evidence only for the uncertain dates and for the page.
 */
export async function readRecovery(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  params: RecoveryParams,
): Promise<Envelope<RecoverySummary>> {
  const { start, end, limit } = params;
  const bounds = dayBounds({ start, end, endName: 'end_date' });
  const cursors = new Cursors(['date'], { route: 'recovery', userKey, filters: [] });
  const position = cursors.decode(params.cursor);
  const priorities = await store.current();
  const read = async (range: DayBounds): Promise<Recoveries> => {
    const nights = await readNights(pool, userKey, range, priorities);
    const all = await readNightFigures(pool, userKey, { nights, ...range, priorities, of: 'recovery' });
    return { nights, found: all.filter(hasRecovery) };
  };
  const dates = daysOf(bounds) > limit ? await recoveryDates(pool, userKey, bounds, read) : undefined;
  if (!dates) {
    const { nights, found } = await read(bounds);
    const page = pageOfAll(found, limit, position, cursors, ({ date }) => [date]);
    return pageEnvelope(page, (figures) => recoverySummary(figures, nights), { start, end, totalCount: found.length });
  }
  const page = pageOfAll(dates, limit, position, cursors, (date) => [date]);
  const [first, last] = [page.rows[0], page.rows.at(-1)];
  const { nights, found } = first && last ? await read(rangeOf(first, last)) : { nights: undefined, found: [] };
  // Omits other dates, because data may have arrived since the dates were read.
  const shown = new Set(page.rows);
  const rows = nights
    ? found.filter(({ date }) => shown.has(date)).map((figures) => recoverySummary(figures, nights))
    : [];
  return pageEnvelope({ ...page, rows }, (row) => row, { start, end, totalCount: dates.length });
}

interface Recoveries {
  nights: Nights;
  /** Dates that have a row, in order. */
  found: NightFigures[];
}

/**
 * Reads dates that have a row regardless of their nights, because a valid resting heart rate is stamped with the date
 * itself.
 * Parameters: user, from, before.
 */
const certainDates = statement(
  'recovery_certain_dates',
  `select string_agg(date::text, ',' order by date) as dates from (
     select distinct (h.start_at at time zone 'UTC' + coalesce(h.offset_minutes, 0) * interval '1 minute')::date as date
     from sample h
     where h.user_key = $1 and h.type_id = ${FIGURE_TYPES.RESTING} and h.value between 20 and 150
       and h.start_at >= $2::date - 1 and h.start_at < $3::date + 1
       and (date_trunc('day', h.start_at at time zone 'UTC' + coalesce(h.offset_minutes, 0) * interval '1 minute')
           = h.start_at at time zone 'UTC' + coalesce(h.offset_minutes, 0) * interval '1 minute'
         or ${sampleKind('h.')} = ${SAMPLE_KIND_CODE.daily_total} and h.offset_minutes is not null)
   ) stamped
   where date >= $2::date and date < $3::date`,
);

/** Maximum number of stretches that are read separately. With more stretches, reading the whole range is cheaper. */
const MAX_STRETCHES = 3;

/**
 * Returns the dates of a range that have a row, without reading the evidence of dates that certainly have a row.
 * Undefined if too many dates or stretches are uncertain, so that reading the whole range is cheaper.
 */
async function recoveryDates(
  pool: pg.Pool,
  userKey: number,
  bounds: DayBounds,
  read: (range: DayBounds) => Promise<Recoveries>,
): Promise<string[] | undefined> {
  const { rows } = await pool.query<{ dates: string | null }>(
    certainDates([userKey, bounds.fromDate, bounds.beforeDate]),
  );
  const certain = rows[0]?.dates?.split(',') ?? [];
  const stretches = stretchesBetween(certain, bounds);
  const uncertainDays = stretches.reduce((sum, stretch) => sum + daysOf(stretch), 0);
  if (stretches.length > MAX_STRETCHES || uncertainDays > daysOf(bounds) / 3) return undefined;
  const results = await Promise.all(stretches.map(read));
  return [...certain, ...results.flatMap(({ found }) => found.map(({ date }) => date))].sort();
}

/** Returns the stretches of a range that do not contain any of the dates. The dates are in order. */
function stretchesBetween(dates: readonly string[], { fromDate, beforeDate }: DayBounds): DayBounds[] {
  const stretches: DayBounds[] = [];
  let next = fromDate;
  for (const date of [...dates, beforeDate]) {
    if (next < date) stretches.push({ fromDate: next, beforeDate: date });
    next = daysAfter(date, 1);
  }
  return stretches;
}

function daysOf({ fromDate, beforeDate }: DayBounds): number {
  return (dayNumber(beforeDate) ?? 0) - (dayNumber(fromDate) ?? 0);
}

function rangeOf(firstDate: string, lastDate: string): DayBounds {
  return { fromDate: firstDate, beforeDate: daysAfter(lastDate, 1) };
}

const { SDNN, RMSSD, OXYGEN, RESTING } = FIGURE_TYPES;

/** True if a date has a row. Sleep alone is not enough. */
export function hasRecovery({ groups }: NightFigures): boolean {
  const { resting_heart_rate: resting, hrv, oxygen_saturation: oxygen, score } = groups;
  return [resting, hrv, oxygen, score].some(({ winner }) => winner !== undefined);
}

/** Returns the row of one date. */
export function recoverySummary(figures: NightFigures, { sources }: Nights): RecoverySummary {
  const { date, day, groups } = figures;
  const sourceOf = (sourceId: number | undefined) =>
    sourceOrNull(sourceId === undefined ? undefined : sources.get(sourceId));
  const sleep = day?.sleep.winner;
  const counted = countedOnce(sleep?.sessions ?? []);
  const asleep = counted.map(netSeconds).filter((seconds) => seconds !== null);
  const named = {
    sleep: sourceOf(sleep?.sourceId),
    hrv: sourceOf(groups.hrv.winner?.sourceId),
    oxygen_saturation: sourceOf(groups.oxygen_saturation.winner?.sourceId),
    resting_heart_rate: sourceOf(groups.resting_heart_rate.winner?.sourceId),
    score: sourceOf(groups.score.winner?.sourceId),
  };
  const lead = named.sleep ?? named.hrv ?? named.oxygen_saturation ?? named.resting_heart_rate ?? named.score;
  if (!lead) throw new Error(`no source of the recovery on ${date}`);
  return {
    date,
    source: lead,
    sources: named,
    sleep_duration_seconds: asleep.length === 0 ? null : round(asleep.reduce((sum, seconds) => sum + seconds, 0)),
    sleep_efficiency_percent: tenths(efficiency(counted)),
    resting_heart_rate_bpm: wholeOrNull(figure(figures, 'resting_heart_rate', RESTING)),
    avg_hrv_sdnn_ms: tenths(figure(figures, 'hrv', SDNN)),
    avg_hrv_rmssd_ms: tenths(figure(figures, 'hrv', RMSSD)),
    avg_spo2_percent: tenths(figure(figures, 'oxygen_saturation', OXYGEN)),
    recovery_score: scoreOf(figures),
  };
}
