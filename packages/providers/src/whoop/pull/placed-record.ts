import { brokenLength, parseOffset, type SLEEP_LENGTH } from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { idOf, isObject, type PayloadObject, parseInstant } from '../../device-push/index.js';
import { intervalProblem } from '../../interval.js';

/** What sleeps and workouts have in common. */
export interface PlacedRecord {
  record: PayloadObject;
  id: string;
  startMs: number;
  endMs: number;
  offsetMinutes: number | undefined;
}

/** A record with an id and an interval; undefined, and a rejection, when it cannot be placed. */
export function placedRecord(record: unknown, length: typeof SLEEP_LENGTH, tally: Tally): PlacedRecord | undefined {
  const index = tally.next();
  const fault = (field: string | undefined, code: string, detail?: string) =>
    void tally.reject(index, field, code, detail);
  if (!isObject(record)) return fault(undefined, 'not_an_object');
  const id = idOf(record.id);
  if (id === undefined) return fault('id', 'missing');
  const span = { startMs: instantMs(record.start), endMs: instantMs(record.end) };
  const problem = intervalProblem(span.startMs, span.endMs);
  if (problem) return fault(problem.field === 'startDate' ? 'start' : 'end', problem.code);
  const bound = brokenLength(span, length);
  if (bound !== undefined) return fault('end', 'implausible', bound);
  return { record, id, ...span, offsetMinutes: offsetOf(record.timezone_offset) };
}

/** Milliseconds since 1970 of a time in RFC 3339; NaN for anything else. */
export function instantMs(value: unknown): number {
  return typeof value === 'string' ? (parseInstant(value)?.ms ?? Number.NaN) : Number.NaN;
}

/** Minutes ahead of UTC of `+02:00` or `Z`; undefined for anything else. */
export function offsetOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseOffset(value) : undefined;
}
