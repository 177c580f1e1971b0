import { MS_PER_DAY } from '@healthd/model';
import { type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { consent, modeOf } from '../../testing/consent.js';
import { POLAR } from '../provider.js';

const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * MS_PER_DAY).toISOString().slice(0, 10);
const [DATE, BEFORE, AFTER] = [dayOf(2), dayOf(3), dayOf(1)];
let simulator: PolarSimulator;
beforeAll(async () => {
  simulator = await startPolarSimulator({ autoConsent: true });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.addAccount({ id: 'ada', timeZone: 'UTC' });
  await simulator.control.setMember('ada', 'registered before');
  const times = { sleep_start_time: `${BEFORE}T22:51:10+03:00`, sleep_end_time: `${DATE}T06:47:40+03:00` };
  await simulator.control.put('ada', { sleep: [{ date: DATE, ...times, heart_rate_samples: { '23:00': 55 } }] });
});

async function readNights() {
  const { api } = await consent(POLAR.cloud, simulator, 'ada');
  const range = { startMs: Date.now() - 10 * MS_PER_DAY, endMs: Date.now() };
  const reading = await POLAR.cloud.pull?.read(api, 'sleep', range, modeOf(POLAR.cloud), { scopes: new Set() });
  const { length, value } = reading?.batch.samples ?? { length: 0, value: [] };
  return { reading, means: [...value.slice(0, length)] };
}

it.each([400, 403, 404, 500])('uses nightly means as fallbacks if continuous heart rates return %i', async (status) => {
  await simulator.control.addFault({ kind: 'error', status, path: '/continuous-heart-rate', times: null });
  const { reading, means } = await readNights();
  expect(means).toEqual([55]);
  expect(reading?.fallbacks).toMatchObject({
    externalIds: [`sleep/${DATE}`],
    insteadOf: [BEFORE, DATE, AFTER].map((date) => `continuous-heart-rate/${date}`),
  });
  expect(reading?.rejections.total).toBe(0);
});

it('does not mark nightly means as fallbacks if continuous rates are readable', async () => {
  const { reading, means } = await readNights();
  expect(means).toEqual([55]);
  expect(reading?.fallbacks).toBeUndefined();
});
