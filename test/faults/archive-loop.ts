import { setTimeout as sleep } from 'node:timers/promises';
import { runLockIsHeld } from '@healthd/daemon/platform/jobs';
import { type DaemonHome, inDatabase } from '../support/daemon.js';
import type { FaultProcess } from './fault-processes.js';

/** The service, and who may settle how long it keeps samples. */
export interface Archivist {
  service: FaultProcess;
  token: string;
}

/** Logs an administrator in. Logins are limited by address, and the token outlives the service: once is enough. */
export async function logIn(url: string, email: string, password: string): Promise<string> {
  const form = new URLSearchParams({ username: email, password });
  const login = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', body: form });
  if (!login.ok) throw new Error(`the login was answered ${login.status}`);
  return ((await login.json()) as { access_token: string }).access_token;
}

/** Samples are archived after a month from now on. Without this there is nothing to archive, and no next run either. */
export function archiveAfterAMonth(archivist: Archivist): Promise<void> {
  return call(archivist, 'PUT', '/api/v1/settings/archival', { archive_after_days: 30 });
}

export function requestArchiving(archivist: Archivist): Promise<void> {
  return call(archivist, 'POST', '/api/v1/settings/archival/run');
}

export interface ArchivalCounts {
  /** Runs that were requested and promised. */
  promised: number;
  /** Of these, how many were seen to have ended. */
  done: number;
}

/** Asks for archiving again and again, each time when the last run has ended. */
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
      // The service or its database is away; phones count that.
    }
  }
}

/** Resolves while a run of the archiving job is under way; rejects when the database goes away meanwhile. */
export function archivingBegins(home: DaemonHome, stop: AbortSignal): Promise<void> {
  return inDatabase(home, async (pool) => {
    const query = `select ${runLockIsHeld("'archive-old-data archival'")} as held`;
    while (!(await pool.query<{ held: boolean }>(query)).rows[0]?.held) {
      if (stop.aborted) throw new Error('nothing is waited for any more');
      await sleep(2);
    }
  });
}

/** Whether all that was requested has been done: the next run is that of another day. */
export async function isArchived(home: DaemonHome): Promise<boolean> {
  const { rowCount } = await inDatabase(home, (pool) =>
    pool.query('select from archival_setting where next_run_at > now()'),
  );
  return rowCount === 1;
}

async function call({ service, token }: Archivist, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}`);
}
