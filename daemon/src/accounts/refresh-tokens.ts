import { createHmac, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { StatementRunner } from '../platform/database/index.js';
import { ISSUE, LOST_ANSWER, REVOKE_FAMILY_OF_REUSED, ROTATE } from './refresh-token.sql.js';
import { hashSecret, newSecret } from './secrets.js';
import { deriveKey } from './signing-keys.js';

/** Owner of a refresh token's session. */
export type TokenOwner = { kind: 'developer'; developerId: string } | { kind: 'sdk'; userId: string; appId: string };

/** A newly issued refresh token. `sessionId` is the ID of its token family. */
export interface IssuedRefreshToken {
  token: string;
  sessionId: string;
  owner: TokenOwner;
}

export interface RefreshLifetimes {
  idleDays: number;
  absoluteDays: number;
  /** Seconds for which a client can repeat a refresh with a replaced token, because it may have lost the response. */
  graceSeconds: number;
}

interface RevokeOptions {
  /** Session to keep. */
  except?: string;
  database?: StatementRunner;
}

/** The pool, or a connection that holds a transaction. */
type Queryable = Pick<pg.Pool | pg.PoolClient, 'query'>;

const PREFIX = 'rt-';

interface TokenRow {
  family_id: string;
  kind: 'developer' | 'sdk';
  developer_id: string | null;
  user_id: string | null;
  app_id: string | null;
}

/** Refresh tokens: opaque, hashed at rest, replaced at every use. Reuse of a replaced token ends its whole family. */
export class RefreshTokens {
  readonly #successorKey: Uint8Array;

  constructor(
    private readonly pool: pg.Pool,
    signingKey: Uint8Array,
    private readonly lifetimes: RefreshLifetimes,
  ) {
    this.#successorKey = deriveKey(signingKey, 'refresh-successor');
  }

  /**
   * Opens a session. Undefined if the owner or the requesting application was deleted, or if the developer's password
   * has changed since `passwordHash` was read.
   */
  async issue(
    owner: TokenOwner,
    { passwordHash, database = this.pool }: { passwordHash?: string; database?: Queryable } = {},
  ): Promise<IssuedRefreshToken | undefined> {
    const token = newSecret(PREFIX);
    const sessionId = randomUUID();
    const { idleDays, absoluteDays } = this.lifetimes;
    const { rowCount } = await database.query(issueStatement(owner), [
      randomUUID(),
      sessionId,
      hashSecret(token),
      idleDays,
      absoluteDays,
      ...(owner.kind === 'developer' ? [owner.developerId, passwordHash ?? null] : [owner.userId, owner.appId]),
    ]);
    return rowCount === 1 ? { token, sessionId, owner } : undefined;
  }

  /** Returns the session of a token, even if the token is no longer valid. */
  async sessionOf(token: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ family_id: string }>(
      'select family_id from refresh_token where token_hash = $1',
      [hashSecret(token)],
    );
    return rows[0]?.family_id;
  }

  /**
   * Replaces a token, or returns its successor again within the grace period. Undefined if the token is unknown,
   * expired, revoked or was replaced earlier.
   */
  async rotate(token: string): Promise<IssuedRefreshToken | undefined> {
    const hash = hashSecret(token);
    const successor = this.#successorOf(token);
    const successorHash = hashSecret(successor);
    const rotated = await this.pool.query<TokenRow>(ROTATE, [
      hash,
      randomUUID(),
      successorHash,
      this.lifetimes.idleDays,
    ]);
    const row =
      rotated.rows[0] ??
      (await this.pool.query<TokenRow>(LOST_ANSWER, [hash, successorHash, this.lifetimes.graceSeconds])).rows[0];
    if (row) return { token: successor, sessionId: row.family_id, owner: ownerOf(row) };
    await this.pool.query(REVOKE_FAMILY_OF_REUSED, [hash]);
    return undefined;
  }

  /** Returns the user of a device's session; undefined if the session has a revoked token. */
  async userInSession(sessionId: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ user_id: string | null }>({
      name: 'user-in-session',
      text: `select (array_agg(user_id))[1] as user_id from refresh_token
        where family_id = $1 having bool_and(revoked_at is null)`,
      values: [sessionId],
    });
    return rows[0]?.user_id ?? undefined;
  }

  /** Returns the developer of a session; undefined if the session has a revoked token. */
  async developerInSession(sessionId: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ developer_id: string | null }>({
      name: 'developer-in-session',
      text: `select (array_agg(developer_id))[1] as developer_id from refresh_token
        where family_id = $1 having bool_and(revoked_at is null)`,
      values: [sessionId],
    });
    return rows[0]?.developer_id ?? undefined;
  }

  /** Ends a session: its refresh token and, within a second, its access tokens. Undefined if it had already ended. */
  async revokeSession(sessionId: string): Promise<TokenOwner | undefined> {
    const { rows } = await this.pool.query<TokenRow>(
      `update refresh_token set revoked_at = now() where family_id = $1 and revoked_at is null
       returning family_id, kind, developer_id, user_id, app_id`,
      [sessionId],
    );
    return rows[0] && ownerOf(rows[0]);
  }

  /** Ends all sessions of a developer except one. */
  async revokeDeveloper(developerId: string, { except, database = this.pool }: RevokeOptions = {}): Promise<void> {
    await database.query(
      `update refresh_token set revoked_at = now()
       where developer_id = $1 and revoked_at is null and family_id is distinct from $2`,
      [developerId, except ?? null],
    );
  }

  /** Deletes all sessions of a developer. */
  async deleteDeveloper(developerId: string, database: StatementRunner): Promise<void> {
    await database.query('delete from refresh_token where developer_id = $1', [developerId]);
  }

  /** Counts a developer's stored refresh tokens, valid or not. */
  async countOfDeveloper(developerId: string): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      'select count(*)::int as count from refresh_token where developer_id = $1',
      [developerId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Ends all sessions opened through an application. */
  async revokeApplication(appId: string, database: StatementRunner = this.pool): Promise<void> {
    await database.query('update refresh_token set revoked_at = now() where app_id = $1 and revoked_at is null', [
      appId,
    ]);
  }

  /**
   * Deletes tokens that expired a day ago: by then their access tokens have expired too. Keeps revoked tokens until the
   * session's absolute expiry, because one revoked token invalidates its whole family.
   */
  async purge(): Promise<number> {
    const { rowCount } = await this.pool.query(
      `delete from refresh_token where absolute_expires_at < now() - interval '1 day'
         or (revoked_at is null and idle_expires_at < now() - interval '1 day')`,
    );
    return rowCount ?? 0;
  }

  // Derives the successor from the token: only hashes are stored, and a repeated request must get the same successor
  // again.
  #successorOf(token: string): string {
    return `${PREFIX}${createHmac('sha256', this.#successorKey).update(token).digest('hex')}`;
  }
}

function issueStatement(owner: TokenOwner): string {
  if (owner.kind === 'developer') return ISSUE.developer;
  return isApplication(owner.appId) ? ISSUE.application : ISSUE.user;
}

/** True if an application issued the token. Other issuers are `admin:<developer>` and `invite:<developer>`. */
function isApplication(appId: string): boolean {
  return appId.startsWith('app_');
}

function ownerOf(row: TokenRow): TokenOwner {
  return row.kind === 'developer'
    ? { kind: 'developer', developerId: String(row.developer_id) }
    : { kind: 'sdk', userId: String(row.user_id), appId: String(row.app_id) };
}

/** Deletes all sessions of an erased user in the caller's transaction. */
export async function deleteUserSessions(database: StatementRunner, userId: string): Promise<void> {
  await database.query('delete from refresh_token where user_id = $1', [userId]);
}
