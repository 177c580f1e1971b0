import type { PrioritiesPreview } from '@healthd/schemas';
import type { Priorities } from '../../priorities/index.js';
import { type GroupedDay, groupDays } from '../activity/day-groups.js';
import type { BodyFigures, BodyParams } from '../body/body.js';
import type { NightFigures } from '../nights/night-figures.js';
import type { AllUserCounts } from './all-user-counts.js';
import { type ComparedUser, compareUsers, MAX_USERS, type SelectedFigures } from './compared-users.js';

/**
 * Selects users with several sources, at least one of which would change its rank. Parameters: providers, device types,
 * true to select all users with several sources.
 */
const CONCERNED = `
  select user_key, count(*) over ()::int4 as concerned
    from data_source
   group by user_key
  having count(*) > 1
     and ($3 or bool_or(provider = any ($1::text[]) or coalesce(device_type, 'unknown') = any ($2::text[])))
   order by random()
   limit ${MAX_USERS}`;

/**
 * Counts the days, nights, recoveries and body summaries whose source would change with other priorities. Compares a
 * random sample of users if there are many.
 * @throws Failure `unavailable` if other counts take too long
 */
export function previewPriorities(
  counts: AllUserCounts,
  { before, after, body }: { before: Priorities; after: Priorities; body: BodyParams },
): Promise<PrioritiesPreview> {
  const key = JSON.stringify(['preview', before.order, after.order]);
  return counts.shared(key, async (pool, deadline) => {
    const { providers, deviceTypes, isOfAll } = before.changesTo(after);
    const { rows: users } = await pool.query<{ user_key: number; concerned: number }>(CONCERNED, [
      providers,
      deviceTypes,
      isOfAll,
    ]);
    const preview = {
      users: 0,
      days: 0,
      nights: 0,
      nights_archived: 0,
      recoveries: 0,
      recoveries_archived: 0,
      body_summaries: 0,
      samples: 0,
      users_compared: 0,
      users_concerned: users[0]?.concerned ?? 0,
    };
    const keys = users.map(({ user_key: userKey }) => userKey);
    preview.users_compared = await compareUsers(pool, { keys, deadline, body }, async (user) => {
      const days = changedDays(user, before, after);
      const changed = await changedNights(user, before, after);
      preview.users += days.length + changed.nights + changed.recoveries + changed.body_summaries > 0 ? 1 : 0;
      preview.days += days.length;
      for (const name of Object.keys(changed) as (keyof typeof changed)[]) preview[name] += changed[name];
      preview.samples += days.reduce((sum, day) => sum + samplesOf(day), 0);
    });
    return preview;
  });
}

/** Returns the days of activity that would have another source. */
function changedDays({ values: { rows, climbs } }: ComparedUser, before: Priorities, after: Priorities): GroupedDay[] {
  const later = groupDays(rows, climbs, after);
  return groupDays(rows, climbs, before).flatMap((day, at) => {
    const then = later[at] as GroupedDay;
    return dayWinners(day) === dayWinners(then) ? [] : [then];
  });
}

function dayWinners({ movement, energy, heart_rate: heart, elevation }: GroupedDay): string {
  return [movement, energy, heart, elevation].map(({ winner }) => winner?.row.source_id).join();
}

/** Counts the samples of the sources that win the groups of a day. */
function samplesOf({ movement, energy, heart_rate: heart }: GroupedDay): number {
  const values = [movement, energy, heart].flatMap(({ winner }) => [...(winner?.values.values() ?? [])]);
  return values.reduce((sum, { sample_count: samples, total_count: totals }) => sum + samples + totals, 0);
}

/**
 * Counts the sleep dates and recovery dates whose source changes, and checks the body summary. Separately counts the
 * dates that would change too if archived nights did not keep their sources.
 */
async function changedNights(user: ComparedUser, before: Priorities, after: Priorities) {
  const compare = async (how?: 'free') => {
    const [now, then] = [winnersOf(await user.select(before, how)), winnersOf(await user.select(after, how))];
    return {
      nights: changedDates(now.nights, then.nights),
      recoveries: changedDates(now.recoveries, then.recoveries),
      body: now.body !== then.body,
    };
  };
  const changed = await compare();
  const free = user.nights.hasKept ? await compare('free') : changed;
  return {
    nights: changed.nights.size,
    nights_archived: countMissing(free.nights, changed.nights),
    recoveries: changed.recoveries.size,
    recoveries_archived: countMissing(free.recoveries, changed.recoveries),
    body_summaries: changed.body ? 1 : 0,
  };
}

/** Identifies the winners of each date and of the body by text. */
function winnersOf({ dates, recoveries, averaged, body }: SelectedFigures) {
  return {
    nights: new Map(dates.flatMap((one) => (one.day ? [[one.date, sleepWinners(one)]] : []))),
    recoveries: new Map(recoveries.map((one) => [one.date, recoveryWinners(one)])),
    body: body && [...bodyWinners(body), ...averaged.map(averageWinners)].join(),
  };
}

/** Returns the dates whose winners differ. A sleep that moves to another date changes both dates. */
function changedDates(now: ReadonlyMap<string, string>, then: ReadonlyMap<string, string>): Set<string> {
  return new Set([...now.keys(), ...then.keys()].filter((date) => now.get(date) !== then.get(date)));
}

/** Counts the dates of one set that another set lacks. */
function countMissing(dates: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...dates].filter((date) => !others.has(date)).length;
}

type NightWinner = { winner: { sourceId: number } | undefined } | undefined;

function idsOf(selections: readonly NightWinner[]): string {
  return selections.map((selection) => selection?.winner?.sourceId).join();
}

/** Identifies the winners of a date in the sleep summary. A date with only naps shows no readings. */
function sleepWinners({ day, groups }: NightFigures): string {
  const readings = [groups.heart_rate, groups.hrv, groups.oxygen_saturation, groups.respiratory_rate];
  return idsOf([day?.sleep, day?.naps, ...(day?.sleep.winner ? readings : [])]);
}

function recoveryWinners({ day, groups }: NightFigures): string {
  return idsOf([day?.sleep, groups.hrv, groups.oxygen_saturation, groups.resting_heart_rate, groups.score]);
}

function averageWinners({ date, groups }: NightFigures): string {
  return `${date} ${idsOf([groups.resting_heart_rate, groups.hrv])}`;
}

function bodyWinners({ measured, pressure }: BodyFigures): (number | undefined)[] {
  return [...Object.values(measured), pressure].map(({ winner }) => winner?.row.source_id);
}
