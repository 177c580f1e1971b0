import { createPool } from '@healthd/daemon/platform/database';
import { importParts } from './import-parts.js';

// A worker process for a test to kill or to stop in the middle of an import.
const quiet = (): void => undefined;
const databaseUrl = process.env.WORKER_POSTGRES ?? '';
const { queue } = await importParts({
  pool: createPool({ url: databaseUrl, max: 8 }),
  databaseUrl,
  spoolDir: process.env.WORKER_SPOOL ?? '',
  role: 'worker',
  log: { debug: quiet, info: quiet, warn: quiet, error: (fields, text) => console.error(text, fields) },
  batchSamples: 1000,
});
await queue.start();
process.once('SIGTERM', () => {
  void queue.stop(0).then(() => process.exit(0));
});
