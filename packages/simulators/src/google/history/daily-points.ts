import { MS_PER_HOUR } from '@healthd/model';
import { Random } from '../../random.js';
import type { JsonObject } from '../point-types.js';
import { type KnownPoint, rounded } from './known-point.js';
import type { LifeDay } from './life-day.js';

/** Daily values are published at nine in the morning. */
const PUBLISHED_AFTER_MS = 9 * MS_PER_HOUR;

/** Returns the vendor's daily values. Some days lack some values, as with real users. */
export function dailyPoints({ seed, day, restingHeartRate }: LifeDay): KnownPoint[] {
  const random = new Random(seed, day.number, 'daily');
  const points: KnownPoint[] = [];
  const add = (probability: number, dataType: string, value: JsonObject) => {
    if (!random.chance(probability)) return;
    const knownMs = day.startMs + PUBLISHED_AFTER_MS;
    points.push({ knownMs, point: { dataType, source: 'tracker', date: day.date, value } });
  };
  add(0.85, 'daily-resting-heart-rate', {
    beatsPerMinute: restingHeartRate,
    dailyRestingHeartRateMetadata: { calculationMethod: 'WITH_SLEEP' },
  });
  add(0.7, 'daily-respiratory-rate', { breathsPerMinute: rounded(random.bell(14.6, 0.9), 1) });
  const rmssd = rounded(Math.max(8, random.bell(30 + (seed % 20), 5)), 1);
  add(0.7, 'daily-heart-rate-variability', {
    averageHeartRateVariabilityMilliseconds: rmssd,
    deepSleepRootMeanSquareOfSuccessiveDifferencesMilliseconds: rounded(rmssd * 1.1, 1),
    nonRemHeartRateBeatsPerMinute: restingHeartRate - 2,
  });
  const oxygen = rounded(random.bell(96.2, 0.6), 1);
  add(0.6, 'daily-oxygen-saturation', {
    averagePercentage: oxygen,
    lowerBoundPercentage: rounded(oxygen - 2.4, 1),
    upperBoundPercentage: rounded(Math.min(100, oxygen + 1.8), 1),
  });
  add(0.6, 'daily-sleep-temperature-derivations', {
    nightlyTemperatureCelsius: rounded(random.bell(33.9, 0.4), 2),
    baselineTemperatureCelsius: 33.9,
    relativeNightlyStddev30dCelsius: 0.31,
  });
  add(0.3, 'daily-vo2-max', {
    vo2Max: rounded(random.bell(41, 0.8), 1),
    estimated: random.chance(0.5),
    cardioFitnessLevel: 'GOOD',
  });
  return points;
}
