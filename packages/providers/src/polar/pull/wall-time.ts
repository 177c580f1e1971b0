import { MS_PER_DAY, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { isObject } from '../../payload/index.js';
import { instantMs } from '../../rest/index.js';

const WALL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?/;

/** What a wall clock showed, read as if it were UTC; NaN for anything else. An offset at the end is not looked at. */
export function wallMsOf(time: unknown): number {
  return typeof time === 'string' ? instantMs(WALL_TIME.exec(time)?.[0]) : Number.NaN;
}

/** The instant at which the wall clock of an offset showed this. */
export function instantOfWall(wallMs: number, offsetMinutes: number): number {
  return wallMs - offsetMinutes * MS_PER_MINUTE;
}

const TIME_OF_DAY = /^(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/;

/** Milliseconds since midnight of `HH:MM` or `HH:MM:SS`; NaN for anything else. */
export function timeOfDayMs(time: unknown): number {
  const [, hours, minutes, seconds = '0'] = typeof time === 'string' ? (TIME_OF_DAY.exec(time) ?? []) : [];
  const ms = (Number(hours) * 60 + Number(minutes)) * MS_PER_MINUTE + Number(seconds) * MS_PER_SECOND;
  return ms < MS_PER_DAY && Number(minutes) < 60 && Number(seconds) < 60 ? ms : Number.NaN;
}

/**
 * What a map by times of day says, in the order of time: each time is the first one after `fromWallMs`, so that a night goes on
 * beyond midnight.
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
 * Counts entries of a map by times of day that cannot be understood. Null is an entry without a value.
 * @param isKnown true if an entry's value can be read
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

/** The minute in which a wall clock stands. */
export function wallMinute(wallMs: number): number {
  return Math.floor(wallMs / MS_PER_MINUTE) * MS_PER_MINUTE;
}
