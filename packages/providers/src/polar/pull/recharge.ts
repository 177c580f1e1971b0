import {
  dayNumber,
  dayStartMs,
  type HealthRecord,
  type HealthScoreRecord,
  MS_PER_DAY,
  MS_PER_MINUTE,
  type SampleRecord,
  type SeriesCode,
} from '@healthd/model';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { countUnreadable, membersOf } from '../../rest/index.js';
import { aroundDay, POLAR_SOURCE, replacedSamples, replacedScore, replacedTotals, sampleOf } from './source.js';
import { componentsOf, positive } from './values.js';
import { midnightOf, type WallClock } from './wall-clock.js';
import { byTimeOfDay, countUnreadableEntries, instantOfWall, wallMinute } from './wall-time.js';

/** What is measured every five minutes of the first hours of a night, and the mean that the vendor shows of it. */
const MEASURED = [
  { series: 'heart_rate_variability_rmssd', samples: 'hrv_samples', mean: 'heart_rate_variability_avg' },
  { series: 'respiratory_rate', samples: 'breathing_samples', mean: 'breathing_rate_avg' },
] as const satisfies readonly { series: SeriesCode; samples: string; mean: string }[];

/** Series that recharges lead to. */
export const RECHARGE_SERIES: readonly SeriesCode[] = MEASURED.map(({ series }) => series);

const STATUS = ['very poor', 'poor', 'compromised', 'ok', 'good', 'very good'];
const CHARGE = ['much below usual', 'below usual', 'usual', 'above usual', 'much above usual'];
const MEANS = ['heart_rate_avg', 'beat_to_beat_avg', 'heart_rate_variability_avg', 'breathing_rate_avg'];
const MEMBERS = {
  ...membersOf('number', [...MEANS, 'ans_charge', 'ans_charge_status']),
  ...membersOf('object', ['hrv_samples', 'breathing_samples']),
};

/** Recharges of the nights whose dates the window can touch. */
export function rechargeRecords(
  recharges: readonly unknown[],
  { startMs, endMs }: TimeRange,
  clock: WallClock,
  tally: Tally,
): HealthRecord[] {
  return recharges.flatMap((one): HealthRecord[] => {
    const date = isObject(one) && typeof one.date === 'string' ? one.date : '';
    const day = dayNumber(date);
    if (day !== undefined && (dayStartMs(day + 2) <= startMs || dayStartMs(day - 1) >= endMs)) return [];
    const index = tally.next();
    if (!isObject(one) || day === undefined) {
      tally.reject(index, 'date', 'invalid_date');
      return [];
    }
    const externalId = `nightly-recharge/${date}`;
    countUnreadable(one, MEMBERS, tally.fault);
    for (const { samples } of MEASURED) {
      countUnreadableEntries(one[samples], samples, (value) => numberOf(value) !== undefined, tally.fault);
    }
    const status = one.nightly_recharge_status;
    // 0 is written where the vendor computed no status.
    if (status !== undefined && status !== null && numberOf(status) !== 0 && statusOf(one) === undefined) {
      tally.fault('nightly_recharge_status');
    }
    if (clock.nightOf(date) === undefined && clock.offsetAt(dayStartMs(day)) === undefined) {
      for (const { samples } of MEASURED.filter((measured) => isObject(one[measured.samples]))) {
        tally.reject(index, samples, 'unknown_offset');
      }
    }
    return [
      replacedSamples(externalId, RECHARGE_SERIES, aroundDay(day)),
      replacedTotals(day, RECHARGE_SERIES),
      ...MEASURED.flatMap((measured) => [
        ...readings(one, measured, { date, day, externalId }, clock),
        ...meanOf(one, measured, { date, day, externalId }, clock),
      ]),
      replacedScore(externalId, aroundDay(day)),
      ...scoreOf(one, externalId, day, clock),
    ];
  });
}

interface Night {
  date: string;
  day: number;
  externalId: string;
}

/** By times of day, from the night's beginning, or else from the noon before its date. */
function readings(
  recharge: PayloadObject,
  { series, samples }: (typeof MEASURED)[number],
  { date, day, externalId }: Night,
  clock: WallClock,
): SampleRecord[] {
  const night = clock.nightOf(date);
  const startOffset = night && (night.clock.offsetAt(night.startMs + night.offsetMinutes * MS_PER_MINUTE) ?? 0);
  const fromMs =
    night === undefined || startOffset === undefined
      ? dayStartMs(day) - MS_PER_DAY / 2
      : wallMinute(night.startMs + startOffset * MS_PER_MINUTE);
  return byTimeOfDay(recharge[samples], fromMs).flatMap(({ wallMs, value }): SampleRecord[] => {
    const number = positive(value);
    const offsetMinutes = (night?.clock ?? clock).offsetAt(wallMs);
    if (number === undefined || offsetMinutes === undefined) return [];
    const place = { startMs: instantOfWall(wallMs, offsetMinutes), offsetMinutes, externalId };
    return [sampleOf(series, 'sample', place, number)];
  });
}

/** One for the night: at waking, or of the date where the night is not known. */
function meanOf(
  recharge: PayloadObject,
  { series, mean }: (typeof MEASURED)[number],
  { date, day, externalId }: Night,
  clock: WallClock,
): SampleRecord[] {
  const value = positive(recharge[mean]);
  if (value === undefined) return [];
  const night = clock.nightOf(date);
  if (!night) return [sampleOf(series, 'daily_total', midnightOf(day, clock), value)];
  const { endMs, offsetMinutes } = night;
  return [sampleOf(series, 'aggregate', { startMs: endMs, offsetMinutes, externalId }, value)];
}

function scoreOf(recharge: PayloadObject, externalId: string, day: number, clock: WallClock): HealthScoreRecord[] {
  const value = statusOf(recharge);
  if (value === undefined) return [];
  const { startMs: atMs, offsetMinutes } = midnightOf(day, clock);
  const charge = positive(recharge.ans_charge_status);
  return [
    {
      kind: 'health_score',
      source: POLAR_SOURCE,
      externalId,
      category: 'recovery',
      value,
      qualifier: STATUS[value - 1],
      atMs,
      offsetMinutes,
      components: {
        ...componentsOf(recharge, MEANS, positive),
        // From -10 to 10.
        ...componentsOf(recharge, ['ans_charge']),
        ...(charge !== undefined && { ans_charge_status: { value: charge, qualifier: CHARGE[charge - 1] ?? null } }),
      },
    },
  ];
}

/** The vendor's grade of a night, 1 to 6. */
function statusOf({ nightly_recharge_status: status }: PayloadObject): number | undefined {
  const value = numberOf(status);
  return value !== undefined && STATUS[value - 1] !== undefined ? value : undefined;
}
