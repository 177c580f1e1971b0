import type { GoogleBehaviour } from './options.js';
import type { JsonObject } from './point-types.js';
import type { StoredPoint } from './stored-points.js';
import { wireCivil, wireDate, wireDuration, wireInstant } from './wire-times.js';
import { wireMembers } from './wire-values.js';

export interface WireContext {
  healthUserId: string;
  behaviour: Pick<GoogleBehaviour, 'sessionCivilTimes' | 'reconciledName'>;
}

/** Returns `users/<user>/dataTypes/<type>/dataPoints/<id>`. */
export function pointName(point: StoredPoint, healthUserId: string): string {
  return `users/${healthUserId}/dataTypes/${point.type.id}/dataPoints/${point.id}`;
}

/** Returns a point in the format of list, which includes the source, or of reconcile, which omits it. */
export function wirePoint(point: StoredPoint, mode: 'list' | 'reconcile', context: WireContext): JsonObject {
  const { type } = point;
  const out: JsonObject = {};
  if (type.get) {
    const member = mode === 'list' ? 'name' : context.behaviour.reconciledName;
    out[member] = pointName(point, context.healthUserId);
  }
  if (mode === 'list') out.dataSource = point.source.wire as JsonObject;
  out[type.payload] = { ...wireTime(point, context), ...wireMembers(point.members) };
  return out;
}

function wireTime(point: StoredPoint, { behaviour }: WireContext): JsonObject {
  const { startMs, endMs, startOffsetSeconds, endOffsetSeconds } = point;
  const stated = (seconds: number) => (point.offsetStated ? wireDuration(seconds) : undefined);
  switch (point.type.record) {
    case 'daily':
      return { date: wireDate(point.date!) };
    case 'sample':
      return {
        sampleTime: {
          physicalTime: wireInstant(startMs),
          utcOffset: stated(startOffsetSeconds),
          civilTime: wireCivil(startMs, startOffsetSeconds),
        },
      };
    default: {
      const interval: JsonObject = {
        startTime: wireInstant(startMs),
        startUtcOffset: stated(startOffsetSeconds),
        endTime: wireInstant(endMs),
        endUtcOffset: stated(endOffsetSeconds),
      };
      if (point.type.record === 'interval' || behaviour.sessionCivilTimes) {
        interval.civilStartTime = wireCivil(startMs, startOffsetSeconds);
        interval.civilEndTime = wireCivil(endMs, endOffsetSeconds);
      }
      return { interval };
    }
  }
}
