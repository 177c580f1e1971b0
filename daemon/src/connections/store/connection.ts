import type { ProviderId } from '@healthd/model';

/** How a connection stands; see docs/connections.md. */
export type ConnectionStatus = 'active' | 'revoked' | 'expired';

/**
 * Why a connection is not active.
 * - `user_disconnected`: it was ended here; pushes are refused too.
 * - `push_allowed`: the same, but a device was given new credentials since: its next push makes the connection active.
 * - `refresh_failed`: the vendor took the consent back.
 * - `deregistered`: the vendor reports that the person ended the consent there.
 * - `token_expired`: the access token ended and the vendor had given nothing to renew it with.
 * - `token_unreadable`: ENCRYPTION_KEY does not open the stored tokens.
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

/** Whether the vendor's account has data at all. */
export type AccountState = 'linked' | 'not_linked' | 'not_ready';

/** What binds one user to one provider: a consent at a vendor's cloud, a phone that pushes, or both. */
export interface Connection {
  id: string;
  userKey: number;
  userId: string;
  provider: ProviderId;
  status: ConnectionStatus;
  statusReason: StatusReason | undefined;
  /** The vendor's id of the account; undefined while it could not be asked, and for a phone's push. */
  providerUserId: string | undefined;
  /** Account by which the sources of this consent are told apart: the vendor's id, or a mark while that is unknown. */
  sourceAccount: string;
  providerUsername: string | undefined;
  /** As the vendor wrote it; undefined for a phone's push. */
  scope: string | undefined;
  /** The same, taken apart. */
  grantedScopes: ReadonlySet<string>;
  /** Whether the vendor's cloud can be asked: false for a phone's push and for what has ended. */
  hasTokens: boolean;
  /** IANA name of the zone that the vendor's account or the phone reported. */
  timeZone: string | undefined;
  accountState: AccountState;
  accountCheckedAt: Date | undefined;
  /** When the first consent of this account came; undefined when a phone's push alone made the connection. */
  consentedAt: Date | undefined;
  backfillStartedAt: Date | undefined;
  /** When the schedule last asked for a pull. */
  polledAt: Date | undefined;
  lastSyncedAt: Date | undefined;
  lastNotifiedAt: Date | undefined;
  /** For people; these three until a run succeeds. */
  lastError: string | undefined;
  lastErrorAt: Date | undefined;
  failingSince: Date | undefined;
  /** When the first of its runs that wait for another attempt goes on. */
  nextTryAt: Date | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** What a completed consent means for what follows it. */
export interface Establishment {
  /** Whether this user never consented for this provider before. */
  firstEver: boolean;
  /** Whether another account of the vendor is behind it than before: cursors were reset. */
  accountChanged: boolean;
  /** Whether an earlier consent had ended: what happened in between was not delivered. */
  revived: boolean;
}
