import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createUser, getSyncRun } from '@healthd/contract';
import type { ImportReport } from '@healthd/daemon/ingest/files';
import type { ImportAccepted, SyncRun } from '@healthd/schemas';
import type { Daemon } from '../support/daemon.js';

/** Creates a user. */
export async function newUser(daemon: Daemon): Promise<string> {
  return (await daemon.client.call(createUser, { body: {} })).id;
}

/** Uploads an export file as existing clients do. Resolves when the service has stored the file safely. */
export async function upload(daemon: Daemon, userId: string, path: string, query = ''): Promise<ImportAccepted> {
  const form = new FormData();
  form.set('file', new Blob([await readFile(path)]), basename(path));
  const response = await fetch(`${daemon.url}/api/v1/users/${userId}/import/apple/xml/direct${query}`, {
    method: 'POST',
    headers: { 'X-Service-API-Key': daemon.apiKey },
    body: form,
  });
  if (response.status !== 200)
    throw new Error(`the upload was answered with ${response.status}: ${await response.text()}`);
  return (await response.json()) as ImportAccepted;
}

/** Returns the run's current state. */
export function runNow(daemon: Daemon, runId: string): Promise<SyncRun> {
  return daemon.client.call(getSyncRun, { params: { run_id: runId } });
}

/** Returns the run once it has ended. */
export async function ended(daemon: Daemon, runId: string, seconds = 170): Promise<SyncRun> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const run = await runNow(daemon, runId);
    if (run.ended_at !== null) return run;
    if (Date.now() > until) throw new Error(`the run stays ${run.stage} (${run.message})\n${daemon.output.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Imports a file and returns its report. Fails unless the service accepted all items. */
export async function importFile(daemon: Daemon, userId: string, path: string, query = ''): Promise<ImportReport> {
  const run = await ended(daemon, (await upload(daemon, userId, path, query)).run_id);
  if (run.status !== 'success') throw new Error(`the import ended ${run.status}: ${run.message}`);
  return run.metadata.report as ImportReport;
}
