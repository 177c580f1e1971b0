export { createJobQueue } from './agenda-queue.js';
export {
  defineJob,
  type Job,
  type JobContext,
  type JobDefinition,
  type JobLog,
  type JobRetry,
  type JobSweeper,
} from './definition.js';
export { failureCode, type JobFailureCode } from './failures.js';
export type { FinishedRun } from './job-run.js';
export type {
  JobQueue,
  JobQueueOptions,
  JobRunCounts,
  JobStatus,
  JobTiming,
  QueueStatus,
} from './queue.js';
export { RETRY_NEVER, RETRY_SOON, type RetryPolicy } from './retry.js';
export { type RunLockOutcome, runLockIsHeld, withRunLock } from './run-lock.js';
export type { StoredJobCounts } from './store.js';
