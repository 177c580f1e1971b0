import { expect, test } from 'vitest';
import { upgradeText } from './upgrade-text.js';

const PREVIEW = {
  upgraded_at: '2026-11-28T08:00:00Z',
  users_compared: 12,
  users_concerned: 12,
  days: 400,
  days_changed: 60,
  nights: 300,
  nights_changed: 1,
  nights_archived: 0,
  recoveries: 200,
  recoveries_changed: 40,
  recoveries_archived: 0,
  body_summaries: 10,
  body_summaries_changed: 1,
  merged_days: 50,
  merged_days_changed: 0,
  reasons: [
    { reason: 'too_little', days: 40, nights: 1, recoveries: 40, body_summaries: 1 },
    { reason: 'lower_class', days: 15, nights: 0, recoveries: 0, body_summaries: 0 },
    { reason: 'identity_order', days: 5, nights: 0, recoveries: 0, body_summaries: 0 },
  ],
} as const;
const textOf = (change: object) => upgradeText({ ...PREVIEW, reasons: [...PREVIEW.reasons], ...change });

test('reports the changed share of each summary type and the reasons', () => {
  expect(textOf({})).toBe(
    'Since the upgrade 15 % of days, less than 1 % of nights, 20 % of recovery dates and 10 % of body summaries have another ' +
      'source, mostly by too_little and lower_class. Compared: 12 users with several sources.',
  );
});

test('describes merged days with a changed source order', () => {
  expect(textOf({ merged_days_changed: 5 })).toContain(
    'With merge=interval, sources of one account count in a different order on 10 % of their days.',
  );
});

test('describes a random sample of many users', () => {
  expect(textOf({ users_compared: 1_000, users_concerned: 4_321 })).toContain(
    'a random sample of 1,000 of 4,321 users',
  );
});

test('describes archived nights separately', () => {
  expect(textOf({ nights_archived: 7 })).toContain('7 archived nights');
});

test('reports that no user has data from before the upgrade', () => {
  expect(textOf({ upgraded_at: null })).toMatch(/^No user /);
});
