import { ApiError } from '../errors.js';
import { type CopyDigest, type DigestGroup, groupName } from './digest.js';
import { isTransient, pause, retryDelayMs } from './retry.js';
import type { UserDigest } from './wire.js';

/** The service's operation that `verifyCopy` calls. `createClient` returns it. */
export interface DigestApi {
  getDigest(input: {
    params: { user_id: string };
    query: { from: string; to: string };
    signal?: AbortSignal;
  }): Promise<UserDigest>;
}

/** Local days, both included, `YYYY-MM-DD`. */
export interface DayRange {
  from: string;
  to: string;
}

/** A copy of one user's data. */
export interface UserCopy {
  userId: string;
  /** Position of the last change that the copy contains. */
  position: number;
  /** `key_id` of the snapshot. */
  keyId: string;
  /** First and last local day with rows; undefined without rows. */
  stored: DayRange | undefined;
  /** Returns the digests of all rows of these days. */
  digests(days: DayRange): Promise<readonly CopyDigest[]>;
}

/** A group of rows in which the copy differs from the service. */
export interface Difference extends DigestGroup {
  /** `missing`: only the service has rows. `extra`: only the copy has rows. `different`: the rows of both differ. */
  problem: 'missing' | 'extra' | 'different';
  service_rows: number | null;
  copy_rows: number | null;
}

/** Result of the comparison of one user's copy. */
export interface Verification {
  user_id: string;
  /**
   * - `equal`: no differences.
   * - `different`: the copy contains all changes, but differs.
   * - `behind`: the differences may be changes that the copy has not applied.
   * - `key_replaced`: take a new snapshot.
   * - `erased`: the service has no such user, so delete the copy.
   */
  state: 'equal' | 'different' | 'behind' | 'key_replaced' | 'erased';
  /** Last position of the service; null for an erased user. */
  service_position: number | null;
  copy_position: number;
  /** Number of compared groups: days, by kind, type and provider. */
  compared: number;
  differences: Difference[];
}

const MS_PER_DAY = 86_400_000;
/** Maximum number of days of one request. */
const DAYS_AT_ONCE = 366;

/**
 * Compares the digests of a user's copy with the service's digests. Does not compare days whose rows the service
 * archived or deleted because of their age.
 * @param days limits the comparison. Default: all days of the service and of the copy
 */
export async function verifyCopy(
  client: DigestApi,
  copy: UserCopy,
  { from, to, signal }: Partial<DayRange> & { signal?: AbortSignal } = {},
): Promise<Verification> {
  const { userId } = copy;
  const read = (range: DayRange) => readDigests(client, userId, range, signal);
  const result: Verification = {
    user_id: userId,
    state: 'equal',
    service_position: null,
    copy_position: copy.position,
    compared: 0,
    differences: [],
  };
  try {
    const today = dayOf(Date.now());
    const { stored, key_id, position } = await read({ from: today, to: today });
    result.service_position = position;
    if (key_id !== copy.keyId) return { ...result, state: 'key_replaced' };
    const first = from ?? earliest(stored?.from, copy.stored?.from);
    const last = to ?? latest(stored?.to, copy.stored?.to);
    if (first === undefined || last === undefined) return result;
    for (const range of yearsOf({ from: first, to: last })) {
      const page = await read(range);
      result.service_position = Math.max(result.service_position, page.position);
      const { compared, differences } = compareDigests(page, await copy.digests(range));
      result.compared += compared;
      result.differences.push(...differences);
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { ...result, state: 'erased' };
    throw error;
  }
  if (result.differences.length === 0) return result;
  return { ...result, state: result.service_position > copy.position ? 'behind' : 'different' };
}

/** Repeats the request up to ten times, for about two minutes, while the service is unreachable or busy. */
async function readDigests(client: DigestApi, userId: string, range: DayRange, signal: AbortSignal | undefined) {
  for (let failures = 1; ; failures++) {
    try {
      return await client.getDigest({ params: { user_id: userId }, query: range, ...(signal && { signal }) });
    } catch (error) {
      if (signal?.aborted || failures > 10 || !isTransient(error)) throw error;
      await pause(retryDelayMs(error, failures), signal);
    }
  }
}

/** Compares digests of the same days, by group. */
export function compareDigests(
  { items, expired }: Pick<UserDigest, 'items' | 'expired'>,
  copy: readonly CopyDigest[],
): { compared: number; differences: Difference[] } {
  const expiredBefore = new Map(expired.map(({ type, before }) => [type, before]));
  const own = new Map(copy.map((digest) => [groupName(digest), digest]));
  const differences: Difference[] = [];
  let compared = 0;
  for (const { day, kind, type, provider, state, rows, digest } of items) {
    const group = { day, kind, type, provider };
    const found = own.get(groupName(group));
    own.delete(groupName(group));
    if (state !== 'current') continue;
    compared++;
    if (found?.digest === digest) continue;
    const problem = found === undefined ? 'missing' : 'different';
    differences.push({ ...group, problem, service_rows: rows, copy_rows: found?.rows ?? null });
  }
  for (const { digest: _, rows, ...group } of own.values()) {
    // Skips expired days, because the service has no record of the expired days that had samples.
    if (group.kind === 'samples' && group.day < (expiredBefore.get(group.type ?? '') ?? '')) continue;
    compared++;
    differences.push({ ...group, problem: 'extra', service_rows: null, copy_rows: rows });
  }
  return { compared, differences: differences.sort((a, b) => (groupName(a) < groupName(b) ? -1 : 1)) };
}

function* yearsOf({ from, to }: DayRange): Generator<DayRange> {
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += DAYS_AT_ONCE * MS_PER_DAY) {
    const last = dayOf(ms + (DAYS_AT_ONCE - 1) * MS_PER_DAY);
    yield { from: dayOf(ms), to: last < to ? last : to };
  }
}

function earliest(...days: (string | undefined)[]): string | undefined {
  return days.filter((day) => day !== undefined).sort()[0];
}

function latest(...days: (string | undefined)[]): string | undefined {
  return days
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
