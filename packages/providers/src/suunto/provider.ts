import { dayStartMs, localDayNumber, MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { type ProviderConfiguration, type PullAdapter, type TimeRange, VendorError } from '../cloud/index.js';
import { idOf } from '../payload/index.js';
import type { SleepField, WorkoutField } from '../provider.js';
import { type RestReading, requireAtMost, restProvider, type TimedRestType, windowsOf } from '../rest/index.js';
import { vendorTerms } from '../terms.js';
import { SUUNTO_DELIVERIES } from './deliveries.js';
import { SCOPE, SUUNTO_OAUTH } from './oauth.js';
import { readAwaited, readChanged } from './pull/changed-workouts.js';
import { readSamples, readStatistics } from './pull/read-samples.js';
import { requestWorkouts, payloadOf, readWorkouts, WORKOUTS, WORKOUTS_PER_PAGE } from './pull/read-workouts.js';
import { asProductGap, readSuuntoError } from './read-error.js';
import { ACTIVITY_SERIES, activityRecords } from './records/activity.js';
import { DAILY_SERIES, dailyRecords } from './records/daily-statistics.js';
import { recoveryRecords } from './records/recovery.js';
import { bestSleeps, NIGHT_SERIES, placedSleep, SLEEP_REACH_MS, sleepRecords } from './records/sleep.js';
import { replacedWindow } from './records/source.js';
import { workoutRecords } from './records/workout.js';
import { READING_SERIES } from './records/workout-readings.js';
import { configuredQuotas, DEVELOPER_TIER, readsFitFiles, requestHeaders, SUUNTO_SETTINGS } from './settings.js';

/** The vendor returns 28 days per response. Sleep requests extend past a window by the longest time in bed. */
const WINDOW_DAYS = 27;
const SLEEP_WINDOW_DAYS = 26;
/**
 * Maximum number of sleeps: some eight sleeps and naps per day. Each sleep replaces stored versions, which takes
 * database requests.
 */
const MAX_SLEEPS = 200;
/** The list of workouts has no limit of 28 days. Long windows save requests, of which the vendor allows few. */
const WORKOUT_WINDOW_DAYS = 90;
/** Overlap window. The list of changed workouts contains workouts that are uploaded later. */
const LATE_MS = 7 * MS_PER_DAY;
/**
 * Overlap window of a watch's data. A watch may be synced weeks later, and no other event reports the data. With a day
 * between two polls and the extension of the window, one request still fits the vendor's limit of 28 days.
 */
const WATCH_LATE_MS = 25 * MS_PER_DAY;
/** Overlap window of daily totals. A range of whole days in every time zone is up to two days longer. */
const DAYS_LATE_MS = 24 * MS_PER_DAY;
/**
 * Polls skip a rejected data type for a day. Each data type is a separate product, and only a request shows whether the
 * operator subscribes to it.
 */
const COMMON = { scopes: [SCOPE], rejectedForMs: MS_PER_DAY } as const;

const WORKOUT_FIELDS: readonly WorkoutField[] = [
  'average_cadence',
  'average_speed',
  'average_watts',
  'distance',
  'elev_high',
  'elev_low',
  'energy_burned',
  'heart_rate_avg',
  'heart_rate_max',
  'heart_rate_min',
  'max_speed',
  'max_watts',
  'moving_time_seconds',
  'steps_count',
  'total_elevation_gain',
];

/** Nights have sums of their stages and no intervals. */
const SLEEP_FIELDS: readonly SleepField[] = [
  'is_nap',
  'sleep_awake_minutes',
  'sleep_deep_minutes',
  'sleep_efficiency_score',
  'sleep_light_minutes',
  'sleep_rem_minutes',
  'sleep_time_in_bed_minutes',
  'sleep_total_duration_minutes',
];

/** Suunto: sports watches. The vendor's Cloud API provides workouts, version 3, and all-day measurements of a watch. */
export const SUUNTO = restProvider({
  id: 'suunto',
  displayName: 'Suunto',
  terms: vendorTerms({}),
  settingsPrefix: 'SUUNTO',
  settings: SUUNTO_SETTINGS,
  addresses: {
    api: 'https://cloudapi.suunto.com',
    authorize: 'https://cloudapi-oauth.suunto.com/oauth/authorize',
    token: 'https://cloudapi-oauth.suunto.com/oauth/token',
    revoke: 'https://cloudapi-oauth.suunto.com/oauth/deauthorize',
  },
  quotas: DEVELOPER_TIER,
  configuredQuotas,
  configuredPull,
  requestHeaders,
  // Four weeks of ten-minute records, or a page of 100 workouts.
  maxResponseBytes: 8 * 1024 * 1024,
  readError: readSuuntoError,
  oauth: SUUNTO_OAUTH,
  deliveries: SUUNTO_DELIVERIES,
  // Notifications carry the first four types.
  types: [
    {
      ...COMMON,
      id: 'workouts',
      part: 'workouts',
      latenessMs: LATE_MS,
      window: WORKOUT_WINDOW_DAYS,
      gives: { workoutFields: WORKOUT_FIELDS },
      read: ofProduct(WORKOUTS, async ({ api, window, tally }) => {
        const { workouts, fromMs, isComplete } = await readWorkouts(api, 'start', window);
        const records = workoutRecords(workouts, tally);
        // An empty list deletes nothing, because it may lag behind the notifications.
        if (!isComplete || workouts.length === 0) return { records, fromMs };
        const replaced = { ...replacedWindow({ ...window, startMs: fromMs }), of: 'workouts' } as const;
        return { records: [replaced, ...records], fromMs };
      }),
    },
    {
      ...COMMON,
      id: 'sleep',
      part: '247',
      latenessMs: WATCH_LATE_MS,
      window: SLEEP_WINDOW_DAYS,
      gives: { series: NIGHT_SERIES, sleepFields: SLEEP_FIELDS, scores: ['sleep'] },
      read: ofProduct('/247samples/sleep', async ({ api, window, tally }) => {
        // Also requests nights that started before the window, because a night's values are stored at its end.
        const samples = await readSamples(api, 'sleep', { ...window, startMs: window.startMs - SLEEP_REACH_MS });
        // The vendor never deletes nights, and the list may lag behind the notifications.
        const placed = samples.flatMap((sample) => placedSleep(sample, tally) ?? []);
        const sleeps = bestSleeps(placed, tally);
        requireAtMost(MAX_SLEEPS, sleeps.length);
        return sleeps.flatMap(sleepRecords);
      }),
    },
    {
      ...COMMON,
      id: 'recovery',
      part: '247',
      latenessMs: WATCH_LATE_MS,
      window: WINDOW_DAYS,
      gives: { scores: ['recovery'] },
      // Replaces nothing, like sleep.
      read: ofProduct('/247samples/recovery', async ({ api, window, tally }) => {
        const samples = await readSamples(api, 'recovery', window);
        return samples.flatMap((sample) => recoveryRecords(sample, tally));
      }),
    },
    {
      ...COMMON,
      id: 'activity',
      part: '247',
      latenessMs: WATCH_LATE_MS,
      window: WINDOW_DAYS,
      gives: { series: ACTIVITY_SERIES },
      // Replaces nothing, because the vendor updates records under their times and never deletes them.
      read: ofProduct('/247samples/activity', async ({ api, window, tally }) => {
        const samples = await readSamples(api, 'activity', window);
        return samples.flatMap((sample) => activityRecords(sample, tally));
      }),
    },
    {
      ...COMMON,
      id: 'daily_statistics',
      part: '247',
      latenessMs: DAYS_LATE_MS,
      // Daily statistics may be at the second of two URLs.
      requestsPerPoll: 2,
      window: dayWindows,
      gives: { series: DAILY_SERIES },
      read: ofProduct('/247samples/daily_statistics', async ({ api, window, tally, mode }) => {
        const days = { firstDay: localDayNumber(window.startMs, 0), endDay: localDayNumber(window.endMs - 1, 0) + 1 };
        return dailyRecords(await readStatistics(api, mode.configuration, days), days, tally);
      }),
    },
    // Workouts that were uploaded or edited in a range, whatever their start. The list by start shows neither uploads
    // nor edits, and the vendor does not push edits. This type is the last, because the workouts' files may take more
    // requests than all other types.
    {
      ...COMMON,
      id: 'changed_workouts',
      part: 'workouts',
      latenessMs: MS_PER_HOUR,
      window: WORKOUT_WINDOW_DAYS,
      gives: { workoutFields: WORKOUT_FIELDS, series: READING_SERIES },
      read: ofProduct(WORKOUTS, async ({ api, window, tally, mode }) => {
        const { items } = window;
        if (readsFitFiles(mode.configuration)) {
          return items ? readAwaited(api, { ...window, items }, tally) : readChanged(api, window, tally);
        }
        const { workouts, fromMs } = await readWorkouts(api, 'change', window);
        return { records: workoutRecords(workouts, tally), fromMs };
      }),
    },
  ],
  // Workouts in the vendor's format. The token of the next page is the number of previous workouts.
  workouts: {
    dataType: 'workouts',
    async list(api, { since, limit, pageToken }) {
      const offset = pageToken === undefined ? 0 : Number(pageToken);
      if (!Number.isInteger(offset) || offset < 0) throw new VendorError({ code: 'invalid_request', reason: 'offset' });
      const query = { since: since?.getTime() ?? 0, limit: Math.min(limit, WORKOUTS_PER_PAGE), offset };
      const response = await requestWorkouts(api, { ...query, by: 'start' });
      payloadOf(response);
      return response;
    },
    async get(api, id) {
      if (idOf(id) === undefined) throw new VendorError({ code: 'not_found' });
      const response = await api.call({ path: `${WORKOUTS}${encodeURIComponent(id)}` });
      // The vendor returns 200 without a workout for an unknown key.
      const workout = payloadOf(response);
      if (workout === undefined || workout === null) throw new VendorError({ code: 'not_found' });
      return response;
    },
  },
});

/** Plans one FIT file request in addition to the list per poll, if the operator enables FIT files. */
function configuredPull(pull: PullAdapter, configuration: ProviderConfiguration): PullAdapter {
  if (!readsFitFiles(configuration)) return pull;
  const dataTypes = pull.dataTypes.map((type) =>
    type.id === 'changed_workouts' ? { ...type, requestsPerPoll: 2 } : type,
  );
  return { ...pull, dataTypes };
}

/**
 * Returns windows of whole days that cover the range in every time zone, because the dates of its start and end depend
 * on the time zone.
 */
function dayWindows({ startMs, endMs }: TimeRange): readonly TimeRange[] {
  const firstDay = localDayNumber(startMs - MS_PER_DAY / 2, 0);
  const endDay = localDayNumber(endMs - 1 + MS_PER_DAY / 2, 0) + 1;
  return windowsOf({ startMs: dayStartMs(firstDay), endMs: dayStartMs(endDay) }, WINDOW_DAYS);
}

/** Wraps a reading so that its rejection counts for one product only. @param path the product's URL */
function ofProduct(path: string, read: TimedRestType['read']): TimedRestType['read'] {
  return async (reading: RestReading) => {
    try {
      return await read(reading);
    } catch (error) {
      throw await asProductGap(error, reading.api, path);
    }
  };
}
