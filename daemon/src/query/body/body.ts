import { dayNumber, MS_PER_DAY, MS_PER_HOUR, PROFILE_VALUE_COLUMNS, round, seriesTypeByCode } from '@healthd/model';
import type { BodySummary, RecoverySummary } from '@healthd/schemas';
import type pg from 'pg';
import type { Priorities } from '../../priorities/index.js';
import { ageOn } from '../activity/heart-rate-zones.js';
import { sqlInstant } from '../bounds.js';
import { localDateAt } from '../local-offsets.js';
import { readRecovery } from '../nights/recovery-summary.js';
import { instantText, wholeOrNull } from '../presentation.js';
import { type DatedCandidate, selectNewest } from '../selection/select-newest.js';
import type { Selection } from '../selection/select-source.js';
import { ruleSources, type SummarySource, sourceMetadata, sourceOrNull } from '../sources.js';
import type { Withheld } from '../withheld.js';
import { bloodPressure, type PressureCandidate } from './blood-pressure.js';
import {
  bloodPressures,
  type DatedMeasuredRow,
  type MeasuredRow,
  type NewestBody,
  newestBody,
  newestValuesBySource,
  type PressureRow,
} from './body.sql.js';

export interface BodyParams {
  /** The instant that the summary describes, exclusive. */
  nowMs: number;
  averageDays: number;
  latestHours: number;
  /**
   * Providers whose values must not be shown. An average that includes a hidden value has this value's source, so that
   * the average is hidden too.
   */
  withheld: Withheld;
}

/** Series of figures that are a single measurement. */
const MEASURED = {
  weight: seriesTypeByCode('weight').id,
  height: seriesTypeByCode('height').id,
  body_fat: seriesTypeByCode('body_fat_percentage').id,
  muscle_mass: seriesTypeByCode('lean_body_mass').id,
  skeletal_muscle_mass: seriesTypeByCode('skeletal_muscle_mass').id,
  bmi: seriesTypeByCode('body_mass_index').id,
  body_temperature: seriesTypeByCode('body_temperature').id,
  skin_temperature: seriesTypeByCode('skin_temperature').id,
} as const;
export type MeasuredGroup = keyof typeof MEASURED;
type MeasuredSources = Pick<BodySummary['sources'], MeasuredGroup>;

const SLOW = ['weight', 'height', 'body_fat', 'muscle_mass', 'skeletal_muscle_mass', 'bmi'] as const;
const LATEST: readonly MeasuredGroup[] = ['body_temperature', 'skin_temperature'];
const GROUPS: readonly MeasuredGroup[] = [...SLOW, 'body_temperature', 'skin_temperature'];

/** A measured value, or a BMI computed from a weight. */
interface MeasuredCandidate extends DatedCandidate {
  row: MeasuredRow;
  value: number;
}

/** Data of a body summary: the selection of each figure, and the recovery rows in the averages. */
export interface BodyFigures {
  params: BodyParams;
  measured: Record<MeasuredGroup, Selection<MeasuredCandidate>>;
  pressure: Selection<PressureCandidate>;
  /** Recovery rows in order of date. */
  recovery: readonly RecoverySummary[];
  birthDate: string | null;
  priorities: Priorities;
}

/**
 * Reads the body summary; null if there are no figures. A BMI or an age alone is not enough. Averages are means of the
 * recovery summary's values.
 */
export async function readBody(
  source: SummarySource,
  userKey: number,
  params: BodyParams,
): Promise<BodySummary | null> {
  return bodySummary(await readBodyFigures(source, userKey, { ...params, of: 'newest' }));
}

interface BodyQuery extends BodyParams {
  /**
   * `newest` reads only the values at the newest instant of each figure. `sources` reads the newest value of each
   * source.
   */
  of: 'newest' | 'sources';
}

/** Stored values of the body, before the selection of sources. */
interface StoredBody {
  query: BodyQuery;
  values: readonly MeasuredRow[];
  pressures: readonly PressureRow[];
  birthDate: string | null;
  /** The user's local date. Undefined if the query is for the newest value of each source. */
  today: string | undefined;
}

/** Reads the figures of the body and selects their sources. */
export async function readBodyFigures(source: SummarySource, userKey: number, query: BodyQuery): Promise<BodyFigures> {
  const [stored, priorities] = await Promise.all([
    readStoredBody(source.pool, userKey, query),
    source.priorities.current(),
  ]);
  const today = stored.today ?? (await localDateAt(source.pool, userKey, query.nowMs));
  const recovery = await recoveryUntil(source, userKey, today, query.averageDays);
  return selectBody(stored, recovery, priorities);
}

export async function readStoredBody(pool: pg.Pool, userKey: number, query: BodyQuery): Promise<StoredBody> {
  const [now, latestFrom] = [sqlInstant(query.nowMs), sqlInstant(latestFromMs(query))];
  const columns = [userKey, GROUPS.map((group) => MEASURED[group]), now, ...PROFILE_VALUE_COLUMNS];
  if (query.of === 'newest') {
    const { rows } = await pool.query<NewestBody>(newestBody([...columns, latestFrom]));
    const [stored] = rows;
    return {
      query,
      values: (stored?.measured ?? []).map((row) => ({ ...row, at: new Date(row.at), value: Number(row.value) })),
      pressures: (stored?.pressures ?? []).map((row) => ({
        ...row,
        at: new Date(row.at),
        systolic: Number(row.systolic),
        diastolic: Number(row.diastolic),
      })),
      birthDate: stored?.birth_date ?? null,
      today: stored?.local_date,
    };
  }
  const [values, pressures] = await Promise.all([
    pool.query<DatedMeasuredRow>(
      newestValuesBySource([...columns, GROUPS.map((group) => sqlInstant(fromMs(group, query)))]),
    ),
    pool.query<PressureRow>(bloodPressures([userKey, latestFrom, now])),
  ]);
  const birthDate = values.rows[0]?.birth_date ?? null;
  return { query, values: values.rows, pressures: pressures.rows, birthDate, today: undefined };
}

function latestFromMs({ nowMs, latestHours }: BodyQuery): number {
  return nowMs - latestHours * MS_PER_HOUR;
}

/** Returns the instant from which values of a group count. */
function fromMs(group: MeasuredGroup, query: BodyQuery): number {
  return LATEST.includes(group) ? latestFromMs(query) : Number.NEGATIVE_INFINITY;
}

/** @param recovery rows of the averaged dates, in order */
export function selectBody(
  { query, values, pressures, birthDate }: StoredBody,
  recovery: readonly RecoverySummary[],
  priorities: Priorities,
): BodyFigures {
  const ruleOf = ruleSources();
  const select = (group: MeasuredGroup) => {
    const candidates = values.flatMap((row) =>
      row.type_id === MEASURED[group] && row.at.getTime() >= fromMs(group, query)
        ? [{ source: ruleOf(row), lead: row.value, at: row.at, isProfile: row.is_profile, row, value: row.value }]
        : [],
    );
    return selectNewest(candidates, priorities);
  };
  const measured = Object.fromEntries(GROUPS.map((group) => [group, select(group)])) as BodyFigures['measured'];
  return {
    params: query,
    measured: { ...measured, bmi: bodyMassIndex(measured) },
    pressure: bloodPressure(pressures, priorities),
    recovery,
    birthDate,
    priorities,
  };
}

/** Returns the summary of selected figures; null without figures. */
export function bodySummary(figures: BodyFigures): BodySummary | null {
  const { params, measured, pressure, recovery, birthDate, priorities } = figures;
  const { nowMs, averageDays } = params;
  const winner = (group: MeasuredGroup) => measured[group].winner;
  const value = (group: MeasuredGroup) => winner(group)?.value ?? null;
  const measuredAt = (group: MeasuredGroup) => {
    const at = winner(group)?.at;
    return at ? instantText(at) : null;
  };
  const resting = meanOfDates(recovery.map((row) => row.resting_heart_rate_bpm));
  const sdnn = meanOfDates(recovery.map((row) => row.avg_hrv_sdnn_ms));
  const rmssd = meanOfDates(recovery.map((row) => row.avg_hrv_rmssd_ms));
  const blood = pressure.winner;
  const known = [...GROUPS.filter((group) => group !== 'bmi').map(winner), resting, sdnn, rmssd, blood];
  if (known.every((one) => one === undefined)) return null;
  const slow = selectNewest(
    SLOW.flatMap((group) => winner(group) ?? []),
    priorities,
  );
  const newestOf = (has: (row: RecoverySummary) => unknown, group: 'hrv' | 'resting_heart_rate') => {
    const averaged = recovery.filter((row) => has(row) !== null).map((row) => row.sources[group]);
    return averaged.findLast((one) => one && params.withheld.has(one.provider)) ?? averaged.at(-1) ?? null;
  };
  return {
    source: sourceMetadata(slow.winner?.row),
    sources: {
      ...(Object.fromEntries(GROUPS.map((group) => [group, sourceOrNull(winner(group)?.row)])) as MeasuredSources),
      resting_heart_rate: newestOf((row) => row.resting_heart_rate_bpm, 'resting_heart_rate'),
      hrv_sdnn: newestOf((row) => row.avg_hrv_sdnn_ms, 'hrv'),
      hrv_rmssd: newestOf((row) => row.avg_hrv_rmssd_ms, 'hrv'),
      blood_pressure: sourceOrNull(blood?.row),
    },
    slow_changing: {
      weight_kg: value('weight'),
      height_cm: value('height'),
      body_fat_percent: value('body_fat'),
      muscle_mass_kg: value('muscle_mass'),
      skeletal_muscle_mass_kg: value('skeletal_muscle_mass'),
      bmi: value('bmi'),
      age: ageAt(nowMs, birthDate),
    },
    averaged: {
      period_days: averageDays,
      resting_heart_rate_bpm: wholeOrNull(resting ?? null),
      avg_hrv_sdnn_ms: sdnn === undefined ? null : round(sdnn, 1),
      avg_hrv_rmssd_ms: rmssd === undefined ? null : round(rmssd, 1),
      period_start: instantText(nowMs - averageDays * MS_PER_DAY),
      period_end: instantText(nowMs),
    },
    latest: {
      body_temperature_celsius: value('body_temperature'),
      body_temperature_measured_at: measuredAt('body_temperature'),
      skin_temperature_celsius: value('skin_temperature'),
      skin_temperature_measured_at: measuredAt('skin_temperature'),
      blood_pressure: blood?.reading ?? null,
      blood_pressure_measured_at: blood ? instantText(blood.at) : null,
    },
  };
}

/** Reads the recovery of the last `days` local dates up to and including a date. */
async function recoveryUntil(
  source: SummarySource,
  userKey: number,
  date: string,
  days: number,
): Promise<RecoverySummary[]> {
  const today = dayNumber(date) as number;
  const bound = (day: number) => ({ ms: day * MS_PER_DAY, dateOnly: true });
  const { data } = await readRecovery(source, userKey, {
    start: bound(today - days + 1),
    end: bound(today + 1),
    limit: days,
  });
  return data;
}

/** Returns the mean over the dates with a value. */
function meanOfDates(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/**
 * Returns the measured BMI if it is at least as new as the weight, or if the weight or the height is missing. Otherwise
 * computes it from weight in kg and height in m, with the source of the weight.
 */
function bodyMassIndex({
  weight: { winner: weight },
  height: { winner: height },
  bmi,
}: BodyFigures['measured']): BodyFigures['measured']['bmi'] {
  if (!weight || !height || height.value <= 0) return bmi;
  const weighedMs = weight.isProfile ? 0 : weight.at.getTime();
  if (bmi.winner && weighedMs <= bmi.winner.at.getTime()) return bmi;
  const value = round(weight.value / (height.value / 100) ** 2, 1);
  const computed = { ...weight, lead: value, value };
  const older = bmi.placed.map(({ candidate, reason }) => ({
    candidate,
    reason: reason ?? ('older_reading' as const),
  }));
  return { ...bmi, winner: computed, placed: [{ candidate: computed, reason: null }, ...older] };
}

/** Returns the age on the UTC date of an instant; null without a readable birth date. */
function ageAt(nowMs: number, birthDate: string | null): number | null {
  if (birthDate === null || dayNumber(birthDate) === undefined) return null;
  return ageOn(birthDate, new Date(nowMs).toISOString().slice(0, 10));
}
