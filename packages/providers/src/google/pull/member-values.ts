import { dayNumber, isOffsetMinutes } from '@healthd/model';
import { isObject, numberOf, type PayloadObject, parseInstant } from '../../payload/index.js';

/** No measurement is this large in any unit. */
const IMPLAUSIBLE = 1e12;
const DURATION = /^-?\d+(\.\d+)?s$/;

/** The number below a dotted path; 64-bit integers come as text. */
export function numberAt(payload: PayloadObject, path: string): number | undefined {
  const number = numberOf(memberAt(payload, path));
  return number !== undefined && Math.abs(number) < IMPLAUSIBLE ? number : undefined;
}

/** The member below a dotted path. */
export function memberAt(payload: PayloadObject, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), payload);
}

/** Objects of a list; what is no object, or no list, is left out. */
export function objectsOf(list: unknown): PayloadObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Milliseconds since 1970 of a time in RFC 3339; NaN for anything else. */
export function instantMs(value: unknown): number {
  return typeof value === 'string' ? (parseInstant(value)?.ms ?? Number.NaN) : Number.NaN;
}

/** Seconds of a duration such as `1920s` or `-0.5s`. */
export function durationSeconds(value: unknown): number | undefined {
  return typeof value === 'string' && DURATION.test(value) ? Number(value.slice(0, -1)) : undefined;
}

/** Minutes ahead of UTC of an offset, which the vendor writes as a duration; undefined when it does not say. */
export function offsetMinutes(value: unknown): number | undefined {
  const seconds = durationSeconds(value);
  const minutes = seconds === undefined ? Number.NaN : Math.round(seconds / 60);
  return isOffsetMinutes(minutes) ? minutes : undefined;
}

/** Day number of a calendar date `{year, month, day}`; undefined when it is none. */
export function dayOfDate(value: unknown): number | undefined {
  if (!isObject(value)) return undefined;
  const part = (name: string, digits: number) => String(numberOf(value[name]) ?? '').padStart(digits, '0');
  return dayNumber(`${part('year', 4)}-${part('month', 2)}-${part('day', 2)}`);
}
