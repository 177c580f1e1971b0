import type { ProviderTermsResponse, VendorTermResponse } from '@healthd/schemas';
import { expect, test } from 'vitest';
import { findingsOf } from './terms-findings.js';

const UNKNOWN = { declared: null, override: null, answer: null, rows: null } as const;
const ASKS: VendorTermResponse = { ...UNKNOWN, term: 'cache_days', value: 7, state: 'asks', rows: 12 };
const strava = (...terms: VendorTermResponse[]): ProviderTermsResponse => ({
  provider: 'strava',
  name: 'Strava',
  terms,
});

test('warns about a pending term that would delete rows', () => {
  expect(findingsOf(strava(ASKS), true)).toMatchObject([
    {
      state: 'warning',
      found: expect.stringContaining('cache_days = 7. Accepting it would delete 12 rows now'),
      advice: 'healthctl providers terms strava --accept cache_days, or --decline cache_days',
    },
  ]);
});

test('ignores a vendor that has neither credentials nor rows', () => {
  expect(findingsOf(strava({ ...ASKS, rows: 0 }), false)).toEqual([]);
  expect(findingsOf(strava(ASKS), false)).toHaveLength(1);
});

test('lists term overrides and decisions with their reasons', () => {
  const at = '2026-11-23T10:00:00.000Z';
  const found = findingsOf(
    strava(
      {
        ...UNKNOWN,
        term: 'assistants',
        value: 'allow',
        state: 'allows',
        override: { value: 'allow', reason: 'Contract', changed_by: 'ada@clinic.example', changed_at: at },
      },
      {
        ...ASKS,
        state: 'declined',
        answer: { answer: 'declined', answered_by: 'ada@clinic.example', answered_at: at },
      },
    ),
    true,
  );
  expect(found.map((one) => [one.state, one.found])).toEqual([
    ['ok', 'strava: assistants is allow (ada@clinic.example: Contract)'],
    ['ok', 'strava: cache_days was declined by ada@clinic.example'],
  ]);
});

test('lists the unknown terms of a configured vendor', () => {
  const unknown = { ...UNKNOWN, value: null, state: 'unknown' } as const;
  const terms = strava({ ...unknown, term: 'archive' }, { ...unknown, term: 'research' });
  expect(findingsOf(terms, true).map(({ found }) => found)).toEqual(['strava: terms not known: archive, research']);
  expect(findingsOf(terms, false)).toEqual([]);
});
