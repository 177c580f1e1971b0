import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { providerById } from '@healthd/providers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { Deregistration, MAX_WAITING } from './deregistration.js';
import { ConnectionReader } from './store/connection-reader.js';

let database: TestDatabase;
const hanging: ServerResponse[] = [];
let isHanging = true;
const vendor = createServer((_request, response) => {
  if (isHanging) hanging.push(response);
  else response.end();
});
beforeAll(async () => {
  database = await createTestDatabase();
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  vendor.closeAllConnections();
  vendor.close();
  await database.drop();
});

function deregistration() {
  const cloud = providerById('google')?.cloud;
  if (!cloud) throw new Error('google has no cloud');
  const { port } = vendor.address() as AddressInfo;
  const configuration = {
    clientId: 'client',
    clientSecret: 'secret',
    scope: '',
    addresses: { ...cloud.addresses, revoke: `http://127.0.0.1:${port}/revoke` },
    values: {},
  };
  const unused = undefined as never;
  return new Deregistration({
    pool: database.pool,
    tokens: unused,
    writer: unused,
    reader: new ConnectionReader(database.pool),
    configurationOf: () => ({ cloud, configuration }) as never,
    log: { warn: () => undefined },
  });
}

test('reports grants above the queue limit as failed while a vendor hangs', async () => {
  const { pool } = database;
  const parts = deregistration();
  const AT_VENDOR = 4;
  const EXCESS = 50;
  const ends: Record<string, number> = {};
  const all = Array.from({ length: AT_VENDOR + MAX_WAITING + EXCESS }, async (_, index) => {
    const account = index % 2 === 0 ? `account ${index}` : undefined;
    const end = await parts.returnConsent({ provider: 'google', providerUserId: account }, { refreshToken: 'r' });
    ends[end] = (ends[end] ?? 0) + 1;
  });
  await expect.poll(() => hanging.length).toBe(AT_VENDOR);
  await expect.poll(() => ends).toEqual({ failed: EXCESS });
  expect(pool.totalCount - pool.idleCount).toBeLessThanOrEqual(AT_VENDOR);
  isHanging = false;
  for (const response of hanging) response.end();
  await Promise.all(all);
  expect(ends).toEqual({ failed: EXCESS, returned: AT_VENDOR + MAX_WAITING });
});
