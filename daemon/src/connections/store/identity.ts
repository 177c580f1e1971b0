import {
  type NewConsent,
  type OAuthDefinition,
  type VendorApi,
  VendorError,
  type VendorIdentity,
} from '@healthd/providers';
import type { AccountState } from './connection.js';

/** The account's identity as reported by the vendor. */
export interface Identified {
  identity: VendorIdentity | undefined;
  accountState: AccountState;
  /** Reason why there is no identity, unless it is an account state. */
  error: VendorError | undefined;
}

/**
 * Requests the account's identity from the vendor. An account without health data is a state, not a failure, because
 * data may follow. Other failures are retried before the next run.
 */
export async function identify(oauth: OAuthDefinition, api: VendorApi, consent?: NewConsent): Promise<Identified> {
  try {
    return { identity: await oauth.identify(api, consent), accountState: 'linked', error: undefined };
  } catch (failure) {
    const error = vendorError(failure);
    if (error.code === 'account_not_linked') {
      return { identity: undefined, accountState: 'not_linked', error: undefined };
    }
    if (error.code === 'account_not_ready') return { identity: undefined, accountState: 'not_ready', error: undefined };
    return { identity: undefined, accountState: 'linked', error };
  }
}

/** Returns the vendor's error. A timeout of the caller counts as a missing vendor response. */
function vendorError(failure: unknown): VendorError {
  if (failure instanceof VendorError) return failure;
  if (!(failure instanceof DOMException) || failure.name !== 'TimeoutError') throw failure;
  return new VendorError({ code: 'unavailable', reason: 'timeout' });
}
