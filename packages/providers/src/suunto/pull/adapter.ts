import { dayStartMs, type HealthRecord, localDayNumber, MS_PER_DAY } from '@healthd/model';
import {
  type ProviderConfiguration,
  type PullAdapter,
  type PullMode,
  type ReadWindow,
  Tally,
  type TimeRange,
  type VendorApi,
  VendorError,
  type VendorRequest,
  type WindowReading,
} from '../../cloud/index.js';
import { readingOf, windowsOf } from '../../rest/index.js';
import { NOT_SUBSCRIBED, SUBSCRIPTION_KEY } from '../read-error.js';
import {
  activityRecords,
  bestSleeps,
  dailyRecords,
  placedSleep,
  recoveryRecords,
  replacedWindow,
  SLEEP_REACH_MS,
  sleepRecords,
  workoutOf,
} from '../records/index.js';
import { readsFitFiles } from '../settings.js';
import { awaitedFiles } from './awaited-files.js';
import { type ChangedWorkouts, changedWithFiles } from './changed-workouts.js';
import { SUUNTO_DATA_TYPES, type SuuntoDataTypeId } from './data-types.js';
import { readSamples, readStatistics } from './read-samples.js';
import { readWorkouts, WORKOUTS } from './read-workouts.js';

/** One of these answers where token and key are good: each belongs to another product of the vendor's portal. */
const PROBES: readonly Pick<VendorRequest, 'path' | 'query'>[] = [
  { path: WORKOUTS, query: { limit: 1 } },
  { path: '/247samples/recovery', query: { from: 0, to: 0 } },
];

/**
 * What a refusal of one kind of data means. The kinds are products to which the operator subscribes in the vendor's portal. A
 * product that is not subscribed to is answered 401, 403 or 404, as a dead token, a wrong key or an unknown address is. If
 * another product answers, the kind is left out. If none does, the operator's subscription is at fault, never the person.
 */
async function asProductGap(error: unknown, api: VendorApi, path: string): Promise<unknown> {
  if (!(error instanceof VendorError) || !mayBeGap(error)) return error;
  for (const probe of PROBES.filter((one) => one.path !== path)) {
    try {
      await api.call(probe);
      return new VendorError({ code: 'scope_missing', status: error.status, reason: NOT_SUBSCRIBED });
    } catch (refused) {
      if (!(refused instanceof VendorError) || !mayBeGap(refused)) return refused;
    }
  }
  return error;
}

function mayBeGap({ code, status, reason }: VendorError): boolean {
  if (status === undefined) return false;
  const isOperators = code === 'operator' && (reason === SUBSCRIPTION_KEY || reason === NOT_SUBSCRIBED);
  return code === 'unauthorized' || code === 'not_found' || isOperators;
}

/** The vendor gives 28 days in one answer; around a window there is something more to ask for, of sleep the longest time in bed. */
const WINDOW_DAYS = 27;
const SLEEP_WINDOW_DAYS = 26;
/** Workouts have no such limit, and requests are few. */
const WORKOUT_WINDOW_DAYS = 90;

/** Reads the vendor's Cloud API. */
export const SUUNTO_PULL: PullAdapter = {
  dataTypes: SUUNTO_DATA_TYPES,
  // The vendor knows no zone of an account; each record has its own offset.
  account: async (_api, scopes) => ({ scopes }),
  windows,
  read,
};

/** Where the operator wants FIT files read, a poll requests one beside the list as a rule. */
export function configuredPull(pull: PullAdapter, configuration: ProviderConfiguration): PullAdapter {
  if (!readsFitFiles(configuration)) return pull;
  const dataTypes = pull.dataTypes.map((type) =>
    type.id === 'changed_workouts' ? { ...type, requestsPerPoll: 2 } : type,
  );
  return { ...pull, dataTypes };
}

function windows(dataType: string, range: TimeRange): readonly TimeRange[] {
  if (range.endMs <= range.startMs) return [];
  if (dataType.endsWith('workouts')) return windowsOf(range, WORKOUT_WINDOW_DAYS);
  if (dataType === 'sleep') return windowsOf(range, SLEEP_WINDOW_DAYS);
  if (dataType !== 'daily_statistics') return windowsOf(range, WINDOW_DAYS);
  const { firstDay, endDay } = daysOf(range);
  return windowsOf({ startMs: dayStartMs(firstDay), endMs: dayStartMs(endDay) }, WINDOW_DAYS);
}

/** Days of a range on every clock: where it begins or ends, another day may be under way elsewhere. */
function daysOf({ startMs, endMs }: TimeRange) {
  return {
    firstDay: localDayNumber(startMs - MS_PER_DAY / 2, 0),
    endDay: localDayNumber(endMs - 1 + MS_PER_DAY / 2, 0) + 1,
  };
}

async function read(api: VendorApi, dataType: string, window: ReadWindow, mode: PullMode): Promise<WindowReading> {
  const type = SUUNTO_DATA_TYPES.find(({ id }) => id === dataType);
  if (type === undefined) throw new VendorError({ code: 'invalid_request', reason: 'unknown_data_type' });
  const tally = new Tally(type.id);
  try {
    const { records, fromMs, fromItem, awaited } = await READERS[type.id](api, window, tally, mode);
    return {
      ...readingOf(records, tally),
      ...(fromMs !== undefined && { fromMs }),
      ...(fromItem !== undefined && { fromItem }),
      ...(awaited !== undefined && { awaited }),
    };
  } catch (error) {
    throw await asProductGap(error, api, type.part === 'workouts' ? WORKOUTS : `/247samples/${type.id}`);
  }
}

/** Members as in `WindowReading`. */
type Reader = (
  api: VendorApi,
  window: ReadWindow,
  tally: Tally,
  mode: PullMode,
) => Promise<Pick<ChangedWorkouts, 'records'> & Partial<ChangedWorkouts>>;

function workoutRecords(workouts: readonly unknown[], tally: Tally): HealthRecord[] {
  return workouts.flatMap((workout) => workoutOf(workout, tally) ?? []);
}

const READERS: Readonly<Record<SuuntoDataTypeId, Reader>> = {
  async workouts(api, window, tally) {
    const { workouts, fromMs, isComplete } = await readWorkouts(api, 'start', window);
    // An empty list says nothing: it may lag behind the notifications.
    if (!isComplete || workouts.length === 0) return { records: workoutRecords(workouts, tally), fromMs };
    const replaced = { ...replacedWindow({ ...window, startMs: fromMs }), of: 'workouts' } as const;
    return { records: [replaced, ...workoutRecords(workouts, tally)], fromMs };
  },
  async changed_workouts(api, window, tally, { configuration }) {
    const { items } = window;
    if (readsFitFiles(configuration)) {
      return items ? awaitedFiles(api, { ...window, items }, tally) : changedWithFiles(api, window, tally);
    }
    const { workouts, fromMs } = await readWorkouts(api, 'change', window);
    return { records: workoutRecords(workouts, tally), fromMs };
  },
  async sleep(api, window, tally) {
    // The values of a night stand at its end.
    const asked = { ...window, startMs: window.startMs - SLEEP_REACH_MS };
    const samples = (await readSamples(api, 'sleep', asked)) ?? [];
    // The vendor takes no night back, and the list may lag behind the notifications.
    const placed = samples.flatMap((sample) => placedSleep(sample, tally) ?? []);
    return { records: bestSleeps(placed, tally).flatMap(sleepRecords) };
  },
  async recovery(api, window, tally) {
    // Nothing is replaced, as of nights.
    const samples = (await readSamples(api, 'recovery', window)) ?? [];
    return { records: samples.flatMap((sample) => recoveryRecords(sample, tally)) };
  },
  async activity(api, window, tally) {
    // Nothing is replaced: records are restated under their times and never taken back.
    const samples = (await readSamples(api, 'activity', window)) ?? [];
    return { records: samples.flatMap((sample) => activityRecords(sample, tally)) };
  },
  async daily_statistics(api, { startMs, endMs }, tally, { configuration }) {
    const days = { firstDay: localDayNumber(startMs, 0), endDay: localDayNumber(endMs - 1, 0) + 1 };
    const statistics = await readStatistics(api, configuration, days);
    return { records: statistics ? dailyRecords(statistics, days, tally) : [] };
  },
};
