import { getPhoneState, pushDeviceData, type SdkLog, sendDeviceLogs, type UploadResponse } from '@healthd/schemas';
import { BodyMemoryBudget, PUSH_FEATURES, readPhoneState } from '../../ingest/push/index.js';
import { type Binding, bind } from '../binding.js';
import { deviceOf, receiveAndAccept, type SdkRouteServices } from './receive-batch.js';

/** Memory limit for bodies that are being received. Above it, new bodies wait. */
const MAX_RECEIVING_BYTES = 128 * 2 ** 20;

/**
 * Routes for device data. Clients drop a batch after any 4xx except 401, so failures that may be retried use other
 * statuses.
 */
export function sdkRoutes(services: SdkRouteServices): Binding[] {
  const bodies = new BodyMemoryBudget(MAX_RECEIVING_BYTES);
  return [
    bind(pushDeviceData, async (exchange) => {
      const { user, log } = exchange;
      const inHand = await bodies.begin();
      const batchId = await receiveAndAccept(services, exchange, inHand.add).finally(() => inHand.release());
      // Does not wait for the job store. If enqueuing fails, the sweeper enqueues the job later.
      services.pushes
        .tryEnqueue({ user_key: user.userKey })
        .catch((error: unknown) =>
          log.error(
            { event: 'batch_not_queued', err: error },
            'Failed to queue a device batch; the sweeper will queue it',
          ),
        );
      return accepted('Import task queued successfully', user.id, batchId);
    }),
    bind(getPhoneState, ({ user, request }) =>
      readPhoneState(services.pool, user, deviceOf(request), services.limits.maxBytes),
    ),
    bind(sendDeviceLogs, async ({ user, body, log }) => {
      log.info({ event: 'device_log_received', user_id: user.id, ...summaryOf(body) }, 'Received a device sync log');
      return accepted('The events were written to the server log as counts; they are not stored', user.id, null);
    }),
  ];
}

function accepted(response: string, userId: string, batchId: string | null): UploadResponse {
  const counts = { dropped_count: 0, records_saved: 0, workouts_saved: 0, sleep_saved: 0 };
  return { status_code: 202, response, user_id: userId, batch_id: batchId, ...counts, accepts: [...PUSH_FEATURES] };
}

/** Valid format of event types. Other text is not logged, because it could contain data. */
const EVENT_TYPE = /^[a-z][a-z_]{0,63}$/;

/** Summarizes a device's log for our log: counts per event type, without user or device. */
function summaryOf({ sdkVersion, provider, events }: SdkLog) {
  const counts = new Map<string, number>();
  for (const { eventType } of events) {
    const name = EVENT_TYPE.test(eventType) ? eventType : 'other';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const failed = events.filter((event) => 'success' in event && !event.success);
  return {
    sdk_version: sdkVersion.slice(0, 32),
    provider: (provider ?? 'unknown').toLowerCase().slice(0, 32),
    events: Object.fromEntries(counts),
    failed_types: failed.length,
  };
}
