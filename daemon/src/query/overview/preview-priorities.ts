import type { PrioritiesPreview } from '@healthd/schemas';
import type pg from 'pg';
import type { Priorities } from '../../priorities/index.js';
import { ACTIVITY_TYPES, type GroupedDay, groupDays } from '../activity/day-groups.js';
import type { DayValueRow } from '../activity/day-value-row.js';
import { secondsAsleep } from '../nights/night-sessions.js';
import type { NightSession } from '../nights/session-seconds.js';
import { type SleepDay, sleepDays } from '../selection/sleep-days.js';
import { ruleSources, SOURCE_COLUMNS, type SourceRow } from '../sources.js';
import type { AllUserCounts } from './all-user-counts.js';

/** Users that are compared at most, in random order. */
export const MOST_USERS = 1_000;
const USERS_PER_READ = 10;

/** Names of what would get another priority. */
export interface ChangedNames {
  providers: readonly string[];
  deviceTypes: readonly string[];
}

/** Users with several sources, one of which would rank differently. Parameters: providers, device types. */
const CONCERNED = `
  select user_key, count(*) over ()::int4 as concerned
    from data_source
   group by user_key
  having count(*) > 1
     and bool_or(provider = any ($1::text[]) or coalesce(device_type, 'unknown') = any ($2::text[]))
   order by random()
   limit ${MOST_USERS}`;

const DAYS = `
  select v.user_key, v.local_date, v.type_id, v.sample_sum, v.sample_min, v.sample_max, v.sample_count, v.total_sum,
         v.total_count, v.covered_minutes, ${SOURCE_COLUMNS}
    from day_value v join data_source s on s.user_key = v.user_key and s.source_id = v.source_id
   where v.user_key = any ($1::bigint[]) and v.type_id = any ($2::int2[]) and v.sample_count + v.total_count > 0
   order by v.user_key, v.local_date, v.type_id, v.source_id`;

const SESSIONS = `
  select n.user_key, n.id, n.start_at, n.end_at, n.wake_date, n.is_nap, n.asleep_seconds, n.in_bed_seconds,
         coalesce(n.offset_minutes, 0) as local_offset_minutes, null as overlapped_stages, ${SOURCE_COLUMNS}
    from sleep_session n join data_source s on s.user_key = n.user_key and s.source_id = n.source_id
   where n.user_key = any ($1::bigint[])
   order by n.user_key, n.start_at, n.id`;

type OfUser<Row> = Row & { user_key: number };

/**
 * Counts the days and nights that other priorities would take from another source, with the rule that summaries use. Looks
 * at a random sample of users if many are concerned.
 * @throws Failure `unavailable` if other counts take too long
 */
export function previewPriorities(
  counts: AllUserCounts,
  { before, after, changed }: { before: Priorities; after: Priorities; changed: ChangedNames },
): Promise<PrioritiesPreview> {
  const key = JSON.stringify(['preview', changed, before.order, after.order]);
  return counts.shared(key, async (pool, deadline) => {
    const { rows: users } = await pool.query<{ user_key: number; concerned: number }>(CONCERNED, [
      changed.providers,
      changed.deviceTypes,
    ]);
    const preview = {
      users: 0,
      days: 0,
      nights: 0,
      samples: 0,
      users_compared: 0,
      users_concerned: users[0]?.concerned ?? 0,
    };
    const keys = users.map(({ user_key: userKey }) => userKey);
    preview.users_compared = await compareUsers(pool, { keys, deadline }, (days, sessions) => {
      const changes = changesOf(days, sessions, before, after);
      preview.users += changes.days + changes.nights > 0 ? 1 : 0;
      preview.days += changes.days;
      preview.nights += changes.nights;
      preview.samples += changes.samples;
    });
    return preview;
  });
}

/** Reads the day values and sessions of users, some users at a time. Returns how many were compared before the deadline. */
export async function compareUsers(
  pool: pg.Pool,
  { keys, deadline }: { keys: readonly number[]; deadline: number },
  compare: (values: readonly DayValueRow[], sessions: readonly (NightSession & SourceRow)[]) => void,
): Promise<number> {
  for (let at = 0; at < keys.length; at += USERS_PER_READ) {
    if (performance.now() >= deadline) return at;
    const some = keys.slice(at, at + USERS_PER_READ);
    const [days, sessions] = await Promise.all([
      pool.query<OfUser<DayValueRow>>(DAYS, [some, ACTIVITY_TYPES]),
      pool.query<OfUser<NightSession & SourceRow>>(SESSIONS, [some]),
    ]);
    for (const userKey of some) {
      const own = <Row extends { user_key: number }>(rows: readonly Row[]) =>
        rows.filter((row) => row.user_key === userKey);
      compare(own(days.rows), own(sessions.rows));
    }
  }
  return keys.length;
}

function changesOf(
  values: readonly DayValueRow[],
  sessions: readonly NightSession[],
  before: Priorities,
  after: Priorities,
): { days: number; nights: number; samples: number } {
  const later = groupDays(values, [], after);
  const changed = groupDays(values, [], before).flatMap((day, at) => {
    const then = later[at] as GroupedDay;
    return winnersOf(day) === winnersOf(then) ? [] : [then];
  });
  return {
    days: changed.length,
    nights: changedNights(nightsOf(sessions, before), nightsOf(sessions, after)),
    samples: changed.reduce((sum, day) => sum + samplesOf(day), 0),
  };
}

function winnersOf({ movement, energy, heart_rate: heart }: GroupedDay): string {
  return [movement, energy, heart].map(({ winner }) => winner?.row.source_id).join();
}

/** Samples of the sources that win the groups of a day. */
function samplesOf({ movement, energy, heart_rate: heart }: GroupedDay): number {
  const values = [movement, energy, heart].flatMap(({ winner }) => [...(winner?.values.values() ?? [])]);
  return values.reduce((sum, { sample_count: samples, total_count: totals }) => sum + samples + totals, 0);
}

export function nightsOf(sessions: readonly NightSession[], priorities: Priorities): SleepDay<NightSession>[] {
  const rows = new Map<number, SourceRow>(sessions.map((session) => [session.source_id, session]));
  const ruleOf = ruleSources();
  return sleepDays(sessions, { priorities, secondsAsleep, sourceOf: (sourceId) => ruleOf(rows.get(sourceId)!) });
}

/** How many dates show another source's night, or a night on another date. */
function changedNights(now: readonly SleepDay<NightSession>[], then: readonly SleepDay<NightSession>[]): number {
  const winner = ({ sleep }: SleepDay<NightSession>) => sleep.winner?.sourceId;
  const later = new Map(then.map((day) => [day.date, winner(day)]));
  return now.filter((day) => winner(day) !== later.get(day.date)).length;
}
