import { cancelBackfill, getBackfillStatus, retryBackfill } from '@healthd/schemas';
import { cancelExports, type ExportServices, exportStatus, retryExport } from '../../ingest/exports/index.js';
import { type Binding, bind } from '../binding.js';

/** Routes for history that vendors export on request and deliver later. */
export function providerBackfillRoutes(services: ExportServices): Binding[] {
  return [
    bind(getBackfillStatus, async ({ user, params: { provider } }) => exportStatus(services, user, provider)),
    bind(cancelBackfill, async ({ user, params: { provider } }) => {
      const { runId } = await cancelExports(services, user, provider);
      const message = 'The backfill is cancelled. Data that the vendor still delivers is stored.';
      return { success: true as const, user_id: user.id, message, run_id: runId };
    }),
    bind(retryBackfill, async ({ user, params: { provider, type_name: type } }) => {
      const { runId } = await retryExport(services, user.userKey, provider, type);
      return {
        success: true as const,
        user_id: user.id,
        type,
        status: 'triggered' as const,
        message: `${type} is requested again`,
        run_id: runId,
      };
    }),
  ];
}
