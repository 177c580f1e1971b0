import { fromDayNumber, MS_PER_DAY } from '@healthd/model';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AMPLE_QUOTA, ampleVendorSettings } from '../../support/simulated-vendor.js';
import { asPoints } from './as-cloud.js';
import { type Channels, openChannels } from './doors.js';
import { type Life, liveDays } from './life.js';
import { truthOf } from './truth.js';

// The life of same-life.test.ts in a vendor's cloud. Syncs cover a range that ends now, so this life ended recently.

const DAYS = 10;
const TODAY = Math.floor(Date.now() / MS_PER_DAY);
const LIFE = liveDays(DAYS, fromDayNumber(TODAY - DAYS - 2));
/** The service adds up hydration logs that start at the same time. */
const TRUTH = truthOf({
  days: LIFE.days.map((day) => ({
    ...day,
    readings: day.readings.flatMap((one) => {
      if (one.series !== 'hydration') return [one];
      return one.value === 250 ? [{ ...one, value: 250 + 300 }] : [];
    }),
  })),
});
const SPAN = { from: fromDayNumber(TODAY - 30), to: fromDayNumber(TODAY) };

let vendor: GoogleSimulator;
let doors: Channels;
beforeAll(async () => {
  vendor = await startGoogleSimulator({ autoConsent: true, quota: AMPLE_QUOTA });
  doors = await openChannels({ ...ampleVendorSettings(vendor), HISTORICAL_SYNC_ON_CONNECT: 'false' });
});
afterAll(async () => {
  await doors.stop();
  await vendor.close();
});

/** Creates a user with a consent at the vendor, which has no data of the user yet. */
async function connectedUser(name: string): Promise<string> {
  await vendor.control.addAccount({ id: name, timeZone: 'Europe/Warsaw' });
  const user = await doors.newUser();
  await doors.connect(user, name);
  return user;
}

const has = (name: string, days: Life['days']) => vendor.control.addPoints(name, asPoints(days), { notify: false });

test('returns the generated life from cloud data, even when reread', async () => {
  const user = await connectedUser('whole');
  await has('whole', LIFE.days);
  await doors.pullPast(user, 14);
  expect(await doors.answers(user, SPAN)).toEqual(TRUTH);
  const stored = await doors.storedRows(user);
  await doors.pullPast(user, 14);
  expect(await doors.storedRows(user)).toEqual(stored);
});

test('returns the generated life when the newest cloud days arrive first', async () => {
  const user = await connectedUser('pieces');
  for (const from of [6, 3, 0]) {
    await has('pieces', LIFE.days.slice(from, from === 6 ? DAYS : from + 3));
    await doors.pullPast(user, 14);
  }
  expect(await doors.answers(user, SPAN)).toEqual(TRUTH);
});

test('counts data from cloud, file and phone once in any order', async () => {
  const [cloudFirst, fileFirst] = [await connectedUser('first'), await connectedUser('last')];
  await has('first', LIFE.days);
  await has('last', LIFE.days);
  await doors.pullPast(cloudFirst, 14);
  await doors.importDays(cloudFirst, LIFE.days);
  await doors.pushDays(fileFirst, LIFE.days);
  await doors.importDays(fileFirst, LIFE.days);
  await doors.pullPast(fileFirst, 14);
  const { samples: _, ...summaries } = TRUTH;
  for (const user of [cloudFirst, fileFirst]) expect(await doors.answers(user, SPAN)).toMatchObject(summaries);
});

test.each(['hourly', 'daily'] as const)(
  'keeps sums, extremes, nights and workouts when read in %s values',
  async (granularity) => {
    const user = await connectedUser(granularity);
    await has(granularity, LIFE.days);
    await doors.readCloudAs(granularity);
    await doors.pullPast(user, 14);
    await doors.readCloudAs('raw');
    const { nights, workouts, activity } = await doors.answers(user, SPAN);
    expect({ nights, workouts }).toEqual({ nights: TRUTH.nights, workouts: TRUTH.workouts });
    // Hourly and daily values contain the vendor's means instead of single readings, so the average may differ.
    expect(activity).toEqual(
      TRUTH.activity.map(({ heart_rate, ...day }) => ({
        ...day,
        heart_rate: { ...heart_rate, avg_bpm: expect.any(Number) },
      })),
    );
  },
);
