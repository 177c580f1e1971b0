import { expect, test } from 'vitest';
import { BoundedAccounts } from './bounded-accounts.js';

test('finds every account with a limited cache', async () => {
  const lookups: string[] = [];
  const accounts = new BoundedAccounts(async (account) => {
    lookups.push(account);
    return account.startsWith('known') ? [account] : [];
  }, 10);
  for (let at = 0; at < 95; at++) {
    expect(await accounts.of(`stranger ${at}`)).toEqual([]);
    expect(await accounts.of('known')).toEqual(['known']);
    expect(accounts.size).toBeLessThanOrEqual(10);
  }
  expect(accounts.unmatched.size).toBe(10);
  // The result of a lookup stays cached until too many other accounts follow.
  expect(lookups.filter((account) => account === 'known').length).toBeLessThan(20);
  accounts.forget('known');
  expect(await accounts.of('known')).toEqual(['known']);
});
