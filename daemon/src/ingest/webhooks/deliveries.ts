import { MS_PER_DAY, type ProviderId } from '@healthd/model';
import type pg from 'pg';
import { runLockIsHeld } from '../../platform/jobs/index.js';

/** A delivery that waits to be read. */
export interface WaitingDelivery {
  id: string;
  provider: ProviderId;
  spoolName: string;
  sha256: Buffer;
  /** Number of attempts that crashed or took too long, plus this attempt. */
  attempts: number;
  /** Number of passes that failed or left waiting items. */
  failures: number;
  /** Position up to which items were checked for notifications. */
  lastCheckedItem: number;
  /** Positions of notifications that could not be applied yet. */
  pendingNotifications: readonly number[];
  receivedAt: Date;
  /** True if the delivery was read completely and is read again for connections with a retried run. */
  isRetried: boolean;
  /** True if the delivery was read completely and its notifications were counted. */
  isCounted: boolean;
}

/** Maximum number of attempts that crash their process or take too long. */
const MAX_ATTEMPTS = 10;
/** Time for which the vendor itself retries. */
const PATIENCE_MS = 7 * MS_PER_DAY;
const LONGEST_WAIT_SECONDS = 1_800;
/**
 * Time for which data of an unknown account may match a new connection. During a consent, data may arrive before its
 * connection is stored.
 */
const UNMATCHED_MINUTES = 60;
const DELETED_AT_ONCE = 5_000;

/** Stores the row of a body that is safely in the spool. */
export async function acceptDelivery(
  pool: pg.Pool,
  delivery: {
    id: string;
    provider: ProviderId;
    spoolName: string;
    byteSize: number;
    sha256: Buffer;
    sender: string | null;
    at: Date;
  },
): Promise<void> {
  const { id, provider, spoolName, byteSize, sha256, sender, at } = delivery;
  await pool.query(
    `insert into webhook_delivery (id, provider, spool_name, byte_size, sha256, received_at, next_try_at, sender)
     values ($1, $2, $3, $4, $5, $6, $6, $7)`,
    [id, provider, spoolName, byteSize, sha256, at, sender],
  );
}

/** Returns the size of a provider's waiting deliveries, in total and from one network address. */
export async function waitingBytes(
  pool: pg.Pool,
  provider: ProviderId,
  sender: string,
): Promise<{ all: number; ofSender: number }> {
  const { rows } = await pool.query<{ all: number; ofSender: number }>(
    `select coalesce(sum(byte_size), 0)::float8 as "all",
            coalesce(sum(byte_size) filter (where sender = $2), 0)::float8 as "ofSender"
       from webhook_delivery where provider = $1 and state = 'received'`,
    [provider, sender],
  );
  return rows[0] ?? { all: 0, ofSender: 0 };
}

/**
 * Limits the total size of a provider's completed deliveries that contain data of unconnected accounts. Drops the
 * oldest of these deliveries.
 * @returns names of files that no delivery uses any more
 */
export async function deleteStoredDelivery(
  pool: pg.Pool,
  provider: ProviderId,
  maxBytes: number,
  now: Date,
): Promise<string[]> {
  const { rows } = await pool.query<{ spool_name: string }>(
    `update webhook_delivery set file_deleted_at = $3, unmatched = '{}'
      where state = 'done' and file_deleted_at is null
        and id in (select id from (
              select id, sum(byte_size) over (order by ended_at desc, seq desc) as bytes from webhook_delivery
               where provider = $1 and state = 'done' and file_deleted_at is null and unmatched <> '{}') kept
             where bytes > $2)
     returning spool_name`,
    [provider, maxBytes, now],
  );
  return rows.map(({ spool_name }) => spool_name);
}

/**
 * Claims a provider's oldest due delivery and counts the attempt. An unfinished delivery waits before its next attempt,
 * and deliveries with fewer attempts go first. A delivery that crashes the process therefore does not block other
 * deliveries. Only one job per provider runs at a time.
 */
export async function startDelivery(
  pool: pg.Pool,
  provider: ProviderId,
  now: Date,
): Promise<WaitingDelivery | undefined> {
  const { rows } = await pool.query<WaitingDelivery>(
    `update webhook_delivery
        set attempts = attempts + 1, next_try_at = $2::timestamptz + make_interval(secs => ${waitSeconds('attempts + failures + 1')})
      where id = (select id from webhook_delivery
                   where provider = $1 and state = 'received' and next_try_at <= $2 order by attempts + failures, seq limit 1)
     returning id, provider, spool_name as "spoolName", sha256, attempts, failures, notices_done as "lastCheckedItem",
               waiting_notices as "pendingNotifications", received_at as "receivedAt", retried as "isRetried",
               retried or unmatched <> '{}' as "isCounted"`,
    [provider, now],
  );
  return rows[0];
}

/** Returns SQL for a delivery's delay after an attempt. */
function waitSeconds(attempts: string): string {
  return `least(${LONGEST_WAIT_SECONDS}, 10 * 2 ^ (${attempts}))`;
}

/** Returns the time of the next attempt for a delivery with waiting items. */
export function nextTryAt({ attempts, failures }: WaitingDelivery, now: Date): Date {
  return new Date(now.getTime() + 1_000 * Math.min(LONGEST_WAIT_SECONDS, 10 * 2 ** (attempts + failures)));
}

/** True if the maximum number of attempts crashed their process or took too long. */
export function isExhausted({ attempts }: WaitingDelivery): boolean {
  return attempts > MAX_ATTEMPTS;
}

/**
 * True if a failed delivery is retried. The service retries for a week, as long as the vendor would resend the
 * delivery.
 */
export function isTriedAgain({ receivedAt }: WaitingDelivery, now: Date): boolean {
  return now.getTime() - receivedAt.getTime() < PATIENCE_MS;
}

/**
 * Reschedules a delivery that failed or left waiting items. The attempt did not crash the process, so it does not
 * count.
 */
export async function postponeDelivery(pool: pg.Pool, delivery: WaitingDelivery, now: Date): Promise<void> {
  await pool.query(
    `update webhook_delivery
        set attempts = attempts - 1, failures = failures + 1,
            next_try_at = $3
      where id = $1 and state = 'received' and attempts = $2`,
    [delivery.id, delivery.attempts, nextTryAt(delivery, now)],
  );
}

/** Saves the position up to which notifications were applied, and the notifications that are still waiting. */
export async function recordNotifications(
  pool: pg.Pool,
  id: string,
  { done, waiting }: { done: number; waiting: readonly number[] },
): Promise<void> {
  await pool.query('update webhook_delivery set notices_done = $2, waiting_notices = $3 where id = $1', [
    id,
    done,
    waiting,
  ]);
}

/** Makes the later deliveries that waited for this delivery due. */
export async function releaseLater(pool: pg.Pool, { id, provider }: WaitingDelivery, now: Date): Promise<void> {
  await pool.query(
    `update webhook_delivery set next_try_at = $3
      where provider = $2 and state = 'received' and failures > 0 and next_try_at > $3
        and seq > (select seq from webhook_delivery where id = $1)`,
    [id, provider, now],
  );
}

/** Reverts an attempt that a shutdown of the process interrupted, and makes the delivery due again. */
export async function returnDelivery(pool: pg.Pool, { id, attempts }: WaitingDelivery, now: Date): Promise<void> {
  await pool.query(
    `update webhook_delivery set attempts = attempts - 1, next_try_at = $3
      where id = $1 and state = 'received' and attempts = $2`,
    [id, attempts, now],
  );
}

/** Ends a delivery. @param problem code of the reason why the delivery failed */
export async function endDelivery(
  pool: pg.Pool,
  id: string,
  { problem, unmatched, at }: { problem?: string; unmatched: readonly string[]; at: Date },
): Promise<void> {
  await pool.query(
    `update webhook_delivery set state = $2, problem = $3, unmatched = $4, ended_at = $5 where id = $1`,
    [id, problem === undefined ? 'done' : 'failed', problem ?? null, unmatched, at],
  );
}

/** True if the delivery has unstored items that a retry would read again. */
export async function hasUnstoredItems(pool: pg.Pool, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select 1 from webhook_delivery_share where delivery_id = $1 and (given_up or refused_more or refused <> '{}' or again <> '{}') limit 1`,
    [id],
  );
  return rowCount === 1;
}

/** Makes deliveries due again if they still have a file and contained data of this account before it was connected. */
export async function reviveUnmatched(
  pool: pg.Pool,
  provider: ProviderId,
  account: string,
  now: Date,
): Promise<number> {
  const { rowCount } = await pool.query(
    `update webhook_delivery set state = 'received', retried = false, attempts = 0, failures = 0, next_try_at = $3, ended_at = null
      where provider = $1 and state <> 'received' and $2 = any (unmatched) and file_deleted_at is null`,
    [provider, account, now],
  );
  return rowCount ?? 0;
}

/** Returns providers with a due delivery and no running job. */
export async function providersWithoutJob(
  pool: pg.Pool,
  jobName: string,
  now: Date,
  limit: number,
): Promise<ProviderId[]> {
  const { rows } = await pool.query<{ provider: ProviderId }>(
    `select provider from (
       select provider, min(seq) as first from webhook_delivery
        where state = 'received' and next_try_at <= $3 group by provider) waiting
      where not ${runLockIsHeld("$1 || ' provider ' || provider")}
      order by first limit $2`,
    [jobName, limit, now],
  );
  return rows.map(({ provider }) => provider);
}

/**
 * Returns files that are no longer needed. Files of completed deliveries are needed until no consent can match them,
 * and files of failed deliveries for some days.
 */
export async function servedDeliveries(
  pool: pg.Pool,
  keepFailedDays: number,
  now: Date,
): Promise<{ id: string; spoolName: string }[]> {
  const { rows } = await pool.query<{ id: string; spoolName: string }>(
    `select id, spool_name as "spoolName" from webhook_delivery
      where file_deleted_at is null
        and (state = 'done' and (unmatched = '{}' or ended_at < $2::timestamptz - make_interval(mins => $3))
             or state = 'failed' and ended_at < $2::timestamptz - make_interval(days => $1))
      limit 10000`,
    [keepFailedDays, now, UNMATCHED_MINUTES],
  );
  return rows;
}

/** Marks a delivery's file as deleted. @returns the file's current name, which an erasure may have changed */
export async function markDeliveryFileDeleted(pool: pg.Pool, id: string, at: Date): Promise<string | undefined> {
  const { rows } = await pool.query<{ spool_name: string }>(
    'update webhook_delivery set file_deleted_at = $2, unmatched = $3 where id = $1 returning spool_name',
    [id, at, []],
  );
  return rows[0]?.spool_name;
}

/** A delivery that still has its file. */
export interface StoredDelivery {
  id: string;
  spoolName: string;
}

/** Returns all deliveries of a provider that still have a file. */
export async function deliveryFiles(pool: pg.Pool, provider: ProviderId): Promise<StoredDelivery[]> {
  const { rows } = await pool.query<StoredDelivery>(
    `select id, spool_name as "spoolName" from webhook_delivery
      where provider = $1 and file_deleted_at is null order by seq`,
    [provider],
  );
  return rows;
}

/** Replaces a delivery's file. @returns false if the file was deleted or replaced concurrently */
export async function replaceDeliveryFile(
  pool: pg.Pool,
  delivery: StoredDelivery,
  { spoolName, byteSize, sha256 }: { spoolName: string; byteSize: number; sha256: Buffer },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update webhook_delivery set spool_name = $3, byte_size = $4, sha256 = $5
      where id = $1 and spool_name = $2 and file_deleted_at is null`,
    [delivery.id, delivery.spoolName, spoolName, byteSize, sha256],
  );
  return rowCount === 1;
}

/** Returns the file that replaced a delivery's earlier file; undefined if the file was deleted or not replaced. */
export async function replacedFile(
  pool: pg.Pool,
  { id, spoolName }: StoredDelivery,
): Promise<StoredDelivery | undefined> {
  const { rows } = await pool.query<StoredDelivery>(
    `select id, spool_name as "spoolName" from webhook_delivery
      where id = $1 and spool_name <> $2 and file_deleted_at is null`,
    [id, spoolName],
  );
  return rows[0];
}

/** Ends a delivery whose file must not be read. @returns names of its files */
export async function removeDelivery(pool: pg.Pool, id: string, at: Date): Promise<string[]> {
  const { rows } = await pool.query<{ spool_name: string }>(
    `update webhook_delivery
        set state = 'done', ended_at = coalesce(ended_at, $2), file_deleted_at = $2, unmatched = '{}'
      where id = $1 and file_deleted_at is null returning spool_name`,
    [id, at],
  );
  return rows.map(({ spool_name }) => spool_name);
}

/** True if an erasure replaced or deleted the delivery's file after the service started to read it. */
export async function isFileReplaced(pool: pg.Pool, { id, spoolName }: WaitingDelivery): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select 1 from webhook_delivery where id = $1 and (spool_name <> $2 or file_deleted_at is not null)',
    [id, spoolName],
  );
  return rowCount === 1;
}

/** Returns the passed files that a delivery still uses. */
export async function neededDeliveryFiles(pool: pg.Pool, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ spool_name: string }>(
    'select spool_name from webhook_delivery where spool_name = any ($1::text[]) and file_deleted_at is null',
    [names],
  );
  return new Set(rows.map(({ spool_name }) => spool_name));
}

/** Deletes old deliveries in small batches, so that no rows are locked for long. */
export async function deleteOldDeliveries(
  pool: pg.Pool,
  { days, now, signal }: { days: number; now: Date; signal: AbortSignal },
): Promise<void> {
  const statements = [
    `delete from delivered_version where ctid = any (array(
       select ctid from delivered_version where seen_at < $2::timestamptz - make_interval(days => 2 * $1::int) limit $3))`,
    `delete from webhook_delivery where id = any (array(
       select id from webhook_delivery
        where file_deleted_at is not null and received_at < $2::timestamptz - make_interval(days => $1) limit $3))`,
  ];
  for (const statement of statements) {
    let deleted: number | null;
    do {
      signal.throwIfAborted();
      ({ rowCount: deleted } = await pool.query(statement, [days, now, DELETED_AT_ONCE]));
    } while (deleted === DELETED_AT_ONCE);
  }
}
