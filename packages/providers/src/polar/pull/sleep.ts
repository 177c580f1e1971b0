import {
  dayNumber,
  fromDayNumber,
  type HealthRecord,
  type HealthScoreRecord,
  MS_PER_MINUTE,
  MS_PER_SECOND,
  type SampleRecord,
  SLEEP_LENGTH,
  type SleepSessionRecord,
  seriesTypeByCode,
} from '@healthd/model';
import type { StandIns, Tally, TimeRange } from '../../cloud/index.js';
import { isObject, numberOf } from '../../payload/index.js';
import {
  countUnreadable,
  instantMs,
  membersOf,
  offsetOfTime,
  type PlacedRecord,
  type PlaceMembers,
  placedRecord,
} from '../../rest/index.js';
import { completeSleepSeconds } from '../../sleep-seconds.js';
import { NEAR_MS } from './heart-rate.js';
import { isStageCode, stagesOf } from './hypnogram.js';
import type { MeasuredNear } from './measured-times.js';
import { aroundDay, continuousId, nightId, POLAR_SOURCE, replacedSamples, replacedScore, sampleOf } from './source.js';
import { componentsOf, notNegative, positive } from './values.js';
import { clockOfNight, midnightOf } from './wall-clock.js';
import { byTimeOfDay, countUnreadableEntries, instantOfWall, wallMinute } from './wall-time.js';

const PLACE: PlaceMembers = {
  start: 'sleep_start_time',
  end: 'sleep_end_time',
  offsetOf: ({ sleep_end_time: end }) => offsetOfTime(end),
};
/** What explains the score; 0 is no value of any of them. */
const COMPONENTS = [
  'continuity',
  'continuity_class',
  'sleep_charge',
  'sleep_cycles',
  'sleep_rating',
  'group_duration_score',
  'group_solidity_score',
  'group_regeneration_score',
];

const MEMBERS = {
  ...membersOf('number', [
    'light_sleep',
    'deep_sleep',
    'rem_sleep',
    'unrecognized_sleep_stage',
    'total_interruption_duration',
    'sleep_score',
    ...COMPONENTS,
  ]),
  ...membersOf('object', ['hypnogram', 'heart_rate_samples']),
};

/** Those that lie in the window, and what has no place in time. */
export function nightsIn(nights: readonly unknown[], window: TimeRange): readonly unknown[] {
  return nights.filter((one) => !isObject(one) || !isOutside(one.sleep_start_time, one.sleep_end_time, window));
}

/**
 * Nights with what was measured meanwhile. The vendor has one a date, which is its id.
 * @param isMeasuredNear whether a mean says again what a continuous reading says
 */
export function sleepRecords(nights: readonly unknown[], isMeasuredNear: MeasuredNear, tally: Tally): HealthRecord[] {
  return nights.flatMap((one): HealthRecord[] => {
    const day = isObject(one) && typeof one.date === 'string' ? dayNumber(one.date) : undefined;
    if (!isObject(one) || day === undefined) {
      tally.reject(tally.next(), 'date', 'invalid_date');
      return [];
    }
    const placed = placedRecord({ ...one, id: one.date }, PLACE, SLEEP_LENGTH, tally);
    if (!placed) return [];
    const externalId = nightId(placed.id);
    countUnreadable(one, MEMBERS, tally.fault);
    countUnreadableEntries(one.hypnogram, 'hypnogram', isStageCode, tally.fault);
    countUnreadableEntries(one.heart_rate_samples, 'heart_rate_samples', isNumber, tally.fault);
    return [
      sleepSession(placed),
      replacedSamples(externalId, ['heart_rate'], aroundDay(day)),
      ...heartRates(placed, externalId, isMeasuredNear),
      replacedScore(externalId, aroundDay(day)),
      ...scoreOf(placed, externalId, day),
    ];
  });
}

/** The means of nights, where it is not known what was measured continuously: readings that are stored say more. */
export function standInsOf(nights: readonly unknown[]): StandIns {
  const days = nights.filter(isObject).flatMap(({ date }) => (typeof date === 'string' ? (dayNumber(date) ?? []) : []));
  const around = days.flatMap((day) => [day - 1, day, day + 1]);
  return {
    typeId: seriesTypeByCode('heart_rate').id,
    externalIds: days.map((day) => nightId(fromDayNumber(day))),
    insteadOf: around.map((day) => continuousId(fromDayNumber(day))),
    nearMs: NEAR_MS,
  };
}

const isNumber = (value: unknown) => numberOf(value) !== undefined;

function isOutside(start: unknown, end: unknown, window: TimeRange): boolean {
  return instantMs(start) >= window.endMs || instantMs(end) <= window.startMs;
}

function sleepSession({ record, id, startMs, endMs, offsetMinutes }: PlacedRecord): SleepSessionRecord {
  const seconds = (member: string) => notNegative(record[member]);
  const [light, deep, rem] = ['light_sleep', 'deep_sleep', 'rem_sleep'].map(seconds);
  const stages = stagesOf(record, startMs, endMs);
  const unrecognized = seconds('unrecognized_sleep_stage') ?? unrecognizedIn(stages);
  // The vendor writes 0 for every stage of a night that it could not divide into stages.
  const isUnstaged = (unrecognized ?? 0) > 0 && !light && !deep && !rem;
  const given = { awake: seconds('total_interruption_duration'), sleeping: unrecognized };
  return {
    kind: 'sleep_session',
    source: POLAR_SOURCE,
    externalId: id,
    startMs,
    endMs,
    offsetMinutes,
    // The vendor has no naps.
    isNap: false,
    ...completeSleepSeconds(isUnstaged ? given : { ...given, light, deep, rem }, stages),
    inBedSeconds: (endMs - startMs) / MS_PER_SECOND,
    stages,
  };
}

/** Seconds asleep whose stage the vendor did not recognize, by the hypnogram; undefined if it has no such part. */
function unrecognizedIn(stages: SleepSessionRecord['stages'] = []): number | undefined {
  const spans = stages.filter(({ stage }) => stage === 'unknown');
  if (spans.length === 0) return undefined;
  return spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / MS_PER_SECOND;
}

/** Means of five minutes, by times of day, without those that say again what was measured continuously. */
function heartRates(
  { record, startMs, offsetMinutes }: PlacedRecord,
  externalId: string,
  isMeasuredNear: MeasuredNear,
): SampleRecord[] {
  const clock = clockOfNight(record.sleep_start_time, record.sleep_end_time);
  const startOffset = offsetOfTime(record.sleep_start_time) ?? offsetMinutes ?? 0;
  const fromMs = wallMinute(startMs + startOffset * MS_PER_MINUTE);
  return byTimeOfDay(record.heart_rate_samples, fromMs).flatMap(({ wallMs, value }): SampleRecord[] => {
    const rate = positive(value);
    const offset = clock.offsetAt(wallMs) ?? offsetMinutes;
    if (rate === undefined || offset === undefined || isMeasuredNear(wallMs)) return [];
    const place = { startMs: instantOfWall(wallMs, offset), offsetMinutes: offset, externalId };
    return [sampleOf('heart_rate', 'sample', place, rate)];
  });
}

/** At the midnight of the vendor's date, as the scores of recharges. */
function scoreOf({ record }: PlacedRecord, externalId: string, day: number): HealthScoreRecord[] {
  const value = positive(record.sleep_score);
  if (value === undefined) return [];
  const components = componentsOf(record, COMPONENTS, positive);
  const { startMs: atMs, offsetMinutes } = midnightOf(
    day,
    clockOfNight(record.sleep_start_time, record.sleep_end_time),
  );
  const at = { atMs, offsetMinutes };
  return [{ kind: 'health_score', source: POLAR_SOURCE, externalId, category: 'sleep', value, ...at, components }];
}
