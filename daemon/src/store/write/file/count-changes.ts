import type pg from 'pg';
import { FATE } from '../../decide/identified.js';
import { localDayOf } from '../../facts/samples/sample-rows.js';
import type { SeenBatch } from '../write-options.js';
import { type ChangeCounts, SLEEP_STAGES, WORKOUT_SERIES } from './change-counts.js';

/** Counts a file batch's changes by series and local date. */
export async function countChanges(
  client: pg.ClientBase,
  userKey: number,
  { identified, timeline, result }: SeenBatch,
  changes: ChangeCounts,
): Promise<void> {
  const { rows } = identified;
  for (let row = 0; row < rows.length; row++) {
    const fate = identified.fateOf(row);
    if (fate !== FATE.insert && fate !== FATE.updated) continue;
    const day = localDayOf(rows, row, timeline);
    changes.addSample(rows.typeId[row] as number, day, fate === FATE.insert ? 'new' : 'changed');
  }
  for (const { toMs, isNew } of result.changedStages) {
    changes.add(SLEEP_STAGES, timeline.localDateOf(toMs, undefined), isNew ? 'new' : 'changed');
  }
  const { inserted, updated } = result.workoutIds;
  if (inserted.length + updated.length === 0) return;
  const { rows: workouts } = await client.query<{ id: string; local_date: string }>(
    'select id, local_date from workout where user_key = $1 and id = any ($2::uuid[])',
    [userKey, [...inserted, ...updated]],
  );
  const isNew = new Set(inserted);
  for (const { id, local_date: date } of workouts) changes.add(WORKOUT_SERIES, date, isNew.has(id) ? 'new' : 'changed');
}
