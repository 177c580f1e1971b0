import { createHash } from 'node:crypto';
import { MS_PER_DAY } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, startTestService, type TestService } from '../../support/service.js';
import { deviceRoute } from './device-route.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';
const REFUSED = { detail: 'Invalid or expired invitation code' };
let service: TestService;
let developer: Call;
let developerId: string;
let user: { id: string };
beforeAll(async () => {
  service = await startTestService({ bindings: [deviceRoute] });
  const login = await service.logIn();
  developer = login.call;
  developerId = login.tokens.developer_id;
  user = (await service.call('POST', '/api/v1/users')).body;
});
afterAll(() => service.stop());

const create = async (id = user.id) => (await developer('POST', `/api/v1/users/${id}/invitation-code`)).body;
const redeem = (code: unknown) => service.anonymous('POST', '/api/v1/invitation-code/redeem', { code });

describe('a code', () => {
  test('has eight unambiguous characters', async () => {
    const response = await developer('POST', `/api/v1/users/${user.id}/invitation-code`);
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ user_id: user.id, code: expect.stringMatching(/^[A-HJ-NP-Z2-9]{8}$/) });
  });

  test('expires after a week', async () => {
    const { body } = await developer('POST', `/api/v1/users/${user.id}/invitation-code`);
    expect((Date.parse(body.expires_at) - Date.parse(body.created_at)) / MS_PER_DAY).toBe(7);
  });

  test('is stored neither as plain text nor as a plain SHA-256 hash', async () => {
    const { code } = await create();
    const { rows } = await service.pool.query('select c::text as row from user_invitation_code c');
    const plain = createHash('sha256').update(code).digest('hex');
    expect(rows.some(({ row }) => row.includes(code) || row.includes(plain))).toBe(false);
  });

  test('invalidates only the earlier codes of its user', async () => {
    const other = (await service.call('POST', '/api/v1/users')).body;
    const [first, otherCode, second] = [await create(), await create(other.id), await create()];
    expect((await redeem(first.code)).status).toBe(404);
    expect((await redeem(second.code)).status).toBe(200);
    expect((await redeem(otherCode.code)).status).toBe(200);
  });

  test('is the only valid code after ten concurrent requests', async () => {
    const codes = await Promise.all(Array.from({ length: 10 }, () => create()));
    const responses = await Promise.all(codes.map(({ code }) => redeem(code)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is created only by developers for existing users', async () => {
    const path = `/api/v1/users/${user.id}/invitation-code`;
    expect((await service.call('POST', path)).status).toBe(401);
    const unknown = await developer('POST', path.replace(user.id, UNKNOWN));
    expect([unknown.status, unknown.body]).toEqual([404, { detail: `User with ID: ${UNKNOWN} not found.` }]);
    expect((await developer('POST', path.replace(user.id, 'x'))).status).toBe(422);
  });
});

describe('redeeming', () => {
  test('returns push tokens that name the inviting developer', async () => {
    const { code } = await create();
    const response = await redeem(code);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ user_id: user.id, token_type: 'bearer', expires_in: 3600 });
    const claims = JSON.parse(Buffer.from(response.body.access_token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ sub: user.id, scope: 'sdk', app_id: `invite:${developerId}` });
    const pushed = await service.as(response.body.access_token)('POST', `/api/v1/sdk/users/${user.id}/test`);
    expect(pushed.status).toBe(204);
    const refreshed = await service.anonymous('POST', '/api/v1/token/refresh', {
      refresh_token: response.body.refresh_token,
    });
    expect(refreshed.status).toBe(200);
  });

  test('accepts a code in lower case, with a hyphen or with spaces', async () => {
    const typed = [
      (code: string) => code.toLowerCase(),
      (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`,
      (code: string) => ` ${code.toLowerCase().split('').join(' ')}\n`,
    ];
    for (const write of typed) expect((await redeem(write((await create()).code))).status).toBe(200);
  });

  test('accepts exactly one of 50 concurrent attempts', async () => {
    const { code } = await create();
    const before = await service.pool.query('select count(*) as n from refresh_token');
    const responses = await Promise.all(Array.from({ length: 50 }, () => redeem(code)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of responses.filter((response) => response.status !== 200)) {
      expect([status, body]).toEqual([404, REFUSED]);
    }
    const after = await service.pool.query('select count(*) as n from refresh_token');
    expect(after.rows[0].n - before.rows[0].n).toBe(1);
  });

  test('responds the same to all invalid codes', async () => {
    const used = await create();
    await redeem(used.code);
    const revoked = await create();
    await create();
    const expired = await create();
    await service.pool.query('update user_invitation_code set expires_at = now() where id = $1', [expired.id]);
    const deletedUser = (await service.call('POST', '/api/v1/users')).body;
    const orphan = await create(deletedUser.id);
    await developer('DELETE', `/api/v1/users/${deletedUser.id}`);
    for (const code of [used.code, revoked.code, expired.code, orphan.code, 'ABCDEFGH', 'IIIIOOOO']) {
      const response = await redeem(code);
      expect([response.status, response.body]).toEqual([404, REFUSED]);
    }
  });

  test.each([
    ['too short', 'ABCDEFG', 'string_pattern_mismatch'],
    ['too long', 'ABCDEFGHJ', 'string_pattern_mismatch'],
    ['written with ambiguous characters', 'ABCD0123', 'string_pattern_mismatch'],
    ['a number', 12345678, 'string_type'],
    ['absent', undefined, 'missing'],
  ])('rejects a code that is %s, without echoing the code', async (_case, code, type) => {
    const response = await redeem(code);
    expect([response.status, response.body.detail[0].type]).toEqual([422, type]);
    expect(response.body.detail[0]).not.toHaveProperty('input');
  });

  test('leaves no token if the user is erased concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = (await service.call('POST', '/api/v1/users')).body;
      const { code } = await create(id);
      const [erased, redeemed] = await Promise.all([developer('DELETE', `/api/v1/users/${id}`), redeem(code)]);
      expect(erased.status).toBe(200);
      expect([200, 404]).toContain(redeemed.status);
      const left = await service.pool.query('select 1 from refresh_token where user_id = $1', [id]);
      expect(left.rowCount).toBe(0);
    }
  });
});
