import { expect, it } from 'vitest';
import { hasReceipt } from './has-receipt.js';

const DELETION = { resource: 'user', resource_id: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed' };

it.each([
  ['success', 200, true],
  ['failure', 503, true],
  ['failure', 500, false],
  ['failure', 404, false],
] as const)('a deletion that ended with %s and status %i has a receipt: %s', (outcome, status, expected) => {
  expect(hasReceipt({ ...DELETION, outcome, status })).toBe(expected);
});

it('finds no receipt for another resource or without an id', () => {
  const answered = { outcome: 'success', status: 200 } as const;
  expect(hasReceipt({ ...DELETION, ...answered, resource: 'workout' })).toBe(false);
  expect(hasReceipt({ ...DELETION, ...answered, resource_id: null })).toBe(false);
});
