import { type DeletionRecord, kindOfSlot, NO_OFFSET } from '@healthd/model';
import { deleteArchived } from '../archive/archive-deletion.js';
import { DirtyDays } from '../facts/dirty-days.js';
import type { StoredWorkout } from '../decide/workout-readings.js';
import { allocateRows, localDayOf } from '../facts/samples/sample-rows.js';
import type { SessionTable } from '../facts/tombstones.js';
import type { WriteContext } from '../facts/write-context.js';
import type { BatchContext } from './load-context.js';
import { allRemoved, nothingRemoved, type Removed } from './removed.js';
import { removeReadings, storedWorkout, WORKOUT_FACTS, type WorkoutFactsRow } from './workout-readings.js';

/** Applies vendor deletions. Runs before the batch's other records, which describe existing items. */
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
    const { removed, workouts } = await deleteSessions(context, provider, idsOf('session'));
    parts.push(removed, await removeReadings(context, workouts));
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
): Promise<{ removed: Removed; workouts: StoredWorkout[] }> {
  if (externalIds.length === 0) return { removed: nothingRemoved(), workouts: [] };
  const remove = async <Row extends object>(table: SessionTable, returning: string) =>
    (
      await client.query<Row>(
        `delete from ${table} s where s.user_key = $1 and s.external_id = any ($3::text[])
            and s.source_id in (select source_id from data_source where user_key = $1 and provider = $2)
         returning ${returning}`,
        [userKey, provider, externalIds],
      )
    ).rows;
  const sleep = await remove<{ wake_date: string }>('sleep_session', 's.wake_date');
  const workouts = await remove<WorkoutFactsRow>('workout', WORKOUT_FACTS);
  const cycles = await remove('menstrual_cycle', 's.id');
  const sessions = sleep.length + workouts.length + cycles.length;
  return {
    removed: { ...nothingRemoved(), wakeDates: sleep.map(({ wake_date }) => wake_date), sessions },
    workouts: workouts.map(storedWorkout),
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
