import type { GrantedTokens } from '@healthd/providers';
import type pg from 'pg';
import { statement } from '../database/index.js';
import type { Vault } from '../vault/index.js';
import type { ConnectionStatus } from './connection.js';

/** The tokens of one connection, opened. */
export interface StoredTokens {
  status: ConnectionStatus;
  providerUserId: string | undefined;
  accessToken: string | undefined;
  refreshToken: string | undefined;
  expiresAtMs: number;
  /** Counts up with every change of the tokens. */
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

/** A pair of tokens as it is stored. */
export interface SealedTokens {
  accessToken: string;
  refreshToken: string | null;
  expiresAt: Date;
}

/** Reads and writes tokens, which lie under ENCRYPTION_KEY: each opens in its own row alone. */
export class TokenStore {
  constructor(private readonly vault: Vault) {}

  /** Undefined when the connection is gone. What cannot be opened any more counts as absent. */
  async read(database: pg.Pool | pg.ClientBase, connectionId: string): Promise<StoredTokens | undefined> {
    const { rows } = await (database as pg.Pool).query<TokenRow>(read([connectionId]));
    const row = rows[0];
    if (!row) return undefined;
    const open = (column: 'access_token' | 'refresh_token') => {
      const sealed = row[column];
      return sealed === null ? undefined : this.vault.open(placeOf(column, connectionId, row.user_id), sealed);
    };
    return {
      status: row.status,
      providerUserId: row.provider_user_id ?? undefined,
      accessToken: open('access_token'),
      refreshToken: open('refresh_token'),
      expiresAtMs: row.token_expires_at?.getTime() ?? 0,
      version: row.token_version,
    };
  }

  /** @param defaultSeconds life of an access token where the vendor does not say */
  seal(owner: { id: string; userId: string }, tokens: GrantedTokens, defaultSeconds: number): SealedTokens {
    const seal = (column: 'access_token' | 'refresh_token', secret: string) =>
      this.vault.seal(placeOf(column, owner.id, owner.userId), secret);
    return {
      accessToken: seal('access_token', tokens.accessToken),
      refreshToken: tokens.refreshToken === undefined ? null : seal('refresh_token', tokens.refreshToken),
      expiresAt: new Date(Date.now() + (tokens.expiresInSeconds ?? defaultSeconds) * 1000),
    };
  }
}

function placeOf(column: 'access_token' | 'refresh_token', row: string, userId: string) {
  return { table: 'connection', column, row, userId };
}
