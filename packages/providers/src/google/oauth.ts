import { SECONDS_PER_HOUR } from '@healthd/model';
import { type OAuthDefinition, type VendorApi, VendorError, type VendorIdentity } from '../cloud/index.js';
import { idOf, isObject, textOf } from '../payload/index.js';
import { DEFAULT_SCOPE } from './scopes.js';

/** Consent at a Google account. */
export const GOOGLE_OAUTH: OAuthDefinition = {
  defaultScope: DEFAULT_SCOPE,
  pkce: true,
  clientAuthentication: 'body',
  // Without `offline` and `consent` no refresh token comes, with a repeated consent above all.
  authorizeParameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
  accessTokenSeconds: SECONDS_PER_HOUR,
  identify,
};

/** The health user id, which notifications name, and the account's address for display. */
async function identify(api: VendorApi): Promise<VendorIdentity> {
  const identity = await api.call({ path: '/v4/users/me/identity' });
  const userId = isObject(identity) ? idOf(identity.healthUserId) : undefined;
  if (userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'healthUserId' });
  return { userId, username: await addressOf(api) };
}

async function addressOf(api: VendorApi): Promise<string | undefined> {
  try {
    const person = await api.call({ base: 'userInfo', path: '' });
    return isObject(person) ? textOf(person.email) : undefined;
  } catch (error) {
    // The address is for display only; a consent without `email` does not give it.
    if (error instanceof VendorError) return undefined;
    throw error;
  }
}
