import type { HealthRecord, WorkoutRecord } from '@healthd/model';
import { type Tally, type VendorApi, VendorError } from '../../cloud/index.js';
import { type FitActivity, FitError, readFitActivity } from '../../fit/index.js';
import { requestItem } from '../../rest/index.js';
import { withReadings } from '../records/workout-readings.js';
import { WORKOUTS } from './read-workouts.js';

/** Maximum number of attempts to read a temporarily unavailable file. */
const TRIES = 3;
/**
 * Maximum number of workouts with failing files. Above the limit, the service forgets the counts of the oldest
 * workouts, so that these workouts get all attempts again.
 */
const MAX_WORKOUTS = 1_000;

/** Failure counts by workout key, in memory only. */
const failures = new Map<string, number>();

/** Counts a transient failure. @returns true if the file should be requested again */
function isFileTriedAgain(key: string): boolean {
  const count = (failures.get(key) ?? 0) + 1;
  const [first] = failures.keys();
  if (first !== undefined && failures.size >= MAX_WORKOUTS) failures.delete(first);
  failures.set(key, count);
  return count < TRIES;
}

/** Call when the file was read, or its workout was stored without it. */
function forgetFileTries(key: string): void {
  failures.delete(key);
}

/** Maximum number of files in one reading. The list and these files stay below the smallest quota per minute. */
export const FILES_PER_READING = 6;
/** The list request with the smallest response. */
const PROBE = { path: WORKOUTS, query: { limit: 1 } };

/** A workout whose file is read. */
interface FileItem {
  /** Position in the reading. */
  index: number;
  /** The vendor's id. */
  key: string;
}

/** A workout with its file's data. */
export interface MeasuredRecords {
  records: HealthRecord[];
}

const partOf = ({ key }: FileItem) => `${key}/fit`;

/**
 * Reads the file of a workout.
 * @returns `missing` if the vendor has no file yet. Undefined if the response is empty, or if the vendor rejects the
 *   file for another reason. Counts that rejection.
 * @throws VendorError if the file must be requested again
 */
export async function fileOf(
  api: VendorApi,
  tally: Tally,
  item: FileItem,
): Promise<FitActivity | 'missing' | undefined> {
  const { index, key } = item;
  const request = async () => {
    try {
      return { file: await readFit(api, key) };
    } catch (error) {
      if (error instanceof VendorError && error.code === 'not_found') return { file: 'missing' as const };
      throw error;
    }
  };
  const isTriedAgain = () => isFileTriedAgain(key);
  const response = await requestItem(api, tally, {
    index,
    part: partOf(item),
    probe: PROBE,
    ask: request,
    isTriedAgain,
  });
  forgetFileTries(key);
  return response?.file;
}

/** Returns the records of a workout and its file. Counts readings outside of the workout, and damage of the file. */
export async function measured(
  workout: WorkoutRecord,
  file: FitActivity | undefined,
  tally: Tally,
  item: FileItem,
): Promise<MeasuredRecords> {
  if (!file) return { records: [workout] };
  if (file.damage !== undefined) tally.reject(item.index, partOf(item), 'damaged', file.damage);
  const { records, elsewhere } = await withReadings(workout, file);
  if (elsewhere > 0) tally.reject(item.index, partOf(item), 'outside_workout');
  return { records };
}

/**
 * Requests the file of a workout.
 * @param key the vendor's id of the workout
 * @returns undefined for an empty response
 * @throws VendorError: `not_found` if there is no file, `unavailable` (transient) if the file is cut before its first
 *   record, `invalid_answer` if the file is unreadable for another reason, `scope_missing` if the vendor denies files
 */
async function readFit(api: VendorApi, key: string): Promise<FitActivity | undefined> {
  try {
    const bytes = await api.call({ path: `${WORKOUTS}${encodeURIComponent(key)}/fit`, answer: 'bytes' });
    return bytes instanceof Uint8Array ? await readFitActivity(bytes) : undefined;
  } catch (error) {
    if (error instanceof FitError) {
      throw new VendorError({
        code: error.fault === 'truncated' ? 'unavailable' : 'invalid_answer',
        reason: error.fault,
      });
    }
    if (!(error instanceof VendorError) || error.status === undefined) throw error;
    // The list just succeeded with the same token and key, so the vendor denies only files.
    const isRefused = error.code === 'unauthorized' || error.code === 'operator';
    throw isRefused ? new VendorError({ code: 'scope_missing', status: error.status }) : error;
  }
}
