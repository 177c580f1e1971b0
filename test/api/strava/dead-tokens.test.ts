import { type StravaSimulator, startStravaSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

let fixture: VendorFixture<StravaSimulator>;
let number = 0;
beforeAll(async () => {
  fixture = await openVendorFixture('strava', await startStravaSimulator({ autoConsent: true }));
});
afterAll(() => fixture.close());

/** Connects a user whose invalid access tokens get a 401 that names this resource. */
async function userRejectedFor(resource: string) {
  for (let tries = 0; tries < 20; tries++) {
    const id = `person-${number++}`;
    await fixture.control.addAccount({ id, timeZone: 'UTC' });
    if ((await fixture.control.forms(id)).deadToken !== resource) continue;
    const user = await fixture.connect(id);
    await fixture.reading.settle();
    return { id, person: user };
  }
  throw new Error(`no account whose tokens are refused for ${resource}`);
}

it.each(['Athlete', 'Application'])('renews the token after a 401 that names the %s', async (resource) => {
  const { person } = await userRejectedFor(resource);
  await fixture.control.expireAccessTokens();
  expect(await fixture.pull(person)).toMatchObject({ status: 'success' });
  expect(await fixture.connection(person)).toMatchObject({ status: 'active' });
});

it.each(['Athlete', 'Application'])('ends a revoked grant whose 401 names the %s', async (resource) => {
  const { id, person } = await userRejectedFor(resource);
  await fixture.control.deauthorize(id);
  await fixture.pull(person);
  expect(await fixture.connection(person)).toMatchObject({ status: 'revoked' });
});
