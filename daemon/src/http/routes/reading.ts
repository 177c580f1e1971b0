import {
  explainActivitySummary,
  explainBodySummary,
  explainRecoverySummary,
  explainSleepSummary,
  getActivitySummary,
  getBodySummary,
  getCoverage,
  getDashboardStats,
  getDataGaps,
  getDataSummary,
  getDataVolume,
  getRecoverySummary,
  getServiceActivity,
  getSingleTimeseries,
  getSleepSession,
  getSleepSummary,
  getTimeseries,
  getWorkout,
  listDataSources,
  listHealthScores,
  listMenstrualCycles,
  listSleepSessions,
  listWorkouts,
} from '@healthd/contract';
import type { ActivityMerge } from '@healthd/schemas';
import type pg from 'pg';
import { Failure } from '../../platform/failures.js';
import type { PriorityStore } from '../../priorities/index.js';
import {
  type AllUserCounts,
  coverageMatrix,
  createDashboard,
  type DeclaredCoverage,
  explainActivity,
  explainBody,
  explainRecovery,
  explainSleep,
  readActivity,
  readBody,
  readDataGaps,
  readDataSources,
  readDataSummary,
  readDataVolume,
  readHealthScores,
  readMenstrualCycles,
  readRecovery,
  readSleepSession,
  readSleepSessions,
  readSleepSummary,
  readWorkout,
  readWorkouts,
  ServiceActivityCounts,
  streamTimeseries,
} from '../../query/index.js';
import { type Binding, bind } from '../binding.js';
import { streamed } from './envelope-stream.js';
import { dateRange, eitherDateRange } from './reading-range.js';

export interface ReadingRouteOptions {
  pool: pg.Pool;
  priorities: PriorityStore;
  /** Over all users; those of other routes wait for each other too. */
  counts: AllUserCounts;
  /** What the providers of this service declare. */
  coverage: readonly DeclaredCoverage[];
  /** How activity treats sources that overlap where the request does not say it. */
  activityMerge?: ActivityMerge;
  /** Clients of the compatible API get the number of samples with the first page only. */
  countsFirstPageOnly?: boolean;
}

/** Routes that give back what was stored. */
export function readingRoutes({
  pool,
  priorities,
  counts,
  coverage,
  activityMerge = 'source',
  countsFirstPageOnly = false,
}: ReadingRouteOptions): Binding[] {
  const summaries = { pool, priorities };
  const matrix = coverageMatrix(coverage);
  const dashboard = createDashboard(pool);
  const serviceActivity = new ServiceActivityCounts(pool);
  return [
    bind(getActivitySummary, ({ user, query: { sort_order: sortOrder, merge = activityMerge, ...query } }) =>
      readActivity(summaries, user.userKey, { ...dateRange(query), sortOrder, merge }),
    ),
    bind(explainActivitySummary, ({ user, query: { date, merge = activityMerge } }) =>
      explainActivity(summaries, user.userKey, { date, merge }),
    ),
    bind(getSleepSummary, ({ user, query }) => readSleepSummary(summaries, user.userKey, dateRange(query))),
    bind(getRecoverySummary, ({ user, query: { recovery_selection: _ignored, ...query } }) =>
      readRecovery(summaries, user.userKey, dateRange(query)),
    ),
    bind(getBodySummary, ({ user, query }) =>
      readBody(summaries, user.userKey, {
        nowMs: Date.now(),
        averageDays: query.average_period,
        latestHours: query.latest_window_hours,
      }),
    ),
    bind(explainSleepSummary, ({ user, query }) => explainSleep(summaries, user.userKey, query)),
    bind(explainRecoverySummary, ({ user, query }) => explainRecovery(summaries, user.userKey, query)),
    bind(explainBodySummary, ({ user, query }) =>
      explainBody(summaries, user.userKey, {
        date: query.date,
        nowMs: Date.now(),
        averageDays: query.average_period,
        latestHours: query.latest_window_hours,
      }),
    ),
    bind(getDataVolume, ({ query: { user_id: userId, provider } }) =>
      readDataVolume({ pool, counts }, { userId, provider }),
    ),
    bind(getDataSummary, ({ user, query }) =>
      readDataSummary(pool, user, { start: query.start_date, end: query.end_date }),
    ),
    bind(getTimeseries, async ({ user, query: { types = [], ...query } }) =>
      streamed(
        await streamTimeseries(summaries, user.userKey, {
          ...eitherDateRange(query),
          ...sourceFilter(query),
          filterByPriority: query.filter_by_priority,
          types,
          countsFirstPageOnly,
        }),
      ),
    ),
    bind(getSingleTimeseries, async ({ user, params, query }) =>
      streamed(
        await streamTimeseries(summaries, user.userKey, {
          ...eitherDateRange(query),
          ...sourceFilter(query),
          filterByPriority: query.filter_by_priority,
          types: [params.series_type],
          countsFirstPageOnly,
        }),
      ),
    ),
    bind(listWorkouts, ({ user, query }) => {
      const { record_type: recordType, include_duplicates: includesCopies = true, ...rest } = query;
      return readWorkouts(summaries, user.userKey, {
        ...dateRange(rest),
        ...sourceFilter(rest),
        recordType,
        filterByPriority: rest.filter_by_priority ?? !includesCopies,
      });
    }),
    bind(getWorkout, async ({ user, params }) =>
      found(await readWorkout(pool, user.userKey, params.workout_id), 'Workout not found'),
    ),
    bind(getSleepSession, async ({ user, params }) =>
      found(await readSleepSession(pool, user.userKey, params.sleep_id), 'Sleep session not found'),
    ),
    bind(listMenstrualCycles, ({ user, query }) => readMenstrualCycles(pool, user.userKey, dateRange(query))),
    bind(listHealthScores, ({ user, query: { start_date: start, end_date: end, ...query } }) =>
      readHealthScores(pool, user.userKey, { start, end, ...query }),
    ),
    bind(listSleepSessions, ({ user, query: { filter_by_priority: filterByPriority, ...query } }) =>
      readSleepSessions(summaries, user.userKey, { ...dateRange(query), filterByPriority }),
    ),
    bind(listDataSources, ({ user }) => readDataSources(pool, user)),
    bind(getDataGaps, ({ user, query }) => readDataGaps(pool, user, { start: query.start_date, end: query.end_date })),
    bind(getDashboardStats, () => dashboard.stats()),
    bind(getServiceActivity, ({ query }) => serviceActivity.read(query.days, Date.now())),
    bind(getCoverage, async () => matrix),
  ];
}

function sourceFilter(query: { device_model?: string | undefined; data_source_id?: string | undefined }) {
  return { deviceModel: query.device_model, dataSourceId: query.data_source_id };
}

function found<T>(answer: T | undefined, missing: string): T {
  if (answer === undefined) throw new Failure('not_found', missing);
  return answer;
}
