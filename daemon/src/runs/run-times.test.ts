import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { newUser, type TestUser } from '../../../test/support/recorded-user.js';
import { inTransaction } from '../platform/database/index.js';
import { createSyncNotifier } from './events/sync-notifier.js';
import { createSyncRuns, newRunId } from './runs.js';
import type { SyncRuns } from './sync-runs.js';

let database: TestDatabase;
let runs: SyncRuns;
let user: TestUser;
beforeAll(async () => {
  database = await createTestDatabase();
  runs = createSyncRuns(database.pool, createSyncNotifier(database.pool));
});
beforeEach(async () => {
  user = await newUser(database);
});
afterAll(() => database.drop());

async function queued(): Promise<string> {
  const runId = newRunId('pull');
  const { userKey } = user;
  await inTransaction(database.pool, (client) =>
    runs.queue(client, { runId, userKey, provider: 'google', source: 'pull' }),
  );
  return runId;
}

/** Runs `work` in a transaction and compares the stored times with the transaction's start, to the microsecond. */
async function times(work: (client: pg.ClientBase) => Promise<unknown>, comparison: string) {
  return inTransaction(database.pool, async (client) => {
    await work(client);
    const { rows } = await client.query(`select ${comparison} from sync_run where user_key = $1`, [user.userKey]);
    return rows[0];
  });
}

describe('a run that ends inside a transaction', () => {
  it('ends after the start of the transaction', async () => {
    const runId = await queued();
    const found = await times(async (client) => {
      await runs.moveIn(client, runId, 'started');
      await runs.finishIn(client, runId, { stage: 'completed', status: 'success' });
    }, 'started_at > now() as started, ended_at > started_at as ended, updated_at = ended_at as updated');
    expect(found).toEqual({ started: true, ended: true, updated: true });
  });

  it('gets a later end than an earlier run of the transaction', async () => {
    const ids = [await queued(), await queued()];
    const found = await times(
      async (client) => {
        for (const id of ids) await runs.finishIn(client, id, { stage: 'completed', status: 'success' });
      },
      `(select count(distinct ended_at)::int from sync_run where user_key = $1) as ends,
       (select run_id from sync_run where user_key = $1 order by ended_at desc limit 1) as last`,
    );
    expect(found).toEqual({ ends: 2, last: ids[1] });
  });

  it("sets the connection's last error time after the transaction's start", async () => {
    const { userKey } = user;
    await database.pool.query(`insert into connection (user_key, provider) values ($1, 'google')`, [userKey]);
    const runId = await queued();
    const found = await times(
      async (client) => {
        await client.query('select pg_sleep(0.01)');
        await runs.finishIn(client, runId, { stage: 'failed', status: 'failed', error: 'The vendor is away.' });
      },
      `(select last_error_at > now() from connection where user_key = $1) as "isLater",
       ended_at >= (select failing_since from connection where user_key = $1) as "isCounted"`,
    );
    expect(found).toEqual({ isLater: true, isCounted: true });
  });
});
