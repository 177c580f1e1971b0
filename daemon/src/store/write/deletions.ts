import type { DeletionRecord } from '@healthd/model';
import { groupedBy } from '../../platform/grouped-by.js';
import { CHANGE } from '../facts/change.js';
import { findArchived } from '../archive/archive-deletion.js';
import { readSpans } from '../facts/samples/sample-reader.js';
import type { SampleRows } from '../facts/samples/sample-rows.js';
import type { SessionTable } from '../facts/tombstones.js';
import type { WriteContext } from '../facts/write-context.js';
import type { BatchContext } from './load-context.js';
import { allRemovals, NOTHING_REMOVED, type Removal } from './removal.js';
import { findReadings, storedWorkout, WORKOUT_FACTS, type WorkoutFactsRow } from './workout-readings.js';

/** Finds the items that vendors report as deleted. */
export async function findDeleted(context: BatchContext, deletions: readonly DeletionRecord[]): Promise<Removal> {
  const parts: Removal[] = [];
  for (const [provider, own] of groupedBy(deletions, (deletion) => deletion.provider)) {
    const sourceIds = [...context.sources.values()]
      .filter((source) => source.provider === provider)
      .map(({ source_id }) => source_id);
    const idsOf = (of: 'session' | 'health_score') =>
      own.flatMap((deletion) => (deletion.of === of ? [deletion.externalId] : []));
    parts.push(
      await samplesIn(context, sourceIds, own),
      await sessionsNamed(context, sourceIds, idsOf('session')),
      await scoresNamed(context, provider, idsOf('health_score')),
    );
  }
  return allRemovals(parts);
}

async function samplesIn(
  context: BatchContext,
  sourceIds: readonly number[],
  deletions: readonly DeletionRecord[],
): Promise<Removal> {
  const { client, userKey } = context;
  const ofSamples = deletions.filter((deletion) => deletion.of === 'samples');
  const spans = ofSamples.map(({ typeId, startMs, endMs }) => ({ typeId, fromMs: startMs, toMs: endMs }));
  const samples: SampleRows[] = spans.length === 0 ? [] : [await readSpans(client, userKey, sourceIds, spans)];
  const archived = new Map<string, Awaited<ReturnType<typeof findArchived>>[number]>();
  for (const deletion of ofSamples) {
    for (const day of await findArchived(context, deletion, sourceIds)) {
      archived.set(`${day.typeId} ${day.sourceId} ${day.day}`, day);
    }
  }
  return { ...NOTHING_REMOVED, change: CHANGE.deletedByVendor, samples, archivedDays: [...archived.values()] };
}

async function sessionsNamed(
  context: BatchContext,
  sourceIds: readonly number[],
  externalIds: readonly string[],
): Promise<Removal> {
  if (externalIds.length === 0) return NOTHING_REMOVED;
  const { client, userKey } = context;
  const find = async <Row extends object>(table: SessionTable, columns: string) =>
    (
      await client.query<Row & { id: string }>(
        `select s.id, ${columns} from ${table} s
          where s.user_key = $1 and s.external_id = any ($3::text[]) and s.source_id = any ($2::int[])`,
        [userKey, sourceIds, externalIds],
      )
    ).rows;
  const sleep = await find<{ wakeDate: string }>('sleep_session', 's.wake_date as "wakeDate"');
  const workouts = await find<WorkoutFactsRow>('workout', WORKOUT_FACTS);
  const cycles = await find('menstrual_cycle', 's.source_id');
  const readings = await findReadings(
    context,
    workouts.map(({ id, ...workout }) => ({ ...storedWorkout(workout), id })),
  );
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  return {
    ...NOTHING_REMOVED,
    change: CHANGE.deletedByVendor,
    samples: readings.samples,
    archivedDays: readings.places,
    sessions: { sleep_session: idsOf(sleep), workout: idsOf(workouts), menstrual_cycle: idsOf(cycles) },
    wakeDates: sleep.map(({ wakeDate }) => wakeDate),
  };
}

async function scoresNamed(
  { client, userKey }: WriteContext,
  provider: string,
  externalIds: readonly string[],
): Promise<Removal> {
  if (externalIds.length === 0) return NOTHING_REMOVED;
  const { rows } = await client.query<{ id: string }>(
    'select id from health_score where user_key = $1 and provider = $2 and external_id = any ($3::text[])',
    [userKey, provider, externalIds],
  );
  return { ...NOTHING_REMOVED, change: CHANGE.deletedByVendor, scores: rows.map(({ id }) => id) };
}
