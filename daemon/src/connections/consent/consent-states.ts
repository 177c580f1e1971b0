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
  /** The link that it was begun with; the person comes back to its page. */
  link: { id: string } | undefined;
}

/** A consent with the secret of the browser that began it; undefined if any browser may bring it back. */
export interface NewConsentState extends ConsentState {
  browser: string | undefined;
}

/** Why a state opens no consent. */
export type RefusedState = { problem: 'invalid_state' } | { problem: 'wrong_browser'; user: ConsentState['user'] };

const LIFE_MINUTES = 15;

/**
 * States of consents under way: stored as hashes, their verifiers sealed; good for one use within 15 minutes. A browser has one
 * state for each link and provider: the next one replaces it.
 */
export class ConsentStates {
  constructor(
    private readonly pool: pg.Pool,
    private readonly vault: Vault,
  ) {}

  /** @returns the state that the vendor hands back: 43 characters */
  async create({ codeVerifier, user, link, browser, ...consent }: NewConsentState): Promise<string> {
    const state = randomBytes(32).toString('base64url');
    await this.pool.query(
      `insert into oauth_state
         (state_hash, provider, user_key, redirect_uri, verifier_secret, expires_at, link_id, browser_hash)
       values ($1, $2, $3, $4, $5, now() + make_interval(mins => $6), $7, $8)
       on conflict (link_id, provider, browser_hash) where link_id is not null do update
         set state_hash = excluded.state_hash, user_key = excluded.user_key, redirect_uri = excluded.redirect_uri,
             verifier_secret = excluded.verifier_secret, created_at = now(), expires_at = excluded.expires_at`,
      [
        hash(state),
        consent.provider,
        user.userKey,
        consent.redirectUri ?? null,
        codeVerifier === undefined ? null : this.vault.seal(fieldOf(state, user.id, 'verifier_secret'), codeVerifier),
        LIFE_MINUTES,
        link?.id ?? null,
        browser === undefined ? null : hash(browser),
      ],
    );
    return state;
  }

  /** Holds the vendor's address back until a browser starts the consent, which ties the consent to that browser. */
  async holdBack(state: string, userId: string, vendorAddress: string): Promise<void> {
    await this.pool.query('update oauth_state set start_secret = $2 where state_hash = $1', [
      hash(state),
      this.vault.seal(fieldOf(state, userId, 'start_secret'), vendorAddress),
    ]);
  }

  /** Ties a consent to a browser, once. @returns the vendor's address; undefined if the state is not good or was started */
  async start(state: string, provider: ProviderId, browser: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ user_id: string; start_secret: string }>(
      `with held as (
         select state_hash, start_secret from oauth_state
          where state_hash = $1 and provider = $2 and start_secret is not null and expires_at > now() for update)
       update oauth_state s set start_secret = null, browser_hash = $3 from held, health_user u
        where s.state_hash = held.state_hash and u.user_key = s.user_key
       returning u.id as user_id, held.start_secret`,
      [hash(state), provider, hash(browser)],
    );
    const row = rows[0];
    return row && this.vault.open(fieldOf(state, row.user_id, 'start_secret'), row.start_secret);
  }

  /**
   * Uses a state up: of many that present it at the same time exactly one gets it. A state of another browser stays, so that a
   * stranger who has seen it ends no consent. A state whose verifier can no longer be opened is not good.
   */
  async consume(state: string, browser: string | undefined): Promise<ConsentState | RefusedState> {
    const { rows } = await this.pool.query<{
      provider: ProviderId;
      user_key: number;
      user_id: string;
      redirect_uri: string | null;
      verifier_secret: string | null;
      link_id: string | null;
    }>(
      `delete from oauth_state s using health_user u
        where s.state_hash = $1 and s.expires_at > now() and u.user_key = s.user_key
          and s.start_secret is null and (s.browser_hash is null or s.browser_hash = $2)
       returning s.provider, s.user_key, u.id as user_id, s.redirect_uri, s.verifier_secret, s.link_id`,
      [hash(state), browser === undefined ? null : hash(browser)],
    );
    const row = rows[0];
    if (!row) return this.refused(state);
    const sealed = row.verifier_secret;
    const codeVerifier =
      sealed === null ? undefined : this.vault.open(fieldOf(state, row.user_id, 'verifier_secret'), sealed);
    if (sealed !== null && codeVerifier === undefined) return { problem: 'invalid_state' };
    return {
      provider: row.provider,
      user: { id: row.user_id, userKey: row.user_key },
      redirectUri: row.redirect_uri ?? undefined,
      codeVerifier,
      link: row.link_id === null ? undefined : { id: row.link_id },
    };
  }

  private async refused(state: string): Promise<RefusedState> {
    const { rows } = await this.pool.query<{ id: string; user_key: number }>(
      `select u.id, user_key from oauth_state join health_user u using (user_key)
        where state_hash = $1 and expires_at > now()`,
      [hash(state)],
    );
    const row = rows[0];
    if (!row) return { problem: 'invalid_state' };
    return { problem: 'wrong_browser', user: { id: row.id, userKey: row.user_key } };
  }

  /** Deletes those whose time is over. Returns how many. */
  async purge(): Promise<number> {
    const { rowCount } = await this.pool.query('delete from oauth_state where expires_at <= now()');
    return rowCount ?? 0;
  }
}

type SealedColumn = 'verifier_secret' | 'start_secret';

function fieldOf(state: string, userId: string, column: SealedColumn): SealedField {
  return { table: 'oauth_state', column, row: hash(state).toString('hex'), userId };
}

function hash(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}
