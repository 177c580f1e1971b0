import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { PROVIDERS } from '@healthd/providers';
import { receiveProviderWebhook } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Daemon, startDaemon } from '../support/daemon.js';
import { mainThreadMs } from '../support/main-thread-time.js';

/** Two megabytes, the route's maximum. They compress to two kilobytes. */
const NESTED = Buffer.from('['.repeat(1_000_000) + ']'.repeat(1_000_000));
const PACKED = gzipSync(NESTED, { level: 9 });
const BODIES = [
  ['2 kB of gzip', PACKED, true],
  ['2 MB of brackets', NESTED, false],
  ['a 2 MB string', Buffer.from(JSON.stringify({ event: 'PING', text: 'x'.repeat(2_000_000) })), false],
] as const;
const REQUESTS = 5;
/** Time limit for all requests together. */
const MOST_MS = 150;
const LIMIT = 12;
const HEX = 'a'.repeat(64);

/** Headers that a stranger can copy from each vendor's documentation. */
const FORGED = {
  Authorization: 'Bearer nothing',
  'Polar-Webhook-Signature': HEX,
  'Polar-Webhook-Event': 'PING',
  'X-Oura-Signature': HEX,
  'X-Oura-Timestamp': '1790000000',
  'X-WHOOP-Signature': Buffer.alloc(32).toString('base64'),
  'X-WHOOP-Signature-Timestamp': '1790000000000',
  'X-Strava-Signature': `t=1790000000,v1=${HEX}`,
  'X-HMAC-SHA256-Signature': HEX,
  'Garmin-Client-Id': 'client',
};

const clouds = PROVIDERS.flatMap(({ id, cloud }) => (cloud?.webhook || cloud?.deliveries ? [{ id, cloud }] : []));
const CANONICAL = clouds.map(({ id }) => receiveProviderWebhook.path.replace('{provider}', id));
const ROUTES = [...CANONICAL, ...receiveProviderWebhook.aliases.map(({ path }) => path)];

let daemon: Daemon;
beforeAll(async () => {
  const credentials = clouds.flatMap(({ cloud: { settingsPrefix } }) => [
    [`${settingsPrefix}_CLIENT_ID`, 'client'],
    [`${settingsPrefix}_CLIENT_SECRET`, 'a secret of a client'],
  ]);
  daemon = await startDaemon({
    env: {
      ...Object.fromEntries(credentials),
      GARMIN_WEBHOOK_TOKEN: 'a token of the operator',
      SUUNTO_WEBHOOK_SECRET: 'a secret of the operator',
      TRUST_PROXY: '1',
      WEBHOOK_REFUSALS_PER_ADDRESS: String(LIMIT),
    },
  });
});
afterAll(() => daemon?.stop());

describe.each(ROUTES)('%s', (path) => {
  test.each(BODIES)('spends little main-thread time on an anonymous sender with %s', async (_name, body, packed) => {
    for (const headers of [{}, FORGED]) {
      const statuses: number[] = [];
      const before = mainThreadMs(daemon.pid);
      for (let sent = 0; sent < REQUESTS; sent++) statuses.push(await send(path, body, packed, headers));
      expect(mainThreadMs(daemon.pid) - before).toBeLessThan(MOST_MS);
      for (const status of statuses) expect([401, 413, 415, 503]).toContain(status);
    }
  });
});

/** Sends a request. Uses a new IP address for each call by default, because limits apply per IP address. */
function send(
  path: string,
  body: Buffer,
  packed: boolean,
  headers: Record<string, string>,
  address = newAddress(),
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${daemon.url}${path}`, {
      method: 'POST',
      headers: {
        ...headers,
        'X-Forwarded-For': address,
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
        ...(packed && { 'Content-Encoding': 'gzip' }),
      },
    });
    sent.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      response.resume();
      if (!packed && body.length > 1_000) sent.destroy();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `10.0.${(addresses >> 8) & 255}.${addresses & 255}`;
}

describe('rejected webhooks of one IP address', () => {
  const PATH = receiveProviderWebhook.path.replace('{provider}', 'whoop');
  const forged = Buffer.from('{}');

  test('get 429 above the limit', async () => {
    const address = newAddress();
    for (let sent = 0; sent < LIMIT; sent++) expect(await send(PATH, forged, false, FORGED, address)).toBe(401);
    expect(await send(PATH, forged, false, FORGED, address)).toBe(429);
    expect(await send(CANONICAL[0] as string, forged, false, FORGED, address)).toBe(429);
    expect(await send(PATH, forged, false, FORGED)).toBe(401);
  });

  test('do not block deliveries that the vendor signed', async () => {
    const address = newAddress();
    for (let sent = 0; sent <= LIMIT; sent++) await send(PATH, forged, false, FORGED, address);
    const timestamp = String(Date.now());
    const signature = createHmac('sha256', 'a secret of a client').update(timestamp).update(forged).digest('base64');
    const signed = { 'X-WHOOP-Signature': signature, 'X-WHOOP-Signature-Timestamp': timestamp };
    expect(await send(PATH, forged, false, signed, address)).toBe(204);
  });

  test('appear once in the log when the limit is reached', async () => {
    const address = newAddress();
    for (let sent = 0; sent < LIMIT + 5; sent++) await send(PATH, forged, false, FORGED, address);
    const lines = `${daemon.output.stdout}${daemon.output.stderr}`.split('\n');
    const limited = lines.filter((line) => line.includes('webhook_sender_limited') && line.includes(address));
    expect(limited).toHaveLength(1);
  });
});
