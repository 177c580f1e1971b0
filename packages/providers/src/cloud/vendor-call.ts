import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { repeatDelayMs } from './backoff.js';
import { exchange } from './exchange.js';
import { failureOfResponse } from './failure-of-response.js';
import { requestUrl } from './request-url.js';
import { readBody, readBytes } from './response-body.js';
import type { ErrorReader, RequestBudget, TokenSource, VendorAddresses, VendorRequest } from './vendor-api.js';
import { OWN_QUOTA, VendorError } from './vendor-error.js';

/** Options for calling a vendor. */
export interface VendorApiOptions {
  /** The only hosts that may be called. */
  addresses: VendorAddresses;
  /** Undefined for calls that use the application's credentials, which are sent as headers. */
  tokens?: TokenSource;
  /** Checked in this order before every request, including retries. */
  budgets: readonly RequestBudget[];
  /** Receives the headers of every response, including errors, for example to read quotas. */
  onAnswer?(headers: Headers): Promise<void>;
  readError?: ErrorReader;
  maxResponseBytes: number;
  /** Time-out of one exchange, including the body. Default 30 s. */
  timeoutMs?: number;
  /** Additional headers of every request, e.g. the project to bill. */
  headers?: Readonly<Record<string, string>>;
  /** Aborts the call; its reason is thrown. */
  signal?: AbortSignal;
  /** Default: Node's global `fetch`. */
  fetch?: typeof fetch;
}

/** Longest sleep within a call. For longer waits the job must be rescheduled. */
const PATIENCE_MS = 2_000;
const DEFAULT_TIMEOUT_MS = 30_000;
const LARGE_RESPONSE_BYTES = 256 * 1024;

/** One call with its retries. */
export class Call {
  private readonly url: URL;
  private readonly timeoutMs: number;
  private readonly beganMs = performance.now();
  private sleptMs = 0;
  private repeats = 0;

  constructor(
    private readonly options: VendorApiOptions,
    private readonly request: VendorRequest,
  ) {
    this.url = requestUrl(options.addresses, request);
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  async run(): Promise<unknown> {
    const { tokens } = this.options;
    let token = await tokens?.current();
    let renewed = false;
    for (;;) {
      const outcome = await this.send(token);
      if (!('error' in outcome)) return outcome.body;
      const { error } = outcome;
      if (error.code === 'unauthorized' && token !== undefined && tokens && !renewed) {
        token = await tokens.renew(token);
        renewed = true;
      } else {
        const delayMs = this.delayBeforeRepeat(error);
        if (delayMs === undefined) throw error;
        await this.sleep(delayMs);
        this.repeats += 1;
      }
    }
  }

  private async send(token: string | undefined): Promise<{ body: unknown } | { error: VendorError }> {
    await this.takeFromBudgets();
    const { request, options } = this;
    const content = requestContent(request);
    try {
      const response = await exchange({
        url: this.url,
        method: request.method ?? 'GET',
        headers: {
          accept: request.answer === 'bytes' ? '*/*' : 'application/json',
          'user-agent': 'healthd',
          ...(content && { 'content-type': content.type }),
          ...options.headers,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: content?.text,
        timeoutMs: this.timeoutMs,
        maxResponseBytes: request.maxBytes ?? options.maxResponseBytes,
        signal: options.signal,
        fetch: options.fetch,
      });
      await options.onAnswer?.(response.headers);
      if (response.status >= 400) return { error: failureOfResponse(response, options.readError, token !== undefined) };
      const body = request.answer === 'bytes' ? readBytes(response) : readBody(response);
      // Lets other requests run between parsing and reading a large response.
      if (response.bytes.length >= LARGE_RESPONSE_BYTES) await nextTurn();
      return { body };
    } catch (error) {
      if (error instanceof VendorError) return { error };
      throw error;
    }
  }

  /** Undefined if the call must not be retried. */
  private delayBeforeRepeat(error: VendorError): number | undefined {
    if (performance.now() - this.beganMs >= this.timeoutMs) return undefined;
    // The vendor did not process a rejected request, so a write may be sent again too.
    if (error.code === 'rate_limited') {
      return this.repeats < 2 && this.mayStillSleep(error.retryAfterMs) ? error.retryAfterMs : undefined;
    }
    if (error.code !== 'unavailable' || !isReadRequest(this.request)) return undefined;
    const delayMs = repeatDelayMs(this.repeats);
    if (delayMs === undefined) return undefined;
    // Waits at least until the time that the server announced.
    const neededMs = Math.max(delayMs, error.retryAfterMs ?? 0);
    return this.mayStillSleep(neededMs) ? neededMs : undefined;
  }

  private async takeFromBudgets(): Promise<void> {
    for (const budget of this.options.budgets) {
      const { waitMs, perRequestMs } = await budget.take(PATIENCE_MS - this.sleptMs);
      if (waitMs <= 0) continue;
      if (!this.mayStillSleep(waitMs)) {
        throw new VendorError({
          code: 'rate_limited',
          reason: OWN_QUOTA,
          retryAfterMs: Math.ceil(waitMs),
          ...(perRequestMs !== undefined && { perRequestMs }),
        });
      }
      await this.sleep(waitMs);
    }
  }

  private mayStillSleep(ms: number | undefined): boolean {
    return ms !== undefined && this.sleptMs + ms < PATIENCE_MS;
  }

  private async sleep(ms: number): Promise<void> {
    const { signal } = this.options;
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
    this.sleptMs += ms;
  }
}

/** Body of a request with its content type. */
function requestContent({ body, form }: VendorRequest): { type: string; text: string } | undefined {
  if (form) return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() };
  return body === undefined ? undefined : { type: 'application/json', text: JSON.stringify(body) };
}

/** True if the request changes nothing and may be repeated. */
function isReadRequest(request: VendorRequest): boolean {
  return request.repeatable ?? (request.method ?? 'GET') === 'GET';
}
