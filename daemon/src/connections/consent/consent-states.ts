import { createHash, randomBytes } from 'node:crypto';
import type { ProviderId } from '@healthd/model';
import type { Request } from 'express';
import type pg from 'pg';
import { Failure } from '../../platform/failures.js';
import type { SealedField, Vault } from '../../vault/index.js';
import { consentProblem } from './consent-problems.js';

/** A consent in progress, with the data that the service needs when the vendor redirects the user back. */
export interface ConsentState {
  provider: ProviderId;
  user: { id: string; userKey: number };
  redirectUri: string | undefined;
  /** PKCE verifier. */
  codeVerifier: string | undefined;
  /** The link that started the consent; the user returns to its page. */
  link: { id: string } | undefined;
}

/** A consent without the PKCE verifier, which the strategy creates. */
export type NewConsent = Omit<ConsentState, 'codeVerifier'>;

/** A new consent that is bound to one browser, or that any browser may complete. */
export interface NewConsentState extends NewConsent {
  /** The browser's secret; undefined if any browser may complete the consent. */
  browser: string | undefined;
}

/** A prepared consent that a browser starts. */
export interface StartedConsent {
  prepared: string;
  provider: ProviderId;
  browser: string;
}

/** A consent for which the strategy requests a state. */
export type PendingConsent = NewConsentState | StartedConsent;

/** Reason why a state is rejected. */
export type RejectedState = { problem: 'invalid_state' } | { problem: 'wrong_browser'; user: ConsentState['user'] };

const LIFE_MINUTES = 15;

type Stored = (error: unknown, state?: string) => void;
type Verified = (error: unknown, verifier?: string | boolean) => void;

/**
 * State store of Passport's strategies. Stores states as hashes and seals their verifiers. A state can be used once
 * within 15 minutes. A browser has one state per link and provider; a new state replaces it.
 */
export class ConsentStates {
  private readonly consumed = new WeakMap<Request, ConsentState>();

  constructor(
    private readonly pool: pg.Pool,
    private readonly vault: Vault,
  ) {}

  /** Stores a state with the PKCE verifier for the strategy. */
  store(_request: Request, verifier: string | undefined, consent: PendingConsent, _meta: unknown, done: Stored): void {
    const state = 'prepared' in consent ? this.start(consent, verifier) : this.create(consent, verifier);
    state.then(
      (stored) => done(null, stored),
      (error: unknown) => done(error),
    );
  }

  /** Passes the PKCE verifier to the strategy if this request's state was consumed. */
  verify(request: Request, _state: unknown, _meta: unknown, done: Verified): void {
    const consumed = this.consumed.get(request);
    done(null, consumed !== undefined && (consumed.codeVerifier ?? true));
  }

  /** @returns the state for the vendor's redirect: 43 characters */
  private async create(
    { user, link, browser, ...consent }: NewConsentState,
    codeVerifier: string | undefined,
  ): Promise<string> {
    const state = newState();
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
        this.sealed(state, user.id, codeVerifier),
        LIFE_MINUTES,
        link?.id ?? null,
        browser === undefined ? null : hash(browser),
      ],
    );
    return state;
  }

  /** Stores a consent that a browser must start, which binds the consent to that browser. @returns its state */
  async prepare({ provider, user, redirectUri }: NewConsent): Promise<string> {
    const state = newState();
    await this.pool.query(
      `insert into oauth_state (state_hash, provider, user_key, redirect_uri, expires_at)
       values ($1, $2, $3, $4, now() + make_interval(mins => $5))`,
      [preparedHash(state), provider, user.userKey, redirectUri ?? null, LIFE_MINUTES],
    );
    return state;
  }

  /** Binds a prepared consent to a browser, once. @throws Failure `bad_request` if it is invalid or already started */
  private async start(
    { prepared: state, provider, browser }: StartedConsent,
    codeVerifier: string | undefined,
  ): Promise<string> {
    const found = await this.pool.query<{ user_id: string }>(
      `select u.id as user_id from oauth_state s join health_user u using (user_key)
        where s.state_hash = $1 and s.provider = $2 and s.expires_at > now()`,
      [preparedHash(state), provider],
    );
    const userId = found.rows[0]?.user_id;
    const started =
      userId !== undefined &&
      (await this.pool.query(
        `update oauth_state set state_hash = $2, browser_hash = $3, verifier_secret = $4
          where state_hash = $1 and expires_at > now()`,
        [preparedHash(state), hash(state), hash(browser), this.sealed(state, userId, codeVerifier)],
      ));
    if (!started || started.rowCount === 0) throw new Failure('bad_request', consentProblem('invalid_state').message);
    return state;
  }

  private sealed(state: string, userId: string, codeVerifier: string | undefined): string | null {
    return codeVerifier === undefined ? null : this.vault.seal(verifierField(state, userId), codeVerifier);
  }

  /**
   * Consumes a state. Only one of several concurrent requests succeeds. Does not consume a state that is bound to
   * another browser, so a stranger who has seen the state cannot use it up. Rejects a state whose verifier cannot be
   * decrypted.
   */
  async consume(request: Request, state: string, browser: string | undefined): Promise<ConsentState | RejectedState> {
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
          and (s.browser_hash is null or s.browser_hash = $2)
       returning s.provider, s.user_key, u.id as user_id, s.redirect_uri, s.verifier_secret, s.link_id`,
      [hash(state), browser === undefined ? null : hash(browser)],
    );
    const row = rows[0];
    if (!row) return this.rejectedState(state);
    const sealed = row.verifier_secret;
    const codeVerifier = sealed === null ? undefined : this.vault.open(verifierField(state, row.user_id), sealed);
    if (sealed !== null && codeVerifier === undefined) return { problem: 'invalid_state' };
    const consumed = {
      provider: row.provider,
      user: { id: row.user_id, userKey: row.user_key },
      redirectUri: row.redirect_uri ?? undefined,
      codeVerifier,
      link: row.link_id === null ? undefined : { id: row.link_id },
    };
    this.consumed.set(request, consumed);
    return consumed;
  }

  private async rejectedState(state: string): Promise<RejectedState> {
    const { rows } = await this.pool.query<{ id: string; user_key: number }>(
      `select u.id, user_key from oauth_state join health_user u using (user_key)
        where state_hash = $1 and expires_at > now()`,
      [hash(state)],
    );
    const row = rows[0];
    if (!row) return { problem: 'invalid_state' };
    return { problem: 'wrong_browser', user: { id: row.id, userKey: row.user_key } };
  }

  /** Deletes expired states. Returns their number. */
  async purge(): Promise<number> {
    const { rowCount } = await this.pool.query('delete from oauth_state where expires_at <= now()');
    return rowCount ?? 0;
  }
}

function newState(): string {
  return randomBytes(32).toString('base64url');
}

function verifierField(state: string, userId: string): SealedField {
  return { table: 'oauth_state', column: 'verifier_secret', row: hash(state).toString('hex'), userId };
}

function hash(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}

/**
 * Returns the hash of a prepared consent's state. It differs from the usual hash, so that no callback finds the consent
 * before a browser has started it.
 */
function preparedHash(state: string): Buffer {
  return hash(`prepared ${state}`);
}
