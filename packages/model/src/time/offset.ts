import { MS_PER_MINUTE } from './units.js';

/** Largest accepted difference between local time and UTC, in minutes (18 hours). */
const MAX_OFFSET_MINUTES = 18 * 60;
/** {@link MAX_OFFSET_MINUTES} in milliseconds. */
export const MAX_OFFSET_MS = MAX_OFFSET_MINUTES * MS_PER_MINUTE;

/** True for whole minutes within ±18 hours. */
export function isOffsetMinutes(minutes: number): boolean {
  return Number.isInteger(minutes) && Math.abs(minutes) <= MAX_OFFSET_MINUTES;
}

/** Formats minutes ahead of UTC as `±HH:MM`; UTC is `+00:00`. */
export function formatOffset(minutes: number): string {
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.trunc(distance / 60))}:${twoDigits(distance % 60)}`;
}

const OFFSET = /^([+-])(\d\d):?([0-5]\d)$/;

/** Parses `Z`, `UTC`, `+0200` or `+02:00` as minutes ahead of UTC; undefined for any other text or beyond ±18 hours. */
export function parseOffset(text: string): number | undefined {
  if (text === 'Z' || text === 'UTC') return 0;
  const match = OFFSET.exec(text);
  if (!match) return undefined;
  const distance = Number(match[2]) * 60 + Number(match[3]);
  if (distance > MAX_OFFSET_MINUTES) return undefined;
  return match[1] === '-' ? 0 - distance : distance;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
