import {
  type HealthRecord,
  type ProviderId,
  type SampleRecord,
  SCORE_CATEGORIES,
  type ScoreCategory,
  SERIES_TYPES,
  type SeriesCode,
  seriesTypeIds,
} from '@healthd/model';
import {
  type CloudProvider,
  type PullAdapter,
  type PullDataType,
  type PullMode,
  type ReadWindow,
  type StoredAs,
  Tally,
  type TimeRange,
  type VendorAccount,
  type VendorApi,
  VendorError,
  type VendorRequest,
  type VendorWorkouts,
  type WindowReading,
} from '../cloud/index.js';
import {
  type Provider,
  type ProviderCoverage,
  SLEEP_FIELDS,
  type SleepField,
  WORKOUT_FIELDS,
  type WorkoutField,
} from '../provider.js';
import type { ProviderTerms } from '../terms.js';
import { asScopeGap } from './scope-gap.js';
import { readingOf, windowsOf } from './windows.js';

/** A window of one data type that is being read. */
export interface RestReading {
  api: VendorApi;
  window: ReadWindow;
  account: VendorAccount;
  tally: Tally;
  mode: PullMode;
}

/** Records of a window with awaited items, fallbacks or other additions. */
interface PartialReading extends Pick<WindowReading, 'awaited' | 'fallbacks'> {
  records: readonly HealthRecord[];
  fromMs?: number | undefined;
  fromItem?: string | undefined;
}

/** Series, scores and fields of a data type. The provider's coverage and the storage location follow from it. */
export interface Gives {
  series?: readonly SeriesCode[];
  workoutFields?: readonly WorkoutField[];
  sleepFields?: readonly SleepField[];
  scores?: readonly ScoreCategory[];
  menstrualCycleFields?: readonly string[];
}

interface AnyRestType extends Omit<PullDataType, 'stored' | 'notified'> {
  gives: Gives;
  /**
   * True if only notifications of other data types trigger a reading of this type, so it is polled as well. Default:
   * false.
   */
  isAlwaysPolled?: boolean;
  /** Finds the time of an item if notifications contain only its id; undefined if the vendor has no such item. */
  locate?(api: VendorApi, itemId: string): Promise<TimeRange | undefined>;
}

/** Data type with a time, read window by window. */
export interface TimedRestType extends AnyRestType {
  /** Days per window, or a function that returns the windows of a range, newest first. */
  window: number | ((range: TimeRange, mode: PullMode) => readonly TimeRange[]);
  read(reading: RestReading): Promise<readonly HealthRecord[] | PartialReading>;
}

/** Values that the vendor reports without a time. They count from the time of the response. */
interface StateRestType extends AnyRestType {
  window: 'now';
  read(reading: RestReading, nowMs: number): Promise<readonly SampleRecord[]>;
}

type RestType = TimedRestType | StateRestType;

export interface RestProviderOptions
  extends Omit<CloudProvider, 'pull'>,
    Pick<Provider, 'displayName' | 'maxHistoricalDays'> {
  id: ProviderId;
  terms: ProviderTerms;
  /** Default: scopes only, because only the data itself contains a zone or an offset. */
  account?: PullAdapter['account'];
  /** Data types in reading order. */
  types: readonly RestType[];
  /** Requests that succeed with any valid token, for a vendor that reports a missing scope as an invalid token. */
  probes?: readonly Pick<VendorRequest, 'path' | 'query'>[];
}

/** A provider whose data the service requests window by window. */
export interface RestProvider extends Provider {
  cloud: CloudProvider & { pull: PullAdapter };
}

/** Creates a provider from the data types of its REST API. */
export function restProvider(options: RestProviderOptions): RestProvider {
  const { id, displayName, maxHistoricalDays, terms, types, probes = [], account, ...cloud } = options;
  const { workouts, webhook, deliveries } = cloud;
  const notified = webhook?.dataTypes ?? deliveries?.dataTypes.map((type) => type.id) ?? [];
  const explained = async <T>(api: VendorApi, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw await asScopeGap(error, api, probes);
    }
  };
  return {
    id,
    displayName,
    ...(maxHistoricalDays !== undefined && { maxHistoricalDays }),
    capabilities: { oauth: true, pull: true, push: false, file: false, webhook: Boolean(webhook ?? deliveries) },
    terms,
    coverage: coverageOf(types),
    cloud: {
      ...cloud,
      ...(workouts && { workouts: explainedWorkouts(workouts, explained) }),
      pull: {
        dataTypes: types.map((type) => dataTypeOf(type, notified)),
        account: account ?? (async (_api, scopes) => ({ scopes })),
        windows(dataType, range, mode) {
          const { window } = typeOf(types, dataType);
          if (range.endMs <= range.startMs) return [];
          if (window === 'now') return [range];
          return typeof window === 'number' ? windowsOf(range, window) : window(range, mode);
        },
        read: (api, dataType, window, mode, account) =>
          explained(api, () =>
            readWindow(typeOf(types, dataType), { api, window, account, tally: new Tally(dataType), mode }),
          ),
        ...(types.some((type) => type.locate) && {
          locate: (api, dataType, itemId) =>
            explained(api, () => {
              const { locate } = typeOf(types, dataType);
              if (locate) return locate(api, itemId);
              throw new VendorError({ code: 'invalid_request', reason: 'not_located' });
            }),
        }),
      },
    },
  };
}

function typeOf(types: readonly RestType[], id: string): RestType {
  const type = types.find((one) => one.id === id);
  if (type) return type;
  throw new VendorError({ code: 'invalid_request', reason: 'unknown_data_type' });
}

async function readWindow(type: RestType, reading: RestReading): Promise<WindowReading> {
  const { tally } = reading;
  if (type.window !== 'now') return readingOfPart(await type.read(reading), tally);
  // Uses the current time, because the run may have been planned long ago.
  const states = await type.read(reading, Date.now());
  for (const _ of states) tally.next();
  return { ...(await readingOf([], tally)), states };
}

async function readingOfPart(read: readonly HealthRecord[] | PartialReading, tally: Tally): Promise<WindowReading> {
  if (!('records' in read)) return readingOf(read, tally);
  const { records, fromMs, fromItem, ...others } = read;
  return {
    ...(await readingOf(records, tally)),
    ...(fromMs !== undefined && { fromMs }),
    ...(fromItem !== undefined && { fromItem }),
    ...others,
  };
}

function dataTypeOf(type: RestType, notified: readonly string[]): PullDataType {
  const { gives, isAlwaysPolled = false, window: _window, read: _read, locate: _locate, ...declared } = type;
  return { ...declared, stored: storedAs(gives), notified: !isAlwaysPolled && notified.includes(type.id) };
}

function storedAs({ series = [], workoutFields, sleepFields }: Gives): StoredAs {
  if (sleepFields) return { of: 'sleep_sessions' };
  if (workoutFields) return { of: 'workouts' };
  return { of: 'samples', typeIds: seriesTypeIds(series) };
}

/** Returns the combined coverage of all data types, in the order of the contract. */
export function coverageOf(types: readonly { gives: Gives }[]): ProviderCoverage {
  const all = <K extends keyof Gives>(kind: K) =>
    new Set<unknown>(types.flatMap(({ gives }) => [...(gives[kind] ?? [])]));
  const [series, workoutFields, sleepFields, scores] = [
    all('series'),
    all('workoutFields'),
    all('sleepFields'),
    all('scores'),
  ];
  return {
    series: SERIES_TYPES.map(({ code }) => code).filter((code) => series.has(code)),
    workoutFields: WORKOUT_FIELDS.filter((field) => workoutFields.has(field)),
    sleepFields: SLEEP_FIELDS.filter((field) => sleepFields.has(field)),
    menstrualCycleFields: types.flatMap(({ gives }) => gives.menstrualCycleFields ?? []),
    healthScores: SCORE_CATEGORIES.filter((category) => scores.has(category)),
  };
}

function explainedWorkouts(
  workouts: VendorWorkouts,
  explained: <T>(api: VendorApi, work: () => Promise<T>) => Promise<T>,
): VendorWorkouts {
  return {
    ...workouts,
    list: (api, options) => explained(api, () => workouts.list(api, options)),
    get: (api, id) => explained(api, () => workouts.get(api, id)),
  };
}
