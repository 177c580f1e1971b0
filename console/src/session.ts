import { login, logout, type RouteSpec, refreshTokens } from '@healthd/api';
import { ApiError, HealthdClient } from '@healthd/client';

interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** Milliseconds since the epoch from which on the access token is replaced. */
  renewAt: number;
}

/** Why there is no session any more. */
export type SessionEnd = 'logged out' | 'expired';

/** Seconds before its end at which an access token is replaced. */
const RENEW_EARLY_SECONDS = 60;

/**
 * The login of the person at the screen. Tokens live in memory only: closing or reloading the page ends the session,
 * and no script of another page can find them in the browser's storage.
 */
export class Session {
  readonly client: HealthdClient;
  private tokens: Tokens | undefined;
  private lastEnd: SessionEnd | undefined;
  private renewing: Promise<void> | undefined;
  private listeners = new Set<() => void>();

  constructor(baseUrl: string, fetcher?: typeof fetch) {
    this.client = new HealthdClient({ baseUrl, authorize: (route) => this.authorize(route), fetch: fetcher });
  }

  get active(): boolean {
    return this.tokens !== undefined;
  }

  /** How the last session ended; undefined before the first. */
  get endedBy(): SessionEnd | undefined {
    return this.lastEnd;
  }

  /** Calls back whenever the session begins or ends; returns how to stop that. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** @throws ApiError 401 for wrong credentials */
  async begin(email: string, password: string): Promise<void> {
    const answer = await this.client.call(login, { body: { username: email, password, grant_type: 'password' } });
    this.keep(answer);
  }

  /** Ends the session here at once and at the service as soon as it answers. */
  async logOut(): Promise<void> {
    const authorization = await this.authorize(logout).catch(() => ({}));
    this.end('logged out');
    await this.client.send(logout, {}, authorization).catch(() => undefined);
  }

  end(how: SessionEnd): void {
    this.tokens = undefined;
    this.lastEnd = how;
    this.tellListeners();
  }

  /** Headers that authorise a call of this route; renews the access token when it is about to end. */
  async authorize(route: RouteSpec): Promise<Record<string, string>> {
    if (route.auth === 'public' || !this.tokens) return {};
    if (Date.now() >= this.tokens.renewAt) {
      // Several calls of one screen share one renewal: a refresh token works once.
      this.renewing ??= this.renew(this.tokens.refreshToken).finally(() => {
        this.renewing = undefined;
      });
      await this.renewing;
    }
    return this.tokens ? { Authorization: `Bearer ${this.tokens.accessToken}` } : {};
  }

  private keep(answer: { access_token: string; refresh_token: string; expires_in: number }): void {
    this.tokens = {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token,
      renewAt: Date.now() + (answer.expires_in - RENEW_EARLY_SECONDS) * 1000,
    };
    this.tellListeners();
  }

  private tellListeners(): void {
    for (const listener of this.listeners) listener();
  }

  private async renew(refreshToken: string): Promise<void> {
    try {
      this.keep(await this.client.call(refreshTokens, { body: { refresh_token: refreshToken } }));
    } catch (error) {
      // A service that is restarting has not refused: the next call tries again.
      if (error instanceof ApiError && error.status < 500) this.end('expired');
      else throw error;
    }
  }
}

/** The session of this page. The console talks to the service it was loaded from. */
export const session = new Session(globalThis.location?.origin ?? 'http://localhost');
export const client = session.client;
