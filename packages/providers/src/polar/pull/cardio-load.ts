import { dayNumber, type HealthRecord } from '@healthd/model';
import { z } from 'zod';
import type { Tally } from '../../cloud/index.js';
import { isObject, readPayload } from '../../payload/index.js';
import { aroundDay, POLAR_SOURCE, replacedScore } from './source.js';
import { componentsOf, notNegative } from './values.js';
import { midnightOf, type WallClock } from './wall-clock.js';

/** A day's load. Requires `date`. A negative number means that there is no value. */
const LOAD = z.object({
  cardio_load: z.number(),
  cardio_load_status: z.string(),
  strain: z.number(),
  tolerance: z.number(),
  cardio_load_ratio: z.number(),
  /** Lower limit of each load level. */
  cardio_load_level: z.object({
    very_low: z.number(),
    low: z.number(),
    medium: z.number(),
    high: z.number(),
    very_high: z.number(),
  }),
});

/** Status of a day without a load. */
const NOT_AVAILABLE = 'LOAD_STATUS_NOT_AVAILABLE';
const COMPONENTS = ['strain', 'tolerance', 'cardio_load_ratio'] as const;
const LEVELS = ['very_low', 'low', 'medium', 'high', 'very_high'] as const;

/** Returns the scores of days. Deletes the stored score of a day whose load was removed. */
export function cardioLoadRecords(days: readonly unknown[], clock: WallClock, tally: Tally): HealthRecord[] {
  return days.flatMap((one): HealthRecord[] => {
    const index = tally.next();
    const date = isObject(one) && typeof one.date === 'string' ? one.date : '';
    const day = dayNumber(date);
    if (!isObject(one) || day === undefined) {
      tally.reject(index, 'date', 'invalid_date');
      return [];
    }
    const externalId = `cardio-load/${date}`;
    const load = readPayload(LOAD, one, tally.fault);
    const replaced = replacedScore(externalId, aroundDay(day));
    const value = load.cardio_load_status === NOT_AVAILABLE ? undefined : notNegative(load.cardio_load);
    if (value === undefined) {
      tally.noValue++;
      return [replaced];
    }
    const { startMs: atMs, offsetMinutes } = midnightOf(day, clock);
    const levels = componentsOf(load.cardio_load_level ?? {}, LEVELS, notNegative);
    const components = {
      ...componentsOf(load, COMPONENTS, notNegative),
      ...Object.fromEntries(Object.entries(levels).map(([name, level]) => [`level_${name}`, level])),
    };
    const at = { atMs, offsetMinutes };
    return [
      replaced,
      { kind: 'health_score', source: POLAR_SOURCE, externalId, category: 'strain', value, ...at, components },
    ];
  });
}
