import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ADMIN, type Call, startTestService, type TestService } from '../../support/service.js';
import { logIn } from './log-in.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';
let service: TestService;
let ada: Call;
let adaId: string;
let number = 0;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  const login = await service.logIn();
  ada = login.call;
  adaId = login.tokens.developer_id;
});

/** Creates another developer and logs in as that developer. */
async function join() {
  number += 1;
  const email = `grace${number}@clinic.example`;
  const password = `long enough ${number}`;
  const { id } = await service.accounts.developers.create(email, password);
  const { body } = await logIn(service.anonymous, email, password);
  return { id, email, password, call: service.as(body.access_token), refreshToken: body.refresh_token as string };
}
const refresh = (token: string) => service.anonymous('POST', '/api/v1/token/refresh', { refresh_token: token });

describe("the developer's own profile", () => {
  test('changes only the sent fields', async () => {
    const { call, email } = await join();
    const named = await call('PATCH', '/api/v1/auth/me', { first_name: 'Grace', last_name: 'H' });
    expect(named.status).toBe(200);
    expect(named.body).toMatchObject({ first_name: 'Grace', last_name: 'H', email });
    const cleared = await call('PATCH', '/api/v1/auth/me', { last_name: null, email: null });
    expect(cleared.body).toMatchObject({ first_name: 'Grace', last_name: null, email });
    expect((await call('GET', '/api/v1/auth/me')).body).toEqual(cleared.body);
    expect((await call('PATCH', '/api/v1/auth/me', {})).status).toBe(200);
  });

  test('compares a new email regardless of case', async () => {
    const [one, other] = [await join(), await join()];
    const change = (email: string) => one.call('PATCH', '/api/v1/auth/me', { email, current_password: one.password });
    const taken = await change(other.email.toUpperCase());
    expect(taken.status).toBe(409);
    expect((await change(`New-${one.email}`)).body.email).toBe(`New-${one.email}`);
    expect((await logIn(service.anonymous, `NEW-${one.email}`, one.password)).status).toBe(200);
    expect((await logIn(service.anonymous, one.email, one.password)).status).toBe(401);
    await change('grace@b\u00fccher.de');
    expect((await logIn(service.anonymous, 'grace@xn--bcher-kva.de', one.password)).status).toBe(200);
  });

  test.each(['/api/v1/auth/me', '/api/v1/developers/{id}'])(
    'rejects a new email without the right password: PATCH %s',
    async (path) => {
      const { id, call, email, password } = await join();
      const patch = (body: object) => call('PATCH', path.replace('{id}', id), body);
      const thief = `thief-${email}`;
      for (const current_password of [undefined, null, '']) {
        const { status, body } = await patch({ email: thief, first_name: 'Mallory', current_password });
        expect([status, body.detail[0].loc]).toEqual([422, ['body', 'current_password']]);
      }
      const wrong = await patch({ email: thief, first_name: 'Mallory', current_password: 'wrong' });
      expect([wrong.status, wrong.body]).toEqual([400, { detail: 'Incorrect current password' }]);
      expect((await call('GET', '/api/v1/auth/me')).body).toMatchObject({ email, first_name: null });
      expect((await patch({ email: thief, current_password: password })).body.email).toBe(thief);
    },
  );

  test('accepts an unchanged email without the password', async () => {
    const { call, email } = await join();
    const same = await call('PATCH', '/api/v1/auth/me', { email, first_name: 'Grace', last_name: null });
    expect([same.status, same.body.email, same.body.first_name]).toEqual([200, email, 'Grace']);
    const written = await call('PATCH', '/api/v1/auth/me', { email: email.replace('grace', 'Grace') });
    expect([written.status, written.body.email]).toEqual([200, email.replace('grace', 'Grace')]);
  });

  test('rejects a password in the profile without echoing the value', async () => {
    const { call, email, password } = await join();
    const response = await call('PATCH', '/api/v1/auth/me', { password: 'taken over by a thief' });
    expect(response.status).toBe(422);
    expect(JSON.stringify(response.body)).not.toContain('thief');
    expect((await logIn(service.anonymous, email, password)).status).toBe(200);
  });

  test.each([
    [{ first_name: 'x'.repeat(101) }, 'string_too_long'],
    [{ email: 'no address' }, 'value_error'],
    [{ first_name: 7 }, 'string_type'],
  ])('rejects %j', async (body, type) => {
    const response = await ada('PATCH', '/api/v1/auth/me', body);
    expect([response.status, response.body.detail[0].type]).toEqual([422, type]);
  });
});

describe('changing the password', () => {
  const change = (call: Call, current: string, next: string, confirm = next) =>
    call('POST', '/api/v1/auth/change-password', {
      current_password: current,
      new_password: next,
      confirm_password: confirm,
    });

  test('ends every session except the current one', async () => {
    const { call, email, password, refreshToken } = await join();
    const elsewhere = (await logIn(service.anonymous, email, password)).body;
    const response = await change(call, password, 'a better password');
    expect([response.status, response.body]).toEqual([200, { message: 'Password updated successfully' }]);
    expect((await refresh(elsewhere.refresh_token)).status).toBe(401);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expect((await service.as(elsewhere.access_token)('GET', '/api/v1/auth/me')).status).toBe(401);
    expect((await call('GET', '/api/v1/auth/me')).status).toBe(200);
    expect((await refresh(refreshToken)).status).toBe(200);
    expect((await logIn(service.anonymous, email, password)).status).toBe(401);
    expect((await logIn(service.anonymous, email, 'a better password')).status).toBe(200);
  });

  test('responds 400, not 401, to a wrong current password', async () => {
    const { call } = await join();
    const response = await change(call, 'wrong', 'a better password');
    expect([response.status, response.body]).toEqual([400, { detail: 'Incorrect current password' }]);
  });

  test.each([
    ['too short', 'short', 'short', 'new_password', 'string_too_short'],
    ['longer than 256 characters', 'x'.repeat(257), 'x'.repeat(257), 'new_password', 'string_too_long'],
    ['of nine characters', 'nine char', 'nine char', 'new_password', 'string_too_short'],
    ['of nine non-ASCII characters', '🔑🔑🔑🔑🔑🔑🔑🔑🔑', '🔑🔑🔑🔑🔑🔑🔑🔑🔑', 'new_password', 'string_too_short'],
    ['among the most common', '1234567890', '1234567890', 'new_password', 'value_error'],
    ['among the most common in another case', 'Password123', 'Password123', 'new_password', 'value_error'],
    ['with a control character', 'long\0 enough', 'long\0 enough', 'new_password', 'value_error'],
    ['confirmed differently', 'long enough', 'long enougj', 'confirm_password', 'value_error'],
  ])('rejects a new password: %s', async (_case, next, confirm, field, type) => {
    const { call, password } = await join();
    const response = await change(call, password, next, confirm);
    expect(response.status).toBe(422);
    expect(response.body.detail[0]).toMatchObject({ loc: ['body', field], type });
    expect(response.body.detail[0]).not.toHaveProperty('input');
  });

  test('rejects the email and its local part as a password', async () => {
    const { call, password } = await join();
    const email = `grace.hopper${number}@clinic.example`;
    await call('PATCH', '/api/v1/auth/me', { email, current_password: password });
    for (const next of [email, email.toUpperCase(), `grace.hopper${number}`, ` Grace.Hopper${number} `]) {
      const response = await change(call, password, next);
      expect([response.status, response.body.detail[0].loc]).toEqual([422, ['body', 'new_password']]);
    }
    expect((await change(call, password, `${email} and more`)).status).toBe(200);
  });

  test('accepts only one of two concurrent password changes', async () => {
    const { call, email, password } = await join();
    const responses = await Promise.all(['first choice', 'second choice'].map((next) => change(call, password, next)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    const logins = ['first choice', 'second choice'].map((next) => logIn(service.anonymous, email, next));
    expect((await Promise.all(logins)).map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('ends sessions of concurrent logins with the old password', async () => {
    const { id, email, password, call } = await join();
    await Promise.all([
      change(call, password, 'a better password'),
      ...Array.from({ length: 8 }, () => logIn(service.anonymous, email, password)),
    ]);
    const { rows } = await service.pool.query(
      'select count(distinct family_id) as n from refresh_token where developer_id = $1 and revoked_at is null',
      [id],
    );
    expect(rows[0].n).toBe(1);
  });
});

describe('a concurrently refreshed session', () => {
  /** Opens sessions of the developer and uses their refresh tokens while `work` runs. Returns all used tokens. */
  async function refreshDuring(developer: { email: string; password: string }, work: () => Promise<unknown>) {
    const logins = await Promise.all(
      Array.from({ length: 6 }, () => logIn(service.anonymous, developer.email, developer.password)),
    );
    const tokens = logins.map(({ body }) => body.refresh_token as string);
    const [, ...responses] = await Promise.all([work(), ...tokens.map(refresh)]);
    for (const { status } of responses) expect([200, 401]).toContain(status);
    return [...tokens, ...responses.map(({ body }) => body.refresh_token as string | undefined)].filter(
      (token) => token,
    );
  }

  test('does not survive a password change', async () => {
    const grace = await join();
    const passwords = {
      current_password: grace.password,
      new_password: 'long enough',
      confirm_password: 'long enough',
    };
    const tokens = await refreshDuring(grace, async () => {
      expect((await grace.call('POST', '/api/v1/auth/change-password', passwords)).status).toBe(200);
    });
    for (const token of tokens) expect((await refresh(String(token))).status).toBe(401);
  });

  test("does not survive the developer's deletion", async () => {
    const grace = await join();
    const tokens = await refreshDuring(grace, async () => {
      expect((await ada('DELETE', `/api/v1/developers/${grace.id}`)).status).toBe(200);
    });
    for (const token of tokens) expect((await refresh(String(token))).status).toBe(401);
  });
});

describe('other developers', () => {
  test('are listed, oldest first, without secrets', async () => {
    const { id } = await join();
    const { status, body } = await ada('GET', '/api/v1/developers');
    expect(status).toBe(200);
    expect([body[0].id, body.at(-1).id]).toEqual([adaId, id]);
    expect(Object.keys(body[0]).sort()).toEqual(['created_at', 'email', 'first_name', 'id', 'last_name', 'updated_at']);
    expect((await ada('GET', `/api/v1/developers/${id}`)).body).toEqual(body.at(-1));
  });

  test('can be renamed, but keep their email and password', async () => {
    const { id, email, password } = await join();
    const named = await ada('PATCH', `/api/v1/developers/${id}`, { first_name: 'Grace', email: email.toUpperCase() });
    expect(named.body).toMatchObject({ first_name: 'Grace', email });
    const taken = await ada('PATCH', `/api/v1/developers/${id}`, { email: 'ada2@clinic.example' });
    expect(taken.status).toBe(403);
    expect((await ada('PATCH', `/api/v1/developers/${id}`, { password: 'x'.repeat(20) })).status).toBe(422);
    expect((await logIn(service.anonymous, email, password)).status).toBe(200);
  });

  test.each(['GET', 'PATCH', 'DELETE'])('returns 404 to %s of an unknown developer', async (method) => {
    const response = await ada(method, `/api/v1/developers/${UNKNOWN}`, method === 'PATCH' ? {} : undefined);
    expect([response.status, response.body]).toEqual([404, { detail: `Developer with ID: ${UNKNOWN} not found.` }]);
    expect((await ada(method, '/api/v1/developers/7', method === 'PATCH' ? {} : undefined)).status).toBe(422);
  });
});

describe('deleting a developer', () => {
  test("ends only the developer's sessions, not their resources", async () => {
    const grace = await join();
    const key = (await grace.call('POST', '/api/v1/developer/api-keys', { name: 'Hers' })).body;
    const app = (await grace.call('POST', '/api/v1/applications', { name: 'Hers' })).body;
    const invited = (await grace.call('POST', '/api/v1/invitations', { email: 'later@clinic.example' })).body;
    const user = (await service.call('POST', '/api/v1/users')).body;
    const { code } = (await grace.call('POST', `/api/v1/users/${user.id}/invitation-code`)).body;

    const deleted = await ada('DELETE', `/api/v1/developers/${grace.id}`);
    expect([deleted.status, deleted.body.id]).toEqual([200, grace.id]);
    expect((await refresh(grace.refreshToken)).status).toBe(401);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expect((await grace.call('GET', '/api/v1/auth/me')).status).toBe(401);
    expect((await logIn(service.anonymous, grace.email, grace.password)).status).toBe(401);

    const keys = (await ada('GET', '/api/v1/developer/api-keys')).body;
    expect(keys.find(({ id }: { id: string }) => id === key.id).created_by).toBeNull();
    const withKey = await service.anonymous('GET', '/api/v1/users', undefined, { 'X-Service-API-Key': key.key });
    expect(withKey.status).toBe(200);
    const invitations = (await ada('GET', '/api/v1/invitations')).body;
    expect(invitations.find(({ id }: { id: string }) => id === invited.id).invited_by_id).toBeNull();
    const apps = (await ada('GET', '/api/v1/applications')).body;
    expect(apps.map(({ app_id }: { app_id: string }) => app_id)).toContain(app.app_id);
    expect((await service.anonymous('POST', '/api/v1/invitation-code/redeem', { code })).status).toBe(200);
  });

  test('never deletes the last developer, even with concurrent deletions', async () => {
    await service.pool.query('delete from developer where id <> $1', [adaId]);
    const alone = await ada('DELETE', `/api/v1/developers/${adaId}`);
    expect(alone.status).toBe(409);
    const grace = await join();
    const responses = await Promise.all([
      ada('DELETE', `/api/v1/developers/${grace.id}`),
      grace.call('DELETE', `/api/v1/developers/${adaId}`),
    ]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await service.pool.query('select id from developer')).rowCount).toBe(1);
    await service.pool.query('delete from developer');
    await service.accounts.developers.create(ADMIN.adminEmail, ADMIN.adminPassword);
  });
});
