export { type ActivityParams, readActivity } from './activity/activity.js';
export { explainActivity } from './activity/explain-activity.js';
export { type BodyParams, readBody } from './body/body.js';
export { explainBody } from './body/explain-body.js';
export { type MenstrualCyclesParams, readMenstrualCycles } from './events/menstrual-cycles.js';
export { readSleepSession } from './events/sleep-session-detail.js';
export { readSleepSessions, type SleepSessionsParams } from './events/sleep-sessions.js';
export { readWorkout } from './events/workout-detail.js';
export { readWorkoutRoute } from './events/workout-route.js';
export { readWorkouts, type WorkoutsParams } from './events/workouts.js';
export { readDataGaps } from './gaps/data-gaps.js';
export { explainRecovery, explainSleep } from './nights/explain-nights.js';
export { readNightSources } from './nights/night-sources.js';
export { type RecoveryParams, readRecovery } from './nights/recovery-summary.js';
export { readSleepSummary, type SleepSummaryParams } from './nights/sleep-summary.js';
export { nearestOffset } from './nearest-offset.js';
export { AllUserCounts } from './overview/all-user-counts.js';
export { coverageMatrix, type DeclaredCoverage } from './overview/coverage.js';
export { createDashboard, type Dashboard } from './overview/dashboard.js';
export { readDataSources } from './overview/data-sources.js';
export { readDataSummary } from './overview/data-summary.js';
export { readDataVolume } from './overview/data-volume.js';
export { previewPriorities } from './overview/preview-priorities.js';
export { previewUpgrade } from './overview/preview-upgrade.js';
export { previewUserPriorities } from './overview/preview-user-priorities.js';
export { ServiceActivityCounts } from './overview/service-activity.js';
export { type HealthScoresParams, readHealthScores } from './scores/health-scores.js';
export { compareInAccount } from './selection/select-source.js';
export type { TimeseriesParams } from './timeseries/prepared-read.js';
export { streamTimeseries } from './timeseries/timeseries.js';
export {
  type Withheld,
  withheldActivity,
  withheldBody,
  withheldRecovery,
  withheldSleep,
} from './withheld.js';
