import { TERM_STATES, VENDOR_TERMS, type VendorTermName } from '@healthd/contract';
import type { VendorTermResponse } from '@healthd/schemas';
import { describe, expect, test } from 'vitest';
import { effectText, questionText, ruleText } from './term-texts.js';

const VALUES: Readonly<Record<VendorTermName, [value: string | number, rule: string, effect: string]>> = {
  assistants: ['deny', 'AI assistants must not read the data', 'Withheld from AI assistants'],
  combine: ['deny', 'Summaries must not mix the data with other vendors’ data', 'Withheld from summaries'],
  cache_days: [7, 'Store the data for 7 days at most', 'Data older than 7 days is deleted daily'],
  on_disconnect: [
    'delete',
    'Delete a person’s data when the connection ends',
    'Data is deleted when the connection ends',
  ],
  archive: ['deny', 'Keep samples at their original resolution', 'Samples are not archived'],
  attribution: ['Garmin', 'Show “Garmin” next to the data', '“Garmin” is shown and exported'],
  research: ['Consent of each person', 'Consent of each person', 'Shown here only'],
};

function termOf(term: VendorTermName, state: VendorTermResponse['state']): VendorTermResponse {
  return { term, value: VALUES[term][0], state, declared: null, override: null, answer: null, rows: null };
}

describe('term texts', () => {
  test.each(VENDOR_TERMS)('state the requirement and effect of %s', (term) => {
    const [value, rule, effect] = VALUES[term];
    expect([ruleText(term, value), effectText(termOf(term, 'acts'))]).toEqual([rule, effect]);
    expect(ruleText(term, null)).toBe('Does not apply');
  });

  test.each(TERM_STATES.filter((state) => state !== 'acts'))('do not mention a deletion in the state %s', (state) => {
    expect(effectText(termOf('cache_days', state))).not.toContain('deleted');
  });

  test('name a one-day limit in the question before deleting data', () => {
    expect(questionText({ ...termOf('cache_days', 'asks'), value: 1 })).toContain(' 1 day?');
  });
});
