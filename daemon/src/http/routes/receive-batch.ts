import { PROVIDERS } from '@healthd/providers';
import type { pushDeviceData, SchemasOf } from '@healthd/schemas';
import type { Request } from 'express';
import type pg from 'pg';
import {
  acceptPush,
  type InboxCapacity,
  type PushEnqueuer,
  type PushLimits,
  receivePush,
} from '../../ingest/push/index.js';
import { Failure } from '../../platform/failures.js';
import type { SyncRuns } from '../../runs/index.js';
import type { RequestContext } from '../binding.js';
import { limitIdle } from '../idle-limit.js';

/** Services of the device routes. */
export interface SdkRouteServices {
  pool: pg.Pool;
  runs: Pick<SyncRuns, 'announce'>;
  pushes: PushEnqueuer;
  room: InboxCapacity;
  limits: PushLimits & { idleSeconds: number };
}

const PUSHED = PROVIDERS.filter(({ capabilities }) => capabilities.push).map(({ id }) => id);
const MAX_SHOWN = 64;
const MAX_DEVICE_NAME = 200;

/** Receives and stores a batch of a device. @returns the ID of the batch */
export async function receiveAndAccept(
  services: SdkRouteServices,
  {
    user,
    caller,
    request,
    response,
  }: Pick<RequestContext<SchemasOf<typeof pushDeviceData>>, 'user' | 'caller' | 'request' | 'response'>,
  keep: (bytes: number) => void,
): Promise<string> {
  const idle = limitIdle(request, services.limits.idleSeconds, 'unavailable');
  const received = await receivePush(request, response, services.limits, idle.exceeded, keep).finally(() =>
    idle.release(),
  );
  if (received.scanned.kind === 'no_object') throw new Failure('bad_request', 'The body must be a JSON object.');
  const provider = pushedProvider(received.scanned.provider);
  const client = { idempotencyKey: headerOf(request, 'idempotency-key'), device: deviceOf(request) };
  return acceptPush(services, user, provider, received, client).catch((error: unknown) => {
    // The user of the token was deleted while the body was read, so the token is no longer valid.
    const isUserDeleted = error instanceof Failure && error.code === 'not_found' && caller.kind === 'sdk';
    throw isUserDeleted ? new Failure('unauthenticated', 'Could not validate credentials') : error;
  });
}

/** Returns the provider of a push. @throws Failure `bad_request` if its data cannot be pushed */
function pushedProvider(text: string | undefined) {
  const provider = PUSHED.find((id) => id === text?.toLowerCase());
  if (provider) return provider;
  const shown = text === undefined ? 'none' : `'${text.slice(0, MAX_SHOWN)}'`;
  throw new Failure('bad_request', `Unsupported provider: ${shown}. Supported providers: ${PUSHED.join(', ')}`);
}

/** Returns the phone's name, truncated to the stored length. Empty without the header. */
export function deviceOf(request: Request): string {
  return headerOf(request, 'x-device-id')?.slice(0, MAX_DEVICE_NAME) ?? '';
}

function headerOf(request: Request, name: string): string | undefined {
  const value = request.headers[name];
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text ? text : undefined;
}
