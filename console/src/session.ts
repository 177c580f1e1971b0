import { login, type RouteSpec, refreshTokens } from '@healthd/api';
import { HealthdClient } from '@healthd/client';

interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** Milliseconds on the page's clock from which on the access token is replaced. */
  renewAt: number;
}

/** Seconds before its end at which an access token is replaced. */
const RENEW_EARLY_SECONDS = 60;

/**
 * The login of the person at the screen. Tokens live in memory only: closing or reloading the page ends the session,
 * and no script of another page can find them in the browser's storage.
 */
export class Session {
  readonly client: HealthdClient;
  private tokens: Tokens | undefined;
  private renewing: Promise<void> | undefined;
  private listeners = new Set<() => void>();

  constructor(baseUrl: string) {
    this.client = new HealthdClient({ baseUrl, authorize: (route) => this.authorize(route) });
  }

  get active(): boolean {
    return this.tokens !== undefined;
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

  end(): void {
    this.tokens = undefined;
    for (const listener of this.listeners) listener();
  }

  private keep(answer: { access_token: string; refresh_token: string; expires_in: number }): void {
    this.tokens = {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token,
      renewAt: performance.now() + (answer.expires_in - RENEW_EARLY_SECONDS) * 1000,
    };
    for (const listener of this.listeners) listener();
  }

  private async authorize(route: RouteSpec): Promise<Record<string, string>> {
    if (route.auth === 'public' || !this.tokens) return {};
    if (performance.now() >= this.tokens.renewAt) {
      // Several calls of one screen share one renewal: a refresh token works once.
      this.renewing ??= this.renew(this.tokens.refreshToken).finally(() => {
        this.renewing = undefined;
      });
      await this.renewing;
    }
    return this.tokens ? { Authorization: `Bearer ${this.tokens.accessToken}` } : {};
  }

  private async renew(refreshToken: string): Promise<void> {
    try {
      this.keep(await this.client.call(refreshTokens, { body: { refresh_token: refreshToken } }));
    } catch {
      this.end();
    }
  }
}

/** The session of this page. The console talks to the service it was loaded from. */
export const session = new Session(globalThis.location?.origin ?? 'http://localhost');
export const client = session.client;
