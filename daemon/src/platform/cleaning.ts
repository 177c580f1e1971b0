import type { JobContext } from './jobs/index.js';

/** A periodic deletion of expired data. `retention/` turns it into a job. */
export interface Cleaning {
  /** Name of the job. */
  readonly name: string;
  readonly everySeconds: number;
  /** Deletes expired data and logs the deletion. Stops between two statements if the signal is aborted. */
  clean(context: Pick<JobContext, 'signal' | 'log'>): Promise<void>;
}
