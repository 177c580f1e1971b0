import { type HealthRecord, MS_PER_HOUR } from '@healthd/model';
import { type Tally, type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject, numberOf } from '../../device-push/index.js';
import type { FitActivity } from '../../fit/index.js';
import { askOfOne } from '../../rest/index.js';
import { withReadings, workoutOf } from '../records/index.js';
import { forgetFileTries, isFileTriedAgain } from './file-tries.js';
import { readFit } from './read-fit.js';
import { readWorkouts, WORKOUTS } from './read-workouts.js';

/** The list and so many files are less than the smallest quota of a minute has. */
const FILES_PER_READING = 6;
/** Some twenty hours of all that a watch measures. */
const RECORDS_PER_READING = 500_000;
/** A watch may still be uploading the file of a workout that ended so short a time ago. */
const YOUNG_MS = 6 * MS_PER_HOUR;
/** The smallest list. */
const PROBE = { path: WORKOUTS, query: { limit: 1 } };

/** What was read of the newest part of a range, and where that part begins. */
interface ChangedWorkouts {
  records: HealthRecord[];
  fromMs: number;
}

/**
 * Workouts that were changed in a range, newest first, as many as the quota has room for, each with its FIT file. What the quota
 * or a failure that may pass interrupts goes on with the first workout that is not read.
 * @throws VendorError
 */
export async function changedWithFiles(api: VendorApi, window: TimeRange, tally: Tally): Promise<ChangedWorkouts> {
  const { workouts, fromMs } = await readWorkouts(api, 'change', window);
  const read: ChangedWorkouts = { records: [], fromMs: window.endMs };
  let files = 0;
  for (const { changedMs, workouts: alike } of byChange(workouts, window)) {
    if (files >= FILES_PER_READING || read.records.length >= RECORDS_PER_READING) return read;
    const counted = tally.branch();
    try {
      const found = await withFiles(api, alike, counted, window);
      files += found.files;
      for (const record of found.records) read.records.push(record);
    } catch (error) {
      if (!(error instanceof VendorError) || !error.passes) throw error;
      if (read.fromMs < window.endMs) return read;
      if (error.code !== 'rate_limited') throw error;
      throw withRoomForMore(error, Math.min(workouts.length, FILES_PER_READING) - 1);
    }
    tally.join(counted);
    read.fromMs = changedMs;
  }
  return { ...read, fromMs };
}

/** The same failure, until there is room for more files: the list, which must be read again, is then read for all of them. */
function withRoomForMore(error: VendorError, files: number): VendorError {
  const { code, status, reason, retryAfterMs = 0, perRequestMs } = error;
  if (perRequestMs === undefined) return error;
  return new VendorError({ code, status, reason, perRequestMs, retryAfterMs: retryAfterMs + files * perRequestMs });
}

/**
 * Newest first; those of one instant are together, because a later reading cannot begin between them. Those of which the list
 * does not say when in the window they were changed are the last.
 */
function byChange(
  workouts: readonly unknown[],
  { startMs, endMs }: TimeRange,
): { changedMs: number; workouts: unknown[] }[] {
  const groups = new Map<number, unknown[]>();
  for (const workout of workouts) {
    const listedMs = isObject(workout) ? numberOf(workout.lastModified) : undefined;
    const changedMs = listedMs !== undefined && listedMs > startMs && listedMs < endMs ? listedMs : startMs;
    const known = groups.get(changedMs);
    if (known) known.push(workout);
    else groups.set(changedMs, [workout]);
  }
  const newestFirst = [...groups].sort(([a], [b]) => b - a);
  return newestFirst.map(([changedMs, alike]) => ({ changedMs, workouts: alike }));
}

/** Of more workouts of one instant than a quota has room for, the last ones are left without their files. */
async function withFiles(
  api: VendorApi,
  workouts: readonly unknown[],
  tally: Tally,
  window: TimeRange,
): Promise<{ records: HealthRecord[]; files: number }> {
  const records: HealthRecord[] = [];
  let files = 0;
  for (const listed of workouts) {
    const workout = workoutOf(listed, tally);
    if (!workout) continue;
    const { externalId: key = '', userEntered } = workout;
    const item = { index: tally.received - 1, part: `${key}/fit` };
    const isOver = files >= FILES_PER_READING;
    if (isOver) tally.reject(item.index, item.part, 'not_given', 'too many workouts of one instant');
    if (isOver || userEntered) {
      records.push(workout);
      continue;
    }
    files++;
    const isYoung = workout.endMs > window.endMs - YOUNG_MS;
    const activity = await fileOf(api, tally, { ...item, key, isYoung });
    if (!activity) {
      records.push(workout);
      continue;
    }
    const measured = withReadings(workout, activity);
    if (measured.elsewhere > 0) tally.reject(item.index, item.part, 'outside_workout');
    for (const record of measured.records) records.push(record);
  }
  return { records, files };
}

/** The file of a workout; undefined, and counted, where the vendor does not give it. An old one may have none. */
async function fileOf(
  api: VendorApi,
  tally: Tally,
  { index, part, key, isYoung }: { index: number; part: string; key: string; isYoung: boolean },
): Promise<FitActivity | undefined> {
  const ask = async () => {
    try {
      return { activity: await readFit(api, key) };
    } catch (error) {
      if (error instanceof VendorError && error.code === 'not_found' && !isYoung) return { activity: undefined };
      throw error;
    }
  };
  const isTriedAgain = () => isFileTriedAgain(key);
  const answer = await askOfOne(api, tally, { index, part, probe: PROBE, ask, isTriedAgain });
  forgetFileTries(key);
  return answer?.activity;
}
