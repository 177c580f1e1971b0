import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ADMIN, startTestService, type TestService } from '../../support/service.js';
import { logIn } from './log-in.js';

const OFFICE = '192.0.2.7';
const STRANGER = '198.51.100.1';
const FAILURES = 3;
/** If all free attempts from this number of IP addresses fail, the account is locked for all unknown IP addresses. */
const ADDRESSES = 20;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ failuresBeforeWait: FAILURES, trustProxy: true });
});
afterAll(() => service.stop());
beforeEach(() => service.pool.query('delete from login_failure'));

const attempt = (password: string, { email = ADMIN.adminEmail, address = OFFICE } = {}) =>
  logIn(service.anonymous, email, password, address);
const endWaits = () => service.pool.query('update login_failure set locked_until = now()');
const isHere = "address_hash <> ''";

/** Extends the current waits so that they outlast the test on a slow machine. Returns their number. */
const prolongWaits = async (where = 'true') =>
  (
    await service.pool.query(
      `update login_failure set locked_until = now() + interval '1 hour' where locked_until > last_at and ${where}`,
    )
  ).rowCount;

/** Makes `count` consecutive attempts and returns their statuses. */
async function statusesOf(count: number, next: (index: number) => ReturnType<typeof attempt>) {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await next(index)).status);
  return statuses;
}

/** Sends wrong passwords until the IP address must wait. */
async function reachAttemptLimit(next: (index: number) => ReturnType<typeof attempt>) {
  expect(await statusesOf(FAILURES, next)).toEqual(Array(FAILURES).fill(401));
  expect(await prolongWaits(isHere)).toBeGreaterThan(0);
}

/** Sends concurrent wrong passwords from enough unknown IP addresses to make the account wait. */
async function lockAccountEverywhere() {
  const addresses = Array.from({ length: ADDRESSES * FAILURES }, (_, index) => `203.0.113.${index % ADDRESSES}`);
  await Promise.all(addresses.map((address) => attempt('wrong', { address })));
  expect(await prolongWaits("address_hash = ''")).toBe(1);
}

describe('consecutive wrong passwords', () => {
  test('double the wait of their IP address up to 15 minutes', async () => {
    const waits: number[] = [];
    for (let failure = 1; failure <= 6; failure += 1) {
      expect((await attempt('wrong')).status).toBe(401);
      if (failure < FAILURES) continue;
      const rejected = await attempt(ADMIN.adminPassword);
      expect(rejected.status).toBe(429);
      const seconds = Number(rejected.headers.get('retry-after'));
      const { rows } = await service.pool.query(
        `select extract(epoch from locked_until - last_at)::int as wait from login_failure where ${isHere}`,
      );
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(rows[0].wait);
      waits.push(rows[0].wait);
      await endWaits();
    }
    expect(waits).toEqual([5, 10, 20, 40]);
    await service.pool.query(`update login_failure set failures = 1000, locked_until = now() where ${isHere}`);
    await attempt('wrong');
    expect(Number((await attempt('wrong')).headers.get('retry-after'))).toBeGreaterThan(890);
  });

  test('count the same for an unknown account', async () => {
    const email = 'nobody@clinic.example';
    await reachAttemptLimit(() => attempt('wrong', { email }));
    expect((await attempt('wrong', { email })).status).toBe(429);
  });

  test('count together for every capitalization of the name', async () => {
    for (const name of [ADMIN.adminEmail, 'no.such@clinic.example']) {
      const spellings = [name, name.toUpperCase(), `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`];
      await reachAttemptLimit((index) => attempt('wrong', { email: spellings[index] }));
      expect(await statusesOf(FAILURES, (index) => attempt('wrong', { email: spellings[index] }))).toEqual(
        Array(FAILURES).fill(429),
      );
    }
  });

  test('are cleared by the right password', async () => {
    for (const password of ['wrong', 'wrong', ADMIN.adminPassword, 'wrong', 'wrong']) await attempt(password);
    expect((await attempt(ADMIN.adminPassword)).status).toBe(200);
  });

  test('cannot avoid the wait through concurrency', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => attempt('wrong')));
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(FAILURES);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(20 - FAILURES);
  });

  test.each([
    ['a NUL before it', (email: string) => `\0${email}`],
    ['a NUL inside', (email: string) => email.replace('@', '\0@')],
    ['another control character', (email: string) => `${email}\x1f`],
    ['another case', (email: string) => email.toUpperCase()],
    ['the case of its domain changed', (email: string) => email.replace('clinic', 'CliniC')],
    ['spaces around it', (email: string) => ` ${email}\t`],
    ['full-width letters', (email: string) => email.replace('ada', 'ａｄａ')],
    ['a zero-width space inside', (email: string) => email.replace('ada', 'a\u200bda')],
  ])('count for the account if the email is written with %s', async (_case, write) => {
    const email = write(ADMIN.adminEmail);
    await reachAttemptLimit(() => attempt('wrong', { email }));
    expect((await attempt(ADMIN.adminPassword)).status).toBe(429);
    expect((await attempt(ADMIN.adminPassword, { email })).status).toBe(429);
    await endWaits();
    expect((await attempt(ADMIN.adminPassword, { email })).status).toBe(200);
  });

  test('count during a password change', async () => {
    const { call } = await service.logIn();
    const passwords = { current_password: 'wrong', new_password: 'long enough', confirm_password: 'long enough' };
    const change = () => call('POST', '/api/v1/auth/change-password', passwords);
    expect(await statusesOf(FAILURES, change)).toEqual([400, 400, 400]);
    await prolongWaits();
    expect((await change()).status).toBe(429);
  });

  test('stop counting after the operator resets the password', async () => {
    for (const address of [OFFICE, STRANGER]) await reachAttemptLimit(() => attempt('wrong', { address }));
    const { password } = await service.accounts.developers.resetPassword(ADMIN.adminEmail, ADMIN.adminPassword);
    expect((await attempt(password)).status).toBe(200);
    expect((await attempt(password, { address: STRANGER })).status).toBe(200);
  });

  test('are stored without the IP address and the email', async () => {
    await attempt('wrong');
    const { rows } = await service.pool.query('select f::text as row from login_failure f');
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/clinic|192\.0/);
  });
});

describe('wrong passwords of an attacker', () => {
  test('delay only the IP address that sent them', async () => {
    await reachAttemptLimit(() => attempt('wrong', { address: STRANGER }));
    expect(await statusesOf(17, () => attempt('wrong', { address: STRANGER }))).toEqual(Array(17).fill(429));
    expect((await attempt(ADMIN.adminPassword, { address: STRANGER })).status).toBe(429);
    expect((await attempt(ADMIN.adminPassword)).status).toBe(200);
  });

  test('from one IP address never lock the account for other addresses', async () => {
    for (let guess = 0; guess < FAILURES * ADDRESSES * 2; guess += 1) {
      await attempt('wrong', { address: STRANGER });
      await endWaits();
    }
    expect((await attempt('wrong')).status).toBe(401);
    const { rows } = await service.pool.query("select failures from login_failure where address_hash = ''");
    expect(rows).toEqual([{ failures: FAILURES + 1 }]);
  });

  test('from many IP addresses lock the account for unknown addresses', async () => {
    await lockAccountEverywhere();
    expect((await attempt('wrong', { address: STRANGER })).status).toBe(429);
    expect((await attempt(ADMIN.adminPassword, { address: STRANGER })).status).toBe(429);
  });

  test('stop counting for the whole account after the right password', async () => {
    for (const address of [OFFICE, STRANGER]) await attempt('wrong', { address });
    expect((await attempt(ADMIN.adminPassword)).status).toBe(200);
    const { rows } = await service.pool.query("select failures from login_failure where address_hash = ''");
    expect(rows).toEqual([]);
  });

  test('do not lock out the owner at a known address', async () => {
    await attempt(ADMIN.adminPassword);
    await lockAccountEverywhere();
    expect((await attempt('mistyped')).status).toBe(401);
    expect((await attempt(ADMIN.adminPassword)).status).toBe(200);
  });

  test('keep the account locked for an address whose own wait ended', async () => {
    await reachAttemptLimit(() => attempt('wrong', { address: STRANGER }));
    await lockAccountEverywhere();
    await service.pool.query(`update login_failure set locked_until = now() where ${isHere}`);
    expect((await attempt(ADMIN.adminPassword, { address: STRANGER })).status).toBe(429);
  });

  test('count together within one IPv6 network', async () => {
    await reachAttemptLimit((index) => attempt('wrong', { address: `2001:db8::${index}` }));
    expect((await attempt(ADMIN.adminPassword, { address: '2001:db8::9' })).status).toBe(429);
    expect((await attempt(ADMIN.adminPassword, { address: '2001:db8:0:1::1' })).status).toBe(200);
  });
});

test('logs in with composed and decomposed spellings of an email', async () => {
  const password = 'a password of length';
  await service.accounts.developers.create('A\u0308rztin@klinik.example', password);
  for (const email of ['\u00c4rztin@klinik.example', 'a\u0308rztin@klinik.example', '\u00e4RZTIN@klinik.example']) {
    expect((await attempt(password, { email })).status).toBe(200);
  }
});
