import { type DeletionRecord, kindOfSlot, NO_OFFSET } from '@healthd/model';
import type pg from 'pg';
import { deleteArchived } from '../archive/archive-deletion.js';
import { DirtyDays } from '../facts/dirty-days.js';
import { loadTimeline } from '../facts/offsets/offset-days.js';
import { allocateRows, localDayOf } from '../facts/samples/sample-rows.js';

/** What the batch's deletions removed, and what they made stale. */
export interface Deleted {
  samples: number;
  sessions: number;
  healthScores: number;
  days: DirtyDays;
  wakeDates: string[];
  /** Ids of sessions that stay, because a replaced window gives them with another end. */
  correctedSessions: Set<string>;
}

/** Removes what vendors say is gone. It runs before the batch's other records, which say what exists. */
export async function applyDeletions(
  client: pg.ClientBase,
  userKey: number,
  deletions: DeletionRecord[],
): Promise<Deleted> {
  const deleted: Deleted = {
    samples: 0,
    sessions: 0,
    healthScores: 0,
    days: new DirtyDays(),
    wakeDates: [],
    correctedSessions: new Set<string>(),
  };
  for (const deletion of deletions) {
    if (deletion.of !== 'samples') continue;
    await deleteSamples(client, userKey, deletion, deleted);
    for (const { typeId, sourceId, day, sampleCount } of await deleteArchived(client, userKey, deletion)) {
      deleted.samples += sampleCount;
      deleted.days.add(typeId, sourceId, day);
    }
  }
  for (const provider of new Set(deletions.map((deletion) => deletion.provider))) {
    const idsOf = (of: 'session' | 'health_score') =>
      deletions.flatMap((deletion) =>
        deletion.provider === provider && deletion.of === of ? [deletion.externalId] : [],
      );
    await deleteSessions(client, userKey, provider, idsOf('session'), deleted);
    const scores = idsOf('health_score');
    if (scores.length > 0) {
      const { rowCount } = await client.query(
        'delete from health_score where user_key = $1 and provider = $2 and external_id = any ($3::text[])',
        [userKey, provider, scores],
      );
      deleted.healthScores += rowCount ?? 0;
    }
  }
  return deleted;
}

async function deleteSamples(
  client: pg.ClientBase,
  userKey: number,
  deletion: DeletionRecord & { of: 'samples' },
  deleted: Deleted,
): Promise<void> {
  const { rows } = await client.query<{
    source_id: number;
    start_ms: number;
    offset_minutes: number | null;
    slot: number;
  }>(
    `delete from sample
      where user_key = $1 and type_id = $2
        and start_at >= to_timestamp($3::float8 / 1000) and start_at < to_timestamp($4::float8 / 1000)
        and source_id in (select source_id from data_source where user_key = $1 and provider = $5)
     returning source_id, extract(epoch from start_at)::float8 * 1000 as start_ms, offset_minutes, slot`,
    [userKey, deletion.typeId, deletion.startMs, deletion.endMs, deletion.provider],
  );
  if (rows.length === 0) return;
  deleted.samples += rows.length;
  const timeline = await loadTimeline(client, userKey, deletion.startMs, deletion.endMs);
  const row = allocateRows(1);
  for (const sample of rows) {
    row.kind[0] = kindOfSlot(sample.slot);
    row.startMs[0] = Math.round(sample.start_ms);
    row.offsetMinutes[0] = sample.offset_minutes ?? NO_OFFSET;
    deleted.days.add(deletion.typeId, sample.source_id, localDayOf(row, 0, timeline));
  }
}

async function deleteSessions(
  client: pg.ClientBase,
  userKey: number,
  provider: string,
  externalIds: string[],
  deleted: Deleted,
): Promise<void> {
  if (externalIds.length === 0) return;
  const remove = (table: string, returning: string) =>
    client.query<{ wake_date?: string }>(
      `delete from ${table} where user_key = $1 and external_id = any ($3::text[])
          and source_id in (select source_id from data_source where user_key = $1 and provider = $2)
       returning ${returning}`,
      [userKey, provider, externalIds],
    );
  const sleep = await remove('sleep_session', 'wake_date');
  deleted.wakeDates.push(...sleep.rows.flatMap(({ wake_date }) => wake_date ?? []));
  for (const { rowCount } of [sleep, await remove('workout', 'id'), await remove('menstrual_cycle', 'id')]) {
    deleted.sessions += rowCount ?? 0;
  }
}
