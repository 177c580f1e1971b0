import { readFile } from 'node:fs/promises';
import { eraseDelivered } from '@healthd/daemon/ingest/webhooks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, type DeliveryFixture, dailyOf, type GarminUser, openDeliveryFixture, today } from './delivery-fixture.js';

let fixture: DeliveryFixture;
let ada: GarminUser;
let ben: GarminUser;
beforeEach(async () => {
  fixture = await openDeliveryFixture();
  ({ ada } = fixture);
  ben = await fixture.addUser('ben');
});
afterEach(() => fixture.close());

const erase = async ({ userId }: GarminUser) => {
  const developer = await fixture.service.logIn();
  return (await developer.call('DELETE', `/api/v1/users/${userId}`)).status;
};
/** Returns all bytes in the spool. */
const spooled = async () => {
  const { spool } = fixture.service.parts.deliveries;
  const files = await spool.list();
  return (await Promise.all(files.map(({ name }) => readFile(spool.pathOf(name), 'utf8')))).join('\n');
};
const leftOf = async (account: string) => {
  const { rows } = await fixture.pool.query('select 1 from webhook_delivery where $1 = any (unmatched)', [account]);
  const { rows: pending } = await fixture.pool.query('select 1 from delivery_erasure');
  return { unmatched: rows.length, pending: pending.length, isInSpool: (await spooled()).includes(account) };
};
const NOTHING = { unmatched: 0, pending: 0, isInSpool: false };

it("removes only an erased user's items from waiting deliveries", async () => {
  const seconds = Array.from({ length: 9_000 }, (_, at) => ({
    startTimeInSeconds: today - 3 * DAY + at,
    heartRate: 100,
    note: 'x'.repeat(100),
  }));
  const summary = { activityType: 'RUNNING', startTimeInSeconds: today - 3 * DAY, durationInSeconds: 9_000 };
  await fixture.send({
    activityDetails: [{ userId: ada.account, activityId: 1, summary, samples: seconds }],
    dailies: [dailyOf(ada, 2, 1), 7, dailyOf(ben, 2, 20), dailyOf(ada, 1, 2), dailyOf(ben, 1, 30)],
  });
  expect(await erase(ada)).toBe(200);
  expect(await leftOf(ada.account)).toEqual(NOTHING);
  await fixture.settle();
  expect(await fixture.steps(ben)).toEqual([20, 30]);
  expect(await fixture.deliveries()).toEqual({ done: 1 });
});

it('stores no item twice when the file changes between two reads', async () => {
  await fixture.pool.query(`
    create function refuse_ben() returns trigger language plpgsql as $$ begin
      raise exception 'refused by the test' using errcode = '40P01';
    end $$;
    create trigger refuse_ben before insert on sample for each row
      when (new.user_key = ${ben.userKey}) execute function refuse_ben();`);
  const cy = await fixture.addUser('cy');
  await fixture.send({ dailies: [dailyOf(ada, 2, 1), dailyOf(cy, 2, 5), dailyOf(ben, 1, 30), dailyOf(cy, 1, 6)] });
  await fixture.settle();
  expect(await erase(ada)).toBe(200);
  expect(await leftOf(ada.account)).toEqual(NOTHING);
  await fixture.pool.query('drop function refuse_ben cascade');
  await fixture.pool.query('update webhook_delivery set next_try_at = now() - make_interval(secs => 1)');
  await fixture.settle();
  expect(await fixture.steps(ben)).toEqual([30]);
  expect(await fixture.steps(cy)).toEqual([5, 6]);
  const runs = (await fixture.reading.runsOf(cy.userKey)).filter(({ source }) => source === 'webhook');
  expect(runs).toMatchObject([{ metadata: { data_types: { dailies: { received: 2 } } } }]);
});

it('removes an erased account from deliveries retained for a pending consent', async () => {
  const { userId: stranger } = await fixture.control.addAccount({ id: 'stranger' });
  await fixture.send({ dailies: [dailyOf(ada, 1, 1), { ...dailyOf(ada, 1, 1), userId: stranger }] });
  await fixture.settle();
  await fixture.pool.query('update webhook_delivery set unmatched = unmatched || $1::text', [ada.account]);
  expect(await erase(ada)).toBe(200);
  expect(await leftOf(ada.account)).toEqual(NOTHING);
  expect(await spooled()).toContain(stranger);
});

it('keeps the items of an account that another user is connected to', async () => {
  const other: GarminUser = { ...(await fixture.connect('ada')), account: ada.account };
  await fixture.send({ dailies: [dailyOf(ada, 1, 9)] });
  expect(await erase(ada)).toBe(200);
  await fixture.settle();
  expect(await fixture.steps(other)).toEqual([9]);
});

it('finishes an erasure whose process ended before the files were rewritten', async () => {
  await fixture.send({ dailies: [dailyOf(ada, 1, 9)] });
  await fixture.pool.query(`insert into delivery_erasure (provider, account, erased_at) values ('garmin', $1, now())`, [
    ada.account,
  ]);
  expect(await eraseDelivered(fixture.service.parts.deliveries)).toBe(1);
  expect(await leftOf(ada.account)).toEqual(NOTHING);
});

it('removes the items of an account that another user has disconnected', async () => {
  const other = await fixture.connect('ada');
  await fixture.send({ dailies: [dailyOf(ada, 1, 9)] });
  expect((await fixture.call('DELETE', `/api/v1/users/${other.userId}/connections/garmin`)).status).toBeLessThan(300);
  expect(await erase(ada)).toBe(200);
  expect(await leftOf(ada.account)).toEqual(NOTHING);
});

it('removes the items of an account that the user has replaced', async () => {
  await fixture.send({ dailies: [dailyOf(ada, 2, 9)] });
  await fixture.settle();
  // Deletes the delivery rows, as the service does after a month.
  await fixture.pool.query('delete from webhook_delivery');
  await fixture.control.addAccount({ id: 'second' });
  await fixture.connect('second', ada.userId);
  await fixture.send({ dailies: [dailyOf(ada, 1, 10)] });
  await fixture.settle();
  expect(await erase(ada)).toBe(200);
  expect(await leftOf(ada.account)).toEqual(NOTHING);
});

it('removes the items of two users who are erased together', async () => {
  const { deliveries } = fixture.service.parts;
  const of = (user: GarminUser) =>
    Array.from({ length: 3_000 }, (_, at) => ({ ...dailyOf(user, 1, at), note: 'x'.repeat(100) }));
  await fixture.send({ dailies: [...of(ada), ...of(ben)] });
  const note = ({ account }: GarminUser) =>
    fixture.pool.query(`insert into delivery_erasure (provider, account, erased_at) values ('garmin', $1, now())`, [
      account,
    ]);
  await note(ada);
  const first = eraseDelivered(deliveries);
  await expect.poll(async () => (await deliveries.spool.list()).length, { interval: 1 }).toBeGreaterThan(1);
  await fixture.pool.query('delete from delivery_erasure');
  await note(ben);
  await Promise.all([first, eraseDelivered(deliveries)]);
  expect(await leftOf(ada.account)).toEqual(NOTHING);
  expect(await leftOf(ben.account)).toEqual(NOTHING);
});
