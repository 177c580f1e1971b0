import type { HealthScoreRecord } from '@healthd/model';
import { numberOf, type PayloadObject } from '../../payload/index.js';

/** A member by its name with underscores; the vendor writes some of them with hyphens. */
export function memberOf(object: PayloadObject, name: string): unknown {
  return object[name] ?? object[name.replaceAll('_', '-')];
}

/** A number that is more than 0; the vendor writes 0 or less where there is no value. */
export function positive(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number > 0 ? number : undefined;
}

/** A number that is not negative: the vendor writes a negative one where there is no value. */
export function notNegative(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

type Components = NonNullable<HealthScoreRecord['components']>;

/** Members of an object that are numbers as components of a score, under their own names. */
export function componentsOf(
  object: PayloadObject,
  names: readonly string[],
  read: (value: unknown) => number | undefined = numberOf,
): Components {
  const components: Components = {};
  for (const name of names) {
    const value = read(memberOf(object, name));
    if (value !== undefined) components[name] = { value, qualifier: null };
  }
  return components;
}

/** What comes after a prefix of an enumeration, as people read it: `CLEARLY_RECOGNIZABLE` as `clearly recognizable`. */
export function wordOf(value: unknown, prefix: string): string | undefined {
  if (typeof value !== 'string' || !value.startsWith(prefix)) return undefined;
  const word = value.slice(prefix.length).toLowerCase().replaceAll('_', ' ');
  return word === '' || word === 'unknown' ? undefined : word;
}
