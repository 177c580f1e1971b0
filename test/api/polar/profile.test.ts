import { MS_PER_DAY } from '@healthd/model';
import { type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { writeRecords } from '../../support/recorded-user.js';
import { sample } from '../../support/records.js';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

/** Body profile in the vendor's format, without `modified`. */
const PROFILE = { weight: 74.2, height: 179, weight_source: 'SOURCE_USER' };
const SCALE = { provider: 'apple', writer: 'Example Scale', deviceType: 'scale' } as const;

let fixture: VendorFixture<PolarSimulator>;
let ada: ConnectedUser;
let userId = 60_417_735;
beforeAll(async () => {
  fixture = await openVendorFixture('polar', await startPolarSimulator({ autoConsent: true }));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  userId++;
  await fixture.control.reset();
  await fixture.control.addAccount({ id: 'ada', userId: String(userId), timeZone: 'UTC' });
  await fixture.control.setPhysical('ada', PROFILE);
  ada = await fixture.connect('ada');
  await fixture.reading.settle();
});

const weights = () => fixture.samples(ada.userKey, 'weight');
const shownWeight = async () =>
  (await fixture.call('GET', `/api/v1/users/${ada.userId}/summaries/body`)).body.slow_changing.weight_kg;
const weighed = (daysAgo: number, value: number) =>
  writeRecords(fixture, ada.userKey, [
    sample('weight', new Date(Date.now() - daysAgo * MS_PER_DAY).toISOString(), value, { source: SCALE }),
  ]);

it('keeps the first observation time of a weight without a time', async () => {
  const [first] = await weights();
  expect(first?.value).toBe(74.2);
  expect(Math.abs((first?.atMs ?? 0) - Date.now())).toBeLessThan(5 * 60_000);
  for (let poll = 0; poll < 3; poll++) {
    await fixture.wait(3_600);
    await fixture.pull(ada);
  }
  expect(await weights()).toEqual([first]);
  await fixture.control.setPhysical('ada', { ...PROFILE, weight: 73.1 });
  await fixture.pull(ada);
  await fixture.pull(ada);
  expect((await weights()).map(({ value }) => value)).toEqual([74.2, 73.1]);
});

it('prefers a measured weight to an undated profile weight', async () => {
  expect(await shownWeight()).toBe(74.2);
  const { body } = await fixture.call('GET', `/api/v1/users/${ada.userId}/diagnosis`);
  expect(body.providers).toMatchObject([{ provider: 'polar', last_data_at: null }]);
  await weighed(14, 71.6);
  await fixture.control.setPhysical('ada', { ...PROFILE, weight: 76 });
  await fixture.pull(ada);
  expect(await shownWeight()).toBe(71.6);
});

it('prefers a newer profile weight to an older measurement', async () => {
  await weighed(14, 71.6);
  expect(await shownWeight()).toBe(71.6);
  const modified = new Date(Date.now() - MS_PER_DAY).toISOString();
  await fixture.control.setPhysical('ada', { ...PROFILE, weight: 76, modified });
  await fixture.pull(ada);
  expect(await shownWeight()).toBe(76);
});
