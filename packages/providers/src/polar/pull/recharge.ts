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
import { z } from 'zod';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadOf, readPayload } from '../../payload/index.js';
import { aroundDay, POLAR_SOURCE, replacedSamples, replacedScore, replacedTotals, sampleOf } from './source.js';
import { BY_TIME_OF_DAY, componentsOf, positive } from './values.js';
import { midnightOf, type WallClock } from './wall-clock.js';
import { byTimeOfDay, countUnreadableEntries, instantOfWall, wallMinute } from './wall-time.js';

const STATUS = ['very poor', 'poor', 'compromised', 'ok', 'good', 'very good'];
const CHARGE = ['much below usual', 'below usual', 'usual', 'above usual', 'much above usual'];

/** A night's recharge. Requires `date`. Means cover the first four hours of sleep. */
const RECHARGE = z.object({
  heart_rate_avg: z.number(),
  /** Milliseconds. */
  beat_to_beat_avg: z.number(),
  /** RMSSD in milliseconds. */
  heart_rate_variability_avg: z.number(),
  breathing_rate_avg: z.number(),
  /** From 1 to 6; 0 if the vendor computed no status. */
  nightly_recharge_status: z.number().refine((status) => status === 0 || STATUS[status - 1] !== undefined),
  /** -10 to 10. */
  ans_charge: z.number(),
  /** 1 to 5. */
  ans_charge_status: z.number(),
  /** One value every five minutes of the first hours of sleep, by wall-clock time. */
  hrv_samples: BY_TIME_OF_DAY,
  breathing_samples: BY_TIME_OF_DAY,
});
type Recharge = PayloadOf<typeof RECHARGE>;

/** Series with their fields for readings and mean. */
const MEASURED = [
  { series: 'heart_rate_variability_rmssd', samples: 'hrv_samples', mean: 'heart_rate_variability_avg' },
  { series: 'respiratory_rate', samples: 'breathing_samples', mean: 'breathing_rate_avg' },
] as const satisfies readonly { series: SeriesCode; samples: keyof Recharge; mean: keyof Recharge }[];

/** Series read from recharges. */
export const RECHARGE_SERIES: readonly SeriesCode[] = MEASURED.map(({ series }) => series);

const MEANS = ['heart_rate_avg', 'beat_to_beat_avg', 'heart_rate_variability_avg', 'breathing_rate_avg'] as const;

/** Returns the recharges of nights whose dates overlap the window in any time zone. */
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
    const recharge = readPayload(RECHARGE, one, tally.fault);
    const isClockKnown = clock.nightOf(date) !== undefined || clock.offsetAt(dayStartMs(day)) !== undefined;
    for (const { samples } of MEASURED) {
      countUnreadableEntries(recharge[samples], samples, (value) => numberOf(value) !== undefined, tally.fault);
      if (!isClockKnown && recharge[samples]) tally.reject(index, samples, 'unknown_offset');
    }
    return [
      replacedSamples(externalId, RECHARGE_SERIES, aroundDay(day)),
      replacedTotals(day, RECHARGE_SERIES),
      ...MEASURED.flatMap((measured) => [
        ...readings(recharge, measured, { date, day, externalId }, clock),
        ...meanOf(recharge, measured, { date, day, externalId }, clock),
      ]),
      replacedScore(externalId, aroundDay(day)),
      ...scoreOf(recharge, externalId, day, clock),
    ];
  });
}

interface Night {
  date: string;
  day: number;
  externalId: string;
}

/**
 * Returns readings by time of day. Each time is the first match at or after the night's start. If the night is unknown,
 * the times start at noon of the previous day.
 */
function readings(
  recharge: Recharge,
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

/** Returns one value per night: at waking, or on the date if the night is unknown. */
function meanOf(
  recharge: Recharge,
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

function scoreOf(recharge: Recharge, externalId: string, day: number, clock: WallClock): HealthScoreRecord[] {
  const value = positive(recharge.nightly_recharge_status);
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
        ...componentsOf(recharge, ['ans_charge']),
        ...(charge !== undefined && { ans_charge_status: { value: charge, qualifier: CHARGE[charge - 1] ?? null } }),
      },
    },
  ];
}
