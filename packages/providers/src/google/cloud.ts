import type { CloudProvider, VendorWorkouts } from '../cloud/index.js';
import { isObject } from '../payload/index.js';
import { GOOGLE_OAUTH } from './oauth.js';
import { GOOGLE_PULL, sessionsFrom } from './pull/index.js';
import { readGoogleError } from './read-error.js';
import { SUBSCRIBED_TYPES } from './subscriber-types.js';
import { googleSubscribers } from './subscribers.js';
import { googleWebhook } from './webhook.js';

const PATH = '/v4/users/me/dataTypes/exercise/dataPoints';
/** The vendor's maximum page size. */
const MAX_PAGE = 25;

/** Exercises of all sources in the vendor's format. The ID is the last part of a point's `name`. */
const GOOGLE_WORKOUTS: VendorWorkouts = {
  dataType: 'exercise',
  async list(api, { since, limit, pageToken }) {
    // Exercises can only be filtered by the user's local time.
    const filter = since && sessionsFrom('exercise', since.getTime());
    const response = await api.call({ path: PATH, query: { filter, pageSize: Math.min(limit, MAX_PAGE), pageToken } });
    return since ? startedFrom(response, since.getTime()) : response;
  },
  get: (api, id) => api.call({ path: `${PATH}/${encodeURIComponent(id)}` }),
};

/** Drops exercises that started before `sinceMs`. Keeps exercises without a readable start. */
function startedFrom(response: unknown, sinceMs: number): unknown {
  if (!isObject(response) || !Array.isArray(response.dataPoints)) return response;
  return { ...response, dataPoints: response.dataPoints.filter((point: unknown) => !(startOf(point) < sinceMs)) };
}

/** Returns NaN if the start is not readable. */
function startOf(point: unknown): number {
  const interval = isObject(point) && isObject(point.exercise) ? point.exercise.interval : undefined;
  return isObject(interval) ? Date.parse(String(interval.startTime)) : Number.NaN;
}

/** Google's cloud health store. It contains the data of all applications and devices of an account. */
export const GOOGLE_CLOUD: CloudProvider = {
  settingsPrefix: 'CLOUDHEALTH',
  earlierPrefix: 'GOOGLE',
  settings: [
    {
      name: 'USE_RECONCILE',
      kind: 'boolean',
      default: 'true',
      help: 'Read Google’s merged stream at raw granularity; false reads every source with its device',
    },
    {
      name: 'SERVICE_ACCOUNT_FILE',
      kind: 'file',
      help: 'Path of the service account’s key file, for managing the webhook subscriber. Default: the machine’s credentials',
    },
    {
      name: 'PROJECT_ID',
      kind: 'digits',
      help: 'Number (not ID) of the Google Cloud project; required to manage the webhook subscriber',
    },
    {
      name: 'SUBSCRIBER_ID',
      kind: 'text',
      default: 'healthd',
      help: 'Name of the webhook subscriber; use different names for deployments in the same project',
    },
    {
      name: 'WEBHOOK_SIGNATURE',
      kind: 'text',
      choices: ['off', 'log', 'enforce'],
      default: 'off',
      help: 'Verification of the vendor’s notification signature, in addition to the secret: off, log or enforce',
    },
  ],
  addresses: {
    api: 'https://health.googleapis.com',
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    revoke: 'https://oauth2.googleapis.com/revoke',
    userInfo: 'https://openidconnect.googleapis.com/v1/userinfo',
    keyset: 'https://www.gstatic.com/googlehealthapi/webhooks/webhooks_public_keyset.json',
  },
  // The vendor allows 300 requests per user and 120,000 per project in a minute. The remaining requests are for the
  // project's other applications.
  quotas: { perUserAndMinute: 200, perApplicationAndMinute: 100_000 },
  // A page of 10,000 points with all members has about 6 MB.
  maxResponseBytes: 32 * 1024 * 1024,
  readError: readGoogleError,
  oauth: GOOGLE_OAUTH,
  pull: GOOGLE_PULL,
  workouts: GOOGLE_WORKOUTS,
  webhook: googleWebhook(),
  subscribers: googleSubscribers(SUBSCRIBED_TYPES),
};
