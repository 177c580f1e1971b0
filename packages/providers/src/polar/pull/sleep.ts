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
  type SleepStage,
  seriesTypeByCode,
} from '@healthd/model';
import { z } from 'zod';
import type { Fallbacks, Tally, TimeRange } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadOf, readPayload } from '../../payload/index.js';
import { instantMs, offsetOfTime, type PlacedRecord, type PlaceMembers, placedRecord } from '../../rest/index.js';
import { completeSleepSeconds } from '../../sleep-seconds.js';
import { NEAR_MS } from './heart-rate.js';
import { aroundDay, continuousId, nightId, POLAR_SOURCE, replacedSamples, replacedScore, sampleOf } from './source.js';
import { BY_TIME_OF_DAY, componentsOf, notNegative, positive } from './values.js';
import { ClockChanges, clockOfNight, midnightOf, type OffsetClock } from './wall-clock.js';
import { byTimeOfDay, countUnreadableEntries, instantOfWall, wallMinute } from './wall-time.js';

/** A night. Requires `date`, and `sleep_start_time` and `sleep_end_time` with offsets. Durations are in seconds. */
const NIGHT = z.object({
  light_sleep: z.number(),
  deep_sleep: z.number(),
  rem_sleep: z.number(),
  unrecognized_sleep_stage: z.number(),
  total_interruption_duration: z.number(),
  /** 1 to 100. */
  sleep_score: z.number(),
  /** 1.0 to 5.0. */
  continuity: z.number(),
  continuity_class: z.number(),
  sleep_charge: z.number(),
  sleep_cycles: z.number(),
  /** The user's own rating. 0 means that there is no rating. */
  sleep_rating: z.number(),
  group_duration_score: z.number(),
  group_solidity_score: z.number(),
  group_regeneration_score: z.number(),
  /** Stage codes by time of day. A stage lasts until the next entry. */
  hypnogram: BY_TIME_OF_DAY,
  /** Five-minute means. */
  heart_rate_samples: BY_TIME_OF_DAY,
});
type Night = PayloadOf<typeof NIGHT>;

const PLACE: PlaceMembers = {
  start: 'sleep_start_time',
  end: 'sleep_end_time',
  offsetOf: ({ sleep_end_time: end }) => offsetOfTime(end),
};
/** Score components. 0 means that there is no value. */
const COMPONENTS = [
  'continuity',
  'continuity_class',
  'sleep_charge',
  'sleep_cycles',
  'sleep_rating',
  'group_duration_score',
  'group_solidity_score',
  'group_regeneration_score',
] as const satisfies readonly (keyof Night)[];

/** Stages by the vendor's codes. The vendor has two depths of light sleep. */
const STAGES: Readonly<Record<number, SleepStage>> = {
  0: 'awake',
  1: 'rem',
  2: 'light',
  3: 'light',
  4: 'deep',
  5: 'unknown',
};

const stageOf = (code: unknown) => STAGES[numberOf(code) ?? Number.NaN];

/** A night with its time range and clock. */
interface PlacedNight extends Omit<PlacedRecord, 'record'> {
  night: Night;
  clock: OffsetClock;
  /** The minute of the night's start on the wall clock. */
  fromWallMs: number;
}

/** Selects the nights that overlap the window. Includes nights without a valid time range, which are rejected later. */
export function nightsIn(nights: readonly unknown[], window: TimeRange): readonly unknown[] {
  return nights.filter((one) => !isObject(one) || !isOutside(one.sleep_start_time, one.sleep_end_time, window));
}

/**
 * Returns nights with their measurements. The vendor has one night per date, so the date is its id.
 * @param isMeasuredNear true if a continuous reading replaces a mean at this wall-clock time
 */
export function sleepRecords(
  nights: readonly unknown[],
  isMeasuredNear: (wallMs: number) => boolean,
  tally: Tally,
): HealthRecord[] {
  const changes = new ClockChanges();
  return nights.flatMap((one): HealthRecord[] => {
    const day = isObject(one) && typeof one.date === 'string' ? dayNumber(one.date) : undefined;
    if (!isObject(one) || day === undefined) {
      tally.reject(tally.next(), 'date', 'invalid_date');
      return [];
    }
    const record = placedRecord({ ...one, id: one.date }, PLACE, SLEEP_LENGTH, tally);
    if (!record) return [];
    const { sleep_start_time: start, sleep_end_time: end } = one;
    const startOffset = offsetOfTime(start) ?? record.offsetMinutes ?? 0;
    const placed: PlacedNight = {
      ...record,
      night: readPayload(NIGHT, one, tally.fault),
      clock: clockOfNight(start, end, changes),
      fromWallMs: wallMinute(record.startMs + startOffset * MS_PER_MINUTE),
    };
    const { hypnogram, heart_rate_samples: means } = placed.night;
    countUnreadableEntries(hypnogram, 'hypnogram', (code) => stageOf(code) !== undefined, tally.fault);
    countUnreadableEntries(means, 'heart_rate_samples', (rate) => numberOf(rate) !== undefined, tally.fault);
    const externalId = nightId(placed.id);
    return [
      sleepSession(placed),
      replacedSamples(externalId, ['heart_rate'], aroundDay(day)),
      ...heartRates(placed, externalId, isMeasuredNear),
      replacedScore(externalId, aroundDay(day)),
      ...scoreOf(placed, externalId, day),
    ];
  });
}

/**
 * Returns the nights whose means are fallbacks, because their continuous readings are unknown. Stored readings have
 * priority.
 */
export function fallbacksOf(nights: readonly unknown[]): Fallbacks {
  const days = nights.filter(isObject).flatMap(({ date }) => (typeof date === 'string' ? (dayNumber(date) ?? []) : []));
  const around = days.flatMap((day) => [day - 1, day, day + 1]);
  return {
    typeId: seriesTypeByCode('heart_rate').id,
    externalIds: days.map((day) => nightId(fromDayNumber(day))),
    insteadOf: around.map((day) => continuousId(fromDayNumber(day))),
    nearMs: NEAR_MS,
  };
}

function isOutside(start: unknown, end: unknown, window: TimeRange): boolean {
  return instantMs(start) >= window.endMs || instantMs(end) <= window.startMs;
}

function sleepSession({
  night,
  clock,
  fromWallMs,
  id,
  startMs,
  endMs,
  offsetMinutes,
}: PlacedNight): SleepSessionRecord {
  const [light, deep, rem] = [night.light_sleep, night.deep_sleep, night.rem_sleep].map(notNegative);
  const stages = stagesOf(night, { startMs, endMs }, clock, fromWallMs);
  const unrecognized = notNegative(night.unrecognized_sleep_stage) ?? unrecognizedIn(stages);
  // The vendor writes 0 for every stage if it could not stage the night.
  const isUnstaged = (unrecognized ?? 0) > 0 && !light && !deep && !rem;
  const provided = { awake: notNegative(night.total_interruption_duration), sleeping: unrecognized };
  return {
    kind: 'sleep_session',
    source: POLAR_SOURCE,
    externalId: id,
    startMs,
    endMs,
    offsetMinutes,
    // The vendor has no naps.
    isNap: false,
    ...completeSleepSeconds(isUnstaged ? provided : { ...provided, light, deep, rem }, stages),
    inBedSeconds: (endMs - startMs) / MS_PER_SECOND,
    stages,
  };
}

/** Returns a night's stages. The last stage ends at waking. Undefined if no stage was recognized. */
function stagesOf(
  { hypnogram }: Night,
  { startMs, endMs }: TimeRange,
  clock: OffsetClock,
  fromWallMs: number,
): SleepSessionRecord['stages'] {
  const starts = byTimeOfDay(hypnogram, fromWallMs)
    .map(({ wallMs, value }) => ({
      stage: stageOf(value),
      // The first entry has only minute precision, so it may precede the start.
      atMs: Math.max(startMs, instantOfWall(wallMs, clock.offsetAt(wallMs) ?? 0)),
    }))
    .sort((a, b) => a.atMs - b.atMs);
  const stages: { stage: SleepStage; startMs: number; endMs: number }[] = [];
  for (const [n, { stage, atMs }] of starts.entries()) {
    const untilMs = Math.min(starts[n + 1]?.atMs ?? endMs, endMs);
    const last = stages.at(-1);
    if (stage === undefined || atMs >= untilMs) continue;
    if (last?.stage === stage && last.endMs === atMs) last.endMs = untilMs;
    else stages.push({ stage, startMs: atMs, endMs: untilMs });
  }
  return stages.some(({ stage }) => stage !== 'unknown') ? stages : undefined;
}

/** Returns the seconds asleep in unrecognized stages; undefined if the hypnogram has no unrecognized stage. */
function unrecognizedIn(stages: SleepSessionRecord['stages'] = []): number | undefined {
  const spans = stages.filter(({ stage }) => stage === 'unknown');
  if (spans.length === 0) return undefined;
  return spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / MS_PER_SECOND;
}

/** Returns the five-minute means that no continuous reading replaces. */
function heartRates(
  { night, clock, fromWallMs, offsetMinutes }: PlacedNight,
  externalId: string,
  isMeasuredNear: (wallMs: number) => boolean,
): SampleRecord[] {
  return byTimeOfDay(night.heart_rate_samples, fromWallMs).flatMap(({ wallMs, value }): SampleRecord[] => {
    const rate = positive(value);
    const offset = clock.offsetAt(wallMs) ?? offsetMinutes;
    if (rate === undefined || offset === undefined || isMeasuredNear(wallMs)) return [];
    const place = { startMs: instantOfWall(wallMs, offset), offsetMinutes: offset, externalId };
    return [sampleOf('heart_rate', 'sample', place, rate)];
  });
}

/** Returns the score at midnight of the vendor's date, as for recharges. */
function scoreOf({ night, clock }: PlacedNight, externalId: string, day: number): HealthScoreRecord[] {
  const value = positive(night.sleep_score);
  if (value === undefined) return [];
  const { startMs: atMs, offsetMinutes } = midnightOf(day, clock);
  const components = componentsOf(night, COMPONENTS, positive);
  const at = { atMs, offsetMinutes };
  return [{ kind: 'health_score', source: POLAR_SOURCE, externalId, category: 'sleep', value, ...at, components }];
}
