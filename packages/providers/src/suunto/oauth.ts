import { SECONDS_PER_DAY } from '@healthd/model';
import { type NewConsent, type OAuthDefinition, VendorError, type VendorIdentity } from '../cloud/index.js';
import { idOf, isObject, type PayloadObject } from '../payload/index.js';

/** The only scope that the vendor documents. Some applications get no working token without it. */
export const SCOPE = 'workout';

/**
 * Consent at Suunto. The client authenticates by HTTP Basic. A renewal may return a new refresh token. A request with
 * the access token ends a consent. These URLs do not need the subscription key.
 */
export const SUUNTO_OAUTH: OAuthDefinition = {
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
 * Reads the account name, which webhooks contain. No request returns the name; only the access token and the token
 * response contain it. Both come from the vendor's token endpoint, so the token's signature is not checked.
 */
async function identify(_api: unknown, { members = {} }: Partial<NewConsent> = {}): Promise<VendorIdentity> {
  const userId = idOf(claimsOf(members.access_token).user) ?? idOf(members.user);
  if (userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'user' });
  return { userId, username: userId };
}

/** Returns the claims of a JSON Web Token. Empty for other values. */
function claimsOf(token: unknown): PayloadObject {
  try {
    const claims: unknown = JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
    return isObject(claims) ? claims : {};
  } catch {
    return {};
  }
}
