export { createRunProgress, type RunProgress } from './progress.js';
export { queuedEvent } from './queued-event.js';
export { DEFAULT_SYNC_RETENTION, deleteOldSyncStatus, type SyncRetention } from './retention.js';
export { SYNC_RETENTION_JOB, syncRetentionJob } from './retention-job.js';
export { findRun, listRuns, type RunFilter } from './run-queries.js';
export { isFinal, mayMove, type RunOutcome } from './run-states.js';
export { createSyncRuns, type NewRun, newRunId, type RunStep, type StepResult, type SyncRuns } from './runs.js';
