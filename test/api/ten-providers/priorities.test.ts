import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectedActivity, expectedSleep } from './expected.js';
import { shownActivity, shownSleep } from './shown.js';
import { openTenProviders, PREFERRED, type TenProviders } from './ten-fixture.js';

let fixture: TenProviders;
let user: string;
beforeAll(async () => {
  fixture = await openTenProviders();
  user = await fixture.newUser();
  for (const id of PREFERRED) await fixture.arrive(user, id);
});
afterAll(() => fixture.close());

const first = (...providers: string[]) => [...providers, ...PREFERRED.filter((id) => !providers.includes(id))];
const ORDERS = [
  PREFERRED.toReversed(),
  first('oura', 'ultrahuman'),
  first('whoop', 'samsung', 'apple'),
  first('google'),
  first('strava', 'ultrahuman', 'apple'),
  [...PREFERRED],
];

/** Returns the number of dates whose rows differ. */
function changed(before: readonly object[], after: readonly object[]): number {
  const rows = new Set(before.map((row) => JSON.stringify(row)));
  return after.filter((row) => !rows.has(JSON.stringify(row))).length;
}

it.each(ORDERS)('shows the previewed days and nights with %s before %s', async (...order) => {
  const providers = order.map((provider, at) => ({ provider, priority: at + 1 }));
  const { body: previewed } = await fixture.developer('POST', '/api/v1/priorities/preview', { providers });
  const before = { days: await fixture.rows(user, '/summaries/activity'), nights: await shownSleep(fixture, user) };
  await fixture.prefer(order);
  const days = await fixture.rows(user, '/summaries/activity');
  const nights = await shownSleep(fixture, user);
  expect(await shownActivity(fixture, user)).toEqual(expectedActivity(order));
  expect(nights).toEqual(expectedSleep(order));
  expect(previewed).toMatchObject({ days: changed(before.days, days), nights: changed(before.nights, nights) });
});

it("shows Apple's phone on days with enough steps when phones rank first", async () => {
  const body = {
    device_types: [
      { device_type: 'phone', priority: 1 },
      { device_type: 'watch', priority: 4 },
    ],
  };
  await fixture.prefer(first('apple'));
  const { body: previewed } = await fixture.developer('POST', '/api/v1/priorities/preview', body);
  const before = await fixture.rows(user, '/summaries/activity');
  const priorities = body.device_types;
  expect((await fixture.developer('PUT', '/api/v1/priorities/device-types', { priorities })).status).toBe(200);
  const after = await fixture.rows(user, '/summaries/activity');
  expect(after.slice(0, 2).map(({ steps }) => steps)).toEqual([
    // First Apple's watch, because the phone counted less than half of Garmin's steps. Then the phone.
    6_400, 6_600,
  ]);
  expect(previewed).toMatchObject({ days: changed(before, after), nights: 0 });
});
