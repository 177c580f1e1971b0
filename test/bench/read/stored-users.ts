import { createPool } from '@healthd/daemon/platform/database';
import { composeRecordWriter } from '@healthd/daemon/record-writer';
import { MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import type { DaemonProcess } from '../daemon-process.js';
import { DAYS, yearPart } from './stored-year.js';

const USERS = 200;
/** Share of all samples that belong to the one large user. */
const LARGE_SHARE = 0.15;
/** Number of parts into which the year's writes are divided. */
const PARTS = 6;
/** Number of users written in parallel, one connection each. */
const WRITERS = 2;

export interface StoredUser {
  id: string;
  userKey: number;
  /** Number of days with data. The last day is yesterday. */
  days: number;
  samplesPerDay: number;
}

/** Stored data for the reads. */
export interface StoredUsers {
  large: StoredUser;
  others: StoredUser[];
  samples: number;
  samplesOfLarge: number;
  /** Number of the last local day with data, counted since 1970-01-01. It is the day before the load. */
  lastDay: number;
  loadSeconds: number;
}

/**
 * Fills the service with about `samples` samples of 200 users over a year that ended yesterday. One user has 15 % of
 * the samples. A third of the other users has the whole year, a third has the last eight months, and a third has the
 * last four months. The API creates the users, and the service's writer stores the data and maintains all roll-ups. The
 * writer stores two months of all users at a time, so that a user's rows are not contiguous in the table.
 */
export async function storeUsers(daemon: DaemonProcess, samples: number): Promise<StoredUsers> {
  const pool = createPool({ url: daemon.databaseUrl, max: WRITERS });
  try {
    const users = await createUsers(daemon, pool, samples);
    const lastDay = Math.floor(Date.now() / MS_PER_DAY) - 1;
    const startedMs = performance.now();
    const writer = composeRecordWriter(pool, { sleepEndGapMinutes: 120, storeRoutes: true, decideThreads: 2 });
    for (let part = 0; part < PARTS; part++) {
      const [from, before] = [part, part + 1].map((edge) => Math.floor((DAYS * edge) / PARTS)) as [number, number];
      const waiting = users.map((user, number) => ({ user, number }));
      const work = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const { userKey, days, samplesPerDay } = next.user;
          const first = Math.max(from, DAYS - days);
          const batches = yearPart(next.number, samplesPerDay, lastDay - DAYS + 1 + first, before - first);
          for (const batch of batches) await writer.write(userKey, batch);
        }
      };
      await Promise.all(Array.from({ length: WRITERS }, work));
      process.stderr.write(`  ${part + 1} of ${PARTS} parts of the year\n`);
    }
    // Replaces autovacuum, which would have run in an older service.
    await pool.query('vacuum (analyze)');
    await pool.query('checkpoint');
    const loadSeconds = (performance.now() - startedMs) / 1000;
    const { rows } = await pool.query<{ all: number; large: number }>(
      'select count(*) as all, count(*) filter (where user_key = $1) as large from sample',
      [users[0]?.userKey],
    );
    const [large, ...others] = users;
    if (!large || !rows[0]) throw new Error('nothing was stored');
    return { large, others, samples: rows[0].all, samplesOfLarge: rows[0].large, lastDay, loadSeconds };
  } finally {
    await pool.end();
  }
}

async function createUsers(daemon: DaemonProcess, pool: pg.Pool, samples: number): Promise<StoredUser[]> {
  const users: StoredUser[] = [];
  for (let n = 0; n < USERS; n++) {
    const { id } = await daemon.post<{ id: string }>('/api/v1/users', {});
    const { rows } = await pool.query<{ user_key: number }>('select user_key from health_user where id = $1', [id]);
    if (!rows[0]) throw new Error('a user was not created');
    const days = n === 0 ? DAYS : DAYS * (((n % 3) + 1) / 3);
    const share = n === 0 ? LARGE_SHARE : (1 - LARGE_SHARE) / (USERS - 1);
    users.push({ id, userKey: rows[0].user_key, days, samplesPerDay: (samples * share) / days });
  }
  return users;
}
