import { round } from '@healthd/model';
import type { DateOrInstant, Envelope, RecoverySummary } from '@healthd/schemas';
import { dayBounds } from '../bounds.js';
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
 * oxygen saturation equal the sleep summary.
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
  const nights = await readNights(pool, userKey, bounds, priorities);
  const all = await readNightFigures(pool, userKey, { nights, ...bounds, priorities, of: 'recovery' });
  const found = all.filter(hasRecovery);
  const page = pageOfAll(found, limit, position, cursors, ({ date }) => [date]);
  return pageEnvelope(page, (figures) => recoverySummary(figures, nights), { start, end, totalCount: found.length });
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
