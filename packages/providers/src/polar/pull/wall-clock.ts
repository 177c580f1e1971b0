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

/** Clocks change at quarters of an hour. */
const STEP_MS = 15 * MS_PER_MINUTE;
const zones = new ZoneOffsets();

/** Nights of one list that are searched for a clock change. The vendor lists four weeks, in which clocks change once or twice. */
const MAX_SEARCHES = 20;

/** Finds clock changes within the nights of one list. A search looks at every time zone, so their number is limited. */
export class ClockChanges {
  private left = MAX_SEARCHES;

  /**
   * Returns the instant at which the clocks changed within a night of which two offsets are known, in milliseconds, by the rules
   * of a zone that had both then. Returns undefined if no zone had them, so that the person traveled, or if the list had too
   * many such nights.
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

/** Minutes ahead of UTC in a zone when its wall clock showed this. @param wallMs the wall clock, read as if it were UTC */
function offsetInZone(zone: string | undefined, wallMs: number): number | undefined {
  if (zone === undefined) return undefined;
  const near = zones.at(zone, wallMs);
  return near === undefined ? undefined : zones.at(zone, wallMs - near * MS_PER_MINUTE);
}

/** Most times of the vendor are those of a wall clock of which it does not say how far ahead of UTC it was. */
export interface WallClock {
  /** Minutes ahead of UTC; undefined where nothing is known. @param wallMs the wall clock, read as if it were UTC */
  offsetAt(wallMs: number): number | undefined;
  /** The night of a date, where there is one. */
  nightOf(date: string): WallNight | undefined;
}

/** A clock that shows offsets alone. */
export type OffsetClock = Pick<WallClock, 'offsetAt'>;

interface WallNight extends TimeRange {
  offsetMinutes: number;
  clock: OffsetClock;
  /** Its beginning and end on the wall clock. */
  fromWallMs: number;
  toWallMs: number;
}

/** What nights and exercises show counts so far from them; beyond it the zone of the user does, where there is one. */
const EVIDENCE_MS = 36 * MS_PER_HOUR;

interface KnownOffset {
  wallMs: number;
  offset: number;
}

/**
 * The clock that the person lived by: nights say it, and where there are none, exercises do. At any other time it was that of
 * the nearest of them within 36 hours, else that of the user's zone, else that of the nearest.
 * @param zone the user's, an IANA name
 * @throws VendorError
 */
export async function readWallClock(api: VendorApi, zone?: string): Promise<WallClock> {
  const answer = await requestUser(api, 'sleep/available');
  const available = isObject(answer) ? answer.available : undefined;
  if (answer !== undefined && !Array.isArray(available)) {
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

/** The clock of one night, which its own beginning and end show; between them it changed when the clocks of a zone did. */
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

/** What is longer is no night, and its clock changes may be many. */
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

/** @param offsets in order of time */
function nearest(offsets: readonly KnownOffset[], wallMs: number): KnownOffset | undefined {
  const next = countUpTo(offsets, (one) => one.wallMs, wallMs);
  const [before, after] = [offsets[next - 1], offsets[next]];
  if (!before || !after) return before ?? after;
  return wallMs - before.wallMs <= after.wallMs - wallMs ? before : after;
}

/** Counts the items at the beginning of a list in order of time that are not after `wallMs`. */
function countUpTo<Item>(items: readonly Item[], timeOf: (item: Item) => number, wallMs: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(items[middle] as Item) <= wallMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The midnight of a date on the clock that the person lived by; without one midnight UTC, which reads as the date itself. */
export function midnightOf(day: number, clock: OffsetClock): { startMs: number; offsetMinutes: number | undefined } {
  const offsetMinutes = clock.offsetAt(dayStartMs(day));
  return { startMs: dayStartMs(day, offsetMinutes), offsetMinutes };
}
