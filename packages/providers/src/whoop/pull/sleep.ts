import {
  type HealthRecord,
  MS_PER_SECOND,
  type SampleRecord,
  SLEEP_LENGTH,
  type SleepSessionRecord,
  seriesTypeByCode,
} from '@healthd/model';
import { z } from 'zod';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { type PayloadOf, readPayload } from '../../payload/index.js';
import { type PlacedRecord, placedRecord } from '../../rest/index.js';
import { completeSleepSeconds } from '../../sleep-seconds.js';
import { OFFSET, PLACE } from './placed-record.js';
import { healthScore, readScore, type WhoopScore } from './score.js';
import { replacedScores, replacedWindow, WHOOP_SOURCE } from './source.js';

/** A sleep or a nap. `id`, `start` and `end` identify it. */
const SLEEP = z.object({ nap: z.boolean(), timezone_offset: OFFSET });
/** The score of a sleep. Stages are sums only, because the vendor reports no intervals. */
const SCORE = z.object({
  sleep_performance_percentage: z.number(),
  sleep_consistency_percentage: z.number(),
  sleep_efficiency_percentage: z.number(),
  respiratory_rate: z.number(),
  stage_summary: z.object({
    /** May be longer than `end` minus `start`. */
    total_in_bed_time_milli: z.number(),
    total_awake_time_milli: z.number(),
    total_light_sleep_time_milli: z.number(),
    total_slow_wave_sleep_time_milli: z.number(),
    total_rem_sleep_time_milli: z.number(),
  }),
  sleep_needed: z.object({
    baseline_milli: z.number(),
    need_from_sleep_debt_milli: z.number(),
    need_from_recent_strain_milli: z.number(),
    need_from_recent_nap_milli: z.number(),
  }),
});

const SCORES = 'sleep/';
const RESPIRATION = seriesTypeByCode('respiratory_rate').id;
const COMPONENTS = ['sleep_consistency_percentage', 'sleep_efficiency_percentage', 'respiratory_rate'];
const NEEDS = Object.keys(SCORE.shape.sleep_needed.shape);

interface WhoopSleep extends PlacedRecord, WhoopScore<PayloadOf<typeof SCORE>> {
  isNap: boolean;
}

/** Returns a window's nights and naps, with scores and respiratory rates. */
export function sleepRecords(records: readonly unknown[], window: TimeRange, tally: Tally): HealthRecord[] {
  const sleeps = records.flatMap((record): WhoopSleep[] => {
    const placed = placedRecord(record, PLACE, SLEEP_LENGTH, tally);
    if (!placed) return [];
    const { nap } = readPayload(SLEEP, placed.record, tally.fault);
    return [{ ...placed, isNap: nap === true, ...readScore(SCORE, placed.record, tally) }];
  });
  return [
    { ...replacedWindow(window), of: 'sleep_sessions' },
    // A respiratory rate is stored at waking.
    { ...replacedWindow(window), of: 'samples', typeIds: [RESPIRATION] },
    replacedScores(SCORES, window),
    ...sleeps.map(sleepSession),
    ...sleeps.flatMap(respiration),
    ...sleeps.map(sleepScore),
  ];
}

/** Returns a night or nap. An unscored sleep has no sums. The vendor adds the sums later under the same id. */
function sleepSession({ id, startMs, endMs, offsetMinutes, isNap, score }: WhoopSleep): SleepSessionRecord {
  const sums = score?.stage_summary ?? {};
  return {
    kind: 'sleep_session',
    source: WHOOP_SOURCE,
    externalId: id,
    startMs,
    endMs,
    offsetMinutes,
    isNap,
    ...completeSleepSeconds({
      light: seconds(sums.total_light_sleep_time_milli),
      deep: seconds(sums.total_slow_wave_sleep_time_milli),
      rem: seconds(sums.total_rem_sleep_time_milli),
      awake: seconds(sums.total_awake_time_milli),
    }),
    // Falls back to the time from start to end. Otherwise a night without known sleep would count as fully asleep.
    inBedSeconds: seconds(sums.total_in_bed_time_milli) ?? (score ? (endMs - startMs) / MS_PER_SECOND : undefined),
    efficiencyPercent: score?.sleep_efficiency_percentage,
  };
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / MS_PER_SECOND;
}

/** Returns one rate for the whole sleep. */
function respiration({ id, endMs, offsetMinutes, score }: WhoopSleep): SampleRecord[] {
  const value = score?.respiratory_rate;
  if (value === undefined) return [];
  const at = { startMs: endMs, offsetMinutes, externalId: id };
  return [{ kind: 'sample', source: WHOOP_SOURCE, typeId: RESPIRATION, sampleKind: 'aggregate', ...at, value }];
}

/** Returns a sleep's score. Adds the user's sleep need to its components, because the need explains the score. */
function sleepScore({ id, startMs, offsetMinutes, isNap, state, score }: WhoopSleep) {
  return healthScore(
    { state, score: score && { ...score, ...score.sleep_needed } },
    {
      externalId: `${SCORES}${id}`,
      category: 'sleep',
      atMs: startMs,
      offsetMinutes,
      value: 'sleep_performance_percentage',
      components: [...COMPONENTS, ...NEEDS],
      ...(isNap && { words: { period: 'nap' } }),
    },
  );
}
