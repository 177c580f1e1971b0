import { expect, test } from 'vitest';
import { BoundedAccounts } from './bounded-accounts.js';

test('no more accounts of a body are remembered than the limit allows, and each is still looked up right', async () => {
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
  // Asked once, it is remembered until too many came after it.
  expect(lookups.filter((account) => account === 'known').length).toBeLessThan(20);
  accounts.forget('known');
  expect(await accounts.of('known')).toEqual(['known']);
});
