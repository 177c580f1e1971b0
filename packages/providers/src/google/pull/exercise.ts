import type { WorkoutEvent, WorkoutRecord } from '@healthd/model';
import { isObject, type PayloadObject, textOf } from '../../payload/index.js';
import { distanceMeters, exerciseFigures, exerciseMetadata } from './exercise-metrics.js';
import { exerciseType } from './exercise-types.js';
import { durationSeconds, instantMs, numberAt, objectsOf } from './member-values.js';
import type { SessionPoint } from './session-point.js';

const EVENTS: Readonly<Record<string, WorkoutEvent['type']>> = {
  PAUSE: 'pause',
  RESUME: 'resume',
  AUTO_PAUSE: 'motion_pause',
  AUTO_RESUME: 'motion_resume',
};
const MAX_NOTES = 2000;

/** Maps a workout with its summary, pauses, automatic splits (segments) and laps. */
export function exercise(point: SessionPoint): WorkoutRecord {
  const { payload, source, externalId, startMs, endMs } = point;
  const vendorType = textOf(payload.exerciseType);
  const summary = isObject(payload.metricsSummary) ? payload.metricsSummary : {};
  const activeSeconds = durationSeconds(payload.activeDuration);
  const events = eventsOf(payload);
  return {
    kind: 'workout',
    source,
    externalId,
    type: exerciseType(vendorType),
    name: textOf(payload.displayName),
    startMs,
    endMs,
    offsetMinutes: point.startOffset ?? point.endOffset,
    durationSeconds: activeSeconds ?? (endMs - startMs) / 1000,
    movingSeconds: activeSeconds,
    ...exerciseFigures(summary),
    userEntered: point.isManual || undefined,
    events: events.length > 0 ? events : undefined,
    metadata: {
      ...exerciseMetadata(summary),
      ...furtherFacts(payload),
      ...(vendorType && { vendor_type: vendorType }),
    },
  };
}

function furtherFacts(payload: PayloadObject): Record<string, string | number | boolean> {
  const metadata = isObject(payload.exerciseMetadata) ? payload.exerciseMetadata : {};
  const poolMillimeters = numberAt(metadata, 'poolLengthMillimeters');
  const notes = textOf(payload.notes, MAX_NOTES);
  return {
    ...(metadata.hasGps === true && { has_gps: true }),
    ...(poolMillimeters !== undefined && { pool_length_meters: poolMillimeters / 1000 }),
    ...(notes !== undefined && { notes }),
  };
}

/** Returns events in order of time. Skips events without a valid time. */
function eventsOf(payload: PayloadObject): WorkoutEvent[] {
  const pauses = objectsOf(payload.exerciseEvents).flatMap((event): WorkoutEvent[] => {
    const name = textOf(event.exerciseEventType);
    const type = name !== undefined && Object.hasOwn(EVENTS, name) ? EVENTS[name] : undefined;
    return type === undefined ? [] : [{ type, startMs: instantMs(event.eventTime) }];
  });
  const parts = [
    ...objectsOf(payload.splits).map((split) => partOf('segment', split)),
    ...objectsOf(payload.splitSummaries).map((lap) => partOf('lap', lap)),
  ];
  return [...pauses, ...parts].filter(({ startMs }) => !Number.isNaN(startMs)).sort((a, b) => a.startMs - b.startMs);
}

function partOf(type: 'segment' | 'lap', part: PayloadObject): WorkoutEvent {
  const startMs = instantMs(part.startTime);
  const seconds = durationSeconds(part.activeDuration) ?? (instantMs(part.endTime) - startMs) / 1000;
  return {
    type,
    startMs,
    durationSeconds: seconds >= 0 ? seconds : undefined,
    label: textOf(part.splitType)?.toLowerCase(),
    distanceMeters: isObject(part.metricsSummary) ? distanceMeters(part.metricsSummary) : undefined,
  };
}
