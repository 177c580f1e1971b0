import { createHash, randomBytes } from 'node:crypto';
import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import type { SealedField, Vault } from '../../vault/index.js';

/** What must be known again when the vendor sends the person back. */
export interface ConsentState {
  provider: ProviderId;
  user: { id: string; userKey: number };
  redirectUri: string | undefined;
  /** PKCE's. */
  codeVerifier: string | undefined;
  /** The link that it was begun with; its token leads the person back to its page. */
  link: { id: string; token: string } | undefined;
}

const LIFE_MINUTES = 15;

/** States of consents under way: stored as hashes, their verifiers sealed; good for one use within 15 minutes. */
export class ConsentStates {
  constructor(
    private readonly pool: pg.Pool,
    private readonly vault: Vault,
  ) {}

  /** @returns the state that the vendor hands back: 43 characters */
  async create(consent: ConsentState): Promise<string> {
    const state = randomBytes(32).toString('base64url');
    const { codeVerifier, user, link } = consent;
    const seal = (column: SealedColumn, secret: string | undefined) =>
      secret === undefined ? null : this.vault.seal(fieldOf(hash(state), user.id, column), secret);
    await this.pool.query(
      `insert into oauth_state (state_hash, provider, user_key, redirect_uri, verifier_secret, expires_at, link_id, link_token)
       values ($1, $2, $3, $4, $5, now() + make_interval(mins => $6), $7, $8)`,
      [
        hash(state),
        consent.provider,
        user.userKey,
        consent.redirectUri ?? null,
        seal('verifier_secret', codeVerifier),
        LIFE_MINUTES,
        link?.id ?? null,
        seal('link_token', link?.token),
      ],
    );
    return state;
  }

  /**
   * Uses a state up: of many that present it at the same time exactly one gets it. Undefined for one that is not good,
   * or whose secrets can no longer be opened: no code would be exchanged without its verifier.
   */
  async consume(state: string): Promise<ConsentState | undefined> {
    const { rows } = await this.pool.query<{
      provider: ProviderId;
      user_key: number;
      user_id: string;
      redirect_uri: string | null;
      verifier_secret: string | null;
      link_id: string | null;
      link_token: string | null;
    }>(
      `delete from oauth_state s using health_user u
        where s.state_hash = $1 and s.expires_at > now() and u.user_key = s.user_key
       returning s.provider, s.user_key, u.id as user_id, s.redirect_uri, s.verifier_secret, s.link_id, s.link_token`,
      [hash(state)],
    );
    const row = rows[0];
    if (!row) return undefined;
    const open = (column: SealedColumn) => {
      const sealed = row[column];
      return sealed === null ? undefined : this.vault.open(fieldOf(hash(state), row.user_id, column), sealed);
    };
    const codeVerifier = open('verifier_secret');
    const token = open('link_token');
    if (row.verifier_secret !== null && codeVerifier === undefined) return undefined;
    if (row.link_token !== null && token === undefined) return undefined;
    return {
      provider: row.provider,
      user: { id: row.user_id, userKey: row.user_key },
      redirectUri: row.redirect_uri ?? undefined,
      codeVerifier,
      link: row.link_id !== null && token !== undefined ? { id: row.link_id, token } : undefined,
    };
  }

  /** Deletes those whose time is over. Returns how many. */
  async purge(): Promise<number> {
    const { rowCount } = await this.pool.query('delete from oauth_state where expires_at <= now()');
    return rowCount ?? 0;
  }
}

type SealedColumn = 'verifier_secret' | 'link_token';

function fieldOf(stateHash: Buffer, userId: string, column: SealedColumn): SealedField {
  return { table: 'oauth_state', column, row: stateHash.toString('hex'), userId };
}

function hash(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}
