import { MS_PER_DAY, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { isObject } from '../../payload/index.js';
import { instantMs } from '../../rest/index.js';

const WALL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?/;

/** Returns a wall-clock time, read as UTC; NaN for anything else. Ignores an offset at the end. */
export function wallMsOf(time: unknown): number {
  return typeof time === 'string' ? instantMs(WALL_TIME.exec(time)?.[0]) : Number.NaN;
}

/** Returns the instant of a wall-clock time at an offset. */
export function instantOfWall(wallMs: number, offsetMinutes: number): number {
  return wallMs - offsetMinutes * MS_PER_MINUTE;
}

const TIME_OF_DAY = /^(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/;

/** Returns the milliseconds since midnight of `HH:MM` or `HH:MM:SS`; NaN for anything else. */
export function timeOfDayMs(time: unknown): number {
  const [, hours, minutes, seconds = '0'] = typeof time === 'string' ? (TIME_OF_DAY.exec(time) ?? []) : [];
  const ms = (Number(hours) * 60 + Number(minutes)) * MS_PER_MINUTE + Number(seconds) * MS_PER_SECOND;
  return ms < MS_PER_DAY && Number(minutes) < 60 && Number(seconds) < 60 ? ms : Number.NaN;
}

/**
 * Returns the entries of a time-of-day map in chronological order. Each entry gets the first matching time at or after
 * `fromWallMs`, so entries continue past midnight.
 */
export function byTimeOfDay(map: unknown, fromWallMs: number): { wallMs: number; value: unknown }[] {
  const midnightMs = Math.floor(fromWallMs / MS_PER_DAY) * MS_PER_DAY;
  return Object.entries(isObject(map) ? map : {})
    .flatMap(([time, value]) => {
      const wallMs = midnightMs + timeOfDayMs(time);
      if (Number.isNaN(wallMs)) return [];
      return [{ wallMs: wallMs < fromWallMs ? wallMs + MS_PER_DAY : wallMs, value }];
    })
    .sort((a, b) => a.wallMs - b.wallMs);
}

/**
 * Counts unreadable entries of a map by time of day. A null value is readable.
 * @param isKnown true if an entry's value is readable
 */
export function countUnreadableEntries(
  map: unknown,
  field: string,
  isKnown: (value: unknown) => boolean,
  count: (field: string) => void,
): void {
  for (const [time, value] of Object.entries(isObject(map) ? map : {})) {
    if (Number.isNaN(timeOfDayMs(time)) || (value !== null && !isKnown(value))) count(field);
  }
}

/** Returns the start of the minute. */
export function wallMinute(wallMs: number): number {
  return Math.floor(wallMs / MS_PER_MINUTE) * MS_PER_MINUTE;
}
