import { diagnoseUser as diagnoseUserRoute } from '@healthd/schemas';
import { type DiagnosisServices, diagnoseUser } from '../../diagnosis/index.js';
import { type Binding, bind } from '../binding.js';

/** Routes for diagnosing a user's missing data. */
export function diagnosisRoutes(services: DiagnosisServices): Binding[] {
  return [
    bind(diagnoseUserRoute, async ({ user, query }) => {
      const { at, zone, isZoneKnown, providers } = await diagnoseUser(services, user.userKey, query.provider);
      return {
        user_id: user.id,
        diagnosed_at: at.toISOString(),
        time_zone: zone,
        is_time_zone_known: isZoneKnown,
        providers: providers.map(({ facts, verdict, sentence }) => ({
          provider: facts.provider,
          provider_name: facts.name,
          cause: verdict.cause,
          severity: verdict.severity,
          sentence,
          since: verdict.since?.toISOString() ?? null,
          last_data_at: facts.lastDataAt?.toISOString() ?? null,
          last_synced_at: facts.connection?.lastSyncedAt?.toISOString() ?? null,
          next_try_at: verdict.nextTryAt?.toISOString() ?? null,
          remedy: verdict.remedy,
          details: [...verdict.details],
        })),
      };
    }),
  ];
}
