import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { bodyLimitOf, createUser } from '@healthd/contract';
import { declaredRoutes, type RouteDeclaration } from '@healthd/schemas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Daemon, startDaemon } from '../support/daemon.js';
import { mainThreadMs } from '../support/main-thread-time.js';

/** Ten megabytes of brackets, which compress to ten kilobytes and take seconds to parse. */
const DEPTH = 5_200_000;
const NESTED = Buffer.from('['.repeat(DEPTH) + ']'.repeat(DEPTH));
const PACKED = gzipSync(NESTED, { level: 9 });
const MOST_MS = 100;

let daemon: Daemon;
let userId: string;
beforeAll(async () => {
  // Every request uses a different IP address, so that limits per IP address do not interfere.
  daemon = await startDaemon({ env: { TRUST_PROXY: '1' } });
  userId = (await daemon.client.call(createUser, {})).id;
});
afterAll(() => daemon?.stop());

test.each(declaredRoutes)('$id needs under 100 ms of main-thread time for ten million brackets', async (route) => {
  const seen: Record<string, { status: number; ms: number }> = {};
  for (const credentials of [{}, await credentialsFor(route)]) {
    for (const packed of [false, true]) {
      const name = `${packed ? 'packed' : 'plain'}, ${Object.keys(credentials).length > 0 ? 'with' : 'without'} credentials`;
      await send(route, Buffer.from('[]'), credentials, false);
      const before = mainThreadMs(daemon.pid);
      const status = await send(route, packed ? PACKED : NESTED, credentials, packed);
      seen[name] = { status, ms: Math.round(mainThreadMs(daemon.pid) - before) };
    }
  }
  const slow = Object.entries(seen).filter(([, { ms }]) => ms >= MOST_MS);
  expect(slow).toEqual([]);
  // A body is rejected for its size or encoding, not for its content.
  if (!route.body || route.bodyType === 'raw') return;
  const { maxBytes, takesGzip } = bodyLimitOf(route);
  expect(maxBytes).toBeLessThanOrEqual(256 * 1024);
  expect(seen['plain, with credentials']?.status).toBe(413);
  expect(seen['packed, with credentials']?.status).toBe(takesGzip ? 413 : 415);
});

/** Returns a credential for the route. Logs in again for each call, because a route may end its own session. */
async function credentialsFor({ auth }: RouteDeclaration): Promise<Record<string, string>> {
  if (auth === 'public') return { Authorization: 'Bearer nothing' };
  if (auth === 'key' || auth === 'sdk') return { 'X-Service-API-Key': daemon.apiKey };
  const response = await fetch(`${daemon.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'X-Forwarded-For': newAddress() },
    body: new URLSearchParams({ username: daemon.email, password: daemon.password }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return { Authorization: `Bearer ${access_token}` };
}

/** Returns the response status. Stops sending when the response arrives, like a client after a rejection. */
function send(
  route: RouteDeclaration,
  body: Buffer,
  credentials: Record<string, string>,
  packed: boolean,
): Promise<number> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'user_id' ? userId : randomUUID()));
  return new Promise((resolve, reject) => {
    const sent = request(`${daemon.url}${path}`, {
      method: route.method,
      headers: {
        ...credentials,
        'X-Forwarded-For': newAddress(),
        'Content-Type': contentTypeOf(route),
        'Content-Length': String(body.length),
        ...(packed ? { 'Content-Encoding': 'gzip' } : {}),
      },
      agent,
    });
    sent.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
      sent.destroy();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function contentTypeOf(route: RouteDeclaration): string {
  if (route.uploadPart !== undefined) return 'multipart/form-data; boundary=part';
  return route.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
}

// Uses keep-alive. Otherwise the service closes the connection with the response, and a client that is still sending
// may miss the response.
const agent = new Agent({ keepAlive: true });

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}
