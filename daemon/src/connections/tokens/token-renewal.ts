import { setTimeout as pause } from 'node:timers/promises';
import type { ProviderId } from '@healthd/model';
import { acceptsToken, type GrantedTokens, requestTokens, type TokenSource, VendorError } from '@healthd/providers';
import type pg from 'pg';
import { outageOf } from '../../platform/database/index.js';
import type { ConfiguredCloud } from '../connections.js';
import type { Deregistration } from '../deregistration.js';
import { clientOf } from '../requests/vendor-client.js';
import type { ConnectionWriter } from '../store/connection-writer.js';
import { namedScopes } from '../store/granted.js';
import type { StoredTokens, TokenStore } from './stored-tokens.js';

/** Remaining lifetime up to which a token is renewed before use. */
const EARLY_MS = 300_000;
/** Pause after a failed renewal of a token that is still valid, unless the vendor specifies another pause. */
const PAUSE_MS = 30_000;
/** Delays between attempts to store a grant while the database is unavailable. */
const STORE_AGAIN_MS = [100, 500, 2_000, 5_000, 10_000];
/** Maximum wait for another process's renewal. Longer than a renewal may take. */
const LOCK_TIMEOUT = '25s';
/** Timeout of the vendor's check of a token. */
const PROBE_TIMEOUT_MS = 10_000;
/** Advisory lock space of connection tokens, combined with a hash of the connection's ID. */
const LOCK_SPACE = 'healthd tokens';

export interface RenewalServices {
  pool: pg.Pool;
  tokens: TokenStore;
  writer: ConnectionWriter;
  deregistration: Pick<Deregistration, 'returnConsent'>;
  cloudOf(provider: ProviderId): ConfiguredCloud;
}

/** Connection data that a token source needs. */
export interface TokenOwner {
  id: string;
  userId: string;
  provider: ProviderId;
  /** If set, tokens of another account are not returned. */
  providerUserId?: string | undefined;
}

/**
 * Result of a renewal. Errors are values, so that late tokens can be returned with them. `late`: tokens of a grant that
 * the connection no longer uses.
 */
type Renewed =
  | { token: string }
  | { error: VendorError; late?: GrantedTokens & { providerUserId: string | undefined } };

/**
 * Returns access tokens and renews them. Only one renewal per connection runs across all processes, because some
 * vendors' refresh tokens are single-use and the loser of a race would lose the connection.
 */
export class TokenRenewal {
  private readonly running = new Map<string, Promise<Renewed>>();
  /** Time of the next attempt for each connection with a failed renewal. */
  private readonly pausedUntilMs = new Map<string, number>();

  constructor(private readonly services: RenewalServices) {}

  sourceOf(owner: TokenOwner): TokenSource {
    return {
      current: () => this.current(owner),
      renew: (rejectedToken) => this.after(owner, rejectedToken),
    };
  }

  private async current(owner: TokenOwner): Promise<string> {
    const stored = await this.stored(owner);
    const leftMs = stored.expiresAtMs - Date.now();
    if (leftMs > EARLY_MS) return stored.accessToken;
    if (leftMs <= 0) return this.renewed(owner, stored.version);
    // Without a refresh token, the access token is used until it expires.
    if (stored.refreshToken === undefined) return stored.accessToken;
    return this.renewedEarly(owner, stored);
  }

  /** Returns a new token, or the current valid token if the renewal fails. */
  private async renewedEarly(owner: TokenOwner, stored: Usable): Promise<string> {
    if ((this.pausedUntilMs.get(owner.id) ?? 0) > Date.now()) return stored.accessToken;
    this.pausedUntilMs.delete(owner.id);
    try {
      return await this.renewed(owner, stored.version);
    } catch (error) {
      if (!(error instanceof VendorError) || error.code === 'unauthorized') throw error;
      if (stored.expiresAtMs <= Date.now()) throw error;
      this.pausedUntilMs.set(owner.id, Date.now() + (error.retryAfterMs ?? PAUSE_MS));
      return stored.accessToken;
    }
  }

  private async after(owner: TokenOwner, rejectedToken: string): Promise<string> {
    const stored = await this.stored(owner);
    return stored.accessToken === rejectedToken ? this.renewed(owner, stored.version) : stored.accessToken;
  }

  /** @throws VendorError `unauthorized`; undecryptable tokens end the connection */
  private async stored(owner: TokenOwner): Promise<Usable> {
    const { tokens, writer, pool } = this.services;
    const stored = await tokens.read(pool, owner.id);
    if (stored?.isUnreadable && stored.status === 'active') {
      await writer.end(pool, owner.id, 'token_unreadable', stored.version);
      throw ended('token_unreadable');
    }
    return usable(stored, owner);
  }

  /**
   * Returns a token newer than the seen version. Callers of one process share one renewal and one database connection.
   */
  private async renewed(owner: TokenOwner, seen: number): Promise<string> {
    let run = this.running.get(owner.id);
    if (run === undefined) {
      run = this.renewAndReturnLate(owner, seen).finally(() => this.running.delete(owner.id));
      this.running.set(owner.id, run);
    }
    const outcome = await run;
    if ('error' in outcome) throw outcome.error;
    return outcome.token;
  }

  /**
   * Renews a token, then revokes late tokens. The revocation looks up other connections of the account and queries the
   * vendor, so it runs after the lock is released.
   */
  private async renewAndReturnLate(owner: TokenOwner, seen: number): Promise<Renewed> {
    const outcome = await this.renewAlone(owner, seen);
    if ('late' in outcome && outcome.late) {
      const { providerUserId, ...tokens } = outcome.late;
      await this.services.deregistration.returnConsent({ provider: owner.provider, providerUserId }, tokens);
    }
    return outcome;
  }

  private async renewAlone(owner: TokenOwner, seen: number): Promise<Renewed> {
    const { pool, tokens } = this.services;
    try {
      return await withTokenLock(pool, owner.id, async (client) => {
        const stored = await tokens.read(client, owner.id);
        if (stored?.accessToken !== undefined && stored.version !== seen) return renewedFrom(stored, owner);
        return this.ask(client, owner, usable(stored, owner));
      });
    } catch (error) {
      if (error instanceof VendorError) return { error };
      if ((error as { code?: unknown }).code !== '55P03') throw error;
      return { error: new VendorError({ code: 'unavailable', reason: 'renewal_under_way', retryAfterMs: 10_000 }) };
    }
  }

  /** Requires the token lock. */
  private async ask(client: pg.ClientBase, owner: TokenOwner, stored: Usable): Promise<Renewed> {
    const { writer, cloudOf } = this.services;
    const { refreshToken, version } = stored;
    if (refreshToken === undefined) return this.endUnlessAccepted(client, owner, stored);
    const { cloud, configuration } = cloudOf(owner.provider);
    let granted: GrantedTokens;
    try {
      granted = await requestTokens({
        address: configuration.addresses.token,
        grant: { kind: 'refresh_token', refreshToken, scope: cloud.oauth.refreshScope },
        client: clientOf({ cloud, configuration }),
        readError: cloud.readError,
      });
      granted.scope &&= namedScopes(granted.scope, cloud.oauth);
    } catch (error) {
      if (!(error instanceof VendorError)) throw error;
      // Only an invalid refresh token ends the connection: a wrong client secret is the operator's fault, and an outage
      // is transient.
      if (error.code !== 'unauthorized') return { error };
      return this.handleRejection(client, owner, version);
    }
    const isStored = await untilStored([client, this.services.pool], (database) =>
      writer.renew(database, owner, stored, granted, cloud.oauth),
    );
    if (isStored) return { token: granted.accessToken };
    return this.overtaken(owner, { ...granted, providerUserId: stored.providerUserId });
  }

  /**
   * Handles a rejected access token without a refresh token. Keeps the connection if the vendor accepts the token for
   * other requests, because then it rejected the token for one data type only.
   */
  private async endUnlessAccepted(client: pg.ClientBase, owner: TokenOwner, stored: Usable): Promise<Renewed> {
    const { writer, cloudOf } = this.services;
    const { accessToken, providerUserId } = stored;
    const isInTime = stored.expiresAtMs > Date.now();
    const { cloud, configuration } = cloudOf(owner.provider);
    const request = providerUserId === undefined ? undefined : cloud.oauth.probe?.(providerUserId);
    if (isInTime && request !== undefined) {
      try {
        if (await acceptsToken({ configuration, request, accessToken, timeoutMs: PROBE_TIMEOUT_MS })) {
          return { error: new VendorError({ code: 'unavailable', status: 401, reason: 'refused_for_this_data' }) };
        }
      } catch (error) {
        if (!(error instanceof VendorError)) throw error;
        return { error };
      }
    }
    // A token that is rejected before its expiry was revoked.
    const reason = isInTime ? 'refresh_failed' : 'token_expired';
    await writer.end(client, owner.id, reason, stored.version);
    return { error: ended(reason) };
  }

  private async handleRejection(client: pg.ClientBase, owner: TokenOwner, version: number): Promise<Renewed> {
    const { tokens, writer } = this.services;
    const now = await tokens.read(client, owner.id);
    if (now?.accessToken !== undefined && now.version !== version) return renewedFrom(now, owner);
    await writer.end(client, owner.id, 'refresh_failed', version);
    return { error: ended('refresh_failed') };
  }

  /**
   * Handles tokens that were replaced or cleared during the renewal. Revokes late tokens of a grant that the connection
   * no longer uses. Never returns tokens of another account instead.
   */
  private async overtaken(
    owner: TokenOwner,
    late: GrantedTokens & { providerUserId: string | undefined },
  ): Promise<Renewed> {
    const now = await this.services.tokens.read(this.services.pool, owner.id);
    if (now?.accessToken === undefined) return { error: ended('disconnected'), late };
    if (isOtherAccount(late.providerUserId, now.providerUserId)) return { error: ended('account_changed'), late };
    return renewedFrom(now, owner);
  }
}

/**
 * Runs `work` while no other process renews this connection's tokens. The lock belongs to the database session, so no
 * transaction is open during the vendor request. The lock timeout applies only within the transaction that takes the
 * lock.
 */
async function withTokenLock<T>(pool: pg.Pool, id: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isFree = false;
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query('select pg_advisory_lock(hashtext($1), hashtext($2))', [LOCK_SPACE, id]);
    await client.query('commit');
    return await work(client);
  } finally {
    isFree = await client
      .query('rollback')
      .then(() => client.query('select pg_advisory_unlock_all()'))
      .then(
        () => true,
        () => false,
      );
    // Closes the connection if the locks were not released, because only closing the connection reliably releases its
    // locks.
    client.release(!isFree);
  }
}

/**
 * Stores a grant that the vendor will not issue again: through the database connection that holds the lock, then
 * through other connections until the database is available.
 */
async function untilStored<T>(
  [held, pool]: [pg.ClientBase, pg.Pool],
  store: (database: pg.ClientBase | pg.Pool) => Promise<T>,
): Promise<T> {
  let database: pg.ClientBase | pg.Pool = held;
  for (const waitMs of STORE_AGAIN_MS) {
    try {
      return await store(database);
    } catch (error) {
      if (outageOf(error) !== 'away') throw error;
      await pause(waitMs);
      database = pool;
    }
  }
  return store(pool);
}

type Usable = StoredTokens & { accessToken: string };

function renewedFrom(stored: StoredTokens, owner: TokenOwner): Renewed {
  return { token: usable(stored, owner).accessToken };
}

/** @throws VendorError `unauthorized` */
function usable(stored: StoredTokens | undefined, owner: TokenOwner): Usable {
  if (stored?.accessToken === undefined || stored.status !== 'active') throw ended('disconnected');
  if (isOtherAccount(owner.providerUserId, stored.providerUserId)) throw ended('account_changed');
  return { ...stored, accessToken: stored.accessToken };
}

function isOtherAccount(before: string | undefined, now: string | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now;
}

function ended(reason: string): VendorError {
  return new VendorError({ code: 'unauthorized', reason });
}
