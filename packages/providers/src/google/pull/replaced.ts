import { dayStartMs, type ReplacementRecord, type SeriesCode, seriesTypeIds } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';
import type { LocalDays } from './local-days.js';
import { WRITER } from './source.js';

/** Minutes; no clock is further from UTC. */
const WIDEST_OFFSET = 18 * 60;

/** All samples of some series that start in a range. */
export function replacedSamples(series: Iterable<SeriesCode>, range: TimeRange): ReplacementRecord {
  return { ...base(range), of: 'samples', typeIds: seriesTypeIds(series) };
}

/**
 * Readings of local days, and the values of the days themselves. The latter are at midnight by the clock of the time
 * at which they were read: someone who has travelled since has another midnight, so they are looked for by their date.
 */
export function replacedDays(
  series: Iterable<SeriesCode>,
  firstDay: number,
  endDay: number,
  days: LocalDays,
): ReplacementRecord[] {
  const typeIds = seriesTypeIds(series);
  const here = { startMs: days.of(firstDay).startMs, endMs: days.of(endDay).startMs };
  const anywhere = { startMs: dayStartMs(firstDay, WIDEST_OFFSET), endMs: dayStartMs(endDay, -WIDEST_OFFSET) };
  return [
    { ...base(here), of: 'samples', typeIds, sampleKinds: ['sample', 'aggregate'] },
    { ...base(anywhere), of: 'samples', typeIds, sampleKinds: ['daily_total'], localDays: { firstDay, endDay } },
  ];
}

/** Sessions that start in a range. */
export function replacedSessions(of: 'sleep_sessions' | 'workouts', range: TimeRange): ReplacementRecord {
  return { ...base(range), of };
}

function base({ startMs, endMs }: TimeRange) {
  return { kind: 'replacement', provider: 'google', writer: WRITER, startMs, endMs } as const;
}
