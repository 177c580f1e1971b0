import { type RecordBatch, type ReplacementRecord, SAMPLE_KIND_CODE } from '@healthd/model';
import type pg from 'pg';
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
import { loadTimeline } from '../facts/offsets/offset-days.js';
import { type Identified, keyOf } from '../facts/samples/identified.js';
import { RestatedSamples } from '../facts/samples/restated.js';
import { readSamples } from '../facts/samples/sample-reader.js';
import { localDayOf } from '../facts/samples/sample-rows.js';
import { VENDOR_SESSIONS, type VendorSessionRow, vendorSessionRow } from '../facts/sleep/vendor-sessions.js';
import { type ResolvedSource, storedKey } from '../facts/sources/sources.js';
import { storableText } from '../facts/storable-text.js';
import type { Deleted } from './deletions.js';

/** What the batch holds besides its replacements: what of a window stays. */
export interface SurvivingRows {
  identified: Identified;
  records: RecordBatch['records'];
  sources: Map<string, ResolvedSource>;
}

/**
 * Removes what is stored of the replaced windows and is not in the batch. Rows that are in both are not dirty, so that
 * a window which is read again and again writes nothing while nothing changes.
 */
export async function applyReplacements(
  client: pg.ClientBase,
  userKey: number,
  kept: SurvivingRows,
  deleted: Deleted,
): Promise<void> {
  for (const record of kept.records) {
    if (record.kind !== 'replacement') continue;
    const sourceIds = await sourcesOfWriter(client, userKey, record);
    if (sourceIds.length === 0) continue;
    if (record.of === 'samples') await replaceSamples(client, userKey, record, sourceIds, kept.identified, deleted);
    else if (record.of === 'health_scores') await removeScores(client, userKey, record, sourceIds, kept, deleted);
    else {
      const window = { record, sourceIds, deleted };
      if (record.of === 'workouts') await removeSessions(client, userKey, WORKOUTS, workoutsOf(kept), window);
      else {
        const wakeDates = await removeSessions(client, userKey, VENDOR_SESSIONS, nightsOf(kept), window);
        deleted.wakeDates.push(...wakeDates);
      }
    }
  }
}

function workoutsOf({ records, sources }: SurvivingRows): WorkoutRow[] {
  return records.flatMap((record) => {
    const sourceId = record.kind === 'workout' ? sources.get(storedKey(record.source))?.sourceId : undefined;
    return record.kind === 'workout' && sourceId !== undefined ? [{ ...record, sourceId }] : [];
  });
}

function nightsOf({ records, sources }: SurvivingRows): VendorSessionRow[] {
  return records.flatMap((record) => {
    const sourceId = record.kind === 'sleep_session' ? sources.get(storedKey(record.source))?.sourceId : undefined;
    return record.kind === 'sleep_session' && sourceId !== undefined ? [vendorSessionRow(record, sourceId)] : [];
  });
}

async function sourcesOfWriter(
  client: pg.ClientBase,
  userKey: number,
  { provider, writer }: ReplacementRecord,
): Promise<number[]> {
  const { rows } = await client.query<{ source_id: number }>(
    `select source_id from data_source
      where user_key = $1 and provider = $2 and (writer = $3 or starts_with(writer, $3 || '/')) order by source_id`,
    [userKey, provider, storableText(writer)],
  );
  return rows.map(({ source_id }) => source_id);
}

async function replaceSamples(
  client: pg.ClientBase,
  userKey: number,
  { typeIds, sampleKinds, localDays, startMs, endMs }: ReplacementRecord & { of: 'samples' },
  sourceIds: number[],
  identified: Identified,
  deleted: Deleted,
): Promise<void> {
  const ranges = typeIds.map((typeId) => ({ typeId, sourceIds, fromMs: startMs, toMs: endMs }));
  const stored = await readSamples(client, userKey, ranges);
  if (stored.length === 0) return;
  const kinds = sampleKinds && new Set(sampleKinds.map((kind): number => SAMPLE_KIND_CODE[kind]));
  const timeline = await loadTimeline(client, userKey, startMs, endMs);
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
  if (gone.length === 0) return;
  const { rowCount } = await client.query({
    name: 'records-remove-samples',
    text: REMOVE,
    values: [
      userKey,
      gone.map((row) => stored.typeId[row]),
      gone.map((row) => stored.startMs[row]),
      gone.map((row) => stored.sourceId[row]),
      gone.map((row) => stored.slot[row]),
    ],
  });
  deleted.samples += rowCount ?? 0;
  for (const row of gone) {
    deleted.days.add(stored.typeId[row] as number, stored.sourceId[row] as number, localDayOf(stored, row, timeline));
  }
}

const REMOVE = `
delete from sample s
 using unnest($2::smallint[], $3::float8[], $4::int[], $5::int[]) as gone (type_id, start_ms, source_id, slot)
 where s.user_key = $1 and s.type_id = gone.type_id and s.start_at = to_timestamp(gone.start_ms / 1000)
   and s.source_id = gone.source_id and s.slot = gone.slot`;

/**
 * Removes sessions that begin in the window and that none of the batch's items is. One without an id that comes back with
 * another end is corrected and stays.
 * @returns the days on which the removed sessions ended
 */
async function removeSessions<Row extends ArrivingSession>(
  client: pg.ClientBase,
  userKey: number,
  kind: SessionKind<Row>,
  rows: readonly Row[],
  { record, sourceIds, deleted }: { record: ReplacementRecord; sourceIds: number[]; deleted: Deleted },
): Promise<string[]> {
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
  const isCorrected = (session: StoredSession) =>
    session.externalId === undefined && begun.delete(beginKey(session)) && deleted.correctedSessions.add(session.id);
  const gone = missing.filter((session) => !isCorrected(session));
  if (gone.length === 0) return [];
  await client.query(`delete from ${kind.table} where user_key = $1 and id = any ($2::uuid[])`, [
    userKey,
    gone.map(({ id }) => id),
  ]);
  deleted.sessions += gone.length;
  return gone.map(({ endDate }) => endDate);
}

/** Removes scores of the window that the batch does not have, and those of which it says that they have no value. */
async function removeScores(
  client: pg.ClientBase,
  userKey: number,
  { idPrefix, startMs, endMs }: ReplacementRecord & { of: 'health_scores' },
  sourceIds: number[],
  { records }: SurvivingRows,
  deleted: Deleted,
): Promise<void> {
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
  deleted.healthScores += rowCount ?? 0;
}
