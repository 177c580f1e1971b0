import {
  brokenBound,
  SAMPLE_KIND_CODE,
  type SampleRecord,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { isObject, type PayloadObject } from '../../device-push/index.js';
import { intervalProblem } from '../../interval.js';
import { payloadMember, type SeriesType } from './data-type.js';
import type { LocalDays } from './local-days.js';
import { dayOfDate, instantMs, offsetMinutes } from './member-values.js';
import type { RolledUp } from './read-roll-ups.js';
import { MERGED_SOURCE } from './source.js';

type Placed = Pick<SampleRecord, 'startMs' | 'durationMs' | 'offsetMinutes' | 'sampleKind'>;
type Fault = (field: string | undefined, code: string, detail?: string) => undefined;

/** Samples of one point of a type; none, and a rejection, when it cannot be read. */
export function samplesOfPoint(
  type: SeriesType,
  point: unknown,
  source: SourceIdentity,
  days: LocalDays,
  tally: Tally,
): SampleRecord[] {
  const index = tally.next();
  const fault: Fault = (field, code, detail) => void tally.reject(index, field, code, detail);
  if (!isObject(point)) return none(fault(undefined, 'not_an_object'));
  const member = payloadMember(type.id);
  const payload = point[member];
  if (!isObject(payload)) return none(fault(member, payload === undefined ? 'missing' : 'not_an_object'));
  const placed = placePoint(type, payload, days, fault);
  if (placed === undefined) return [];
  const values = valuesOf(type, 'ofPoint', payload, { placed, fault, tally });
  return values.map((value) => ({ kind: 'sample', source, ...placed, ...value }));
}

/** Samples of one window of a roll-up: an hour's as readings, a day's as the provider's own of that day. */
export function samplesOfRollUp(type: SeriesType, window: RolledUp, days: LocalDays, tally: Tally): SampleRecord[] {
  const index = tally.next();
  const fault: Fault = (field, code, detail) => void tally.reject(index, field, code, detail);
  const placed = placeRollUp(window, days, fault);
  if (placed === undefined) return [];
  if (window.payload === undefined) return none(fault(payloadMember(type.id), 'missing'));
  const values = valuesOf(type, 'ofRollUp', window.payload, { placed, fault, tally });
  return values.map((value) => ({ kind: 'sample', source: MERGED_SOURCE, ...placed, ...value }));
}

/** Where a window of a roll-up lies; undefined, and a rejection, when it says nowhere. */
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

function placePoint(type: SeriesType, payload: PayloadObject, days: LocalDays, fault: Fault): Placed | undefined {
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

/** A payload may hold some of a type's values only, e.g. one of two forms of variability; what cannot be is rejected. */
function valuesOf(
  type: SeriesType,
  of: 'ofPoint' | 'ofRollUp',
  payload: PayloadObject,
  { placed, fault, tally }: { placed: Placed; fault: Fault; tally: Tally },
) {
  const values = type.values.flatMap((one) => {
    const value = one[of]?.(payload);
    if (value === undefined) return [];
    const given = of === 'ofRollUp' ? one.extremesOfRollUp?.(payload) : undefined;
    const extremes = given && given.minimum <= value && value <= given.maximum ? given : undefined;
    return [{ typeId: seriesTypeByCode(one.series).id, value, extremes }];
  });
  if (values.length === 0 && type.mayBeEmpty) tally.noValue++;
  else if (values.length === 0) fault(payloadMember(type.id), 'invalid_value');
  return values.filter(({ typeId, value }) => {
    const bound = brokenBound(typeId, value, placed.durationMs, SAMPLE_KIND_CODE[placed.sampleKind]);
    if (bound !== undefined) fault(payloadMember(type.id), 'implausible', bound);
    return bound === undefined;
  });
}

const MEMBERS: Readonly<Record<string, string>> = { startDate: 'startTime', endDate: 'endTime' };

/** True, and a rejection, for times that cannot be stored. */
export function problemOf({ startMs, endMs }: TimeRange, fault: Fault): boolean {
  const problem = intervalProblem(startMs, endMs);
  if (problem) fault(MEMBERS[problem.field], problem.code);
  return problem !== undefined;
}

function none(_fault: undefined): [] {
  return [];
}
