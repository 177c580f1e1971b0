import {
  type ActivityMerge,
  type DateOrInstant,
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
  getWorkoutRoute,
  listDataSources,
  listHealthScores,
  listMenstrualCycles,
  listSleepSessions,
  listWorkouts,
} from '@healthd/schemas';
import type pg from 'pg';
import type { VendorTerms } from '../../connections/index.js';
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
  readWorkoutRoute,
  readWorkouts,
  ServiceActivityCounts,
  streamTimeseries,
  withheldActivity,
  withheldBody,
  withheldRecovery,
  withheldSleep,
} from '../../query/index.js';
import { type Binding, bind, bindFinding } from '../binding.js';
import { bodyQuery } from './body-query.js';
import { termsOfReader } from './vendor-terms.js';

interface Dates {
  start_date: DateOrInstant;
  end_date: DateOrInstant;
}

/** Renames a request's dates for the query functions. */
function dateRange<Q extends Dates>({ start_date: start, end_date: end, ...rest }: Q) {
  return { start, end, ...rest };
}

interface EitherNames {
  start_time?: DateOrInstant;
  end_time?: DateOrInstant;
  start_date?: DateOrInstant;
  end_date?: DateOrInstant;
}

/**
 * Like {@link dateRange}, for routes with two names per date. The schema ensures that one name was sent; if both were
 * sent, the name with `time` takes precedence.
 */
function eitherDateRange<Q extends EitherNames>({ start_time, end_time, start_date, end_date, ...rest }: Q) {
  const endName = end_time === undefined ? 'end_date' : 'end_time';
  return {
    start: (start_time ?? start_date) as DateOrInstant,
    end: (end_time ?? end_date) as DateOrInstant,
    endName,
    ...rest,
  };
}

export interface ReadingRouteOptions {
  pool: pg.Pool;
  priorities: PriorityStore;
  terms: Pick<VendorTerms, 'current'>;
  /** Runs counts over all users, in one queue with the counts of other routes. */
  counts: AllUserCounts;
  /** Data that this service's providers declare. */
  coverage: readonly DeclaredCoverage[];
  /** Default merge rule for overlapping activity sources. */
  activityMerge?: ActivityMerge;
  /** If true, returns the number of samples only with the first page, as clients of the compatible API expect. */
  countsFirstPageOnly?: boolean;
}

/** Routes that return stored data. */
export function readingRoutes({
  pool,
  priorities,
  terms,
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
    bind(
      getActivitySummary,
      async ({ user, isAssistant, query: { sort_order: sortOrder, merge = activityMerge, ...query } }) => {
        const reader = await termsOfReader(terms, isAssistant);
        const page = await readActivity(summaries, user.userKey, { ...dateRange(query), sortOrder, merge });
        return reader.summaries(page, withheldActivity);
      },
    ),
    bind(explainActivitySummary, async ({ user, isAssistant, query: { date, merge = activityMerge } }) => {
      const reader = await termsOfReader(terms, isAssistant);
      const withheld = reader.withheldFromSummaries;
      return reader.explained(await explainActivity(summaries, user.userKey, { date, merge, withheld }));
    }),
    bind(getSleepSummary, async ({ user, isAssistant, query }) => {
      const reader = await termsOfReader(terms, isAssistant);
      return reader.summaries(await readSleepSummary(summaries, user.userKey, dateRange(query)), withheldSleep);
    }),
    bind(getRecoverySummary, async ({ user, isAssistant, query: { recovery_selection: _ignored, ...query } }) => {
      const reader = await termsOfReader(terms, isAssistant);
      return reader.summaries(await readRecovery(summaries, user.userKey, dateRange(query)), withheldRecovery);
    }),
    bind(getBodySummary, async ({ user, isAssistant, query }) => {
      const reader = await termsOfReader(terms, isAssistant);
      const body = await readBody(summaries, user.userKey, bodyQuery(query, reader.withheldFromSummaries));
      return body && reader.attributed(withheldBody(body, reader.withheldFromSummaries));
    }),
    bind(explainSleepSummary, async ({ user, isAssistant, query: { date } }) => {
      const reader = await termsOfReader(terms, isAssistant);
      const withheld = reader.withheldFromSummaries;
      return reader.explained(await explainSleep(summaries, user.userKey, { date, withheld }));
    }),
    bind(explainRecoverySummary, async ({ user, isAssistant, query: { date } }) => {
      const reader = await termsOfReader(terms, isAssistant);
      const withheld = reader.withheldFromSummaries;
      return reader.explained(await explainRecovery(summaries, user.userKey, { date, withheld }));
    }),
    bind(explainBodySummary, async ({ user, isAssistant, query }) => {
      const reader = await termsOfReader(terms, isAssistant);
      const params = { date: query.date, ...bodyQuery(query, reader.withheldFromSummaries) };
      return reader.explained(await explainBody(summaries, user.userKey, params));
    }),
    bind(getDataVolume, ({ query: { user_id: userId, provider } }) =>
      readDataVolume({ pool, counts }, { userId, provider }),
    ),
    bind(getDataSummary, ({ user, query }) =>
      readDataSummary(pool, user, { start: query.start_date, end: query.end_date }),
    ),
    bindFinding(getTimeseries, async ({ params, isAssistant, query: { types = [], ...query } }) => {
      const reader = await termsOfReader(terms, isAssistant);
      return reader.streamed(
        await streamTimeseries(summaries, params.user_id, {
          ...eitherDateRange(query),
          ...sourceFilter(query),
          filterByPriority: query.filter_by_priority,
          includesIds: query.include_ids,
          ...reader.samples,
          types,
          countsFirstPageOnly,
        }),
      );
    }),
    bindFinding(getSingleTimeseries, async ({ isAssistant, params, query }) => {
      const reader = await termsOfReader(terms, isAssistant);
      return reader.streamed(
        await streamTimeseries(summaries, params.user_id, {
          ...eitherDateRange(query),
          ...sourceFilter(query),
          filterByPriority: query.filter_by_priority,
          includesIds: query.include_ids,
          ...reader.samples,
          types: [params.series_type],
          countsFirstPageOnly,
        }),
      );
    }),
    bind(listWorkouts, async ({ user, isAssistant, query }) => {
      const reader = await termsOfReader(terms, isAssistant);
      const { record_type: recordType, include_duplicates: includesCopies = true, ...rest } = query;
      const page = await readWorkouts(summaries, user.userKey, {
        ...dateRange(rest),
        ...sourceFilter(rest),
        recordType,
        filterByPriority: rest.filter_by_priority ?? !includesCopies,
        withheld: reader.withheld,
      });
      return reader.list(page);
    }),
    bind(getWorkout, async ({ user, isAssistant, params }) => {
      const reader = await termsOfReader(terms, isAssistant);
      return reader.one(found(await readWorkout(pool, user.userKey, params.workout_id), 'Workout not found'));
    }),
    bind(getWorkoutRoute, async ({ user, isAssistant, params, query }) => {
      const reader = await termsOfReader(terms, isAssistant);
      const route = await readWorkoutRoute(pool, user.userKey, params.workout_id, query.simplify ?? 0);
      return reader.one(found(route, 'Workout not found'));
    }),
    bind(getSleepSession, async ({ user, isAssistant, params }) => {
      const reader = await termsOfReader(terms, isAssistant);
      return reader.one(
        found(await readSleepSession(summaries, user.userKey, params.sleep_id), 'Sleep session not found'),
      );
    }),
    bind(listMenstrualCycles, async ({ user, isAssistant, query }) => {
      const reader = await termsOfReader(terms, isAssistant);
      const { withheld } = reader;
      return reader.list(await readMenstrualCycles(pool, user.userKey, { ...dateRange(query), withheld }));
    }),
    bind(listHealthScores, async ({ user, isAssistant, query: { start_date: start, end_date: end, ...query } }) => {
      const reader = await termsOfReader(terms, isAssistant);
      const { withheld } = reader;
      return reader.list(await readHealthScores(pool, user.userKey, { start, end, ...query, withheld }));
    }),
    bind(
      listSleepSessions,
      async ({ user, isAssistant, query: { filter_by_priority: filterByPriority, ...query } }) => {
        const reader = await termsOfReader(terms, isAssistant);
        const { withheld } = reader;
        return reader.list(
          await readSleepSessions(summaries, user.userKey, { ...dateRange(query), filterByPriority, withheld }),
        );
      },
    ),
    bind(listDataSources, async ({ user, isAssistant }) => {
      const { withheld } = await termsOfReader(terms, isAssistant);
      const items = (await readDataSources(pool, user)).items.filter(({ provider }) => !withheld.has(provider));
      return { items, total: items.length };
    }),
    bind(getDataGaps, ({ user, query }) => readDataGaps(pool, user, { start: query.start_date, end: query.end_date })),
    bind(getDashboardStats, () => dashboard.stats()),
    bind(getServiceActivity, ({ query }) => serviceActivity.read(query.days, Date.now())),
    bind(getCoverage, async () => matrix),
  ];
}

function sourceFilter(query: { device_model?: string | undefined; data_source_id?: string | undefined }) {
  return { deviceModel: query.device_model, dataSourceId: query.data_source_id };
}

function found<T>(response: T | undefined, missing: string): T {
  if (response === undefined) throw new Failure('not_found', missing);
  return response;
}
