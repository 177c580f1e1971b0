import { SECONDS_PER_HOUR } from '@healthd/model';
import { type OAuthDefinition, type VendorApi, VendorError, type VendorIdentity } from '../cloud/index.js';
import { idOf, isObject, textOf } from '../payload/index.js';
import { DEFAULT_SCOPE } from './scopes.js';

/** Consent flow for a Google account. */
export const GOOGLE_OAUTH: OAuthDefinition = {
  defaultScope: DEFAULT_SCOPE,
  pkce: true,
  clientAuthentication: 'body',
  // Without `offline` and `consent` Google returns no refresh token, especially for a repeated consent.
  authorizeParameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
  accessTokenSeconds: SECONDS_PER_HOUR,
  identify,
};

/** Returns the health user ID, which notifications contain, and the email for display. */
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
    // The email is optional: without the scope `email` Google does not return it.
    if (error instanceof VendorError) return undefined;
    throw error;
  }
}
