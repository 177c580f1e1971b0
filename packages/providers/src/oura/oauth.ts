import { SECONDS_PER_DAY } from '@healthd/model';
import { type OAuthDefinition, type VendorApi, VendorError, type VendorIdentity } from '../cloud/index.js';
import { idOf, isObject, textOf } from '../payload/index.js';

/** Groups of data that a person consents to, by the names that the vendor's description has. */
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

/** The vendor's servers put it before every name. */
const PREFIX = 'extapi:';

/** Answers with any valid token, regardless of its scopes. */
export const PERSONAL_INFO = '/v2/usercollection/personal_info';

/** Consent at Oura. A refresh token dies with its first use; what was granted stands in the address of the way back. */
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

/** The user id, which notifications name, and the address of the account for display where it was consented to. */
async function identify(api: VendorApi): Promise<VendorIdentity> {
  const info = await api.call({ path: PERSONAL_INFO });
  const userId = isObject(info) ? idOf(info.id) : undefined;
  if (!isObject(info) || userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'id' });
  return { userId, username: textOf(info.email) };
}
