import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BackfillFixture, DAY, HOUR, openBackfillFixture } from './backfill-fixture.js';

let fixture: BackfillFixture;
beforeEach(async () => {
  fixture = await openBackfillFixture();
});
afterEach(() => fixture.close());

describe('vendor responses', () => {
  it("accepts a vendor's report of an already requested window", async () => {
    await fixture.control.addFault({
      kind: 'error',
      status: 409,
      path: '/backfill/hrv',
      message: 'Duplicate backfill detected',
    });
    const ada = await fixture.connect('ada');
    await fixture.work();
    const { types } = await fixture.backfill(ada);
    expect(types.find(({ type }: { type: string }) => type === 'hrv')).toMatchObject({ state: 'covered' });
  });

  it('waits for data of a request whose response was lost', async () => {
    await fixture.control.addFault({ kind: 'dropped', path: '/backfill/hrv' });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    await fixture.wait(120);
    await fixture.work();
    const { types } = await fixture.backfill(ada);
    expect(types.find(({ type }: { type: string }) => type === 'hrv')).toMatchObject({ state: 'requested' });
    expect((await fixture.asked()).filter(({ path: one }) => one.includes('/hrv')).map(({ status }) => status)).toEqual(
      [0, 409],
    );
  });

  it("requests the history from the vendor's earliest time after a rejection", async () => {
    const begin = new Date(Date.now() - 10 * DAY * 1_000).toISOString();
    const message = `start date before min start time of ${begin}`;
    await fixture.control.addFault({ kind: 'error', status: 400, path: '/backfill/sleeps', message });
    const ada = await fixture.connect('ada');
    await fixture.work();
    const [rejected, taken] = (await fixture.asked()).filter(({ path: one }) => one.includes('/sleeps'));
    expect([rejected?.status, taken?.status]).toEqual([400, 202]);
    expect(new URL(taken?.path ?? '', 'http://x').searchParams.get('summaryStartTimeInSeconds')).toBe(
      String(Math.ceil(Date.parse(begin) / 1_000)),
    );
    expect((await fixture.backfill(ada)).windows['0'].sleeps).toBe('done');
  });

  it('fails only the type that is disabled in the portal', async () => {
    await fixture.control.disableSummaries(['stressDetails']);
    const ada = await fixture.connect('ada');
    await fixture.work();
    await fixture.wait(25 * HOUR);
    await fixture.work();
    expect(await fixture.lastBackfill(ada)).toMatchObject({ status: 'partial' });
    const { types, windows } = await fixture.backfill(ada);
    expect(types.find(({ type }: { type: string }) => type === 'stressDetails')).toMatchObject({
      state: 'failed',
      error: 'operator 400 endpoint_not_enabled',
    });
    expect(windows['0'].dailies).toBe('done');
  });

  it('delays excess requests without losing any', async () => {
    await fixture.control.addFault({ kind: 'error', status: 429, after: 3, times: 2, path: '/backfill/' });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    expect((await fixture.backfill(ada)).in_progress).toBe(true);
    for (let round = 0; round < 3; round++) {
      await fixture.wait(90);
      await fixture.work();
    }
    expect((await fixture.asked()).filter(({ status }) => status === 202)).toHaveLength(15);
  });

  it.each([
    ['403', { kind: 'error', status: 403, path: '/backfill/', times: null } as const],
    ['412', { kind: 'error', status: 412, path: '/backfill/', times: null } as const],
  ])('fails only the run if the vendor exports no history (%s)', async (_, fault) => {
    await fixture.control.addFault(fault);
    const ada = await fixture.connect('ada');
    await fixture.work();
    expect(await fixture.asked()).toHaveLength(1);
    expect(await fixture.backfill(ada)).toMatchObject({
      overall_status: 'permanently_failed',
      permanently_failed: true,
    });
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
  });

  it.each([401, 404])('fails only one type after a permanent %i', async (status) => {
    await fixture.control.addFault({ kind: 'error', status, path: '/backfill/mct', times: null });
    const ada = await fixture.connect('ada');
    await fixture.work();
    const { windows } = await fixture.backfill(ada);
    expect(windows['0']).toMatchObject({ mct: 'failed', dailies: 'done' });
    expect(await fixture.connection(ada)).toMatchObject({ status: 'active' });
  });

  it('retries a failing server until it responds', async () => {
    await fixture.control.addFault({ kind: 'error', status: 503, path: '/backfill/dailies', times: 2 });
    const ada = await fixture.connect('ada');
    await fixture.work();
    for (let round = 0; round < 4; round++) {
      await fixture.wait(300);
      await fixture.work();
    }
    expect((await fixture.steps(ada)).length).toBe(12);
  });

  it('ends the run and all further requests after a revocation', async () => {
    await fixture.control.addFault({ kind: 'error', status: 503, path: '/backfill/', times: null });
    const ada = await fixture.connect('ada');
    await fixture.work();
    await fixture.control.deregister('ada');
    await fixture.work();
    await fixture.control.clearRequests();
    await fixture.wait(2 * HOUR);
    await fixture.work();
    expect(await fixture.lastBackfill(ada)).toMatchObject({ status: 'cancelled' });
    expect(await fixture.asked()).toEqual([]);
  });
});
