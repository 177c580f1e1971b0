import { dayNumber, type HealthRecord, MS_PER_SECOND, WORKOUT_LENGTH, type WorkoutRecord } from '@healthd/model';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { isObject, numberOf, textOf } from '../../payload/index.js';
import { instantMs, type PlacedRecord, placedRecord, rejectUnreadableNumbers } from '../../rest/index.js';
import type { DayOffsets } from './day-offsets.js';
import { OURA_SOURCE, replacedWindow } from './source.js';
import { workoutType } from './sports.js';

/** Workouts of a window. Their own offsets are not to be relied on: the clock is that of their day. */
export function workoutRecords(
  documents: readonly unknown[],
  offsetOn: DayOffsets,
  window: TimeRange,
  tally: Tally,
): HealthRecord[] {
  const place = {
    start: 'start_datetime',
    end: 'end_datetime',
    offsetOf: ({ day }: { day?: unknown }) => {
      const number = typeof day === 'string' ? dayNumber(day) : undefined;
      return number === undefined ? undefined : offsetOn(number);
    },
  };
  const placed = documents
    .filter((document) => !isObject(document) || isWithin(document.start_datetime, document.end_datetime, window))
    .flatMap((document) => {
      const one = placedRecord(document, place, WORKOUT_LENGTH, tally);
      if (one) rejectUnreadableNumbers(one.record, ['calories', 'distance'], tally, tally.received - 1);
      return one ?? [];
    });
  return [{ ...replacedWindow(window), of: 'workouts' }, ...placed.map(workout)];
}

/** An item without a usable time passes, to be rejected later. */
function isWithin(start: unknown, end: unknown, { startMs, endMs }: TimeRange): boolean {
  return !(instantMs(start) >= endMs || instantMs(end) <= startMs);
}

/** The vendor knows no pauses: all of the time was spent moving. */
function workout({ record, id, startMs, endMs, offsetMinutes }: PlacedRecord): WorkoutRecord {
  const activity = textOf(record.activity);
  const intensity = textOf(record.intensity);
  const seconds = (endMs - startMs) / MS_PER_SECOND;
  return {
    kind: 'workout',
    source: OURA_SOURCE,
    externalId: id,
    type: workoutType(activity),
    name: textOf(record.label),
    startMs,
    endMs,
    offsetMinutes,
    durationSeconds: seconds,
    movingSeconds: seconds,
    caloriesKcal: numberOf(record.calories),
    distanceMeters: numberOf(record.distance),
    ...(record.source === 'manual' && { userEntered: true }),
    metadata: {
      ...(activity !== undefined && { vendor_type: activity }),
      ...(intensity !== undefined && { intensity }),
    },
  };
}
