import { SECONDS_PER_DAY } from '@healthd/model';
import {
  type NewConsent,
  type OAuthDefinition,
  type VendorApi,
  VendorError,
  type VendorIdentity,
} from '../cloud/index.js';
import { isObject } from '../payload/index.js';
import { numberIdOf } from '../rest/index.js';
import { SCOPE } from './scopes.js';

const USERS = '/v3/users';

/**
 * Consent at Polar. Tokens last for ten years, and there are no others to renew them with: one that is refused altogether
 * takes another consent. The end of the registration ends the tokens.
 */
export const POLAR_OAUTH: OAuthDefinition = {
  defaultScope: SCOPE,
  pkce: false,
  clientAuthentication: 'basic',
  authorizeParameters: {},
  accessTokenSeconds: 10 * 365 * SECONDS_PER_DAY,
  needsIdentity: true,
  probe: (account) => ({ path: userPath(account) }),
  endConsent: (account) => ({ method: 'DELETE', path: userPath(account) }),
  identify,
};

/** The account that came with the tokens. No data come before the person is registered to the application. */
async function identify(api: VendorApi, consent?: NewConsent): Promise<VendorIdentity> {
  const userId = numberIdOf(consent?.members.x_user_id);
  if (consent === undefined || userId === undefined) {
    throw new VendorError({ code: 'invalid_answer', reason: 'x_user_id' });
  }
  // The vendor takes one name for one account only, and a person may come back with another account.
  await register(api, `${consent.userId}-${userId}`, userId);
  return { userId };
}

/** @throws VendorError `scope_missing` while the person has not accepted all that the vendor requires */
async function register(api: VendorApi, memberId: string, account: string): Promise<void> {
  try {
    await api.call({ method: 'POST', path: USERS, body: { 'member-id': memberId }, repeatable: true });
  } catch (error) {
    if (!(error instanceof VendorError) || error.code !== 'conflict') throw error;
    // The account is registered already, or the name is another's; an account that is not has no content.
    if (!isObject(await api.call({ path: userPath(account) }))) {
      throw new VendorError({ code: 'conflict', status: error.status, reason: 'member_id_in_use' });
    }
  }
}

function userPath(account: string): string {
  return `${USERS}/${encodeURIComponent(account)}`;
}
