import type { SeriesCode, SourceIdentity } from '@healthd/model';
import { dayStartMs, MS_PER_HOUR } from '@healthd/model';

const WRITER = 'ultrahuman_api';
/** Largest difference between local time and UTC. */
const WIDEST_MS = 18 * MS_PER_HOUR;

/** The response does not identify the ring. */
export const RING: SourceIdentity = { provider: 'ultrahuman', writer: WRITER, deviceType: 'ring' };
/** The glucose sensor, which is a separate device. */
const SENSOR: SourceIdentity = { provider: 'ultrahuman', writer: `${WRITER}/cgm`, deviceType: 'other' };

export function sourceOf(series: SeriesCode): SourceIdentity {
  return series === 'blood_glucose' ? SENSOR : RING;
}

/** Returns the common members of all replacements: instants of a day in any zone. */
export function replacedAround(day: number) {
  const range = { startMs: dayStartMs(day) - WIDEST_MS, endMs: dayStartMs(day + 1) + WIDEST_MS };
  return { kind: 'replacement', provider: 'ultrahuman', writer: WRITER, ...range } as const;
}
