import type { HealthRecord, WorkoutRecord } from '@healthd/model';
import { type Tally, type VendorApi, VendorError } from '../../cloud/index.js';
import { type FitActivity, FitError, readFitActivity } from '../../fit/index.js';
import { askOfOne } from '../../rest/index.js';
import { withReadings } from '../records/workout-readings.js';
import { WORKOUTS } from './read-workouts.js';

/** How many readings request a file that the vendor does not give for now. */
const TRIES = 3;
/** More workouts whose files fail at a time are forgotten, the first ones first: they have all their tries again. */
const MAX_WORKOUTS = 1_000;

/** Failures by the key of the workout. Nothing of them is kept when the service ends. */
const failures = new Map<string, number>();

/** Counts a failure that may pass. @returns whether the file is to be requested again */
function isFileTriedAgain(key: string): boolean {
  const count = (failures.get(key) ?? 0) + 1;
  const [first] = failures.keys();
  if (first !== undefined && failures.size >= MAX_WORKOUTS) failures.delete(first);
  failures.set(key, count);
  return count < TRIES;
}

/** The file was given, or its workout is stored without it. */
function forgetFileTries(key: string): void {
  failures.delete(key);
}

/** The list and so many files are less than the smallest quota of a minute has. */
export const FILES_PER_READING = 6;
/** The smallest list. */
const PROBE = { path: WORKOUTS, query: { limit: 1 } };

/** A workout whose file is read. */
interface FileItem {
  /** Its position in the reading. */
  index: number;
  /** The vendor's id of it. */
  key: string;
}

/** A workout with what its file has. */
export interface MeasuredRecords {
  records: HealthRecord[];
}

const partOf = ({ key }: FileItem) => `${key}/fit`;

/**
 * The file of a workout.
 * @returns `missing` where the vendor has none, or not yet; undefined, and counted, where it does not give it for another reason
 * @throws VendorError where the file is to be requested again
 */
export async function fileOf(
  api: VendorApi,
  tally: Tally,
  item: FileItem,
): Promise<FitActivity | 'missing' | undefined> {
  const { index, key } = item;
  const ask = async () => {
    try {
      return { file: await readFit(api, key) };
    } catch (error) {
      if (error instanceof VendorError && error.code === 'not_found') return { file: 'missing' as const };
      throw error;
    }
  };
  const isTriedAgain = () => isFileTriedAgain(key);
  const answer = await askOfOne(api, tally, { index, part: partOf(item), probe: PROBE, ask, isTriedAgain });
  forgetFileTries(key);
  return answer?.file;
}

/** Records of a workout and its file. Counts readings outside of the workout, and damage of the file. */
export function measured(
  workout: WorkoutRecord,
  file: FitActivity | undefined,
  tally: Tally,
  item: FileItem,
): MeasuredRecords {
  if (!file) return { records: [workout] };
  if (file.damage !== undefined) tally.reject(item.index, partOf(item), 'damaged', file.damage);
  const { records, elsewhere } = withReadings(workout, file);
  if (elsewhere > 0) tally.reject(item.index, partOf(item), 'outside_workout');
  return { records };
}

/**
 * The file of a workout.
 * @param key the vendor's id of the workout
 * @returns undefined where the answer is empty
 * @throws VendorError, `not_found` where there is none, `unavailable` for one that is cut off before its first record, which
 * may pass, `invalid_answer` for another one that cannot be read, `scope_missing` where the vendor refuses files
 */
async function readFit(api: VendorApi, key: string): Promise<FitActivity | undefined> {
  try {
    const bytes = await api.call({ path: `${WORKOUTS}${encodeURIComponent(key)}/fit`, answer: 'bytes' });
    return bytes instanceof Uint8Array ? readFitActivity(bytes) : undefined;
  } catch (error) {
    if (error instanceof FitError) {
      throw new VendorError({
        code: error.fault === 'truncated' ? 'unavailable' : 'invalid_answer',
        reason: error.fault,
      });
    }
    if (!(error instanceof VendorError) || error.status === undefined) throw error;
    // The list was answered just now, with the same token and key.
    const isRefused = error.code === 'unauthorized' || error.code === 'operator';
    throw isRefused ? new VendorError({ code: 'scope_missing', status: error.status }) : error;
  }
}
