import { fromDayNumber, MS_PER_DAY } from '@healthd/model';
import { SLEEP_FIELDS } from '../provider.js';
import { restProvider, type TimedRestType, WEBHOOK_TOLERANCE } from '../rest/index.js';
import { vendorTerms } from '../terms.js';
import { OURA_OAUTH, PERSONAL_INFO, SCOPES } from './oauth.js';
import { BODY_SERIES, bodySamples } from './pull/body.js';
import { dailyWindows, readDaily } from './pull/daily.js';
import { DAILY_TYPES, type DailyType, seriesOf } from './pull/daily-types.js';
import { dayOffsets, readDayOffsets } from './pull/day-offsets.js';
import { heartRateRecords } from './pull/heart-rate.js';
import { daysAround, readDays, readPages } from './pull/read-documents.js';
import { NIGHT_SERIES, sleepRecords } from './pull/sleep.js';
import { workoutRecords } from './pull/workout.js';
import { OURA_SUBSCRIBERS } from './subscribers.js';
import { OURA_WEBHOOK } from './webhook.js';

const WINDOW_DAYS = 30;
/** Days of heart rates per window: some thousand readings. The vendor allows 30 days. */
const HEART_RATE_DAYS = 14;
/** Maximum number of heart rates: a reading every 30 seconds, day and night. */
const MAX_HEART_RATES = 40_000;
/** Overlap window. A ring stores its measurements for a week until it is synced. */
const LATE_MS = 7 * MS_PER_DAY;
const WORKOUTS = '/v2/usercollection/workout';
/** Days in a list without `since`, because the vendor's default is one day. */
const LISTED_DAYS = 90;

/** Oura: a ring whose nights and days the vendor's cloud scores. API version 2. */
export const OURA = restProvider({
  id: 'oura',
  displayName: 'Oura',
  terms: vendorTerms({}),
  settingsPrefix: 'OURA',
  settings: [WEBHOOK_TOLERANCE],
  addresses: {
    api: 'https://api.ouraring.com',
    authorize: 'https://cloud.ouraring.com/oauth/authorize',
    // Applications of the vendor's former portal use a different URL.
    token: 'https://moi.ouraring.com/oauth/v2/ext/oauth-token',
    revoke: 'https://moi.ouraring.com/oauth/v2/ext/oauth-revoke',
  },
  // The known limit is 5,000 requests in five minutes, per user and per application.
  quotas: { perUserAndMinute: 300, perApplicationAndMinute: 900 },
  // A night with its stages and series has about 10 kB. A day with its minutes has about 10 kB too.
  maxResponseBytes: 8 * 1024 * 1024,
  readError: () => undefined,
  oauth: OURA_OAUTH,
  probes: [{ path: PERSONAL_INFO }],
  webhook: OURA_WEBHOOK,
  subscribers: OURA_SUBSCRIBERS,
  // Ids are the names in the vendor's events. Heart rates and personal facts have no events.
  types: [
    {
      id: 'sleep',
      part: '247',
      scopes: [SCOPES.daily],
      latenessMs: LATE_MS,
      itemsIn: 'sleep_sessions',
      window: WINDOW_DAYS,
      gives: { series: NIGHT_SERIES, sleepFields: SLEEP_FIELDS },
      async read({ api, window, account, tally }) {
        const documents = await readDays(api, 'sleep', daysAround(window));
        return sleepRecords(documents, window, !account.scopes.has(SCOPES.heartRate), tally);
      },
    },
    {
      id: 'workout',
      part: 'workouts',
      scopes: [SCOPES.workout],
      latenessMs: LATE_MS,
      itemsIn: 'workouts',
      window: WINDOW_DAYS,
      gives: { workoutFields: ['distance', 'energy_burned', 'moving_time_seconds'] },
      async read({ api, window, account, tally }) {
        const days = daysAround(window);
        const documents = await readDays(api, 'workout', days);
        const offsets = documents.length === 0 ? dayOffsets([]) : await readDayOffsets(api, account.scopes, days);
        return workoutRecords(documents, offsets, window, tally);
      },
    },
    ...DAILY_TYPES.map(
      (type: DailyType): TimedRestType => ({
        id: type.id,
        part: '247',
        scopes: [type.scope],
        latenessMs: LATE_MS,
        window: (range) => dailyWindows(range, WINDOW_DAYS),
        gives: { series: seriesOf(type), scores: type.score ? [type.score.category] : [] },
        read: (reading) => readDaily(type, reading),
      }),
    ),
    {
      id: 'heartrate',
      part: '247',
      scopes: [SCOPES.heartRate],
      latenessMs: LATE_MS,
      window: HEART_RATE_DAYS,
      gives: { series: ['heart_rate'] },
      async read({ api, window, tally }) {
        const times = {
          start_datetime: new Date(window.startMs).toISOString(),
          end_datetime: new Date(window.endMs).toISOString(),
        };
        const rows = await readPages(api, 'heartrate', times, MAX_HEART_RATES);
        return heartRateRecords(rows, window, tally);
      },
    },
    {
      id: 'personal_info',
      part: '247',
      scopes: [SCOPES.personal],
      latenessMs: 0,
      window: 'now',
      gives: { series: BODY_SERIES },
      async read({ api, tally }, nowMs) {
        return bodySamples(await api.call({ path: PERSONAL_INFO }), nowMs, tally);
      },
    },
  ],
  workouts: {
    dataType: 'workout',
    /** Oldest first, because the vendor supports neither another order nor a page size. */
    list(api, { since, pageToken }) {
      const today = Math.floor(Date.now() / MS_PER_DAY);
      const first = since === undefined ? today - LISTED_DAYS : Math.floor(since.getTime() / MS_PER_DAY) - 1;
      // The user's current date may be tomorrow in UTC, and the vendor excludes the end date.
      const dates = { start_date: fromDayNumber(first), end_date: fromDayNumber(today + 2) };
      return api.call({ path: WORKOUTS, query: { ...dates, next_token: pageToken } });
    },
    get: (api, id) => api.call({ path: `${WORKOUTS}/${encodeURIComponent(id)}` }),
  },
});
