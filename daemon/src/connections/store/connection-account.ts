import type { Connection } from './connection.js';

/** A connection as it was when the vendor was asked, or reported something, about its account. */
export type OfAccount = Pick<Connection, 'id' | 'providerUserId'>;

/** That the connection has that account still: a consent of another one may have come since. Parameters as below. */
export const IS_OF_ACCOUNT = 'id = $1 and provider_user_id is not distinct from $2';
export const accountParameters = ({ id, providerUserId }: OfAccount) => [id, providerUserId ?? null];
