import { dayStartMs, type ReplacementRecord, type SeriesCode, seriesTypeIds } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';
import type { LocalDays } from './local-days.js';
import { WRITER } from './source.js';

/** Maximum UTC offset in minutes. */
const WIDEST_OFFSET = 18 * 60;

/** Replaces all samples of some series that start in a range. */
export function replacedSamples(series: Iterable<SeriesCode>, range: TimeRange): ReplacementRecord {
  return { ...base(range), of: 'samples', typeIds: seriesTypeIds(series) };
}

/**
 * Replaces readings of local days, and daily values. Finds daily values by date, because their midnight has the offset
 * of the earlier read, and the user may have traveled since.
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

/** Replaces sessions that start in a range. */
export function replacedSessions(of: 'sleep_sessions' | 'workouts', range: TimeRange): ReplacementRecord {
  return { ...base(range), of };
}

function base({ startMs, endMs }: TimeRange) {
  return { kind: 'replacement', provider: 'google', writer: WRITER, startMs, endMs } as const;
}
