import { createHash, randomBytes } from 'node:crypto';
import type { ProviderId } from '@healthd/model';
import {
  type ConnectLink,
  type ConnectLinkInput,
  linkMinutes,
  type NewConnectLink,
  normalizeUuid,
} from '@healthd/schemas';
import type pg from 'pg';
import { inTransaction } from '../../platform/database/index.js';
import { Failure } from '../../platform/failures.js';
import type { AccountState } from '../store/connection.js';
import { LINK_COLUMNS, type LinkRow, linkResponse, statusOf, unusedProviders } from './link-row.js';

export interface ConnectLinksOptions {
  pool: pg.Pool;
  apiBaseUrl: string;
  /** Providers that a user can connect now: configured and enabled. */
  connectable(): Promise<ProviderId[]>;
  /** @returns the redirect URL as browsers read it. @throws Failure `unprocessable` */
  requireAllowed(input: Pick<ConnectLinkInput, 'redirect_uri' | 'opener_origin'>): string | null;
}

/** Outcome of a consent that a link started. */
export type LinkEnd = { missingDataTypes: readonly string[]; accountState: AccountState } | { error: string };

/** Prefix of link secrets, by which secret scanners and the log recognize them. */
const PREFIX = 'cl-';
/** Time after which ended links are deleted. */
const RETENTION_DAYS = 30;
/** Time after which a claim abandoned by a crashed process expires. */
const CLAIM_MINUTES = 2;
/** Maximum number of browsers that can return to one link's page. */
const MAX_BROWSERS = 20;

/**
 * Creates and manages links with which users connect providers themselves. A link's secret consists of 256 random bits
 * and is stored as a hash.
 */
export class ConnectLinks {
  constructor(private readonly options: ConnectLinksOptions) {}

  /** @throws Failure `bad_request` (no OAuth), `conflict` (not configured or disabled), `unprocessable` (URLs) */
  async create(user: { id: string; userKey: number }, input: ConnectLinkInput): Promise<NewConnectLink> {
    const { pool, requireAllowed } = this.options;
    const redirectUri = requireAllowed(input);
    const providers = await this.offered(input.providers ?? undefined);
    const token = newToken();
    const { rows } = await pool.query<LinkRow>(
      `with l as (
         insert into connect_link (user_key, token_hash, providers, language, redirect_uri, opener_origin, expires_at)
         values ($1, $2, $3, $4, $5, $6, now() + make_interval(mins => $7)) returning *)
       select ${LINK_COLUMNS} from l join health_user u using (user_key)`,
      [
        user.userKey,
        hash(token),
        providers,
        input.language ?? null,
        redirectUri,
        input.opener_origin ?? null,
        linkMinutes(input),
      ],
    );
    return this.withAddress(rows[0] as LinkRow, token);
  }

  /**
   * Replaces an open or expired link with a link for the providers that were not connected with it. Of several
   * concurrent calls one succeeds. Checks providers and URLs again, because settings may have changed.
   * @throws Failure `not_found`, `conflict` (used, revoked, a provider cannot be connected, or is being connected with
   * it), `unprocessable` (URLs)
   */
  async renew(userKey: number, id: string): Promise<NewConnectLink> {
    const { pool, requireAllowed } = this.options;
    const found = renewable(id, await this.row(pool, 'l.id = $1 and l.user_key = $2', [id, userKey]));
    const redirectUri = requireAllowed(found);
    await this.offered(unusedProviders(found));
    const token = newToken();
    const renewed = await inTransaction(pool, async (client) => {
      await client.query('select from connect_link where id = $1 for update', [id]);
      // Reads the link under the lock, because a provider may have been connected with the link in the meantime.
      const old = renewable(id, await this.row(client, 'l.id = $1', [id]));
      await requireUnclaimed(client, id);
      const { rows } = await client.query<LinkRow>(
        `with old as (update connect_link set revoked_at = now() where id = $1 returning *),
         l as (
           insert into connect_link (user_key, token_hash, providers, language, redirect_uri, opener_origin, expires_at)
           select user_key, $2, $3, language, $4, opener_origin, now() + (expires_at - created_at)
             from old returning *)
         select ${LINK_COLUMNS} from l join health_user u using (user_key)`,
        [id, hash(token), unusedProviders(old), redirectUri],
      );
      return rows[0] as LinkRow;
    });
    return this.withAddress(renewed, token);
  }

  /** Returns the user's links, newest first. */
  async ofUser(userKey: number): Promise<ConnectLink[]> {
    const { rows } = await this.options.pool.query<LinkRow>(
      `select ${LINK_COLUMNS} from connect_link l join health_user u using (user_key)
        where l.user_key = $1 order by l.created_at desc, l.id`,
      [userKey],
    );
    return rows.map(linkResponse);
  }

  /**
   * Revokes a link. Afterwards the link creates no connections, even if a consent with it is in progress. Does nothing
   * if the link is already revoked. @throws Failure `not_found`
   */
  async revoke(userKey: number, id: string): Promise<void> {
    const { rowCount } = await this.options.pool.query(
      'update connect_link set revoked_at = coalesce(revoked_at, now()) where id = $1 and user_key = $2',
      [id, userKey],
    );
    if (rowCount === 0) throw unknownLink(id);
  }

  /**
   * Returns the link of a token, even if it has ended. Accepts the link's ID only from a browser that started a consent
   * with it.
   * @param browser secret of the browser
   */
  async find(tokenOrId: string, browser: string | undefined): Promise<LinkRow | undefined> {
    const { pool } = this.options;
    if (tokenOrId.startsWith(PREFIX)) return this.row(pool, 'l.token_hash = $1', [hash(tokenOrId)]);
    const id = normalizeUuid(tokenOrId);
    if (id === undefined || browser === undefined) return undefined;
    return this.row(pool, 'l.id = $1 and $2 = any (l.browser_hash)', [id, hash(browser)]);
  }

  /** Lets a browser that starts a consent return to the link's page without the token. */
  async rememberBrowser(id: string, browser: string): Promise<void> {
    await this.options.pool.query(
      `update connect_link set browser_hash = (array_prepend($2::bytea, array_remove(browser_hash, $2)))[1:$3::int]
        where id = $1`,
      [id, hash(browser), MAX_BROWSERS],
    );
  }

  /**
   * Claims a link's provider for a returned consent. Of several concurrent calls one succeeds. No call succeeds after
   * the provider was connected with the link or the link was revoked. Waits for a concurrent renewal of the link.
   */
  async claim(id: string, provider: ProviderId): Promise<boolean> {
    const { rowCount } = await this.options.pool.query(
      `insert into connect_link_use (link_id, user_key, provider, state)
       select id, user_key, $2, 'claimed' from connect_link where id = $1 and revoked_at is null for share
       on conflict (link_id, provider) do update set state = 'claimed', error = null, at = now()
       where connect_link_use.state = 'failed'
          or (connect_link_use.state = 'claimed' and connect_link_use.at < now() - make_interval(mins => $3))`,
      [id, provider, CLAIM_MINUTES],
    );
    return rowCount === 1;
  }

  /**
   * True if the link was not revoked.
   * @param client caller's transaction; a concurrent revocation waits for its end
   */
  async holds(id: string, client?: pg.ClientBase): Promise<boolean> {
    const { rowCount } = await ((client ?? this.options.pool) as pg.Pool).query(
      'select from connect_link where id = $1 and revoked_at is null for share',
      [id],
    );
    return rowCount === 1;
  }

  /** Records the outcome of a claimed provider. */
  async settle(id: string, provider: ProviderId, end: LinkEnd): Promise<void> {
    const missing = 'error' in end ? [] : end.missingDataTypes;
    const isLinked = 'error' in end || end.accountState !== 'not_linked';
    const state = 'error' in end ? 'failed' : missing.length > 0 || !isLinked ? 'partial' : 'connected';
    const error = 'error' in end ? end.error : isLinked ? null : 'not_linked';
    await this.options.pool.query(
      `update connect_link_use set state = $3, error = $4, missing_data_types = $5, at = now()
        where link_id = $1 and provider = $2 and state = 'claimed'`,
      [id, provider, state, error, missing],
    );
  }

  /**
   * Records the error of a consent that returned after the link was revoked. Keeps the outcome of a provider that was
   * connected before.
   */
  async recordRejected(id: string, provider: ProviderId, error: string): Promise<void> {
    await this.options.pool.query(
      `insert into connect_link_use (link_id, user_key, provider, state, error)
       select id, user_key, $2, 'failed', $3 from connect_link where id = $1
       on conflict (link_id, provider) do update set error = $3, at = now() where connect_link_use.state = 'failed'`,
      [id, provider, error],
    );
  }

  /** Deletes links that ended more than `RETENTION_DAYS` ago. Returns their number. */
  async purge(): Promise<number> {
    const { rowCount } = await this.options.pool.query(
      'delete from connect_link where least(expires_at, revoked_at) < now() - make_interval(days => $1)',
      [RETENTION_DAYS],
    );
    return rowCount ?? 0;
  }

  private async row(
    database: pg.Pool | pg.ClientBase,
    condition: string,
    values: unknown[],
  ): Promise<LinkRow | undefined> {
    const { rows } = await (database as pg.Pool).query<LinkRow>(
      `select ${LINK_COLUMNS} from connect_link l join health_user u using (user_key) where ${condition}`,
      values,
    );
    return rows[0];
  }

  private withAddress(row: LinkRow, token: string): NewConnectLink {
    return { ...linkResponse(row), url: `${this.options.apiBaseUrl}/connect/${token}` };
  }

  private async offered(requested: readonly ProviderId[] | undefined): Promise<ProviderId[]> {
    const connectable = await this.options.connectable();
    const unconnectable = requested?.find((provider) => !connectable.includes(provider));
    if (unconnectable !== undefined)
      throw new Failure(
        'conflict',
        `Provider '${unconnectable}' cannot be connected: it has no cloud, no credentials, or is disabled`,
      );
    if (connectable.length === 0) throw new Failure('conflict', 'Cannot connect any provider: none has credentials');
    return requested ? [...new Set(requested)] : connectable;
  }
}

function newToken(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

function unknownLink(id: string): Failure {
  return new Failure('not_found', `The user has no link with the ID: ${id}.`);
}

/** @throws Failure `not_found`, `conflict` for a used or revoked link */
function renewable(id: string, link: LinkRow | undefined): LinkRow {
  if (!link) throw unknownLink(id);
  const status = statusOf(link);
  if (status === 'used' || status === 'revoked') throw endedLink(status);
  return link;
}

/**
 * Checks that no provider is being connected with the link. The link must be locked, so that no provider is claimed
 * after this check.
 * @throws Failure `conflict`
 */
async function requireUnclaimed(client: pg.ClientBase, id: string): Promise<void> {
  const { rows } = await client.query<{ provider: ProviderId }>(
    `select provider from connect_link_use
      where link_id = $1 and state = 'claimed' and at >= now() - make_interval(mins => $2)`,
    [id, CLAIM_MINUTES],
  );
  if (rows[0])
    throw new Failure(
      'conflict',
      `Provider '${rows[0].provider}' is being connected with the link. Try again in ${CLAIM_MINUTES} minutes.`,
    );
}

function endedLink(status: 'used' | 'revoked'): Failure {
  return new Failure('conflict', `The link was already ${status}. Create a new one.`);
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
