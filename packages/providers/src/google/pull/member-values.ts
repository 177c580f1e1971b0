import { dayNumber, isOffsetMinutes } from '@healthd/model';
import { isObject, numberOf, type PayloadObject, parseInstant } from '../../payload/index.js';

/** Upper bound of any measurement in any unit. */
const IMPLAUSIBLE = 1e12;
const DURATION = /^-?\d+(\.\d+)?s$/;

/** Returns the number at a dotted path. 64-bit integers arrive as text. */
export function numberAt(payload: PayloadObject, path: string): number | undefined {
  const number = numberOf(memberAt(payload, path));
  return number !== undefined && Math.abs(number) < IMPLAUSIBLE ? number : undefined;
}

/** Returns the member at a dotted path. */
export function memberAt(payload: PayloadObject, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), payload);
}

/** Returns the objects in a list and skips other values. Returns an empty list for anything else. */
export function objectsOf(list: unknown): PayloadObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Parses an RFC 3339 time to milliseconds since 1970; NaN if invalid. */
export function instantMs(value: unknown): number {
  return typeof value === 'string' ? (parseInstant(value)?.ms ?? Number.NaN) : Number.NaN;
}

/** Parses a duration such as `1920s` or `-0.5s` to seconds. */
export function durationSeconds(value: unknown): number | undefined {
  return typeof value === 'string' && DURATION.test(value) ? Number(value.slice(0, -1)) : undefined;
}

/** Parses an offset, which the vendor writes as a duration, to minutes; undefined if missing. */
export function offsetMinutes(value: unknown): number | undefined {
  const seconds = durationSeconds(value);
  const minutes = seconds === undefined ? Number.NaN : Math.round(seconds / 60);
  return isOffsetMinutes(minutes) ? minutes : undefined;
}

/** Returns the day number of a calendar date `{year, month, day}`; undefined if invalid. */
export function dayOfDate(value: unknown): number | undefined {
  if (!isObject(value)) return undefined;
  const part = (name: string, digits: number) => String(numberOf(value[name]) ?? '').padStart(digits, '0');
  return dayNumber(`${part('year', 4)}-${part('month', 2)}-${part('day', 2)}`);
}
