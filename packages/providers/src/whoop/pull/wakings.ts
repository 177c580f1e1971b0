import type { TimeRange, VendorApi } from '../../cloud/index.js';
import { idOf, isObject, numberOf } from '../../payload/index.js';
import { instantMs, offsetOf } from '../../rest/index.js';
import { readRecords } from './read-records.js';

/** Time and offset at which the user woke up. */
export interface Waking {
  /** The sleep that ended; undefined if unknown. */
  sleepId: string | undefined;
  atMs: number;
  offsetMinutes: number | undefined;
}

/** Waking times for recoveries and cycles, which do not contain them. */
export interface Wakings {
  /** Wakings by sleep id. */
  bySleep: ReadonlyMap<string, Waking>;
  /** Wakings by cycle id: the end of the cycle's longest sleep that is not a nap. */
  byCycle: ReadonlyMap<number, Waking>;
}

/** Reads all sleeps that overlap the range. @throws VendorError */
export async function readWakings(api: VendorApi, range: TimeRange): Promise<Wakings> {
  const bySleep = new Map<string, Waking>();
  const nights = new Map<number, Waking & { lengthMs: number }>();
  for (const sleep of await readRecords(api, '/v2/activity/sleep', range)) {
    if (!isObject(sleep)) continue;
    const id = idOf(sleep.id);
    const atMs = instantMs(sleep.end);
    if (id === undefined || Number.isNaN(atMs)) continue;
    const waking = { sleepId: id, atMs, offsetMinutes: offsetOf(sleep.timezone_offset) };
    bySleep.set(id, waking);
    const cycle = numberOf(sleep.cycle_id);
    const lengthMs = atMs - instantMs(sleep.start);
    if (cycle === undefined || sleep.nap === true || !(lengthMs > (nights.get(cycle)?.lengthMs ?? 0))) continue;
    nights.set(cycle, { ...waking, lengthMs });
  }
  return { bySleep, byCycle: nights };
}
