import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import {
  getVendorWorkout as getVendorWorkoutRoute,
  listVendorWorkouts as listVendorWorkoutsRoute,
  requestHistoricalSync,
  requestProviderSync,
  type SyncRequested,
  type SyncRun,
} from '@healthd/schemas';
import { type ExportServices, hasExports, requestExports } from '../../ingest/exports/index.js';
import {
  type ConnectedServices,
  getVendorWorkout,
  listVendorWorkouts,
  requestBackfill,
  requestSync,
  requirePullable,
  waitForRun,
} from '../../ingest/pull/index.js';
import { Failure } from '../../platform/failures.js';
import type { DataTypeReports } from '../../runs/index.js';
import { type Binding, bind } from '../binding.js';

/** Maximum time that a caller waits for a run. */
const WAIT_SECONDS = 120;

/** Routes for reading from vendors on request. */
export function providerSyncRoutes(services: ConnectedServices, exports: ExportServices): Binding[] {
  return [
    bind(requestProviderSync, async ({ user, params: { provider }, query, signal }) => {
      const since = query.since > 0 ? new Date(query.since * 1_000) : undefined;
      const { runId, isNew } = await requestSync(services, user.userKey, provider, { part: query.data_type, since });
      const response = { run_id: runId, task_id: runId };
      if (query.async) {
        const message = isNew ? `${PROVIDER_NAMES[provider]} sync accepted` : 'A sync is already running';
        return { success: true, async: true, ...response, message };
      }
      const run = await waitForRun(services, runId, WAIT_SECONDS, signal);
      if (!run) throw new Failure('not_found', `User with ID: ${user.id} not found.`);
      // If the run failed because the grant is invalid, throws the same failure that later callers get.
      if (run.status === 'failed') await requirePullable(services, user.userKey, provider);
      return { ...response, ...ended(services, provider, run) };
    }),
    bind(requestHistoricalSync, async ({ user, params: { provider }, query: { days } }) => {
      if (hasExports(exports, provider)) {
        const requested = await requestExports(exports, user.userKey, provider);
        const reach =
          requested.obstacle ??
          `${requested.days} days of ${provider} before the consent are requested; the vendor delivers them later`;
        return {
          success: true as const,
          provider,
          user_id: user.id,
          method: 'webhook_backfill' as const,
          run_id: requested.runId,
          task_id: requested.runId,
          message: requested.isNew ? reach : 'A historical sync is already running',
        };
      }
      const backfill = await requestBackfill(services, user.userKey, provider, days);
      return {
        success: true as const,
        provider,
        user_id: user.id,
        method: 'pull_api' as const,
        run_id: backfill.runId,
        task_id: backfill.runId,
        message: backfill.isNew
          ? `${backfill.days} days of ${provider} requested`
          : 'A historical sync is already running',
        days: backfill.days,
        start_date: backfill.from.toISOString(),
        end_date: backfill.to.toISOString(),
      };
    }),
    bind(listVendorWorkoutsRoute, async ({ user, params: { provider }, query, signal }) =>
      listVendorWorkouts(
        services,
        { userKey: user.userKey, provider, signal },
        {
          since: query.since > 0 ? new Date(query.since * 1_000) : undefined,
          limit: query.limit,
          pageToken: query.page_token,
        },
      ),
    ),
    bind(getVendorWorkoutRoute, async ({ user, params: { provider, workout_id: id }, signal }) =>
      getVendorWorkout(services, { userKey: user.userKey, provider, signal }, id),
    ),
  ];
}

/** Returns the result of a run that a caller waited for. */
function ended(
  { cloudOf }: ConnectedServices,
  provider: ProviderId,
  run: SyncRun,
): Omit<SyncRequested, 'run_id' | 'task_id'> {
  const reports = (run.metadata.data_types ?? {}) as DataTypeReports;
  const changed = (dataType: string) => (reports[dataType]?.inserted ?? 0) + (reports[dataType]?.updated ?? 0);
  const types = (cloudOf(provider)?.pull?.dataTypes ?? []).filter(({ id }) => reports[id] !== undefined);
  const workouts = types.filter(({ part }) => part === 'workouts');
  const rest = types.filter(({ part }) => part === '247');
  return {
    success: run.status !== 'failed' && run.status !== 'cancelled' && run.ended_at !== null,
    async: false,
    status: run.status,
    message: run.ended_at === null ? 'The sync has not ended yet' : (run.message ?? run.status),
    details: {
      ...(workouts.length > 0 && { workouts: workouts.reduce((sum, { id }) => sum + changed(id), 0) }),
      ...(rest.length > 0 && { data_247: Object.fromEntries(rest.map(({ id }) => [id, changed(id)])) }),
    },
    data_types: reports,
  };
}
