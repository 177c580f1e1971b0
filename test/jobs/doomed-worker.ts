import { DatabaseChannels } from '@healthd/daemon/platform/database';
import { createJobQueue } from '@healthd/daemon/platform/jobs';
import pg from 'pg';
import { stepJob } from './steps.js';

// A worker for a test to kill. It reports the start of each job and never finishes a job. The job `poison` kills the
// worker.
const connectionString = process.env.WORKER_POSTGRES ?? '';
const quiet = (): void => undefined;
const queue = createJobQueue({
  mongodbUri: process.env.WORKER_MONGODB,
  pool: new pg.Pool({ connectionString }),
  connectionString,
  channels: new DatabaseChannels({ url: connectionString }),
  concurrency: 2,
  role: 'worker',
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  timing: { lockMs: 600, pollMs: 100 },
});
queue.define(
  stepJob(async ({ id }) => {
    if (id === 'poison') process.kill(process.pid, 'SIGKILL');
    process.stdout.write(`began ${id}\n`);
    await new Promise(() => setInterval(quiet, 1000));
  }),
);
await queue.start();
process.stdout.write('ready\n');
