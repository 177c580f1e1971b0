import { dayNumber, type HealthRecord, MS_PER_SECOND, WORKOUT_LENGTH, type WorkoutRecord } from '@healthd/model';
import { z } from 'zod';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { isObject, type PayloadOf, readPayload, textOf } from '../../payload/index.js';
import { instantMs, type PlacedRecord, placedRecord } from '../../rest/index.js';
import type { DayOffsets } from './day-offsets.js';
import { OURA_SOURCE, replacedWindow } from './source.js';
import { workoutType } from './sports.js';

/** A workout. `start_datetime` and `end_datetime` are its times. */
const WORKOUT = z.object({
  day: z.string(),
  activity: z.string(),
  /** `easy`, `moderate` or `hard`. */
  intensity: z.string(),
  label: z.string(),
  /** `manual` if the user entered it. */
  source: z.string(),
  /** Kilocalories, active. */
  calories: z.number(),
  /** Meters. */
  distance: z.number(),
});

/** Returns workouts of a window with the offset of their day, because their own offsets are unreliable. */
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
      if (!one) return [];
      const record = readPayload(WORKOUT, one.record, tally.fault);
      if (record.day !== undefined && dayNumber(record.day) === undefined) tally.fault('day');
      return workout(one, record);
    });
  return [{ ...replacedWindow(window), of: 'workouts' }, ...placed];
}

/** Also true for an item without a usable time, which is rejected later. */
function isWithin(start: unknown, end: unknown, { startMs, endMs }: TimeRange): boolean {
  return !(instantMs(start) >= endMs || instantMs(end) <= startMs);
}

/** The vendor reports no pauses, so the whole duration counts as moving time. */
function workout(
  { id, startMs, endMs, offsetMinutes }: PlacedRecord,
  record: PayloadOf<typeof WORKOUT>,
): WorkoutRecord {
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
    caloriesKcal: record.calories,
    distanceMeters: record.distance,
    ...(record.source === 'manual' && { userEntered: true }),
    metadata: {
      ...(activity !== undefined && { vendor_type: activity }),
      ...(intensity !== undefined && { intensity }),
    },
  };
}
