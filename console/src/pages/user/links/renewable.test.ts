import { expect, it } from 'vitest';
import { isRenewable, isRenewableFor, remainingProviders } from './renewable.js';

const DAY = { created_at: '2026-11-20T08:00:00.000Z', expires_at: '2026-11-21T08:00:00.000Z' };
const at = (time: string) => Date.parse(time);

it.each([
  ['open', '2026-11-20T09:00:00Z', false],
  ['open', '2026-11-21T01:59:00Z', false],
  ['open', '2026-11-21T02:00:00Z', true],
  // The link has expired since the last poll of the list.
  ['open', '2026-11-21T09:00:00Z', true],
  ['expired', '2026-11-25T08:00:00Z', true],
  ['used', '2026-11-21T07:00:00Z', false],
  ['revoked', '2026-11-25T08:00:00Z', false],
] as const)('a one-day link that is %s can be renewed at %s: %s', (status, now, renewable) => {
  expect(isRenewable({ ...DAY, status }, at(now))).toBe(renewable);
});

const outcome = (provider: string, outcome: 'open' | 'connected' | 'partial' | 'failed') => {
  return { provider, outcome, error: null, missing_data_types: [], at: null };
};
const HALF_USED = {
  ...DAY,
  status: 'expired' as const,
  providers: [
    outcome('google', 'connected'),
    outcome('oura', 'partial'),
    outcome('whoop', 'failed'),
    outcome('polar', 'open'),
  ],
};

it('keeps the unconnected providers of a renewed link', () => {
  expect(remainingProviders(HALF_USED)).toEqual(['whoop', 'polar']);
});

it.each([
  [undefined, true],
  ['polar', true],
  ['whoop', true],
  ['google', false],
  ['oura', false],
  ['strava', false],
] as const)('offers to renew a half-used link for %s: %s', (provider, offered) => {
  expect(isRenewableFor(provider, HALF_USED, at('2026-11-25T08:00:00Z'))).toBe(offered);
});

it('does not offer to renew a revoked link', () => {
  expect(isRenewableFor('polar', { ...HALF_USED, status: 'revoked' }, at('2026-11-25T08:00:00Z'))).toBe(false);
});
