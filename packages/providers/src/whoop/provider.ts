import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import type { TimeRange } from '../cloud/index.js';
import { type RestReading, restProvider, WEBHOOK_TOLERANCE } from '../rest/index.js';
import { vendorTerms } from '../terms.js';
import { PROFILE_REQUEST, SCOPES, WHOOP_OAUTH } from './oauth.js';
import { BODY_SERIES, bodySamples } from './pull/body.js';
import { cycleRecords } from './pull/cycle.js';
import { readRecords } from './pull/read-records.js';
import { RECOVERY_SERIES, recoveryRecords } from './pull/recovery.js';
import { sleepRecords } from './pull/sleep.js';
import { readWakings, type Wakings } from './pull/wakings.js';
import { workoutRecords } from './pull/workout.js';
import { readWhoopError, remaining } from './rate-limit.js';
import { WHOOP_WEBHOOK } from './webhook.js';

/** Days per window: about two pages of nights. */
const WINDOW_DAYS = 30;
/** Overlap window. Records are scored hours after they arrive, and users edit their nights. */
const LATE_MS = 3 * MS_PER_DAY;
/**
 * Extension of a window at both ends. The range then includes the sleep of each recovery and cycle, whichever time the
 * vendor filters by.
 */
const REACH_MS = 2 * MS_PER_DAY;
const WORKOUTS = '/v2/activity/workout';
/** Maximum page size at the vendor. */
const MAX_PAGE = 25;

/**
 * WHOOP: a band whose nights, workouts and days the vendor's cloud scores. API version 2. The operator enters the
 * webhook's URL in the vendor's developer dashboard.
 */
export const WHOOP = restProvider({
  id: 'whoop',
  displayName: 'Whoop',
  terms: vendorTerms({}),
  settingsPrefix: 'WHOOP',
  settings: [WEBHOOK_TOLERANCE],
  addresses: {
    api: 'https://api.prod.whoop.com/developer',
    authorize: 'https://api.prod.whoop.com/oauth/oauth2/auth',
    token: 'https://api.prod.whoop.com/oauth/oauth2/token',
  },
  // The vendor allows the application 100 per minute and 10,000 per day, for all users.
  quotas: {
    perUserAndMinute: 60,
    perApplicationAndMinute: 90,
    perApplicationAndDay: 9_500,
    remaining: (headers) => [remaining(headers) ?? []].flat(),
  },
  // A page has 25 records of less than 2 kB.
  maxResponseBytes: 1024 * 1024,
  readError: readWhoopError,
  oauth: WHOOP_OAUTH,
  probes: [PROFILE_REQUEST],
  webhook: WHOOP_WEBHOOK,
  // Ids are the first words of the vendor's events. Cycles and body have no events.
  types: [
    {
      id: 'sleep',
      part: '247',
      scopes: [SCOPES.sleep],
      latenessMs: LATE_MS,
      itemsIn: 'sleep_sessions',
      window: WINDOW_DAYS,
      gives: {
        series: ['respiratory_rate'],
        // Nights have sums of their stages and no intervals.
        sleepFields: [
          'is_nap',
          'sleep_awake_minutes',
          'sleep_deep_minutes',
          'sleep_efficiency_score',
          'sleep_light_minutes',
          'sleep_rem_minutes',
          'sleep_time_in_bed_minutes',
          'sleep_total_duration_minutes',
        ],
        scores: ['sleep'],
      },
      async read({ api, window, tally }) {
        // Starts a minute earlier, because the respiratory rate of a night that ends at the window's start is in it.
        const request = { startMs: window.startMs - MS_PER_MINUTE, endMs: window.endMs };
        return sleepRecords(await readRecords(api, '/v2/activity/sleep', request), window, tally);
      },
    },
    {
      id: 'recovery',
      part: '247',
      scopes: [SCOPES.recovery],
      latenessMs: LATE_MS,
      itemsIn: 'sleep_sessions',
      window: WINDOW_DAYS,
      gives: { series: RECOVERY_SERIES, scores: ['recovery'] },
      async read(reading) {
        const records = await readRecords(reading.api, '/v2/recovery', around(reading.window));
        return recoveryRecords(records, await wakingsFor(reading, records), reading.window, reading.tally);
      },
    },
    {
      id: 'workout',
      part: 'workouts',
      scopes: [SCOPES.workout],
      latenessMs: LATE_MS,
      itemsIn: 'workouts',
      window: WINDOW_DAYS,
      gives: {
        workoutFields: [
          'distance',
          'energy_burned',
          'heart_rate_avg',
          'heart_rate_max',
          'moving_time_seconds',
          'total_elevation_gain',
        ],
        scores: ['strain'],
      },
      async read({ api, window, tally }) {
        return workoutRecords(await readRecords(api, WORKOUTS, window), window, tally);
      },
    },
    {
      id: 'cycle',
      part: '247',
      scopes: [SCOPES.cycles],
      latenessMs: LATE_MS,
      window: WINDOW_DAYS,
      gives: { scores: ['strain'] },
      async read(reading) {
        const records = await readRecords(reading.api, '/v2/cycle', around(reading.window));
        return cycleRecords(records, await wakingsFor(reading, records), reading.window, reading.tally);
      },
    },
    {
      id: 'body',
      part: '247',
      scopes: [SCOPES.body],
      latenessMs: 0,
      window: 'now',
      gives: { series: BODY_SERIES },
      async read({ api, tally }, nowMs) {
        return bodySamples(await api.call({ path: '/v2/user/measurement/body' }), nowMs, tally);
      },
    },
  ],
  workouts: {
    dataType: 'workout',
    list: (api, { since, limit, pageToken }) =>
      api.call({
        path: WORKOUTS,
        query: { start: since?.toISOString(), limit: Math.min(limit, MAX_PAGE), nextToken: pageToken },
      }),
    get: (api, id) => api.call({ path: `${WORKOUTS}/${encodeURIComponent(id)}` }),
  },
});

const NO_WAKINGS: Wakings = { bySleep: new Map(), byCycle: new Map() };

/** Reads sleeps only if records need them and the user consented. */
async function wakingsFor({ api, window, account }: RestReading, records: readonly unknown[]): Promise<Wakings> {
  if (records.length === 0 || !account.scopes.has(SCOPES.sleep)) return NO_WAKINGS;
  return readWakings(api, around(window));
}

function around({ startMs, endMs }: TimeRange): TimeRange {
  return { startMs: startMs - REACH_MS, endMs: endMs + REACH_MS };
}
