import type { SeriesCode, SourceIdentity } from '@healthd/model';
import { dayStartMs, MS_PER_HOUR } from '@healthd/model';

const WRITER = 'ultrahuman_api';
/** No clock is further from UTC. */
const WIDEST_MS = 18 * MS_PER_HOUR;

/** The answer does not say which ring it was. */
export const RING: SourceIdentity = { provider: 'ultrahuman', writer: WRITER, deviceType: 'ring' };
/** The sensor of glucose, which is another device. */
const SENSOR: SourceIdentity = { provider: 'ultrahuman', writer: `${WRITER}/cgm`, deviceType: 'other' };

export function sourceOf(series: SeriesCode): SourceIdentity {
  return series === 'blood_glucose' ? SENSOR : RING;
}

/** What every replacement has: instants of a day on any clock. */
export function replacedAround(day: number) {
  const range = { startMs: dayStartMs(day) - WIDEST_MS, endMs: dayStartMs(day + 1) + WIDEST_MS };
  return { kind: 'replacement', provider: 'ultrahuman', writer: WRITER, ...range } as const;
}
