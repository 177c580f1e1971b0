import type { JobContext } from './jobs/index.js';

/** Something that a part of the service deletes when its time is over. `retention/` makes a job of it. */
export interface Cleaning {
  /** Of the job. */
  readonly name: string;
  readonly everySeconds: number;
  /** Deletes what is due, and says so in the log. Stops between two statements when the signal is aborted. */
  clean(context: Pick<JobContext, 'signal' | 'log'>): Promise<void>;
}
