import { ensureFirstAccount, type FirstAccount } from '@healthd/daemon/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
const made: (FirstAccount | undefined)[] = [];
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  await service.pool.query('delete from api_key; delete from developer');
});
afterAll(async () => {
  for (const account of made) await account?.release();
  await service.stop();
});

/** Creates the first account if needed, as a start of the service does. */
async function start(): Promise<FirstAccount | undefined> {
  const account = await ensureFirstAccount(service.accounts, {});
  made.push(account);
  return account;
}

/** Simulates a start that ends before it prints the account. */
async function interruptedStart(): Promise<FirstAccount> {
  const account = await start();
  await account?.release();
  return account!;
}

async function counts(): Promise<unknown> {
  const { rows } = await service.pool.query(
    'select (select count(*)::int from developer) as developers, (select count(*)::int from api_key) as keys',
  );
  return rows[0];
}

const login = ({ email, password }: FirstAccount) =>
  service.accounts.sessions.login({ email, password, address: undefined });

describe('the first account and its key', () => {
  test('are created together or not at all', async () => {
    await service.pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no key today'; end $$;
      create trigger refuse before insert on api_key for each row execute function refuse()`);
    await expect(start()).rejects.toThrow('no key today');
    await service.pool.query('drop function refuse cascade');
    expect(await counts()).toEqual({ developers: 0, keys: 0 });
    const account = await start();
    expect(await counts()).toEqual({ developers: 1, keys: 1 });
    await account?.shown();
  });

  test('are created again at each start until a start prints them', async () => {
    const first = await interruptedStart();
    const second = await interruptedStart();
    const third = await start();
    await third?.shown();
    expect(await counts()).toEqual({ developers: 1, keys: 1 });
    for (const lost of [first, second]) {
      expect(await service.accounts.apiKeys.verify(lost.apiKey)).toBeUndefined();
      await expect(login(lost)).rejects.toMatchObject({ code: 'unauthenticated' });
      await expect(service.accounts.sessions.refresh(lost.refreshToken)).rejects.toMatchObject({
        code: 'unauthenticated',
      });
    }
    expect(await service.accounts.apiKeys.verify(String(third?.apiKey))).toBeDefined();
    expect(await start()).toBeUndefined();
  });

  test.each<[string, (account: FirstAccount) => Promise<unknown>]>([
    ['a use of the key', ({ apiKey }) => service.accounts.apiKeys.verify(apiKey)],
    ['a use of the password', login],
    ["a use of healthctl's session", ({ refreshToken }) => service.accounts.sessions.refresh(refreshToken)],
    ['a password reset', ({ email }) => service.accounts.developers.resetPassword(email)],
  ])('are kept after %s, even if never printed', async (_, use) => {
    const account = await interruptedStart();
    await use(account);
    expect(await start()).toBeUndefined();
    expect(await start()).toBeUndefined();
    expect(await service.accounts.apiKeys.verify(account.apiKey)).toBeDefined();
  });

  test('are not replaced while another process is about to print them', async () => {
    const account = await start();
    expect(await start()).toBeUndefined();
    expect(await service.accounts.apiKeys.verify(String(account?.apiKey))).toBeDefined();
    await account?.shown();
  });

  test('are never replaced in an older installation', async () => {
    const account = await interruptedStart();
    await service.pool.query('delete from unshown_first_account');
    expect(await start()).toBeUndefined();
    expect(await service.accounts.apiKeys.verify(account.apiKey)).toBeDefined();
  });
});
