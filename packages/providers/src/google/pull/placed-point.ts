import type { RejectionCode, SampleRecord } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';
import { intervalProblem } from '../../interval.js';
import { isObject, type PayloadObject } from '../../payload/index.js';
import type { SeriesType } from './data-type.js';
import type { LocalDays } from './local-days.js';
import { dayOfDate, instantMs, offsetMinutes } from './member-values.js';
import type { RolledUp } from './read-roll-ups.js';

/** Time of a sample. */
export type Placed = Pick<SampleRecord, 'startMs' | 'durationMs' | 'offsetMinutes' | 'sampleKind'>;
/** Records the reason why a point is unreadable. */
export type Fault = (field: string | undefined, code: RejectionCode, detail?: string) => undefined;

/** Returns the time of a roll-up window; records a rejection and returns undefined if it is missing. */
export function placeRollUp(window: RolledUp, days: LocalDays, fault: Fault): Placed | undefined {
  const { startMs, endMs, localDay } = window;
  if (problemOf(window, fault)) return undefined;
  return {
    startMs,
    durationMs: endMs - startMs,
    offsetMinutes: localDay ? localDay.offsetMinutes : days.offsetAt(startMs),
    sampleKind: localDay ? 'daily_total' : 'sample',
  };
}

/** Returns the time of a point; records a rejection and returns undefined if it is missing. */
export function placePoint(
  type: SeriesType,
  payload: PayloadObject,
  days: LocalDays,
  fault: Fault,
): Placed | undefined {
  if (type.form === 'daily') {
    const day = dayOfDate(payload.date);
    if (day === undefined) return fault('date', payload.date === undefined ? 'missing' : 'invalid_date');
    const { startMs, endMs, offsetMinutes } = days.of(day);
    return { startMs, durationMs: endMs - startMs, offsetMinutes, sampleKind: 'daily_total' };
  }
  const time = type.form === 'sample' ? payload.sampleTime : payload.interval;
  if (!isObject(time)) return fault(type.form === 'sample' ? 'sampleTime' : 'interval', 'missing');
  const startMs = instantMs(type.form === 'sample' ? time.physicalTime : time.startTime);
  const endMs = type.form === 'sample' || time.endTime === undefined ? startMs : instantMs(time.endTime);
  if (problemOf({ startMs, endMs }, fault)) return undefined;
  return {
    startMs,
    durationMs: endMs > startMs ? endMs - startMs : undefined,
    offsetMinutes: offsetMinutes(type.form === 'sample' ? time.utcOffset : time.startUtcOffset),
    sampleKind: 'sample',
  };
}

const MEMBERS: Readonly<Record<string, string>> = { startDate: 'startTime', endDate: 'endTime' };

/** True if the times cannot be stored. Then also records a rejection. */
export function problemOf({ startMs, endMs }: TimeRange, fault: Fault): boolean {
  const problem = intervalProblem(startMs, endMs);
  if (problem) fault(MEMBERS[problem.field], problem.code);
  return problem !== undefined;
}
