import { getVendorWorkout, listVendorWorkouts, requestHistoricalSync, requestProviderSync } from '@healthd/contract';
import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type { SyncRequested, SyncRun } from '@healthd/schemas';
import {
  type ConnectedServices,
  requestBackfill,
  requestSync,
  requirePullable,
  waitForRun,
} from '../../ingest/pull/index.js';
import { Failure } from '../../platform/failures.js';
import type { DataTypeReports } from '../../runs/index.js';
import { type Binding, bind } from '../binding.js';

/** How long a caller that wants to wait for a run does. */
const WAIT_SECONDS = 120;

/** Reading from vendors on request. */
export function providerSyncRoutes(services: ConnectedServices): Binding[] {
  return [
    bind(requestProviderSync, async ({ user, params: { provider }, query, signal }) => {
      const since = query.since > 0 ? new Date(query.since * 1_000) : undefined;
      const { runId, isNew } = await requestSync(services, user.userKey, provider, { part: query.data_type, since });
      const answer = { run_id: runId, task_id: runId };
      if (query.async) {
        const message = isNew ? `${PROVIDER_NAMES[provider]} sync accepted` : 'A sync is under way already';
        return { success: true, async: true, ...answer, message };
      }
      const run = await waitForRun(services, runId, WAIT_SECONDS, signal);
      if (!run) throw new Failure('not_found', `User with ID: ${user.id} not found.`);
      // Its grant may have turned out to be dead: then this caller gets the answer that the next one would get.
      if (run.status === 'failed') await requirePullable(services, user.userKey, provider);
      return { ...answer, ...ended(services, provider, run) };
    }),
    bind(requestHistoricalSync, async ({ user, params: { provider }, query: { days } }) => {
      const asked = await requestBackfill(services, user.userKey, provider, days);
      return {
        success: true as const,
        provider,
        user_id: user.id,
        method: 'pull_api' as const,
        run_id: asked.runId,
        task_id: asked.runId,
        message: asked.isNew ? `${asked.days} days of ${provider} requested` : 'A historical sync is under way already',
        days: asked.days,
        start_date: asked.from.toISOString(),
        end_date: asked.to.toISOString(),
      };
    }),
    ...[listVendorWorkouts, getVendorWorkout].map((route) =>
      bind(route, async ({ params: { provider } }) => {
        throw new Failure('not_implemented', `Provider '${provider}' does not offer workouts in the vendor's wording`);
      }),
    ),
  ];
}

/** What a run that somebody waited for brought. */
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
