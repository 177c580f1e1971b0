import { type HealthRecord, MS_PER_SECOND, WORKOUT_LENGTH, type WorkoutRecord } from '@healthd/model';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject, textOf } from '../../payload/index.js';
import { countUnreadable, type PlacedRecord, placedRecord } from '../../rest/index.js';
import { PLACE } from './placed-record.js';
import { countScoreFaults, healthScore, scoreOf } from './score.js';
import { replacedScores, replacedWindow, WHOOP_SOURCE } from './source.js';
import { workoutType } from './sports.js';

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
const ZONES = ['zero', 'one', 'two', 'three', 'four', 'five'];

/** Workouts of a window with the strain of each. */
export function workoutRecords(records: readonly unknown[], window: TimeRange, tally: Tally): HealthRecord[] {
  const placed = records.flatMap((record) => {
    const one = placedRecord(record, PLACE, WORKOUT_LENGTH, tally);
    if (one) countFaults(one.record, tally);
    return one ?? [];
  });
  return [
    { ...replacedWindow(window), of: 'workouts' },
    replacedScores(SCORES, window),
    ...placed.map(workout),
    ...placed.map(({ record, id, startMs, offsetMinutes }) =>
      healthScore(record, {
        externalId: `${SCORES}${id}`,
        category: 'strain',
        atMs: startMs,
        offsetMinutes,
        value: 'strain',
        components: COMPONENTS,
        words: { period: 'workout' },
      }),
    ),
  ];
}

function countFaults(record: PayloadObject, tally: Tally): void {
  countUnreadable(record, { sport_name: 'text', sport_id: 'number', timezone_offset: 'offset' }, tally.fault);
  const zones = ZONES.map((zone) => `zone_durations.zone_${zone}_milli`);
  countScoreFaults(record, ['strain', ...COMPONENTS, ...zones], tally);
  countUnreadable(scoreOf(record) ?? {}, { zone_durations: 'object' }, (name) => tally.fault(`score.${name}`));
}

/** The vendor knows no pauses: all of the time was spent moving. Its energy is all that was spent meanwhile. */
function workout({ record, id, startMs, endMs, offsetMinutes }: PlacedRecord): WorkoutRecord {
  const score = scoreOf(record) ?? {};
  const sport = textOf(record.sport_name);
  const seconds = (endMs - startMs) / MS_PER_SECOND;
  return {
    kind: 'workout',
    source: WHOOP_SOURCE,
    externalId: id,
    type: workoutType(sport, numberOf(record.sport_id)),
    startMs,
    endMs,
    offsetMinutes,
    durationSeconds: seconds,
    movingSeconds: seconds,
    totalCaloriesKcal: kcalOfKilojoules(numberOf(score.kilojoule)),
    distanceMeters: numberOf(score.distance_meter),
    heartRateAvg: numberOf(score.average_heart_rate),
    heartRateMax: numberOf(score.max_heart_rate),
    elevationGainMeters: numberOf(score.altitude_gain_meter),
    metadata: { ...(sport !== undefined && { vendor_type: sport }), ...zoneSeconds(score) },
  };
}

/** Time in each zone of the heart rate, as the vendor draws them. */
function zoneSeconds({ zone_durations: zones }: PayloadObject): Record<string, number> {
  const found: Record<string, number> = {};
  for (const zone of isObject(zones) ? ZONES : []) {
    const ms = isObject(zones) ? numberOf(zones[`zone_${zone}_milli`]) : undefined;
    if (ms !== undefined) found[`zone_${zone}_seconds`] = ms / MS_PER_SECOND;
  }
  return found;
}

/** A thermochemical calorie is 4.184 joules. */
const KILOJOULES_PER_KCAL = 4.184;

/** Heat in kcal, to a hundredth; undefined stays so. */
function kcalOfKilojoules(kilojoules: number | undefined): number | undefined {
  return kilojoules === undefined ? undefined : Math.round((kilojoules / KILOJOULES_PER_KCAL) * 100) / 100;
}
