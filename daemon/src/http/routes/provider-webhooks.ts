import { bodyLimitOf, receiveProviderWebhook, verifyProviderWebhook } from '@healthd/contract';
import { isProviderId, type ProviderId } from '@healthd/model';
import { type ConnectedServices, enqueuePull } from '../../ingest/pull/index.js';
import { admitsDelivery, receiveDelivery } from '../../ingest/webhooks/index.js';
import { Failure } from '../../platform/failures.js';
import { type Binding, bind } from '../binding.js';
import { readBytes } from '../read-bytes.js';

const IDLE_SECONDS = 30;

/** What vendors report. */
export function providerWebhookRoutes(services: ConnectedServices): Binding[] {
  return [
    bind(receiveProviderWebhook, async ({ params, request, response, log }) => {
      const provider = knownProvider(params.provider);
      if (!services.connections.configurationOf(provider)?.cloud.webhook) throw unsupported(provider);
      if (!admitsDelivery(services, provider, request.headers)) throw notTheVendor();
      const rawBody = await readBytes(request, response, bodyLimitOf(receiveProviderWebhook), IDLE_SECONDS);
      const answer = await receiveDelivery(services, provider, { headers: request.headers, rawBody });
      if (answer.kind === 'unsupported') throw unsupported(provider);
      if (answer.kind === 'refused') throw notTheVendor();
      if (answer.kind === 'unverifiable') throw new Failure('unavailable', 'The signature cannot be checked now');
      if (answer.kind === 'unreadable') throw new Failure('bad_request', 'Invalid JSON body');
      // Nobody waits for the job store: what it does not take now, the sweeper brings.
      for (const id of answer.connectionIds) {
        enqueuePull(services, id).catch((error: unknown) =>
          log.error(
            { event: 'notification_not_queued', err: error },
            'Failed to queue a notification; the sweeper will queue it',
          ),
        );
      }
      response.status(answer.status);
      if (answer.body === undefined) response.end();
      else response.json(answer.body);
      return undefined;
    }),
    bind(verifyProviderWebhook, async ({ params }) => {
      throw unsupported(knownProvider(params.provider));
    }),
  ];
}

function knownProvider(text: string): ProviderId {
  if (isProviderId(text)) return text;
  throw new Failure('not_found', `Unknown provider: '${text.slice(0, 64)}'`);
}

function notTheVendor(): Failure {
  return new Failure('unauthenticated', 'Invalid webhook signature');
}

function unsupported(provider: ProviderId): Failure {
  return new Failure('not_implemented', `Provider '${provider}' sends no webhooks of this kind`);
}
