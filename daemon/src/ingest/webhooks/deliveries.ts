import { MS_PER_DAY, type ProviderId } from '@healthd/model';
import type pg from 'pg';
import { runLockIsHeld } from '../../platform/jobs/index.js';

/** A delivery that waits to be read. */
export interface WaitingDelivery {
  id: string;
  provider: ProviderId;
  spoolName: string;
  sha256: Buffer;
  /** How often it was begun and not ended by what follows, this time included: its process ended, or it took too long. */
  attempts: number;
  /** How often a pass over it left something that waits. */
  failures: number;
  /** Items up to this one were looked at for notices. */
  noticesDone: number;
  /** Of those, the ones that could not be followed yet. */
  waitingNotices: readonly number[];
  receivedAt: Date;
  /** It was read to its end before, and is read again for the connections whose run was retried. */
  isRetried: boolean;
  /** It was read to its end before, and its notifications were counted then. */
  isCounted: boolean;
}

/** Begun so often, a delivery may be what ends the process. */
const MAX_ATTEMPTS = 10;
/** The vendor itself sends again for as long. */
const PATIENCE_MS = 7 * MS_PER_DAY;
const LONGEST_WAIT_SECONDS = 1_800;
/** While a consent is under way its data may come before its connection is stored. */
const UNMATCHED_MINUTES = 60;
const DELETED_AT_ONCE = 5_000;

/** Stores the row of a body that is safe in the spool. */
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

/** Bytes of a provider's deliveries that wait to be read, of all senders and of one network address. */
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
 * Keeps no more than so many bytes of a provider's deliveries that were read and hold something of accounts without a
 * connection; the oldest go first. @returns names of the files that have no delivery any more
 */
export async function dropKept(pool: pg.Pool, provider: ProviderId, maxBytes: number, now: Date): Promise<string[]> {
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
 * Begins the oldest delivery of a provider that is due, and counts the attempt. Unless it is ended it waits before the
 * next one, and those with fewer attempts go first, so that one that ends the process holds up no other. One job of a
 * provider runs at a time.
 */
export async function beginDelivery(
  pool: pg.Pool,
  provider: ProviderId,
  now: Date,
): Promise<WaitingDelivery | undefined> {
  const { rows } = await pool.query<WaitingDelivery>(
    `update webhook_delivery
        set attempts = attempts + 1, next_try_at = $2::timestamptz + make_interval(secs => ${waitSeconds('attempts + failures + 1')})
      where id = (select id from webhook_delivery
                   where provider = $1 and state = 'received' and next_try_at <= $2 order by attempts + failures, seq limit 1)
     returning id, provider, spool_name as "spoolName", sha256, attempts, failures, notices_done as "noticesDone",
               waiting_notices as "waitingNotices", received_at as "receivedAt", retried as "isRetried",
               retried or unmatched <> '{}' as "isCounted"`,
    [provider, now],
  );
  return rows[0];
}

/** SQL for how long a delivery waits after an attempt. */
function waitSeconds(attempts: string): string {
  return `least(${LONGEST_WAIT_SECONDS}, 10 * 2 ^ (${attempts}))`;
}

/** When a delivery is looked at again if something of it has to wait. */
export function nextTryAt({ attempts, failures }: WaitingDelivery, now: Date): Date {
  return new Date(now.getTime() + 1_000 * Math.min(LONGEST_WAIT_SECONDS, 10 * 2 ** (attempts + failures)));
}

/** Whether all attempts at a delivery have been made, the last by a process that did not come back. */
export function isExhausted({ attempts }: WaitingDelivery): boolean {
  return attempts > MAX_ATTEMPTS;
}

/** Whether what fails of a delivery is tried again: the vendor would send it for a week. */
export function isTriedAgain({ receivedAt }: WaitingDelivery, now: Date): boolean {
  return now.getTime() - receivedAt.getTime() < PATIENCE_MS;
}

/** Puts a delivery off of which something failed that may pass. The attempt came to its end, so it does not count as one. */
export async function postponeDelivery(pool: pg.Pool, delivery: WaitingDelivery, now: Date): Promise<void> {
  await pool.query(
    `update webhook_delivery
        set attempts = attempts - 1, failures = failures + 1,
            next_try_at = $3
      where id = $1 and state = 'received' and attempts = $2`,
    [delivery.id, delivery.attempts, nextTryAt(delivery, now)],
  );
}

/** Notes up to where notices have been followed, and which of them wait. */
export async function noteNotices(
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

/** Has those deliveries read now that came after one and waited for it. */
export async function releaseLater(pool: pg.Pool, { id, provider }: WaitingDelivery, now: Date): Promise<void> {
  await pool.query(
    `update webhook_delivery set next_try_at = $3
      where provider = $2 and state = 'received' and failures > 0 and next_try_at > $3
        and seq > (select seq from webhook_delivery where id = $1)`,
    [id, provider, now],
  );
}

/** Takes an attempt back that was cut short because the process stops: the delivery is due again. */
export async function returnDelivery(pool: pg.Pool, { id, attempts }: WaitingDelivery, now: Date): Promise<void> {
  await pool.query(
    `update webhook_delivery set attempts = attempts - 1, next_try_at = $3
      where id = $1 and state = 'received' and attempts = $2`,
    [id, attempts, now],
  );
}

/** Ends a delivery. @param problem code of why it could not be read */
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

/** Whether items of a delivery are not stored that a retry would read again. */
export async function hasUnstoredItems(pool: pg.Pool, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select 1 from webhook_delivery_share where delivery_id = $1 and (given_up or refused_more or refused <> '{}' or again <> '{}') limit 1`,
    [id],
  );
  return rowCount === 1;
}

/** Has deliveries of the last hour read again that held data of this account while no one was connected to it. */
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

/** Providers with a delivery that is due and that no process reads. */
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
 * Files that have served: of deliveries that were read, once no consent can turn up for them; of failed ones after some
 * days.
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

/** Marks the file of a delivery as deleted. @returns the name that the file has now: an erasure may have replaced it */
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

/** All deliveries of a provider that still have their files. */
export async function deliveryFiles(pool: pg.Pool, provider: ProviderId): Promise<StoredDelivery[]> {
  const { rows } = await pool.query<StoredDelivery>(
    `select id, spool_name as "spoolName" from webhook_delivery
      where provider = $1 and file_deleted_at is null order by seq`,
    [provider],
  );
  return rows;
}

/** Gives a delivery another file. @returns false if the file is gone or was replaced meanwhile */
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

/** The file that a delivery has in place of an earlier one; undefined if it has none or still has that one. */
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

/** Ends a delivery whose file has to go unread. @returns names of its files */
export async function removeDelivery(pool: pg.Pool, id: string, at: Date): Promise<string[]> {
  const { rows } = await pool.query<{ spool_name: string }>(
    `update webhook_delivery
        set state = 'done', ended_at = coalesce(ended_at, $2), file_deleted_at = $2, unmatched = '{}'
      where id = $1 and file_deleted_at is null returning spool_name`,
    [id, at],
  );
  return rows.map(({ spool_name }) => spool_name);
}

/** True if an erasure replaced or removed the file of a delivery since its reading began. */
export async function isFileReplaced(pool: pg.Pool, { id, spoolName }: WaitingDelivery): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select 1 from webhook_delivery where id = $1 and (spool_name <> $2 or file_deleted_at is not null)',
    [id, spoolName],
  );
  return rowCount === 1;
}

/** Those of the given files that a delivery still has. */
export async function neededDeliveryFiles(pool: pg.Pool, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ spool_name: string }>(
    'select spool_name from webhook_delivery where spool_name = any ($1::text[]) and file_deleted_at is null',
    [names],
  );
  return new Set(rows.map(({ spool_name }) => spool_name));
}

/** Deletes what nothing asks for any more, some rows at a time, so that none are locked for long. */
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
