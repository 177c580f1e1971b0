import type { Job } from '../../platform/jobs/index.js';
import type { PullServices } from './pull-services.js';

/** The name of the job that reads from vendors. */
export const PULL_JOB = 'read-from-vendor';

/** What the job needs. */
export interface PullJobServices extends PullServices {
  /** Accounts that one process reads at the same time. */
  accountsAtOnce: number;
}

/** The connection whose job is meant: the oldest one of the vendor account. */
export interface PullPayload {
  connection_id: string;
}

/** Enqueues the job that reads for a connection. */
export type PullEnqueuer = Pick<Job<PullPayload>, 'tryEnqueue'>;
