import { pino } from 'pino';
import { SHORT_TIMING, startComposed } from '../support/composed.js';

// A worker process for a test to kill or to stop in the middle of an import: small batches make many transactions of it.
const service = await startComposed({
  databaseUrl: process.env.WORKER_POSTGRES ?? '',
  role: 'worker',
  env: { SPOOL_DIR: process.env.WORKER_SPOOL ?? '' },
  settings: { jobConcurrency: 4 },
  overrides: { batchSamples: 1000, jobTiming: SHORT_TIMING },
  log: pino({ level: 'error' }, pino.destination(2)),
});
process.once('SIGTERM', () => {
  void service.parts.queue.stop(0).then(() => process.exit(0));
});
