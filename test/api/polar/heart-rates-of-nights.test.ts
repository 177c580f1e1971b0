import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ConnectedUser, openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

let fixture: VendorFixture<PolarSimulator>;
let ada: ConnectedUser;
/** Ada's account number, different in each test. */
let userId = 60_417_735;
beforeAll(async () => {
  fixture = await openVendorFixture('polar', await startPolarSimulator({ autoConsent: true }));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  userId++;
  await fixture.control.reset();
  await fixture.control.addAccount({ id: 'ada', userId: String(userId), timeZone: 'Asia/Kolkata' });
  ada = await fixture.connect('ada');
  await fixture.reading.settle();
});

const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * MS_PER_DAY).toISOString().slice(0, 10);
const [DATE, BEFORE] = [dayOf(2), dayOf(3)];
const MIDNIGHT_MS = Date.parse(`${DATE}T00:00:00+05:30`);
/** Means at 23:50, 00:00, 00:20, 00:40. */
const night = {
  date: DATE,
  sleep_start_time: `${BEFORE}T23:41:10+05:30`,
  sleep_end_time: `${DATE}T06:47:40+05:30`,
  heart_rate_samples: { '23:50': 55, '00:00': 54, '00:20': 53, '00:40': 52 },
};
const measured = (...times: [string, number][]) =>
  times.map(([sample_time, heart_rate]) => ({ sample_time, heart_rate }));
const evening = { date: BEFORE, heart_rate_samples: measured(['23:54:50', 60]) };
const morning = { date: DATE, heart_rate_samples: measured(['00:00:00', 61], ['00:04:30', 62], ['00:20:00', 63]) };
/** Heart rates of both days, by minutes after Ada's local midnight. */
const BOTH = [
  [-5, 60],
  [0, 61],
  [4, 62],
  [20, 63],
  // No continuous reading is close to this time.
  [40, 52],
];

/** Values of the night when no continuous readings exist. */
const MEANS = [
  [-10, 55],
  [0, 54],
  [20, 53],
  [40, 52],
];

async function stored({ userKey } = ada) {
  const samples = await fixture.samples(userKey, 'heart_rate');
  return samples.map(({ atMs, value }) => [Math.trunc((atMs - MIDNIGHT_MS) / 60_000), value]);
}

/** Returns the heart rates of the date's first half hour from the API. */
async function meanOfHalfHour() {
  const [from, to] = [0, 0.5].map((hours) => new Date(MIDNIGHT_MS + hours * MS_PER_HOUR).toISOString());
  const path = `/api/v1/users/${ada.userId}/timeseries?types=heart_rate&start_time=${from}&end_time=${to}`;
  const { data } = (await fixture.call('GET', path)).body as { data: { value: number }[] };
  return data.map(({ value }) => value);
}

it.each([
  ['before', [{ sleep: [night] }, { heartRates: [evening, morning] }]],
  ['after', [{ heartRates: [evening, morning] }, { sleep: [night] }]],
  ['with', [{ sleep: [night], heartRates: [evening, morning] }]],
])('uses means that arrive %s the readings only to fill gaps', async (_, steps) => {
  for (const step of steps) {
    await fixture.control.put('ada', step, { notify: false });
    expect(await fixture.pull(ada)).toMatchObject({ status: 'success' });
  }
  expect(await stored()).toEqual(BOTH);
  expect(await meanOfHalfHour()).toEqual([61, 62, 63]);
  for (let poll = 0; poll < 2; poll++) {
    const run = await fixture.pull(ada);
    for (const report of Object.values(run?.metadata.data_types as Record<string, object>)) {
      expect(report).toMatchObject({ inserted: 0, updated: 0, deleted: 0 });
    }
  }
  expect(await stored()).toEqual(BOTH);
});

it('stores readings with their nights when synced three weeks late', async () => {
  await fixture.pull(ada);
  const [date, before] = [dayOf(21), dayOf(22)];
  const late = {
    ...night,
    date,
    sleep_start_time: `${before}T23:41:10+05:30`,
    sleep_end_time: `${date}T06:47:40+05:30`,
  };
  await fixture.control.put('ada', { sleep: [late], heartRates: [{ ...morning, date }] }, { notify: false });
  await fixture.pull(ada);
  const midnightMs = Date.parse(`${date}T00:00:00+05:30`);
  const samples = await fixture.samples(ada.userKey, 'heart_rate');
  expect(samples.map(({ atMs, value }) => [Math.trunc((atMs - midnightMs) / 60_000), value])).toEqual([
    [-10, 55],
    [0, 61],
    [4, 62],
    [20, 63],
    [40, 52],
  ]);
});

it("shows a night's means again after its readings are deleted", async () => {
  await fixture.control.put('ada', { sleep: [night], heartRates: [evening, morning] }, { notify: false });
  await fixture.pull(ada);
  const empty = [BEFORE, DATE].map((date) => ({ date, heart_rate_samples: [] }));
  await fixture.control.put('ada', { heartRates: empty }, { notify: false });
  await fixture.pull(ada);
  await fixture.pull(ada);
  expect(await stored()).toEqual(MEANS);
});

const answered = (status: number) =>
  fixture.control.addFault({ kind: 'error', status, path: '/continuous-heart-rate', times: null });

it.each([400, 403, 404])("replaces a night's means with readings after a temporary %i response", async (status) => {
  await answered(status);
  await fixture.control.put('ada', { sleep: [night], heartRates: [evening, morning] }, { notify: false });
  for (const expected of [{ status: 'success' }, { inserted: 0, updated: 0, deleted: 0 }]) {
    const run = await fixture.pull(ada);
    expect(run?.metadata.data_types).toMatchObject({ sleep: expected });
    expect(await stored()).toEqual(MEANS);
  }
  await fixture.control.clearFaults();
  await fixture.pull(ada);
  expect(await stored()).toEqual(BOTH);
  expect(await meanOfHalfHour()).toEqual([61, 62, 63]);
});

it.each([400, 403, 404, 500])('fills gaps of a night that changed during a temporary %i response', async (status) => {
  await fixture.control.put('ada', { sleep: [night], heartRates: [evening, morning] }, { notify: false });
  await fixture.pull(ada);
  await answered(status);
  const samples = { ...night.heart_rate_samples, '01:00': 51 };
  const changed = { ...night, sleep_score: 80, heart_rate_samples: samples };
  await fixture.control.put('ada', { sleep: [changed] }, { notify: false });
  await fixture.pull(ada);
  expect(await stored()).toEqual([...BOTH, [60, 51]]);
  expect(await fixture.scores(ada.userKey)).toMatchObject([{ value: 80 }]);
});

it('stores readings for one user of an account, means for another user', async () => {
  await fixture.control.put('ada', { sleep: [night], heartRates: [evening, morning] }, { notify: false });
  await fixture.pull(ada);
  await answered(403);
  const eve = await fixture.connect('ada');
  await fixture.pull(eve);
  await fixture.pull(ada);
  expect(await stored(eve)).toEqual(MEANS);
  expect(await stored()).toEqual(BOTH);
});
