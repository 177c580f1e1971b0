import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type DaemonHome, inDatabase, newHome } from '../support/daemon.js';
import { setUpDatabase } from '../support/set-up-database.js';
import { type ArchivalCounts, archiveAfterAMonth, logIn } from './archive-loop.js';
import type { TriedBackup } from './backup-loop.js';
import { FaultProcess } from './fault-processes.js';
import type { LoadCounts, Phone } from './push-load.js';

const PHONES = 4;
const ADMIN = { ADMIN_EMAIL: 'ada@clinic.example', ADMIN_PASSWORD: 'a horse beside a blue window' };
/**
 * Time limit for expected events. It covers a start under load, and the minute before another worker claims a dead
 * worker's job.
 */
const LIMIT_MS = 240_000;

/** A service with its embedded Postgres, and the load on it. */
export interface EmbeddedWorld {
  home: DaemonHome;
  service: FaultProcess;
  /** Token of an administrator. */
  token: string;
  headers: Record<string, string>;
  phones: Phone[];
  counts: LoadCounts;
  backups: TriedBackup<Phone[]>[];
  archivals: ArchivalCounts;
}

/** Starts a service with phones. The service archives samples after a month. */
export async function openWorld(): Promise<EmbeddedWorld> {
  const home = newHome();
  await setUpDatabase(home.dataDir);
  const service = embeddedService(home, ADMIN);
  await service.start();
  const url = service.url ?? '';
  const headers = { 'X-Service-API-Key': service.apiKey ?? '', 'Content-Type': 'application/json' };
  const token = await logIn(url, ADMIN.ADMIN_EMAIL, ADMIN.ADMIN_PASSWORD);
  await archiveAfterAMonth({ service, token });
  const phones: Phone[] = [];
  while (phones.length < PHONES) {
    const response = await fetch(`${url}/api/v1/users`, { method: 'POST', headers, body: '{}' });
    phones.push({ userId: ((await response.json()) as { id: string }).id, accepted: [], made: 0 });
  }
  const counts: LoadCounts = { accepted: 0, later: 0, lost: 0, wrong: [] };
  return { home, service, token, headers, phones, counts, backups: [], archivals: { promised: 0, done: 0 } };
}

export function embeddedService(home: DaemonHome, settings: Record<string, string> = {}): FaultProcess {
  const own = { DATA_DIR: home.dataDir, HOME: home.folder, PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'fatal' };
  // The inbox is small, so phones wait for jobs and jobs never lag behind. The remaining work at the end is therefore
  // short.
  return new FaultProcess('all', { ...own, PUSH_INBOX_MAX_BYTES: '500000', ...settings });
}

/** Restarts the service whenever it has ended, like a service manager. */
export async function keepRunning({ service }: EmbeddedWorld, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    if (service.isIdle) await service.start();
    await sleep(50);
  }
}

/** Waits for an expected state. The service may restart and fail requests during the wait. */
export async function until(holds: () => Promise<boolean> | boolean, message: string): Promise<void> {
  const limit = Date.now() + LIMIT_MS;
  for (let cause: unknown; ; await sleep(150)) {
    try {
      if (await holds()) return;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (Date.now() > limit) throw new Error(message, { cause });
  }
}

/** True if every batch is processed. */
export async function isDrained(home: DaemonHome): Promise<boolean> {
  return (await inDatabase(home, (pool) => count(pool, "device_batch where state = 'received'"))) === 0;
}

export async function isProcessed(home: DaemonHome, batchId: string): Promise<boolean> {
  const waiting = `device_batch where batch_id = '${batchId}' and state = 'received'`;
  return (await inDatabase(home, (pool) => count(pool, waiting))) === 0;
}

export async function count(pool: pg.Pool, what: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select count(*)::int as n from ${what}`);
  return rows[0]?.n ?? 0;
}
