import { type OAuthDefinition, type VendorApi, VendorError, type VendorIdentity } from '../cloud/index.js';
import { isObject, type PayloadObject, textOf } from '../payload/index.js';
import { asScopeGap, numberIdOf } from '../rest/index.js';

/** Consent groups. `offline` yields a refresh token; the profile identifies the account. */
export const SCOPES = {
  offline: 'offline',
  recovery: 'read:recovery',
  cycles: 'read:cycles',
  sleep: 'read:sleep',
  workout: 'read:workout',
  profile: 'read:profile',
  body: 'read:body_measurement',
} as const;

/** Request that succeeds with any valid token. */
export const PROFILE_REQUEST = { path: '/v2/user/profile/basic' };
/** Requests that probe a token without profile consent. A valid token can read at least one collection. */
const COLLECTIONS = ['/v2/cycle', '/v2/activity/sleep', '/v2/recovery', '/v2/activity/workout'].map((path) => ({
  path,
  query: { limit: 1 },
}));

/**
 * Consent at WHOOP. A refresh token is valid once. A renewal without `offline` returns no refresh token. Instead of a
 * revocation endpoint, the vendor has a request with the access token that ends the consent.
 */
export const WHOOP_OAUTH: OAuthDefinition = {
  defaultScope: Object.values(SCOPES).join(' '),
  pkce: false,
  clientAuthentication: 'body',
  authorizeParameters: {},
  accessTokenSeconds: 3600,
  refreshScope: SCOPES.offline,
  endConsent: { method: 'DELETE', path: '/v2/user/access' },
  identify,
};

/** Returns the user id, which notifications contain, and the account's email for display. */
async function identify(api: VendorApi): Promise<VendorIdentity> {
  const profile = await readProfile(api);
  const userId = numberIdOf(profile.user_id);
  if (userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'user_id' });
  return { userId, username: textOf(profile.email) };
}

/** @throws VendorError `scope_missing` if the token is valid for other data */
async function readProfile(api: VendorApi): Promise<PayloadObject> {
  try {
    const profile = await api.call(PROFILE_REQUEST);
    if (isObject(profile)) return profile;
    throw new VendorError({ code: 'invalid_answer', reason: 'profile' });
  } catch (error) {
    throw await asScopeGap(error, api, COLLECTIONS);
  }
}
