import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BackfillFixture, DAY, HOUR, openBackfillFixture } from './backfill-fixture.js';
import type { ConnectedUser } from './garmin-fixture.js';

let fixture: BackfillFixture;
beforeEach(async () => {
  fixture = await openBackfillFixture();
});
afterEach(() => fixture.close());

describe('a new or repeated consent', () => {
  const disconnect = ({ userId }: ConnectedUser) =>
    fixture.call('DELETE', `/api/v1/users/${userId}/connections/garmin`);

  it('requests the data of the gap, for at most 30 days', async () => {
    const ada = await fixture.connect('ada');
    await fixture.work();
    await fixture.wait(25 * HOUR);
    await fixture.work();
    expect(await fixture.lastBackfill(ada)).toMatchObject({ status: 'success' });
    await disconnect(ada);
    await fixture.wait(40 * DAY);
    await fixture.control.clearRequests();
    await fixture.connect('ada', ada.userId);
    await fixture.reading.settle();
    expect((await fixture.requestedTypes()).size).toBe(15);
    expect(await fixture.asked()).toHaveLength(15);
    const query = new URL((await fixture.asked())[0]?.path ?? '', 'http://x').searchParams;
    const [from, to] = ['Start', 'End'].map((name) => Number(query.get(`summary${name}TimeInSeconds`)));
    expect(to! - from!).toBeLessThanOrEqual(30 * DAY);
    expect(await fixture.backfills(ada)).toHaveLength(2);
  });

  it('requests the history after a crash during a renewed consent', async () => {
    const ada = await fixture.connect('ada');
    await fixture.work();
    await disconnect(ada);
    await fixture.work();
    await fixture.control.clearRequests();
    // Prevents the follow-up work of the consent.
    await fixture.pool.query(`
      create function refuse_run() returns trigger language plpgsql as $$ begin raise exception 'the process has ended'; end $$;
      create trigger refuse_run before insert on sync_run for each row execute function refuse_run()`);
    await fixture.connect('ada', ada.userId);
    await fixture.pool.query('drop function refuse_run cascade');
    expect(await fixture.backfills(ada)).toHaveLength(1);
    await fixture.wait(120);
    await fixture.reading.settle();
    expect((await fixture.requestedTypes()).size).toBe(15);
    expect((await fixture.backfills(ada)).map(({ status }) => status)).toEqual(['cancelled', 'in_progress']);
    // The number of requests must not grow any more.
    const requests = (await fixture.asked()).length;
    await fixture.wait(120);
    await fixture.reading.settle();
    expect(await fixture.asked()).toHaveLength(requests);
  });

  it('repeats requests that were sent before the revocation', async () => {
    await fixture.control.setExportDelay(10 * HOUR);
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    await disconnect(ada);
    await fixture.connect('ada', ada.userId);
    await fixture.reading.settle();
    expect((await fixture.backfills(ada)).map(({ status }) => status)).toEqual(['cancelled', 'in_progress']);
    await fixture.wait(11 * HOUR);
    await fixture.work();
    expect((await fixture.steps(ada)).length).toBe(12);
  });

  it("requests a new account's history instead of the former account's", async () => {
    await fixture.control.addAccount({ id: 'ben' });
    await fixture.control.seedHistory('ben', { seed: 8, days: 5 });
    await fixture.control.setExportDelay(HOUR);
    const user = await fixture.connect('ada');
    await fixture.reading.settle();
    await fixture.connect('ben', user.userId);
    await fixture.reading.settle();
    expect((await fixture.backfills(user)).map(({ status }) => status)).toEqual(['cancelled', 'in_progress']);
    await fixture.wait(2 * HOUR);
    await fixture.work();
    expect((await fixture.steps(user)).length).toBe(5);
  });

  it('sends no request when a valid consent is repeated', async () => {
    const ada = await fixture.connect('ada');
    await fixture.work();
    await fixture.wait(25 * HOUR);
    await fixture.work();
    await fixture.control.clearRequests();
    await fixture.connect('ada', ada.userId);
    await fixture.work();
    expect(await fixture.asked()).toEqual([]);
  });
});
