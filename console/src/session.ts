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
  /** Milliseconds since the epoch from which on the access token is replaced. */
  renewAt: number;
}

/** Why there is no session any more. */
export type SessionEnd = 'logged out' | 'expired';

/** Seconds before its end at which an access token is replaced. */
const RENEW_EARLY_SECONDS = 60;

/** An answer that takes longer is given up, so that no page waits for ever. */
const READ_WITHIN_MS = 60_000;
/** A change goes on in the service when it is given up, as the erasure of a person with many samples. */
const CHANGE_WITHIN_MS = 600_000;
/** A refresh token that was replaced already may come again for 30 seconds only. */
const RENEW_WITHIN_MS = 15_000;

/** Pause until a service that does not answer is asked again. */
const UNREACHABLE_PAUSE_MS = 2_000;
/** Name of the channel on which the tabs of a browser tell each other that the person logged out. */
const CHANNEL = 'healthd-session';

const FROM_CONSOLE = { [CONSOLE_HEADER.name]: CONSOLE_HEADER.value };

/**
 * The login of the person at the screen. The access token lives in memory only; what renews it is a cookie that the
 * browser keeps and no script can read, so a page that is loaded again goes on where it was.
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
    this.client = new HealthdClient({ baseUrl, authorize, answerWithinMs, fetch: fetcher });
    if (typeof BroadcastChannel === 'undefined') return;
    this.tabs = new BroadcastChannel(CHANNEL);
    this.tabs.onmessage = () => this.end('logged out');
    // Node would not end while the channel is open.
    (this.tabs as { unref?: () => void }).unref?.();
  }

  get active(): boolean {
    return this.token !== undefined;
  }

  /** Whether it is being asked if the browser still has a session. */
  get resuming(): boolean {
    return this.isResuming;
  }

  /** True while the service does not answer whether the browser still has a session. */
  get unreachable(): boolean {
    return this.isUnreachable;
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
    const body = { username: email, password };
    this.keep(await answerOf(this.client.send(openConsoleSession, { body }, FROM_CONSOLE)));
  }

  /**
   * Goes on with the session that the browser keeps, if it keeps one. Listeners are called when that is known. A service
   * that does not answer is asked again: the login would not work either, and would look like the end of the session.
   * @param page is loaded meanwhile; with a session it is waited for, so that it is shown immediately
   */
  async resume(page: Promise<void>, pauseMs = UNREACHABLE_PAUSE_MS): Promise<void> {
    this.isResuming = true;
    try {
      const tokens = await this.renewedOnceReachable(pauseMs);
      await page;
      this.keep(tokens);
    } catch {
      // The browser keeps no session: the person sees the login.
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

  /** Ends the session here immediately, and at the service as soon as it answers. */
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

  /** Headers that authorise a call of this route; renews the access token when it is about to end. */
  async authorize(route: RouteSpec): Promise<Record<string, string>> {
    if (route.auth === 'public' || !this.token) return {};
    if (Date.now() >= this.token.renewAt) {
      // Several calls of one screen share one renewal: a refresh token works once.
      this.renewing ??= this.renew().finally(() => {
        this.renewing = undefined;
      });
      await this.renewing;
    }
    return this.token ? { Authorization: `Bearer ${this.token.text}` } : {};
  }

  private keep(answer: ConsoleTokens): void {
    this.token = {
      text: answer.access_token,
      renewAt: Date.now() + (answer.expires_in - RENEW_EARLY_SECONDS) * 1000,
    };
    this.notifyListeners();
  }

  private notifyListeners(): void {
    for (const listener of this.listeners) listener();
  }

  private renewed(): Promise<ConsoleTokens> {
    return answerOf(this.client.send(renewConsoleSession, {}, FROM_CONSOLE));
  }

  private async renew(): Promise<void> {
    try {
      this.keep(await this.renewed());
    } catch (error) {
      // A service that is restarting has not refused: the next call tries again.
      if (error instanceof ApiError && error.status < 500) this.end('expired');
      else throw error;
    }
  }
}

/** Streams, exports and uploads take as long as they take. */
function answerWithinMs({ id, method, produces, uploadPart }: RouteSpec): number | undefined {
  if (produces !== undefined || uploadPart !== undefined) return undefined;
  if (id === renewConsoleSession.id) return RENEW_WITHIN_MS;
  return method === 'GET' ? READ_WITHIN_MS : CHANGE_WITHIN_MS;
}

async function answerOf(response: Promise<Response>): Promise<ConsoleTokens> {
  return (await (await response).json()) as ConsoleTokens;
}

/** The session of this page. The console talks to the service it was loaded from. */
export const session = new Session(globalThis.location?.origin ?? 'http://localhost');
export const client = session.client;
