import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ConnectedUser, type GarminFixture, openGarminFixture } from './garmin-fixture.js';

const ALL = 'ACTIVITY_EXPORT HEALTH_EXPORT HISTORICAL_DATA_EXPORT MCT_EXPORT';
const LOOK = { interval: 10, timeout: 10_000 };

let fixture: GarminFixture;
let adaId: string;
let ada: ConnectedUser;
beforeEach(async () => {
  fixture = await openGarminFixture();
  adaId = (await fixture.control.addAccount({ id: 'ada' })).userId;
  await fixture.control.setPushTarget({ url: fixture.address });
  ada = await fixture.connect('ada');
  await fixture.reading.settle();
  // The notifications concern a consent from an hour ago.
  await fixture.pool.query(`update connection set account_checked_at = now() - interval '1 hour'`);
});
afterEach(() => fixture.close());

const send = (body: object) => fixture.control.sendBody(JSON.stringify(body));
const pushed = async () => {
  await fixture.control.pushes();
  await fixture.reading.settle();
};
const waitingForLocks = async () =>
  (
    await fixture.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).rowCount;

it('never applies earlier permissions to a concurrently stored consent', async () => {
  const holder = await fixture.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from user_state where user_key = $1 for no key update', [ada.userKey]);
    const connecting = fixture.connect('ada', ada.userId);
    await expect.poll(waitingForLocks, LOOK).toBe(1);
    const changeTimeInSeconds = Math.floor(Date.now() / 1_000) - 600;
    await send({
      userPermissionsChange: [{ userId: adaId, permissions: ['MCT_EXPORT'], changeTimeInSeconds }],
    });
    const followed = pushed();
    await expect.poll(waitingForLocks, LOOK).toBe(2);
    await holder.query('commit');
    await connecting;
    await followed;
  } finally {
    holder.release();
  }
  expect(await fixture.connection(ada)).toMatchObject({ status: 'active', scope: ALL });
});

it('keeps a consent that was stored after the tokens were rejected', async () => {
  await fixture.control.revokeGrants('ada');
  const holder = await fixture.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from connection where id = $1 for share', [ada.connectionId]);
    const connecting = fixture.connect('ada', ada.userId);
    await expect.poll(waitingForLocks, LOOK).toBe(1);
    await send({ deregistrations: [{ userId: adaId }] });
    const followed = pushed();
    await expect.poll(waitingForLocks, LOOK).toBe(2);
    await holder.query('commit');
    await connecting;
    await followed;
  } finally {
    holder.release();
  }
  expect(await fixture.connection(ada)).toMatchObject({ status: 'active', scope: ALL });
});
