import { MS_PER_MINUTE } from '@healthd/model';
import { DAYS, type DayOfLife, dateOf, iso } from './days.js';
import { type PlacedSleep, placed } from './sleeps.js';
import { REPORTED_DAYS, REPORTED_RUN, REPORTED_SLEEPS, type ReportedDay } from './truth.js';

/**
 * What the summaries must show, worked out of what was reported and the documented rules alone: of each family of metrics the
 * best source of the day that has its leading one; of a date of waking the best source that knows the night.
 */

type Metric = 'steps' | 'distance' | 'energy' | 'basal';
/** Providers in the order in which they are preferred; others do not count. */
export type Order = readonly string[];

const DEVICES = ['watch', 'band', 'ring', 'phone', 'unknown'];
/** Providers that report workouts as the source that reported steps: Garmin and Strava name the device of a workout alone. */
const CLIMBS_BY_SAME_SOURCE = ['google', 'apple watch'];

/** The vendor's own total, else all pieces together. */
export function amountOf(reported: ReportedDay | undefined, metric: Metric): number | null {
  const amount = reported?.[metric];
  return amount === undefined
    ? null
    : (amount.total ?? (amount.pieces ?? []).reduce((sum, [, , value]) => sum + value, 0));
}

/** The sources that know a metric of a day, the best one first. */
export function contenders(day: DayOfLife, metric: Metric | 'heart', order: Order): ReportedDay[] {
  return REPORTED_DAYS.filter(
    (reported) => reported.day === day && reported[metric] !== undefined && order.includes(reported.provider),
  ).sort(
    (a, b) =>
      order.indexOf(a.provider) - order.indexOf(b.provider) || DEVICES.indexOf(a.device) - DEVICES.indexOf(b.device),
  );
}

export function expectedActivity(order: Order): object[] {
  return DAYS.flatMap((day) => {
    const [movement] = contenders(day, 'steps', order);
    const [energy] = contenders(day, 'energy', order);
    const rates = contenders(day, 'heart', order)[0]?.heart?.map(([, bpm]) => bpm);
    const active = amountOf(energy, 'energy');
    const basal = amountOf(energy, 'basal');
    const elevation = day === 1 ? climbed(movement, order) : null;
    const main = movement ?? energy;
    if (!main) return [];
    return [
      {
        date: dateOf(day),
        provider: main.provider,
        steps: amountOf(movement, 'steps'),
        distance_meters: amountOf(movement, 'distance'),
        floors_climbed: movement?.floors ?? (elevation === null ? null : Math.trunc(elevation / 3)),
        elevation_meters: elevation,
        active_calories_kcal: active,
        total_calories_kcal: active === null || basal === null ? null : active + basal,
        active_minutes: movement?.activeMinutes ?? briskMinutes(movement),
        heart_rate: rates
          ? {
              avg_bpm: Math.round(rates.reduce((sum, bpm) => sum + bpm, 0) / rates.length),
              max_bpm: Math.max(...rates),
              min_bpm: Math.min(...rates),
            }
          : null,
      },
    ];
  });
}

/** Minutes with thirty steps or more, of pieces that do not overlap. */
function briskMinutes(reported: ReportedDay | undefined): number | null {
  const pieces = reported?.steps?.pieces;
  return pieces ? pieces.reduce((sum, [, minutes, steps]) => sum + (steps / minutes >= 30 ? minutes : 0), 0) : null;
}

/** The ascent of the run: of the source that reports the steps, else of the best provider that knows one. */
function climbed(movement: ReportedDay | undefined, order: Order): number | null {
  const known: Partial<Record<string, { ascent: number | undefined }>> = REPORTED_RUN;
  const name = movement?.provider === 'apple' ? `apple ${movement.device}` : movement?.provider;
  const own = name !== undefined && CLIMBS_BY_SAME_SOURCE.includes(name) ? movement?.provider : undefined;
  return (
    known[own ?? '']?.ascent ??
    order.map((provider) => known[provider]?.ascent).find((one) => one !== undefined) ??
    null
  );
}

/** The date on the wall clock of waking. */
function wakeDate({ endMs, offsetMinutes }: PlacedSleep): string {
  return new Date(endMs + offsetMinutes * MS_PER_MINUTE).toISOString().slice(0, 10);
}

export function expectedSleep(order: Order): object[] {
  const sleeps = REPORTED_SLEEPS.map(placed).filter(({ reported }) => order.includes(reported.provider));
  const dates = [...new Set(sleeps.map(wakeDate))].sort();
  return dates.map((date) => {
    const onDate = sleeps.filter((sleep) => wakeDate(sleep) === date);
    const nights = onDate.filter(({ reported }) => !reported.nap);
    const [best] = (nights.length > 0 ? nights : onDate).toSorted(
      (a, b) => order.indexOf(a.reported.provider) - order.indexOf(b.reported.provider),
    );
    const own = onDate.filter(({ reported }) => reported.provider === best?.reported.provider);
    const main = own.filter(({ reported }) => !reported.nap);
    const naps = own.filter(({ reported }) => reported.nap);
    const sum = (of: readonly PlacedSleep[], value: (sleep: PlacedSleep) => number) =>
      of.reduce((total, sleep) => total + value(sleep), 0);
    const length = ({ startMs, endMs }: PlacedSleep) => (endMs - startMs) / MS_PER_MINUTE;
    const longest = (main.length > 0 ? main : naps).toSorted((a, b) => length(b) - length(a))[0];
    return {
      date,
      provider: best?.reported.provider,
      start_time: iso(longest?.startMs ?? Number.NaN),
      end_time: iso(longest?.endMs ?? Number.NaN),
      duration_minutes: sum(main, ({ asleep }) => asleep),
      nap_count: naps.length,
      nap_duration_minutes: sum(naps, ({ asleep }) => asleep),
      total_duration_minutes: sum(own, ({ asleep }) => asleep),
      time_in_bed_minutes: main.length > 0 ? sum(main, length) : null,
      stages:
        main.length > 0
          ? {
              awake_minutes: sum(main, ({ minutes }) => minutes.awake),
              light_minutes: sum(main, ({ minutes }) => minutes.light),
              deep_minutes: sum(main, ({ minutes }) => minutes.deep),
              rem_minutes: sum(main, ({ minutes }) => minutes.rem),
            }
          : null,
    };
  });
}
