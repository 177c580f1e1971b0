import { MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { recordServiceAct } from '../audit/index.js';
import { UserMissingError } from '../platform/database/index.js';
import type { JobLog } from '../platform/jobs/index.js';
import type { PriorityStore } from '../priorities/index.js';
import { compareInAccount, readNightSources } from '../query/index.js';
import { archiveUser, ensureStatistics, expireUser } from '../store/archive/index.js';
import type { ArchivalSettings } from './archival-settings.js';

export const ARCHIVAL_JOB = 'archive-old-data';

const USERS_PER_READ = 500;

/** Result of a run. */
export interface ArchivalOutcome {
  archivedSamples: number;
  deletedSamples: number;
  /** Number of users that failed because of a server error. The next run retries them. */
  failedUsers: number;
}

export interface ArchivalRun {
  pool: pg.Pool;
  /** Priorities that determine which source's minutes are kept. */
  priorities: Pick<PriorityStore, 'current'>;
  /** Returns providers whose cloud data is currently never archived. Default: none. */
  neverArchived?: (() => Promise<readonly string[]>) | undefined;
  settings: ArchivalSettings;
  nowMs: number;
  signal?: AbortSignal;
  log: Pick<JobLog, 'error'>;
}

/**
 * Deletes and archives the old days of all users in sequence. A day is old if its local date is before today's date in
 * UTC minus the setting. The run can stop at any time; the next run continues.
 */
export async function archiveOldData(run: ArchivalRun): Promise<ArchivalOutcome> {
  const outcome: ArchivalOutcome = { archivedSamples: 0, deletedSamples: 0, failedUsers: 0 };
  await ensureStatistics(run.pool);
  for (let after = 0; ; ) {
    const { rows } = await run.pool.query<{ user_key: number }>(
      'select user_key from health_user where user_key > $1 order by user_key limit $2',
      [after, USERS_PER_READ],
    );
    const last = rows.at(-1);
    if (!last) return outcome;
    for (const { user_key: userKey } of rows) {
      run.signal?.throwIfAborted();
      await archiveOne(run, userKey, outcome);
    }
    after = last.user_key;
  }
}

async function archiveOne(run: ArchivalRun, userKey: number, outcome: ArchivalOutcome): Promise<void> {
  const { pool, settings, signal, log } = run;
  const { archiveAfterDays, deleteAfterDays } = settings;
  const today = Math.floor(run.nowMs / MS_PER_DAY);
  try {
    if (deleteAfterDays !== null) {
      const audit = (client: pg.ClientBase) =>
        recordServiceAct(client, { userKey, resource: 'sample', action: 'delete', job: ARCHIVAL_JOB });
      const expired = await expireUser(pool, userKey, { beforeDay: today - deleteAfterDays, audit, signal });
      outcome.deletedSamples += expired.samples;
    }
    if (archiveAfterDays !== null) {
      const priorities = await run.priorities.current();
      outcome.archivedSamples += await archiveUser(pool, userKey, {
        beforeDay: today - archiveAfterDays,
        compare: compareInAccount(priorities),
        deviceOrder: priorities.deviceOrder,
        neverArchived: run.neverArchived,
        readNightSources: (firstDate, lastDate) => readNightSources(run, userKey, firstDate, lastDate),
        signal,
      });
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UserMissingError) return;
    outcome.failedUsers++;
    log.error({ event: 'archival_failed', err: error, user_key: userKey }, "Failed to archive a user's old data");
  }
}
