import type { SampleRecord, SeriesCode } from '@healthd/model';
import { numberOf, type PayloadObject } from '../../payload/index.js';
import type { PlacedSleep } from './placed-sleep.js';
import { positive, typeIdOf } from './series.js';
import { SUUNTO_SOURCE } from './source.js';

/** What is measured of a whole night: the lowest heart rate and the mean variability (RMSSD). */
const VALUES: readonly (readonly [SeriesCode, (data: PayloadObject) => number | undefined])[] = [
  ['resting_heart_rate', (data) => positive(numberOf(data.HRMin))],
  ['heart_rate_variability_rmssd', (data) => positive(numberOf(data.AvgHRV))],
];

/** Earlier versions of the service stored the highest saturation of a night as its mean. */
export const NIGHT_TYPE_IDS = [...VALUES.map(([code]) => code), 'oxygen_saturation' as const].map(typeIdOf);

/** The values of a night, at its end; a nap has none. */
export function nightSamples({ id, endMs, offsetMinutes, data }: PlacedSleep): SampleRecord[] {
  if (data.IsNap === true) return [];
  return VALUES.flatMap(([code, valueIn]): SampleRecord[] => {
    const value = valueIn(data);
    if (value === undefined) return [];
    const at = { startMs: endMs, offsetMinutes, externalId: id };
    return [{ kind: 'sample', sampleKind: 'aggregate', source: SUUNTO_SOURCE, typeId: typeIdOf(code), ...at, value }];
  });
}
