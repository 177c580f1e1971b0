import { ApiError } from '../errors.js';
import { isTransient, pause, retryDelayMs } from './retry.js';
import type { Change, ChangePage } from './wire.js';

/** Place where a receiver keeps its position in the feed. */
export interface CursorStore {
  /** Returns the saved cursor; undefined if none is saved. */
  load(): Promise<string | undefined>;
  save(cursor: string): Promise<void>;
}

/** The service's operation that `follow` calls. `createClient` returns it. */
export interface ChangesApi {
  listChanges(input: {
    query: { cursor?: string; user_id?: string; kinds?: string; limit?: number; wait?: number };
    signal?: AbortSignal;
  }): Promise<ChangePage>;
}

/** The saved cursor is too old, or the service was restored from a backup. The receiver must copy the data again. */
export class CursorExpiredError extends Error {
  override readonly name = 'CursorExpiredError';
}

/** The service does not record changes, because FEED is off. */
export class FeedOffError extends Error {
  override readonly name = 'FeedOffError';
}

export interface FollowOptions {
  cursors: CursorStore;
  /**
   * Receives the changes in order. `follow` saves the cursor after `onChanges` returns. After a crash or a transient
   * error of a call to the service, `follow` delivers the same changes again. Applying a change twice must therefore be
   * harmless. All other errors end `follow`.
   */
  onChanges(changes: readonly Change[], page: { cursor: string; signal: AbortSignal | undefined }): Promise<void>;
  /**
   * Called if the cursor is no longer valid: copies the data again and returns the cursor to follow from. Without it,
   * `follow` throws CursorExpiredError.
   */
  onExpired?(): Promise<string>;
  /** Called before each retry. */
  onRetry?(error: unknown, delayMs: number): void;
  /** Limits the feed to one user. */
  userId?: string;
  /** Limits the feed to these kinds. */
  kinds?: readonly Change['kind'][];
  /** Maximum number of changes per call of `onChanges`: 1,000 by default. */
  limit?: number;
  /** Time in seconds that the service may wait for a change: 30 by default. */
  waitSeconds?: number;
  /** True to return after the newest stored change. */
  untilCurrent?: boolean;
  /** Ends `follow`. The next call delivers the changes of an unfinished `onChanges` again. */
  signal?: AbortSignal;
}

/** Additional time for the response of a long poll, until the connection counts as broken. */
const RESPONSE_LIMIT_MS = 30_000;

/**
 * Follows the feed of changes from the saved cursor, or from the oldest stored change. Retries while the service is
 * unreachable, and returns when `signal` aborts.
 * @throws CursorExpiredError, FeedOffError, ApiError for a request that cannot succeed, errors of `onChanges`
 */
export async function follow(client: ChangesApi, options: FollowOptions): Promise<void> {
  const { cursors, onChanges, onExpired, signal } = options;
  let cursor = await cursors.load();
  let isExpired = false;
  let failures = 0;
  while (!signal?.aborted) {
    try {
      if (isExpired && onExpired) {
        cursor = await onExpired();
        await cursors.save(cursor);
        isExpired = false;
      }
      const page = await readPage(client, cursor, options);
      if (page.items.length > 0) await onChanges(page.items, { cursor: page.cursor, signal });
      if (page.cursor !== cursor) await cursors.save(page.cursor);
      cursor = page.cursor;
      failures = 0;
      if (options.untilCurrent && !page.has_more) return;
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof CursorExpiredError && onExpired && !isExpired) {
        isExpired = true;
        continue;
      }
      if (!isTransient(error)) throw error;
      failures++;
      const delayMs = retryDelayMs(error, failures);
      options.onRetry?.(error, delayMs);
      await pause(delayMs, signal);
    }
  }
}

async function readPage(client: ChangesApi, cursor: string | undefined, options: FollowOptions): Promise<ChangePage> {
  const { userId, kinds, limit = 1_000, untilCurrent, signal } = options;
  const wait = untilCurrent ? 0 : (options.waitSeconds ?? 30);
  // Avoids AbortSignal.any. Node 20 keeps an entry for each call in `signal`, which may live for years.
  const request = new AbortController();
  const timer = setTimeout(
    () => request.abort(new DOMException('no response in time', 'TimeoutError')),
    wait * 1000 + RESPONSE_LIMIT_MS,
  );
  const end = () => request.abort(signal?.reason);
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end);
  try {
    return await client.listChanges({
      query: {
        ...(cursor !== undefined && { cursor }),
        ...(userId !== undefined && { user_id: userId }),
        ...(kinds !== undefined && { kinds: kinds.join(',') }),
        limit,
        wait,
      },
      signal: request.signal,
    });
  } catch (error) {
    if (error instanceof ApiError && error.status === 410)
      throw new CursorExpiredError(error.message, { cause: error });
    if (error instanceof ApiError && error.status === 409) throw new FeedOffError(error.message, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}
