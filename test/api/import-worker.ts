import { pino } from 'pino';
import { SHORT_TIMING, startComposed } from '../support/composed.js';

// A worker process that a test kills or stops during an import. Small batches split the import into many transactions.
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
