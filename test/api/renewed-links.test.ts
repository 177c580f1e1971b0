import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser } from '../support/browser.js';
import { type ConnectionFixture, openConnectionFixture } from './connection-fixture.js';

const APP = 'https://app.example.com';
const HOUR_MS = 3_600_000;

let fixture: ConnectionFixture;
let user: string;
beforeAll(async () => {
  fixture = await openConnectionFixture({ env: { OAUTH_REDIRECT_ALLOWLIST: `${APP}/back` } });
});
beforeEach(async () => {
  user = await fixture.createUser();
});
afterAll(() => fixture.close());

const linksOf = (id = user) => `/api/v1/users/${id}/connect-links`;

async function newLink(input: object = {}): Promise<{ id: string; url: string }> {
  const { status, body } = await fixture.call('POST', linksOf(), input);
  expect(status).toBe(201);
  fixture.service.watch.know(body.url.split('/').at(-1));
  return body;
}

async function renew(id: string, owner = user) {
  const response = await fixture.call('POST', `${linksOf(owner)}/${id}/renew`);
  if (response.status === 201) fixture.service.watch.know(response.body.url.split('/').at(-1));
  return response;
}

const expire = (id: string) =>
  fixture.service.pool.query(
    `update connect_link set created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days'
      where id = $1`,
    [id],
  );

const statusesOf = async () =>
  new Map(
    (await fixture.call('GET', linksOf())).body.items.map((one: { id: string; status: string }) => [
      one.id,
      one.status,
    ]),
  );

const browser = new Browser();

/** Replaces the configured port 0 with the port that the service listens on. */
const addressOf = ({ url }: { url: string }) => `${fixture.service.url}${new URL(url).pathname}`;

/** Completes a consent with the link. Returns the vendor's redirect URL. */
async function consentWith(link: { url: string }): Promise<string> {
  const redirect = await browser.fetch(`${addressOf(link)}/google`, { method: 'POST' });
  const { id } = await fixture.vendor.control.addAccount();
  return fixture.consent(redirect.headers.get('location') ?? '', { account: id });
}

async function connectWith(link: { url: string }): Promise<void> {
  await browser.fetch(await consentWith(link));
  await fixture.tokensOf(user);
}

async function usesOf(link: string): Promise<string[]> {
  const { rows } = await fixture.service.pool.query('select state from connect_link_use where link_id = $1', [link]);
  return rows.map(({ state }) => state);
}

async function waitingForLocks(): Promise<number> {
  const { rows } = await fixture.service.pool.query(
    `select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting;
}

const pageOf = async (link: { url: string }) => (await fetch(addressOf(link))).status;

describe('renewing a connect link', () => {
  test.each([
    ['is open', async () => undefined],
    ['has expired', expire],
  ])('replaces a link that %s, with its settings and duration', async (_, age) => {
    const input = {
      providers: ['google'],
      expires_in_minutes: 120,
      language: 'de',
      redirect_uri: `${APP}/back`,
      opener_origin: APP,
    };
    const old = await newLink(input);
    await age(old.id);
    const { status, body } = await renew(old.id);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'open',
      language: 'de',
      redirect_uri: `${APP}/back`,
      opener_origin: APP,
      providers: [{ provider: 'google', outcome: 'open' }],
    });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(2 * HOUR_MS);
    expect(body.url).not.toBe(old.url);
    expect(await statusesOf()).toEqual(
      new Map([
        [body.id, 'open'],
        [old.id, 'revoked'],
      ]),
    );
    expect([await pageOf(old), await pageOf(body)]).toEqual([410, 200]);
    await connectWith(body);
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active' });
  });

  test('replaces a link once despite concurrent requests', async () => {
    const old = await newLink();
    const statuses = (await Promise.all([renew(old.id), renew(old.id), renew(old.id)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409]);
    expect([...(await statusesOf()).values()].sort()).toEqual(['open', 'revoked']);
  });

  test('stores the return URL after browser normalization', async () => {
    const old = await newLink({ redirect_uri: `${APP}/back` });
    // Earlier versions stored the URL unchanged.
    const { pool } = fixture.service;
    await pool.query('update connect_link set redirect_uri = $2 where id = $1', [
      old.id,
      'HTTPS://APP.example.com/back',
    ]);
    const { body } = await renew(old.id);
    const { rows } = await pool.query('select redirect_uri from connect_link where id = $1', [body.id]);
    expect(rows).toEqual([{ redirect_uri: `${APP}/back` }]);
  });

  test('does not renew a used or revoked link', async () => {
    const used = await newLink();
    await connectWith(used);
    const revoked = await newLink();
    await fixture.call('DELETE', `${linksOf()}/${revoked.id}`);
    expect((await renew(used.id)).status).toBe(409);
    expect((await renew(revoked.id)).status).toBe(409);
    expect(await statusesOf()).toEqual(
      new Map([
        [revoked.id, 'revoked'],
        [used.id, 'used'],
      ]),
    );
  });

  test('does not renew a link that is connecting a provider', async () => {
    const link = await newLink({ providers: ['google'] });
    const back = await consentWith(link);
    await fixture.vendor.control.addFault({ kind: 'slow', delayMs: 1_500, match: { role: 'token' }, times: 1 });
    const pendingResponse = browser.fetch(back);
    await expect.poll(() => usesOf(link.id), { interval: 20 }).toEqual(['claimed']);
    const { status, body } = await renew(link.id);
    expect([status, body.detail]).toEqual([
      409,
      "Provider 'google' is being connected with the link. Try again in 2 minutes.",
    ]);
    await pendingResponse;
    await fixture.tokensOf(user);
    expect(await fixture.connectionOf(user)).toMatchObject({ status: 'active' });
    expect(await statusesOf()).toEqual(new Map([[link.id, 'used']]));
  });

  test('renews a link two minutes after an interrupted connection', async () => {
    const { id } = await newLink({ providers: ['google'] });
    await fixture.service.pool.query(
      `insert into connect_link_use (link_id, user_key, provider, state, at)
       select id, user_key, 'google', 'claimed', now() - interval '3 minutes' from connect_link where id = $1`,
      [id],
    );
    const { status, body } = await renew(id);
    expect([status, body.providers]).toMatchObject([201, [{ provider: 'google', outcome: 'open' }]]);
  });

  test('creates no connection if the user returns during a renewal', async () => {
    const link = await newLink({ providers: ['google'] });
    const back = await consentWith(link);
    const client = await fixture.service.pool.connect();
    await client.query('begin');
    await client.query('select from connect_link where id = $1 for update', [link.id]);
    await client.query('update connect_link set revoked_at = now() where id = $1', [link.id]);
    const pendingResponse = browser.fetch(back);
    await expect.poll(waitingForLocks, { interval: 20 }).toBe(1);
    await client.query('commit');
    client.release();
    await pendingResponse;
    expect(await usesOf(link.id)).toEqual(['failed']);
    expect(await fixture.connectionOf(user)).toBeUndefined();
  });

  test("does not find or change another user's link", async () => {
    const { id } = await newLink();
    expect((await renew(id, await fixture.createUser())).status).toBe(404);
    expect((await statusesOf()).get(id)).toBe('open');
  });

  test('keeps a link of a disabled provider unchanged', async () => {
    const developer = await fixture.asDeveloper();
    const { id } = await newLink();
    await developer('PUT', '/api/v1/oauth/providers/google', { is_enabled: false });
    try {
      expect((await renew(id)).status).toBe(409);
      expect((await statusesOf()).get(id)).toBe('open');
    } finally {
      await developer('PUT', '/api/v1/oauth/providers/google', { is_enabled: true });
    }
  });

  test('records the renewal of a link in the audit trail', async () => {
    const { id } = await newLink();
    await renew(id);
    const { rows } = await fixture.service.pool.query(
      `select action, resource_id from audit_event where user_id = $1 and resource = 'connect_link' and action = 'update'`,
      [user],
    );
    expect(rows).toEqual([{ action: 'update', resource_id: id }]);
  });
});
