import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderConfiguration, WebhookAdapter } from '../cloud/index.js';

/** Opens a server that responds to a vendor's challenge like the webhook route, so that its URL can be registered. */
export async function openChallengedReceiver(webhook: WebhookAdapter, configuration: () => ProviderConfiguration) {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const result = webhook.respondToChallenge?.(searchParams, configuration());
    response.writeHead(result ? 200 : 403).end(JSON.stringify(result ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    close: () => void server.close(),
  };
}
