import {
  brokenBound,
  SAMPLE_KIND_CODE,
  type SampleRecord,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { isObject, type PayloadObject } from '../../payload/index.js';
import { payloadMember, type SeriesType } from './data-type.js';
import type { LocalDays } from './local-days.js';
import { type Fault, type Placed, placePoint, placeRollUp } from './placed-point.js';
import type { RolledUp } from './read-roll-ups.js';
import { MERGED_SOURCE } from './source.js';

/** Returns the samples of a point. Records a rejection and returns an empty list if the point is unreadable. */
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

/** Returns the samples of a roll-up window: readings for an hour, the provider's daily value for a day. */
export function samplesOfRollUp(type: SeriesType, window: RolledUp, days: LocalDays, tally: Tally): SampleRecord[] {
  const index = tally.next();
  const fault: Fault = (field, code, detail) => void tally.reject(index, field, code, detail);
  const placed = placeRollUp(window, days, fault);
  if (placed === undefined) return [];
  if (window.payload === undefined) return none(fault(payloadMember(type.id), 'missing'));
  const values = valuesOf(type, 'ofRollUp', window.payload, { placed, fault, tally });
  return values.map((value) => ({ kind: 'sample', source: MERGED_SOURCE, ...placed, ...value }));
}

/** Returns the values in a payload, which may contain only some of a type's values. Rejects implausible values. */
function valuesOf(
  type: SeriesType,
  of: 'ofPoint' | 'ofRollUp',
  payload: PayloadObject,
  { placed, fault, tally }: { placed: Placed; fault: Fault; tally: Tally },
) {
  const values = type.values.flatMap((one) => {
    const value = one[of]?.(payload);
    if (value === undefined) return [];
    const provided = of === 'ofRollUp' ? one.extremesOfRollUp?.(payload) : undefined;
    const extremes = provided && provided.minimum <= value && value <= provided.maximum ? provided : undefined;
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

function none(_fault: undefined): [] {
  return [];
}
