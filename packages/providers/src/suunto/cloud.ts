import { SECONDS_PER_DAY } from '@healthd/model';
import {
  type CloudProvider,
  type NewConsent,
  type OAuthDefinition,
  VendorError,
  type VendorIdentity,
  type VendorWorkouts,
} from '../cloud/index.js';
import { idOf, isObject, type PayloadObject } from '../payload/index.js';
import { SUUNTO_DELIVERIES } from './deliveries.js';
import { askWorkouts, configuredPull, payloadOf, SUUNTO_PULL, WORKOUTS, WORKOUTS_PER_PAGE } from './pull/index.js';
import { readSuuntoError } from './read-error.js';
import { SCOPE } from './scopes.js';
import { configuredQuotas, DEVELOPER_TIER, requestHeaders, SUUNTO_SETTINGS } from './settings.js';

/** Workouts in the vendor's own form. The token of a further page is how many come before it. */
const SUUNTO_WORKOUTS: VendorWorkouts = {
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
    // A key that is not known is answered 200 without a workout.
    const workout = payloadOf(answer);
    if (workout === undefined || workout === null) throw new VendorError({ code: 'not_found' });
    return answer;
  },
};

/**
 * Consent at Suunto. The client proves itself by HTTP Basic. A renewal may bring a new refresh token; a consent is ended by a
 * request with the access token. None of these addresses takes the subscription key.
 */
const SUUNTO_OAUTH: OAuthDefinition = {
  defaultScope: SCOPE,
  pkce: false,
  clientAuthentication: 'basic',
  authorizeParameters: {},
  accessTokenSeconds: SECONDS_PER_DAY,
  needsIdentity: true,
  endConsent: (_account, { clientId }) => ({ base: 'revoke', path: '', query: { client_id: clientId } }),
  identify,
};

/**
 * The name of the account, which webhooks name: no request says it, the access token does, and the answer that had it. Both come
 * from the vendor's own token endpoint, so that the token's signature is not looked at.
 */
async function identify(_api: unknown, { members = {} }: Partial<NewConsent> = {}): Promise<VendorIdentity> {
  const userId = idOf(claimsOf(members.access_token).user) ?? idOf(members.user);
  if (userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'user' });
  return { userId, username: userId };
}

/** Claims of a JSON Web Token; none of anything else. */
function claimsOf(token: unknown): PayloadObject {
  try {
    const claims: unknown = JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
    return isObject(claims) ? claims : {};
  } catch {
    return {};
  }
}

/** The vendor's Cloud API: workouts, version 3, and what a watch measures day and night. */
export const SUUNTO_CLOUD: CloudProvider = {
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
  requestHeaders,
  // Four weeks of records of ten minutes, or a page of 100 workouts.
  maxResponseBytes: 16 * 1024 * 1024,
  readError: readSuuntoError,
  oauth: SUUNTO_OAUTH,
  pull: SUUNTO_PULL,
  configuredPull,
  workouts: SUUNTO_WORKOUTS,
  deliveries: SUUNTO_DELIVERIES,
};
