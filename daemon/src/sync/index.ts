export { createRunProgress, type RunProgress } from './progress.js';
export { type ConnectedServices, enqueuePull, startReading } from './pull/connected.js';
export { nextPollAt } from './pull/next-poll.js';
export { type PullJobServices, pullJob, pullSweeper } from './pull/pull-job.js';
export { createPullMetrics, type PullMetrics } from './pull/pull-metrics.js';
export type { PullServices, PullSettings } from './pull/pull-services.js';
export { requestBackfill, requestSync, requirePullable, waitForRun } from './pull/request-sync.js';
export type { DataTypeReports } from './pull/run-report.js';
export { schedulePullsJob } from './pull/schedule-job.js';
export { schedulePulls } from './pull/schedule-pulls.js';
export { queuedEvent } from './queued-event.js';
export { DEFAULT_SYNC_RETENTION, deleteOldSyncStatus, type SyncRetention } from './retention.js';
export { SYNC_RETENTION_JOB, syncRetentionJob } from './retention-job.js';
export { hasNewerData } from './retry/newer-data.js';
export { pullRetrier } from './retry/retry-pull.js';
export {
  type EndedRun,
  type QueuedRetry,
  type RetryServices,
  type RunRetrier,
  retriersOf,
  retryMetadata,
  retryRun,
} from './retry/retry-run.js';
export { findRun, findRunRow, listRuns, type RunFilter } from './run-queries.js';
export type { RunRow } from './run-row.js';
export { isFinal, mayMove, type RunOutcome } from './run-states.js';
export { createSyncRuns, type NewRun, newRunId, type RunStep, type StepResult, type SyncRuns } from './runs.js';
export { cleanNotificationsJob } from './webhooks/clean-notifications.js';
export {
  admitsDelivery,
  type Delivery,
  type DeliveryAnswer,
  receiveDelivery,
} from './webhooks/receive-notifications.js';
