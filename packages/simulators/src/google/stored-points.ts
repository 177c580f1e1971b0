import { localDate } from '@healthd/model';
import type { Calendar } from '../calendar.js';
import { Random } from '../random.js';
import { type RankedSource, rankedSource } from './data-sources.js';
import { type DataType, dataTypeCalled } from './data-types.js';
import type { Json, JsonObject, PointInput } from './point-types.js';

/** A stored point. */
export interface StoredPoint {
  /** Unique per account and type. */
  id: string;
  type: DataType;
  /** Local midnight for daily types. */
  startMs: number;
  endMs: number;
  startOffsetSeconds: number;
  endOffsetSeconds: number;
  /** False if responses omit the offset, which then only determines civil times. */
  offsetStated: boolean;
  /** Only for daily types. */
  date?: string;
  members: JsonObject;
  source: RankedSource;
}

/**
 * @throws an error that names the invalid member
 */
export function storedPoint(input: PointInput, calendar: Calendar): StoredPoint {
  const type = dataTypeCalled(input.dataType);
  const source = rankedSource(input.source);
  const members = typeof input.value === 'number' ? wrapValue(type, input.value) : input.value;
  const times = type.record === 'daily' ? dayTimes(input, calendar) : clockTimes(input, type, calendar);
  const id = input.id ?? madeId(type, times.startMs, source.key);
  return { id, type, ...times, offsetStated: input.utcOffsetSeconds !== null, members, source };
}

/** Returns the local date of a point's start. */
export function dateOfPoint(point: StoredPoint): string {
  return point.date ?? localDate(point.startMs, point.startOffsetSeconds / 60);
}

/** Returns the type's single value; 0 if the member is missing, undefined if the type has no such member. */
export function pointValue(point: StoredPoint): number | undefined {
  if (point.type.value === undefined) return undefined;
  let found: Json | undefined = point.members;
  for (const name of point.type.value.split('.')) found = (found as JsonObject | undefined)?.[name];
  return typeof found === 'number' ? found : 0;
}

/** Returns the point's members with a different value. */
export function withValue(point: StoredPoint, value: number): JsonObject {
  const [first = '', second] = point.type.value?.split('.') ?? [];
  if (second === undefined) return { ...point.members, [first]: value };
  return { ...point.members, [first]: { ...(point.members[first] as JsonObject), [second]: value } };
}

function wrapValue(type: DataType, value: number): JsonObject {
  if (type.value === undefined) throw new Error(`${type.id} has no single value; pass the payload's members`);
  const [first = '', second] = type.value.split('.');
  return second === undefined ? { [first]: value } : { [first]: { [second]: value } };
}

function dayTimes(input: PointInput, calendar: Calendar) {
  if (!/^\d{4}-\d\d-\d\d$/.test(input.date ?? '')) throw new Error(`${input.dataType} requires a date as YYYY-MM-DD`);
  const { startMs, endMs, date } = calendar.day(input.date!);
  return { date, startMs, endMs, ...offsets(startMs, endMs, calendar) };
}

function clockTimes(input: PointInput, type: DataType, calendar: Calendar) {
  const startMs = Date.parse(input.startTime ?? '');
  const endMs = type.record === 'sample' ? startMs : Date.parse(input.endTime ?? '');
  if (Number.isNaN(startMs)) throw new Error(`${type.id} requires a startTime`);
  if (Number.isNaN(endMs) || endMs < startMs)
    throw new Error(`${type.id} requires an endTime that is not before its startTime`);
  const providedOffset = input.utcOffsetSeconds;
  if (typeof providedOffset === 'number')
    return { startMs, endMs, startOffsetSeconds: providedOffset, endOffsetSeconds: providedOffset };
  return { startMs, endMs, ...offsets(startMs, endMs, calendar) };
}

function offsets(startMs: number, endMs: number, calendar: Calendar) {
  return {
    startOffsetSeconds: calendar.offsetAt(startMs) * 60,
    endOffsetSeconds: calendar.offsetAt(endMs) * 60,
  };
}

function madeId(type: DataType, startMs: number, source: string): string {
  if (!type.get) return `${startMs}:${source}`;
  return String(new Random(type.id, startMs, source).integer(10 ** 9, 9 * 10 ** 14));
}
