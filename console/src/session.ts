import { ApiError, HealthdClient } from '@healthd/client';
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

const FROM_CONSOLE = { [CONSOLE_HEADER.name]: CONSOLE_HEADER.value };

/**
 * The login of the person at the screen. The access token lives in memory only; what renews it is a cookie that the
 * browser keeps and no script can read, so a page that is loaded again goes on where it was.
 */
export class Session {
  readonly client: HealthdClient;
  private token: AccessToken | undefined;
  private isResuming = false;
  private lastEnd: SessionEnd | undefined;
  private renewing: Promise<void> | undefined;
  private listeners = new Set<() => void>();

  constructor(baseUrl: string, fetcher?: typeof fetch) {
    const authorize = (route: RouteSpec) => this.authorize(route);
    this.client = new HealthdClient({ baseUrl, authorize, answerWithinMs, fetch: fetcher });
  }

  get active(): boolean {
    return this.token !== undefined;
  }

  /** Whether it is being asked if the browser still has a session. */
  get resuming(): boolean {
    return this.isResuming;
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
   * Goes on with the session that the browser keeps, if it keeps one. Listeners are called when that is known.
   * @param page is loaded meanwhile; with a session it is waited for, so that it is shown immediately
   */
  async resume(page: Promise<void>): Promise<void> {
    this.isResuming = true;
    try {
      const tokens = await this.renewed();
      await page;
      this.keep(tokens);
    } catch {
      // No session, or no answer: either way the person sees the login.
    } finally {
      this.isResuming = false;
      this.notifyListeners();
    }
  }

  /** Ends the session here immediately, and at the service as soon as it answers. */
  async logOut(): Promise<void> {
    this.end('logged out');
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
