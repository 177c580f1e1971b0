import type { ConsentEnd } from '@healthd/contract';
import { MS_PER_MINUTE, type ProviderId } from '@healthd/model';
import { endConsent } from '@healthd/providers';
import type pg from 'pg';
import type { Logger } from 'pino';
import { inTransactionOnce } from '../platform/database/index.js';
import type { ConfiguredCloud } from './connections.js';
import type { Connection } from './store/connection.js';
import type { ConnectionReader } from './store/connection-reader.js';
import type { ConnectionWriter } from './store/connection-writer.js';
import { lockVendorAccount } from './store/vendor-account-lock.js';
import type { TokenStore } from './tokens/stored-tokens.js';

/**
 * Time for which this process remembers an ended grant. It is longer than the time between a consent's code exchange
 * and its storage.
 */
const RETENTION_MS = 10 * MS_PER_MINUTE;

/**
 * Grants that this process recently ended at vendors. Ending a grant invalidates earlier tokens of the same account.
 * Grants that other processes end are not tracked. In that case the first sync finds that the tokens are invalid.
 */
class EndedGrants {
  private readonly endedAt = new Map<string, number>();

  note(provider: ProviderId, account: string): void {
    const now = performance.now();
    for (const [key, at] of this.endedAt) if (now - at > RETENTION_MS) this.endedAt.delete(key);
    this.endedAt.set(keyOf(provider, account), now);
  }

  /** @param sinceMs time of `performance.now()` */
  wasEndedSince(provider: ProviderId, account: string, sinceMs: number): boolean {
    return (this.endedAt.get(keyOf(provider, account)) ?? Number.NEGATIVE_INFINITY) >= sinceMs;
  }
}

const keyOf = (provider: ProviderId, account: string) => `${provider}/${account}`;

/** Timeout of a revocation; a disconnect call waits for it. */
const REVOKE_TIMEOUT_MS = 5_000;
/** Maximum number of concurrent revocations. Each holds a database connection while it waits for the vendor. */
const AT_ONCE = 4;
/** Maximum number of grants that wait for a slot. While a vendor hangs, the last grant waits for four minutes. */
export const MAX_WAITING = 200;

export interface DeregistrationServices {
  pool: pg.Pool;
  tokens: TokenStore;
  reader: ConnectionReader;
  writer: ConnectionWriter;
  configurationOf(provider: ProviderId): ConfiguredCloud | undefined;
  log: Pick<Logger, 'warn'>;
}

/** Tokens of a grant. */
export interface HeldTokens {
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
}

/** Ends consents: locally at once, and at the vendor if it responds. */
export class Deregistration {
  /** Recently ended grants. */
  readonly ended = new EndedGrants();
  private slotsTaken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly services: DeregistrationServices) {}

  /** Clears the tokens, marks the connection as ended and revokes the vendor's grant. */
  async disconnect(connection: Connection, signal?: AbortSignal): Promise<ConsentEnd> {
    const { pool, tokens, writer } = this.services;
    const held = await tokens.read(pool, connection.id);
    await writer.end(pool, connection.id, 'user_disconnected');
    if (held?.refreshToken !== undefined || held?.accessToken !== undefined)
      return this.returnConsent(connection, held, signal);
    if (held?.isUnreadable) return 'failed';
    return hadConsent(connection) ? 'ended_before' : 'none';
  }

  /**
   * Disconnects all of a user's connections before the user is erased. @param onEnd called for each connection when its
   * revocation's outcome is available
   */
  async disconnectAll(
    userKey: number,
    signal: AbortSignal,
    onEnd: (connectionId: string, end: ConsentEnd) => void,
  ): Promise<void> {
    const connections = await this.services.reader.ofUser(userKey);
    await Promise.all(
      connections.map(async (connection) => onEnd(connection.id, await this.disconnect(connection, signal))),
    );
  }

  /**
   * Revokes a vendor's grant. A grant belongs to an account and this application, so the service keeps the grant while
   * another user here is connected to the same account. If the account is unknown and a revocation would end all of the
   * account's tokens, the service keeps the grant while any user is connected to the provider. In that case the service
   * only deletes its copy of the tokens, which does not affect other users.
   */
  async returnConsent(
    { provider, providerUserId }: Pick<Connection, 'provider' | 'providerUserId'>,
    tokens: HeldTokens,
    signal?: AbortSignal,
  ): Promise<ConsentEnd> {
    const { pool, reader, configurationOf, log } = this.services;
    const configured = configurationOf(provider);
    if (configured === undefined) return 'not_possible';
    if (providerUserId === undefined) {
      if (configured.cloud.oauth.endConsent && (await reader.active({ provider })).length > 0) {
        log.warn(
          { event: 'vendor_grant_left', provider },
          'Kept the vendor grant: its account is unknown and may belong to another user',
        );
        return 'kept';
      }
    }
    if (!(await this.acquireSlot())) {
      log.warn({ event: 'vendor_grants_waiting', provider }, 'Kept the vendor grant: too many revocations are waiting');
      return 'failed';
    }
    try {
      if (providerUserId === undefined) return await this.endAtVendor(configured, provider, undefined, tokens, signal);
      return await inTransactionOnce(pool, async (client) => {
        await lockVendorAccount(client, provider, providerUserId);
        if ((await reader.ofVendorAccount(provider, providerUserId, client)).length > 0) return 'kept';
        const end = await this.endAtVendor(configured, provider, providerUserId, tokens, signal);
        this.ended.note(provider, providerUserId);
        return end;
      });
    } finally {
      this.releaseSlot();
    }
  }

  /** Revokes tokens in the way that their vendor supports. */
  private async endAtVendor(
    { cloud, configuration }: ConfiguredCloud,
    provider: ProviderId,
    account: string | undefined,
    { accessToken, refreshToken }: HeldTokens,
    signal: AbortSignal | undefined,
  ): Promise<ConsentEnd> {
    try {
      const tokens = { accessToken, refreshToken };
      const end = { oauth: cloud.oauth, configuration, tokens, account, timeoutMs: REVOKE_TIMEOUT_MS, signal };
      return (await endConsent(end)) ? 'returned' : 'not_possible';
    } catch (error) {
      this.services.log.warn(
        { event: 'vendor_deregistration_failed', err: error, provider },
        'Failed to notify a vendor of a disconnection',
      );
      return 'failed';
    }
  }

  /** Returns false if too many grants are already waiting. */
  private async acquireSlot(): Promise<boolean> {
    if (this.slotsTaken < AT_ONCE) this.slotsTaken++;
    else if (this.waiting.length < MAX_WAITING) await new Promise<void>((proceed) => this.waiting.push(proceed));
    else return false;
    return true;
  }

  /** Hands the slot to the next waiter, if any. */
  private releaseSlot(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.slotsTaken--;
  }
}

/**
 * True if the user ever consented. An adopted connection that had already ended has no consent time, but it has a
 * vendor account.
 */
function hadConsent({ consentedAt, providerUserId }: Connection): boolean {
  return consentedAt !== undefined || providerUserId !== undefined;
}
