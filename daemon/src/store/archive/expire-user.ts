import { dayNumber, fromDayNumber, MAX_OFFSET_MS, MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { inTransaction, lockUser } from '../../platform/database/index.js';
import { instantsOf } from '../derived/days/planned-reads.js';
import { MERGE_REACH_DAYS } from '../derived/merged/merge-sources.js';
import { refreshNights } from '../derived/nights/night-value.js';
import { CHANGE } from '../facts/change.js';
import { addChangedRows, type ChangedRow, changedColumns, changesOf, type ItemTable } from '../facts/changes.js';
import { type PushedKey, unlistSomeBefore } from '../facts/pushed/pushed-samples.js';
import { readSamples } from '../facts/samples/sample-reader.js';
import { localDayOf, sampleKeyOf } from '../facts/samples/sample-rows.js';
import { deleteKeys } from '../facts/samples/sample-store.js';
import { removeOrphanedExtremes } from '../facts/samples/stored-extremes.js';
import { type OldWindow, oldWindow } from './old-window.js';
import { ROWS_PER_STEP } from './rows-per-step.js';

/** Number of local days of one series that one transaction deletes. */
const WINDOW_DAYS = 32;

export interface ExpireOptions {
  /** Local days before this one (days since 1970-01-01) are deleted. */
  beforeDay: number;
  /** Records a deletion in the first transaction that deletes something. */
  audit: (client: pg.ClientBase) => Promise<void>;
  /** Limits the deletion to this provider's cloud data, including its sessions and scores. */
  cloudOf?: string | undefined;
  /** Called in each transaction. Returns false to stop the deletion. */
  isRequested?: ((client: pg.ClientBase) => Promise<boolean>) | undefined;
  /** Stops the work between two transactions. */
  signal?: AbortSignal | undefined;
  /** Maximum number of figures per table that one transaction deletes or clears, and of rows of pushed samples. */
  rowsPerStep?: number;
}

/** Counts of deleted old data. */
export interface Expired {
  /** Samples, including archived ones. */
  samples: number;
  /** Daily figures of one series and source. */
  days: number;
  /** Nights, workouts, cycles and scores. */
  sessions: number;
}

/**
 * Deletes a user's samples of local days before `beforeDay`, including archived samples, and all figures computed from
 * them. Keeps sessions and scores, unless the deletion is limited to one cloud. Each transaction deletes some days of
 * one series, so the deletion can stop at any time and continue later.
 * @throws UserMissingError
 */
export async function expireUser(
  pool: pg.Pool,
  userKey: number,
  { beforeDay, cloudOf, signal, audit, isRequested = async () => true, rowsPerStep = ROWS_PER_STEP }: ExpireOptions,
): Promise<Expired> {
  const expired: Expired = { samples: 0, days: 0, sessions: 0 };
  const cloud = cloudOf === undefined ? undefined : await readCloud(pool, userKey, cloudOf);
  if (cloud?.sourceIds.length === 0) return expired;
  /** Runs one transaction. @returns the result of the work; undefined if the deletion is no longer requested */
  const step = async <Result extends StepResult>(work: (client: pg.ClientBase) => Promise<Result>) => {
    signal?.throwIfAborted();
    const result = await inTransaction(pool, async (client) => {
      await lockUser(client, userKey);
      if (!(await isRequested(client))) return undefined;
      const counted = await work(client);
      const { samples = 0, days = 0, sessions = 0 } = counted;
      const isFirst = expired.samples + expired.days + expired.sessions === 0;
      if (isFirst && samples + days + sessions > 0) await audit(client);
      return counted;
    });
    expired.samples += result?.samples ?? 0;
    expired.days += result?.days ?? 0;
    expired.sessions += result?.sessions ?? 0;
    return result;
  };
  /** Repeats a step until it is done. @returns false if the deletion is no longer requested */
  const repeat = async <Result extends StepResult>(
    work: (client: pg.ClientBase, previous: Result | undefined) => Promise<Result>,
  ) => {
    for (let previous: Result | undefined; ; ) {
      const former = previous;
      previous = await step((client) => work(client, former));
      if (!previous) return false;
      if (previous.done) return true;
    }
  };
  const { rows } = cloud
    ? await pool.query<{ type_id: number }>(TYPES_OF_CLOUD, [userKey, cloud.sourceIds, fromDayNumber(beforeDay)])
    : await pool.query<{ type_id: number }>(TYPES, [userKey]);
  for (const { type_id: typeId } of rows) {
    const isDone = await repeat((client) => expireWindow(client, userKey, typeId, beforeDay, cloud));
    if (!isDone) return expired;
  }
  if (cloud && !(await repeat((client) => expireSessions(client, userKey, beforeDay, cloud)))) return expired;
  const isForgotten = await repeat(async (client) => {
    const done = await forgetFigures(client, userKey, fromDayNumber(beforeDay), { cloud, limit: rowsPerStep });
    // The last night before the limit may contain readings of a later local day, which are kept. The next nights may
    // have lost readings of their evening.
    if (done && cloud) {
      await refreshNights(
        client,
        userKey,
        [-1, 0, 1].map((days) => fromDayNumber(beforeDay + days)),
      );
    }
    return { done };
  });
  if (!isForgotten || cloud) return expired;
  const unlistedMs = beforeDay * MS_PER_DAY - MAX_OFFSET_MS;
  await repeat<StepResult & { after: PushedKey | undefined }>(async (client, previous) => {
    const after = await unlistSomeBefore(client, userKey, unlistedMs, { after: previous?.after, limit: rowsPerStep });
    return { after, done: !after };
  });
  return expired;
}

/** Counts of one transaction. `done` is true if nothing is left to delete. */
interface StepResult extends Partial<Expired> {
  done: boolean;
}

/** The sources of a provider's cloud. */
interface Cloud {
  provider: string;
  sourceIds: number[];
}

async function readCloud(pool: pg.Pool, userKey: number, provider: string): Promise<Cloud> {
  const { rows } = await pool.query<{ source_id: number }>(
    'select source_id from data_source where user_key = $1 and provider = $2 and from_cloud',
    [userKey, provider],
  );
  return { provider, sourceIds: rows.map(({ source_id }) => source_id) };
}

/** Finds series with stored data by a skip scan of the key. */
const TYPES = `
with recursive found (type_id) as (
  (select type_id from day_value where user_key = $1 order by type_id limit 1)
  union all
  select (select v.type_id from day_value v where v.user_key = $1 and v.type_id > found.type_id
           order by v.type_id limit 1)
    from found where found.type_id is not null)
select type_id from found where type_id is not null`;

const TYPES_OF_CLOUD = `
select distinct type_id from day_value
 where user_key = $1 and source_id = any ($2::int[]) and local_date < $3::date order by type_id`;

async function expireWindow(
  client: pg.ClientBase,
  userKey: number,
  typeId: number,
  beforeDay: number,
  cloud: Cloud | undefined,
): Promise<Pick<Expired, 'samples' | 'days'> & { done: boolean }> {
  const first = cloud
    ? await oldestOfCloud(client, userKey, typeId, beforeDay, cloud)
    : await oldestSample(client, userKey, typeId, beforeDay);
  let lastDay = beforeDay - 1;
  let samples = 0;
  if (first !== undefined) {
    const oldestMs = Math.round(first);
    const window = await oldWindow(client, userKey, oldestMs, { beforeDay, days: WINDOW_DAYS });
    const { firstDay } = window;
    lastDay = window.lastDay;
    if (lastDay >= firstDay) {
      samples = await deleteSamples(client, userKey, typeId, window, cloud);
      await removeOrphanedExtremes(client, userKey, { typeIds: [typeId], firstDay, lastDay });
    }
  }
  const { rows } = await client.query<{ dates: string[]; days: number; archived: number }>(forgetSeries(cloud), [
    userKey,
    typeId,
    fromDayNumber(lastDay + 1),
    ...(cloud ? [cloud.sourceIds, cloud.provider] : []),
  ]);
  const { dates = [], days = 0, archived = 0 } = rows[0] ?? {};
  const changes = changesOf(client, userKey);
  const change = cloud ? CHANGE.deletedByTerms : CHANGE.expired;
  for (const date of dates) changes.addSamples(typeId, dayNumber(date) as number, change);
  return { samples: samples + archived, days, done: lastDay >= beforeDay - 1 };
}

/** Returns the time of the oldest sample that may be on a local day before `beforeDay`. */
async function oldestSample(
  client: pg.ClientBase,
  userKey: number,
  typeId: number,
  beforeDay: number,
): Promise<number | undefined> {
  const { rows } = await client.query<{ start_ms: number }>(
    `select extract(epoch from start_at)::float8 * 1000 as start_ms from sample
      where user_key = $1 and type_id = $2 and start_at < to_timestamp($3::float8 / 1000) order by start_at limit 1`,
    [userKey, typeId, beforeDay * MS_PER_DAY + MAX_OFFSET_MS],
  );
  return rows[0]?.start_ms;
}

/**
 * Returns the start of the cloud's oldest local day before `beforeDay`. Searches the daily figures, because a search in
 * samples would also read other sources' samples.
 */
async function oldestOfCloud(
  client: pg.ClientBase,
  userKey: number,
  typeId: number,
  beforeDay: number,
  { sourceIds }: Cloud,
): Promise<number | undefined> {
  const { rows } = await client.query<{ date: string }>(
    `select local_date as date from day_value
      where user_key = $1 and type_id = $2 and local_date < $3::date and source_id = any ($4::int[])
      order by local_date limit 1`,
    [userKey, typeId, fromDayNumber(beforeDay), sourceIds],
  );
  return rows[0] && (dayNumber(rows[0].date) as number) * MS_PER_DAY;
}

async function deleteSamples(
  client: pg.ClientBase,
  userKey: number,
  typeId: number,
  { firstDay, lastDay, timeline }: OldWindow,
  cloud: Cloud | undefined,
): Promise<number> {
  const sourceIds = cloud && { sourceIds: cloud.sourceIds };
  const rows = await readSamples(client, userKey, [
    { typeId, ...sourceIds, ...instantsOf(firstDay, lastDay, timeline) },
  ]);
  const old = Array.from({ length: rows.length }, (_, row) => row).filter(
    (row) => localDayOf(rows, row, timeline) <= lastDay,
  );
  return deleteKeys(
    client,
    userKey,
    old.map((row) => sampleKeyOf(rows, row)),
  );
}

/**
 * Returns SQL that deletes the roll-ups and archived totals of a series before a date. Parameters: user, series, date;
 * for a cloud also the cloud's sources and provider.
 */
function forgetSeries(cloud: Cloud | undefined): string {
  const older = `where user_key = $1 and type_id = $2 and local_date < $3::date`;
  const ofSources = cloud ? 'and source_id = any ($4::int[])' : '';
  // Deleted samples may have competed with samples of the following days, so these totals are deleted too.
  const merged = `where user_key = $1 and type_id = $2 and local_date < $3::date + ${MERGE_REACH_DAYS} and provider = $5`;
  return `
with days as (
  delete from day_value ${older} ${ofSources} returning local_date
), archived as (
  delete from day_archive ${older} ${ofSources} returning sample_count
), merged as (
  delete from merged_archive ${older} ${ofSources}
), totals as (
  delete from day_merged ${cloud ? merged : older}
)
select array(select distinct local_date::text from days) as dates, (select count(*) from days)::int4 as days,
       (select coalesce(sum(sample_count), 0) from archived)::int4 as archived`;
}

/** Tables of figures, with the local date and the sources of a row. */
const FIGURES = [
  { table: 'day_minutes', date: 'local_date', sources: ['source_id'] },
  { table: 'night_value', date: 'wake_date', sources: ['source_id', 'night_source_id'] },
  { table: 'night_archive', date: 'wake_date', sources: ['source_id', 'night_source_id'] },
  { table: 'night_source', date: 'wake_date', sources: ['source_id'] },
  { table: 'archived_minute', date: 'utc_date + 1', sources: ['source_id'] },
] as const;

/**
 * True if an interrupted deletion has left figures of a provider's cloud. Leaves out the last night before the date,
 * because it keeps its readings of a later local day.
 * @param before first local date to keep
 */
export async function hasOldFigures(
  database: pg.Pool | pg.ClientBase,
  userKey: number,
  provider: string,
  before: string,
): Promise<boolean> {
  const exists = FIGURES.map(({ table, date, sources }) => {
    const ofCloud = sources.map((column) => `${column} = any (cloud.ids)`).join(' or ');
    return `exists (select from ${table} where user_key = $1 and ${date} < $3::date - 1 and (${ofCloud}))`;
  });
  const { rows } = await (database as pg.Pool).query<{ found: boolean }>(
    `select ${exists.join(' or ')} as found
       from (select array(select source_id from data_source
                           where user_key = $1 and provider = $2 and from_cloud) as ids) cloud`,
    [userKey, provider, before],
  );
  return rows[0]?.found === true;
}

/**
 * Deletes some figures of minutes, nights and workouts before a date. Their samples are already deleted, so the rows
 * that remain until the next transaction show only what a reader saw before. Keeps the archived minutes of the UTC day before
 * the date, because their local day may be a day later.
 * @returns true if no such figures are left
 */
async function forgetFigures(
  client: pg.ClientBase,
  userKey: number,
  before: string,
  { cloud, limit }: { cloud: Cloud | undefined; limit: number },
): Promise<boolean> {
  const values = [userKey, before, limit, ...(cloud ? [cloud.sourceIds] : [])];
  let done = true;
  const change = async (statement: string, table: string, condition: string) => {
    // A row's `ctid` cannot change between the two scans, because every writer of these tables holds the user's lock.
    const some = `select ctid from ${table} where user_key = $1 and ${condition} limit $3`;
    const { rowCount } = await client.query(`${statement} where ctid = any (array(${some}))`, values);
    if (rowCount === limit) done = false;
  };
  const forget = (table: string, date: string, ...columns: string[]) => {
    const ofSources = columns.map((column) => `${column} = any ($4::int[])`).join(' or ');
    return change(`delete from ${table}`, table, `${date} < $2::date ${cloud ? `and (${ofSources})` : ''}`);
  };
  for (const { table, date, sources } of FIGURES) await forget(table, date, ...sources);
  // Skips the workouts of a cloud, because its workouts before the date are already deleted.
  if (cloud) return done;
  await change(
    'update workout set archived_heart_rate_count = 0, archived_heart_rate_sum = 0, archived_heart_rate_max = null',
    'workout',
    'local_date < $2::date and archived_heart_rate_count > 0',
  );
  return done;
}

/** Maximum number of rows per type that one transaction deletes. */
const SESSIONS_PER_STEP = 200;

/**
 * Deletes some of a cloud's sessions and scores of days before `beforeDay`: by the local date of a workout, the wake
 * date of a night, the UTC date of a score and of a cycle's end.
 */
async function expireSessions(
  client: pg.ClientBase,
  userKey: number,
  beforeDay: number,
  { sourceIds }: Cloud,
): Promise<{ sessions: number; done: boolean }> {
  const before = fromDayNumber(beforeDay);
  const remove = async <Row extends object>(table: ItemTable, date: string, returning = '') => {
    const { rows } = await client.query<Row & ChangedRow>(
      `delete from ${table} s where s.user_key = $1 and s.id in (
         select id from ${table} where user_key = $1 and source_id = any ($2::int[]) and ${date} < $3::date limit $4)
       returning ${changedColumns(table)} ${returning}`,
      [userKey, sourceIds, before, SESSIONS_PER_STEP],
    );
    addChangedRows(client, userKey, table, CHANGE.deletedByTerms, rows);
    return rows;
  };
  const sleeps = await remove<Slept>('sleep_session', 'wake_date', ', wake_date, source_id, start_at, end_at');
  const others = [
    await remove('workout', 'local_date'),
    await remove('menstrual_cycle', 'end_at'),
    await remove('health_score', 'recorded_at'),
  ];
  await client.query(
    `delete from sleep_stage g using unnest($2::int[], $3::timestamptz[], $4::timestamptz[]) as gone (source_id, start_at, end_at)
      where g.user_key = $1 and g.source_id = gone.source_id and g.start_at < gone.end_at and g.end_at > gone.start_at`,
    [
      userKey,
      sleeps.map(({ source_id: sourceId }) => sourceId),
      sleeps.map(({ start_at: startAt }) => startAt),
      sleeps.map(({ end_at: endAt }) => endAt),
    ],
  );
  // Also deletes stages outside nights, such as time in bed. A remaining night can start on the evening before.
  await client.query(
    'delete from sleep_stage where user_key = $1 and source_id = any ($2::int[]) and end_at < $3::date - 1',
    [userKey, sourceIds, before],
  );
  // Recomputes these dates. Only some nights of a date have figures, so another source's night may replace a deleted
  // night.
  await refreshNights(client, userKey, new Set(sleeps.map(({ wake_date: date }) => date)));
  const counts = [sleeps, ...others].map(({ length }) => length);
  return {
    sessions: counts.reduce((sum, count) => sum + count, 0),
    done: counts.every((count) => count < SESSIONS_PER_STEP),
  };
}

interface Slept {
  wake_date: string;
  source_id: number;
  start_at: Date;
  end_at: Date;
}
