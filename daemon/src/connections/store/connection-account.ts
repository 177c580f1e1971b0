import type { Connection } from './connection.js';

/** A connection at the time of a vendor response or report about its account. */
export type OfAccount = Pick<Connection, 'id' | 'providerUserId'>;

/**
 * SQL condition that is true if the connection still has the account of {@link OfAccount}. A consent for another
 * account may have been stored since. {@link accountParameters} returns its parameters.
 */
export const IS_OF_ACCOUNT = 'id = $1 and provider_user_id is not distinct from $2';
export const accountParameters = ({ id, providerUserId }: OfAccount) => [id, providerUserId ?? null];
