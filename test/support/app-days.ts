import { inTransaction } from '@healthd/daemon/platform/database';
import type { HealthRecord, SourceIdentity } from '@healthd/model';
import type { RecordFixture } from './record-fixture.js';
import { run, sample, sleepStage } from './records.js';

/** Data that an app writes into a phone's store, in exported and in pushed form. */

/** The app's source in an export. */
export const NAMED: SourceIdentity = { provider: 'apple', writer: 'Strong', originalSourceName: 'Strong' };
/** The app's source in a phone's push. */
export const BY_BUNDLE_ID: SourceIdentity = {
  provider: 'apple',
  deviceModel: 'iPhone15,2',
  writer: 'io.strongapp.strong',
  deviceType: 'phone',
  originalSourceName: 'io.strongapp.strong',
};
export interface DayOptions {
  /** True to add IDs, as phones send them. */
  ids?: boolean;
  /** Prefix that distinguishes the item IDs of two apps. */
  app?: string;
}

/** Returns a time on a day in March 2026. */
export const at = (day: number, clock: string) => `2026-03-${String(day).padStart(2, '0')}T${clock}:00Z`;

/** Returns the app's data on a day of March: a workout with energy and heart rate, and the night before. */
function dayOf(day: number, source: SourceIdentity, { ids = false, app = 'strong' }: DayOptions = {}): HealthRecord[] {
  const id = (name: string) => (ids ? `${app} ${day} ${name}` : undefined);
  const known = <T extends HealthRecord>(record: T, name: string): T => ({ ...record, externalId: id(name) });
  const energies = [0, 10, 20].map((minute) =>
    known(
      sample('energy', at(day, `17:${String(minute).padStart(2, '0')}`), 40 + day + minute, {
        source,
        minutes: 10,
        offsetMinutes: 60,
      }),
      `e${minute}`,
    ),
  );
  const rates = [0, 5, 10].map((minute) =>
    known(
      sample('heart_rate', at(day, `17:${String(minute).padStart(2, '0')}`), 100 + day + minute, {
        source,
        offsetMinutes: 60,
      }),
      `h${minute}`,
    ),
  );
  const [startMs, endMs] = [Date.parse(at(day, '17:00')), Date.parse(at(day, '17:45'))];
  return [
    ...energies,
    ...rates,
    run({
      source,
      startMs,
      endMs,
      type: 'strength_training',
      distanceMeters: undefined,
      externalId: id('w'),
      caloriesKcal: 120 + day,
    }),
    sleepStage('deep', at(day, '00:10'), at(day, '03:00'), { source }),
    sleepStage('light', at(day, '03:00'), at(day, '06:40'), { source }),
  ];
}

/** Returns days of the app in exported form. */
export const filed = (days: readonly number[], source = NAMED, options: DayOptions = {}) =>
  days.flatMap((day) => dayOf(day, source, options));
/** Returns days of the app in pushed form. */
export const pushed = (days: readonly number[], source = BY_BUNDLE_ID, options: DayOptions = {}) =>
  filed(days, source, { ids: true, ...options });

/**
 * Joins a user's sources until no work remains. @param most maximum number of chunks. @returns the number of joined
 * sources
 */
export async function joinAll(fixture: RecordFixture, user: number, most = 1000): Promise<number> {
  let joined = 0;
  for (let portion = 0; portion < most; portion++) {
    const done = await inTransaction(fixture.pool, (client) => fixture.writer.joinSources(client, user));
    joined += done.joined;
    if (done.isDone) return joined;
  }
  return joined;
}

/** Returns all data of a user by source, without details of its delivery. */
export async function storedByWriter({ pool }: RecordFixture, user: number): Promise<Record<string, object[]>> {
  const rows = async (sql: string) => (await pool.query(sql, [user])).rows as object[];
  const who = `(select concat_ws(' ', d.device_model, d.writer) from data_source d where d.user_key = t.user_key and d.source_id = t.source_id) as who`;
  return {
    sources: await rows('select writer, device_model from data_source where user_key = $1 order by 1, 2'),
    samples: await rows(
      `select ${who}, type_id, start_at, duration_ms, value, offset_minutes from sample t where user_key = $1 order by 1, 2, 3, 4, 5`,
    ),
    days: await rows(
      `select ${who}, to_jsonb(t) - 'user_key' - 'source_id' as figures from day_value t where user_key = $1 order by type_id, local_date, 1`,
    ),
    minutes: await rows(
      `select ${who}, to_jsonb(t) - 'user_key' - 'source_id' as figures from day_minutes t where user_key = $1 order by local_date, 1`,
    ),
    nights: await rows(
      `select to_jsonb(t) - array['user_key', 'source_id', 'night_source_id'] as figures from night_value t where user_key = $1 order by type_id, wake_date`,
    ),
    stages: await rows(
      `select ${who}, stage, start_at, end_at from sleep_stage t where user_key = $1 order by 1, 3, 4`,
    ),
    sleep: await rows(
      `select ${who}, start_at, end_at, wake_date::text, is_nap, asleep_seconds from sleep_session t where user_key = $1 order by 1, 2`,
    ),
    workouts: await rows(
      `select ${who}, type, start_at, end_at, local_date::text, calories_kcal from workout t where user_key = $1 order by 1, 3, 2`,
    ),
  };
}
