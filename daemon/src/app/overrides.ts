import type { Provider } from '@healthd/providers';
import type { AppOptions, Binding, Gate } from '../http/index.js';
import type { JobQueue, JobTiming } from '../platform/jobs/index.js';
import type { DecideThreadOptions } from '../store/write/index.js';

/** Options without a setting, only for tests of the service. */
export interface Overrides {
  /** Replaces the usual intervals of the queue. */
  jobTiming?: Partial<JobTiming>;
  /** Replaces `tryEnqueue` of every job. */
  tryEnqueue?: () => Promise<boolean>;
  /** Clock for reading from vendors. */
  now?: () => Date;
  /** Replaces the list of providers. */
  providers?: readonly Provider[];
  /** Limits and program of the threads that compute decisions about large batches. */
  decide?: Omit<DecideThreadOptions, 'threads'>;
  /** Number of samples that an import stores per transaction. */
  batchSamples?: number;
  /** Heartbeat interval of event streams. */
  heartbeatMs?: number;
  /** Maximum number of open event streams per caller. */
  streamsPerCaller?: number;
  /** Seconds for which a client can repeat a refresh with the replaced token. */
  refreshGraceSeconds?: number;
  /** Replaces authentication. */
  authenticate?: Gate['authenticate'];
  /** Additional routes. */
  bindings?: readonly Binding[];
  /** Mounts pages before the service's own pages. */
  mount?: AppOptions['mount'];
}

/** Returns the queue with every job's `tryEnqueue` replaced. */
export function withTryEnqueue(
  queue: JobQueue,
  tryEnqueue: () => Promise<boolean>,
): Pick<JobQueue, 'define' | 'sweep'> {
  return {
    define: (definition) => ({ ...queue.define(definition), tryEnqueue }),
    sweep: (sweeper) => queue.sweep(sweeper),
  };
}
