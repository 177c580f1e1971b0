import {
  brokenLength,
  dayStartMs,
  isOffsetMinutes,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  SLEEP_LENGTH,
  ZoneOffsets,
} from '@healthd/model';
import { type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject, numberOf } from '../../payload/index.js';
import { instantMs, offsetOfTime, requireAtMost } from '../../rest/index.js';
import { listExercises, MAX_NIGHTS, requestUser } from './requests.js';
import { wallMsOf } from './wall-time.js';

/** Clock changes happen at quarters of an hour. */
const STEP_MS = 15 * MS_PER_MINUTE;
const zones = new ZoneOffsets();

/**
 * Maximum number of nights per list that are searched for a clock change. The vendor lists four weeks, with one or two
 * changes at most.
 */
const MAX_SEARCHES = 20;

/**
 * Finds clock changes within the nights of one list. Each search checks every time zone, so the number of searches is
 * limited.
 */
export class ClockChanges {
  private left = MAX_SEARCHES;

  /**
   * Returns the instant of a clock change within a night whose two offsets are known, in milliseconds. Uses the rules
   * of a time zone that had both offsets. Returns undefined if no time zone matches, because the user traveled, or if
   * the search limit is reached.
   */
  find({ startMs, endMs }: TimeRange, before: number, after: number): number | undefined {
    if (this.left === 0) return undefined;
    this.left--;
    const zone = Intl.supportedValuesOf('timeZone').find(
      (name) => zones.at(name, startMs) === before && zones.at(name, endMs) === after,
    );
    if (zone === undefined) return undefined;
    let atMs = Math.ceil(startMs / STEP_MS) * STEP_MS;
    while (atMs < endMs && zones.at(zone, atMs) === before) atMs += STEP_MS;
    return atMs;
  }
}

/**
 * Returns the minutes ahead of UTC in a zone at a wall-clock time.
 * @param wallMs wall-clock time, read as UTC
 */
function offsetInZone(zone: string | undefined, wallMs: number): number | undefined {
  if (zone === undefined) return undefined;
  const near = zones.at(zone, wallMs);
  return near === undefined ? undefined : zones.at(zone, wallMs - near * MS_PER_MINUTE);
}

/** The user's clock. Most of the vendor's times are wall-clock times without an offset. */
export interface WallClock {
  /**
   * Returns minutes ahead of UTC; undefined if unknown.
   * @param wallMs wall-clock time, read as UTC
   */
  offsetAt(wallMs: number): number | undefined;
  /** Returns the night of a date, if any. */
  nightOf(date: string): WallNight | undefined;
}

/** A clock without nights. */
export type OffsetClock = Pick<WallClock, 'offsetAt'>;

interface WallNight extends TimeRange {
  offsetMinutes: number;
  clock: OffsetClock;
  /** Start and end on the wall clock. */
  fromWallMs: number;
  toWallMs: number;
}

/** Maximum distance at which a night's or an exercise's offset has priority over the user's time zone. */
const EVIDENCE_MS = 36 * MS_PER_HOUR;

interface KnownOffset {
  wallMs: number;
  offset: number;
}

/**
 * Reads the user's clock from the offsets of nights, or of exercises if there are no nights. Uses the nearest offset
 * within 36 hours, then the user's time zone, then the nearest offset at any distance.
 * @param zone the user's IANA time zone
 * @throws VendorError
 */
export async function readWallClock(api: VendorApi, zone?: string): Promise<WallClock> {
  const response = await requestUser(api, 'sleep/available');
  const available = isObject(response) ? response.available : undefined;
  if (response !== undefined && !Array.isArray(available)) {
    throw new VendorError({ code: 'invalid_answer', reason: 'available' });
  }
  const nights = Array.isArray(available) ? available.filter(isObject) : [];
  requireAtMost(MAX_NIGHTS, nights.length);
  const offsets = nights.flatMap(({ start_time, end_time }) => [start_time, end_time].flatMap(offsetAtInstant));
  if (offsets.length === 0) offsets.push(...(await offsetsOfExercises(api)));
  const changes = new ClockChanges();
  const byDate = new Map(nights.flatMap((night) => nightEntry(night.date, night.start_time, night.end_time, changes)));
  const known = [...byDate.values()].sort((a, b) => a.fromWallMs - b.fromWallMs);
  offsets.sort((a, b) => a.wallMs - b.wallMs);
  return {
    offsetAt(wallMs) {
      const during = known[countUpTo(known, ({ fromWallMs }) => fromWallMs, wallMs) - 1];
      if (during && wallMs < during.toWallMs) return during.clock.offsetAt(wallMs);
      const near = nearest(offsets, wallMs);
      if (near && Math.abs(near.wallMs - wallMs) <= EVIDENCE_MS) return near.offset;
      return offsetInZone(zone, wallMs) ?? near?.offset;
    },
    nightOf: (date) => byDate.get(date),
  };
}

/**
 * Returns a night's clock from the offsets of its start and end. If they differ, the offset changes at the clock change
 * of a matching time zone.
 */
export function clockOfNight(start: unknown, end: unknown, changes: ClockChanges): OffsetClock {
  const [before, after] = [offsetOfTime(start), offsetOfTime(end)];
  const night = { startMs: instantMs(start), endMs: instantMs(end) };
  if (before !== undefined && after !== undefined && before !== after && isNight(night)) {
    const changeMs = changes.find(night, before, after);
    if (changeMs !== undefined) {
      const changeWallMs = changeMs + before * MS_PER_MINUTE;
      return { offsetAt: (wallMs) => (wallMs < changeWallMs ? before : after) };
    }
  }
  const offsets = [start, end].flatMap(offsetAtInstant).sort((a, b) => a.wallMs - b.wallMs);
  return { offsetAt: (wallMs) => nearest(offsets, wallMs)?.offset };
}

/** False for longer ranges, which are not nights and may contain many clock changes. */
function isNight({ startMs, endMs }: TimeRange): boolean {
  return startMs < endMs && brokenLength({ startMs, endMs }, SLEEP_LENGTH) === undefined;
}

function nightEntry(date: unknown, start: unknown, end: unknown, changes: ClockChanges): [string, WallNight][] {
  const [startMs, endMs] = [instantMs(start), instantMs(end)];
  const offsetMinutes = offsetOfTime(end);
  if (typeof date !== 'string' || offsetMinutes === undefined || !(startMs < endMs)) return [];
  const wall = { fromWallMs: wallMsOf(start), toWallMs: wallMsOf(end) };
  return [[date, { startMs, endMs, offsetMinutes, clock: clockOfNight(start, end, changes), ...wall }]];
}

async function offsetsOfExercises(api: VendorApi): Promise<KnownOffset[]> {
  return (await listExercises(api)).filter(isObject).flatMap((exercise): KnownOffset[] => {
    const offset = numberOf(exercise.start_time_utc_offset);
    const wallMs = wallMsOf(exercise.start_time);
    return offset === undefined || !isOffsetMinutes(offset) || Number.isNaN(wallMs) ? [] : [{ wallMs, offset }];
  });
}

function offsetAtInstant(time: unknown): KnownOffset[] {
  const offset = offsetOfTime(time);
  const wallMs = wallMsOf(time);
  return offset === undefined || Number.isNaN(wallMs) ? [] : [{ wallMs, offset }];
}

/**
 * Returns the offset nearest to a wall-clock time.
 * @param offsets sorted by time
 */
function nearest(offsets: readonly KnownOffset[], wallMs: number): KnownOffset | undefined {
  const next = countUpTo(offsets, (one) => one.wallMs, wallMs);
  const [before, after] = [offsets[next - 1], offsets[next]];
  if (!before || !after) return before ?? after;
  return wallMs - before.wallMs <= after.wallMs - wallMs ? before : after;
}

/** Counts the leading items of a sorted list that are not after `wallMs`. */
function countUpTo<Item>(items: readonly Item[], timeOf: (item: Item) => number, wallMs: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(items[middle] as Item) <= wallMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns midnight of a date on the user's clock. If that is unknown, returns midnight UTC, which reads as the same
 * date.
 */
export function midnightOf(day: number, clock: OffsetClock): { startMs: number; offsetMinutes: number | undefined } {
  const offsetMinutes = clock.offsetAt(dayStartMs(day));
  return { startMs: dayStartMs(day, offsetMinutes), offsetMinutes };
}
