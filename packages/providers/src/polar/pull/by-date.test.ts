import { MS_PER_DAY } from '@healthd/model';
import { type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VendorApi } from '../../cloud/index.js';
import { consent } from '../../testing/consent.js';
import { POLAR } from '../provider.js';

type PolarCollection = Parameters<PolarSimulator['control']['items']>[1];

const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * MS_PER_DAY).toISOString().slice(0, 10);
const RANGE = { from: dayOf(20), to: dayOf(0) };
let simulator: PolarSimulator;
let api: VendorApi;
beforeAll(async () => {
  simulator = await startPolarSimulator({ autoConsent: true, limits: { perQuarter: 1e6, perDay: 1e6 } });
  await simulator.control.addAccount({ id: 'ada', timeZone: 'America/Phoenix' });
  await simulator.control.setMember('ada', 'registered before');
  await simulator.control.seedHistory('ada', { seed: 7, days: 40 });
  ({ api } = await consent(POLAR.cloud, simulator, 'ada'));
});
afterAll(() => simulator.close());

const ask = (path: string, query = {}) => api.call({ path: `/v3/users/${path}`, query });
const items = (collection: PolarCollection) => simulator.control.items('ada', collection);

it.each<[string, PolarCollection]>([
  ['sleep', 'sleep'],
  ['nightly-recharge', 'recharges'],
  ['continuous-heart-rate', 'heartRates'],
])('the simulator returns the %s item of a date, otherwise 404', async (path, collection) => {
  const [item] = (await items(collection)).filter(({ date }) => String(date) >= dayOf(10));
  expect(await ask(`${path}/${item?.date}`)).toEqual(item);
  await expect(ask(`${path}/${dayOf(90)}`)).rejects.toMatchObject({ code: 'not_found', status: 404 });
});

it('the simulator returns the steps of a day only on request', async () => {
  const [day] = (await items('activities')).filter(({ start_time: start }) => String(start) >= dayOf(10));
  const { samples, ...total } = day ?? {};
  const date = String(day?.start_time).slice(0, 10);
  expect(await ask(`activities/${date}`)).toEqual(total);
  expect(await ask(`activities/${date}`, { steps: 'true' })).toEqual(day);
  expect(await ask(`activities/samples/${date}`)).toEqual(samples);
  expect(await ask('activities/samples', { from: date, to: date })).toEqual([samples]);
  expect(await ask(`activities/${dayOf(90)}`)).toBeUndefined();
  expect(await ask(`activities/samples/${dayOf(90)}`)).toBeUndefined();
  for (const path of [`activities/${dayOf(400)}`, `activities/samples/${dayOf(400)}`]) {
    await expect(ask(path), path).rejects.toMatchObject({ code: 'invalid_request', status: 400 });
  }
});

it('the simulator returns loads by date, range, days or months', async () => {
  const loads = (await items('cardioLoads')).toSorted((a, b) => (String(a.date) < String(b.date) ? -1 : 1));
  const load = loads.at(-5);
  expect(await ask(`cardio-load/${load?.date}`)).toEqual([load]);
  expect(await ask(`cardio-load/${dayOf(90)}`)).toEqual([]);
  expect(await ask('cardio-load')).toEqual(loads.slice(-28));
  expect(await ask('cardio-load/date', RANGE)).toEqual(
    loads.filter(({ date }) => String(date) >= RANGE.from && String(date) <= RANGE.to),
  );
  expect(await ask('cardio-load/period/days/5')).toEqual(loads.slice(-5));
  expect(await ask('cardio-load/period/months/6')).toEqual(loads);
  for (const period of ['days/0', 'days/181', 'months/0', 'months/7']) {
    await expect(ask(`cardio-load/period/${period}`), period).rejects.toMatchObject({ status: 400 });
  }
});
