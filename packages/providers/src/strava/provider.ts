import { MS_PER_DAY, MS_PER_SECOND } from '@healthd/model';
import { VendorError } from '../cloud/index.js';
import { numberIdOf, restProvider, WEBHOOK_TOLERANCE } from '../rest/index.js';
import { vendorTerms } from '../terms.js';
import { SCOPES, STRAVA_OAUTH } from './oauth.js';
import { ACTIVITIES_PER_PAGE, LIST, locateActivity, readActivities } from './pull/read-activities.js';
import { activityPath } from './pull/source.js';
import { READ_STREAMS, STREAM_SERIES } from './pull/streams.js';
import { remaining } from './rate-limit.js';
import { readStravaError } from './read-error.js';
import { STRAVA_SUBSCRIBERS } from './subscribers.js';
import { ACTIVITY, STRAVA_WEBHOOK } from './webhook.js';

const AGREEMENT = 'Strava API Agreement and API Policy of 2026-06-01';
const WINDOW_DAYS = 7;
/**
 * Overlap window. Most devices upload within a day, and events report later uploads. The window is short, because each
 * activity that is read again costs requests.
 */
const LATE_MS = 2 * MS_PER_DAY;

/** Strava: activities that users share, recorded with devices of many vendors. API version 3. */
export const STRAVA = restProvider({
  id: 'strava',
  displayName: 'Strava',
  terms: vendorTerms({
    assistants: { value: 'deny', basis: 'quoted', source: `${AGREEMENT}, section 5.3` },
    combine: { value: 'deny', basis: 'quoted', source: `${AGREEMENT}, section 5.4` },
    cacheDays: { value: 7, basis: 'quoted', source: `${AGREEMENT}, section 5.5` },
    onDisconnect: { value: 'delete', basis: 'quoted', source: AGREEMENT },
    attribution: { value: 'Powered by Strava', basis: 'quoted', source: 'Strava API Brand Guidelines' },
  }),
  settingsPrefix: 'STRAVA',
  settings: [
    {
      name: READ_STREAMS,
      kind: 'boolean',
      default: 'false',
      help: 'Also read the samples of each activity: heart rate, speed, cadence, power, elevation and position. Needs one more request per activity',
    },
    {
      name: 'WEBHOOK_SIGNING_KEY',
      kind: 'text',
      secret: true,
      help: 'Key that signs webhooks, if Strava provided one; events without a valid signature are then rejected',
    },
    WEBHOOK_TOLERANCE,
  ],
  addresses: {
    api: 'https://www.strava.com/api/v3',
    authorize: 'https://www.strava.com/oauth/authorize',
    token: 'https://www.strava.com/oauth/token',
    revoke: 'https://www.strava.com/oauth/revoke',
  },
  // The vendor limits requests per quarter hour and per day. The daily limit here is the limit of the smallest tier;
  // responses contain the actual limits.
  quotas: {
    perUserAndMinute: 300,
    perApplicationAndMinute: 600,
    perApplicationAndDay: 1_000,
    limitsInAnswers: true,
    remaining,
  },
  // A page of 200 activities, or a day of streams with one reading per second.
  maxResponseBytes: 16 * 1024 * 1024,
  readError: readStravaError,
  oauth: STRAVA_OAUTH,
  webhook: STRAVA_WEBHOOK,
  subscribers: STRAVA_SUBSCRIBERS,
  types: [
    {
      id: ACTIVITY,
      part: 'workouts',
      scopes: [SCOPES.activities, SCOPES.privateActivities],
      latenessMs: LATE_MS,
      itemsIn: 'workouts',
      // Two pages, the last of which is empty, and the activities of two days.
      requestsPerPoll: 4,
      window: WINDOW_DAYS,
      gives: {
        // These series are read only if the operator enables streams.
        series: STREAM_SERIES,
        workoutFields: [
          'average_cadence',
          'average_speed',
          'average_watts',
          'distance',
          'elev_high',
          'elev_low',
          'energy_burned',
          'heart_rate_avg',
          'heart_rate_max',
          'max_speed',
          'max_watts',
          'moving_time_seconds',
          'total_elevation_gain',
        ],
      },
      read: readActivities,
      locate: locateActivity,
    },
  ],
  // Activities in the vendor's format, newest first. The token of the next page is its number.
  workouts: {
    dataType: ACTIVITY,
    list(api, { since, limit, pageToken }) {
      const page = pageToken === undefined ? 1 : Number(pageToken);
      if (!Number.isInteger(page) || page < 1) throw new VendorError({ code: 'invalid_request', reason: 'page' });
      const after = since && Math.floor(since.getTime() / MS_PER_SECOND) - 1;
      // With only a start the vendor lists the oldest activities first.
      const before = Math.ceil(Date.now() / MS_PER_SECOND);
      return api.call({ path: LIST, query: { after, before, page, per_page: Math.min(limit, ACTIVITIES_PER_PAGE) } });
    },
    async get(api, id) {
      if (numberIdOf(id) === undefined) throw new VendorError({ code: 'not_found' });
      return api.call({ path: activityPath(id) });
    },
  },
});
