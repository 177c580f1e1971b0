import {
  type NewConsent,
  type OAuthDefinition,
  type VendorApi,
  VendorError,
  type VendorIdentity,
} from '@healthd/providers';
import type { AccountState } from './connection.js';

/** Whose account it is, as far as the vendor says. */
export interface Identified {
  identity: VendorIdentity | undefined;
  accountState: AccountState;
  /** Why there is no identity, where that is no state of the account. */
  error: VendorError | undefined;
}

/**
 * Asks the vendor whose account it is. An account without health data is a state, not a failure: the person may get some
 * later. What failed for another reason is asked again before the next run.
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

/** A time-out that the caller set counts as silence of the vendor. */
function vendorError(failure: unknown): VendorError {
  if (failure instanceof VendorError) return failure;
  if (!(failure instanceof DOMException) || failure.name !== 'TimeoutError') throw failure;
  return new VendorError({ code: 'unavailable', reason: 'timeout' });
}
