import { dayNumber, type HealthRecord } from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';
import { countUnreadable, membersOf } from '../../rest/index.js';
import { aroundDay, POLAR_SOURCE, replacedScore } from './source.js';
import { componentsOf, notNegative } from './values.js';
import { midnightOf, type WallClock } from './wall-clock.js';

/** What the vendor writes for days without a load. */
const NOT_AVAILABLE = 'LOAD_STATUS_NOT_AVAILABLE';
const COMPONENTS = ['strain', 'tolerance', 'cardio_load_ratio'];
const LEVELS = ['very_low', 'low', 'medium', 'high', 'very_high'];
const MEMBERS = {
  ...membersOf('number', ['cardio_load', ...COMPONENTS, ...LEVELS.map((level) => `cardio_load_level.${level}`)]),
  cardio_load_status: 'text',
  cardio_load_level: 'object',
} as const;

/** The load of days. A day that lost its load loses the score that is stored. */
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
    countUnreadable(one, MEMBERS, tally.fault);
    const replaced = replacedScore(externalId, aroundDay(day));
    const value = one.cardio_load_status === NOT_AVAILABLE ? undefined : notNegative(one.cardio_load);
    if (value === undefined) {
      tally.noValue++;
      return [replaced];
    }
    const { startMs: atMs, offsetMinutes } = midnightOf(day, clock);
    const levels = isObject(one.cardio_load_level) ? one.cardio_load_level : {};
    const components = {
      ...componentsOf(one, COMPONENTS, notNegative),
      ...Object.fromEntries(
        Object.entries(componentsOf(levels, LEVELS, notNegative)).map(([name, level]) => [`level_${name}`, level]),
      ),
    };
    const at = { atMs, offsetMinutes };
    return [
      replaced,
      { kind: 'health_score', source: POLAR_SOURCE, externalId, category: 'strain', value, ...at, components },
    ];
  });
}
