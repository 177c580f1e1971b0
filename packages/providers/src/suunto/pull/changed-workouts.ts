import type { HealthRecord } from '@healthd/model';
import { type AwaitedItem, type ReadWindow, type Tally, type VendorApi, VendorError } from '../../cloud/index.js';
import type { FitActivity } from '../../fit/index.js';
import { idOf, isObject, numberOf } from '../../payload/index.js';
import { workoutOf } from '../records/workout.js';
import { FILES_PER_READING, fileOf, type MeasuredRecords, measured } from './file-of-workout.js';
import { type ListedWorkouts, readWorkouts } from './read-workouts.js';

/** Maximum number of records in one reading: about twenty hours of all measurements of a watch. */
const RECORDS_PER_READING = 500_000;
/** Number of files for workouts without a change time. Reserves a file for one workout with a known change time. */
const FILES_OF_UNPLACED = FILES_PER_READING - 1;

/** Records of the newest part of a range, and the start of that part; members as in `WindowReading`. */
interface ChangedWorkouts {
  records: HealthRecord[];
  awaited: AwaitedItem[];
  fromMs: number;
  fromItem?: string | undefined;
}

interface ListedWorkout {
  workout: unknown;
  /** Empty if the workout has no key. */
  key: string;
  /** Undefined if the list does not contain the change time. */
  changedMs: number | undefined;
}

/**
 * Returns workouts that were changed in a range, newest first. Sorts workouts of the same instant by key. Adds each
 * workout's FIT file, as the quota allows. After an interruption by the quota or a transient failure, the next reading
 * continues with the first unread workout.
 * @throws VendorError
 */
export async function readChanged(api: VendorApi, window: ReadWindow, tally: Tally): Promise<ChangedWorkouts> {
  const list = await readWorkouts(api, 'change', window);
  const workouts = inOrder(list, window);
  const read: ChangedWorkouts = { records: [], awaited: [], fromMs: window.endMs };
  let files = 0;
  for (const [at, listed] of workouts.entries()) {
    const canStop = read.fromItem !== undefined;
    if (canStop && (files >= FILES_PER_READING || read.records.length >= RECORDS_PER_READING)) return read;
    const counted = tally.branch();
    try {
      const found = await withFile(api, listed, counted, { asks: at < FILES_OF_UNPLACED });
      files += found.requests;
      read.records = read.records.concat(found.records);
      read.awaited.push(...found.awaited);
    } catch (error) {
      if (!(error instanceof VendorError) || !error.isTransient) throw error;
      if (canStop) return read;
      if (error.code !== 'rate_limited') throw error;
      throw withQuotaForMore(error, Math.min(workouts.length, FILES_PER_READING) - 1);
    }
    tally.join(counted);
    if (listed.changedMs === undefined) continue;
    read.fromMs = listed.changedMs + 1;
    read.fromItem = listed.key;
  }
  return { records: read.records, awaited: read.awaited, fromMs: list.fromMs };
}

/** Returns the same failure with a delay that allows for more files, because the list must be read again first. */
function withQuotaForMore(error: VendorError, files: number): VendorError {
  const { code, status, reason, retryAfterMs = 0, perRequestMs } = error;
  if (perRequestMs === undefined) return error;
  return new VendorError({ code, status, reason, perRequestMs, retryAfterMs: retryAfterMs + files * perRequestMs });
}

/**
 * Sorts the workouts to read. Reads workouts without a change time first, because no later read would find them
 * reliably.
 */
function inOrder({ workouts, fromMs }: ListedWorkouts, { startMs, endMs, doneItem }: ReadWindow): ListedWorkout[] {
  const all = workouts.map((workout): ListedWorkout => {
    const changedMs = isObject(workout) ? numberOf(workout.lastModified) : undefined;
    const isInside = changedMs !== undefined && changedMs >= startMs && changedMs < endMs;
    const key = isObject(workout) ? (idOf(workout.workoutKey) ?? '') : '';
    return { workout, key, changedMs: isInside ? changedMs : undefined };
  });
  const isDone = ({ changedMs, key }: ListedWorkout) =>
    doneItem !== undefined && changedMs === endMs - 1 && key <= doneItem;
  return all
    .filter((one) => one.changedMs === undefined || (one.changedMs >= fromMs && !isDone(one)))
    .sort((a, b) => {
      const [earlier, later] = [a.changedMs ?? Number.POSITIVE_INFINITY, b.changedMs ?? Number.POSITIVE_INFINITY];
      if (earlier !== later) return later - earlier;
      return a.key < b.key ? -1 : Number(a.key > b.key);
    });
}

/** @param asks true to request the file even if no later read can repeat the request */
async function withFile(
  api: VendorApi,
  { workout: listed, key, changedMs }: ListedWorkout,
  tally: Tally,
  { asks: fetchesMissing }: { asks: boolean },
): Promise<MeasuredRecords & { requests: number; awaited: AwaitedItem[] }> {
  const workout = workoutOf(listed, tally);
  if (!workout) return { records: [], requests: 0, awaited: [] };
  const alone = { records: [workout], requests: 0, awaited: [] };
  if (workout.userEntered) return alone;
  const item = { index: tally.received - 1, key };
  const reject = (detail: string) => tally.reject(item.index, `${key}/fit`, 'not_given', detail);
  if (changedMs === undefined && !fetchesMissing) {
    reject('the list has no change time');
    return alone;
  }
  const file = await fileOf(api, tally, item);
  if (file === 'missing') {
    if (changedMs === undefined) reject('not_found');
    return { ...alone, requests: 1, awaited: changedMs === undefined ? [] : [{ itemId: key, atMs: changedMs }] };
  }
  return { ...(await measured(workout, file, tally, item)), requests: 1, awaited: [] };
}

/**
 * Reads workouts that were changed in a window and whose FIT files were missing, if the files exist now. Requests files
 * first, and nothing else until a file exists.
 * @param window with the keys of these workouts
 * @throws VendorError
 */
export async function readAwaited(
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
  // If a workout changed again, the list of a later window contains it with its file.
  const { workouts } = await readWorkouts(api, 'change', window);
  for (const listed of workouts) {
    const key = isObject(listed) ? idOf(listed.workoutKey) : undefined;
    if (key === undefined || !files.has(key)) continue;
    const workout = workoutOf(listed, tally);
    if (!workout) continue;
    const { records } = await measured(workout, files.get(key), tally, { index: tally.received - 1, key });
    for (const record of records) read.records.push(record);
  }
  return read;
}
