import {
  type HealthRecord,
  MS_PER_SECOND,
  type SampleRecord,
  SLEEP_LENGTH,
  type SleepSessionRecord,
  seriesTypeByCode,
} from '@healthd/model';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { countUnreadable, type PlacedRecord, placedRecord } from '../../rest/index.js';
import { completeSleepSeconds } from '../../sleep-seconds.js';
import { PLACE } from './placed-record.js';
import { countScoreFaults, healthScore, scoreOf } from './score.js';
import { replacedScores, replacedWindow, WHOOP_SOURCE } from './source.js';

const SCORES = 'sleep/';
const RESPIRATION = seriesTypeByCode('respiratory_rate').id;
const COMPONENTS = ['sleep_consistency_percentage', 'sleep_efficiency_percentage', 'respiratory_rate'];
const NEEDS = [
  'baseline_milli',
  'need_from_sleep_debt_milli',
  'need_from_recent_strain_milli',
  'need_from_recent_nap_milli',
];

/** Nights and naps of a window, with the score of each and how fast the person breathed. */
export function sleepRecords(records: readonly unknown[], window: TimeRange, tally: Tally): HealthRecord[] {
  const placed = records.flatMap((record) => {
    const one = placedRecord(record, PLACE, SLEEP_LENGTH, tally);
    if (one) countFaults(one.record, tally);
    return one ?? [];
  });
  return [
    { ...replacedWindow(window), of: 'sleep_sessions' },
    // A rate stands at waking.
    { ...replacedWindow(window), of: 'samples', typeIds: [RESPIRATION] },
    replacedScores(SCORES, window),
    ...placed.map(sleepSession),
    ...placed.flatMap(respiration),
    ...placed.map(sleepScore),
  ];
}

const STAGES = ['in_bed', 'awake', 'light_sleep', 'slow_wave_sleep', 'rem_sleep'];
const NUMBERS = [
  'sleep_performance_percentage',
  ...COMPONENTS,
  ...NEEDS.map((need) => `sleep_needed.${need}`),
  ...STAGES.map((stage) => `stage_summary.total_${stage}_time_milli`),
];

function countFaults(record: PayloadObject, tally: Tally): void {
  countUnreadable(record, { nap: 'boolean', timezone_offset: 'offset' }, tally.fault);
  countScoreFaults(record, NUMBERS, tally);
  const parts = { stage_summary: 'object', sleep_needed: 'object' } as const;
  countUnreadable(scoreOf(record) ?? {}, parts, (name) => tally.fault(`score.${name}`));
}

/** Sums of stages are all there is of them; what is not scored yet has none, and gets them under the same id. */
function sleepSession({ record, id, startMs, endMs, offsetMinutes }: PlacedRecord): SleepSessionRecord {
  const score = scoreOf(record);
  const sums = score && isObject(score.stage_summary) ? score.stage_summary : {};
  const [light, deep, rem] = ['light_sleep', 'slow_wave_sleep', 'rem_sleep'].map((stage) => seconds(sums, stage));
  return {
    kind: 'sleep_session',
    source: WHOOP_SOURCE,
    externalId: id,
    startMs,
    endMs,
    offsetMinutes,
    isNap: record.nap === true,
    ...completeSleepSeconds({ light, deep, rem, awake: seconds(sums, 'awake') }),
    // Without any time in bed a night of unknown sleep would count as slept through.
    inBedSeconds: seconds(sums, 'in_bed') ?? (score ? (endMs - startMs) / MS_PER_SECOND : undefined),
    efficiencyPercent: score && numberOf(score.sleep_efficiency_percentage),
  };
}

function seconds(sums: PayloadObject, stage: string): number | undefined {
  const ms = numberOf(sums[`total_${stage}_time_milli`]);
  return ms === undefined ? undefined : ms / MS_PER_SECOND;
}

/** One rate for the whole of it. */
function respiration({ record, id, endMs, offsetMinutes }: PlacedRecord): SampleRecord[] {
  const value = numberOf(scoreOf(record)?.respiratory_rate);
  if (value === undefined) return [];
  const at = { startMs: endMs, offsetMinutes, externalId: id };
  return [{ kind: 'sample', source: WHOOP_SOURCE, typeId: RESPIRATION, sampleKind: 'aggregate', ...at, value }];
}

/** What the person needed is a part of how well the night did. */
function sleepScore({ record, id, startMs, offsetMinutes }: PlacedRecord) {
  const score = scoreOf(record);
  const needs = score && isObject(score.sleep_needed) ? score.sleep_needed : {};
  return healthScore(
    { ...record, ...(score && { score: { ...score, ...needs } }) },
    {
      externalId: `${SCORES}${id}`,
      category: 'sleep',
      atMs: startMs,
      offsetMinutes,
      value: 'sleep_performance_percentage',
      components: [...COMPONENTS, ...NEEDS],
      ...(record.nap === true && { words: { period: 'nap' } }),
    },
  );
}
