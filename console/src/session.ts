import { ApiError, HealthdClient, UnreachableError } from '@healthd/client';
import {
  CONSOLE_HEADER,
  endConsoleSession,
  openConsoleSession,
  type RouteSpec,
  renewConsoleSession,
} from '@healthd/contract';
import type { ConsoleTokens } from '@healthd/schemas';

interface AccessToken {
  text: string;
  /** Renewal time of the access token in milliseconds since the epoch. */
  renewAt: number;
}

/** Reason why the session ended. */
export type SessionEnd = 'logged out' | 'expired';

/** Seconds before expiry at which the access token is renewed. */
const RENEW_EARLY_SECONDS = 60;

/** Request timeout, so that no page waits forever. */
const READ_WITHIN_MS = 60_000;
/** Timeout of changes. The service still completes a change that times out, for example the erasure of a large user. */
const CHANGE_WITHIN_MS = 600_000;
/** Time limit of a renewal. The service accepts a replaced refresh token for 30 seconds only. */
const RENEW_WITHIN_MS = 15_000;

/** Retry delay while the service does not respond. */
const UNREACHABLE_PAUSE_MS = 2_000;
/** Broadcast channel that synchronizes logout between browser tabs. */
const CHANNEL = 'healthd-session';

const FROM_CONSOLE = { [CONSOLE_HEADER.name]: CONSOLE_HEADER.value };

/**
 * Session of the logged-in developer. The access token is held in memory only. An HttpOnly cookie renews it, so the
 * session survives a reload.
 */
export class Session {
  readonly client: HealthdClient;
  private token: AccessToken | undefined;
  private isResuming = false;
  private isUnreachable = false;
  private readonly tabs: BroadcastChannel | undefined;
  private lastEnd: SessionEnd | undefined;
  private renewing: Promise<void> | undefined;
  private listeners = new Set<() => void>();

  constructor(baseUrl: string, fetcher?: typeof fetch) {
    const authorize = (route: RouteSpec) => this.authorize(route);
    this.client = new HealthdClient({ baseUrl, authorize, answerWithinMs: responseWithinMs, fetch: fetcher });
    if (typeof BroadcastChannel === 'undefined') return;
    this.tabs = new BroadcastChannel(CHANNEL);
    this.tabs.onmessage = () => this.end('logged out');
    // Lets Node exit while the channel is open.
    (this.tabs as { unref?: () => void }).unref?.();
  }

  get active(): boolean {
    return this.token !== undefined;
  }

  /** True while the session check is running. */
  get resuming(): boolean {
    return this.isResuming;
  }

  /** True while the session check gets no response or a server error. */
  get unreachable(): boolean {
    return this.isUnreachable;
  }

  /** Reason for the end of the last session; undefined if no session has ended yet. */
  get endedBy(): SessionEnd | undefined {
    return this.lastEnd;
  }

  /** Subscribes to session starts and ends. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** @throws ApiError 401 for wrong credentials */
  async begin(email: string, password: string): Promise<void> {
    const body = { username: email, password };
    this.keep(await tokensFrom(this.client.send(openConsoleSession, { body }, FROM_CONSOLE)));
  }

  /**
   * Resumes the browser's session, if any, and notifies the listeners. Retries while the service does not respond,
   * because a login page would look like a logout.
   * @param page page that loads concurrently. If a session exists, the method also waits for the page
   */
  async resume(page: Promise<void>, pauseMs = UNREACHABLE_PAUSE_MS): Promise<void> {
    this.isResuming = true;
    try {
      const tokens = await this.renewedOnceReachable(pauseMs);
      await page;
      this.keep(tokens);
    } catch {
      // Without a session, the login page appears.
    } finally {
      this.isResuming = false;
      this.notifyListeners();
    }
  }

  private async renewedOnceReachable(pauseMs: number): Promise<ConsoleTokens> {
    for (;;) {
      try {
        const tokens = await this.renewed();
        this.isUnreachable = false;
        return tokens;
      } catch (error) {
        this.isUnreachable = error instanceof UnreachableError || (error instanceof ApiError && error.status >= 500);
        if (!this.isUnreachable) throw error;
        this.notifyListeners();
        await new Promise((done) => setTimeout(done, pauseMs));
      }
    }
  }

  /** Ends the session locally at once, then at the service. */
  async logOut(): Promise<void> {
    this.end('logged out');
    this.tabs?.postMessage('logged out');
    await this.client.send(endConsoleSession, {}, FROM_CONSOLE).catch(() => undefined);
  }

  end(how: SessionEnd): void {
    this.token = undefined;
    this.lastEnd = how;
    this.notifyListeners();
  }

  /** Returns the authorization headers for a route. Renews the access token shortly before it expires. */
  async authorize(route: RouteSpec): Promise<Record<string, string>> {
    if (route.auth === 'public' || !this.token) return {};
    if (Date.now() >= this.token.renewAt) {
      // Concurrent calls share one renewal, because each renewal replaces the refresh token.
      this.renewing ??= this.renew().finally(() => {
        this.renewing = undefined;
      });
      await this.renewing;
    }
    return this.token ? { Authorization: `Bearer ${this.token.text}` } : {};
  }

  private keep(response: ConsoleTokens): void {
    this.token = {
      text: response.access_token,
      renewAt: Date.now() + (response.expires_in - RENEW_EARLY_SECONDS) * 1000,
    };
    this.notifyListeners();
  }

  private notifyListeners(): void {
    for (const listener of this.listeners) listener();
  }

  private renewed(): Promise<ConsoleTokens> {
    return tokensFrom(this.client.send(renewConsoleSession, {}, FROM_CONSOLE));
  }

  private async renew(): Promise<void> {
    try {
      this.keep(await this.renewed());
    } catch (error) {
      // A restarting service has not rejected the token, so the next call retries.
      if (error instanceof ApiError && error.status < 500) this.end('expired');
      else throw error;
    }
  }
}

/** Returns the route's timeout. Undefined for streams, exports and uploads, which may take longer. */
function responseWithinMs({ id, method, produces, uploadPart }: RouteSpec): number | undefined {
  if (produces !== undefined || uploadPart !== undefined) return undefined;
  if (id === renewConsoleSession.id) return RENEW_WITHIN_MS;
  return method === 'GET' ? READ_WITHIN_MS : CHANGE_WITHIN_MS;
}

async function tokensFrom(response: Promise<Response>): Promise<ConsoleTokens> {
  return (await (await response).json()) as ConsoleTokens;
}

/** Session of this page. The console calls the service that served it. */
export const session = new Session(globalThis.location?.origin ?? 'http://localhost');
export const client = session.client;
