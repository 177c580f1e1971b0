import { type ReplacementRecord, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';
import type { LocalDays } from './local-days.js';
import { WRITER } from './source.js';

const HALF_DAY_MS = 12 * 3_600_000;

/** All samples of some series that start in a range. */
export function replacedSamples(series: Iterable<SeriesCode>, range: TimeRange): ReplacementRecord {
  return { ...base(range), of: 'samples', typeIds: idsOf(series) };
}

/**
 * Readings of local days, and the values of the days themselves. The latter stand at midnight by the clock of the time
 * at which they were read: someone who has travelled since has another midnight, so each is looked for half a day around.
 */
export function replacedDays(
  series: Iterable<SeriesCode>,
  firstDay: number,
  endDay: number,
  days: LocalDays,
): ReplacementRecord[] {
  const typeIds = idsOf(series);
  const startMs = days.of(firstDay).startMs;
  const endMs = days.of(endDay).startMs;
  const around = { startMs: startMs - HALF_DAY_MS, endMs: days.of(endDay - 1).startMs + HALF_DAY_MS };
  return [
    { ...base({ startMs, endMs }), of: 'samples', typeIds, sampleKinds: ['sample', 'aggregate'] },
    { ...base(around), of: 'samples', typeIds, sampleKinds: ['daily_total'] },
  ];
}

/** Sessions that start in a range. */
export function replacedSessions(of: 'sleep_sessions' | 'workouts', range: TimeRange): ReplacementRecord {
  return { ...base(range), of };
}

function base({ startMs, endMs }: TimeRange) {
  return { kind: 'replacement', provider: 'google', writer: WRITER, startMs, endMs } as const;
}

function idsOf(series: Iterable<SeriesCode>): number[] {
  return [...new Set(series)].map((code) => seriesTypeByCode(code).id);
}
