import { SECONDS_PER_DAY } from '@healthd/model';
import { type OAuthDefinition, type VendorApi, VendorError, type VendorIdentity } from '../cloud/index.js';
import { idOf, isObject, textOf } from '../payload/index.js';

/** Consent groups, by the names in the vendor's documentation. */
export const SCOPES = {
  email: 'email',
  personal: 'personal',
  daily: 'daily',
  heartRate: 'heartrate',
  workout: 'workout',
  saturation: 'spo2',
  stress: 'stress',
  heartHealth: 'heart_health',
} as const;

/** Prefix that the vendor's servers add to every scope. */
const PREFIX = 'extapi:';

/** Path that returns data to any valid token, regardless of its scopes. */
export const PERSONAL_INFO = '/v2/usercollection/personal_info';

/** Consent at Oura. A refresh token is valid once. The redirect URL contains the granted scopes. */
export const OURA_OAUTH: OAuthDefinition = {
  defaultScope: Object.values(SCOPES)
    .map((name) => `${PREFIX}${name}`)
    .join(' '),
  pkce: true,
  clientAuthentication: 'body',
  authorizeParameters: {},
  accessTokenSeconds: SECONDS_PER_DAY,
  scopeName: (granted) => (granted.startsWith(PREFIX) ? granted.slice(PREFIX.length) : granted),
  revocation: { tokenTypeHint: true },
  identify,
};

/**
 * Returns the user id, which notifications contain, and the account's email for display if the user consented to it.
 */
async function identify(api: VendorApi): Promise<VendorIdentity> {
  const info = await api.call({ path: PERSONAL_INFO });
  const userId = isObject(info) ? idOf(info.id) : undefined;
  if (!isObject(info) || userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'id' });
  return { userId, username: textOf(info.email) };
}
