import type { DeclaredRoute, RouteById, RouteId, RouteSpec } from '@healthd/contract';
import { apiKeysRouteSchemas } from './routes/api-keys.js';
import { applicationsRouteSchemas } from './routes/applications.js';
import { archivalRouteSchemas } from './routes/archival.js';
import { auditRouteSchemas } from './routes/audit.js';
import { connectLinksRouteSchemas } from './routes/connect-links.js';
import { connectionsRouteSchemas } from './routes/connections.js';
import { consoleSessionRouteSchemas } from './routes/console-session.js';
import { developerInvitationsRouteSchemas } from './routes/developer-invitations.js';
import { developersRouteSchemas } from './routes/developers.js';
import { diagnosisRouteSchemas } from './routes/diagnosis.js';
import { erasuresRouteSchemas } from './routes/erasures.js';
import { importsRouteSchemas } from './routes/imports.js';
import { invitationCodesRouteSchemas } from './routes/invitation-codes.js';
import { oauthRouteSchemas } from './routes/oauth.js';
import { operationsRouteSchemas } from './routes/operations.js';
import { providerBackfillRouteSchemas } from './routes/provider-backfill.js';
import { providerSettingsRouteSchemas } from './routes/provider-settings.js';
import { providerSyncRouteSchemas } from './routes/provider-sync.js';
import { providerTermsRouteSchemas } from './routes/provider-terms.js';
import { providerWebhooksRouteSchemas } from './routes/provider-webhooks.js';
import { activityRouteSchemas } from './routes/reading/activity.js';
import { activityExplanationRouteSchemas } from './routes/reading/activity-explanation.js';
import { bodyRouteSchemas } from './routes/reading/body.js';
import { coverageRouteSchemas } from './routes/reading/coverage.js';
import { dashboardRouteSchemas } from './routes/reading/dashboard.js';
import { dataGapsRouteSchemas } from './routes/reading/data-gaps.js';
import { dataSourcesRouteSchemas } from './routes/reading/data-sources.js';
import { dataSummaryRouteSchemas } from './routes/reading/data-summary.js';
import { dataVolumeRouteSchemas } from './routes/reading/data-volume.js';
import { eventDeletionRouteSchemas } from './routes/reading/event-deletion.js';
import { healthScoresRouteSchemas } from './routes/reading/health-scores.js';
import { menstrualCyclesRouteSchemas } from './routes/reading/menstrual-cycles.js';
import { prioritiesRouteSchemas } from './routes/reading/priorities.js';
import { recoveryRouteSchemas } from './routes/reading/recovery.js';
import { sleepSessionDetailRouteSchemas } from './routes/reading/sleep-session-detail.js';
import { sleepSessionsRouteSchemas } from './routes/reading/sleep-sessions.js';
import { sleepSummaryRouteSchemas } from './routes/reading/sleep-summary.js';
import { summaryExplanationRouteSchemas } from './routes/reading/summary-explanations.js';
import { timeseriesRouteSchemas } from './routes/reading/timeseries.js';
import { workoutDetailRouteSchemas } from './routes/reading/workout-detail.js';
import { workoutsRouteSchemas } from './routes/reading/workouts.js';
import { sdkRouteSchemas } from './routes/sdk.js';
import { sessionsRouteSchemas } from './routes/sessions.js';
import { syncRouteSchemas } from './routes/sync.js';
import { syncStreamRouteSchemas } from './routes/sync-stream.js';
import { troubleRouteSchemas } from './routes/trouble.js';
import { userTokensRouteSchemas } from './routes/user-tokens.js';
import { usersRouteSchemas } from './routes/users.js';
import { webhookSubscriptionsRouteSchemas } from './routes/webhook-subscriptions.js';
import type { RouteSchemas, SchemasFor } from './schemas-for.js';

/** The schemas of every route of the contract, by its id. */
export const routeSchemas = {
  ...apiKeysRouteSchemas,
  ...applicationsRouteSchemas,
  ...archivalRouteSchemas,
  ...auditRouteSchemas,
  ...connectLinksRouteSchemas,
  ...connectionsRouteSchemas,
  ...consoleSessionRouteSchemas,
  ...developerInvitationsRouteSchemas,
  ...developersRouteSchemas,
  ...diagnosisRouteSchemas,
  ...erasuresRouteSchemas,
  ...importsRouteSchemas,
  ...invitationCodesRouteSchemas,
  ...oauthRouteSchemas,
  ...operationsRouteSchemas,
  ...providerSettingsRouteSchemas,
  ...providerBackfillRouteSchemas,
  ...providerSyncRouteSchemas,
  ...providerTermsRouteSchemas,
  ...providerWebhooksRouteSchemas,
  ...activityExplanationRouteSchemas,
  ...summaryExplanationRouteSchemas,
  ...activityRouteSchemas,
  ...bodyRouteSchemas,
  ...coverageRouteSchemas,
  ...dashboardRouteSchemas,
  ...dataGapsRouteSchemas,
  ...dataSourcesRouteSchemas,
  ...dataSummaryRouteSchemas,
  ...dataVolumeRouteSchemas,
  ...eventDeletionRouteSchemas,
  ...healthScoresRouteSchemas,
  ...menstrualCyclesRouteSchemas,
  ...prioritiesRouteSchemas,
  ...recoveryRouteSchemas,
  ...sleepSessionDetailRouteSchemas,
  ...sleepSessionsRouteSchemas,
  ...sleepSummaryRouteSchemas,
  ...timeseriesRouteSchemas,
  ...workoutDetailRouteSchemas,
  ...workoutsRouteSchemas,
  ...sdkRouteSchemas,
  ...sessionsRouteSchemas,
  ...syncStreamRouteSchemas,
  ...syncRouteSchemas,
  ...troubleRouteSchemas,
  ...userTokensRouteSchemas,
  ...usersRouteSchemas,
  ...webhookSubscriptionsRouteSchemas,
} satisfies { [Id in RouteId]: SchemasFor<RouteById<Id>> };

/** The schemas of one route. */
export type SchemasOf<R extends DeclaredRoute> = (typeof routeSchemas)[R['id']];

/** A route together with its schemas. */
export type RouteWithSchemas = RouteSpec & RouteSchemas;

/** Joins a route of the contract with its schemas. */
export function withSchemas(route: DeclaredRoute): RouteWithSchemas {
  return { ...route, ...routeSchemas[route.id] };
}
