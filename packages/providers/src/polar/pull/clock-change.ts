import { MS_PER_MINUTE, ZoneOffsets } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';

/** Clocks change at quarters of an hour. */
const STEP_MS = 15 * MS_PER_MINUTE;
const zones = new ZoneOffsets();

/**
 * When the clocks changed within a night of which two offsets are known, in milliseconds: by the rules of a zone that had both
 * then. Undefined where no zone had: the person travelled.
 */
export function clockChangeMs({ startMs, endMs }: TimeRange, before: number, after: number): number | undefined {
  const zone = Intl.supportedValuesOf('timeZone').find(
    (name) => zones.at(name, startMs) === before && zones.at(name, endMs) === after,
  );
  if (zone === undefined) return undefined;
  let atMs = Math.ceil(startMs / STEP_MS) * STEP_MS;
  while (atMs < endMs && zones.at(zone, atMs) === before) atMs += STEP_MS;
  return atMs;
}

/** Minutes ahead of UTC in a zone when its wall clock showed this. @param wallMs the wall clock, read as if it were UTC */
export function offsetInZone(zone: string | undefined, wallMs: number): number | undefined {
  if (zone === undefined) return undefined;
  const near = zones.at(zone, wallMs);
  return near === undefined ? undefined : zones.at(zone, wallMs - near * MS_PER_MINUTE);
}
