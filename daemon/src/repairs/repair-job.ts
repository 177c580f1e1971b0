import { SECONDS_PER_HOUR } from '@healthd/model';
import type pg from 'pg';
import { z } from 'zod';
import { inTransaction, lockUser, UserMissingError } from '../platform/database/index.js';
import {
  defineJob,
  type JobContext,
  type JobDefinition,
  type JobSweeper,
  RETRY_NEVER,
} from '../platform/jobs/index.js';
import type { RecordWriter } from '../store/write/index.js';
import { REPAIRS, type Repaired } from './repairs.js';

const REPAIR_JOB = 'repair-stored-data';
const MAX_DURATION_SECONDS = SECONDS_PER_HOUR;
const USERS_PER_READ = 100;
/** A user who could not be repaired is tried again after this time. */
const RETRY_MINUTES = 15;

interface PendingRepair {
  user_key: number;
  repair: string;
}

/**
 * Repairs one user after the other, each in transactions of which the last one takes the user off the list: whenever it
 * is killed, the next run goes on with what is left.
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
        // Sources are compared after many a batch, and mostly there is nothing to do.
        if (outcome.correctedRows + outcome.failedUsers === 0) continue;
        log.info({ event: 'stored_data_repaired', ...outcome }, 'Corrected stored data');
      }
    },
  });
}

/** Finds out whether anything is left to repair. */
export function repairSweeper({ pool }: { pool: pg.Pool }): JobSweeper {
  return {
    name: REPAIR_JOB,
    findUnqueued: async () => ((await duePending(pool, 1)).length > 0 ? [{}] : []),
  };
}

async function duePending(pool: pg.Pool, limit: number): Promise<PendingRepair[]> {
  const { rows } = await pool.query<PendingRepair>(
    `select user_key, repair from pending_repair
      where retry_at <= now() and repair = any ($1::text[]) order by retry_at, user_key limit $2`,
    [[...REPAIRS.keys()], limit],
  );
  return rows;
}

/** @returns what was done in one transaction; undefined when it failed and is postponed */
async function repairOne(
  { pool, writer, log }: { pool: pg.Pool; writer: RecordWriter; log: JobContext['log'] },
  { user_key: userKey, repair }: PendingRepair,
): Promise<Repaired | undefined> {
  const remove = (client: Pick<pg.Pool, 'query'>) =>
    client.query('delete from pending_repair where user_key = $1 and repair = $2', [userKey, repair]);
  try {
    return await inTransaction(pool, async (client) => {
      // Anyone who asks for a repair again holds this lock too, so that its beginning is not overwritten.
      await lockUser(client, userKey);
      const { rows } = await client.query<{ resume_at: Date | null }>(
        'select resume_at from pending_repair where user_key = $1 and repair = $2',
        [userKey, repair],
      );
      if (!rows[0]) return { corrected: 0 };
      const repaired = await REPAIRS.get(repair)?.(client, userKey, {
        resumeAt: rows[0].resume_at ?? undefined,
        writer,
      });
      if (repaired?.resumeAt === undefined) await remove(client);
      else {
        await client.query('update pending_repair set resume_at = $3 where user_key = $1 and repair = $2', [
          userKey,
          repair,
          repaired.resumeAt,
        ]);
      }
      return repaired ?? { corrected: 0 };
    });
  } catch (error) {
    if (error instanceof UserMissingError) {
      await remove(pool);
      return { corrected: 0 };
    }
    log.error(
      { event: 'repair_failed', err: error, user_key: userKey, repair },
      'Failed to correct the stored data of a user',
    );
    await pool.query(
      `update pending_repair set retry_at = now() + make_interval(mins => $3) where user_key = $1 and repair = $2`,
      [userKey, repair, RETRY_MINUTES],
    );
    return undefined;
  }
}
