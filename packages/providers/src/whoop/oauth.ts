import { type OAuthDefinition, type VendorApi, VendorError, type VendorIdentity } from '../cloud/index.js';
import { isObject, type PayloadObject, textOf } from '../payload/index.js';
import { asScopeGap, numberIdOf } from '../rest/index.js';

/** Groups of data that a person consents to; `offline` gives a refresh token, the profile says whose account it is. */
export const SCOPES = {
  offline: 'offline',
  recovery: 'read:recovery',
  cycles: 'read:cycles',
  sleep: 'read:sleep',
  workout: 'read:workout',
  profile: 'read:profile',
  body: 'read:body_measurement',
} as const;

/** Answers with any good token. */
export const PROFILE_REQUEST = { path: '/v2/user/profile/basic' };
/** One of these answers where a token is good and the profile was not consented to. */
const COLLECTIONS = ['/v2/cycle', '/v2/activity/sleep', '/v2/recovery', '/v2/activity/workout'].map((path) => ({
  path,
  query: { limit: 1 },
}));

/**
 * Consent at WHOOP. A refresh token dies with its first use, and without `offline` in the renewal none comes back. There is
 * no revocation endpoint: the consent is ended by a request with the access token.
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

/** The user id, which notifications name, and the account's address for display. */
async function identify(api: VendorApi): Promise<VendorIdentity> {
  const profile = await readProfile(api);
  const userId = numberIdOf(profile.user_id);
  if (userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'user_id' });
  return { userId, username: textOf(profile.email) };
}

/** @throws VendorError `scope_missing` where the token is good for something else */
async function readProfile(api: VendorApi): Promise<PayloadObject> {
  try {
    const profile = await api.call(PROFILE_REQUEST);
    if (isObject(profile)) return profile;
    throw new VendorError({ code: 'invalid_answer', reason: 'profile' });
  } catch (error) {
    throw await asScopeGap(error, api, COLLECTIONS);
  }
}
