import type { ProviderDiagnosis } from '@healthd/schemas';
import { expect, it } from 'vitest';
import { nextCommand } from './why.js';

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
} satisfies ProviderDiagnosis;

it('The hint for a consent that ended makes a link that can be sent to the person', () => {
  expect(nextCommand('anna@example.org', { ...verdict, provider: 'google', remedy: 'send_connect_link' })).toBe(
    'A new link: healthctl connect-links create --user anna@example.org --providers google',
  );
});

it('The hint for a person without a time zone names none, so that a copied line cannot set a wrong one', () => {
  expect(nextCommand('anna@example.org', verdict)).toBe(
    "Set the zone: healthctl users update anna@example.org --time-zone '<zone>'",
  );
});
