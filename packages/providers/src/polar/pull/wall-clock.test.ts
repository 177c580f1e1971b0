import { type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { consent } from '../../testing/consent.js';
import { POLAR } from '../provider.js';
import { sleepRecords } from './sleep.js';
import { readWallClock } from './wall-clock.js';

let simulator: PolarSimulator;
beforeAll(async () => {
  simulator = await startPolarSimulator({ autoConsent: true });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.addAccount({ id: 'ada', timeZone: 'UTC' });
  await simulator.control.setMember('ada', 'registered before');
});

async function clockOf(nights: { date: string; sleep_start_time: string; sleep_end_time: string }[], zone?: string) {
  await simulator.control.put('ada', { sleep: nights });
  const { api } = await consent(POLAR.cloud, simulator, 'ada');
  return readWallClock(api, zone);
}

const wall = (time: string) => Date.parse(`${time}Z`);
const OCTOBER = {
  date: '2026-10-20',
  sleep_start_time: '2026-10-19T23:00:00+09:00',
  sleep_end_time: '2026-10-20T07:00:00+09:00',
};

it('prefers nights within 36 hours, then the user’s time zone', async () => {
  const clock = await clockOf([OCTOBER], 'Europe/Berlin');
  expect(clock.offsetAt(wall('2026-10-21T18:00:00'))).toBe(540);
  expect(clock.offsetAt(wall('2026-10-21T20:00:00'))).toBe(120);
  expect(clock.offsetAt(wall('2026-11-10T12:00:00'))).toBe(60);
  expect((await clockOf([OCTOBER])).offsetAt(wall('2026-11-10T12:00:00'))).toBe(540);
  expect((await clockOf([OCTOBER], 'no zone')).offsetAt(wall('2026-11-10T12:00:00'))).toBe(540);
});

it('uses the user’s time zone without nights and exercises', async () => {
  const clock = await clockOf([], 'America/New_York');
  expect(clock.offsetAt(wall('2026-11-01T00:30:00'))).toBe(-240);
  expect(clock.offsetAt(wall('2026-11-01T02:30:00'))).toBe(-300);
  expect((await clockOf([])).offsetAt(wall('2026-11-01T02:30:00'))).toBeUndefined();
});

it.each([
  {
    name: 'when the clocks go forward in Europe',
    night: ['2026-03-29', '2026-03-28T19:00:00+01:00', '2026-03-29T07:00:00+02:00'],
    stages: { '19:00': 2, '01:30': 4, '03:10': 1 },
    begins: ['2026-03-28T18:00:00.000Z', '2026-03-29T00:30:00.000Z', '2026-03-29T01:10:00.000Z'],
  },
  {
    name: 'when the clocks go back in America',
    night: ['2026-11-01', '2026-10-31T18:00:00-04:00', '2026-11-01T06:00:00-05:00'],
    // 01:30 exists twice. The first one counts.
    stages: { '18:00': 2, '00:40': 4, '01:30': 3, '02:10': 1 },
    begins: [
      '2026-10-31T22:00:00.000Z',
      '2026-11-01T04:40:00.000Z',
      '2026-11-01T05:30:00.000Z',
      '2026-11-01T07:10:00.000Z',
    ],
  },
  {
    name: 'when the user flies, with the nearer end’s offset',
    night: ['2026-06-11', '2026-06-10T22:00:00+00:00', '2026-06-11T08:00:00+02:00'],
    stages: { '22:00': 2, '02:00': 4, '07:00': 1 },
    begins: ['2026-06-10T22:00:00.000Z', '2026-06-11T02:00:00.000Z', '2026-06-11T05:00:00.000Z'],
  },
])('timestamps the stages of a night $name', async ({ night, stages, begins }) => {
  const [date = '', sleep_start_time = '', sleep_end_time = ''] = night;
  const one = { date, sleep_start_time, sleep_end_time, hypnogram: stages, heart_rate_samples: { '00:40': 50 } };
  const records = sleepRecords([one], () => false, new Tally('sleep'));
  const session = records.find(({ kind }) => kind === 'sleep_session');
  const found = session?.kind === 'sleep_session' ? (session.stages ?? []) : [];
  expect(found.map(({ startMs }) => new Date(startMs).toISOString())).toEqual(begins);
  // The night's other measurements use the same clock.
  const clock = await clockOf([{ date, sleep_start_time, sleep_end_time }]);
  const [sample] = records.filter(({ kind }) => kind === 'sample');
  expect(sample).toMatchObject({ offsetMinutes: clock.offsetAt(wall(`${date}T00:40:00`)) });
});

it('searches only the first of many nights for a clock change', async () => {
  const nights = Array.from({ length: 1_000 }, (_, index) => ({
    date: `night ${index}`,
    sleep_start_time: '2026-10-31T18:00:00-04:00',
    sleep_end_time: '2026-11-01T06:00:00-05:00',
  }));
  const clock = await clockOf(nights);
  const offsets = nights.map(({ date }) => clock.nightOf(date)?.clock.offsetAt(wall('2026-11-01T01:00:00')));
  // Without a search, the nearer end of the night determines the offset.
  expect(new Set(offsets.slice(0, 20))).toEqual(new Set([-240]));
  expect(new Set(offsets.slice(20))).toEqual(new Set([-300]));
});
