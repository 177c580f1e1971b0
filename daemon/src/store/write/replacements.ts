import type { RecordBatch } from '@healthd/model';
import type pg from 'pg';
import {
  type DecidedReplacements,
  decideReplaced,
  type NamedWorkouts,
  namedWorkouts,
  type ReplacedSnapshot,
  type ReplacedWindow,
  type StoredScore,
} from '../decide/replaced-sessions.js';
import { displaced } from '../decide/sessions.js';
import { CHANGE } from '../facts/change.js';
import {
  type IdentityRow,
  identityColumns,
  type SessionKind,
  type StoredSession,
  storedSession,
} from '../facts/events/session-kind.js';
import { WORKOUTS } from '../facts/events/workouts.js';
import { VENDOR_SESSIONS } from '../facts/sleep/vendor-sessions.js';
import type { ResolvedSources } from '../facts/sources/resolved-source.js';
import { sourcesOfWriter } from '../facts/sources/stored-source.js';
import { storableText } from '../facts/storable-text.js';
import type { StoredWorkout } from '../decide/workout-readings.js';
import type { BatchContext } from './load-context.js';
import { NOTHING_REMOVED, type Removal } from './removal.js';
import {
  findReadings,
  findReadingsLeft,
  type FoundReadings,
  storedWorkout,
  WORKOUT_FACTS,
  type WorkoutFactsRow,
} from './workout-readings.js';

/** Deletions in replaced windows and the readings of deleted or moved workouts. */
export interface Replaced extends DecidedReplacements {
  readings: FoundReadings;
}

/**
 * Decides which items a batch replaces. Writes nothing, because the batch's samples determine which readings remain.
 */
export async function findReplaced(
  context: BatchContext,
  records: RecordBatch['records'],
  sources: ResolvedSources,
): Promise<Replaced> {
  const snapshot = await loadReplaced(context, records, sources);
  const decided = await context.turns.run(decideReplaced(snapshot, records, sources));
  const workouts = decided.workouts.map(({ variant, ...session }) => ({ ...session, type: variant }));
  const found = await findReadings(context, workouts);
  const left = await findReadingsLeft(context, decided.moved);
  return { ...decided, readings: { ...found, samples: [...found.samples, ...left] } };
}

/**
 * Returns the deletions of sessions, scores and archived positions. Omits samples, because the decision about the
 * batch's samples deletes them.
 */
export function replacedRemoval({ workouts, nights, scores, readings }: Replaced): Removal {
  return {
    ...NOTHING_REMOVED,
    change: CHANGE.replaced,
    archivedDays: readings.places,
    sessions: { workout: idsOf(workouts), sleep_session: idsOf(nights) },
    scores,
    wakeDates: nights.map(({ endDate }) => endDate),
    gone: [...workouts, ...nights].flatMap((session) => displaced(session, true)),
  };
}

function idsOf(sessions: readonly StoredSession[]): string[] {
  return sessions.map(({ id }) => id);
}

async function loadReplaced(
  context: BatchContext,
  records: RecordBatch['records'],
  sources: ResolvedSources,
): Promise<ReplacedSnapshot> {
  const { client, userKey, options } = context;
  const windows: ReplacedSnapshot['windows'][number][] = [];
  for (const record of records) {
    if (record.kind !== 'replacement' || record.of === 'samples') continue;
    const window = record as ReplacedWindow;
    const sourceIds = sourcesOfWriter(context.sources, window, options.account);
    if (sourceIds.length === 0) continue;
    windows.push({
      record: window,
      sessions: window.of === 'health_scores' ? [] : await loadSessions(client, userKey, window, sourceIds),
      scores: window.of === 'health_scores' ? await loadScores(client, userKey, window, sourceIds) : [],
    });
  }
  const named: NamedWorkouts = options.keepStored
    ? new Map()
    : await context.turns.run(namedWorkouts(records, sources));
  const kinds = { workouts: WORKOUTS, nights: VENDOR_SESSIONS };
  return { sources: context.sources, kinds, windows, named, storedNamed: await loadNamed(context, named) };
}

/**
 * Loads the workouts or sleep sessions that start in the window. For a window of nights, loads the nights that overlap
 * it, without naps.
 */
async function loadSessions(
  client: pg.ClientBase,
  userKey: number,
  { of, startMs, endMs }: ReplacedWindow,
  sourceIds: readonly number[],
): Promise<StoredSession[]> {
  const kind = (of === 'workouts' ? WORKOUTS : VENDOR_SESSIONS) as SessionKind<never>;
  const isInside =
    of === 'nights'
      ? 's.end_at > to_timestamp($3::float8 / 1000) and not s.is_nap'
      : 's.start_at >= to_timestamp($3::float8 / 1000)';
  const text = `select ${identityColumns(kind)} from ${kind.table} s
                 where s.user_key = $1 and s.source_id = any ($2::int[]) and ${kind.ownRows}
                   and s.start_at < to_timestamp($4::float8 / 1000) and ${isInside}`;
  const { rows } = await client.query<IdentityRow>(text, [userKey, sourceIds, startMs, endMs]);
  return rows.map(storedSession);
}

async function loadScores(
  client: pg.ClientBase,
  userKey: number,
  { idPrefix, startMs, endMs }: ReplacedWindow & { of: 'health_scores' },
  sourceIds: readonly number[],
): Promise<StoredScore[]> {
  const { rows } = await client.query<StoredScore>(
    `select id, external_id as "externalId", value is not null as "hasValue" from health_score
      where user_key = $1 and source_id = any ($2::int[]) and starts_with(external_id, $3)
        and recorded_at >= to_timestamp($4::float8 / 1000) and recorded_at < to_timestamp($5::float8 / 1000)`,
    [userKey, sourceIds, storableText(idPrefix), startMs, endMs],
  );
  return rows;
}

/** Loads the stored workouts with the id of a batch workout. */
async function loadNamed(context: BatchContext, named: NamedWorkouts): Promise<StoredWorkout[]> {
  if (named.size === 0) return [];
  const { rows } = await context.client.query<WorkoutFactsRow>(
    `select ${WORKOUT_FACTS} from workout s
      where s.user_key = $1 and s.source_id = any ($2::int[]) and s.external_id = any ($3::text[])`,
    [
      context.userKey,
      [...context.sources.values()].map(({ source_id }) => source_id),
      Array.from(named.values(), ({ externalId = '' }) => storableText(externalId)),
    ],
  );
  return rows.map(storedWorkout);
}
