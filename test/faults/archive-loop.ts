import { setTimeout as sleep } from 'node:timers/promises';
import { runLockIsHeld } from '@healthd/daemon/platform/jobs';
import { type DaemonHome, inDatabase } from '../support/daemon.js';
import type { FaultProcess } from './fault-processes.js';

/** The service, and an account that may change the retention of samples. */
export interface Archivist {
  service: FaultProcess;
  token: string;
}

/** Logs in an administrator. Call it once: the token survives restarts, and logins are limited per IP address. */
export async function logIn(url: string, email: string, password: string): Promise<string> {
  const form = new URLSearchParams({ username: email, password });
  const login = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', body: form });
  if (!login.ok) throw new Error(`the login was answered ${login.status}`);
  return ((await login.json()) as { access_token: string }).access_token;
}

/** Sets archiving to samples older than 30 days. Otherwise archiving has no work and no next run. */
export function archiveAfterAMonth(archivist: Archivist): Promise<void> {
  return call(archivist, 'PUT', '/api/v1/settings/archival', { archive_after_days: 30 });
}

export function requestArchiving(archivist: Archivist): Promise<void> {
  return call(archivist, 'POST', '/api/v1/settings/archival/run');
}

export interface ArchivalCounts {
  /** Number of runs that the service acknowledged. */
  promised: number;
  /** Number of these runs that have ended. */
  done: number;
}

/** Requests archiving repeatedly, each time after the last run has ended. */
export async function archiveUntil(
  archivist: Archivist,
  home: DaemonHome,
  counts: ArchivalCounts,
  stop: AbortSignal,
): Promise<void> {
  for (let isDue = false; !stop.aborted; await sleep(300)) {
    try {
      if (!isDue) {
        await requestArchiving(archivist);
        counts.promised++;
        isDue = true;
      } else if (await isArchived(home)) {
        counts.done++;
        isDue = false;
      }
    } catch {
      // The service or its database is down. The push load (`push-load.ts`) counts these failures.
    }
  }
}

/** Resolves as soon as an archiving job runs. Rejects if the database goes down. */
export function archivingBegins(home: DaemonHome, stop: AbortSignal): Promise<void> {
  return inDatabase(home, async (pool) => {
    const query = `select ${runLockIsHeld("'archive-old-data archival'")} as held`;
    while (!(await pool.query<{ held: boolean }>(query)).rows[0]?.held) {
      if (stop.aborted) throw new Error('the wait was aborted');
      await sleep(2);
    }
  });
}

/** True if all requested runs are done. The next run is then on another day. */
export async function isArchived(home: DaemonHome): Promise<boolean> {
  const { rowCount } = await inDatabase(home, (pool) =>
    pool.query('select from archival_setting where next_run_at > now()'),
  );
  return rowCount === 1;
}

async function call({ service, token }: Archivist, method: string, path: string, body?: unknown): Promise<void> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}`);
}
