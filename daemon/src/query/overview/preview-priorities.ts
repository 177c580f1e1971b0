import type { PrioritiesPreview } from '@healthd/schemas';
import type pg from 'pg';
import type { Priorities } from '../../priorities/index.js';
import { ACTIVITY_TYPES, type GroupedDay, groupDays } from '../activity/day-groups.js';
import { type DayValues, readDayValues } from '../activity/day-values.js';
import { readStoredNights, type StoredNights, selectNights } from '../nights/night-sessions.js';
import type { NightSession } from '../nights/session-seconds.js';
import type { SleepDay } from '../selection/sleep-days.js';
import type { AllUserCounts } from './all-user-counts.js';

/** Users that are compared at most, in random order. */
export const MOST_USERS = 1_000;
const ALL_DAYS = { fromDate: '0001-01-10', beforeDate: '9999-01-01' };

/** Users with several sources, one of which would rank differently. Parameters: providers, device types, all. */
const CONCERNED = `
  select user_key, count(*) over ()::int4 as concerned
    from data_source
   group by user_key
  having count(*) > 1
     and ($3 or bool_or(provider = any ($1::text[]) or coalesce(device_type, 'unknown') = any ($2::text[])))
   order by random()
   limit ${MOST_USERS}`;

/** What summaries of one user are made of. */
interface StoredUser {
  values: DayValues;
  nights: StoredNights;
}

/**
 * Counts the days and nights that other priorities would take from another source, with the rule that summaries use. Looks
 * at a random sample of users if many are concerned.
 * @throws Failure `unavailable` if other counts take too long
 */
export function previewPriorities(
  counts: AllUserCounts,
  { before, after }: { before: Priorities; after: Priorities },
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
      samples: 0,
      users_compared: 0,
      users_concerned: users[0]?.concerned ?? 0,
    };
    const keys = users.map(({ user_key: userKey }) => userKey);
    preview.users_compared = await compareUsers(pool, { keys, deadline }, async (user) => {
      const days = changedDays(user, before, after);
      const nights = await changedNights(user, before, after);
      preview.users += days.length + nights.changed > 0 ? 1 : 0;
      preview.days += days.length;
      preview.nights += nights.changed;
      preview.nights_archived += nights.archived;
      preview.samples += days.reduce((sum, day) => sum + samplesOf(day), 0);
    });
    return preview;
  });
}

/** Reads the day values and sessions of each user. Returns how many users were compared before the deadline. */
export async function compareUsers(
  pool: pg.Pool,
  { keys, deadline }: { keys: readonly number[]; deadline: number },
  compare: (user: StoredUser) => Promise<void>,
): Promise<number> {
  const query = { typeIds: ACTIVITY_TYPES, ...ALL_DAYS, position: null, ascending: true, limit: null };
  for (const [at, userKey] of keys.entries()) {
    if (performance.now() >= deadline) return at;
    const [values, nights] = await Promise.all([
      readDayValues(pool, userKey, query),
      readStoredNights(pool, userKey, ALL_DAYS),
    ]);
    await compare({ values, nights });
  }
  return keys.length;
}

/** The days of activity with another source, as they would be. */
function changedDays({ values: { rows, climbs } }: StoredUser, before: Priorities, after: Priorities): GroupedDay[] {
  const later = groupDays(rows, climbs, after);
  return groupDays(rows, climbs, before).flatMap((day, at) => {
    const then = later[at] as GroupedDay;
    return winnersOf(day) === winnersOf(then) ? [] : [then];
  });
}

function winnersOf({ movement, energy, heart_rate: heart, elevation }: GroupedDay): string {
  return [movement, energy, heart, elevation].map(({ winner }) => winner?.row.source_id).join();
}

/** Samples of the sources that win the groups of a day. */
function samplesOf({ movement, energy, heart_rate: heart }: GroupedDay): number {
  const values = [movement, energy, heart].flatMap(({ winner }) => [...(winner?.values.values() ?? [])]);
  return values.reduce((sum, { sample_count: samples, total_count: totals }) => sum + samples + totals, 0);
}

/** How many dates show another source's sleep or naps, and how many only do not because an archived night keeps its source. */
async function changedNights({ nights }: StoredUser, before: Priorities, after: Priorities) {
  const datesOf = async (keptSource: StoredNights['keptSource']) => {
    const select = async (priorities: Priorities) => {
      const days = await selectNights({ ...nights, keptSource }, priorities);
      return new Map(days.map((day) => [day.date, sleepersOf(day)]));
    };
    const [now, then] = [await select(before), await select(after)];
    // A sleep that moves to another date changes both dates.
    return [...new Set([...now.keys(), ...then.keys()])].filter((date) => now.get(date) !== then.get(date));
  };
  const changed = new Set(await datesOf(nights.keptSource));
  const archived = (await datesOf(() => undefined)).filter((date) => !changed.has(date));
  return { changed: changed.size, archived: archived.length };
}

function sleepersOf({ sleep, naps }: SleepDay<NightSession>): string {
  return [sleep, naps].map(({ winner }) => winner?.sourceId).join();
}
