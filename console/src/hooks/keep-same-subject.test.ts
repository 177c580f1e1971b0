import type { QueryKey } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { keepSameSubject } from './keep-same-subject.js';
import { queryKeys } from './query-keys.js';

const kept = (before: QueryKey, next: QueryKey) => keepSameSubject(next)('shown', { queryKey: before }) === 'shown';
const DAYS = { start_date: '2026-11-01', end_date: '2026-11-08' };
const OTHERS = { start_date: '2026-10-01', end_date: '2026-11-08' };

it('keeps data of a user while another period loads', () => {
  expect(kept(queryKeys.activity('ada', DAYS), queryKeys.activity('ada', OTHERS))).toBe(true);
  expect(kept(queryKeys.activity('ada', DAYS), queryKeys.activity('bo', DAYS))).toBe(false);
  expect(kept(queryKeys.activity('ada', DAYS), queryKeys.recovery('ada', DAYS))).toBe(false);
});

it('never shows data of another series', () => {
  const series = (type: string, start: string) => queryKeys.series('ada', type, { type, start_time: start });
  expect(kept(series('weight', '1'), series('weight', '2'))).toBe(true);
  expect(kept(series('weight', '1'), series('heart_rate', '1'))).toBe(false);
});

it('never shows rows of the previous user filter', () => {
  expect(kept(queryKeys.audit({ days: 1 }), queryKeys.audit({ days: 7 }))).toBe(true);
  expect(kept(queryKeys.audit({ user_id: 'ada' }), queryKeys.audit({ user_id: 'ada', days: 7 }))).toBe(true);
  expect(kept(queryKeys.audit({ user_id: 'ada' }), queryKeys.audit({ user_id: 'bo' }))).toBe(false);
});

it('returns no placeholder without previous data', () => {
  expect(keepSameSubject(queryKeys.audit({}))('shown', undefined)).toBeUndefined();
});
