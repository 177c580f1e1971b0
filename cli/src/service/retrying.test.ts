import { expect, test } from 'vitest';
import { nextTryText, retryingText } from './retrying.js';

const NOW = new Date(2026, 10, 22, 14, 29).getTime();
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();

test('shows the attempt and local time of a waiting run', () => {
  const retrying = { reason: 'unavailable 503', attempt: 2, max_attempts: 5, next_try_at: at(2026, 10, 22, 14, 32) };
  expect(retryingText({ retrying }, NOW)).toBe('attempt 2 of 5, next 14:32 (in 3 min 00 s)');
  expect(retryingText({ retrying: { ...retrying, max_attempts: null } }, NOW)).toMatch(/^attempt 2, next/);
  expect(retryingText({ retrying: null }, NOW)).toBeUndefined();
});

test('shows the date of an attempt on a later day', () => {
  expect(nextTryText(at(2026, 10, 23, 2, 0), NOW)).toBe('2026-11-23 02:00 (in 11 h 31 min)');
});

test('shows "now" for an overdue attempt', () => {
  expect(nextTryText(at(2026, 10, 22, 14, 28), NOW)).toBe('now');
});
