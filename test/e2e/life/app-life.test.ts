import { afterAll, beforeAll, expect, test } from 'vitest';
import { BY_APP } from './as-export.js';
import { APP_BY_ID, asItems, IOS_FACTS } from './as-push.js';
import { type Channels, openChannels } from './doors.js';
import { type Life, liveDays } from './life.js';
import { truthOf } from './truth.js';

// A life that an app wrote into the phone's store. Exports contain the app's name, and pushes contain its bundle ID.
// The summaries must match the recorded life, and all data must be stored once, under one source.

const LIFE = liveDays(8);
const { days } = LIFE;

let doors: Channels;
beforeAll(async () => {
  doors = await openChannels();
});
afterAll(() => doors.stop());

const importDays = (user: string, some: Life['days']) => doors.importDays(user, some, '', BY_APP);
const pushDays = (user: string, some: Life['days']) =>
  doors.pushItems(
    user,
    asItems(some, () => IOS_FACTS, APP_BY_ID),
  );

/** Returns the service's summaries of a user, and its data by source. */
async function allOf(user: string) {
  const summaries = await doors.answers(user);
  const sources = await doors.call<{ items: { source: string; device_model: string | null }[] }>(
    `/users/${user}/data-sources`,
  );
  const nights = await doors.call<{ data: object[] }>(
    `/users/${user}/events/sleep?start_date=2026-10-01&end_date=2027-01-01&limit=100`,
  );
  return {
    answers: summaries,
    sources: sources.items.map(({ source, device_model }) => ({ source, device_model })),
    nights: nights.data.length,
  };
}

test.each([
  ['a file and then a phone', (user: string) => importDays(user, days).then(() => pushDays(user, days))],
  ['a phone and then a file', (user: string) => pushDays(user, days).then(() => importDays(user, days))],
  [
    'single days of a phone and growing files',
    async (user: string) => {
      for (let count = 1; count <= days.length; count++) {
        await pushDays(user, days.slice(-count).slice(0, 1));
        await importDays(user, days.slice(0, count));
      }
    },
  ],
])('stores data delivered by %s like a single file, including the source', async (_, deliver) => {
  const [user, alone] = [await doors.newUser(), await doors.newUser()];
  await deliver(user);
  await importDays(alone, days);
  const all = await allOf(user);
  expect(all.answers).toEqual(truthOf(LIFE));
  expect(all.sources).toEqual([{ source: 'Strong', device_model: null }]);
  expect(all).toEqual(await allOf(alone));
});
