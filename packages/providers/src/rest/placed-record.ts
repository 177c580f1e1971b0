import { brokenLength, parseOffset, type RejectionCode, type SLEEP_LENGTH } from '@healthd/model';
import type { Tally } from '../cloud/index.js';
import { intervalProblem } from '../interval.js';
import { idOf, isObject, type PayloadObject, parseInstant } from '../payload/index.js';

/** A record with an id and an interval. */
export interface PlacedRecord {
  record: PayloadObject;
  id: string;
  startMs: number;
  endMs: number;
  offsetMinutes: number | undefined;
}

/** Where a vendor's records say when they were. */
export interface PlaceMembers {
  start: string;
  end: string;
  offsetOf(record: PayloadObject): number | undefined;
}

/** A record's place; undefined, and a rejection, when it has none that can be stored. */
export function placedRecord(
  record: unknown,
  members: PlaceMembers,
  length: typeof SLEEP_LENGTH,
  tally: Tally,
): PlacedRecord | undefined {
  const index = tally.next();
  const fault = (field: string | undefined, code: RejectionCode, detail?: string) =>
    void tally.reject(index, field, code, detail);
  if (!isObject(record)) return fault(undefined, 'not_an_object');
  const id = idOf(record.id);
  if (id === undefined) return fault('id', 'missing');
  const span = { startMs: instantMs(record[members.start]), endMs: instantMs(record[members.end]) };
  const problem = intervalProblem(span.startMs, span.endMs);
  if (problem) return fault(problem.field === 'startDate' ? members.start : members.end, problem.code);
  const bound = brokenLength(span, length);
  if (bound !== undefined) return fault(members.end, 'implausible', bound);
  return { record, id, ...span, offsetMinutes: members.offsetOf(record) };
}

/** Milliseconds since 1970 of a time in RFC 3339; NaN for anything else. */
export function instantMs(value: unknown): number {
  return typeof value === 'string' ? (parseInstant(value)?.ms ?? Number.NaN) : Number.NaN;
}

/** Minutes ahead of UTC of `+02:00` or `Z`; undefined for anything else. */
export function offsetOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseOffset(value) : undefined;
}

const OFFSET_AT_END = /([+-]\d\d:?\d\d|Z)$/;

/** Minutes ahead of UTC of the offset that a time in RFC 3339 ends with; undefined without one. */
export function offsetOfTime(value: unknown): number | undefined {
  const text = typeof value === 'string' ? OFFSET_AT_END.exec(value)?.[1] : undefined;
  return text === undefined ? undefined : parseOffset(text);
}
