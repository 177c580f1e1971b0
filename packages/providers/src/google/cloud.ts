import type { CloudProvider, VendorWorkouts } from '../cloud/index.js';
import { isObject } from '../payload/index.js';
import { GOOGLE_OAUTH } from './oauth.js';
import { GOOGLE_PULL, sessionsFrom } from './pull/index.js';
import { readGoogleError } from './read-error.js';
import { SUBSCRIBED_TYPES } from './subscriber-types.js';
import { googleSubscribers } from './subscribers.js';
import { googleWebhook } from './webhook.js';

const PATH = '/v4/users/me/dataTypes/exercise/dataPoints';
/** The vendor gives no more in one answer. */
const MAX_PAGE = 25;

/** Exercise of every source in the vendor's own form; the id is the last part of a point's `name`. */
const GOOGLE_WORKOUTS: VendorWorkouts = {
  dataType: 'exercise',
  async list(api, { since, limit, pageToken }) {
    // Wall-clock times are all that exercise can be filtered by; it is the person's own.
    const filter = since && sessionsFrom('exercise', since.getTime());
    const answer = await api.call({ path: PATH, query: { filter, pageSize: Math.min(limit, MAX_PAGE), pageToken } });
    return since ? startedFrom(answer, since.getTime()) : answer;
  },
  get: (api, id) => api.call({ path: `${PATH}/${encodeURIComponent(id)}` }),
};

/** Leaves out what began before; what has no readable start stays, as the vendor gave it. */
function startedFrom(answer: unknown, sinceMs: number): unknown {
  if (!isObject(answer) || !Array.isArray(answer.dataPoints)) return answer;
  return { ...answer, dataPoints: answer.dataPoints.filter((point: unknown) => !(startOf(point) < sinceMs)) };
}

/** NaN where it cannot be read. */
function startOf(point: unknown): number {
  const interval = isObject(point) && isObject(point.exercise) ? point.exercise.interval : undefined;
  return isObject(interval) ? Date.parse(String(interval.startTime)) : Number.NaN;
}

/** Google's cloud health store, which gathers what all applications and devices of one account wrote. */
export const GOOGLE_CLOUD: CloudProvider = {
  settingsPrefix: 'CLOUDHEALTH',
  earlierPrefix: 'GOOGLE',
  settings: [
    {
      name: 'USE_RECONCILE',
      kind: 'boolean',
      default: 'true',
      help: "Read the vendor's merged stream at raw granularity; false reads every source with its device",
    },
    {
      name: 'SERVICE_ACCOUNT_FILE',
      kind: 'file',
      help: "Key file of the service account that manages the webhook subscriber; unset: the machine's own credentials",
    },
    {
      name: 'PROJECT_ID',
      kind: 'digits',
      help: 'Number of the cloud project, not its id; without it the webhook subscriber is not managed',
    },
    {
      name: 'SUBSCRIBER_ID',
      kind: 'text',
      default: 'healthd',
      help: 'Name of the webhook subscriber; two deployments on one project need two',
    },
    {
      name: 'WEBHOOK_SIGNATURE',
      kind: 'text',
      choices: ['off', 'log', 'enforce'],
      default: 'off',
      help: "Vendor's signature of notifications, beside the secret: off, log (a bad one is logged) or enforce (refused)",
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
  // The vendor allows 300 and 120,000; the rest is left to others who use the same project.
  quotas: { perPersonAndMinute: 200, perApplicationAndMinute: 100_000 },
  // A page of 10,000 points with every member is about 6 MB.
  maxResponseBytes: 32 * 1024 * 1024,
  readError: readGoogleError,
  oauth: GOOGLE_OAUTH,
  pull: GOOGLE_PULL,
  workouts: GOOGLE_WORKOUTS,
  webhook: googleWebhook(),
  subscribers: googleSubscribers(SUBSCRIBED_TYPES),
};
