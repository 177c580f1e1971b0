import { pushDeviceData, sendDeviceLogs } from '@healthd/contract';
import { PROVIDERS } from '@healthd/providers';
import type { SchemasOf, SdkLog, UploadResponse } from '@healthd/schemas';
import type { Request } from 'express';
import type pg from 'pg';
import {
  acceptPush,
  BodyMemoryBudget,
  type InboxCapacity,
  type PushEnqueuer,
  type PushLimits,
  receivePush,
} from '../../ingest/push/index.js';
import { Failure } from '../../platform/failures.js';
import type { SyncRuns } from '../../runs/index.js';
import { type Binding, bind, type RequestContext } from '../binding.js';
import { limitIdle } from '../idle-limit.js';

export interface SdkRouteServices {
  pool: pg.Pool;
  runs: Pick<SyncRuns, 'announce'>;
  pushes: PushEnqueuer;
  room: InboxCapacity;
  limits: PushLimits & { idleSeconds: number };
}

const PUSHED = PROVIDERS.filter(({ capabilities }) => capabilities.push).map(({ id }) => id);
const MAX_SHOWN = 64;
/** Memory of all bodies that are being received, from which on further ones wait. */
const MAX_BYTES_IN_HAND = 128 * 2 ** 20;

/** What devices send. Clients drop a batch for good on any 4xx but 401, so none is answered that is to be sent again. */
export function sdkRoutes(services: SdkRouteServices): Binding[] {
  const bodies = new BodyMemoryBudget(MAX_BYTES_IN_HAND);
  return [
    bind(pushDeviceData, async (exchange) => {
      const { user, log } = exchange;
      const inHand = await bodies.begin();
      const batchId = await receiveAndAccept(services, exchange, inHand.add).finally(() => inHand.release());
      // No one waits for the job store: what it does not take now, the sweeper brings.
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
    bind(sendDeviceLogs, async ({ user, body, log }) => {
      log.info(
        { event: 'device_log_received', user_id: user.id, ...summaryOf(body) },
        'Received the synchronisation log of a device',
      );
      return accepted(
        'The events were written to the log of the service as counts; they are not stored',
        user.id,
        null,
      );
    }),
  ];
}

/** @returns the id of the batch */
async function receiveAndAccept(
  services: SdkRouteServices,
  {
    user,
    caller,
    request,
    response,
  }: Pick<RequestContext<SchemasOf<typeof pushDeviceData>>, 'user' | 'caller' | 'request' | 'response'>,
  keep: (bytes: number) => void,
): Promise<string> {
  const idle = limitIdle(request, services.limits.idleSeconds);
  const received = await receivePush(request, response, services.limits, idle.exceeded, keep).finally(() =>
    idle.release(),
  );
  if (received.scanned.kind === 'no_object') throw new Failure('bad_request', 'The body must be a JSON object.');
  const provider = pushedProvider(received.scanned.provider);
  return acceptPush(services, user, provider, received, idempotencyKeyOf(request)).catch((error: unknown) => {
    // The user of the token was deleted while the body was read.
    const gone = error instanceof Failure && error.code === 'not_found' && caller.kind === 'sdk';
    throw gone ? new Failure('unauthenticated', 'Could not validate credentials') : error;
  });
}

function accepted(response: string, userId: string, batchId: string | null): UploadResponse {
  const counts = { dropped_count: 0, records_saved: 0, workouts_saved: 0, sleep_saved: 0 };
  return { status_code: 202, response, user_id: userId, batch_id: batchId, ...counts };
}

/** @throws Failure `bad_request` */
function pushedProvider(text: string | undefined) {
  const provider = PUSHED.find((id) => id === text?.toLowerCase());
  if (provider) return provider;
  const shown = text === undefined ? 'none' : `'${text.slice(0, MAX_SHOWN)}'`;
  throw new Failure('bad_request', `Unsupported provider: ${shown}. Supported providers: ${PUSHED.join(', ')}`);
}

function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers['idempotency-key'];
  const text = (Array.isArray(key) ? key[0] : key)?.trim();
  return text ? text : undefined;
}

/** What of a device's log is worth a line: how often what happened, never for whom or with which device. */
function summaryOf({ sdkVersion, provider, events }: SdkLog) {
  const counts: Record<string, number> = {};
  for (const { eventType } of events) counts[eventType] = (counts[eventType] ?? 0) + 1;
  const failed = events.filter((event) => event.eventType === 'historical_data_type_sync_end' && !event.success);
  return {
    sdk_version: sdkVersion.slice(0, 32),
    provider: (provider ?? 'unknown').toLowerCase().slice(0, 32),
    events: counts,
    failed_types: failed.length,
  };
}
