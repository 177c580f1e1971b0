import { MS_PER_HOUR, MS_PER_MINUTE, SECONDS_PER_HOUR } from '@healthd/model';
import { Random } from '../../random.js';
import type { SourceKey } from '../point-types.js';
import { iso, type KnownPoint, rounded } from './known-point.js';
import type { LifeDay } from './life-day.js';

/** Returns measurements and manual entries: weight, temperature, glucose, water, height, and VO2 max after runs. */
export function bodyPoints({ seed, day, night, workout }: LifeDay): KnownPoint[] {
  const random = new Random(seed, day.number, 'body');
  const points: KnownPoint[] = [];
  const add = (dataType: string, source: SourceKey, atMs: number, value: KnownPoint['point']['value']) =>
    points.push({ knownMs: atMs + 5 * MS_PER_MINUTE, point: { dataType, source, startTime: iso(atMs), value } });
  const at = (hour: number) => day.startMs + Math.round(random.between(hour, hour + 1) * SECONDS_PER_HOUR) * 1000;

  const grams = 64_000 + (seed % 30) * 800 + 900 * Math.sin(day.number / 40) + random.bell(0, 350);
  const upMs = night.endMs + random.integer(8, 25) * MS_PER_MINUTE;
  if (random.chance(0.5)) {
    add('weight', 'scale', upMs, rounded(grams, 1));
    add('body-fat', 'scale', upMs, rounded(random.bell(24, 0.7), 1));
  }
  if (random.chance(0.1)) add('weight', 'manual', upMs + 90 * MS_PER_MINUTE, Math.round(grams / 100) * 100);
  if (day.number % 7 === seed % 7) add('height', 'manual', at(12), 1600 + (seed % 35) * 10);
  if (random.chance(0.15))
    add('core-body-temperature', 'manual', at(8), {
      temperatureCelsius: rounded(random.bell(36.7, 0.3), 1),
      measurementLocation: 'EAR',
    });
  if (random.chance(0.2)) {
    for (const hour of [7, 13]) {
      const value = {
        bloodGlucoseMilligramsPerDeciliter: rounded(random.bell(hour === 7 ? 91 : 112, 9), 0),
        mealType: hour === 7 ? 'BREAKFAST' : 'LUNCH',
      };
      add('blood-glucose', 'journal', at(hour), value);
    }
  }
  if (workout?.type === 'RUNNING') add('run-vo2-max', 'watch', workout.endMs, rounded(random.bell(42, 0.9), 1));
  if (random.chance(0.04))
    add('vo2-max', 'manual', at(18), { vo2Max: rounded(random.bell(41, 0.5), 1), measurementMethod: 'METABOLIC_CART' });
  return [...points, ...drinks(seed, day.number, day.startMs)];
}

function drinks(seed: number, dayNumber: number, dayStartMs: number): KnownPoint[] {
  const random = new Random(seed, dayNumber, 'drinks');
  return Array.from({ length: random.integer(1, 4) }, (_, n) => {
    const startMs = dayStartMs + (9 + 3 * n) * MS_PER_HOUR + random.integer(0, 100) * MS_PER_MINUTE;
    const endMs = startMs + MS_PER_MINUTE;
    const value = { amountConsumed: { milliliters: 50 * random.integer(3, 10), userProvidedUnit: 'MILLILITER' } };
    const point = {
      dataType: 'hydration-log',
      source: 'manual',
      startTime: iso(startMs),
      endTime: iso(endMs),
      value,
    } as const;
    return { knownMs: endMs + 5 * MS_PER_MINUTE, point };
  });
}
