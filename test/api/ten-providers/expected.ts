import { MS_PER_MINUTE } from '@healthd/model';
import { DAYS, type DayOfLife, dateOf, iso } from './days.js';
import { type PlacedSleep, placed } from './sleeps.js';
import { REPORTED_DAYS, REPORTED_RUN, REPORTED_SLEEPS, type ReportedDay } from './truth.js';

/**
 * Expected summaries, computed only from the reports and the documented rule: each group of figures comes from one
 * source. Phones rank last, and a source with far fewer measurements ranks after the others.
 */

type Metric = 'steps' | 'distance' | 'energy' | 'basal';
/** Providers by preference. Other providers do not count. */
export type Order = readonly string[];

const DEVICES = ['watch', 'band', 'ring', 'phone', 'unknown'];
/** Providers whose workouts and steps have the same source. Garmin and Strava name a device only for workouts. */
const CLIMBS_BY_SAME_SOURCE = ['google', 'apple watch'];

/** Returns the vendor's total, otherwise the sum of all pieces. */
export function amountOf(reported: ReportedDay | undefined, metric: Metric): number | null {
  const amount = reported?.[metric];
  return amount === undefined
    ? null
    : (amount.total ?? (amount.pieces ?? []).reduce((sum, [, , value]) => sum + value, 0));
}

/**
 * Returns the day's reports of these providers, and a test for reports below half of the day's maximum steps. Such
 * reports rank last in every group of the day.
 */
function counted(day: DayOfLife, order: Order): { all: ReportedDay[]; isTooLittle(one: ReportedDay): boolean } {
  const all = REPORTED_DAYS.filter((reported) => reported.day === day && order.includes(reported.provider));
  const most = Math.max(...all.map((reported) => amountOf(reported, 'steps') ?? 0));
  return {
    all,
    isTooLittle: (one) =>
      all.some((reported) => isSame(reported, one) && (amountOf(reported, 'steps') ?? most) < most / 2),
  };
}

function isSame(a: ReportedDay, b: ReportedDay): boolean {
  return a.provider === b.provider && a.device === b.device;
}

/** Returns the sources that report a metric on a day, best first. */
export function rankedSources(day: DayOfLife, metric: Metric | 'heart', order: Order): ReportedDay[] {
  const { all, isTooLittle } = counted(day, order);
  const leader = metric === 'steps' ? undefined : rankedSources(day, 'steps', order)[0];
  const standing = (one: ReportedDay) => [
    Number(isTooLittle(one)),
    Number(one.device === 'phone'),
    Number(leader !== undefined && !isSame(one, leader)),
    Number(leader !== undefined && one.provider !== leader.provider),
    order.indexOf(one.provider),
    DEVICES.indexOf(one.device),
  ];
  const compare = (a: number[], b: number[]) =>
    a.map((value, at) => value - (b[at] ?? 0)).find((value) => value !== 0) ?? 0;
  return all.filter((reported) => reported[metric] !== undefined).sort((a, b) => compare(standing(a), standing(b)));
}

export function expectedActivity(order: Order): object[] {
  return DAYS.flatMap((day) => {
    const [movement] = rankedSources(day, 'steps', order);
    const [energy] = rankedSources(day, 'energy', order);
    const [heart] = rankedSources(day, 'heart', order);
    const rates = heart?.heart?.map(([, bpm]) => bpm);
    const active = amountOf(energy, 'energy');
    const basal = amountOf(energy, 'basal');
    const elevation = day === 1 ? climbed(movement, order) : null;
    const main = movement ?? energy;
    if (!main) return [];
    return [
      {
        date: dateOf(day),
        provider: main.provider,
        sources: {
          movement: movement?.provider ?? null,
          energy: energy?.provider ?? null,
          heart_rate: heart?.provider ?? null,
          elevation: elevation?.provider ?? null,
        },
        steps: amountOf(movement, 'steps'),
        distance_meters: amountOf(movement, 'distance'),
        floors_climbed: movement?.floors ?? (elevation?.isOwn ? Math.trunc(elevation.meters / 3) : null),
        elevation_meters: elevation?.meters ?? null,
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

/** Counts minutes with at least thirty steps in pieces that do not overlap. */
function briskMinutes(reported: ReportedDay | undefined): number | null {
  const pieces = reported?.steps?.pieces;
  return pieces ? pieces.reduce((sum, [, minutes, steps]) => sum + (steps / minutes >= 30 ? minutes : 0), 0) : null;
}

/**
 * Returns the ascent of the reported running workout: from the provider of the steps, otherwise from the best provider
 * with an ascent.
 */
function climbed(
  movement: ReportedDay | undefined,
  order: Order,
): { provider: string; meters: number; isOwn: boolean } | null {
  const known: Partial<Record<string, { ascent: number | undefined }>> = REPORTED_RUN;
  const providers = [...(movement ? [movement.provider] : []), ...order];
  const provider = providers.find((one) => known[one]?.ascent !== undefined);
  const meters = known[provider ?? '']?.ascent;
  if (provider === undefined || meters === undefined) return null;
  const name = movement?.provider === 'apple' ? `apple ${movement.device}` : movement?.provider;
  return { provider, meters, isOwn: provider === movement?.provider && CLIMBS_BY_SAME_SOURCE.includes(name ?? '') };
}

/** Returns the local date of waking. */
function wakeDate({ endMs, offsetMinutes }: PlacedSleep): string {
  return new Date(endMs + offsetMinutes * MS_PER_MINUTE).toISOString().slice(0, 10);
}

/** True if sleeps of two providers overlap by more than half of the shorter sleep. */
function areCopies(a: PlacedSleep, b: PlacedSleep): boolean {
  const overlap = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
  return overlap > Math.min(a.endMs - a.startMs, b.endMs - b.startMs) / 2;
}

/** Selects the best sleep of one type: the first provider with at least three quarters of the longest sleep. */
function bestOf(sleeps: readonly PlacedSleep[], order: Order): PlacedSleep | undefined {
  const longest = Math.max(...sleeps.map(({ asleep }) => asleep));
  return sleeps
    .filter(({ asleep }) => asleep >= 0.75 * longest)
    .toSorted((a, b) => order.indexOf(a.reported.provider) - order.indexOf(b.reported.provider))[0];
}

export function expectedSleep(order: Order): object[] {
  const sleeps = REPORTED_SLEEPS.map(placed).filter(({ reported }) => order.includes(reported.provider));
  const dateOfSleep = (sleep: PlacedSleep) => {
    const copies = sleeps.filter((other) => areCopies(sleep, other));
    return wakeDate(bestOf(copies, order) ?? sleep);
  };
  const dates = [...new Set(sleeps.map(dateOfSleep))].sort();
  return dates.map((date) => {
    const onDate = sleeps.filter((sleep) => dateOfSleep(sleep) === date);
    const nights = onDate.filter(({ reported }) => !reported.nap);
    const winner = bestOf(nights, order)?.reported.provider;
    const main = nights.filter(({ reported }) => reported.provider === winner);
    const longestNight = Math.max(0, ...nights.map(({ asleep }) => asleep));
    const isTooLittle = ({ reported }: PlacedSleep) =>
      nights.some((one) => one.reported.provider === reported.provider && one.asleep < 0.75 * longestNight);
    const [nap] = onDate
      .filter(({ reported }) => reported.nap)
      .toSorted(
        (a, b) =>
          Number(isTooLittle(a)) - Number(isTooLittle(b)) ||
          Number(b.reported.provider === winner) - Number(a.reported.provider === winner) ||
          order.indexOf(a.reported.provider) - order.indexOf(b.reported.provider),
      );
    const naps = onDate.filter(({ reported }) => reported.nap && reported.provider === nap?.reported.provider);
    const own = [...main, ...naps];
    const sum = (of: readonly PlacedSleep[], value: (sleep: PlacedSleep) => number) =>
      of.reduce((total, sleep) => total + value(sleep), 0);
    const length = ({ startMs, endMs }: PlacedSleep) => (endMs - startMs) / MS_PER_MINUTE;
    const longest = (main.length > 0 ? main : naps).toSorted((a, b) => length(b) - length(a))[0];
    return {
      date,
      provider: winner ?? nap?.reported.provider,
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
