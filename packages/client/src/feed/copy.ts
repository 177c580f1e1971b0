import { ApiError } from '../errors.js';
import { type ChangesApi, type CursorStore, type FollowOptions, follow } from './follow.js';
import { isTransient, pause, retryDelayMs } from './retry.js';
import { readSnapshot, type Snapshot, type SnapshotApi } from './snapshot.js';
import { ROW_KINDS, type RowKind } from './snapshot-lines.js';
import type { DayRange } from './verify.js';
import type { Change } from './wire.js';

/** The service's operations that `snapshotThenFollow` calls. `createClient` returns them. */
export interface CopyApi extends ChangesApi, SnapshotApi {
  listUsers(input: {
    query: { limit: number; sort_by: 'created_at'; sort_order: 'asc'; after?: string };
    signal?: AbortSignal;
  }): Promise<{ items: readonly { id: string }[]; next_cursor: string | null }>;
}

/** Days of a user that must be read again. */
export interface ChangedDays extends DayRange {
  kinds: RowKind[];
  /** Series types, if `kinds` contains `samples`. */
  types: string[];
}

/** Days of one series whose copied samples are kept or deleted. */
export interface AgedDays extends DayRange {
  type: string;
  /** `keep`: the service deleted the samples only because of their age. `delete`: someone deleted samples. */
  do: 'keep' | 'delete';
}

/** A receiver's copy of the data of all users. `@healthd/client/postgres` exports an implementation. */
export interface HealthCopy {
  /** Cursor of a complete copy. `load` returns undefined until `complete` has been called. */
  cursors: CursorStore;
  /**
   * Starts a copy of all users. Changes after `cursor` are applied later. The old copy stays until its users are
   * replaced.
   */
  begin(cursor: string): Promise<void>;
  /** Returns the cursor of an incomplete copy that `begin` started; undefined without such a copy. */
  unfinished(): Promise<string | undefined>;
  /** True if the user was replaced since `begin`. */
  isCopied(userId: string): Promise<boolean>;
  /** Deletes the users who were not replaced since `begin`, and saves the cursor of `begin`. */
  complete(): Promise<void>;
  /**
   * Replaces all data of a user and stores the snapshot's position, in one transaction. Must exclude other writers of
   * the user before it calls `read`, because an older snapshot must not replace a newer one.
   */
  replaceUser(userId: string, read: () => Promise<Snapshot>): Promise<void>;
  /**
   * Replaces days of a user and stores the position in one transaction. Does nothing if the copy's position is equal or
   * higher. Must exclude other writers of the user, like `replaceUser`.
   * @param aged applied first, in this order. `replaceDays` and `replaceUser` never delete kept samples, unless the
   *   snapshot contains these samples
   * @returns false if the copy does not contain the user
   */
  replaceDays(
    userId: string,
    position: number,
    changed: readonly ChangedDays[],
    read: (days: ChangedDays) => Promise<Snapshot>,
    aged?: readonly AgedDays[],
  ): Promise<boolean>;
  deleteUser(userId: string): Promise<void>;
}

export interface CopyOptions
  extends Pick<FollowOptions, 'onRetry' | 'limit' | 'waitSeconds' | 'untilCurrent' | 'signal'> {
  /** True to keep samples that the service archived or deleted because of their age. Default: false. */
  keepAgedOut?: boolean;
}

/**
 * Copies all users' data, then keeps the copy up to date. Continues an interrupted copy. Copies everything again if the
 * feed no longer contains the changes after the copy's cursor. Returns when `signal` aborts.
 * @throws as {@link follow}, and errors of the copy
 */
export async function snapshotThenFollow(client: CopyApi, copy: HealthCopy, options: CopyOptions = {}): Promise<void> {
  const { signal, keepAgedOut = false } = options;
  const copyUsers = () => copyAllUsers(client, copy, signal);
  for (let failures = 1; !signal?.aborted && (await copy.cursors.load()) === undefined; failures++) {
    try {
      await copyUsers();
    } catch (error) {
      if (signal?.aborted) return;
      if (!isTransient(error)) throw error;
      const delayMs = retryDelayMs(error, failures);
      options.onRetry?.(error, delayMs);
      await pause(delayMs, signal);
    }
  }
  await follow(client, {
    ...options,
    cursors: copy.cursors,
    onExpired: copyUsers,
    onChanges: (changes) => applyChanges(client, copy, changes, { keepAgedOut, signal }),
  });
}

/** @returns the cursor that the copy follows from */
async function copyAllUsers(client: CopyApi, copy: HealthCopy, signal: AbortSignal | undefined): Promise<string> {
  let cursor = await copy.unfinished();
  if (cursor === undefined) {
    // Read before the list of users, so that the feed contains users who are created after the list.
    cursor = await endOfFeed(client, signal);
    await copy.begin(cursor);
  }
  let after: string | undefined;
  do {
    const users = await client.listUsers({
      query: { limit: 100, sort_by: 'created_at', sort_order: 'asc', ...(after !== undefined && { after }) },
      ...(signal && { signal }),
    });
    for (const { id } of users.items) {
      signal?.throwIfAborted();
      if (!(await copy.isCopied(id))) await copyUser(client, copy, id, signal);
    }
    after = users.next_cursor ?? undefined;
  } while (after !== undefined);
  await copy.complete();
  return cursor;
}

async function copyUser(
  client: CopyApi,
  copy: HealthCopy,
  userId: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await orErased(copy, userId, () => copy.replaceUser(userId, () => readSnapshot(client, userId, {}, signal)));
}

/** Runs `work`. Deletes the user's copy if the service no longer has the user. */
async function orErased(copy: HealthCopy, userId: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    await copy.deleteUser(userId);
  }
}

/** Returns the cursor after the newest change. Reads only changes of kind `user`, because these changes are rare. */
export async function endOfFeed(client: ChangesApi, signal?: AbortSignal): Promise<string> {
  let cursor: string | undefined;
  for (;;) {
    const page = await client.listChanges({
      query: { kinds: 'user', limit: 1_000, ...(cursor !== undefined && { cursor }) },
      ...(signal && { signal }),
    });
    if (!page.has_more) return page.cursor;
    cursor = page.cursor;
  }
}

async function applyChanges(
  client: CopyApi,
  copy: HealthCopy,
  changes: readonly Change[],
  { keepAgedOut, signal }: { keepAgedOut: boolean; signal: AbortSignal | undefined },
): Promise<void> {
  for (const [userId, own] of changesByUser(changes)) {
    signal?.throwIfAborted();
    if (own.some(({ kind, action }) => kind === 'user' && action === 'deleted')) {
      await copy.deleteUser(userId);
      continue;
    }
    const position = Math.max(0, ...own.map((change) => change.position ?? 0));
    await orErased(copy, userId, async () => {
      const read = ({ from, to, kinds, types }: ChangedDays) =>
        readSnapshot(
          client,
          userId,
          { from, to, kinds: kinds.join(','), ...(types.length > 0 && { types: types.join(',') }) },
          signal,
        );
      // Also reads aged-out days: the service may still have samples of other providers, which the copy must compare.
      const aged = keepAgedOut ? agedDays(own) : [];
      const isKnown = await copy.replaceDays(userId, position, changedDays(own), read, aged);
      if (!isKnown) await copyUser(client, copy, userId, signal);
    });
  }
}

function changesByUser(changes: readonly Change[]): Map<string, Change[]> {
  const byUser = new Map<string, Change[]>();
  for (const change of changes) {
    if (change.user_id === null) continue;
    const own = byUser.get(change.user_id);
    if (own) own.push(change);
    else byUser.set(change.user_id, [change]);
  }
  return byUser;
}

const MS_PER_DAY = 86_400_000;
/** Maximum distance in days between two changed days that one snapshot covers. */
const SHORT_GAP = 14;

/** Combines the days of changes into a few ranges. Each range lists its changed kinds and series types. */
export function changedDays(changes: readonly Change[]): ChangedDays[] {
  const ranges = changes
    .flatMap(({ kind, type, days = [] }) => (isRowKind(kind) ? days.map((range) => ({ ...range, kind, type })) : []))
    .sort((a, b) => (a.from < b.from ? -1 : 1));
  const combined: ChangedDays[] = [];
  for (const { from, to, kind, type } of ranges) {
    let last = combined.at(-1);
    if (!last || (Date.parse(from) - Date.parse(last.to)) / MS_PER_DAY > SHORT_GAP) {
      last = { from, to, kinds: [], types: [] };
      combined.push(last);
    }
    if (to > last.to) last.to = to;
    if (!last.kinds.includes(kind)) last.kinds.push(kind);
    if (kind === 'samples' && type !== undefined && !last.types.includes(type)) last.types.push(type);
  }
  return combined;
}

function isAgedOut({ action }: Change): boolean {
  return action === 'archived' || action === 'expired';
}

/**
 * Returns the days whose samples the copy keeps, and the days whose kept samples it deletes. Replaced windows never
 * delete archived samples.
 */
export function agedDays(changes: readonly Change[]): AgedDays[] {
  return changes.flatMap((change) => {
    const { kind, type, action, cause, days = [] } = change;
    const isDeleted = action === 'deleted' && cause !== 'replaced';
    if (kind !== 'samples' || type === undefined || !(isDeleted || isAgedOut(change))) return [];
    return days.map(({ from, to }) => ({ type, from, to, do: isDeleted ? ('delete' as const) : ('keep' as const) }));
  });
}

function isRowKind(kind: string): kind is RowKind {
  return (ROW_KINDS as readonly string[]).includes(kind);
}
