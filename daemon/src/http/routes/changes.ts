import { dayNumber, MS_PER_MINUTE } from '@healthd/model';
import { exportSnapshot, getDigest, listChanges, listUserChanges, MAX_DIGEST_DAYS, ROW_KINDS } from '@healthd/schemas';
import type pg from 'pg';
import type { VendorTerms } from '../../connections/index.js';
import { type Feed, readUserChanges } from '../../feed/index.js';
import { SharedSlots } from '../../platform/database/index.js';
import { Failure, unprocessable } from '../../platform/failures.js';
import { type Binding, bind, type Caller, StreamingResponse, type UserRef } from '../binding.js';

/** Routes for the feed of changes. */
export function changeRoutes({
  pool,
  feed,
  terms,
  findUser,
}: {
  pool: pg.Pool;
  feed: Feed;
  terms: Pick<VendorTerms, 'current'>;
  findUser(id: string): Promise<UserRef | undefined>;
}): Binding[] {
  const slots = new SharedSlots(pool);
  const snapshots = new OneAtATime(slots, 'snapshot');
  const digests = new OneAtATime(slots, 'digest', MAX_DIGESTS);
  const waiting = new WaitingReaders();
  const recorded = new RecordedReads();
  return [
    bind(listChanges, async ({ query, caller, signal, note }) => {
      const { cursor, kinds, limit, user_id: userId, wait } = query;
      const user = userId === undefined ? undefined : await findUser(userId);
      if (userId !== undefined && !user) throw new Failure('not_found', `User with ID: ${userId} not found.`);
      const end = wait > 0 ? waiting.start(caller) : undefined;
      try {
        const page = await feed.read({ cursor, kinds, userKey: user?.userKey, limit }, wait * 1000, signal);
        note({ needsNoRecord: page.items.length === 0 || !recorded.isFirst(caller, userId) });
        return { items: page.items, cursor: page.cursor, has_more: page.hasMore };
      } finally {
        end?.();
      }
    }),
    bind(listUserChanges, async ({ user, query }) => {
      const { after, kinds, limit, sort_order: order } = query;
      const page = await readUserChanges(pool, user.userKey, { cursor: after, kinds, limit, order });
      return { items: page.items, cursor: page.cursor, has_more: page.hasMore };
    }),
    bind(exportSnapshot, async ({ user, query, caller, signal, isStillAllowed }) => {
      const { from, to, kinds = ROW_KINDS, types } = query;
      requireOrder(from, to);
      const release = await snapshots.acquire(user, caller);
      try {
        // The signal is aborted at the end of every response. A signal that is already aborted would never release the
        // slot.
        signal.throwIfAborted();
        signal.addEventListener('abort', () => void release());
        const { attribution } = await terms.current();
        const lines = await feed.snapshot(user, { from, to, kinds, types, attribution });
        // Releases the slot before the response ends, so that the caller can request the next snapshot immediately.
        const content = thenRelease(whileAllowed(lines, isStillAllowed), release);
        return new StreamingResponse(content, { 'Content-Type': 'application/x-ndjson' });
      } catch (error) {
        await release();
        throw error;
      }
    }),
    bind(getDigest, async ({ user, query: { from, to }, caller, signal }) => {
      requireOrder(from, to);
      if ((dayNumber(to) as number) - (dayNumber(from) as number) >= MAX_DIGEST_DAYS) {
        throw unprocessable(['query', 'to'], `Value error, a digest covers at most ${MAX_DIGEST_DAYS} days`, to);
      }
      const release = await digests.acquire(user, caller);
      try {
        return await feed.digest(user, { from, to }, signal);
      } finally {
        await release();
      }
    }),
  ];
}

/** @throws Failure `unprocessable` if the last date is before the first date */
function requireOrder(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && to < from) {
    throw unprocessable(['query', 'to'], 'Value error, to must not be before from', to);
  }
}

/** Maximum number of digest requests at a time. Each holds a database connection while it computes. */
const MAX_DIGESTS = 4;
/** Maximum number of waiting requests of one credential. Each of them reads again at each matching change. */
const MAX_WAITING = 50;
/** Maximum number of remembered reads. Above it, reads are recorded again. */
const MAX_READS = 10_000;

function tooMany(message: string): Failure {
  return new Failure('too_many_requests', message, { headers: { 'Retry-After': '1' } });
}

/** Counts the requests of each credential that wait for a change. */
class WaitingReaders {
  readonly #counts = new Map<string, number>();

  /** @returns a function that ends the wait @throws Failure `too_many_requests` */
  start(caller: Caller): () => void {
    const key = credentialOf(caller);
    const count = this.#counts.get(key) ?? 0;
    if (count >= MAX_WAITING)
      throw tooMany(`Your credentials already have ${count} waiting requests. End one of them.`);
    this.#counts.set(key, count + 1);
    return () => {
      const remaining = (this.#counts.get(key) ?? 1) - 1;
      if (remaining > 0) this.#counts.set(key, remaining);
      else this.#counts.delete(key);
    };
  }
}

/** Reads of the feed in the current minute. The audit trail gets one record per minute, credential and user. */
class RecordedReads {
  readonly #reads = new Set<string>();
  #minute = 0;

  isFirst(caller: Caller, userId: string | undefined): boolean {
    const minute = Math.floor(Date.now() / MS_PER_MINUTE);
    if (minute !== this.#minute || this.#reads.size >= MAX_READS) this.#reads.clear();
    this.#minute = minute;
    const key = `${credentialOf(caller)} ${userId ?? ''}`;
    if (this.#reads.has(key)) return false;
    this.#reads.add(key);
    return true;
  }
}

/**
 * Allows each credential one request at a time per user, in all processes, and limits the number of all requests of this
 * process.
 */
class OneAtATime {
  #running = 0;

  constructor(
    private readonly slots: SharedSlots,
    private readonly what: string,
    private readonly most = Number.POSITIVE_INFINITY,
  ) {}

  /** @returns a function that releases the slot @throws Failure `too_many_requests` */
  async acquire({ userKey }: UserRef, caller: Caller): Promise<() => Promise<void>> {
    if (this.#running >= this.most) throw tooMany(`Too many ${this.what} requests are running. Try again later.`);
    this.#running++;
    let slot: (() => Promise<void>) | undefined;
    try {
      slot = await this.slots.acquire(`${this.what} ${userKey} ${credentialOf(caller)}`);
    } finally {
      if (!slot) this.#running--;
    }
    if (!slot) {
      throw tooMany(
        `Your credentials already request a ${this.what} of this user. Wait until that response has ended.`,
      );
    }
    const release = slot;
    let isReleased = false;
    return async () => {
      if (!isReleased) this.#running--;
      isReleased = true;
      await release();
    };
  }
}

function credentialOf(caller: Caller): string {
  if (caller.kind === 'api_key') return caller.keyId;
  return caller.kind === 'developer' ? caller.developerId : caller.kind;
}

/** Passes on the lines as long as the credentials are accepted. */
async function* whileAllowed(
  lines: AsyncIterable<string>,
  isStillAllowed: () => Promise<boolean>,
): AsyncGenerator<string> {
  for await (const line of lines) {
    yield line;
    if (!(await isStillAllowed())) throw new Failure('unauthenticated', 'The credentials were revoked.');
  }
}

/** Passes on the lines, then releases the slot. */
async function* thenRelease(lines: AsyncIterable<string>, release: () => Promise<void>): AsyncGenerator<string> {
  try {
    yield* lines;
  } finally {
    await release();
  }
}
