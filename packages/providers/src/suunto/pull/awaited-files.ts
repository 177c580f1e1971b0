import type { ReadWindow, Tally, VendorApi } from '../../cloud/index.js';
import type { FitActivity } from '../../fit/index.js';
import { idOf, isObject } from '../../payload/index.js';
import { workoutOf } from '../records/index.js';
import type { ChangedWorkouts } from './changed-workouts.js';
import { FILES_PER_READING, fileOf, measured } from './file-of-workout.js';
import { readWorkouts } from './read-workouts.js';

/**
 * Workouts that were changed in a window and whose FIT files were missing then, with those that are there now. Files come first:
 * while there is none, nothing else is requested.
 * @param window with the keys of these workouts
 * @throws VendorError
 */
export async function awaitedFiles(
  api: VendorApi,
  window: ReadWindow & { items: readonly string[] },
  tally: Tally,
): Promise<ChangedWorkouts> {
  const { startMs, endMs, items, doneItem } = window;
  const left = items.filter((key) => doneItem === undefined || key > doneItem).toSorted();
  const keys = left.slice(0, FILES_PER_READING);
  const read: ChangedWorkouts = { records: [], awaited: [], fromMs: startMs };
  if (keys.length < left.length) Object.assign(read, { fromMs: endMs, fromItem: keys.at(-1) });
  const files = new Map<string, FitActivity | undefined>();
  for (const key of keys) {
    const file = await fileOf(api, tally, { index: tally.received, key });
    if (file === 'missing') read.awaited.push({ itemId: key, atMs: startMs });
    else files.set(key, file);
  }
  if (files.size === 0) return read;
  // One that was changed again meanwhile is in the list of a later time, with its file.
  const { workouts } = await readWorkouts(api, 'change', window);
  for (const listed of workouts) {
    const key = isObject(listed) ? idOf(listed.workoutKey) : undefined;
    if (key === undefined || !files.has(key)) continue;
    const workout = workoutOf(listed, tally);
    if (!workout) continue;
    const { records } = measured(workout, files.get(key), tally, { index: tally.received - 1, key });
    for (const record of records) read.records.push(record);
  }
  return read;
}
