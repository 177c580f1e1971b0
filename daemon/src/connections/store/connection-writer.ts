import type { ProviderId } from '@healthd/model';
import type { GrantedTokens, OAuthDefinition, VendorIdentity } from '@healthd/providers';
import type pg from 'pg';
import { inTransaction, lockUserIfExists } from '../../platform/database/index.js';
import type { StoredTokens, TokenStore } from '../tokens/stored-tokens.js';
import { forgetAwaited } from './awaited-items.js';
import type { AccountState, Connection, Establishment, StatusReason } from './connection.js';
import { accountParameters, IS_OF_ACCOUNT, type OfAccount } from './connection-account.js';
import { clearRejections } from './type-outcomes.js';
import { lockVendorAccount } from './vendor-account-lock.js';

/** Result of a completed consent. */
export interface Consent {
  user: { id: string; userKey: number };
  provider: ProviderId;
  tokens: GrantedTokens;
  /** Granted scopes, space-separated; undefined if the vendor has not reported them yet. */
  scope: string | undefined;
  /** Undefined if the vendor has not reported it yet. */
  identity: VendorIdentity | undefined;
  accountState: AccountState;
  accessTokenSeconds: number;
  /** True if the history is requested again when the consent revives the connection or changes its account. */
  requestsHistoryAgain?: boolean;
}

/** A replaced grant of another vendor account. */
export interface FormerGrant {
  providerUserId: string;
  accessToken: string | undefined;
  refreshToken: string | undefined;
}

/** New status for each reason, and an SQL condition for the connections that the reason may end. */
const ENDED: Readonly<Record<Exclude<StatusReason, 'push_allowed'>, { status: 'revoked' | 'expired'; from: string }>> =
  {
    deregistered: { status: 'revoked', from: `status = 'active' or status_reason = 'refresh_failed'` },
    user_disconnected: { status: 'revoked', from: `status <> 'revoked' or status_reason is distinct from $2` },
    refresh_failed: { status: 'revoked', from: `status = 'active'` },
    token_expired: { status: 'expired', from: `status = 'active'` },
    token_unreadable: { status: 'expired', from: `status = 'active'` },
  };

/**
 * Creates, renews and ends connections. `ConnectionMarks` records everything else about them. Every statement that
 * changes tokens increments `token_version`, so that a concurrent renewal notices that its result is stale.
 */
export class ConnectionWriter {
  constructor(
    private readonly pool: pg.Pool,
    private readonly tokens: TokenStore,
  ) {}

  /**
   * Stores a consent and makes the connection active. A different vendor account starts from scratch, without cursors
   * or sync times. Returns undefined if the user was deleted or `isRequested` is false.
   * @param isRequested checked in the transaction that stores the consent; default: always true
   * @returns `former` if the grant of another account was replaced; the vendor still holds that grant
   */
  async establish(
    consent: Consent,
    isRequested: (client: pg.ClientBase) => Promise<boolean> = async () => true,
  ): Promise<{ connectionId: string; establishment: Establishment; former: FormerGrant | undefined } | undefined> {
    const { user, provider, identity } = consent;
    return inTransaction(this.pool, async (client) => {
      // Locks the user's row first, like every transaction that writes a user's data.
      if (!(await lockUserIfExists(client, { userKey: user.userKey }))) return undefined;
      if (!(await isRequested(client))) return undefined;
      if (identity) await lockVendorAccount(client, provider, identity.userId);
      await client.query(
        'insert into connection (user_key, provider) values ($1, $2) on conflict (user_key, provider) do nothing',
        [user.userKey, provider],
      );
      const { rows } = await client.query<{
        id: string;
        status: string;
        consented_at: Date | null;
        cursor_account: string | null;
      }>(
        `select id, status, consented_at, cursor_account from connection
          where user_key = $1 and provider = $2 for no key update`,
        [user.userKey, provider],
      );
      const row = rows[0]!;
      const firstEver = row.consented_at === null;
      const accountChanged = isOtherAccount(row.cursor_account, identity?.userId);
      const revived = !firstEver && row.status !== 'active';
      if (accountChanged) await forgetCursors(client, row.id);
      const former = formerGrant(await this.tokens.read(client, row.id), identity?.userId);
      const sealed = this.tokens.seal({ id: row.id, userId: user.id }, consent.tokens, consent.accessTokenSeconds);
      await client.query(
        `update connection set status = 'active', status_reason = null, provider_user_id = $2, provider_username = $3,
           -- A consent with an unknown account gets its own sources, because its data could belong to any account.
           source_account = case when $2::text is null then 'consent:' || gen_random_uuid()
                                 when cursor_account = $2 then coalesce(source_account, $2) else $2 end,
           cursor_account = coalesce($2, cursor_account), scope = $4, access_token = $5,
           refresh_token = $6, token_expires_at = $7, token_version = token_version + 1, account_state = $8,
           account_checked_at = now(), consented_at = coalesce(consented_at, now()), updated_at = now(),
           last_error = null, last_error_at = null, failing_since = null,
           -- Requests the history again, even if the process crashes before the follow-up work.
           backfill_started_at = case when $9::boolean then null else backfill_started_at end
         where id = $1`,
        [
          row.id,
          identity?.userId ?? null,
          identity?.username ?? null,
          consent.scope ?? null,
          sealed.accessToken,
          sealed.refreshToken,
          sealed.expiresAt,
          consent.accountState,
          consent.requestsHistoryAgain === true && (accountChanged || revived),
        ],
      );
      await clearRejections(client, row.id);
      return { connectionId: row.id, establishment: { firstEver, accountChanged, revived }, former };
    });
  }

  /**
   * Stores renewed tokens, unless the tokens changed since `before`. Keeps the refresh token and the scope if the
   * vendor does not return them.
   * @returns true if the tokens were stored
   */
  async renew(
    database: pg.Pool | pg.ClientBase,
    owner: { id: string; userId: string },
    before: StoredTokens,
    granted: GrantedTokens,
    { accessTokenSeconds, grantedBy }: Pick<OAuthDefinition, 'accessTokenSeconds' | 'grantedBy'>,
  ): Promise<boolean> {
    const sealed = this.tokens.seal(owner, granted, accessTokenSeconds);
    const { rowCount } = await (database as pg.Pool).query(
      `update connection set access_token = $3, refresh_token = coalesce($4, refresh_token), token_expires_at = $5,
         scope = coalesce($6, scope), token_version = token_version + 1, updated_at = now()
       where id = $1 and token_version = $2 and status = 'active'`,
      [
        owner.id,
        before.version,
        sealed.accessToken,
        sealed.refreshToken,
        sealed.expiresAt,
        grantedBy === 'identity' ? null : (granted.scope ?? null),
      ],
    );
    return rowCount === 1;
  }

  /**
   * Ends a connection and clears its tokens. @returns true if the connection changed
   * @param ifVersion token version; if set, a connection with newer tokens is not changed
   */
  async end(
    database: pg.Pool | pg.ClientBase,
    connectionId: string,
    reason: keyof typeof ENDED,
    ifVersion?: number,
  ): Promise<boolean> {
    const { status, from } = ENDED[reason];
    const { rowCount } = await (database as pg.Pool).query(
      `update connection set status = $3, status_reason = $2, access_token = null, refresh_token = null,
         token_expires_at = null, token_version = token_version + 1, updated_at = now(),
         last_error = case when $2 <> 'user_disconnected' then last_error end,
         last_error_at = case when $2 <> 'user_disconnected' then last_error_at end,
         failing_since = case when $2 <> 'user_disconnected' then failing_since end
       where id = $1 and (${from}) and ($4::int is null or token_version = $4)`,
      [connectionId, reason, status, ifVersion ?? null],
    );
    return rowCount === 1;
  }

  /** Stores the account if it is unknown. @returns true if the account changed */
  async identify(connectionId: string, identity: VendorIdentity): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      await lockUserIfExists(client, { ownerOf: 'connection where id = $1', value: connectionId });
      const { rows } = await client.query<{ provider_user_id: string | null; cursor_account: string | null }>(
        'select provider_user_id, cursor_account from connection where id = $1 for no key update',
        [connectionId],
      );
      // Keeps the account of another consent that arrived during the vendor request, because that account is newer.
      if (rows[0]?.provider_user_id !== null) return false;
      const changed = isOtherAccount(rows[0]?.cursor_account ?? null, identity.userId);
      if (changed) await forgetCursors(client, connectionId);
      await client.query(
        `update connection c set provider_user_id = $2, provider_username = coalesce($3, provider_username),
           -- Sources of earlier data keep the placeholder of their consent as account, and later data joins them.
           source_account = case when exists (select from data_source s where s.user_key = c.user_key
                                                 and s.provider = c.provider and s.account = c.source_account)
                                 then source_account else $2 end,
           cursor_account = $2, account_state = 'linked', account_checked_at = now(), updated_at = now() where id = $1`,
        [connectionId, identity.userId, identity.username ?? null],
      );
      return changed;
    });
  }

  /** Stores the scope that the vendor currently reports; space-separated. */
  async changeScope(client: pg.ClientBase, connection: OfAccount, scope: string): Promise<void> {
    await client.query(`update connection set scope = $3, updated_at = now() where ${IS_OF_ACCOUNT}`, [
      ...accountParameters(connection),
      scope,
    ]);
  }

  /**
   * Ends a connection after the user ended the consent at the vendor.
   * @returns false if a new consent of the same account, or its account state, was stored after the connection was read
   */
  async endDeregistered(connection: OfAccount & Pick<Connection, 'accountCheckedAt'>): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ token_version: number; account_checked_at: Date | null }>(
        `select token_version, account_checked_at from connection where ${IS_OF_ACCOUNT} for no key update`,
        accountParameters(connection),
      );
      const [now] = rows;
      if (!now) return true;
      if (now.account_checked_at?.getTime() !== connection.accountCheckedAt?.getTime()) return false;
      await this.end(client, connection.id, 'deregistered', now.token_version);
      return true;
    });
  }

  /** Ends a connection whose tokens were already invalid when stored, unless it has newer tokens. */
  async endUnlessReplaced(connectionId: string, { accessToken }: Pick<GrantedTokens, 'accessToken'>): Promise<void> {
    const stored = await this.tokens.read(this.pool, connectionId);
    if (stored?.accessToken === accessToken) await this.end(this.pool, connectionId, 'refresh_failed', stored.version);
  }

  /** Lets a device with new credentials push again for providers that the user had disconnected. */
  async reauthorizeDevice(userId: string): Promise<void> {
    await this.pool.query(
      `update connection set status_reason = 'push_allowed', updated_at = now()
        where user_key = (select user_key from health_user where id = $1)
          and status = 'revoked' and status_reason = 'user_disconnected'`,
      [userId],
    );
  }
}

/** True if the account is known to be different. A connection without an account accepts any account. */
function isOtherAccount(before: string | null, now: string | undefined): boolean {
  return before !== null && now !== undefined && before !== now;
}

/** Returns the grant that was replaced. Undefined if the account is, or may be, the same. */
function formerGrant(stored: StoredTokens | undefined, account: string | undefined): FormerGrant | undefined {
  if (stored?.accessToken === undefined && stored?.refreshToken === undefined) return undefined;
  const { providerUserId, accessToken, refreshToken } = stored;
  if (providerUserId === undefined || account === undefined || providerUserId === account) return undefined;
  return { providerUserId, accessToken, refreshToken };
}

/**
 * Deletes the cursors and the sync times of the earlier account. Sets the consent time to now, because the new
 * account's data is read from its own consent on. Only the first consent starts a backfill.
 */
async function forgetCursors(client: pg.ClientBase, connectionId: string): Promise<void> {
  await client.query('delete from connection_data_type where connection_id = $1', [connectionId]);
  await forgetAwaited(client, connectionId);
  await client.query(
    `update connection set last_synced_at = null, last_notified_at = null,
       consented_at = case when consented_at is not null then now() end where id = $1`,
    [connectionId],
  );
}
