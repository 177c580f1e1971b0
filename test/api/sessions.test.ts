import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

function logIn(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', ...headers };
  return service.anonymous('POST', '/api/v1/auth/login', new URLSearchParams(fields).toString(), form);
}
const refresh = (token: unknown) => service.anonymous('POST', '/api/v1/token/refresh', { refresh_token: token });

describe('login', () => {
  test('returns tokens that open developer routes', async () => {
    const response = await logIn({ username: ADMIN.adminEmail, password: ADMIN.adminPassword, grant_type: 'password' });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(response.body.refresh_token).toMatch(/^rt-[0-9a-f]{64}$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const me = await service.as(response.body.access_token)('GET', '/api/v1/auth/me');
    expect(me.status).toBe(200);
    expect(me.body).toMatchObject({ id: response.body.developer_id, email: ADMIN.adminEmail, first_name: null });
  });

  test('accepts the email in any capitalization', async () => {
    const response = await logIn({ username: ADMIN.adminEmail.toUpperCase(), password: ADMIN.adminPassword });
    expect(response.status).toBe(200);
  });

  test.each([
    ['a wrong password', { username: ADMIN.adminEmail, password: 'wrong' }],
    ['an unknown email', { username: 'nobody@clinic.example', password: 'wrong' }],
    ['no password', { username: ADMIN.adminEmail }],
    ['an empty body', {}],
    ['another grant', { username: ADMIN.adminEmail, password: ADMIN.adminPassword, grant_type: 'client_credentials' }],
    ['a password of 10,000 characters', { username: ADMIN.adminEmail, password: 'x'.repeat(10_000) }],
    ['a NUL in the email', { username: 'ada\0@clinic.example', password: 'wrong' }],
  ])('rejects %s with the same message', async (_case, fields) => {
    const response = await logIn(fields as Record<string, string>);
    expect(response.status).toBe(401);
    expect(response.body).toEqual({ detail: 'Incorrect email or password' });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('takes similar time for an unknown email and a wrong password', async () => {
    // Returns the processor time, which other programs do not affect. It includes hashing in the thread pool.
    const time = async (username: string) => {
      const before = process.cpuUsage();
      await logIn({ username, password: 'wrong' });
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const median = (times: number[]) => Number(times.sort((a, b) => a - b)[times.length >> 1]);
    const [unknown, known]: [number[], number[]] = [[], []];
    // Alternates between both cases, so that a busy machine slows both equally.
    for (let i = 0; i < 15; i += 1) {
      unknown.push(await time('nobody@clinic.example'));
      known.push(await time(ADMIN.adminEmail));
    }
    const ratio = median(unknown) / median(known);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

describe('refresh', () => {
  test('replaces the token of the same developer', async () => {
    const { tokens } = await service.logIn();
    const next = await refresh(tokens.refresh_token);
    expect(next.status).toBe(200);
    expect(next.body.refresh_token).not.toBe(tokens.refresh_token);
    expect((await service.as(next.body.access_token)('GET', '/api/v1/auth/me')).status).toBe(200);
  });

  test('gives 50 callers of one token the same successor', async () => {
    const { tokens } = await service.logIn();
    const responses = await Promise.all(Array.from({ length: 50 }, () => refresh(tokens.refresh_token)));
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
    expect(new Set(responses.map((response) => response.body.refresh_token)).size).toBe(1);
    const { rows } = await service.pool.query(
      `select count(*) as n from refresh_token where family_id =
       (select family_id from refresh_token where token_hash = sha256($1::bytea))`,
      [Buffer.from(tokens.refresh_token)],
    );
    expect(rows[0].n).toBe(2);
  });

  test('ends the session if a token is reused after its successor', async () => {
    const { tokens } = await service.logIn();
    const second = await refresh(tokens.refresh_token);
    const third = await refresh(second.body.refresh_token);
    expect(third.status).toBe(200);
    const stolen = await refresh(tokens.refresh_token);
    expect(stolen.status).toBe(401);
    expect(stolen.body).toEqual({ detail: 'Invalid or revoked refresh token' });
    expect(stolen.headers.get('www-authenticate')).toBe('Bearer');
    expect((await refresh(third.body.refresh_token)).status).toBe(401);
  });

  test('ends the session if a token is reused after the grace period', async () => {
    const { tokens } = await service.logIn();
    const second = await refresh(tokens.refresh_token);
    await service.pool.query("update refresh_token set rotated_at = rotated_at - interval '31 seconds'");
    expect((await refresh(tokens.refresh_token)).status).toBe(401);
    expect((await refresh(second.body.refresh_token)).status).toBe(401);
  });

  test.each([
    ['idle for too long', 'idle_expires_at'],
    ['past its absolute end', 'absolute_expires_at'],
  ])('rejects a token that is %s', async (_case, column) => {
    const { tokens } = await service.logIn();
    await service.pool.query(`update refresh_token set ${column} = now() where rotated_at is null`);
    expect((await refresh(tokens.refresh_token)).status).toBe(401);
  });

  test('names the faulty field without the token', async () => {
    const missing = await service.anonymous('POST', '/api/v1/token/refresh', {});
    expect(missing.status).toBe(422);
    expect(missing.body.detail).toEqual([{ loc: ['body', 'refresh_token'], msg: 'Field required', type: 'missing' }]);
    const wrong = await refresh(12345);
    expect(wrong.body.detail[0]).toEqual({
      loc: ['body', 'refresh_token'],
      msg: 'Input should be a valid string',
      type: 'string_type',
    });
  });

  test('stores no usable token', async () => {
    const { tokens } = await service.logIn();
    const { rows } = await service.pool.query('select t::text as row from refresh_token t');
    expect(rows.some(({ row }) => row.includes(tokens.refresh_token))).toBe(false);
  });
});

describe('logout', () => {
  test('ends both tokens of only this session', async () => {
    const [loggedOut, otherSession] = [await service.logIn(), await service.logIn()];
    expect((await loggedOut.call('GET', '/api/v1/auth/me')).status).toBe(200);
    const response = await loggedOut.call('POST', '/api/v1/auth/logout');
    expect(response.body).toEqual({ message: 'Successfully logged out' });
    expect((await loggedOut.call('GET', '/api/v1/auth/me')).status).toBe(401);
    expect((await refresh(loggedOut.tokens.refresh_token)).status).toBe(401);
    expect((await otherSession.call('GET', '/api/v1/auth/me')).status).toBe(200);
  });
});

describe('reset of a password', () => {
  test('ends every session within a second', async () => {
    const { tokens, call } = await service.logIn();
    const { password } = await service.accounts.developers.resetPassword(ADMIN.adminEmail.toUpperCase());
    expect((await logIn({ username: ADMIN.adminEmail, password: ADMIN.adminPassword })).status).toBe(401);
    expect((await logIn({ username: ADMIN.adminEmail, password })).status).toBe(200);
    expect((await refresh(tokens.refresh_token)).status).toBe(401);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expect((await call('GET', '/api/v1/auth/me')).status).toBe(401);
    await service.accounts.developers.resetPassword(ADMIN.adminEmail, ADMIN.adminPassword);
  });

  test('reports an unknown developer', async () => {
    await expect(service.accounts.developers.resetPassword('nobody@clinic.example')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
