import { createVault } from '@healthd/daemon/vault';
import { MS_PER_HOUR } from '@healthd/model';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openReadingFixture, type ReadingFixture } from '../../../../test/support/reading-fixture.js';
import { ScriptedVendor } from '../../../../test/support/scripted-vendor.js';
import { adoptConnection, TokenStore } from '../../connections/index.js';
import { inTransaction } from '../../platform/database/index.js';
import { schedulePulls } from './schedule-pulls.js';

const NOW_MS = Date.parse('2026-03-10T12:00:00Z');
const at = (hoursAgo: number) => new Date(NOW_MS - hoursAgo * MS_PER_HOUR).toISOString();

let vendor: ScriptedVendor;
let fixture: ReadingFixture;
beforeEach(async () => {
  vendor = new ScriptedVendor();
  fixture = await openReadingFixture({ provider: vendor.provider(), now: () => new Date(NOW_MS) });
});
afterEach(() => fixture.close());

it('syncs an adopted connection from a day before its last sync', async () => {
  const user = await fixture.addUser();
  const { id: provider } = vendor.provider();
  // Seals the tokens with the encryption key of the fixture's service.
  const tokens = new TokenStore(createVault([new Uint8Array(32).fill(8)]));
  const given = {
    provider,
    status: 'active' as const,
    providerUserId: 'vendor-1',
    providerUsername: null,
    scope: 'activity heart',
    accessToken: 'kept elsewhere',
    refreshToken: 'and this',
    tokenExpiresAt: at(-1),
    lastSyncedAt: at(50),
    createdAt: at(24 * 700),
    updatedAt: at(50),
  };
  const adopted = await inTransaction(fixture.pool, (client) => adoptConnection(client, tokens, user, given));
  expect(adopted).toBe('new');
  const { rows } = await fixture.pool.query<{ id: string }>('select id from connection');
  const connectionId = rows[0]?.id as string;
  expect(await tokens.read(fixture.pool, connectionId)).toMatchObject({
    accessToken: 'kept elsewhere',
    refreshToken: 'and this',
    isUnreadable: false,
    providerUserId: 'vendor-1',
  });

  expect(await schedulePulls(fixture.services, [provider], new AbortController().signal)).toBe(1);
  await fixture.pool.query('update pull_run set resume_at = $1', [new Date(NOW_MS)]);
  await fixture.work(connectionId);
  const starts = vendor.callsOf('steps').map(({ startMs }) => startMs);
  expect(new Date(Math.min(...starts)).toISOString()).toBe(at(74));
  expect(await fixture.runsOf(user.userKey)).toMatchObject([{ source: 'pull', status: 'success' }]);
});
