import type { RecordBatch, ReplacementRecord, SourceIdentity, WorkoutRecord } from '@healthd/model';
import type { ArrivingSession, SessionKind, StoredSession } from '../facts/events/session-kind.js';
import { isShared } from '../facts/events/workout-sources.js';
import type { WorkoutRow } from '../facts/events/workouts.js';
import { workoutFault } from '../facts/interval-errors.js';
import type { VendorSessionRow } from '../facts/sleep/vendor-sessions.js';
import { type ResolvedSources, sourceIdOf } from '../facts/sources/resolved-source.js';
import type { StoredSource, StoredSources } from '../facts/sources/stored-source.js';
import { storableText } from '../facts/storable-text.js';
import { vendorSessionRow } from './batch-records.js';
import { startKey, factsOf, SessionMatcher } from './session-identity.js';
import type { MovedWorkout, StoredWorkout } from './workout-readings.js';

/** A window of sessions or scores that a batch replaces. */
export type ReplacedWindow = Exclude<ReplacementRecord, { of: 'samples' }>;

/** A stored score of a replaced window. */
export interface StoredScore {
  id: string;
  externalId: string;
  hasValue: boolean;
}

/** Stored sessions and scores that a batch replaces or moves. */
export interface ReplacedSnapshot {
  sources: StoredSources;
  /** Identity rules for workouts and vendors' nights. */
  kinds: { workouts: SessionKind<WorkoutRow>; nights: SessionKind<VendorSessionRow> };
  /** Replaced windows with their stored contents. */
  windows: readonly { record: ReplacedWindow; sessions: readonly StoredSession[]; scores: readonly StoredScore[] }[];
  /** The batch's workouts that may move a stored workout, see {@link namedWorkouts}. */
  named: NamedWorkouts;
  /** Stored workouts with the id of one of {@link named}. */
  storedNamed: readonly StoredWorkout[];
}

/** Workouts of a batch by {@link nameOf}. */
export type NamedWorkouts = ReadonlyMap<string, WorkoutRecord>;

/** Number of records processed between two yields to the event loop. */
const RECORDS_AT_ONCE = 500;

/** Deletions in a batch's replaced windows and the workouts that the batch moves. */
export interface DecidedReplacements {
  workouts: StoredSession[];
  nights: StoredSession[];
  /** Ids of scores. */
  scores: string[];
  /** Ids of sessions that are kept, because a replaced window contains them with another end. */
  corrected: ReadonlySet<string>;
  moved: MovedWorkout[];
}

/**
 * Finds the stored sessions and scores that a batch's replaced windows lack. Rereading an unchanged window deletes
 * nothing.
 */
export function* decideReplaced(
  { sources: stored, kinds, windows, named, storedNamed }: ReplacedSnapshot,
  records: RecordBatch['records'],
  sources: ResolvedSources,
): Generator<void, DecidedReplacements> {
  const workouts = new Map<string, StoredSession>();
  const nights = new Map<string, StoredSession>();
  const corrected = new Set<string>();
  const scores = new Set<string>();
  const deliveredWorkouts = windows.length === 0 ? [] : workoutsOf(records, sources);
  const deliveredNights = windows.length === 0 ? [] : nightsOf(records, sources);
  for (const { record, sessions, scores: inWindow } of windows) {
    yield;
    if (record.of === 'health_scores') {
      for (const id of missingScores(inWindow, records)) scores.add(id);
      continue;
    }
    const { gone: missing, correctedIds } =
      record.of === 'workouts'
        ? missingSessions(kinds.workouts, deliveredWorkouts, sessions, isShared)
        : missingSessions(kinds.nights, deliveredNights, sessions);
    for (const session of missing) (record.of === 'workouts' ? workouts : nights).set(session.id, session);
    for (const id of correctedIds) corrected.add(id);
  }
  return {
    workouts: [...workouts.values()],
    nights: [...nights.values()],
    scores: [...scores],
    corrected,
    moved: yield* movedWorkouts(storedNamed, stored, named),
  };
}

function workoutsOf(records: RecordBatch['records'], sources: ResolvedSources): WorkoutRow[] {
  return records.flatMap((record) =>
    record.kind === 'workout' ? [{ ...record, sourceId: sourceIdOf(sources, record.source) }] : [],
  );
}

function nightsOf(records: RecordBatch['records'], sources: ResolvedSources): VendorSessionRow[] {
  return records.flatMap((record) =>
    record.kind === 'sleep_session' ? [vendorSessionRow(record, sourceIdOf(sources, record.source))] : [],
  );
}

/**
 * Returns a window's stored sessions that match no batch item. A session without an id that is redelivered with another
 * end is corrected and kept.
 * @param hasSharedId true if an item's id identifies the same session in all sources of the window
 */
function missingSessions<Row extends ArrivingSession>(
  kind: SessionKind<Row>,
  rows: readonly Row[],
  stored: readonly StoredSession[],
  hasSharedId: (row: Row) => boolean = () => false,
): { gone: StoredSession[]; correctedIds: string[] } {
  const matcher = new SessionMatcher<StoredSession>(kind.rule);
  for (const session of stored) matcher.addStored(session);
  const matches = rows.map((row) => ({ facts: factsOf(kind, row), ...matcher.match(factsOf(kind, row)) }));
  const matchedIds = new Set(matches.map((match) => match.stored?.id));
  const newStarts = new Set(matches.filter((match) => !match.stored).map(({ facts }) => startKey(facts)));
  const sharedIds = new Set(rows.filter(hasSharedId).flatMap((row) => factsOf(kind, row).externalId ?? []));
  const missing = stored.filter(({ id, externalId = '' }) => !matchedIds.has(id) && !sharedIds.has(externalId));
  const corrected = missing.filter(
    (session) => session.externalId === undefined && newStarts.delete(startKey(session)),
  );
  const correctedIds = new Set(corrected.map(({ id }) => id));
  return { gone: missing.filter(({ id }) => !correctedIds.has(id)), correctedIds: [...correctedIds] };
}

/** Returns the ids of stored scores that the batch lacks or explicitly empties. */
function missingScores(stored: readonly StoredScore[], records: RecordBatch['records']): string[] {
  const deliveredIds = new Set<string>();
  const withValue = new Set<string>();
  for (const record of records) {
    if (record.kind !== 'health_score' || !record.externalId) continue;
    const externalId = storableText(record.externalId);
    deliveredIds.add(externalId);
    if (record.value !== undefined) withValue.add(externalId);
  }
  const stays = ({ externalId, hasValue }: StoredScore) =>
    withValue.has(externalId) || (!hasValue && deliveredIds.has(externalId));
  return stored.filter((score) => !stays(score)).map(({ id }) => id);
}

/** Returns the batch workouts with an id that may move a stored workout, by {@link nameOf}. */
export function* namedWorkouts(
  records: RecordBatch['records'],
  sources: ResolvedSources,
): Generator<void, NamedWorkouts> {
  const named = new Map<string, WorkoutRecord>();
  for (const [index, record] of records.entries()) {
    if (index % RECORDS_AT_ONCE === 0) yield;
    if (record.kind !== 'workout' || record.externalId === undefined || workoutFault(record)) continue;
    if (record.isCreation || record.isCompletion) continue;
    const sourceId = sourceIdOf(sources, record.source);
    named.set(nameOf(isShared({ ...record, sourceId }) ? record.source : sourceId, record.externalId), record);
  }
  return named;
}

/** Returns stored workouts whose time the batch changes. */
function* movedWorkouts(
  stored: readonly StoredWorkout[],
  sources: StoredSources,
  named: NamedWorkouts,
): Generator<void, MovedWorkout[]> {
  const sourceOf = new Map([...sources.values()].map((source): [number, StoredSource] => [source.source_id, source]));
  const moved: MovedWorkout[] = [];
  for (const [index, before] of stored.entries()) {
    if (index % RECORDS_AT_ONCE === 0) yield;
    const source = sourceOf.get(before.sourceId);
    const { sourceId, externalId } = before;
    const now = named.get(nameOf(sourceId, externalId)) ?? (source && named.get(nameOf(source, externalId)));
    if (!now || (now.startMs === before.startMs && now.endMs === before.endMs)) continue;
    moved.push({ before, now });
  }
  return moved;
}

/** Identifies a workout by id and writer, or by id and source if devices may share ids. */
function nameOf(of: number | (Pick<SourceIdentity, 'provider'> & { writer?: string | null }), id = ''): string {
  const scope = typeof of === 'number' ? [of] : [of.provider, storableText(of.writer ?? '')];
  return JSON.stringify([...scope, storableText(id)]);
}
