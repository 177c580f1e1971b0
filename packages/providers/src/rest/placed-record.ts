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

/** Names of the members that contain a record's time. */
export interface PlaceMembers {
  start: string;
  end: string;
  offsetOf(record: PayloadObject): number | undefined;
}

/** Returns a record's time. Rejects the record and returns undefined if it cannot be stored. */
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

/** Parses an RFC 3339 time to milliseconds since 1970; NaN for other values. */
export function instantMs(value: unknown): number {
  return typeof value === 'string' ? (parseInstant(value)?.ms ?? Number.NaN) : Number.NaN;
}

/** Parses `+02:00` or `Z` as minutes ahead of UTC; undefined for other values. */
export function offsetOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseOffset(value) : undefined;
}

const OFFSET_AT_END = /([+-]\d\d:?\d\d|Z)$/;

/** Parses the offset at the end of an RFC 3339 time as minutes ahead of UTC; undefined for a time without an offset. */
export function offsetOfTime(value: unknown): number | undefined {
  const text = typeof value === 'string' ? OFFSET_AT_END.exec(value)?.[1] : undefined;
  return text === undefined ? undefined : parseOffset(text);
}
