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

/** The vendor's only scope. It covers all of the user's data. */
export const SCOPE = 'accesslink.read_all';
const USERS = '/v3/users';

/**
 * OAuth at Polar. Tokens last for ten years and cannot be refreshed, so an invalid token requires a new consent.
 * Deleting the registration invalidates the tokens.
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

/**
 * Returns the account that the token response named. Registers the account with the application, because Polar returns
 * no data before the registration.
 */
async function identify(api: VendorApi, consent?: NewConsent): Promise<VendorIdentity> {
  const userId = numberIdOf(consent?.members.x_user_id);
  if (consent === undefined || userId === undefined) {
    throw new VendorError({ code: 'invalid_answer', reason: 'x_user_id' });
  }
  // The vendor accepts a member id for one account only, and a user may reconnect with another account.
  await register(api, `${consent.userId}-${userId}`, userId);
  return { userId };
}

/** Registers an account. @throws VendorError `scope_missing` if the user has not accepted all required consents */
async function register(api: VendorApi, memberId: string, account: string): Promise<void> {
  try {
    await api.call({ method: 'POST', path: USERS, body: { 'member-id': memberId }, repeatable: true });
  } catch (error) {
    if (!(error instanceof VendorError) || error.code !== 'conflict') throw error;
    // Either the account is already registered, or another account has the member id. In the second case the vendor
    // returns no content here.
    if (!isObject(await api.call({ path: userPath(account) }))) {
      throw new VendorError({ code: 'conflict', status: error.status, reason: 'member_id_in_use' });
    }
  }
}

function userPath(account: string): string {
  return `${USERS}/${encodeURIComponent(account)}`;
}
