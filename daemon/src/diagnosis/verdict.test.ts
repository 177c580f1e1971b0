import type { DiagnosisCause, DiagnosisRemedy } from '@healthd/schemas';
import { expect, test } from 'vitest';
import type { Connection } from '../connections/index.js';
import type { ProviderFacts } from './provider-facts.js';
import { sentenceOf } from './sentence.js';
import { verdictOf } from './verdict.js';

const NOW = new Date('2026-11-17T12:00:00Z');
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);

const CONNECTION: Connection = {
  id: 'c',
  userKey: 1,
  userId: 'u',
  provider: 'google',
  status: 'active',
  statusReason: undefined,
  providerUserId: 'anna',
  sourceAccount: 'anna',
  providerUsername: undefined,
  scope: 'steps',
  grantedScopes: new Set(['steps']),
  hasTokens: true,
  timeZone: undefined,
  accountState: 'linked',
  accountCheckedAt: undefined,
  consentedAt: ago(1_000),
  backfillStartedAt: undefined,
  polledAt: ago(0.5),
  lastSyncedAt: ago(0.5),
  lastNotifiedAt: undefined,
  lastError: undefined,
  lastErrorAt: undefined,
  failingSince: undefined,
  nextTryAt: undefined,
  createdAt: ago(1_000),
  updatedAt: ago(30),
};

/** Facts about a provider whose connection delivers data. */
const HEALTHY: ProviderFacts = {
  provider: 'google',
  name: 'Google Health',
  canConnect: true,
  canPush: true,
  hasPushed: true,
  isConfigured: true,
  isEnabled: true,
  connection: CONNECTION,
  missingDataTypes: [],
  failingDataTypes: [],
  openRun: undefined,
  isWebhookStale: false,
  nextPollAt: ago(-0.5),
  lastDataAt: ago(1),
  archivedBefore: undefined,
  isZoneUnknown: false,
  unplacedDataTypes: [],
};
const connected = (changes: Partial<Connection>): Partial<ProviderFacts> => ({
  connection: { ...CONNECTION, ...changes },
});
const PHONE = { hasTokens: false, consentedAt: undefined };
const WAITING_RUN = { runId: 'pull_1', createdAt: ago(3), nextTryAt: ago(-1) };

test.each<[cause: DiagnosisCause, remedy: DiagnosisRemedy, changes: Partial<ProviderFacts>, sentence: string]>([
  [
    'receiving',
    'none',
    {},
    'Google Health: data arrives as expected. Last data Tue 17 Nov 2026, 12:00. Next try Tue 17 Nov 2026, 13:30.',
  ],
  [
    'never_connected',
    'send_connect_link',
    { connection: undefined, lastDataAt: undefined, nextPollAt: undefined },
    'Google Health: was never connected. Send the person a new connect link.',
  ],
  [
    'consent_ended',
    'send_connect_link',
    {
      ...connected({ status: 'revoked', statusReason: 'refresh_failed', failingSince: ago(2) }),
      nextPollAt: undefined,
    },
    'Google Health: the consent ended on Tue 17 Nov 2026, 11:00. Last data Tue 17 Nov 2026, 12:00. Send the person a new connect link.',
  ],
  [
    'disconnected',
    'send_connect_link',
    connected({ status: 'revoked', statusReason: 'user_disconnected' }),
    'was disconnected on Mon 16 Nov 2026, 07:00',
  ],
  ['provider_disabled', 'enable_provider', { isEnabled: false }, 'is disabled for all users'],
  [
    'provider_not_configured',
    'set_credentials',
    { isConfigured: false },
    'has no credentials in the service’s settings',
  ],
  [
    'quota_spent',
    'none',
    { openRun: { ...WAITING_RUN, retryReason: 'rate_limited 429' } },
    'the vendor accepts no more requests until Tue 17 Nov 2026, 14:00',
  ],
  [
    'not_linked',
    'set_up_account',
    {
      ...connected({ accountState: 'not_linked', failingSince: ago(5), lastError: 'No health data.' }),
      failingDataTypes: [{ dataType: 'sleep', error: 'account_not_linked 400', since: ago(5) }],
    },
    'the account has no health profile at the vendor yet, so there is nothing to read',
  ],
  [
    'scope_missing',
    'send_connect_link',
    { missingDataTypes: ['offline'] },
    'the person did not agree to share data beyond the first hour (offline)',
  ],
  [
    'vendor_failing',
    'sync_now',
    { failingDataTypes: [{ dataType: 'sleep', error: 'unavailable 503', since: ago(5) }] },
    'the vendor has been failing since Tue 17 Nov 2026, 08:00 (sleep: unavailable 503)',
  ],
  [
    'scope_missing',
    'send_connect_link',
    { missingDataTypes: ['sleep', 'heart_rate'] },
    'the person did not agree to share sleep, heart_rate',
  ],
  [
    'webhook_silent',
    'sync_now',
    { ...connected({ lastNotifiedAt: ago(80) }), isWebhookStale: true },
    'the vendor has sent no notification since Sat 14 Nov 2026, 05:00',
  ],
  [
    'run_waiting',
    'none',
    { openRun: { ...WAITING_RUN, retryReason: undefined, nextTryAt: undefined } },
    'a run has been waiting since Tue 17 Nov 2026, 10:00',
  ],
  [
    'phone_silent',
    'open_phone_app',
    connected({ ...PHONE, lastSyncedAt: ago(49) }),
    'the phone has sent nothing since Sun 15 Nov 2026, 12:00',
  ],
  [
    'archived',
    'none',
    { ...connected({ lastSyncedAt: ago(600) }), lastDataAt: ago(900), archivedBefore: '2026-10-20' },
    'all samples are older than 2026-10-20 and were archived',
  ],
  [
    'nothing_recorded',
    'check_device',
    { lastDataAt: ago(72) },
    'the vendor responds, but the device has recorded nothing since Sat 14 Nov 2026, 13:00',
  ],
  [
    'nothing_recorded',
    'check_device',
    { ...connected(PHONE), lastDataAt: ago(72) },
    'the phone sends, but the device has recorded nothing since Sat 14 Nov 2026, 13:00',
  ],
  ['zone_unknown', 'set_time_zone', { isZoneUnknown: true }, 'the time zone is unknown, so days start at midnight UTC'],
  [
    'zone_unknown',
    'set_time_zone',
    { isZoneUnknown: true, unplacedDataTypes: ['heart-rate', 'steps'], lastDataAt: undefined },
    'heart-rate, steps could not be stored, because the time zone is unknown; after you set it, a historical sync adds them',
  ],
])('returns the diagnosis %s with the remedy %s for its facts', (cause, remedy, changes, sentence) => {
  const facts = { ...HEALTHY, ...changes };
  const verdict = verdictOf(facts, NOW);
  expect(verdict).toMatchObject({ cause, remedy });
  expect(sentenceOf(facts, verdict, 'Europe/Berlin')).toContain(sentence);
});

test('reports the cause that must be fixed first', () => {
  const everything = {
    ...HEALTHY,
    ...connected({ status: 'revoked', statusReason: 'refresh_failed' }),
    isEnabled: false,
    missingDataTypes: ['sleep'],
    isWebhookStale: true,
    isZoneUnknown: true,
  };
  expect(verdictOf(everything, NOW).cause).toBe('consent_ended');
  expect(verdictOf({ ...everything, ...connected({}) }, NOW).cause).toBe('provider_disabled');
  expect(verdictOf({ ...everything, ...connected({}), isEnabled: true }, NOW).cause).toBe('scope_missing');
});

test('reports a vendor failure unless a run is in progress', () => {
  const failed = connected({ failingSince: ago(1), lastError: 'The vendor did not answer.' });
  const atWork = { runId: 'pull_1', createdAt: ago(0.1), retryReason: undefined, nextTryAt: undefined };
  expect(verdictOf({ ...HEALTHY, ...failed, openRun: atWork }, NOW).cause).toBe('receiving');
  const facts = { ...HEALTHY, ...failed };
  expect(sentenceOf(facts, verdictOf(facts, NOW), 'UTC')).toContain(
    'the vendor has been failing since Tue 17 Nov 2026, 11:00 (The vendor did not answer).',
  );
});

test('summarizes failing types by code, with the next attempt', () => {
  const failed = ['a', 'b', 'c', 'd'].map((dataType) => ({ dataType, error: 'unavailable 500', since: ago(5) }));
  const openRun = { ...WAITING_RUN, retryReason: 'unavailable 500', attempt: 3, maxAttempts: 6 };
  const facts = { ...HEALTHY, failingDataTypes: failed, dataTypeCount: 4, openRun };
  const verdict = verdictOf(facts, NOW);
  expect(verdict.details).toEqual(['all 4 data types: unavailable 500']);
  const sentence = sentenceOf(facts, verdict, 'UTC');
  expect(sentence).toContain('17 Nov 2026, 13:00 (attempt 3 of 6)');
});

test('reports no silent phone for an import-only user', () => {
  const uploaded = { ...HEALTHY, ...connected({ ...PHONE, lastSyncedAt: ago(100) }), hasPushed: false };
  expect(verdictOf({ ...uploaded, lastDataAt: ago(120) }, NOW).cause).toBe('receiving');
  expect(verdictOf({ ...uploaded, ...connected(PHONE), lastDataAt: ago(120) }, NOW).cause).toBe('receiving');
});

test('reports no problem for recent runs, pushes or data', () => {
  const justStarted = { runId: 'pull_1', createdAt: ago(0.1), retryReason: undefined, nextTryAt: undefined };
  expect(verdictOf({ ...HEALTHY, openRun: justStarted }, NOW).cause).toBe('receiving');
  expect(verdictOf({ ...HEALTHY, ...connected({ ...PHONE, lastSyncedAt: ago(30) }) }, NOW).cause).toBe('receiving');
  expect(verdictOf({ ...HEALTHY, lastDataAt: ago(40) }, NOW).cause).toBe('receiving');
});
