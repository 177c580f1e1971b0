import { expect, it } from 'vitest';
import { isRenewable } from './renewable.js';

const DAY = { created_at: '2026-11-20T08:00:00.000Z', expires_at: '2026-11-21T08:00:00.000Z' };
const at = (time: string) => Date.parse(time);

it.each([
  ['open', '2026-11-20T09:00:00Z', false],
  ['open', '2026-11-21T01:59:00Z', false],
  ['open', '2026-11-21T02:00:00Z', true],
  // Between two looks at the list.
  ['open', '2026-11-21T09:00:00Z', true],
  ['expired', '2026-11-25T08:00:00Z', true],
  ['used', '2026-11-21T07:00:00Z', false],
  ['revoked', '2026-11-25T08:00:00Z', false],
] as const)('A link of a day that is %s can be renewed at %s: %s', (status, now, renewable) => {
  expect(isRenewable({ ...DAY, status }, at(now))).toBe(renewable);
});
