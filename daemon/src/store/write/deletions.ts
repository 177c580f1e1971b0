import { type DeletionRecord, kindOfSlot, NO_OFFSET } from '@healthd/model';
import { deleteArchived } from '../archive/archive-deletion.js';
import { DirtyDays } from '../facts/dirty-days.js';
import { allocateRows, localDayOf } from '../facts/samples/sample-rows.js';
import type { WriteContext } from '../facts/write-context.js';
import type { DisplacedSession } from '../facts/write-result.js';
import type { BatchContext } from './load-context.js';

/** Rows that a step of a write removed, and what has to be computed again for it. */
export interface Removed {
  samples: number;
  sessions: number;
  healthScores: number;
  days: DirtyDays;
  wakeDates: string[];
  /** Sessions that a replaced window lacks. */
  gone: DisplacedSession[];
}

/** What several steps removed together. */
export function allRemoved(parts: readonly Removed[]): Removed {
  const sum = (count: (part: Removed) => number) => parts.reduce((total, part) => total + count(part), 0);
  return {
    samples: sum(({ samples }) => samples),
    sessions: sum(({ sessions }) => sessions),
    healthScores: sum(({ healthScores }) => healthScores),
    days: DirtyDays.union(parts.map(({ days }) => days)),
    wakeDates: parts.flatMap(({ wakeDates }) => wakeDates),
    gone: parts.flatMap(({ gone }) => gone),
  };
}

/** Removes what vendors say is gone. It runs before the batch's other records, which say what exists. */
export async function applyDeletions(context: BatchContext, deletions: readonly DeletionRecord[]): Promise<Removed> {
  const parts: Removed[] = [];
  for (const deletion of deletions) {
    if (deletion.of === 'samples') parts.push(await deleteSamples(context, deletion));
  }
  for (const provider of new Set(deletions.map((deletion) => deletion.provider))) {
    const idsOf = (of: 'session' | 'health_score') =>
      deletions.flatMap((deletion) =>
        deletion.provider === provider && deletion.of === of ? [deletion.externalId] : [],
      );
    parts.push(await deleteSessions(context, provider, idsOf('session')));
    parts.push(await deleteScores(context, provider, idsOf('health_score')));
  }
  return allRemoved(parts);
}

async function deleteSamples(context: BatchContext, deletion: DeletionRecord & { of: 'samples' }): Promise<Removed> {
  const { client, userKey, timeline, sources } = context;
  const sourceIds = [...sources.values()]
    .filter(({ provider }) => provider === deletion.provider)
    .map(({ source_id }) => source_id);
  const { rows } = await client.query<{
    source_id: number;
    start_ms: number;
    offset_minutes: number | null;
    slot: number;
  }>(
    `delete from sample
      where user_key = $1 and type_id = $2
        and start_at >= to_timestamp($3::float8 / 1000) and start_at < to_timestamp($4::float8 / 1000)
        and source_id = any ($5::int[])
     returning source_id, extract(epoch from start_at)::float8 * 1000 as start_ms, offset_minutes, slot`,
    [userKey, deletion.typeId, deletion.startMs, deletion.endMs, sourceIds],
  );
  const days = new DirtyDays();
  const row = allocateRows(1);
  for (const sample of rows) {
    row.kind[0] = kindOfSlot(sample.slot);
    row.startMs[0] = Math.round(sample.start_ms);
    row.offsetMinutes[0] = sample.offset_minutes ?? NO_OFFSET;
    days.add(deletion.typeId, sample.source_id, localDayOf(row, 0, timeline));
  }
  const archived = await deleteArchived(context, deletion, sourceIds);
  for (const { typeId, sourceId, day } of archived) days.add(typeId, sourceId, day);
  const samples = archived.reduce((total, { sampleCount }) => total + sampleCount, rows.length);
  return { ...nothingRemoved(), samples, days };
}

async function deleteSessions(
  { client, userKey }: WriteContext,
  provider: string,
  externalIds: readonly string[],
): Promise<Removed> {
  const removed = nothingRemoved();
  if (externalIds.length === 0) return removed;
  const remove = (table: string, returning: string) =>
    client.query<{ wake_date?: string }>(
      `delete from ${table} where user_key = $1 and external_id = any ($3::text[])
          and source_id in (select source_id from data_source where user_key = $1 and provider = $2)
       returning ${returning}`,
      [userKey, provider, externalIds],
    );
  const sleep = await remove('sleep_session', 'wake_date');
  const wakeDates = sleep.rows.flatMap(({ wake_date }) => wake_date ?? []);
  const others = [await remove('workout', 'id'), await remove('menstrual_cycle', 'id')];
  return {
    ...removed,
    wakeDates,
    sessions: [sleep, ...others].reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0),
  };
}

async function deleteScores(
  { client, userKey }: WriteContext,
  provider: string,
  externalIds: readonly string[],
): Promise<Removed> {
  const removed = nothingRemoved();
  if (externalIds.length === 0) return removed;
  const { rowCount } = await client.query(
    'delete from health_score where user_key = $1 and provider = $2 and external_id = any ($3::text[])',
    [userKey, provider, externalIds],
  );
  return { ...removed, healthScores: rowCount ?? 0 };
}

/** What a step removed that found nothing to remove. */
export function nothingRemoved(): Removed {
  return { samples: 0, sessions: 0, healthScores: 0, days: new DirtyDays(), wakeDates: [], gone: [] };
}
