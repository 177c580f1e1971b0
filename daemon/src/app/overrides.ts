import type { Provider } from '@healthd/providers';
import type { AppOptions, Binding, Gate } from '../http/index.js';
import type { JobQueue, JobTiming } from '../platform/jobs/index.js';
import type { DecideThreadOptions } from '../store/write/index.js';

/** What no setting says, for tests of the service; the program gives none of it. */
export interface Overrides {
  /** Instead of the usual intervals of the queue. */
  jobTiming?: Partial<JobTiming>;
  /** Instead of what the job store answers, for every job. */
  tryEnqueue?: () => Promise<boolean>;
  /** What reading from vendors takes for the time. */
  now?: () => Date;
  /** Instead of all that have an adapter. */
  providers?: readonly Provider[];
  /** Limits and program of the threads that decide about large batches. */
  decide?: Omit<DecideThreadOptions, 'threads'>;
  /** Samples of an import in one transaction. */
  batchSamples?: number;
  /** Between two signs of life on a stream of events. */
  heartbeatMs?: number;
  /** Streams of events that a caller may have open. */
  streamsPerCaller?: number;
  /** How long a refresh token that was used may be used again. */
  refreshGraceSeconds?: number;
  /** Instead of asking for credentials. */
  authenticate?: Gate['authenticate'];
  /** Further routes. */
  bindings?: readonly Binding[];
  /** Pages before those of the service. */
  mount?: AppOptions['mount'];
}

/** The queue, with what every job's `tryEnqueue` does replaced. */
export function answeringFor(queue: JobQueue, tryEnqueue: () => Promise<boolean>): Pick<JobQueue, 'define' | 'sweep'> {
  return {
    define: (definition) => ({ ...queue.define(definition), tryEnqueue }),
    sweep: (sweeper) => queue.sweep(sweeper),
  };
}
