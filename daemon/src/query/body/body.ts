import { dayNumber, MS_PER_DAY, MS_PER_HOUR, PROFILE_VALUE_COLUMNS, round, seriesTypeByCode } from '@healthd/model';
import type { BodySummary, RecoverySummary } from '@healthd/schemas';
import type { Priorities } from '../../priorities/index.js';
import { readRecovery } from '../nights/recovery-summary.js';
import { instantText, wholeOrNull } from '../presentation.js';
import { selectSource } from '../selection/select-source.js';
import { ruleSource, type SourceRow, sourceMetadata } from '../sources.js';
import { sqlInstant } from '../sql-instant.js';
import type { SummarySource } from '../summary-source.js';
import { bloodPressure } from './blood-pressure.js';
import { bloodPressures, type MeasuredRow, newestValues, type PressureRow, todayOf } from './body.sql.js';

export interface BodyParams {
  /** The instant that the summary describes; nothing measured at or after it counts. */
  nowMs: number;
  averageDays: number;
  latestHours: number;
}

const WEIGHT = seriesTypeByCode('weight').id;
const HEIGHT = seriesTypeByCode('height').id;
const BODY_FAT = seriesTypeByCode('body_fat_percentage').id;
const LEAN_MASS = seriesTypeByCode('lean_body_mass').id;
const MUSCLE_MASS = seriesTypeByCode('skeletal_muscle_mass').id;
const BMI = seriesTypeByCode('body_mass_index').id;
const SLOW_TYPES = [WEIGHT, HEIGHT, BODY_FAT, LEAN_MASS, MUSCLE_MASS, BMI];
const BODY_TEMPERATURE = seriesTypeByCode('body_temperature').id;
const SKIN_TEMPERATURE = seriesTypeByCode('skin_temperature').id;
const SYSTOLIC = seriesTypeByCode('blood_pressure_systolic').id;
const DIASTOLIC = seriesTypeByCode('blood_pressure_diastolic').id;

/** Null when nothing is known; a lone BMI or age is not enough. Averages are those of the recovery summary. */
export async function readBody(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  params: BodyParams,
): Promise<BodySummary | null> {
  const { nowMs, averageDays, latestHours } = params;
  const now = sqlInstant(nowMs);
  const periodStartMs = nowMs - averageDays * MS_PER_DAY;
  const latestFromMs = nowMs - latestHours * MS_PER_HOUR;
  const pressures = [SYSTOLIC, DIASTOLIC];
  const newestTypes = [...SLOW_TYPES, BODY_TEMPERATURE, SKIN_TEMPERATURE];
  const [newest, pressure, recovery, priorities] = await Promise.all([
    pool.query<MeasuredRow>(newestValues([userKey, newestTypes, now, ...PROFILE_VALUE_COLUMNS])),
    pool.query<PressureRow>(bloodPressures([userKey, sqlInstant(latestFromMs), now, ...pressures])),
    recoveryUntil({ pool, priorities: store }, userKey, nowMs, averageDays),
    store.current(),
  ]);
  const value = (typeId: number, fromMs = Number.NEGATIVE_INFINITY) =>
    bestOf(
      newest.rows.filter((row) => row.type_id === typeId && row.at !== null && row.at.getTime() >= fromMs),
      priorities,
    );
  const slow = new Map(SLOW_TYPES.map((typeId) => [typeId, value(typeId)]));
  const temperature = value(BODY_TEMPERATURE, latestFromMs);
  const skin = value(SKIN_TEMPERATURE, latestFromMs);
  const resting = meanOfDates(recovery.map((row) => row.resting_heart_rate_bpm));
  const sdnn = meanOfDates(recovery.map((row) => row.avg_hrv_sdnn_ms));
  const rmssd = meanOfDates(recovery.map((row) => row.avg_hrv_rmssd_ms));
  const blood = bloodPressure(pressure.rows, priorities);
  const known = [
    ...[...slow].filter(([typeId]) => typeId !== BMI).map(([, row]) => row?.value),
    resting,
    sdnn,
    rmssd,
    temperature?.value,
    skin?.value,
    blood?.reading,
  ];
  if (known.every((one) => one === undefined)) return null;
  return {
    source: sourceMetadata(newestOf([...slow.values()], priorities)),
    slow_changing: {
      weight_kg: slow.get(WEIGHT)?.value ?? null,
      height_cm: slow.get(HEIGHT)?.value ?? null,
      body_fat_percent: slow.get(BODY_FAT)?.value ?? null,
      muscle_mass_kg: slow.get(LEAN_MASS)?.value ?? null,
      skeletal_muscle_mass_kg: slow.get(MUSCLE_MASS)?.value ?? null,
      bmi: bodyMassIndex(slow.get(BMI), slow.get(WEIGHT), slow.get(HEIGHT)),
      age: ageAt(nowMs, newest.rows[0]?.birth_date ?? null),
    },
    averaged: {
      period_days: averageDays,
      resting_heart_rate_bpm: wholeOrNull(resting ?? null),
      avg_hrv_sdnn_ms: sdnn === undefined ? null : round(sdnn, 1),
      avg_hrv_rmssd_ms: rmssd === undefined ? null : round(rmssd, 1),
      period_start: instantText(periodStartMs),
      period_end: instantText(nowMs),
    },
    latest: {
      body_temperature_celsius: temperature?.value ?? null,
      body_temperature_measured_at: temperature?.at ? instantText(temperature.at) : null,
      skin_temperature_celsius: skin?.value ?? null,
      skin_temperature_measured_at: skin?.at ? instantText(skin.at) : null,
      blood_pressure: blood?.reading ?? null,
      blood_pressure_measured_at: blood ? instantText(blood.at) : null,
    },
  };
}

/** The recovery of the local dates that end with the user's date at an instant. */
async function recoveryUntil(
  source: SummarySource,
  userKey: number,
  nowMs: number,
  days: number,
): Promise<RecoverySummary[]> {
  const { rows } = await source.pool.query<{ today: string }>(todayOf([userKey, sqlInstant(nowMs)]));
  const today = dayNumber(rows[0]?.today ?? '') ?? Math.floor(nowMs / MS_PER_DAY);
  const bound = (day: number) => ({ ms: day * MS_PER_DAY, dateOnly: true });
  const { data } = await readRecovery(source, userKey, {
    start: bound(today - days + 1),
    end: bound(today + 1),
    limit: days,
  });
  return data;
}

/** The row of the source that the rule selects; the first of several rows of one source. */
function bestOf<Row extends SourceRow>(rows: readonly Row[], priorities: Priorities): Row | undefined {
  const candidates = rows.map((row) => ({ source: ruleSource(row), lead: 1, row }));
  return selectSource(candidates, { priorities, enough: 'any', isSum: false }).winner?.row;
}

/** A value of a profile counts only if nothing was measured. */
function newestOf(rows: readonly (MeasuredRow | undefined)[], priorities: Priorities): MeasuredRow | undefined {
  const known = rows.flatMap((row) => (row?.at ? [{ row, ms: row.at.getTime() }] : []));
  const dated = known.filter(({ row }) => !row.is_profile);
  const measured = dated.length > 0 ? dated : known;
  const lastMs = Math.max(...measured.map(({ ms }) => ms));
  return bestOf(
    measured.filter(({ ms }) => ms === lastMs).map(({ row }) => row),
    priorities,
  );
}

/** Mean over the dates of a recovery summary that have the figure. */
function meanOfDates(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** The measured value, unless the person weighed in since; else weight in kg over the square of the height in m. */
function bodyMassIndex(
  measured: MeasuredRow | undefined,
  weight: MeasuredRow | undefined,
  height: MeasuredRow | undefined,
): number | null {
  const computed =
    weight && height && height.value > 0 ? round(weight.value / (height.value / 100) ** 2, 1) : undefined;
  const weighedAt = weight?.is_profile ? null : weight?.at;
  const outdated = computed !== undefined && (weighedAt ?? 0) > (measured?.at ?? 0);
  return (outdated ? computed : (measured?.value ?? computed)) ?? null;
}

/** Whole years from birth to the UTC date of an instant. */
function ageAt(nowMs: number, birthDate: string | null): number | null {
  if (birthDate === null || dayNumber(birthDate) === undefined) return null;
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}
