import { gzipSync } from 'node:zlib';
import { type GarminSimulator, startGarminSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Daemon, startDaemon } from '../../support/daemon.js';
import { mainThreadMs } from '../../support/main-thread-time.js';
import { garminSettings } from '../../support/simulated-vendor.js';

/** A delivery of the maximum size: 42 million empty items, which compress to a thousandth of their size. */
const ITEMS = 42_000_000;
const HOSTILE = Buffer.from(`{"dailies":[${'{},'.repeat(ITEMS)}{}]}`);
const MOST_MS = 1_000;

let vendor: GarminSimulator;
let daemon: Daemon;
beforeAll(async () => {
  vendor = await startGarminSimulator();
  daemon = await startDaemon({ env: { ...garminSettings(vendor), HISTORICAL_SYNC_ON_CONNECT: 'false' } });
}, 120_000);
afterAll(async () => {
  await daemon?.stop();
  await vendor?.close();
});

async function send(body: Buffer, headers: Record<string, string> = {}): Promise<{ status: number; ms: number }> {
  const before = mainThreadMs(daemon.pid);
  const response = await fetch(
    `${daemon.url}/api/v1/providers/garmin/webhooks?token=${vendor.settings.WEBHOOK_TOKEN}`,
    {
      method: 'POST',
      headers: { 'garmin-client-id': vendor.client.id, 'content-type': 'application/json', ...headers },
      body: new Uint8Array(body),
    },
  );
  await response.arrayBuffer();
  return { status: response.status, ms: Math.round(mainThreadMs(daemon.pid) - before) };
}

test('rejects a highly compressed body without reading all of it', async () => {
  const packed = gzipSync(HOSTILE, { level: 9 });
  const { status, ms } = await send(packed, { 'content-encoding': 'gzip' });
  console.info(`packed ${packed.length} B: ${status}, ${ms} ms of the main thread`);
  expect(status).toBe(413);
  expect(ms).toBeLessThan(MOST_MS / 4);
}, 120_000);

test('splits a large body outside of the main thread', async () => {
  const { status, ms } = await send(HOSTILE);
  console.info(`plain ${HOSTILE.length} B: ${status}, ${ms} ms of the main thread`);
  // Expects no error status, because the vendor would send the same body again.
  expect(status).toBe(200);
  expect(ms).toBeLessThan(MOST_MS);
}, 120_000);
