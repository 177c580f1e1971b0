import { type HealthRecord, type SampleRecord, type SeriesCode, seriesTypeByCode, seriesTypeIds } from '@healthd/model';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { idOf, isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { countUnreadable, instantMs } from '../../rest/index.js';
import { countScoreFaults, healthScore, scoreOf } from './score.js';
import { replacedScores, replacedWindow, WHOOP_SOURCE } from './source.js';
import type { Waking, Wakings } from './wakings.js';

const SCORES = 'recovery/';
/** Members of the vendor's score and the series that they are. Variability is RMSSD, in milliseconds already. */
const SERIES: readonly (readonly [member: string, series: SeriesCode])[] = [
  ['resting_heart_rate', 'resting_heart_rate'],
  ['hrv_rmssd_milli', 'heart_rate_variability_rmssd'],
  ['spo2_percentage', 'oxygen_saturation'],
  ['skin_temp_celsius', 'skin_temperature'],
];

/** Series that one reading of recoveries replaces. */
export const RECOVERY_SERIES = SERIES.map(([, series]) => series);
const MEMBERS = ['recovery_score', ...SERIES.map(([member]) => member)];

/**
 * Recoveries of a window: each stands where its sleep ended, on the clock of waking, however late it was scored. One without
 * a sleep is that of the night of its cycle. One whose sleep is not known stands where the vendor made it.
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
    const given = isObject(record) ? idOf(record.sleep_id) : undefined;
    const cycleId = isObject(record) ? numberOf(record.cycle_id) : undefined;
    if (!isObject(record) || (given === undefined && cycleId === undefined)) {
      tally.reject(tally.next(), isObject(record) ? 'sleep_id' : undefined, 'missing');
      continue;
    }
    const ofCycle = cycleId === undefined ? undefined : byCycle.get(cycleId);
    const waking = (given === undefined ? ofCycle : bySleep.get(given)) ?? {
      sleepId: given,
      atMs: instantMs(record.created_at),
      offsetMinutes: undefined,
    };
    const sleepId = waking.sleepId ?? `cycle-${cycleId}`;
    if (Number.isNaN(waking.atMs)) {
      tally.reject(tally.next(), 'created_at', 'invalid_date');
      continue;
    }
    // The range that was asked for reaches beyond the window, to find every sleep.
    if (waking.atMs < window.startMs || waking.atMs >= window.endMs) continue;
    tally.next();
    countScoreFaults(record, MEMBERS, tally);
    countUnreadable(record, { sleep_id: 'text', cycle_id: 'number' }, tally.fault);
    found.push(...samplesOf(record, sleepId, waking), recoveryScore(record, sleepId, waking));
  }
  return found;
}

/** Each is one value for the whole night. */
function samplesOf(record: PayloadObject, externalId: string, { atMs, offsetMinutes }: Waking): SampleRecord[] {
  const score = scoreOf(record) ?? {};
  return SERIES.flatMap(([member, series]): SampleRecord[] => {
    const value = numberOf(score[member]);
    if (value === undefined) return [];
    const at = { startMs: atMs, offsetMinutes, externalId };
    const typeId = seriesTypeByCode(series).id;
    return [{ kind: 'sample', source: WHOOP_SOURCE, typeId, sampleKind: 'aggregate', ...at, value }];
  });
}

function recoveryScore(record: PayloadObject, sleepId: string, { atMs, offsetMinutes }: Waking) {
  const isCalibrating = scoreOf(record)?.user_calibrating === true;
  return healthScore(record, {
    externalId: `${SCORES}${sleepId}`,
    category: 'recovery',
    atMs,
    offsetMinutes,
    value: 'recovery_score',
    components: SERIES.map(([member]) => member),
    ...(isCalibrating && { words: { user_calibrating: 'true' } }),
  });
}
