import { type HealthRecord, MS_PER_SECOND, WORKOUT_LENGTH, type WorkoutRecord } from '@healthd/model';
import { z } from 'zod';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { type PayloadOf, readPayload, textOf } from '../../payload/index.js';
import { type PlacedRecord, placedRecord } from '../../rest/index.js';
import { OFFSET, PLACE } from './placed-record.js';
import { healthScore, readScore } from './score.js';
import { replacedScores, replacedWindow, WHOOP_SOURCE } from './source.js';
import { workoutType } from './sports.js';

/** A workout. `id`, `start` and `end` identify it. */
const WORKOUT = z.object({ sport_name: z.string(), sport_id: z.number(), timezone_offset: OFFSET });
/** The score of a workout. */
const SCORE = z.object({
  strain: z.number(),
  average_heart_rate: z.number(),
  max_heart_rate: z.number(),
  /** Active and basal energy together. */
  kilojoule: z.number(),
  percent_recorded: z.number(),
  distance_meter: z.number(),
  altitude_gain_meter: z.number(),
  altitude_change_meter: z.number(),
  /** Time in each of the vendor's heart-rate zones. */
  zone_durations: z.object({
    zone_zero_milli: z.number(),
    zone_one_milli: z.number(),
    zone_two_milli: z.number(),
    zone_three_milli: z.number(),
    zone_four_milli: z.number(),
    zone_five_milli: z.number(),
  }),
});
type Score = PayloadOf<typeof SCORE>;

const SCORES = 'workout/';
const COMPONENTS = [
  'average_heart_rate',
  'max_heart_rate',
  'kilojoule',
  'percent_recorded',
  'distance_meter',
  'altitude_gain_meter',
  'altitude_change_meter',
];

/** Returns a window's workouts with their strain. */
export function workoutRecords(records: readonly unknown[], window: TimeRange, tally: Tally): HealthRecord[] {
  const workouts: WorkoutRecord[] = [];
  const scores: HealthRecord[] = [];
  for (const record of records) {
    const placed = placedRecord(record, PLACE, WORKOUT_LENGTH, tally);
    if (!placed) continue;
    const scored = readScore(SCORE, placed.record, tally);
    workouts.push(workout(placed, readPayload(WORKOUT, placed.record, tally.fault), scored.score));
    scores.push(
      healthScore(scored, {
        externalId: `${SCORES}${placed.id}`,
        category: 'strain',
        atMs: placed.startMs,
        offsetMinutes: placed.offsetMinutes,
        value: 'strain',
        components: COMPONENTS,
        words: { period: 'workout' },
      }),
    );
  }
  return [{ ...replacedWindow(window), of: 'workouts' }, replacedScores(SCORES, window), ...workouts, ...scores];
}

/** The vendor reports no pauses, so the whole duration counts as moving time. */
function workout(
  { id, startMs, endMs, offsetMinutes }: PlacedRecord,
  record: PayloadOf<typeof WORKOUT>,
  score: Score = {},
): WorkoutRecord {
  const sport = textOf(record.sport_name);
  const seconds = (endMs - startMs) / MS_PER_SECOND;
  return {
    kind: 'workout',
    source: WHOOP_SOURCE,
    externalId: id,
    type: workoutType(sport, record.sport_id),
    startMs,
    endMs,
    offsetMinutes,
    durationSeconds: seconds,
    movingSeconds: seconds,
    totalCaloriesKcal: kcalOfKilojoules(score.kilojoule),
    distanceMeters: score.distance_meter,
    heartRateAvg: score.average_heart_rate,
    heartRateMax: score.max_heart_rate,
    elevationGainMeters: score.altitude_gain_meter,
    metadata: { ...(sport !== undefined && { vendor_type: sport }), ...zoneSeconds(score) },
  };
}

function zoneSeconds({ zone_durations: zones = {} }: Score): Record<string, number> {
  return Object.fromEntries(
    Object.entries(zones).map(([name, ms = 0]) => [name.replace('_milli', '_seconds'), ms / MS_PER_SECOND]),
  );
}

/** A thermochemical calorie is 4.184 joules. */
const KILOJOULES_PER_KCAL = 4.184;

/** Converts to kcal, rounded to a hundredth; undefined remains undefined. */
function kcalOfKilojoules(kilojoules: number | undefined): number | undefined {
  return kilojoules === undefined ? undefined : Math.round((kilojoules / KILOJOULES_PER_KCAL) * 100) / 100;
}
