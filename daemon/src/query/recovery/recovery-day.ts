import { round, scoreScale } from '@healthd/model';
import type { RecoverySelection, RecoverySummary } from '@healthd/schemas';
import type { Priorities } from '../../priorities/index.js';
import { countedOnce } from '../sleep/counted-once.js';
import { efficiency } from '../sleep/night.js';
import { netSeconds } from '../sleep/session-seconds.js';
import { type SourceRow, sourceMetadata } from '../sources.js';
import { type Evidence, OXYGEN, type Readings, RMSSD, SDNN, type Settled, type Sum } from './evidence.js';
import type { RolledRow, StampedRow } from './evidence.sql.js';
import { scoreOf } from './stamps.js';

/** Beats per minute that a heart at rest can have. */
const VALID_RESTING = [20, 150] as const;
const VALID_HRV = [1, 400] as const;
const VALID_OXYGEN = [50, 100] as const;

/** What one provider reports about one date. */
export interface Recovery {
  date: string;
  provider: string;
  restingHeartRate: number | null;
  sdnn: number | null;
  rmssd: number | null;
  oxygen: number | null;
  score: number | null;
  source: SourceRow | undefined;
}

/** The readings of one series; undefined where there are none or where they are not known yet. */
export type ReadingsOf = (typeId: number) => Readings | undefined;

/** Whether a date has a row is known before open readings are, as soon as one value is there. */
export function hasValue(recovery: Recovery): boolean {
  const { restingHeartRate, sdnn, rmssd, oxygen, score } = recovery;
  return [restingHeartRate, sdnn, rmssd, oxygen, score].some((value) => value !== null);
}

/** One provider's values of one date. Vendors that give no series are read from the components of their score. */
export function recoveryOf(
  evidence: Evidence,
  date: string,
  provider: string,
  readings: ReadingsOf,
  priorities: Priorities,
): Recovery {
  const { resting, scores } = evidence.of(date, provider);
  const score = scoreOf(scores, date);
  const measured = resting.filter(({ value }) => value !== null && within(value, VALID_RESTING));
  const mean = measured.reduce((sum, { value }) => sum + (value ?? 0), 0) / measured.length;
  const rmssd = variability(readings(RMSSD));
  const sdnn = variability(readings(SDNN));
  const oxygen = saturation(readings(OXYGEN));
  const best = (typeId: number) => bestSource(evidence.sourcesOf(date, provider, typeId), priorities);
  return {
    date,
    provider,
    restingHeartRate:
      measured.length > 0 ? round(mean) : rounded(component(score, VALID_RESTING, 'resting_heart_rate'), 0),
    sdnn: rounded(sdnn, 1),
    rmssd: rounded(rmssd ?? component(score, VALID_HRV, 'hrv_rmssd_milli', 'heart_rate_variability_avg'), 1),
    oxygen: rounded(oxygen ?? component(score, VALID_OXYGEN, 'spo2_percentage'), 1),
    score: scoreValue(score),
    source:
      (rmssd === null ? undefined : best(RMSSD)) ??
      (sdnn === null ? undefined : best(SDNN)) ??
      measured[0] ??
      (oxygen === null ? undefined : best(OXYGEN)) ??
      score,
  };
}

/**
 * The provider of a date: first those with both a resting heart rate and a variability, then those with one of them,
 * so that a phone with a lone heart rate does not hide a ring; then by priority, then by name. A strict selection
 * follows priority immediately.
 */
export function chooseProvider(
  candidates: readonly Recovery[],
  priorities: Priorities,
  selection: RecoverySelection,
): Recovery | undefined {
  const gaps = (one: Recovery) => (selection === 'strict' ? 0 : 2 - completeness(one));
  return candidates
    .filter(hasValue)
    .sort(
      (a, b) =>
        gaps(a) - gaps(b) || priorities.provider(a) - priorities.provider(b) || (a.provider < b.provider ? -1 : 1),
    )[0];
}

/** The row of one date, all from one provider; the sleep is its own or none. */
export function recoverySummary(recovery: Recovery, evidence: Evidence): RecoverySummary {
  const sessions = countedOnce(evidence.nights.ownSessions(recovery.provider, recovery.date));
  const asleep = sessions.map(netSeconds).filter((seconds) => seconds !== null);
  return {
    date: recovery.date,
    source: { ...sourceMetadata(recovery.source), provider: recovery.provider },
    sleep_duration_seconds: asleep.length === 0 ? null : round(asleep.reduce((sum, seconds) => sum + seconds, 0)),
    sleep_efficiency_percent: rounded(efficiency(sessions), 1),
    resting_heart_rate_bpm: recovery.restingHeartRate,
    avg_hrv_sdnn_ms: recovery.sdnn,
    avg_hrv_rmssd_ms: recovery.rmssd,
    avg_spo2_percent: recovery.oxygen,
    recovery_score: recovery.score,
  };
}

/** Readings that roll-ups settle; those that are open count as not known. */
export function knownReadings(settled: Settled): Readings | undefined {
  return settled === 'open' ? undefined : settled;
}

/** How many of the two things that report recovery are known: the heart at rest, and its variability. */
function completeness({ restingHeartRate, sdnn, rmssd }: Recovery): number {
  return (restingHeartRate === null ? 0 : 1) + (sdnn === null && rmssd === null ? 0 : 1);
}

/** The vendor's own value of the night, else what was measured asleep, in the night, for the date, on the date. */
function variability(readings: Readings | undefined): number | null {
  if (!readings) return null;
  const { aggregate, asleep, window, stamped, dayAggregate, local } = readings;
  return firstMean(aggregate, asleep, window, stamped, dayAggregate, local);
}

function saturation(readings: Readings | undefined): number | null {
  if (!readings) return null;
  const { aggregate, window, stamped, dayAggregate, local } = readings;
  const given = { count: aggregate.count + stamped.count, sum: aggregate.sum + stamped.sum };
  return firstMean(window, given, dayAggregate, local);
}

function firstMean(...sums: readonly Sum[]): number | null {
  const found = sums.find(({ count }) => count > 0);
  return found ? found.sum / found.count : null;
}

function component(
  score: StampedRow | undefined,
  valid: readonly [number, number],
  ...names: readonly string[]
): number | null {
  for (const name of names) {
    const value = score?.components?.[name]?.value;
    if (typeof value !== 'number') continue;
    const percent = valid === VALID_OXYGEN && value <= 1 ? value * 100 : value;
    if (within(percent, valid)) return percent;
  }
  return null;
}

/** Only scores from 0 to 100 are shown; a grade from 1 to 6 would read as a disaster. */
function scoreValue(score: StampedRow | undefined): number | null {
  if (!score || score.value === null) return null;
  const scale = scoreScale(score.provider, 'recovery');
  if (scale?.min !== 0 || scale.max !== 100) return null;
  return Math.min(100, Math.max(0, round(score.value)));
}

function bestSource(rows: readonly RolledRow[], priorities: Priorities): SourceRow | undefined {
  const nearest = rows.filter((row) => row.date === rows[0]?.date);
  const ranked = nearest.flatMap((row) => (row.source_id === null ? [] : [{ ...row, source_id: row.source_id }]));
  const candidate = (row: SourceRow & RolledRow) => ({
    provider: row.provider,
    deviceType: row.device_type,
    sourceId: row.source_id,
    coveredMinutes: row.sample_count,
  });
  return ranked.sort((a, b) => priorities.compare(candidate(a), candidate(b)))[0];
}

function within(value: number, [lowest, highest]: readonly [number, number]): boolean {
  return value >= lowest && value <= highest;
}

function rounded(value: number | null, decimals: number): number | null {
  return value === null ? null : round(value, decimals);
}
