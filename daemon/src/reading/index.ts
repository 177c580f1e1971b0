export { type ActivityParams, readActivity } from './activity/activity.js';
export { coverageMatrix, type DeclaredCoverage } from './coverage.js';
export { readDataSources } from './data-sources.js';
export { readDataSummary } from './data-summary.js';
export { readSleepSessions, type SleepSessionsParams } from './events/sleep-sessions.js';
export { readWorkouts, type WorkoutsParams } from './events/workouts.js';
export { forgetPriorities } from './priorities.js';
export { readSleepSummary, type SleepSummaryParams } from './sleep/sleep-summary.js';
export { readTimeseries, type TimeseriesParams } from './timeseries/timeseries.js';
