import type { SystemStatus } from '@healthd/schemas';
import type pg from 'pg';
import type { FeedLag } from '../feed/index.js';
import type { JobQueue } from '../platform/jobs/index.js';
import { createVault } from '../vault/index.js';
import { diskSpace, type writtenFolders } from './disk-space.js';
import { sealedByKey } from './key-check.js';
import type { Keys } from './keys.js';
import { VERSION } from './version.js';

export interface SystemStatusOptions {
  pool: pg.Pool;
  queue: Pick<JobQueue, 'status'>;
  folders: ReturnType<typeof writtenFolders>;
  encryptionKeys: Keys['encryptionKeys'];
  feedLag(): Promise<FeedLag>;
  /** True if this process has the setting FEED=on. */
  isFeedOn: boolean;
  repairs(): Promise<SystemStatus['repairs']>;
  unprovenDeliveries(): Promise<SystemStatus['unproven_deliveries']>;
}

/** Returns a function that reads the status of this process and its dependencies. */
export function systemStatus({
  pool,
  queue,
  folders,
  encryptionKeys,
  feedLag,
  isFeedOn,
  repairs,
  unprovenDeliveries,
}: SystemStatusOptions): () => Promise<SystemStatus> {
  const startedAt = new Date().toISOString();
  return async () => {
    const [database, { store, storeIsUp, jobs }, disks, sealed, feed, pendingRepairs, unproven] = await Promise.all([
      databaseFacts(pool),
      queue.status(),
      Promise.all(folders.map(({ holds, folder }) => diskOf(holds, folder))),
      sealedValues(pool, encryptionKeys),
      feedLag(),
      repairs(),
      unprovenDeliveries(),
    ]);
    return {
      version: VERSION,
      node_version: process.versions.node,
      ...database,
      started_at: startedAt,
      disks: disks.flat(),
      job_store: { kind: store, is_up: storeIsUp },
      jobs: jobs.map(({ name, waiting, scheduled, running, failing, oldestWaitingSince }) => ({
        name,
        waiting,
        scheduled,
        running,
        failing,
        oldest_waiting_since: oldestWaitingSince?.toISOString() ?? null,
      })),
      sealed,
      feed: {
        is_on: feed.isOn,
        has_other_setting: feed.isOn !== isFeedOn,
        waiting: feed.waiting,
        oldest_waiting_since: feed.oldestWaitingSince?.toISOString() ?? null,
      },
      repairs: pendingRepairs,
      unproven_deliveries: unproven,
    };
  };
}

/** Opens the connection before it reads the clock. Otherwise the connection time would count as a clock difference. */
async function databaseFacts(
  pool: pg.Pool,
): Promise<Pick<SystemStatus, 'postgres_version' | 'database_clock_ahead_seconds'>> {
  const client = await pool.connect();
  try {
    const requestedAtMs = Date.now();
    const { rows } = await client.query<{ version: string; now_ms: number }>(
      `select current_setting('server_version') as version,
              (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`,
    );
    const { version = '', now_ms = requestedAtMs } = rows[0] ?? {};
    const aheadMs = now_ms - (requestedAtMs + Date.now()) / 2;
    return {
      postgres_version: version.split(' ')[0] ?? '',
      database_clock_ahead_seconds: Math.round(aheadMs) / 1_000,
    };
  } finally {
    client.release();
  }
}

/** Returns the disk's space; an empty list if the folder cannot be read. */
async function diskOf(holds: SystemStatus['disks'][number]['holds'], folder: string): Promise<SystemStatus['disks']> {
  const space = await diskSpace(folder);
  return space ? [{ holds, free_bytes: space.freeBytes, capacity_bytes: space.totalBytes }] : [];
}

async function sealedValues(pool: pg.Pool, keys: Keys['encryptionKeys']): Promise<SystemStatus['sealed']> {
  const vault = createVault(keys);
  const counts = new Map((await sealedByKey(pool)).map(({ key_id, count }) => [key_id, count]));
  const ids = [...new Set([vault.currentKeyId, ...counts.keys()])];
  return ids.map((key_id) => ({
    key_id,
    values: counts.get(key_id) ?? 0,
    is_current: key_id === vault.currentKeyId,
    is_known: vault.hasKey(key_id),
  }));
}
