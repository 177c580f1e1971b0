import { setTimeout as sleep } from 'node:timers/promises';
import { answers } from './answering.js';
import type { ConnectionFile } from './connection-file.js';
import { EmbeddedDatabaseError } from './errors.js';
import { livingPostmaster, type Postmaster, readPostmaster } from './postmaster.js';
import { isAlive } from './process-identity.js';

/** It may be repairing itself, or ending after a shutdown that nobody waited for. */
const PATIENCE_SECONDS = 600;

/**
 * The server that a killed healthd has left running on this data directory, once it answers; nothing when there is none.
 * @throws EmbeddedDatabaseError `unresponsive`
 */
export async function adoptOrphan(
  dataDir: string,
  connection: ConnectionFile,
  onProgress?: (line: string) => void,
): Promise<Postmaster | undefined> {
  const deadline = Date.now() + PATIENCE_SECONDS * 1000;
  for (let found = await livingPostmaster(dataDir); found !== undefined; found = await livingPostmaster(dataDir)) {
    const reached = { ...connection, port: found.port };
    if (found.status === 'ready') {
      if (await answers(reached, dataDir)) return found;
      // A second try: it may have been about to stop.
      await sleep(500);
      if (isAlive(found.pid) && (await readPostmaster(dataDir))?.status === 'ready') {
        if (await answers(reached, dataDir)) return found;
        break;
      }
    }
    if (Date.now() > deadline) break;
    onProgress?.(`Waiting for Postgres (process ${found.pid}), which is ${found.status}`);
    await sleep(found.status === 'stopping' ? 100 : 500);
  }
  const silent = await livingPostmaster(dataDir);
  if (silent === undefined) return undefined;
  throw new EmbeddedDatabaseError(
    'unresponsive',
    `A Postgres (process ${silent.pid}) runs on the data directory ${dataDir} but does not answer. End that process and start again.`,
  );
}
