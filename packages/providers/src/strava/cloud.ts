import { MS_PER_SECOND, SECONDS_PER_HOUR } from '@healthd/model';
import {
  type CloudProvider,
  type OAuthDefinition,
  type VendorApi,
  VendorError,
  type VendorIdentity,
  type VendorWorkouts,
} from '../cloud/index.js';
import { isObject, textOf } from '../payload/index.js';
import { numberIdOf, WEBHOOK_TOLERANCE } from '../rest/index.js';
import { activityPath, LIST, READ_STREAMS, STRAVA_PULL } from './pull/index.js';
import { remaining } from './rate-limit.js';
import { readStravaError } from './read-error.js';
import { DEFAULT_SCOPE } from './scopes.js';
import { STRAVA_SUBSCRIBERS } from './subscribers.js';
import { ACTIVITY, STRAVA_WEBHOOK } from './webhook.js';

/** The vendor gives no more in one page. */
const MAX_PAGE = 200;

/** Activities in the vendor's own form, newest first. The token of a further page is its number. */
const STRAVA_WORKOUTS: VendorWorkouts = {
  dataType: ACTIVITY,
  list(api, { since, limit, pageToken }) {
    const page = pageToken === undefined ? 1 : Number(pageToken);
    if (!Number.isInteger(page) || page < 1) throw new VendorError({ code: 'invalid_request', reason: 'page' });
    const after = since && Math.floor(since.getTime() / MS_PER_SECOND) - 1;
    // With a start alone the vendor begins with the oldest.
    const before = Math.ceil(Date.now() / MS_PER_SECOND);
    return api.call({ path: LIST, query: { after, before, page, per_page: Math.min(limit, MAX_PAGE) } });
  },
  async get(api, id) {
    if (numberIdOf(id) === undefined) throw new VendorError({ code: 'not_found' });
    return api.call({ path: activityPath(id) });
  },
};

/**
 * Consent at Strava. Scopes are separated by commas, and what was granted stands in the address of the way back. A renewal
 * gives a new refresh token now and then, with which the old one dies.
 */
const STRAVA_OAUTH: OAuthDefinition = {
  defaultScope: DEFAULT_SCOPE,
  pkce: false,
  clientAuthentication: 'body',
  // The page is shown again only where something new is asked for.
  authorizeParameters: { approval_prompt: 'auto' },
  accessTokenSeconds: 6 * SECONDS_PER_HOUR,
  scopeSeparator: ',',
  revocation: { clientAuthentication: 'basic', tokenTypeHint: true },
  identify,
};

/** The athlete's id, which events name, and a name for display. */
async function identify(api: VendorApi): Promise<VendorIdentity> {
  const athlete = await api.call({ path: '/athlete' });
  const userId = isObject(athlete) ? numberIdOf(athlete.id) : undefined;
  if (!isObject(athlete) || userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'id' });
  const name = textOf([athlete.firstname, athlete.lastname].flatMap((part) => textOf(part) ?? []).join(' '));
  return { userId, username: textOf(athlete.username) ?? name };
}

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
