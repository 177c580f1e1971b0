import { credentialCleaning } from '@healthd/daemon/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ failuresBeforeWait: 3 });
});
afterAll(() => service.stop());

const count = async (table: string) => (await service.pool.query(`select count(*) as n from ${table}`)).rows[0].n;

/** Shifts a timestamp column of the matching rows into the past. */
const age = (table: string, column: string, interval: string, where = 'true') =>
  service.pool.query(`update ${table} set ${column} = ${column} - interval '${interval}' where ${where}`);

async function runJob() {
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const job = credentialCleaning({ accounts: service.accounts });
  await job.clean({ log, signal: new AbortController().signal });
  return log;
}

test('keeps valid refresh tokens, invitation codes and invitations', async () => {
  const { tokens, call } = await service.logIn();
  const next = await service.accounts.sessions.refresh(tokens.refresh_token);
  const user = (await service.call('POST', '/api/v1/users')).body;
  await call('POST', `/api/v1/users/${user.id}/invitation-code`);
  await call('POST', '/api/v1/invitations', { email: 'grace@clinic.example' });
  const before = await Promise.all(['refresh_token', 'user_invitation_code', 'developer_invitation'].map(count));
  const log = await runJob();
  expect(log.info).not.toHaveBeenCalled();
  expect(await Promise.all(['refresh_token', 'user_invitation_code', 'developer_invitation'].map(count))).toEqual(
    before,
  );
  await service.accounts.sessions.refresh(next.tokens.refresh_token);
});

test('deletes expired tokens after a day, codes and invitations after a month', async () => {
  await age('refresh_token', 'idle_expires_at', '32 days');
  await age('user_invitation_code', 'expires_at', '38 days');
  await age('developer_invitation', 'expires_at', '38 days');
  const log = await runJob();
  for (const table of ['refresh_token', 'user_invitation_code', 'developer_invitation'])
    expect(await count(table)).toBe(0);
  expect(log.info).toHaveBeenCalledWith(
    { event: 'expired_credentials_deleted', refreshTokens: expect.any(Number), codes: 1, invitations: 1 },
    'Deleted expired credentials',
  );
});

test('keeps a revoked token until its session would have ended', async () => {
  const { tokens } = await service.logIn();
  const next = await service.accounts.sessions.refresh(tokens.refresh_token);
  await service.accounts.refreshTokens.revokeSession(
    String(await service.accounts.refreshTokens.sessionOf(tokens.refresh_token)),
  );
  // Simulates a successor token that was created while the session was being ended.
  await service.pool.query('update refresh_token set revoked_at = null where rotated_at is null');
  await age('refresh_token', 'idle_expires_at', '32 days', 'rotated_at is not null');
  await runJob();
  await expect(service.accounts.sessions.refresh(next.tokens.refresh_token)).rejects.toMatchObject({
    code: 'unauthenticated',
  });
  await age('refresh_token', 'absolute_expires_at', '182 days');
  await runJob();
  expect(await count('refresh_token')).toBe(0);
});

const failures = async () =>
  (await service.pool.query('select from login_failure where succeeded_at is null')).rowCount;

test('deletes login failures after a day', async () => {
  const wrong = { email: 'nobody@clinic.example', password: 'x', address: '192.0.2.1' };
  await service.accounts.sessions.login(wrong).catch(() => undefined);
  // One row counts the IP address, and one row counts all IP addresses together.
  expect(await failures()).toBe(2);
  await age('login_failure', 'last_at', '25 hours');
  await runJob();
  expect(await failures()).toBe(0);
});

test('remembers an IP address for 90 days after a login', async () => {
  await service.logIn();
  await age('login_failure', 'last_at', '25 hours');
  await runJob();
  expect(await count('login_failure')).toBe(1);
  await age('login_failure', 'succeeded_at', '91 days');
  await runJob();
  expect(await count('login_failure')).toBe(0);
});
