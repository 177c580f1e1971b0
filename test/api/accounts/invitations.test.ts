import { createAccounts } from '@healthd/daemon/accounts';
import { createSequelize } from '@healthd/daemon/platform/database';
import { createVault } from '@healthd/daemon/vault';
import { MS_PER_DAY } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, type Call, startTestService, type TestService } from '../../support/service.js';
import { logIn } from './log-in.js';

const PATH = '/api/v1/invitations';
const UNKNOWN = '11111111-2222-4333-8444-555555555555';
let service: TestService;
let developer: Call;
let developerId: string;
let number = 0;
beforeAll(async () => {
  service = await startTestService();
  const login = await service.logIn();
  developer = login.call;
  developerId = login.tokens.developer_id;
});
afterAll(() => service.stop());

const newEmail = () => `invited${++number}@clinic.example`;
const invite = async (email = newEmail()) => (await developer('POST', PATH, { email })).body;
const accept = (token: string, fields: Record<string, unknown> = {}) =>
  service.anonymous('POST', `${PATH}/accept`, {
    token,
    first_name: 'Grace',
    last_name: 'Hopper',
    password: 'long enough',
    ...fields,
  });
const expire = (id: string) =>
  service.pool.query('update developer_invitation set expires_at = now() where id = $1', [id]);
const listed = async (id: string) =>
  (await developer('GET', PATH)).body.find((invitation: { id: string }) => invitation.id === id);

describe('an invitation', () => {
  test('has a link token, a status and an expiry in the list', async () => {
    const email = newEmail();
    const created = await developer('POST', PATH, { email });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ email, status: 'pending', invited_by_id: developerId });
    expect(created.body.token).toMatch(/^[\w-]{43}$/);
    const days = (Date.parse(created.body.expires_at) - Date.parse(created.body.created_at)) / MS_PER_DAY;
    expect(days).toBe(7);
    const { body } = await developer('GET', PATH);
    expect(body[0]).toEqual(created.body);
  });

  test('stores its token only as a hash', async () => {
    const { token } = await invite();
    const { rows } = await service.pool.query('select i::text as row from developer_invitation i');
    expect(rows.some(({ row }) => row.includes(token))).toBe(false);
  });

  test('is listed without its token if the encryption key is lost', async () => {
    await invite();
    const { pool, signingKey } = service;
    const sequelize = createSequelize({ url: service.database.url });
    const vault = createVault([new Uint8Array(32).fill(99)]);
    const accounts = createAccounts({ pool, sequelize, signingKey, vault });
    expect((await accounts.invitations.list())[0]).toMatchObject({ status: 'pending', token: null });
    await sequelize.close();
  });

  test('is rejected for an email with an account or open invitation', async () => {
    const { email } = await invite();
    for (const taken of [email.toUpperCase().replace('EXAMPLE', 'example'), ADMIN.adminEmail]) {
      expect((await developer('POST', PATH, { email: taken })).status).toBe(400);
    }
    expect((await developer('POST', PATH, { email: 'nobody' })).status).toBe(422);
    expect((await developer('POST', PATH, {})).body.detail[0]).toMatchObject({
      loc: ['body', 'email'],
      type: 'missing',
    });
  });

  test('is created once per email by concurrent requests', async () => {
    const email = newEmail();
    const responses = await Promise.all(Array.from({ length: 10 }, () => developer('POST', PATH, { email })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});

describe('an expired invitation', () => {
  test('does not block a new invitation', async () => {
    const { id, email, token } = await invite();
    await expire(id);
    expect((await listed(id)).status).toBe('expired');
    const response = await accept(token);
    expect([response.status, response.body]).toEqual([400, { detail: 'Invitation has expired' }]);
    expect((await developer('POST', PATH, { email })).status).toBe(201);
    expect((await developer('POST', `${PATH}/${id}/resend`)).status).toBe(400);
  });

  test('can be sent again', async () => {
    const { id, token } = await invite();
    await expire(id);
    const renewed = await developer('POST', `${PATH}/${id}/resend`);
    expect(renewed.status).toBe(200);
    expect(renewed.body).toMatchObject({ id, status: 'pending' });
    expect(renewed.body.token).not.toBe(token);
    expect((await accept(token)).status).toBe(404);
    expect((await accept(renewed.body.token)).status).toBe(201);
  });
});

describe('revoking', () => {
  test('revokes an invitation once', async () => {
    const { id, token } = await invite();
    const revoked = await developer('DELETE', `${PATH}/${id}`);
    expect([revoked.status, revoked.body.status]).toEqual([200, 'revoked']);
    expect(await listed(id)).toBeUndefined();
    const response = await accept(token);
    expect([response.status, response.body]).toEqual([400, { detail: 'Invitation is revoked' }]);
    const again = await developer('DELETE', `${PATH}/${id}`);
    expect(again.status).toBe(400);
    const resent = await developer('POST', `${PATH}/${id}/resend`);
    expect(resent.status).toBe(400);
  });

  test.each([
    ['DELETE', ''],
    ['POST', '/resend'],
  ])('returns 404 to %s%s of an unknown invitation', async (method, suffix) => {
    const response = await developer(method, `${PATH}/${UNKNOWN}${suffix}`);
    expect([response.status, response.body]).toEqual([404, { detail: 'Invitation not found' }]);
  });
});

describe('accepting', () => {
  test('creates a developer without opening a session', async () => {
    const { id, email, token } = await invite();
    const accepted = await accept(token);
    expect(accepted.status).toBe(201);
    expect(accepted.body).toMatchObject({ email, first_name: 'Grace', last_name: 'Hopper' });
    expect(accepted.body).not.toHaveProperty('access_token');
    expect((await logIn(service.anonymous, email, 'long enough')).status).toBe(200);
    expect(await listed(id)).toBeUndefined();
    const again = await accept(token);
    expect([again.status, again.body]).toEqual([400, { detail: 'Invitation is accepted' }]);
  });

  test.each([
    ['d.dr@b\u00fccher.de', ['d.dr@xn--bcher-kva.de', 'D.DR@B\u00dcCHER.DE', 'd.dr@bu\u0308cher.de']],
    ['e.dr@xn--bcher-kva.de', ['e.dr@b\u00fccher.de']],
    ['\u00c4RZTIN@klinik.example', ['\u00e4rztin@klinik.example', '\u00c4rztin@klinik.example']],
    ['o\ufb03ce@klinik.example', ['office@klinik.example']],
  ])('treats every spelling of %s as the same login', async (email, spellings) => {
    const { token } = await invite(email);
    for (const spelling of spellings) {
      const again = await developer('POST', PATH, { email: spelling });
      expect(again.status).toBe(400);
    }
    expect((await accept(token)).body.email).toBe(email);
    for (const spelling of [email, ...spellings]) {
      expect((await logIn(service.anonymous, spelling, 'long enough')).status).toBe(200);
      const again = await developer('POST', PATH, { email: spelling });
      expect(again.status).toBe(400);
      await service.pool.query('delete from login_failure');
    }
  });

  test('accepts a login name that predates domain normalization', async () => {
    const { token } = await invite('f.dr@b\u00fccher.de');
    await accept(token);
    await service.pool.query("update developer set login_name = lower(email) where email like 'f.dr@%'");
    for (const spelling of ['f.dr@b\u00fccher.de', 'f.dr@xn--bcher-kva.de'])
      expect((await logIn(service.anonymous, spelling, 'long enough')).status).toBe(200);
  });

  test('accepts an invitation once despite concurrent attempts', async () => {
    const { email, token } = await invite();
    const responses = await Promise.all(Array.from({ length: 10 }, () => accept(token)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(400)]);
    expect((await service.pool.query('select 1 from developer where email = $1', [email])).rowCount).toBe(1);
  });

  test('keeps the invitation after a 409 for a used email', async () => {
    const { id, email, token } = await invite();
    await service.accounts.developers.create(email.toUpperCase(), 'long enough');
    expect((await accept(token)).status).toBe(409);
    expect((await listed(id)).status).toBe('pending');
  });

  test('responds 404 to an unknown token', async () => {
    const response = await accept('x'.repeat(43));
    expect([response.status, response.body]).toEqual([404, { detail: 'Invitation not found' }]);
  });

  test('keeps the invitation if the password is the invited email', async () => {
    const { id, email, token } = await invite();
    const response = await accept(token, { password: email.toUpperCase() });
    expect([response.status, response.body.detail[0].loc]).toEqual([422, ['body', 'password']]);
    expect((await listed(id)).status).toBe('pending');
  });

  test.each([
    [{ password: 'short' }, 'password', 'string_too_short'],
    [{ password: 'Nine char' }, 'password', 'string_too_short'],
    [{ password: 'qwertyuiop' }, 'password', 'value_error'],
    [{ first_name: '' }, 'first_name', 'string_too_short'],
    [{ last_name: 'x'.repeat(101) }, 'last_name', 'string_too_long'],
    [{ password: undefined }, 'password', 'missing'],
  ])('rejects %j', async (fields, field, type) => {
    const { token } = await invite();
    const response = await accept(token, fields);
    expect(response.status).toBe(422);
    expect(response.body.detail[0]).toMatchObject({ loc: ['body', field], type });
  });
});
