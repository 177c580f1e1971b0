import { dayStartMs, localDayNumber, MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { type ProviderConfiguration, type PullAdapter, type TimeRange, VendorError } from '../cloud/index.js';
import { idOf } from '../payload/index.js';
import type { SleepField, WorkoutField } from '../provider.js';
import { type RestReading, restProvider, type TimedRestType, windowsOf } from '../rest/index.js';
import { vendorTerms } from '../terms.js';
import { SUUNTO_DELIVERIES } from './deliveries.js';
import { SCOPE, SUUNTO_OAUTH } from './oauth.js';
import { readAwaited, readChanged } from './pull/changed-workouts.js';
import { readSamples, readStatistics } from './pull/read-samples.js';
import { askWorkouts, payloadOf, readWorkouts, WORKOUTS, WORKOUTS_PER_PAGE } from './pull/read-workouts.js';
import { asProductGap, readSuuntoError } from './read-error.js';
import { ACTIVITY_SERIES, activityRecords } from './records/activity.js';
import { DAILY_SERIES, dailyRecords } from './records/daily-statistics.js';
import { recoveryRecords } from './records/recovery.js';
import { bestSleeps, NIGHT_SERIES, placedSleep, SLEEP_REACH_MS, sleepRecords } from './records/sleep.js';
import { replacedWindow } from './records/source.js';
import { workoutRecords } from './records/workout.js';
import { READING_SERIES } from './records/workout-readings.js';
import { configuredQuotas, DEVELOPER_TIER, readsFitFiles, requestHeaders, SUUNTO_SETTINGS } from './settings.js';

/** The vendor gives 28 days in one answer. More is requested around a window: of sleep the longest time in bed. */
const WINDOW_DAYS = 27;
const SLEEP_WINDOW_DAYS = 26;
/** Workouts have no such limit, and requests are few. */
const WORKOUT_WINDOW_DAYS = 90;
/** Workouts that are uploaded later than this come by their change. */
const LATE_MS = 7 * MS_PER_DAY;
/**
 * A watch may be read out weeks later, and nothing else says so. With a day between two polls, and what is requested around them,
 * it is still one request of the 28 days that the vendor gives.
 */
const WATCH_LATE_MS = 25 * MS_PER_DAY;
/** The time of whole days on every clock is up to two days longer. */
const DAYS_LATE_MS = 24 * MS_PER_DAY;
/** Each kind is a product of its own: it takes requests to find out that one is not subscribed to. */
const COMMON = { scopes: [SCOPE], refusedForMs: MS_PER_DAY } as const;

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

/** Suunto: sports watches. The vendor's Cloud API gives workouts, version 3, and what a watch measures day and night. */
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
  // Four weeks of records of ten minutes, or a page of 100 workouts.
  maxResponseBytes: 16 * 1024 * 1024,
  readError: readSuuntoError,
  oauth: SUUNTO_OAUTH,
  deliveries: SUUNTO_DELIVERIES,
  // Notifications bring the first four kinds.
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
        // An empty list removes nothing: it may lag behind the notifications.
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
        // The values of a night stand at its end.
        const samples = await readSamples(api, 'sleep', { ...window, startMs: window.startMs - SLEEP_REACH_MS });
        // The vendor takes no night back, and the list may lag behind the notifications.
        const placed = samples.flatMap((sample) => placedSleep(sample, tally) ?? []);
        return bestSleeps(placed, tally).flatMap(sleepRecords);
      }),
    },
    {
      ...COMMON,
      id: 'recovery',
      part: '247',
      latenessMs: WATCH_LATE_MS,
      window: WINDOW_DAYS,
      gives: { scores: ['recovery'] },
      // Replaces nothing, as sleep.
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
      // Replaces nothing: records are restated under their times and never taken back.
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
      // They may be at the second of two places.
      requestsPerPoll: 2,
      window: dayWindows,
      gives: { series: DAILY_SERIES },
      read: ofProduct('/247samples/daily_statistics', async ({ api, window, tally, mode }) => {
        const days = { firstDay: localDayNumber(window.startMs, 0), endDay: localDayNumber(window.endMs - 1, 0) + 1 };
        return dailyRecords(await readStatistics(api, mode.configuration, days), days, tally);
      }),
    },
    // Workouts that were uploaded or edited in a time, whenever they were: neither shows in the list by start, and edits are not
    // pushed. They come last, because their files may take more requests than all else.
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
  // Workouts in the vendor's own form. The token of a further page is the number of workouts before it.
  workouts: {
    dataType: 'workouts',
    async list(api, { since, limit, pageToken }) {
      const offset = pageToken === undefined ? 0 : Number(pageToken);
      if (!Number.isInteger(offset) || offset < 0) throw new VendorError({ code: 'invalid_request', reason: 'offset' });
      const query = { since: since?.getTime() ?? 0, limit: Math.min(limit, WORKOUTS_PER_PAGE), offset };
      const answer = await askWorkouts(api, { ...query, by: 'start' });
      payloadOf(answer);
      return answer;
    },
    async get(api, id) {
      if (idOf(id) === undefined) throw new VendorError({ code: 'not_found' });
      const answer = await api.call({ path: `${WORKOUTS}${encodeURIComponent(id)}` });
      // The vendor answers an unknown key with 200 and no workout.
      const workout = payloadOf(answer);
      if (workout === undefined || workout === null) throw new VendorError({ code: 'not_found' });
      return answer;
    },
  },
});

/** Requests one FIT file beside the list in a poll as a rule, if the operator wants FIT files read. */
function configuredPull(pull: PullAdapter, configuration: ProviderConfiguration): PullAdapter {
  if (!readsFitFiles(configuration)) return pull;
  const dataTypes = pull.dataTypes.map((type) =>
    type.id === 'changed_workouts' ? { ...type, requestsPerPoll: 2 } : type,
  );
  return { ...pull, dataTypes };
}

/** Whole days of a range on every clock: where it begins or ends, another day may be under way elsewhere. */
function dayWindows({ startMs, endMs }: TimeRange): readonly TimeRange[] {
  const firstDay = localDayNumber(startMs - MS_PER_DAY / 2, 0);
  const endDay = localDayNumber(endMs - 1 + MS_PER_DAY / 2, 0) + 1;
  return windowsOf({ startMs: dayStartMs(firstDay), endMs: dayStartMs(endDay) }, WINDOW_DAYS);
}

/** A reading whose refusal is that of one product. @param path the product's address */
function ofProduct(path: string, read: TimedRestType['read']): TimedRestType['read'] {
  return async (reading: RestReading) => {
    try {
      return await read(reading);
    } catch (error) {
      throw await asProductGap(error, reading.api, path);
    }
  };
}
