import type { ProviderId } from '@healthd/model';

/** Status of a connection; see docs/connections.md. */
export type ConnectionStatus = 'active' | 'revoked' | 'expired';

/**
 * Reason why a connection is not active.
 * - `user_disconnected`: it was ended here; pushes are rejected too.
 * - `push_allowed`: as above, but a device has received new credentials: its next push activates the connection.
 * - `refresh_failed`: the vendor revoked the grant.
 * - `deregistered`: the vendor reports that the user ended the consent there.
 * - `token_expired`: the access token expired and there was no refresh token.
 * - `token_unreadable`: ENCRYPTION_KEY does not decrypt the stored tokens.
 */
const STATUS_REASONS = [
  'user_disconnected',
  'push_allowed',
  'refresh_failed',
  'deregistered',
  'token_expired',
  'token_unreadable',
] as const;
export type StatusReason = (typeof STATUS_REASONS)[number];

/** State of the vendor account, e.g. whether it has any data. */
export type AccountState = 'linked' | 'not_linked' | 'not_ready';

/** Binds one user to one provider: a consent at a vendor's cloud, a phone that pushes, or both. */
export interface Connection {
  id: string;
  userKey: number;
  userId: string;
  provider: ProviderId;
  status: ConnectionStatus;
  statusReason: StatusReason | undefined;
  /** The vendor's account ID; undefined if it is not available yet, and for a phone's push. */
  providerUserId: string | undefined;
  /** Account that distinguishes the sources of this consent: the vendor's ID, or a placeholder if the ID is unknown. */
  sourceAccount: string;
  providerUsername: string | undefined;
  /** The granted scope in the vendor's format; undefined for a phone's push. */
  scope: string | undefined;
  grantedScopes: ReadonlySet<string>;
  /** True if the vendor's cloud can be queried: false for a phone's push and for an ended connection. */
  hasTokens: boolean;
  /** IANA time zone that the vendor account or the phone reported. */
  timeZone: string | undefined;
  accountState: AccountState;
  accountCheckedAt: Date | undefined;
  /** Time of this account's first consent; undefined if only a phone's push created the connection. */
  consentedAt: Date | undefined;
  backfillStartedAt: Date | undefined;
  /** Time of the last scheduled pull. */
  polledAt: Date | undefined;
  lastSyncedAt: Date | undefined;
  lastNotifiedAt: Date | undefined;
  /** Message for users. These three fields are set until a run succeeds. */
  lastError: string | undefined;
  lastErrorAt: Date | undefined;
  failingSince: Date | undefined;
  /** Time at which the connection's first waiting run continues. */
  nextTryAt: Date | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** Facts about a completed consent that determine its follow-up work. */
export interface Establishment {
  /** True if this is the user's first consent for this provider. */
  firstEver: boolean;
  /** True if the vendor account changed, so that cursors were reset. */
  accountChanged: boolean;
  /** True if an earlier consent had ended, so data from the time between the consents was not delivered. */
  revived: boolean;
}
