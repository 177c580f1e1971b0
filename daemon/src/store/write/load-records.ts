import { randomUUID } from 'node:crypto';
import { SLEEP_LENGTH } from '@healthd/model';
import { ONE_LOOK_EACH } from '../../platform/database/index.js';
import { groupedBy } from '../../platform/grouped-by.js';
import type { BatchRecords } from '../decide/batch-records.js';
import type { RecordsSnapshot } from '../decide/records.js';
import type { DecidedReplacements } from '../decide/replaced-sessions.js';
import { factsOf } from '../decide/session-identity.js';
import { nightKey, nightOf, type WholeSession } from '../decide/sessions.js';
import type { StoredVendorEvent } from '../decide/vendor-events.js';
import { type PlacedWorkouts, placedWorkouts } from '../decide/workout-sources.js';
import {
  arrayType,
  elementsOf,
  type EventValues,
  selectedColumns,
  storedValues,
  valuesOf,
} from '../facts/events/event-columns.js';
import { type EventKind, HEALTH_SCORES, MENSTRUAL_CYCLES, type ScoreRow } from '../facts/events/event-kinds.js';
import {
  type ArrivingSession,
  identityColumns,
  type IdentityRow,
  type SessionKind,
  storedSession,
  type StoredSession,
} from '../facts/events/session-kind.js';
import { WORKOUTS } from '../facts/events/workouts.js';
import { readSpans } from '../facts/samples/sample-reader.js';
import type { SampleRows } from '../facts/samples/sample-rows.js';
import type { SampleChanges } from '../facts/samples/sample-store.js';
import { VENDOR_SESSIONS, type VendorSessionRow } from '../facts/sleep/vendor-sessions.js';
import type { WriteContext } from '../facts/write-context.js';
import type { BatchContext } from './load-context.js';
import { findWithReadings, loadShared } from './load-workout-sources.js';
import type { RedatedSessions } from './redate-sessions.js';

/** Results of the other decisions about the batch that the records depend on. */
export interface DecidedBefore {
  /** Changes of samples. */
  changes: SampleChanges;
  /** Deletions in replaced windows. */
  replaced: DecidedReplacements;
  /** Sessions with a new local date. */
  redated: RedatedSessions;
}

/** Loads the stored sessions and scores around a batch's records. */
export async function loadRecords(
  context: BatchContext,
  { nights, workouts, cycles, scores }: BatchRecords,
  { changes, replaced, redated }: DecidedBefore,
): Promise<{ snapshot: RecordsSnapshot; placed: PlacedWorkouts }> {
  const removed = new Set([...replaced.workouts, ...replaced.nights].map(({ id }) => id));
  const removedScores = new Set(replaced.scores);
  const shared = (await loadShared(context, workouts.rows)).filter(({ id }) => !removed.has(id));
  await context.turns.yieldIfLong();
  const withReadings = await findWithReadings(context, workouts.rows, shared, changes);
  const placed = placedWorkouts(context.sources, workouts.rows, shared, withReadings);
  await context.turns.yieldIfLong();
  const movedTo = new Map(placed.moved.map(({ id, sourceId }) => [id, sourceId]));
  const dates = new Map([...redated.nights, ...redated.workouts].map(({ id, date }) => [id, date]));
  // A moved workout is still stored under its earlier source.
  const earlier = shared.filter(({ id }) => movedTo.has(id)).map((workout) => ({ ...workout, type: 'other' as const }));
  const isChanged = ({ id }: WholeSession) => removed.has(id) || movedTo.has(id) || dates.has(id);
  const current = (sessions: WholeSession[], dateColumn: string): WholeSession[] => {
    if (!sessions.some(isChanged)) return sessions;
    return sessions.flatMap((session) => {
      if (!isChanged(session)) return [session];
      if (removed.has(session.id)) return [];
      const sourceId = movedTo.get(session.id) ?? session.sourceId;
      const endDate = dates.get(session.id) ?? session.endDate;
      const values = { ...session.values, source_id: sourceId, [dateColumn]: endDate };
      return [{ ...session, sourceId, endDate, values }];
    });
  };
  const storedScores = (await loadVendorEvents(context, HEALTH_SCORES, scores.rows)).filter(
    ({ id }) => !removedScores.has(id),
  );
  const snapshot: RecordsSnapshot = {
    outdated: await findOutdated(context, nights.rows, removed),
    nights: {
      alike: current(await loadAlike(context, VENDOR_SESSIONS, nights.rows), VENDOR_SESSIONS.dateColumn),
      nights: await countNights(context, VENDOR_SESSIONS, nights.rows, replaced.nights),
      corrected: replaced.corrected,
      newIds: nights.rows.map(() => randomUUID()),
    },
    workouts: {
      alike: current(await loadAlike(context, WORKOUTS, [...placed.rows, ...earlier]), WORKOUTS.dateColumn),
      nights: undefined,
      corrected: replaced.corrected,
      newIds: placed.rows.map(() => randomUUID()),
    },
    cycles: {
      stored: await loadVendorEvents(context, MENSTRUAL_CYCLES, cycles.rows),
      newIds: cycles.rows.map(() => randomUUID()),
    },
    scores: { stored: storedScores, newIds: scores.rows.map(() => randomUUID()) },
    highest: scores.rows.some(({ highestOf }) => highestOf)
      ? {
          scores: storedScores,
          samples: await samplesOf(context, scores.rows),
          changes,
          archivedBefore: context.archivedBefore,
        }
      : undefined,
  };
  await context.turns.yieldIfLong();
  return { snapshot, placed };
}

/**
 * Finds interim versions of nights whose source has a session with figures at that time. An interim version counts as
 * older than such a session, even if it arrives later.
 * @param removed ids of sessions that the batch deletes
 */
async function findOutdated(
  { client, userKey }: BatchContext,
  rows: readonly VendorSessionRow[],
  removed: ReadonlySet<string>,
): Promise<ReadonlySet<number>> {
  const interim = [...rows.entries()].filter(([, { isInterim }]) => isInterim);
  if (interim.length === 0) return new Set();
  const { rows: outdated } = await client.query<{ place: number }>(
    `select place::int4
       from unnest($2::int4[], $3::timestamptz[], $4::timestamptz[])
              with ordinality as i (source_id, start_at, end_at, place)
      where exists (
        select from sleep_session s
         where s.user_key = $1 and s.source_id = i.source_id and not s.assembled
           and s.start_at < i.end_at and s.end_at > i.start_at and s.start_at > i.start_at - $5 * interval '1 ms'
           and coalesce(s.asleep_seconds, s.deep_seconds, s.light_seconds, s.rem_seconds) is not null
           and s.id <> all ($6::uuid[])
        ${ONE_LOOK_EACH})`,
    [
      userKey,
      interim.map(([, { sourceId }]) => sourceId),
      interim.map(([, { startMs }]) => new Date(startMs)),
      interim.map(([, { endMs }]) => new Date(endMs)),
      SLEEP_LENGTH.maxMs,
      [...removed],
    ],
  );
  return new Set(outdated.flatMap(({ place }) => interim[place - 1]?.[0] ?? []));
}

/** Loads the stored samples in the spans of scores that are the maximum of a series, by source. */
async function samplesOf({ client, userKey }: BatchContext, scores: readonly ScoreRow[]): Promise<SampleRows[]> {
  const samples: SampleRows[] = [];
  const highestScores = scores.filter(({ highestOf }) => highestOf);
  for (const [sourceId, own] of groupedBy(highestScores, (score) => score.sourceId)) {
    const spans = own.flatMap(({ highestOf }) =>
      (highestOf?.spans ?? []).map(({ startMs, endMs }) => ({
        typeId: highestOf?.typeId as number,
        fromMs: Math.floor(startMs),
        toMs: Math.ceil(endMs),
      })),
    );
    samples.push(await readSpans(client, userKey, [sourceId], spans));
  }
  return samples;
}

/** Number of rows per statement. Limits the work between two statements. */
const ROWS_AT_ONCE = 1_000;

/**
 * Loads the stored sessions with the id or start second of a row, in order of arrival. May include sessions of the rows'
 * other sources.
 */
async function loadAlike<Row extends ArrivingSession>(
  context: WriteContext,
  kind: SessionKind<Row>,
  rows: readonly Row[],
): Promise<WholeSession[]> {
  const found = new Map<string, WholeSession & { createdAt: string }>();
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    for (const session of await loadSome(context, kind, rows.slice(from, from + ROWS_AT_ONCE))) {
      found.set(session.id, session);
    }
    await context.turns.yieldIfLong();
  }
  const all = [...found.values()];
  if (rows.length <= ROWS_AT_ONCE) return all;
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return all.sort((a, b) => order(a.createdAt, b.createdAt) || order(a.id, b.id));
}

/**
 * Passes the rows as arrays, in which Postgres looks up each stored session. A join would compare each session with every
 * row while Postgres lacks statistics about the user's sessions.
 */
async function loadSome<Row extends ArrivingSession>(
  { client, userKey }: WriteContext,
  kind: SessionKind<Row>,
  rows: readonly Row[],
): Promise<(WholeSession & { createdAt: string })[]> {
  const facts = rows.map((row) => factsOf(kind, row));
  const seconds = [...new Set(facts.map(({ startMs }) => Math.floor(startMs / 1000)))].sort((a, b) => a - b);
  const { rows: found } = await client.query<IdentityRow & { createdAt: string; whole: never }>(
    `select ${identityColumns(kind)}, s.created_at::text as "createdAt", ${wholeColumns(kind)}
       from ${kind.table} s
      where s.user_key = $1 and ${kind.ownRows} and s.source_id = any ($2::int[])
        and (s.external_id = any ($3::text[])
             or (s.start_at >= to_timestamp($5::float8) and s.start_at < to_timestamp($6::float8)
                 and floor(extract(epoch from s.start_at))::float8 = any ($4::float8[])))
      order by s.created_at, s.id`,
    [
      userKey,
      [...new Set(facts.map(({ sourceId }) => sourceId))],
      [...new Set(facts.flatMap(({ externalId }) => externalId ?? []))],
      seconds,
      seconds[0],
      (seconds.at(-1) as number) + 1,
    ],
  );
  return found.map((row) => ({
    ...storedSession(row),
    createdAt: row.createdAt,
    values: storedValues(kind.columns, row as unknown as Record<string, unknown>),
  }));
}

function wholeColumns(kind: SessionKind<never>): string {
  const identity = new Set(['source_id', 'external_id', 'offset_minutes']);
  return selectedColumns(kind.columns.filter(({ name }) => !identity.has(name)));
}

/**
 * Counts the stored sessions of each night around the rows, by source and night.
 * @param removed sessions that the batch deletes
 */
async function countNights<Row extends ArrivingSession>(
  { client, userKey }: WriteContext,
  { table, ownRows }: SessionKind<Row>,
  rows: readonly Row[],
  removed: readonly StoredSession[],
): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  const nights = rows.map(nightOf).sort((a, b) => a - b);
  const { rows: found } = await client.query<{ key: string; count: number }>(
    `select s.source_id || ' ' || floor(extract(epoch from s.start_at) / 86400 - 0.5)::int as key, count(*)::int as count
       from ${table} s
      where s.user_key = $1 and ${ownRows} and s.source_id = any ($2::int[])
        and s.start_at >= to_timestamp(($3::int + 0.5) * 86400) and s.start_at < to_timestamp(($4::int + 1.5) * 86400)
      group by 1`,
    [userKey, [...new Set(rows.map(({ sourceId }) => sourceId))], nights[0], nights.at(-1)],
  );
  const counts = new Map(found.map(({ key, count }) => [key, count]));
  for (const session of removed) {
    const key = nightKey(session);
    const count = counts.get(key);
    if (count !== undefined) counts.set(key, count - 1);
  }
  return counts;
}

/** Loads the stored events with the identity of a row: by external id, or by start for rows without an id. */
async function loadVendorEvents<Row>(
  { client, userKey, turns }: WriteContext,
  kind: EventKind<Row>,
  rows: readonly Row[],
): Promise<StoredVendorEvent[]> {
  const found: StoredVendorEvent[] = [];
  const values = rows.map((row) => valuesOf(kind.columns, row));
  await turns.yieldIfLong();
  for (const isNamed of [true, false]) {
    const chosen = values.filter((row) => (row.external_id !== null) === isNamed);
    if (chosen.length > 0) found.push(...(await loadNamed(client, userKey, kind, chosen, isNamed)));
    await turns.yieldIfLong();
  }
  return found;
}

async function loadNamed(
  client: WriteContext['client'],
  userKey: number,
  { table, columns, namedBy, unnamedBy }: EventKind<never>,
  rows: readonly EventValues[],
  isNamed: boolean,
): Promise<StoredVendorEvent[]> {
  const key = columns.filter(({ name }) => (isNamed ? namedBy : unnamedBy).includes(name));
  const names = key.map(({ name }) => name).join(', ');
  const { rows: found } = await client.query<Record<string, unknown> & { id: string }>(
    `select s.id, ${selectedColumns(columns)}
       from (select distinct * from unnest(${key.map((column, index) => `$${index + 2}::${arrayType(column)}`).join(', ')})
               as given (${names})) given
      cross join lateral (
        select * from ${table} stored
         where stored.user_key = $1 and stored.external_id is ${isNamed ? 'not null' : 'null'}
           and ${key.map(({ name }) => `stored.${name} = given.${name}`).join(' and ')}
        ${ONE_LOOK_EACH}) s`,
    [userKey, ...key.map((column) => elementsOf(column, rows))],
  );
  return found.map((row) => ({ id: row.id, values: storedValues(columns, row) }));
}
