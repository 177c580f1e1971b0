import { expect, it } from 'vitest';
import { oldKeyEnd } from './resources.js';

it('expires a rotated key after the grace period at the latest', () => {
  const created_at = '2026-11-22T10:00:00.000Z';
  expect(oldKeyEnd({ created_at, expires_at: null }, 7_200)).toBe('2026-11-22T12:00:00.000Z');
  expect(oldKeyEnd({ created_at, expires_at: '2026-12-24T00:00:00.000Z' }, 7_200)).toBe('2026-11-22T12:00:00.000Z');
  expect(oldKeyEnd({ created_at, expires_at: '2026-11-22T11:00:00.000Z' }, 7_200)).toBe('2026-11-22T11:00:00.000Z');
});
