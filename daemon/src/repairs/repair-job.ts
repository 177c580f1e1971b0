import { SECONDS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import type { SystemStatus } from '@healthd/schemas';
import { z } from 'zod';
import { inTransaction, lockUser, UserMissingError } from '../platform/database/index.js';
import {
  defineJob,
  type JobContext,
  type JobDefinition,
  type JobSweeper,
  RETRY_NEVER,
} from '../platform/jobs/index.js';
import {
  advanceRepair,
  countRepairedUser,
  dueRepairs,
  endRepair,
  finishProgress,
  JOIN_SOURCES,
  type PendingRepair,
  PLACE_ITEMS,
  postponeRepair,
  readRepairProgress,
  startOfRepair,
  startProgress,
} from '../store/facts/index.js';
import type { RecordWriter } from '../store/write/index.js';

/**
 * Result of one transaction of a repair. `resumeAt` is the position at which the next transaction continues; undefined
 * once the repair is complete.
 */
interface Repaired {
  corrected: number;
  resumeAt?: Date;
}

/** Repairs one user's stored data in the caller's transaction, which holds the user's lock. Idempotent. */
type Repair = (
  client: pg.ClientBase,
  userKey: number,
  input: { resumeAt: Date | undefined; writer: RecordWriter },
) => Promise<Repaired>;

/** Constant position of a repair that finds its remaining work itself. */
const REMAINING_WORK = new Date(0);

/** Repairs by name in `pending_repair`. Each returns the number of corrected rows. */
const REPAIRS: ReadonlyMap<string, Repair> = new Map<string, Repair>([
  ['judge_naps', async (client, userKey, { writer }) => ({ corrected: await writer.reclassifyNaps(client, userKey) })],
  ['night_sources', (client, userKey, { resumeAt, writer }) => writer.rebuildNights(client, userKey, resumeAt)],
  ['lost_nights', (client, userKey, { resumeAt, writer }) => writer.assembleLostNights(client, userKey, resumeAt)],
  [PLACE_ITEMS, (client, userKey, { resumeAt, writer }) => writer.redateItems(client, userKey, resumeAt)],
  [
    JOIN_SOURCES,
    async (client, userKey, { writer }) => {
      const { joined, isDone } = await writer.joinSources(client, userKey);
      return { corrected: joined, resumeAt: isDone ? undefined : REMAINING_WORK };
    },
  ],
]);

/** Repairs that an upgrade queues for many users, with the titles under which the status shows their progress. */
const UPGRADE_REPAIRS: Readonly<Record<string, string>> = {
  judge_naps: 'Classifying naps',
  lost_nights: 'Restoring nights',
  night_sources: 'Rebuilding nights',
};

const REPAIR_JOB = 'repair-stored-data';
const MAX_DURATION_SECONDS = SECONDS_PER_HOUR;
const USERS_PER_READ = 100;
/** Minutes until a failed repair of a user is retried. */
const RETRY_MINUTES = 15;

/**
 * Repairs users in sequence. The last transaction of a user also removes the user from the list, so after a crash the
 * next run continues with the remaining users.
 */
export function repairJob({ pool, writer }: { pool: pg.Pool; writer: RecordWriter }): JobDefinition<object> {
  return defineJob({
    name: REPAIR_JOB,
    payload: z.object({}),
    key: () => REPAIR_JOB,
    concurrency: 1,
    maxDurationSeconds: MAX_DURATION_SECONDS,
    retry: RETRY_NEVER,
    async run(_payload, { signal, log }) {
      const outcome = { users: 0, correctedRows: 0, failedUsers: 0 };
      for (;;) {
        const due = await duePending(pool, USERS_PER_READ);
        if (due.length === 0) break;
        await startProgress(pool, [...new Set(due.map(({ repair }) => repair).filter(isUpgradeRepair))]);
        for (const pending of due) {
          let repaired: Repaired | undefined;
          do {
            signal.throwIfAborted();
            repaired = await repairOne({ pool, writer, log }, pending);
            outcome.correctedRows += repaired?.corrected ?? 0;
          } while (repaired?.resumeAt);
          if (repaired) outcome.users++;
          else outcome.failedUsers++;
        }
        await finishProgress(pool);
        // Logs only changes. Sources are compared after many batches, mostly without a change.
        if (outcome.correctedRows + outcome.failedUsers === 0) continue;
        log.info({ event: 'stored_data_repaired', ...outcome }, 'Corrected stored data');
      }
    },
  });
}

/** Enqueues the job if a repair is pending. */
export function repairSweeper({ pool }: { pool: pg.Pool }): JobSweeper {
  return {
    name: REPAIR_JOB,
    findUnqueued: async () => ((await duePending(pool, 1)).length > 0 ? [{}] : []),
  };
}

/** Returns the progress of the repairs after an upgrade. */
export async function repairProgress(pool: pg.Pool): Promise<SystemStatus['repairs']> {
  const progress = await readRepairProgress(pool, Object.keys(UPGRADE_REPAIRS));
  return progress.map(({ repair, usersDone, usersTotal, usersFailed, startedAt, finishedAt }) => ({
    name: repair,
    title: UPGRADE_REPAIRS[repair] ?? repair,
    users_done: usersDone,
    users_total: usersTotal,
    users_failed: usersFailed,
    started_at: startedAt?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
  }));
}

function isUpgradeRepair(repair: string): boolean {
  return repair in UPGRADE_REPAIRS;
}

function duePending(pool: pg.Pool, limit: number): Promise<PendingRepair[]> {
  return dueRepairs(pool, [...REPAIRS.keys()], limit);
}

/** Runs one transaction of a user's repair. @returns undefined if it failed and was rescheduled */
async function repairOne(
  { pool, writer, log }: { pool: pg.Pool; writer: RecordWriter; log: JobContext['log'] },
  pending: PendingRepair,
): Promise<Repaired | undefined> {
  const { userKey, repair } = pending;
  try {
    return await inTransaction(pool, async (client) => {
      await lockUser(client, userKey);
      const start = await startOfRepair(client, pending);
      if (!start) return { corrected: 0 };
      const repaired = await REPAIRS.get(repair)?.(client, userKey, { resumeAt: start.resumeAt, writer });
      if (repaired?.resumeAt === undefined) {
        await endRepair(client, pending);
        if (isUpgradeRepair(repair)) await countRepairedUser(client, repair);
      } else await advanceRepair(client, pending, repaired.resumeAt);
      return repaired ?? { corrected: 0 };
    });
  } catch (error) {
    if (error instanceof UserMissingError) {
      await endRepair(pool, pending);
      return { corrected: 0 };
    }
    log.error(
      { event: 'repair_failed', err: error, user_key: userKey, repair },
      "Failed to correct a user's stored data",
    );
    await postponeRepair(pool, pending, RETRY_MINUTES);
    return undefined;
  }
}
