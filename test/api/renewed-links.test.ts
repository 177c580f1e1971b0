import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
  const answer = await fixture.call('POST', `${linksOf(owner)}/${id}/renew`);
  if (answer.status === 201) fixture.service.watch.know(answer.body.url.split('/').at(-1));
  return answer;
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

/** The port of the service is known only when it listens. */
const addressOf = ({ url }: { url: string }) => `${fixture.service.url}${new URL(url).pathname}`;

async function connectWith(link: { url: string }): Promise<void> {
  const begun = await fetch(`${addressOf(link)}/google`, { method: 'POST', redirect: 'manual' });
  const { id } = await fixture.vendor.control.addAccount();
  const back = await fixture.consent(begun.headers.get('location') ?? '', { account: id });
  await fetch(back, { redirect: 'manual' });
  await fixture.tokensOf(user);
}

const pageOf = async (link: { url: string }) => (await fetch(addressOf(link))).status;

describe('renewing a link to connect', () => {
  test.each([
    ['is open', async () => undefined],
    ['has expired', expire],
  ])('a link that %s is replaced by one of the same kind and length, and ends', async (_, age) => {
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

  test('a link that is renewed several times at the same moment is replaced once', async () => {
    const old = await newLink();
    const statuses = (await Promise.all([renew(old.id), renew(old.id), renew(old.id)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409]);
    expect([...(await statusesOf()).values()].sort()).toEqual(['open', 'revoked']);
  });

  test('a link that was used or revoked is not renewed', async () => {
    const used = await newLink();
    await connectWith(used);
    const revoked = await newLink();
    await fixture.call('DELETE', `${linksOf()}/${revoked.id}`);
    for (const [{ id }, word] of [
      [used, 'used'],
      [revoked, 'revoked'],
    ] as const) {
      const { status, body } = await renew(id);
      expect([status, body.detail]).toEqual([409, `The link was ${word} already. Make another one instead.`]);
    }
    expect(await statusesOf()).toEqual(
      new Map([
        [revoked.id, 'revoked'],
        [used.id, 'used'],
      ]),
    );
  });

  test('a link of another user is not found, and stays', async () => {
    const { id } = await newLink();
    expect((await renew(id, await fixture.createUser())).status).toBe(404);
    expect((await statusesOf()).get(id)).toBe('open');
  });

  test('a link whose provider was switched off is not renewed, and stays', async () => {
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

  test('who renewed a link is in the audit trail, with the link', async () => {
    const { id } = await newLink();
    await renew(id);
    const { rows } = await fixture.service.pool.query(
      `select action, resource_id from audit_event where user_id = $1 and resource = 'connect_link' and action = 'update'`,
      [user],
    );
    expect(rows).toEqual([{ action: 'update', resource_id: id }]);
  });
});
