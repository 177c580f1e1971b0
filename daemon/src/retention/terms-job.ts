import { dayNumber, fromDayNumber, type ProviderId, SECONDS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import { z } from 'zod';
import { recordServiceAct } from '../audit/index.js';
import { countRows, ENDED_BY_PERSON, firstStoredDay, type VendorTerms } from '../connections/index.js';
import { inTransaction, lockUser, UserMissingError } from '../platform/database/index.js';
import { defineJob, type JobDefinition, type JobLog, type JobSweeper, RETRY_SOON } from '../platform/jobs/index.js';
import { expireUser, hasOldFigures } from '../store/archive/index.js';
import type { RecordWriter } from '../store/write/index.js';

const TERMS_JOB = 'apply-vendor-terms';

const EVERY_SECONDS = 6 * SECONDS_PER_HOUR;
const MAX_DURATION_SECONDS = 6 * SECONDS_PER_HOUR;
const USERS_PER_READ = 500;

export interface TermsServices {
  pool: pg.Pool;
  terms: Pick<VendorTerms, 'current' | 'lockInForce'>;
  writer: Pick<RecordWriter, 'deleteCloudDataIn'>;
}

export interface TermsRun extends TermsServices {
  nowMs: number;
  signal?: AbortSignal;
  log: Pick<JobLog, 'info' | 'error'>;
}

/** Result of a run. */
export interface TermsOutcome {
  /** Number of deleted rows: samples (including archived samples), nights, workouts, cycles and scores. */
  deletedRows: number;
  /** Number of users whose data could not be deleted. The next run retries. */
  failedUsers: number;
}

/**
 * Deletes vendor data whose storage accepted terms forbid: data of ended connections, and data older than a cache
 * limit. Each transaction checks that the term still applies. The run can stop at any moment; the next run continues.
 */
export async function applyVendorTerms(run: TermsRun): Promise<TermsOutcome> {
  const outcome: TermsOutcome = { deletedRows: 0, failedUsers: 0 };
  const { cacheDays, deletedOnDisconnect } = await run.terms.current();
  for (const provider of deletedOnDisconnect) {
    await forUsers(run, ENDED_USERS, provider, outcome, (userKey) => deleteEnded(run, provider, userKey));
  }
  for (const [provider, days] of cacheDays) {
    await forUsers(run, CLOUD_USERS, provider, outcome, (userKey) => deleteOlder(run, provider, days, userKey));
  }
  return outcome;
}

/** Users with data of a provider's cloud. Parameters: providers, last user of the previous page, limit. */
const CLOUD_USERS = `
select distinct s.user_key from data_source s
 where s.provider = any ($1::text[]) and s.from_cloud and s.user_key > $2 order by s.user_key limit $3`;

/** Users whose connection a person ended and who still have cloud data. Same parameters as {@link CLOUD_USERS}. */
const ENDED_USERS = `
select distinct s.user_key from connection c join data_source s on s.user_key = c.user_key and s.provider = c.provider
 where c.provider = any ($1::text[]) and ${ENDED_BY_PERSON('c')} and s.from_cloud and s.user_key > $2
 order by s.user_key limit $3`;

async function forUsers(
  { pool, signal, log }: TermsRun,
  users: string,
  provider: ProviderId,
  outcome: TermsOutcome,
  work: (userKey: number) => Promise<number>,
): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await pool.query<{ user_key: number }>(users, [[provider], after, USERS_PER_READ]);
    const last = rows.at(-1);
    if (!last) return;
    for (const { user_key: userKey } of rows) {
      signal?.throwIfAborted();
      try {
        outcome.deletedRows += await work(userKey);
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof UserMissingError) continue;
        outcome.failedUsers++;
        log.error(
          { event: 'vendor_terms_failed', err: error, user_key: userKey, provider },
          'Failed to delete data whose storage a vendor forbids',
        );
      }
    }
    after = last.user_key;
  }
}

/** A day that is later than any stored day, so that a limit of this day includes all rows. */
const END_OF_TIME = dayNumber('9000-01-01') as number;

/** Deletes all cloud data of a user who ended the connection. @returns the number of deleted rows */
async function deleteEnded(run: TermsRun, provider: ProviderId, userKey: number): Promise<number> {
  const { pool, terms, writer } = run;
  const isRequested = async (client: pg.ClientBase) => {
    if (!(await terms.lockInForce(client, provider)).deletedOnDisconnect.includes(provider)) return false;
    const { rowCount } = await client.query(
      `select from connection c where c.user_key = $1 and c.provider = $2 and ${ENDED_BY_PERSON('c')}`,
      [userKey, provider],
    );
    return rowCount === 1;
  };
  const because = 'because on_disconnect = delete was accepted';
  const rows = await deleteBefore(run, { provider, userKey, beforeDay: END_OF_TIME, isRequested, because });
  return inTransaction(pool, async (client) => {
    // Takes the lock before the check, because a new consent takes this lock too.
    await lockUser(client, userKey);
    if (!(await isRequested(client))) return rows;
    // Deletes the sources, and the rows that `deleteBefore` did not delete.
    const left = await writer.deleteCloudDataIn(client, userKey, provider);
    return rows + (left ? left.samples + left.sessions : 0);
  });
}

/** Deletes a user's cloud data of days older than the limit. @returns the number of deleted rows */
async function deleteOlder(run: TermsRun, provider: ProviderId, cacheDays: number, userKey: number): Promise<number> {
  return deleteBefore(run, {
    provider,
    userKey,
    beforeDay: firstStoredDay(cacheDays, run.nowMs),
    isRequested: async (client) =>
      (await run.terms.lockInForce(client, provider)).cacheDays.get(provider) === cacheDays,
    because: `because cache_days = ${cacheDays} was accepted`,
  });
}

/**
 * Deletes a provider's cloud data of days before `beforeDay`, in many short transactions. @returns the number of
 * deleted rows
 */
async function deleteBefore(
  { pool, signal }: TermsRun,
  { provider, userKey, beforeDay, isRequested, because }: Deletion,
): Promise<number> {
  const before = fromDayNumber(beforeDay);
  const rows = await inTransaction(pool, async (client) => {
    // Takes the lock to wait for a write that started before the operator accepted the term. Otherwise its rows would
    // be missed.
    await lockUser(client, userKey);
    const counted = await countRows(client, provider, { cloudOnly: true, before, userKey });
    return counted > 0 || (await hasOldFigures(client, userKey, provider, before)) ? counted : undefined;
  });
  if (rows === undefined) return 0;
  const which = beforeDay === END_OF_TIME ? 'rows' : `rows before ${before}`;
  const { samples, sessions } = await expireUser(pool, userKey, {
    beforeDay,
    cloudOf: provider,
    isRequested,
    audit: (client) => recordDeletion(client, userKey, `${provider}: ${rows} ${which} deleted, ${because}`),
    signal,
  });
  return samples + sessions;
}

interface Deletion {
  provider: ProviderId;
  userKey: number;
  /** First local day to keep, in days since 1970-01-01. */
  beforeDay: number;
  /** Called in each transaction. False stops the deletion. */
  isRequested: (client: pg.ClientBase) => Promise<boolean>;
  because: string;
}

function recordDeletion(client: pg.ClientBase, userKey: number, detail: string): Promise<void> {
  return recordServiceAct(client, { userKey, resource: 'provider_data', action: 'delete', job: TERMS_JOB, detail });
}

/**
 * Creates the job that applies vendor terms. It runs at its interval, after an operator changed terms, and soon after a
 * connection has ended.
 */
export function termsJob(services: TermsServices): JobDefinition<object> {
  return defineJob({
    name: TERMS_JOB,
    payload: z.object({}),
    key: () => 'terms',
    concurrency: 1,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    // Retries soon. The sweeper finds the same users within seconds, but does not wake a job that waits for its next
    // attempt.
    retry: RETRY_SOON,
    everySeconds: EVERY_SECONDS,
    async run(_payload, { signal, log }) {
      const outcome = await applyVendorTerms({ ...services, nowMs: Date.now(), signal, log });
      if (outcome.deletedRows > 0) {
        log.info({ event: 'vendor_terms_applied', ...outcome }, 'Deleted data whose storage vendors forbid');
      }
      if (outcome.failedUsers > 0) throw new Error(`Failed to delete data of ${outcome.failedUsers} users`);
    },
  });
}

/** Enqueues the job if data of an ended connection must be deleted. */
export function termsSweeper({ pool, terms }: Pick<TermsServices, 'pool' | 'terms'>): JobSweeper {
  return {
    name: TERMS_JOB,
    async findUnqueued() {
      const { deletedOnDisconnect } = await terms.current();
      if (deletedOnDisconnect.length === 0) return [];
      const { rows } = await pool.query(ENDED_USERS, [deletedOnDisconnect, 0, 1]);
      return rows.length > 0 ? [{}] : [];
    },
  };
}
