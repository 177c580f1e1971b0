import { MS_PER_DAY, MS_PER_SECOND } from '@healthd/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { utc } from './days.js';
import { expectedActivity, expectedSleep } from './expected.js';
import { shownActivity, shownSleep } from './shown.js';
import { openTenProviders, PREFERRED, type Reporter, type Row, type TenProviders } from './ten-fixture.js';
import { REPORTED_SWIM } from './truth.js';

let fixture: TenProviders;
beforeAll(async () => {
  fixture = await openTenProviders();
});
afterAll(() => fixture.close());

async function userWithAllData(): Promise<string> {
  const user = await fixture.newUser();
  for (const id of PREFERRED) await fixture.arrive(user, id);
  return user;
}

const NAMES: Readonly<Record<Reporter, string>> = {
  garmin: 'Garmin',
  apple: 'Apple Health',
  oura: 'Oura',
  whoop: 'Whoop',
  google: 'Google Health',
  samsung: 'Samsung Health',
  ultrahuman: 'Ultrahuman',
  strava: 'Strava',
  polar: 'Polar',
  suunto: 'Suunto',
};

it('diagnoses each provider by its own last data', async () => {
  const user = await userWithAllData();
  const { body } = await fixture.call('GET', `/api/v1/users/${user}/diagnosis`);
  for (const id of PREFERRED) {
    const own: Row[] = body.providers.filter(({ provider }: Row) => provider === id);
    expect(own, id).toHaveLength(1);
    const [{ sentence, cause, last_data_at: last }] = own;
    expect(sentence).toMatch(new RegExp(`^${NAMES[id]}: .+\\. Last data `));
    const age = Date.now() - Date.parse(last);
    expect(cause, id).toBe(age > 2 * MS_PER_DAY ? 'nothing_recorded' : 'receiving');
    // Strava's last data is the swim.
    if (id === 'strava')
      expect(Date.parse(last)).toBe(
        utc(REPORTED_SWIM.day, REPORTED_SWIM.start) + REPORTED_SWIM.seconds * MS_PER_SECOND,
      );
  }
});

it('shows the expected figures while providers are deleted one by one', async () => {
  const user = await userWithAllData();
  const left: string[] = [...PREFERRED];
  for (const deletedProvider of ['garmin', 'google', 'apple', 'oura', 'whoop'] as const) {
    const { status } = await fixture.call('DELETE', `/api/v1/users/${user}/connections/${deletedProvider}/data`);
    expect(status, deletedProvider).toBe(204);
    left.splice(left.indexOf(deletedProvider), 1);
    expect(await shownActivity(fixture, user), deletedProvider).toEqual(expectedActivity(left));
    expect(await shownSleep(fixture, user), deletedProvider).toEqual(expectedSleep(left));
    for (const path of ['/health-scores', '/events/workouts', '/summaries/recovery']) {
      expect(JSON.stringify(await fixture.rows(user, path)), `${path} without ${deletedProvider}`).not.toContain(
        `"provider":"${deletedProvider}"`,
      );
    }
    const { body } = await fixture.call('GET', `/api/v1/users/${user}/data-sources`);
    expect(body.items.filter(({ provider }: Row) => provider === deletedProvider)).toEqual([]);
  }
  const runs = await fixture.rows(user, '/events/workouts?filter_by_priority=true');
  expect(runs.map(({ source }) => source.provider)).toEqual(['strava', 'strava']);
});

it('deletes every token but no data after disconnecting all providers', async () => {
  const user = await userWithAllData();
  const before = [await shownActivity(fixture, user), await shownSleep(fixture, user)];
  for (const provider of PREFERRED) {
    const { status } = await fixture.call('DELETE', `/api/v1/users/${user}/connections/${provider}`);
    expect(status, provider).toBe(204);
  }
  const { rows } = await fixture.pool.query(
    `select provider, status, access_token, refresh_token from connection c join health_user u using (user_key)
      where u.id = $1`,
    [user],
  );
  expect(rows).toHaveLength(PREFERRED.length);
  for (const row of rows) expect(row).toMatchObject({ status: 'revoked', access_token: null, refresh_token: null });
  const { garmin, ...others } = fixture.vendors;
  expect(await garmin.control.isConnected(user)).toBe(false);
  for (const { control } of Object.values(others)) expect(await control.grantedScopes(user)).toEqual([]);
  expect([await shownActivity(fixture, user), await shownSleep(fixture, user)]).toEqual(before);
});
