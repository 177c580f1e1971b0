export { type ConnectedServices, enqueuePull, startReading } from './connected.js';
export { nextPollAt } from './next-poll.js';
export { type PullJobServices, type PullPayload, pullJob, pullSweeper } from './pull-job.js';
export { createPullMetrics, type PullMetrics } from './pull-metrics.js';
export type { PullServices, PullSettings } from './pull-services.js';
export { requestBackfill, requestSync, requirePullable, waitForRun } from './request-sync.js';
export { pullRetrier } from './retry-pull.js';
export { schedulePullsJob } from './schedule-job.js';
export { schedulePulls } from './schedule-pulls.js';
