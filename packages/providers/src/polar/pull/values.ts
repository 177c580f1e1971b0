import { type HealthScoreRecord, SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from '@healthd/model';
import { z } from 'zod';
import { isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { instantMs } from '../../rest/index.js';

const ISO_DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** A duration in ISO 8601, such as `PT4H6M30.5S`. */
export const DURATION = z.string().regex(ISO_DURATION);

/** An ISO 8601 time. Without an offset it is UTC. */
export const INSTANT = z.string().refine((text) => !Number.isNaN(instantMs(text)));

/** Values by time of day: `HH:MM`. */
export const BY_TIME_OF_DAY = z.custom<PayloadObject>(isObject);

/** Returns the seconds of an ISO 8601 duration; undefined for anything else. */
export function secondsOfDuration(value: unknown): number | undefined {
  const match = typeof value === 'string' ? ISO_DURATION.exec(value) : null;
  const parts = match?.slice(1);
  if (!parts?.some((part) => part !== undefined)) return undefined;
  const [days, hours, minutes, seconds] = parts.map((part) => Number(part ?? 0)) as [number, number, number, number];
  return days * SECONDS_PER_DAY + hours * SECONDS_PER_HOUR + minutes * SECONDS_PER_MINUTE + seconds;
}

/** Returns a positive number. The vendor writes 0 or less if there is no value. */
export function positive(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number > 0 ? number : undefined;
}

/** Returns a nonnegative number. The vendor writes a negative number if there is no value. */
export function notNegative(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

type Components = NonNullable<HealthScoreRecord['components']>;

/** Returns the numeric fields of an object as score components, under their own names. */
export function componentsOf<Name extends string>(
  object: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
  read: (value: unknown) => number | undefined = numberOf,
): Components {
  const components: Components = {};
  for (const name of names) {
    const value = read(object[name]);
    if (value !== undefined) components[name] = { value, qualifier: null };
  }
  return components;
}

/** Converts an enum value to plain text without its prefix: `CLEARLY_RECOGNIZABLE` becomes `clearly recognizable`. */
export function wordOf(value: unknown, prefix: string): string | undefined {
  if (typeof value !== 'string' || !value.startsWith(prefix)) return undefined;
  const word = value.slice(prefix.length).toLowerCase().replaceAll('_', ' ');
  return word === '' || word === 'unknown' ? undefined : word;
}
