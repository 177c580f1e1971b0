import { ROW_OUTCOME } from '../../decide/identified.js';
import { localDayOf } from '../../facts/samples/sample-rows.js';
import type { SeenBatch } from '../write-options.js';
import { type ChangeCounts, SLEEP_STAGES, WORKOUT_SERIES } from './change-counts.js';

/** Counts a file batch's changes by series and local date. */
export function countChanges(
  { identified, timeline, result, changedWorkouts }: SeenBatch,
  changes: ChangeCounts,
): void {
  const { rows } = identified;
  for (let row = 0; row < rows.length; row++) {
    const outcome = identified.rowOutcomeOf(row);
    if (outcome !== ROW_OUTCOME.insert && outcome !== ROW_OUTCOME.updated) continue;
    const day = localDayOf(rows, row, timeline);
    changes.addSample(rows.typeId[row] as number, day, outcome === ROW_OUTCOME.insert ? 'new' : 'changed');
  }
  for (const { toMs, isNew } of result.changedStages) {
    changes.add(SLEEP_STAGES, timeline.localDateOf(toMs, undefined), isNew ? 'new' : 'changed');
  }
  for (const { date, isNew } of changedWorkouts) changes.add(WORKOUT_SERIES, date, isNew ? 'new' : 'changed');
}
