import { SECONDS_PER_DAY } from '@healthd/model';
import { type OAuthDefinition, type VendorApi, VendorError, type VendorIdentity } from '../cloud/index.js';
import { DEFAULT_SCOPE } from './scopes.js';
import { readUserInfo } from './user-info.js';

/** Consent at Ultrahuman. A refresh token dies with its use. */
export const ULTRAHUMAN_OAUTH: OAuthDefinition = {
  defaultScope: DEFAULT_SCOPE,
  pkce: false,
  clientAuthentication: 'body',
  authorizeParameters: {},
  accessTokenSeconds: SECONDS_PER_DAY,
  identify,
};

async function identify(api: VendorApi): Promise<VendorIdentity> {
  const { userId, username } = await readUserInfo(api);
  if (userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'user_id' });
  return { userId, username };
}
