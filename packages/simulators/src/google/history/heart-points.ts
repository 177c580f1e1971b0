import { MS_PER_MINUTE } from '@healthd/model';
import { Random } from '../../random.js';
import type { Density } from './densities.js';
import { atQuarter, iso, type KnownPoint, rounded } from './known-point.js';
import type { LifeDay } from './life-day.js';

/** Returns heart rates of the whole day, and variability and oxygen during sleep. */
export function heartPoints(life: LifeDay, density: Density): KnownPoint[] {
  return [...heartRates(life, density), ...workoutHeartRates(life, density), ...sleepSamples(life, density)];
}

function heartRates({ seed, day, night, bouts, workout, restingHeartRate }: LifeDay, density: Density): KnownPoint[] {
  const random = new Random(seed, day.number, 'heart');
  const points: KnownPoint[] = [];
  for (let at = day.startMs + 7000; at < day.endMs; at += density.heartRateMs) {
    const asleep = at < night.endMs;
    const walking = bouts.some(({ startMs, minutes }) => at >= startMs && at < startMs + minutes * MS_PER_MINUTE);
    const level = asleep ? restingHeartRate - 4 : walking ? restingHeartRate + 38 : restingHeartRate + 14;
    const bpm = Math.round(level + random.bell(0, asleep ? 3 : 7));
    if (workout && at >= workout.startMs && at < workout.endMs) continue;
    points.push(
      sample('heart-rate', at, { beatsPerMinute: bpm, metadata: { motionContext: walking ? 'ACTIVE' : 'SEDENTARY' } }),
    );
  }
  return points;
}

function workoutHeartRates({ seed, day, workout }: LifeDay, density: Density): KnownPoint[] {
  if (!workout) return [];
  const random = new Random(seed, day.number, 'workout heart');
  const points: KnownPoint[] = [];
  for (let at = workout.startMs; at < workout.endMs; at += density.workoutHeartRateMs) {
    const warm = Math.min(1, (at - workout.startMs) / 360_000);
    const beatsPerMinute = Math.round(workout.heartRate * (0.76 + 0.24 * warm) + random.bell(0, 5));
    points.push(sample('heart-rate', at, { beatsPerMinute, metadata: { motionContext: 'ACTIVE' } }));
  }
  return points;
}

function sleepSamples({ seed, day, night }: LifeDay, density: Density): KnownPoint[] {
  const random = new Random(seed, day.number, 'sleep samples');
  const points: KnownPoint[] = [];
  const typicalRmssd = 30 + (seed % 20);
  for (let at = night.startMs + 900_000; at < night.endMs; at += density.sleepSampleMs) {
    const rmssd = rounded(Math.max(8, random.bell(typicalRmssd, 9)), 1);
    points.push(
      sample('heart-rate-variability', at, {
        rootMeanSquareOfSuccessiveDifferencesMilliseconds: rmssd,
        standardDeviationMilliseconds: rounded(rmssd * random.between(1.05, 1.25), 1),
      }),
      sample('oxygen-saturation', at + 30_000, { percentage: rounded(Math.min(100, random.bell(96.4, 1)), 1) }),
    );
  }
  return points;
}

function sample(dataType: string, atMs: number, value: KnownPoint['point']['value']): KnownPoint {
  return { knownMs: atQuarter(atMs + 1), point: { dataType, source: 'tracker', startTime: iso(atMs), value } };
}
