import type { HealthRecord, WorkoutRecord } from '@healthd/model';
import { type Tally, type VendorApi, VendorError } from '../../cloud/index.js';
import type { FitActivity } from '../../fit/index.js';
import { askOfOne } from '../../rest/index.js';
import { withReadings } from '../records/index.js';
import { forgetFileTries, isFileTriedAgain } from './file-tries.js';
import { readFit } from './read-fit.js';
import { WORKOUTS } from './read-workouts.js';

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
