import { hasId, type RecordBatch, type ReplacementRecord, SAMPLE_KIND_CODE } from '@healthd/model';
import {
  type ArrivingSession,
  factsOf,
  type IdentityRow,
  identityColumns,
  type SessionKind,
  type StoredSession,
  storedSession,
} from '../facts/events/identified-sessions.js';
import { beginKey, SessionMatcher } from '../facts/events/session-identity.js';
import { WORKOUTS, type WorkoutRow } from '../facts/events/workouts.js';
import { FATE, type Identified, keyOf } from '../facts/samples/identified.js';
import { readSamples } from '../facts/samples/sample-reader.js';
import { localDayOf, type SampleRows } from '../facts/samples/sample-rows.js';
import { deleteKeys } from '../facts/samples/sample-store.js';
import { VENDOR_SESSIONS, type VendorSessionRow, vendorSessionRow } from '../facts/sleep/vendor-sessions.js';
import { type ResolvedSources, type StoredSources, sourceIdOf } from '../facts/sources/sources.js';
import { storableText } from '../facts/storable-text.js';
import type { WriteContext } from '../facts/write-context.js';
import { allRemoved, nothingRemoved, type Removed } from './deletions.js';
import type { BatchContext } from './load-context.js';

/** What the batch holds besides its replacements: what of a window stays. */
export interface SurvivingRows {
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
 * Removes what is stored of the replaced windows and is not in the batch. Rows that are in both are not dirty, so that
 * a window which is read again and again writes nothing while nothing changes.
 */
export async function applyReplacements(context: BatchContext, kept: SurvivingRows): Promise<Replaced> {
  const parts: Removed[] = [];
  const corrected: string[] = [];
  for (const record of kept.records) {
    if (record.kind !== 'replacement') continue;
    const sourceIds = sourcesOfWriter(context.sources, record);
    if (sourceIds.length === 0) continue;
    if (record.of === 'samples') {
      parts.push(await replaceSamples(context, record, sourceIds, kept.identified));
      continue;
    }
    if (record.of === 'health_scores') {
      parts.push(await removeScores(context, record, sourceIds, kept));
      continue;
    }
    const window = { record, sourceIds };
    const { gone, correctedIds } =
      record.of === 'workouts'
        ? await removeSessions(context, WORKOUTS, workoutsOf(kept), window)
        : await removeSessions(context, VENDOR_SESSIONS, nightsOf(kept), window);
    const wakeDates = record.of === 'workouts' ? [] : gone.map(({ endDate }) => endDate);
    parts.push({ ...nothingRemoved(), sessions: gone.length, wakeDates });
    corrected.push(...correctedIds);
  }
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

function sourcesOfWriter(sources: StoredSources, { provider, writer }: ReplacementRecord): number[] {
  const name = storableText(writer);
  return [...sources.values()]
    .filter((source) => source.provider === provider && source.writer !== null)
    .filter((source) => source.writer === name || source.writer?.startsWith(`${name}/`))
    .map(({ source_id }) => source_id);
}

async function replaceSamples(
  { client, userKey, timeline }: WriteContext,
  { typeIds, sampleKinds, localDays, startMs, endMs }: ReplacementRecord & { of: 'samples' },
  sourceIds: number[],
  identified: Identified,
): Promise<Removed> {
  const removed = nothingRemoved();
  const ranges = typeIds.map((typeId) => ({ typeId, sourceIds, fromMs: startMs, toMs: endMs }));
  const stored = await readSamples(client, userKey, ranges);
  if (stored.length === 0) return removed;
  const kinds = sampleKinds && new Set(sampleKinds.map((kind): number => SAMPLE_KIND_CODE[kind]));
  const isElsewhere = (row: number) => {
    if (localDays === undefined) return false;
    const day = localDayOf(stored, row, timeline);
    return day < localDays.firstDay || day >= localDays.endDay;
  };
  const restated = new RestatedSamples(identified);
  const gone: number[] = [];
  for (let row = 0; row < stored.length; row++) {
    if ((kinds && !kinds.has(stored.kind[row] as number)) || isElsewhere(row)) continue;
    if (identified.met?.has(keyOf(stored, row)) || restated.takes(stored, row)) continue;
    gone.push(row);
  }
  if (gone.length === 0) return removed;
  await deleteKeys(
    client,
    userKey,
    stored,
    gone.map((row) => ({ row, startMs: stored.startMs[row] as number, slot: stored.slot[row] as number })),
  );
  for (const row of gone) {
    removed.days.add(stored.typeId[row] as number, stored.sourceId[row] as number, localDayOf(stored, row, timeline));
  }
  return { ...removed, samples: gone.length };
}

/**
 * New rows of a batch that restates its windows, by where they begin. A stored sample of the same series, source, kind and
 * start that the batch has no longer is the same one with another value.
 */
class RestatedSamples {
  private readonly rowsAt = new Map<string, number[]>();

  constructor(private readonly identified: Identified) {
    const { rows, fates } = identified;
    for (let row = 0; row < rows.length; row++) {
      if (fates[row] !== FATE.insert) continue;
      const key = beginOf(rows, row);
      const known = this.rowsAt.get(key);
      if (known) known.push(row);
      else this.rowsAt.set(key, [row]);
    }
  }

  /** Replaces a stored sample by a new row; false when there is none. */
  takes(stored: SampleRows, at: number): boolean {
    const { rows } = this.identified;
    const row = this.rowsAt.get(beginOf(stored, at))?.shift();
    if (row === undefined) return false;
    if (!hasId(rows.slot[row] as number)) rows.slot[row] = stored.slot[at] as number;
    this.identified.replace(row, stored, at);
    return true;
  }
}

function beginOf(rows: SampleRows, at: number): string {
  return `${rows.typeId[at]} ${rows.startMs[at]} ${rows.sourceId[at]} ${rows.kind[at]}`;
}

/**
 * Removes sessions that begin in the window and that none of the batch's items is. One without an id that comes back with
 * another end is corrected and stays.
 */
async function removeSessions<Row extends ArrivingSession>(
  { client, userKey }: WriteContext,
  kind: SessionKind<Row>,
  rows: readonly Row[],
  { record, sourceIds }: { record: ReplacementRecord; sourceIds: number[] },
): Promise<{ gone: StoredSession[]; correctedIds: string[] }> {
  const { rows: found } = await client.query<IdentityRow>(
    `select ${identityColumns(kind)} from ${kind.table} s
      where s.user_key = $1 and s.source_id = any ($2::int[]) and ${kind.ownRows}
        and s.start_at >= to_timestamp($3::float8 / 1000) and s.start_at < to_timestamp($4::float8 / 1000)`,
    [userKey, sourceIds, record.startMs, record.endMs],
  );
  const stored = found.map(storedSession);
  const matcher = new SessionMatcher(stored, kind.rule);
  const matches = rows.map((row) => ({ facts: factsOf(kind, row), ...matcher.match(factsOf(kind, row)) }));
  const kept = new Set(matches.map((match) => match.stored?.id));
  const begun = new Set(matches.filter((match) => !match.stored).map(({ facts }) => beginKey(facts)));
  const missing = stored.filter(({ id }) => !kept.has(id));
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
