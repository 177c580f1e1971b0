import type { GrantedTokens } from '@healthd/providers';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import type { Vault } from '../../vault/index.js';
import type { ConnectionStatus } from '../store/connection.js';

/** The decrypted tokens of one connection. */
export interface StoredTokens {
  status: ConnectionStatus;
  providerUserId: string | undefined;
  accessToken: string | undefined;
  refreshToken: string | undefined;
  /** True if a token cannot be decrypted, because its ENCRYPTION_KEY is missing or the token is damaged. */
  isUnreadable: boolean;
  expiresAtMs: number;
  /** Incremented with every change of the tokens. */
  version: number;
}

interface TokenRow {
  user_id: string;
  status: ConnectionStatus;
  provider_user_id: string | null;
  access_token: string | null;
  refresh_token: string | null;
  token_expires_at: Date | null;
  token_version: number;
}

const read = statement(
  'connection_tokens',
  `select u.id as user_id, c.status, c.provider_user_id, c.access_token, c.refresh_token, c.token_expires_at,
     c.token_version
   from connection c join health_user u using (user_key) where c.id = $1`,
);

/** The connection that tokens belong to, and its user. */
export interface TokenOwner {
  id: string;
  userId: string;
}

/** A pair of tokens in stored form. */
export interface SealedTokens {
  accessToken: string;
  refreshToken: string | null;
  expiresAt: Date;
}

/** Reads and writes tokens sealed with ENCRYPTION_KEY. Each token can be decrypted only in its own row. */
export class TokenStore {
  constructor(private readonly vault: Vault) {}

  /**
   * Returns a connection's tokens; undefined if the connection was deleted. A token that cannot be decrypted is
   * undefined.
   */
  async read(database: pg.Pool | pg.ClientBase, connectionId: string): Promise<StoredTokens | undefined> {
    const { rows } = await (database as pg.Pool).query<TokenRow>(read([connectionId]));
    const row = rows[0];
    if (!row) return undefined;
    const open = (column: 'access_token' | 'refresh_token') => {
      const sealed = row[column];
      return sealed === null ? undefined : this.vault.open(fieldOf(column, connectionId, row.user_id), sealed);
    };
    const accessToken = open('access_token');
    const refreshToken = open('refresh_token');
    const isUnreadable =
      (row.access_token !== null && accessToken === undefined) ||
      (row.refresh_token !== null && refreshToken === undefined);
    return {
      status: row.status,
      providerUserId: row.provider_user_id ?? undefined,
      accessToken,
      refreshToken,
      isUnreadable,
      expiresAtMs: row.token_expires_at?.getTime() ?? 0,
      version: row.token_version,
    };
  }

  /** @param defaultSeconds lifetime of an access token if the vendor reports none */
  seal(owner: TokenOwner, tokens: GrantedTokens, defaultSeconds: number): SealedTokens {
    const { refreshToken } = tokens;
    return {
      accessToken: this.sealOne(owner, 'access_token', tokens.accessToken),
      refreshToken: refreshToken === undefined ? null : this.sealOne(owner, 'refresh_token', refreshToken),
      expiresAt: new Date(Date.now() + (tokens.expiresInSeconds ?? defaultSeconds) * 1000),
    };
  }

  /** Returns the sealed text of one token for its column. */
  sealOne(owner: TokenOwner, column: 'access_token' | 'refresh_token', secret: string): string {
    return this.vault.seal(fieldOf(column, owner.id, owner.userId), secret);
  }
}

function fieldOf(column: 'access_token' | 'refresh_token', row: string, userId: string) {
  return { table: 'connection', column, row, userId };
}
