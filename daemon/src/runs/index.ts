export { runCleaning } from './clean-runs.js';
export { lastEventId } from './events/event-frames.js';
export { recentSyncEvents } from './events/sync-event.js';
export { createSyncNotifier, SYNC_CHANNEL, type SyncNotifier } from './events/sync-notifier.js';
export { type StreamStart, type SyncStreamOptions, SyncStreams } from './events/sync-stream.js';
export { moveNextTry } from './next-try.js';
export { createRunProgress, type RunProgress } from './progress.js';
export { appendEventsSql, queuedEvent, queueRunsSql } from './queued-event.js';
export { DEFAULT_SYNC_RETENTION, deleteOldSyncStatus, type SyncRetention } from './retention.js';
export { hasNewerData } from './retry/newer-data.js';
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
export type { RunOutcome } from './run-states.js';
export { createSyncRuns, FILE_RUN, newRunId } from './runs.js';
export { advanceRange } from './steps/progress-rows.js';
export { deleteProgress, endOpenRanges, giveUpType, recordFailure } from './steps/range-ends.js';
export { endOf } from './steps/run-end.js';
export { nextRange, type PlannedRange, planRanges, type RunRange } from './steps/run-ranges.js';
export { historyOf } from './sync-history.js';
export { type DataTypeReports, readReports } from './steps/run-report.js';
export { countsOf } from './steps/window-counts.js';
export type { NewRun, RunStep, StepResult, SyncRuns } from './sync-runs.js';
