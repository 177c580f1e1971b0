import { expect, it } from 'vitest';
import { nextCommand } from './why.js';

it('The hint for a person without a time zone names none, so that a copied line cannot set a wrong one', () => {
  const verdict = {
    provider: 'apple',
    provider_name: 'Apple Health',
    cause: 'zone_unknown',
    severity: 'attention',
    sentence: '',
    since: null,
    last_data_at: null,
    last_synced_at: null,
    next_try_at: null,
    details: [],
    remedy: 'set_time_zone',
  } as const;
  expect(nextCommand('anna@example.org', { ...verdict, details: [] })).toBe(
    "Set the zone: healthctl users update anna@example.org --time-zone '<zone>'",
  );
});
