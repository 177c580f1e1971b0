import { randomUUID } from 'node:crypto';
import { MS_PER_MINUTE } from '@healthd/model';
import type { GoogleBehaviour } from '../options.js';
import type { StoredPoint } from '../stored-points.js';
import { wireCivil, wireInstant } from '../wire-times.js';

/** Maximum gap between changes that one interval reports. */
const JOINED_MS = 15 * MS_PER_MINUTE;

interface Stretch {
  startMs: number;
  endMs: number;
  startOffsetSeconds: number;
  endOffsetSeconds: number;
}

/** Returns the changed intervals, oldest first. Merges only nearby changes. */
export function changedStretches(points: readonly StoredPoint[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { startMs, endMs, startOffsetSeconds, endOffsetSeconds } of [...points].sort(
    (a, b) => a.startMs - b.startMs,
  )) {
    const last = stretches.at(-1);
    if (!last || startMs > last.endMs + JOINED_MS) {
      stretches.push({ startMs, endMs: Math.max(endMs, startMs + 1000), startOffsetSeconds, endOffsetSeconds });
    } else if (endMs > last.endMs) {
      last.endMs = endMs;
      last.endOffsetSeconds = endOffsetSeconds;
    }
  }
  return stretches;
}

/** Returns a notification's body. */
export function notificationBody(
  healthUserId: string,
  dataType: string,
  operation: 'UPSERT' | 'DELETE',
  stretches: readonly Stretch[],
  behaviour: Pick<GoogleBehaviour, 'notificationBody' | 'notificationIntervals'>,
): string {
  const forms = behaviour.notificationIntervals;
  const intervals = stretches.map((stretch) => ({
    physicalTimeInterval: forms.includes('physical') ? physical(stretch) : undefined,
    civilDateTimeInterval: forms.includes('civil') ? civil(stretch) : undefined,
    civilIso8601TimeInterval: forms.includes('iso') ? iso(stretch) : undefined,
  }));
  const clientProvidedSubscriptionName = randomUUID();
  const notification = {
    data: { version: '1', clientProvidedSubscriptionName, healthUserId, operation, dataType, intervals },
  };
  return JSON.stringify(behaviour.notificationBody === 'array' ? [notification] : notification);
}

function physical({ startMs, endMs }: Stretch) {
  return { startTime: wireInstant(startMs), endTime: wireInstant(endMs) };
}

function civil({ startMs, endMs, startOffsetSeconds, endOffsetSeconds }: Stretch) {
  return { startDateTime: wireCivil(startMs, startOffsetSeconds), endDateTime: wireCivil(endMs, endOffsetSeconds) };
}

function iso({ startMs, endMs, startOffsetSeconds, endOffsetSeconds }: Stretch) {
  return { startTime: isoLocal(startMs, startOffsetSeconds), endTime: isoLocal(endMs, endOffsetSeconds) };
}

function isoLocal(ms: number, offsetSeconds: number): string {
  return new Date(ms + offsetSeconds * 1000).toISOString().slice(0, 19);
}
