import { brokenLength, type RejectionCode, SLEEP_LENGTH, type SourceIdentity, WORKOUT_LENGTH } from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { idOf, isObject, type PayloadObject } from '../../payload/index.js';
import { instantMs, offsetMinutes } from './member-values.js';
import { problemOf } from './placed-point.js';
import { MERGED_SOURCE, type Sources } from './source.js';

/** Common fields of sleep and exercise. */
export interface SessionPoint {
  payload: PayloadObject;
  source: SourceIdentity;
  /** The vendor's name of the point, the same in every operation. */
  externalId?: string;
  startMs: number;
  endMs: number;
  startOffset?: number;
  endOffset?: number;
  isManual: boolean;
}

/**
 * Reads a sleep or exercise point. Rejects it and returns undefined if its time is invalid.
 * @param sources undefined if the sources do not matter
 */
export function sessionPoint(
  member: 'sleep' | 'exercise',
  point: unknown,
  sources: Sources | undefined,
  tally: Tally,
): SessionPoint | undefined {
  const index = tally.next();
  const fault = (field: string | undefined, code: RejectionCode, detail?: string) =>
    void tally.reject(index, field, code, detail);
  if (!isObject(point)) return fault(undefined, 'not_an_object');
  const payload = point[member];
  if (!isObject(payload)) return fault(member, payload === undefined ? 'missing' : 'not_an_object');
  const { interval, metadata } = payload;
  if (!isObject(interval)) return fault('interval', 'missing');
  const span = { startMs: instantMs(interval.startTime), endMs: instantMs(interval.endTime) };
  if (problemOf(span, fault)) return undefined;
  if (span.endMs === span.startMs) return fault('endTime', 'empty_interval');
  const bound = brokenLength(span, member === 'sleep' ? SLEEP_LENGTH : WORKOUT_LENGTH);
  if (bound !== undefined) return fault('endTime', 'implausible', bound);
  return {
    ...span,
    payload,
    source: sources?.of(point.dataSource) ?? MERGED_SOURCE,
    externalId:
      idOf(point.dataPointName) ?? idOf(point.name) ?? (isObject(metadata) ? idOf(metadata.externalId) : undefined),
    startOffset: offsetMinutes(interval.startUtcOffset),
    endOffset: offsetMinutes(interval.endUtcOffset),
    isManual: isObject(point.dataSource) && point.dataSource.recordingMethod === 'MANUAL',
  };
}
