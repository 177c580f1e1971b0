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

it('suggests a new connect link when consent has ended', () => {
  expect(nextCommand('anna@example.org', { ...verdict, provider: 'google', remedy: 'send_connect_link' })).toBe(
    'Create a new link: healthctl connect-links create --user anna@example.org --providers google',
  );
});

it('uses a placeholder for the time zone in the suggested command', () => {
  expect(nextCommand('anna@example.org', verdict)).toBe(
    "Set the time zone: healthctl users update anna@example.org --time-zone '<zone>'",
  );
});
