import type { Provider } from '@healthd/providers';
import type { AppOptions, Binding, Gate } from '../http/index.js';
import type { JobQueue, JobTiming } from '../platform/jobs/index.js';
import type { DecideThreadOptions } from '../store/write/index.js';

/** Options without a setting, only for tests of the service. */
export interface Overrides {
  /** Replaces the usual intervals of the queue. */
  jobTiming?: Partial<JobTiming>;
  /** Replaces the job store's result for every job. */
  tryEnqueue?: () => Promise<boolean>;
  /** Clock for reading from vendors. */
  now?: () => Date;
  /** Replaces the list of providers with an adapter. */
  providers?: readonly Provider[];
  /** Limits and program of the threads that decide about large batches. */
  decide?: Omit<DecideThreadOptions, 'threads'>;
  /** Number of an import's samples per transaction. */
  batchSamples?: number;
  /** Heartbeat interval of event streams. */
  heartbeatMs?: number;
  /** Maximum number of a caller's open event streams. */
  streamsPerCaller?: number;
  /** Seconds for which a used refresh token may be used again. */
  refreshGraceSeconds?: number;
  /** Replaces authentication. */
  authenticate?: Gate['authenticate'];
  /** Additional routes. */
  bindings?: readonly Binding[];
  /** Mounts pages before the service's own pages. */
  mount?: AppOptions['mount'];
}

/** Returns the queue with every job's `tryEnqueue` replaced. */
export function answeringFor(queue: JobQueue, tryEnqueue: () => Promise<boolean>): Pick<JobQueue, 'define' | 'sweep'> {
  return {
    define: (definition) => ({ ...queue.define(definition), tryEnqueue }),
    sweep: (sweeper) => queue.sweep(sweeper),
  };
}
