import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser } from '../support/browser.js';
import { type ConnectionFixture, openConnectionFixture } from './connection-fixture.js';

let fixture: ConnectionFixture;
let user: string;
let account: { id: string; email: string };
let browser: Browser;
beforeAll(async () => {
  // All calls of this file have the same IP address, so the limit per IP address is turned off.
  fixture = await openConnectionFixture({ env: { CONNECT_LIMIT_PER_ADDRESS: '0' } });
});
beforeEach(async () => {
  browser = new Browser();
  user = await fixture.createUser();
  account = await fixture.vendor.control.addAccount();
});
afterAll(() => fixture.close());

/** Creates a link. From then on, the test fails if the link's token leaks. */
async function newLink(input: object = {}): Promise<{ id: string; address: string; token: string }> {
  const { body } = await fixture.call('POST', `/api/v1/users/${user}/connect-links`, input);
  const token = String(body.url).split('/').at(-1) ?? '';
  fixture.service.watch.know(token);
  return { id: body.id, token, address: `${fixture.service.url}/connect/${token}` };
}

const press = (address: string, by = browser) => by.fetch(`${address}/google`, { method: 'POST' });

async function storedOutcome() {
  const { body } = await fixture.call('GET', `/api/v1/users/${user}/connect-links`);
  const [link] = body.items;
  return { status: link.status, ...link.providers[0] };
}

describe('browser binding of a consent', () => {
  const states = async () =>
    (
      await fixture.service.pool.query(
        'select 1 from oauth_state join health_user u using (user_key) where u.id = $1',
        [user],
      )
    ).rowCount;

  test("rejects the consent of a victim who received the vendor's URL", async () => {
    const { address, id, token } = await newLink();
    const attacker = new Browser();
    const redirect = await press(address, attacker);
    const back = await fixture.consent(redirect.headers.get('location') ?? '', { account: account.id });
    const response = await browser.fetch(back, { headers: { Accept: 'text/html' } });
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).toContain('started in another browser');
    for (const secret of [token, id]) expect(text).not.toContain(secret);
    expect(response.headers.get('location')).toBeNull();
    expect(await fixture.connectionOf(user)).toBeUndefined();
    expect(await storedOutcome()).toMatchObject({ status: 'open', outcome: 'open' });
  });

  test('completes the consent after another browser opened the callback URL', async () => {
    const { address } = await newLink();
    const redirect = await press(address);
    const back = await fixture.consent(redirect.headers.get('location') ?? '', { account: account.id });
    expect((await new Browser().fetch(back)).status).toBe(400);
    expect((await browser.fetch(back)).status).toBe(303);
    await fixture.tokensOf(user);
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active' });
  });

  test('shows the final page only in the browser that started the consent', async () => {
    const { address, token } = await newLink({ providers: ['google'] });
    const redirect = await press(address);
    const response = await browser.fetch(
      await fixture.consent(redirect.headers.get('location') ?? '', { decision: 'deny' }),
    );
    const location = `${fixture.service.url}${response.headers.get('location')}`;
    expect(location).not.toContain(token);
    const text = await (await browser.fetch(location)).text();
    expect(text).toContain('You did not agree');
    expect(text).not.toContain(token);
    expect((await new Browser().fetch(location)).status).toBe(404);
    expect((await press(location.split('?')[0] as string, new Browser())).status).toBe(404);
    expect((await press(location.split('?')[0] as string)).status).toBe(303);
  });

  test('sets an HttpOnly cookie with SameSite=Lax, without Secure over http', async () => {
    const redirect = await press((await newLink()).address);
    const [cookie, ...others] = redirect.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^healthd_consent=[\w-]{43}; /);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
    expect(cookie).not.toContain('Secure');
  });

  test('stores one state per link, provider and browser', async () => {
    const { address } = await newLink();
    for (let count = 0; count < 20; count++) expect((await press(address)).status).toBe(303);
    expect(await states()).toBe(1);
    await Promise.all(Array.from({ length: 10 }, () => press(address)));
    expect(await states()).toBe(1);
  });

  test('does not cancel a consent when another browser starts a second consent', async () => {
    const { address } = await newLink();
    const redirect = await press(address);
    await press(address, new Browser());
    expect(await states()).toBe(2);
    const back = await fixture.consent(redirect.headers.get('location') ?? '', { account: account.id });
    expect((await browser.fetch(back)).status).toBe(303);
    await fixture.tokensOf(user);
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active' });
  });

  test('does not store the link token with a consent in progress', async () => {
    const { address, token } = await newLink();
    expect((await press(address)).status).toBe(303);
    const { rows } = await fixture.service.pool.query('select to_jsonb(s) as row from oauth_state s');
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) {
      expect(row.browser_hash).not.toBeNull();
      expect(JSON.stringify(row)).not.toContain(token);
    }
  });
});
