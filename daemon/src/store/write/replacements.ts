import type { RecordBatch, ReplacementRecord, SourceIdentity, WorkoutRecord } from '@healthd/model';
import { vendorSessionRow } from '../decide/batch-records.js';
import type { Identified } from '../decide/identified.js';
import { beginKey, factsOf, SessionMatcher } from '../decide/session-identity.js';
import { displaced } from '../decide/sessions.js';
import {
  type ArrivingSession,
  type IdentityRow,
  identityColumns,
  type SessionKind,
  type StoredSession,
  storedSession,
} from '../facts/events/session-kind.js';
import { isShared } from '../facts/events/workout-sources.js';
import { WORKOUTS, type WorkoutRow } from '../facts/events/workouts.js';
import { workoutFault } from '../facts/interval-faults.js';
import { VENDOR_SESSIONS, type VendorSessionRow } from '../facts/sleep/vendor-sessions.js';
import { type ResolvedSources, sourceIdOf } from '../facts/sources/resolved-source.js';
import { sourcesOfWriter } from '../facts/sources/stored-source.js';
import { storableText } from '../facts/storable-text.js';
import type { WriteContext } from '../facts/write-context.js';
import type { BatchContext } from './load-context.js';
import { allRemoved, nothingRemoved, type Removed } from './removed.js';
import {
  type MovedWorkout,
  removeReadings,
  removeReadingsLeft,
  storedWorkout,
  WORKOUT_FACTS,
  type WorkoutFactsRow,
} from './workout-readings.js';

/** What the batch holds besides its replacements: what of a window stays. */
interface SurvivingRows {
  identified: Identified;
  records: RecordBatch['records'];
  sources: ResolvedSources;
}

/** What replaced windows lost. */
export interface Replaced {
  removed: Removed;
  /** Ids of sessions that stay, because a replaced window gives them with another end. */
  correctedSessions: ReadonlySet<string>;
}

/**
 * Removes the stored sessions and scores of the replaced windows that are not in the batch, and what was measured of
 * workouts that go or move. Rows that are in both are not dirty, so that
 * a window which is read again and again writes nothing while nothing changes.
 */
export async function applyReplacements(context: BatchContext, kept: SurvivingRows): Promise<Replaced> {
  const { account } = context.options;
  const replacements = kept.records.filter((record) => record.kind === 'replacement');
  const parts: Removed[] = [];
  const corrected: string[] = [];
  for (const record of replacements) {
    if (record.of === 'samples') continue;
    const sourceIds = sourcesOfWriter(context.sources, record, account);
    if (sourceIds.length === 0) continue;
    if (record.of === 'health_scores') {
      parts.push(await removeScores(context, record, sourceIds, kept));
      continue;
    }
    const window = { record, sourceIds };
    const { gone, correctedIds } =
      record.of === 'workouts'
        ? await removeSessions(context, WORKOUTS, workoutsOf(kept), window, isShared)
        : await removeSessions(context, VENDOR_SESSIONS, nightsOf(kept), window);
    const wakeDates = record.of === 'workouts' ? [] : gone.map(({ endDate }) => endDate);
    const displacedSessions = gone.flatMap((session) => displaced(session, true));
    parts.push({ ...nothingRemoved(), sessions: gone.length, wakeDates, gone: displacedSessions });
    if (record.of === 'workouts') {
      const workouts = gone.map(({ variant, ...session }) => ({ ...session, type: variant }));
      parts.push(await removeReadings(context, workouts, (stored, row) => kept.identified.isSettled(stored, row)));
    }
    corrected.push(...correctedIds);
  }
  parts.push(await removeMovedReadings(context, kept));
  return { removed: allRemoved(parts), correctedSessions: new Set(corrected) };
}

function workoutsOf({ records, sources }: SurvivingRows): WorkoutRow[] {
  return records.flatMap((record) =>
    record.kind === 'workout' ? [{ ...record, sourceId: sourceIdOf(sources, record.source) }] : [],
  );
}

function nightsOf({ records, sources }: SurvivingRows): VendorSessionRow[] {
  return records.flatMap((record) =>
    record.kind === 'sleep_session' ? [vendorSessionRow(record, sourceIdOf(sources, record.source))] : [],
  );
}

/**
 * Removes sessions that begin in the window (nights: that overlap it) and that none of the batch's items is. One
 * without an id that comes back with another end is corrected and stays.
 * @param hasSharedId whether the id of an item means the same session in all sources of the window
 */
async function removeSessions<Row extends ArrivingSession>(
  { client, userKey }: WriteContext,
  kind: SessionKind<Row>,
  rows: readonly Row[],
  { record, sourceIds }: { record: ReplacementRecord; sourceIds: number[] },
  hasSharedId: (row: Row) => boolean = () => false,
): Promise<{ gone: StoredSession[]; correctedIds: string[] }> {
  const { rows: found } = await client.query<IdentityRow>(
    `select ${identityColumns(kind)} from ${kind.table} s
      where s.user_key = $1 and s.source_id = any ($2::int[]) and ${kind.ownRows}
        and s.start_at < to_timestamp($4::float8 / 1000)
        and ${record.of === 'nights' ? 's.end_at > to_timestamp($3::float8 / 1000) and not s.is_nap' : 's.start_at >= to_timestamp($3::float8 / 1000)'}`,
    [userKey, sourceIds, record.startMs, record.endMs],
  );
  const stored = found.map(storedSession);
  const matcher = new SessionMatcher(stored, kind.rule);
  const matches = rows.map((row) => ({ facts: factsOf(kind, row), ...matcher.match(factsOf(kind, row)) }));
  const kept = new Set(matches.map((match) => match.stored?.id));
  const begun = new Set(matches.filter((match) => !match.stored).map(({ facts }) => beginKey(facts)));
  const sharedIds = new Set(rows.filter(hasSharedId).flatMap((row) => factsOf(kind, row).externalId ?? []));
  const isKept = ({ id, externalId = '' }: StoredSession) => kept.has(id) || sharedIds.has(externalId);
  const missing = stored.filter((session) => !isKept(session));
  const corrected = missing.filter((session) => session.externalId === undefined && begun.delete(beginKey(session)));
  const gone = missing.filter((session) => !corrected.includes(session));
  if (gone.length > 0) {
    await client.query(`delete from ${kind.table} where user_key = $1 and id = any ($2::uuid[])`, [
      userKey,
      gone.map(({ id }) => id),
    ]);
  }
  return { gone, correctedIds: corrected.map(({ id }) => id) };
}

/** Removes what was measured of workouts that the batch moves and lies outside of where they are now. */
async function removeMovedReadings(context: BatchContext, kept: SurvivingRows): Promise<Removed> {
  if (context.options.keepStored) return nothingRemoved();
  const moved = new Map<string, WorkoutRecord>();
  for (const record of kept.records) {
    if (record.kind !== 'workout' || record.externalId === undefined || workoutFault(record)) continue;
    if (record.isCreation || record.isCompletion) continue;
    const sourceId = sourceIdOf(kept.sources, record.source);
    moved.set(nameOf(isShared({ ...record, sourceId }) ? record.source : sourceId, record.externalId), record);
  }
  if (moved.size === 0) return nothingRemoved();
  const sources = [...context.sources.values()];
  const { rows } = await context.client.query<WorkoutFactsRow>(
    `select ${WORKOUT_FACTS} from workout s
      where s.user_key = $1 and s.source_id = any ($2::int[]) and s.external_id = any ($3::text[])`,
    [
      context.userKey,
      sources.map(({ source_id }) => source_id),
      [...moved.values()].map(({ externalId = '' }) => storableText(externalId)),
    ],
  );
  const sourceOf = new Map(sources.map((source) => [source.source_id, source]));
  const changed: MovedWorkout[] = [];
  for (const before of rows.map(storedWorkout)) {
    const source = sourceOf.get(before.sourceId);
    const { sourceId, externalId } = before;
    const now = moved.get(nameOf(sourceId, externalId)) ?? (source && moved.get(nameOf(source, externalId)));
    if (!now || (now.startMs === before.startMs && now.endMs === before.endMs)) continue;
    changed.push({ before, now });
  }
  return removeReadingsLeft(context, changed, (stored, row) => kept.identified.isSettled(stored, row));
}

/** What distinguishes a workout: its id among those of its writer, or of its source where devices may use the same ids. */
function nameOf(of: number | (Pick<SourceIdentity, 'provider'> & { writer?: string | null }), id = ''): string {
  const scope = typeof of === 'number' ? [of] : [of.provider, storableText(of.writer ?? '')];
  return JSON.stringify([...scope, storableText(id)]);
}

/** Removes scores of the window that the batch does not have, and those of which it says that they have no value. */
async function removeScores(
  { client, userKey }: WriteContext,
  { idPrefix, startMs, endMs }: ReplacementRecord & { of: 'health_scores' },
  sourceIds: number[],
  { records }: SurvivingRows,
): Promise<Removed> {
  const kept = records.filter((record) => record.kind === 'health_score');
  const idsOf = (scores: typeof kept) => scores.flatMap(({ externalId }) => externalId ?? []).map(storableText);
  const { rowCount } = await client.query(
    `delete from health_score
      where user_key = $1 and source_id = any ($2::int[]) and starts_with(external_id, $3)
        and recorded_at >= to_timestamp($4::float8 / 1000) and recorded_at < to_timestamp($5::float8 / 1000)
        and external_id <> all ($6::text[]) and (value is not null or external_id <> all ($7::text[]))`,
    [
      userKey,
      sourceIds,
      storableText(idPrefix),
      startMs,
      endMs,
      idsOf(kept.filter(({ value }) => value !== undefined)),
      idsOf(kept),
    ],
  );
  return { ...nothingRemoved(), healthScores: rowCount ?? 0 };
}
