import { expect, it } from 'vitest';
import { remedyCommand } from './reasons.js';

const USER = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';
const VERDICT = {
  provider: 'google',
  provider_name: 'Google Health',
  cause: 'consent_ended',
  severity: 'problem',
  sentence: '',
  since: null,
  last_data_at: null,
  last_synced_at: null,
  next_try_at: null,
  details: [],
} as const;

it.each([
  ['send_connect_link', `healthctl connect-links create --user ${USER} --providers google`],
  ['sync_now', `healthctl sync run ${USER} --provider google`],
  ['enable_provider', 'healthctl providers enable google'],
  ['set_time_zone', `healthctl users update ${USER} --time-zone '<zone>'`],
  ['open_phone_app', undefined],
  ['none', undefined],
] as const)('maps the diagnosis remedy %s to the command %s', (remedy, line) => {
  expect(remedyCommand(USER, { ...VERDICT, details: [], remedy })).toBe(line);
});
