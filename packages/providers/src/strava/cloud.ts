import type { CloudProvider } from '../cloud/index.js';
import { WEBHOOK_TOLERANCE } from '../rest/index.js';
import { STRAVA_OAUTH } from './oauth.js';
import { READ_STREAMS, STRAVA_PULL } from './pull/index.js';
import { remaining } from './rate-limit.js';
import { readStravaError } from './read-error.js';
import { STRAVA_SUBSCRIBERS } from './subscribers.js';
import { STRAVA_WORKOUTS } from './vendor-workouts.js';
import { STRAVA_WEBHOOK } from './webhook.js';

/** The vendor's API, version 3. */
export const STRAVA_CLOUD: CloudProvider = {
  settingsPrefix: 'STRAVA',
  settings: [
    {
      name: READ_STREAMS,
      kind: 'boolean',
      default: 'false',
      help: 'Whether the readings of an activity are read too: heart rate, speed, cadence, power, height, positions. Takes a request for each activity',
    },
    {
      name: 'WEBHOOK_SIGNING_KEY',
      kind: 'text',
      secret: true,
      help: 'The key of the signature of webhooks, where the vendor gave one: events without a good signature are then refused',
    },
    WEBHOOK_TOLERANCE,
  ],
  addresses: {
    api: 'https://www.strava.com/api/v3',
    authorize: 'https://www.strava.com/oauth/authorize',
    token: 'https://www.strava.com/oauth/token',
    revoke: 'https://www.strava.com/oauth/revoke',
  },
  // The vendor counts quarters of an hour and days. The day is that of the smallest tier; the answers say what there is.
  quotas: {
    perPersonAndMinute: 300,
    perApplicationAndMinute: 600,
    perApplicationAndDay: 1_000,
    limitsInAnswers: true,
    remaining,
  },
  // A page of 200 activities, or the streams of a day second by second.
  maxResponseBytes: 16 * 1024 * 1024,
  readError: readStravaError,
  oauth: STRAVA_OAUTH,
  pull: STRAVA_PULL,
  workouts: STRAVA_WORKOUTS,
  webhook: STRAVA_WEBHOOK,
  subscribers: STRAVA_SUBSCRIBERS,
};
