import { type HealthRecord, type SampleRecord, type SeriesCode, seriesTypeByCode, seriesTypeIds } from '@healthd/model';
import { z } from 'zod';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { idOf, isObject, numberOf, type PayloadOf, readPayload } from '../../payload/index.js';
import { instantMs } from '../../rest/index.js';
import { healthScore, readScore, type WhoopScore } from './score.js';
import { replacedScores, replacedWindow, WHOOP_SOURCE } from './source.js';
import type { Waking, Wakings } from './wakings.js';

/** A recovery. If its sleep is null, it belongs to the night of its cycle. */
const RECOVERY = z.object({ sleep_id: z.string(), cycle_id: z.number() });
/** The score of a recovery. */
const SCORE = z.object({
  user_calibrating: z.boolean(),
  recovery_score: z.number(),
  resting_heart_rate: z.number(),
  hrv_rmssd_milli: z.number(),
  spo2_percentage: z.number(),
  skin_temp_celsius: z.number(),
});
type RecoveryScore = WhoopScore<PayloadOf<typeof SCORE>>;

const SCORES = 'recovery/';
/** Members of the vendor's score with their series. Variability is RMSSD in milliseconds. */
const SERIES = [
  ['resting_heart_rate', 'resting_heart_rate'],
  ['hrv_rmssd_milli', 'heart_rate_variability_rmssd'],
  ['spo2_percentage', 'oxygen_saturation'],
  ['skin_temp_celsius', 'skin_temperature'],
] as const satisfies readonly (readonly [member: keyof typeof SCORE.shape, series: SeriesCode])[];

/** Series that a reading of recoveries replaces. */
export const RECOVERY_SERIES = SERIES.map(([, series]) => series);

/**
 * Returns a window's recoveries. Stores each recovery at the end of its sleep, with the offset at waking, even if the
 * vendor scored it much later. A recovery without a sleep belongs to the night of its cycle. If the sleep is
 * unknown, stores the recovery at the vendor's creation time.
 */
export function recoveryRecords(
  records: readonly unknown[],
  { bySleep, byCycle }: Wakings,
  window: TimeRange,
  tally: Tally,
): HealthRecord[] {
  const found: HealthRecord[] = [
    { ...replacedWindow(window), of: 'samples', typeIds: seriesTypeIds(RECOVERY_SERIES) },
    replacedScores(SCORES, window),
  ];
  for (const record of records) {
    const vendorSleepId = isObject(record) ? idOf(record.sleep_id) : undefined;
    const cycleId = isObject(record) ? numberOf(record.cycle_id) : undefined;
    if (!isObject(record) || (vendorSleepId === undefined && cycleId === undefined)) {
      tally.reject(tally.next(), isObject(record) ? 'sleep_id' : undefined, 'missing');
      continue;
    }
    const ofCycle = cycleId === undefined ? undefined : byCycle.get(cycleId);
    const waking = (vendorSleepId === undefined ? ofCycle : bySleep.get(vendorSleepId)) ?? {
      sleepId: vendorSleepId,
      atMs: instantMs(record.created_at),
      offsetMinutes: undefined,
    };
    const sleepId = waking.sleepId ?? `cycle-${cycleId}`;
    if (Number.isNaN(waking.atMs)) {
      tally.reject(tally.next(), 'created_at', 'invalid_date');
      continue;
    }
    // Skips recoveries outside of the window, because the requested range is longer, to find every sleep.
    if (waking.atMs < window.startMs || waking.atMs >= window.endMs) continue;
    tally.next();
    readPayload(RECOVERY, record, tally.fault);
    const score = readScore(SCORE, record, tally);
    found.push(...samplesOf(score, sleepId, waking), recoveryScore(score, sleepId, waking));
  }
  return found;
}

/** Returns one sample per series, with its value for the whole night. */
function samplesOf({ score = {} }: RecoveryScore, externalId: string, { atMs, offsetMinutes }: Waking): SampleRecord[] {
  return SERIES.flatMap(([member, series]): SampleRecord[] => {
    const value = score[member];
    if (value === undefined) return [];
    const at = { startMs: atMs, offsetMinutes, externalId };
    const typeId = seriesTypeByCode(series).id;
    return [{ kind: 'sample', source: WHOOP_SOURCE, typeId, sampleKind: 'aggregate', ...at, value }];
  });
}

function recoveryScore(scored: RecoveryScore, sleepId: string, { atMs, offsetMinutes }: Waking) {
  return healthScore(scored, {
    externalId: `${SCORES}${sleepId}`,
    category: 'recovery',
    atMs,
    offsetMinutes,
    value: 'recovery_score',
    components: SERIES.map(([member]) => member),
    ...(scored.score?.user_calibrating === true && { words: { user_calibrating: 'true' } }),
  });
}
