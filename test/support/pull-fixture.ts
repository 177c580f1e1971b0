import { queuePull } from '../../daemon/src/ingest/pull/open-runs.js';
import { openReadingFixture } from './reading-fixture.js';
import { ScriptedVendor } from './scripted-vendor.js';

const NOW = '2026-03-10T12:00:00Z';

export type PullFixture = Awaited<ReturnType<typeof openPullFixture>>;

/** Opens a fixture with a user who consented at noon on 10 March 2026. The test defines the vendor's responses. */
export async function openPullFixture() {
  const vendor = new ScriptedVendor();
  let nowMs = Date.parse(NOW);
  const fixture = await openReadingFixture({ provider: vendor.provider(), now: () => new Date(nowMs) });
  const user = await fixture.addUser();
  const connectionId = await fixture.consent(user);
  await fixture.pool.query('update connection set consented_at = $1', [new Date(nowMs)]);
  return {
    vendor,
    fixture,
    user,
    connectionId,
    /** Clock of the service. */
    now: () => nowMs,
    letPass(milliseconds: number): void {
      nowMs += milliseconds;
    },
    /** Queues a run, executes it and returns its result. */
    async pull(kind: 'live' | 'manual' | 'backfill' = 'live', fromAt?: Date) {
      const connection = await fixture.connections.findConnectionById(connectionId);
      const { runId } = await queuePull(fixture.services, connection!, { kind, fromAt });
      await fixture.work(connectionId);
      return (await fixture.runsOf(user.userKey)).find((run) => run.run_id === runId)!;
    },
    close: () => fixture.close(),
  };
}
