import { repairJob } from '@healthd/daemon/repairs';
import pg from 'pg';
import { recordWriter } from '../support/recorded-user.js';
import { jobContext } from './repair-context.js';

// A process for a test to kill. It repairs stored data until no repair is pending.
const pool = new pg.Pool({ connectionString: process.env.WORKER_POSTGRES ?? '' });
await repairJob({ pool, writer: recordWriter({ pool }) }).run({}, jobContext([]));
process.exit(0);
